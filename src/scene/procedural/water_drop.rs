//! What moves water.
//!
//! A drop stands at a place of the water, counted in cells of two by two pixels. The water at rest is 128 high; `depth` is the
//! height that a drop pushes it to, and how far `depth` lies from 128 is how hard it shakes. A *speed* byte is in 1/256 turn a
//! frame, a *phase* byte is a turn in 256 parts, a *size* byte is in cells. Everything goes round the edges. What pushes or shakes
//! one cell takes those up to two cells from it along, three quarters and one quarter of the way in each direction.
//!
//! | kind | what it does | a | b | d |
//! |---|---|---|---|---|
//! | 0 FixedDepth | holds its cell at its depth | | | |
//! | 1 PhaseSpot | shakes its cell up and down | speed | phase | |
//! | 2 ShallowSpot | the same, half as hard | speed | phase | |
//! | 3 HalfAmpl | the same, below the level only | speed | phase | |
//! | 4 RandomMover | wanders, and shakes its cell at random | | | |
//! | 5 FixedRandomSpot | shakes its cell at random | | | |
//! | 6 WhirlyThing | pushes a cell on a circle 4 cells wide | speed | phase | |
//! | 7 BigWhirly | pushes a cell on a circle 16 cells wide | speed | phase | |
//! | 8 HorizontalLine | holds a line to the right at its depth | | | size |
//! | 9 VerticalLine | holds a line downwards | | | size |
//! | 10 DiagonalLine1 | holds a line to the right and up | | | size |
//! | 11 DiagonalLine2 | holds a line to the right and down | | | size |
//! | 12 to 15 …Osc | shakes the same four lines | speed | phase | size |
//! | 16 RainDrops | pushes a cell anywhere in a square down and right of it, one frame in 32 | | | size |
//! | 17 AreaClamp | holds a square down and right of it | | | size |
//! | 18 LeakyTap | pushes its cell once in a turn of its phase | speed | phase | |
//! | 19 DrippyTap | the same, irregularly | speed | phase | |

/// What one frame of a drop does to the water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaterDrop {
    /// Kind of the drop, which also gives `a`, `b` and `d` their meaning.
    pub kind: DropKind,
    /// Height that the drop pushes the water to; 128 is the water at rest.
    /// For kinds that shake the water, the difference from 128 is the amplitude.
    pub depth: u8,
    /// Cells from the left: half the pixels.
    pub x: u8,
    /// Cells from the top.
    pub y: u8,
    /// First parameter ([`DropKind::uses`]).
    pub a: u8,
    /// Second parameter ([`DropKind::uses`]).
    pub b: u8,
    /// Third parameter, which no kind uses.
    pub c: u8,
    /// Fourth parameter ([`DropKind::uses`]).
    pub d: u8,
}

macro_rules! kinds {
    ($($kind:ident = [$a:literal, $b:literal, $d:literal] $meaning:literal)*) => {
        /// What a [`WaterDrop`] does; the module's table says it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DropKind {
            $(
                #[doc = concat!("A drop that ", $meaning, ".")]
                $kind
            ),*
        }

        impl DropKind {
            /// In the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The kind's name in the format.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind)),* }
            }

            /// What the bytes `a b c d` are to it, for people; empty where it does not use one.
            pub fn uses(self) -> [&'static str; 4] {
                match self { $(Self::$kind => [$a, $b, "", $d]),* }
            }

            /// What it does, for people.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$kind => $meaning),* }
            }
        }
    };
}

kinds! {
    FixedDepth = ["", "", ""] "keeps a point at a constant height"
    PhaseSpot = ["speed", "phase", ""] "moves a point up and down"
    ShallowSpot = ["speed", "phase", ""] "moves a point up and down at half strength"
    HalfAmpl = ["speed", "phase", ""] "moves a point up and down below the surface"
    RandomMover = ["", "", ""] "changes its position randomly and moves the water up and down randomly"
    FixedRandomSpot = ["", "", ""] "moves a point up and down randomly"
    WhirlyThing = ["speed", "phase", ""] "moves in a small circle"
    BigWhirly = ["speed", "phase", ""] "moves in a large circle"
    HorizontalLine = ["", "", "size"] "keeps a horizontal line at a constant height"
    VerticalLine = ["", "", "size"] "keeps a vertical line at a constant height"
    DiagonalLine1 = ["", "", "size"] "keeps a rising diagonal line at a constant height"
    DiagonalLine2 = ["", "", "size"] "keeps a falling diagonal line at a constant height"
    HorizontalOsc = ["speed", "phase", "size"] "makes a horizontal line oscillate"
    VerticalOsc = ["speed", "phase", "size"] "makes a vertical line oscillate"
    DiagonalOsc1 = ["speed", "phase", "size"] "makes a rising diagonal line oscillate"
    DiagonalOsc2 = ["speed", "phase", "size"] "makes a falling diagonal line oscillate"
    RainDrops = ["", "", "size"] "makes drops fall at random points of a square"
    AreaClamp = ["", "", "size"] "keeps a square at a constant height"
    LeakyTap = ["speed", "phase", ""] "drips regularly"
    DrippyTap = ["speed", "phase", ""] "drips irregularly"
}

impl DropKind {
    /// The kind with this number; `None` past the last.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

impl WaterDrop {
    /// A drop from its eight bytes; `None` when there is no kind of that number.
    pub fn from_bytes([kind, depth, x, y, a, b, c, d]: [u8; 8]) -> Option<Self> {
        Some(Self { kind: DropKind::from_number(kind)?, depth, x, y, a, b, c, d })
    }
}
