//! Entries of a view's files.

use serde::{Deserialize, Serialize};

/// An entry of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SavedPlace {
    /// Into [`super::SavedView::files`].
    pub file: usize,
    /// Its path; empty for the file itself.
    pub entry: String,
    /// Its number, which tells it from others of that path.
    pub number: u32,
}
