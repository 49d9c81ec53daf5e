//! A change of keys that is being made.

use crate::ui::command::Action;
use egui::KeyboardShortcut;

/// The change that a person is about to make.
#[derive(Clone, Debug)]
pub struct KeyChange {
    pub action: &'static Action,
    /// The action keeps the keys that it has.
    pub besides: bool,
    /// The key that was pressed, and the other action that has it; the person says whether it is to be taken.
    pub conflict: Option<(KeyboardShortcut, &'static Action)>,
    /// Why the key that was pressed cannot be had.
    pub refusal: Option<String>,
}
