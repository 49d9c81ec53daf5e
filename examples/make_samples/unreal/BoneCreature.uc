//=============================================================================
// BoneCreature.
//
// A box on four legs that keeps a bone. It walks about until something bumps
// into it; then it barks, does its best trick and goes on.
//=============================================================================
class BoneCreature expands Decoration;

const MaxTricks = 4;
const Greeting  = "Woof!";

// What it feels like.
enum EMood
{
	MOOD_Calm,
	MOOD_Curious,
	MOOD_Happy
};

// Something that it can do.
struct Trick
{
	var() name  Sequence;   // The animation.
	var() float Seconds;    // How fast it goes.
	var   int   Applause;   // How well it is liked.
};

var() EMood Mood;
var() Trick Tricks[4];
var(Sounds) sound Bark;
var(Movement) float WagSpeed;
var bool bHasBone;
var int Barks;

//-----------------------------------------------------------------------------
// The tail goes twice as fast when it is happy.
function float TailSpeed( EMood InMood )
{
	if( InMood == MOOD_Happy )
		return WagSpeed * 2.0;
	return WagSpeed;
}

//-----------------------------------------------------------------------------
// Does one of its tricks, if it knows that many.
function Perform( int Index )
{
	if( Index >= MaxTricks )
		return;
	PlayAnim( Tricks[Index].Sequence, Tricks[Index].Seconds );
	Barks = Barks + 1;
}

//-----------------------------------------------------------------------------
// A friend!
event Bump( Actor Other )
{
	Mood = MOOD_Happy;
	if( bHasBone )
		PlaySound( Bark );
	GotoState( 'Happy' );
}

//-----------------------------------------------------------------------------
auto state Calm
{
Begin:
	LoopAnim( 'Walk', TailSpeed( Mood ) );
	Sleep( 4.0 );
	goto 'Begin';
}

//-----------------------------------------------------------------------------
state Happy
{
	// One friend at a time.
	event Bump( Actor Other ) {}

Begin:
	Perform( 0 );
	FinishAnim();
	Mood = MOOD_Calm;
	GotoState( 'Calm' );
}
