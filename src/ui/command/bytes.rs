//! Commands for the byte view.

use crate::{
    bytes::search::Kind,
    ui::{byte_search::ByteScope, place::Place},
};

/// A command for the bytes of the selected entry or file.
#[derive(Clone, Debug, PartialEq)]
pub enum BytesCommand {
    /// Opens the search of the byte view and focuses its field.
    OpenSearch,
    CloseSearch,
    /// Reports that the field was focused.
    SearchHasKeyboard,
    /// Searches for the typed text. If `marks` is true, the first match is selected.
    Search {
        text: String,
        kind: Kind,
        scope: ByteScope,
        marks: bool,
    },
    /// Selects another match, by its distance in the list; wraps around.
    Step(i32),
    Copy(CopyBytes),
    /// Copies the records of a field as CSV. The path has the indices of fields in groups.
    CopyRecords(Place, Vec<usize>),
}

/// The data that is copied to the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyBytes {
    /// The selected bytes.
    Hex,
    Text,
    /// A C array of the selected bytes.
    Array,
    /// The offset of the first selected byte, or of the entry.
    Offset,
    /// The path of the selected entry.
    Path,
    /// The value of the field that contains the selected bytes.
    Value,
}
