//! What can be done to the sound or the music on show.

/// One thing to do to a sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SoundCommand {
    /// Plays or pauses it.
    TogglePlay,
    /// Goes to a sample frame.
    Seek(usize),
    /// 0 … 1.
    SetVolume(f32),
    ChangeVolume(f32),
    ToggleLoop,
    /// Renders music after that was cancelled.
    RenderMusic,
}
