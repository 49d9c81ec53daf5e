//! What can be done to the picture on show.

/// One thing to do to a flip-book or a computed texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PictureCommand {
    /// Plays or holds it.
    TogglePlay,
    /// Shows a frame of a flip-book.
    Seek(u64),
    Step(i32),
    /// Runs a computed texture from its first frame again.
    Restart,
    /// Times the rate that a computed texture asks for.
    SetSpeed(f32),
}
