//! What can be done with the text on a stage.

use crate::ui::place::TextPlace;

/// One thing to do with the text on the stage in front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextCommand {
    /// Puts the caret somewhere, and marks the bytes that the line was made from, or made into.
    SetCaret(TextPlace),
    /// Goes where the name at a place is defined.
    Define(TextPlace),
    /// The same for the name at the caret.
    DefineAtCaret,
    /// Finds out what the name at a place means, to say it there.
    Explain(TextPlace),
}
