//! What can be selected, and where references lead.

use crate::{
    formats::Reference,
    ui::{
        library_row::RowId,
        place::{FileId, Place},
    },
};
use std::{ops::Range, sync::Arc};

/// One way to change what is selected.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectionCommand {
    /// Shows an entry's fields and bytes.
    Select(Place),
    /// Goes to a row of the library, and selects the entry that it stands for.
    Row(RowId),
    /// Selects the first entry that the library's filter finds.
    FirstFound,
    /// Selects the row this many below the selected one.
    Next(i32),
    /// Keys go on through this list of the stage, until something is selected elsewhere.
    TakeList(Arc<[Place]>),
    /// Shows the picture or the sound of the file this many on.
    NextAlike(i32),
    /// Goes where a reference of a file leads, into another file too.
    Follow(FileId, Reference),
    /// Goes to something of another file that a file names by its path: `Package.Group.Name`.
    FollowPath(FileId, String),
    /// Looks for what refers to an entry.
    FindUses(Place),
    FindUsesOfSelected,
    /// Goes to what was typed: an offset, the number of an entry, its path or its name.
    Jump(String),
    /// Marks bytes of the selected file; `None` marks nothing.
    Bytes(Option<Range<u64>>),
    /// Marks bytes of a file and brings the byte view up.
    ShowBytes(FileId, Range<u64>),
    /// Selects the entry of a joint of the shown model; `None` lets go of it.
    Joint(Option<u32>),
    /// Selects a socket of the shown model, and its entry where it has one.
    Socket(u32),
}
