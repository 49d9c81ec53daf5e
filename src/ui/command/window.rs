//! What can be done to the window as a whole.

use crate::ui::{section::Section, tab::Tab};

/// One thing to do to the window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowCommand {
    Quit,
    /// Brings a panel to the front.
    ShowTab(Tab),
    /// Unfolds a section of the inspector and brings it into view.
    ShowSection(Section),
    /// Unfolds a section of the inspector, or folds it.
    SetSection(Section, bool),
    /// Puts a text on the clipboard.
    Copy(String),
    /// Saves what the viewport shows as a PNG; without the background when `true`.
    Screenshot(bool),
    /// Gives the graphics device up, as a driver reset would: shows that the window recovers.
    LoseDevice,
    SetDark(bool),
    ToggleTheme,
    SetUiScale(f32),
    /// Whether a model plays the first clip that fits.
    SetAutoplay(bool),
    /// Whether the last session comes back when the program starts without files.
    SetReopenSession(bool),
    /// Whether open files that change on disk are read anew.
    SetWatchFiles(bool),
    ToggleWatchFiles,
    ResetLayout,
    ToggleLog,
    TogglePalette,
    ToggleKeys,
    /// Asks where to jump to, or no longer.
    ToggleJump,
    ToggleAbout,
    ClearLog,
    /// Stops a piece of background work.
    CancelWork(u64),
}
