//! Changing the keys of actions.

use egui::KeyboardShortcut;

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
