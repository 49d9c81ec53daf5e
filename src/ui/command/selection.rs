//! Commands for the selection and for following references.

use crate::{
    formats::Reference,
    ui::{
        library_row::RowId,
        place::{FileId, Place},
    },
};
use std::{ops::Range, sync::Arc};

/// A command that changes the selection.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectionCommand {
    /// Selects an entry, so that its fields and bytes are shown.
    Select(Place),
    /// Moves the cursor to a row of the library and selects its entry.
    Row(RowId),
    /// Selects the first match of the library's filter.
    FirstFound,
    /// Selects another row, by its distance below the selected one.
    Next(i32),
    /// Makes the arrow keys go through this list of the stage, until something else is selected.
    TakeList(Arc<[Place]>),
    /// Shows another image or sound of the file, by its distance in the list.
    NextAlike(i32),
    /// Follows a reference, also into another file.
    Follow(FileId, Reference),
    /// Follows a path to an entry of another file: `Package.Group.Name`.
    FollowPath(FileId, String),
    /// Searches for references to an entry.
    FindUses(Place),
    FindUsesOfSelected,
    /// Jumps to a typed offset, or to an entry by number, path or name.
    Jump(String),
    /// Selects bytes of the selected file; `None` clears the selection.
    Bytes(Option<Range<u64>>),
    /// Selects bytes of a file and shows the byte view.
    ShowBytes(FileId, Range<u64>),
    /// Selects a joint of the shown model and its entry; `None` clears the selection.
    Joint(Option<u32>),
    /// Selects a socket of the shown model, and its entry if it has one.
    Socket(u32),
}
