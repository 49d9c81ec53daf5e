//! What can be done with two files side by side.

use crate::ui::place::FileId;

/// One thing to do with the comparison of two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareCommand {
    /// Brings the comparison to the stage, with the selected file on the left.
    Selected,
    /// The same with this file; the other one is asked for, unless there is but one.
    File(FileId),
    /// Takes an open file for the right.
    With(FileId),
    /// Changes the sides.
    Swap,
    /// Shows an entry of the list, by its number.
    Choose(usize),
    /// Lists what differs alone.
    ChangedOnly(bool),
}
