//! What can be done to the time of what is on the stage: a clip, a flip-book, a computed texture, a sound.

use crate::scene::LoopMode;

/// One thing to do to what plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TransportCommand {
    TogglePlay,
    /// To a frame of a clip or of a picture that moves; to a second of a sound.
    Seek(f32),
    /// Frames, or seconds of a sound.
    Step(i32),
    SeekStart,
    SeekEnd,
    SetSpeed(f32),
    Faster,
    Slower,
    SetLoop(LoopMode),
    CycleLoop,
    /// Backwards where it went forwards, at the same speed.
    Reverse,
    /// To a key after the playhead (1) or before it (−1): of the selected bone, else of anything.
    StepKey(i32),
    /// The stretch of a clip that plays in the place of all of it, from a frame to a frame.
    SetRange(f32, f32),
    /// The range begins at the playhead.
    RangeFromHere,
    /// It ends there.
    RangeToHere,
    /// All of the clip plays again.
    ClearRange,
}
