//! What can be done with bytes: looking for them, and copying them.

use crate::{
    bytes::search::Kind,
    ui::{byte_search::ByteScope, place::Place},
};

/// One thing to do with the bytes of the selected entry or of its file.
#[derive(Clone, Debug, PartialEq)]
pub enum BytesCommand {
    /// Opens the search in the byte view and puts the keyboard there.
    OpenSearch,
    CloseSearch,
    /// The field has the keyboard that it was to have.
    SearchHasKeyboard,
    /// Looks for what was typed. `marks`: the first that is found is marked.
    Search {
        text: String,
        kind: Kind,
        scope: ByteScope,
        marks: bool,
    },
    /// Goes this many places on among those that were found, around the end.
    Step(i32),
    Copy(CopyBytes),
    /// Copies the records that a field of an entry holds as comma-separated values. The path is the places of fields in groups.
    CopyRecords(Place, Vec<usize>),
}

/// What is put on the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyBytes {
    /// The marked bytes.
    Hex,
    Text,
    /// As an array of the language C.
    Array,
    /// Of the first marked byte, or of the entry.
    Offset,
    /// Of the selected entry.
    Path,
    /// Of the field that the marked bytes belong to.
    Value,
}
