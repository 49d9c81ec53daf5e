//! What can be done to the window as a whole.

use crate::ui::{command::Ask, layout::Tab, section::Section};
use egui::KeyboardShortcut;
use std::path::PathBuf;

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
    /// Saves what the viewport shows as a PNG; without the background when `true`. Asks for a folder the first time.
    Screenshot(bool),
    /// Gives the graphics device up, as a driver reset would: shows that the window recovers.
    LoseDevice,
    SetDark(bool),
    ToggleTheme,
    SetUiScale(f32),
    /// Whether a model plays the first clip that fits.
    SetAutoplay(bool),
    ToggleAutoplay,
    /// Whether the last session comes back when the program starts without files.
    SetReopenSession(bool),
    /// Whether open files that change on disk are read anew.
    SetWatchFiles(bool),
    ToggleWatchFiles,
    ResetLayout,
    ShowLog,
    ToggleLog,
    /// Shows a folder in the system's file manager.
    ShowFolder(PathBuf),
    TogglePalette,
    ToggleKeys,
    /// Asks where to jump to, or no longer.
    ToggleJump,
    ToggleAbout,
    ToggleSettings,
    /// Asks in our own file dialog.
    AskHere(Ask),
    CloseFileDialog,
    /// Whether our own file dialogs are used whatever the system has.
    SetOwnDialogs(bool),
    /// First steps.
    ToggleGuide,
    /// Puts a picture of the stage on the clipboard.
    CopyPicture,
    /// How large pictures of the stage are; `None` for as large as the stage.
    SetPictureSize(Option<[u32; 2]>),
    /// Asks for the folder for pictures of the stage.
    AskPictureFolder,
    /// The folder for pictures of the stage; `None` asks again.
    SetPictureFolder(Option<PathBuf>),
    ClearLog,
    /// Stops a piece of background work.
    CancelWork(u64),
}

/// One thing to do to the keys of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyCommand {
    /// Waits for the key that an action, by its name, is to have: in the place of its keys, or besides them.
    Wait {
        name: &'static str,
        besides: bool,
    },
    /// The key that was waited for.
    Press(KeyboardShortcut),
    /// Takes the key from the action that has it.
    TakeOver,
    /// Leaves everything as it was.
    Cancel,
    /// An action has no keys from now on.
    Clear(&'static str),
    /// An action has its keys by default again.
    Reset(&'static str),
    ResetAll,
}
