//! Commands for the window.

use crate::ui::{command::Ask, layout::Tab, section::Section};
use egui::KeyboardShortcut;
use std::path::PathBuf;

/// A command for the window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowCommand {
    Quit,
    /// Shows a panel in front of the panels in the same place.
    ShowTab(Tab),
    /// Expands a section of the inspector and scrolls to it.
    ShowSection(Section),
    /// Expands or collapses a section of the inspector.
    SetSection(Section, bool),
    /// Copies a text to the clipboard.
    Copy(String),
    /// Saves the viewport as a PNG; without the background if `true`. Opens the dialog for a folder the first time.
    Screenshot(bool),
    /// Drops the graphics device, as after a driver reset, to test the recovery.
    LoseDevice,
    SetDark(bool),
    ToggleTheme,
    SetUiScale(f32),
    /// Sets whether the first matching clip of a model plays automatically.
    SetAutoplay(bool),
    ToggleAutoplay,
    /// Sets whether the last session is restored if the program starts without files.
    SetReopenSession(bool),
    /// Sets whether open files are reloaded when they change on disk.
    SetWatchFiles(bool),
    ToggleWatchFiles,
    ResetLayout,
    ShowLog,
    ToggleLog,
    /// Shows a folder in the system's file manager.
    ShowFolder(PathBuf),
    TogglePalette,
    ToggleKeys,
    /// Opens or closes the dialog “Jump to”.
    ToggleJump,
    ToggleAbout,
    ToggleSettings,
    /// Shows the built-in file dialog.
    AskHere(Ask),
    CloseFileDialog,
    /// Sets whether the built-in file dialogs are always used.
    SetOwnDialogs(bool),
    /// Shows or hides the first steps.
    ToggleGuide,
    /// Copies an image of the stage to the clipboard.
    CopyPicture,
    /// Sets the size of images of the stage; `None` for the size of the stage.
    SetPictureSize(Option<[u32; 2]>),
    /// Opens the dialog for the folder of screenshots.
    AskPictureFolder,
    /// Sets the folder of screenshots; `None` opens the dialog again at the next screenshot.
    SetPictureFolder(Option<PathBuf>),
    ClearLog,
    /// Cancels a job.
    CancelWork(u64),
}

/// A command that changes keyboard shortcuts.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyCommand {
    /// Waits for a key for the action with this name: instead of its keys, or in addition to them.
    Wait {
        name: &'static str,
        besides: bool,
    },
    /// The pressed key.
    Press(KeyboardShortcut),
    /// Removes the key from the action that has it.
    TakeOver,
    /// Cancels the change.
    Cancel,
    /// Removes the keys of an action.
    Clear(&'static str),
    /// Restores the default keys of an action.
    Reset(&'static str),
    ResetAll,
}
