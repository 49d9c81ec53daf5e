//! Commands for the collection.

use crate::library::collection::{Collection, RowIndex};
use std::path::PathBuf;

/// A command for the collection.
#[derive(Clone, Debug, PartialEq)]
pub enum CollectionCommand {
    /// Shows the collection and focuses its search field.
    Show,
    /// Adds a folder, a container or a file.
    Add(PathBuf),
    /// Adds files and folders that were dropped on the collection, without opening them.
    Join(Vec<PathBuf>),
    /// Replaces the roots.
    SetRoots(Vec<PathBuf>),
    /// Saves roots as a named collection. A collection with the same name is replaced.
    Remember(Collection),
    /// Deletes a named collection. Its files and their index entries are kept.
    Forget(String),
    /// Removes a root. Open files stay open, and files on disk are not changed.
    Remove(PathBuf),
    /// Updates the index from disk.
    Update,
    /// Starts another search.
    Search(String),
    /// Lists only entries of one kind, as in `type:`, or all.
    SetKind(Option<&'static str>),
    /// Opens the entry of a result, by its index.
    Open(usize),
    /// Shows the results as thumbnails or as a list.
    ShowPictures(bool),
    /// Creates the thumbnails of these visible results.
    WantPictures(Vec<RowIndex>),
    /// Creates the frames of this clip's thumbnail, because the pointer is on it.
    WantStrip(RowIndex),
    /// Shows the links of a file or entry; `None` for the selection.
    ShowLinks(Option<InCollection>),
    /// Returns from the links to the search.
    CloseLinks,
    /// Shows the clips of the collection that fit a model, or the models that fit a clip; `None` for the shown model, or for the
    /// selection.
    ShowFits(Option<InCollection>),
    /// Returns from the matches to the model that they were requested for, else to the search.
    CloseFits,
    /// Opens the model and the clip of a match, by its rank, and plays the clip.
    PlayFit(usize),
    /// Opens a file of the collection and selects one of its entries.
    OpenFile(PathBuf, Option<String>),
}

/// A file of the collection, or one of its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InCollection {
    pub path: PathBuf,
    /// The entry's path within the file.
    pub entry: Option<String>,
}
