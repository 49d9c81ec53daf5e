//! What can be done with the collection.

use crate::library::collection::RowIndex;
use std::path::PathBuf;

/// One thing to do with the collection.
#[derive(Clone, Debug, PartialEq)]
pub enum CollectionCommand {
    /// Brings the collection to the stage, and the keyboard into its search field.
    Show,
    /// Adds a folder, a container or a file.
    Add(PathBuf),
    /// Leaves out one of them. Files stay open, and nothing on the disk changes.
    Remove(PathBuf),
    /// Reads what changed on the disk.
    Update,
    /// Looks for something else from now on.
    Search(String),
    /// Lists entries of one kind alone, as `type:` calls it, or all.
    SetKind(Option<&'static str>),
    /// Opens what stands in a row, by its number.
    Open(usize),
    /// Shows what was found as pictures, or as rows.
    ShowPictures(bool),
    /// These are in sight: their pictures are made.
    WantPictures(Vec<RowIndex>),
    /// Shows who takes what from whom around a file or entry, or around what is selected.
    ShowLinks(Option<LinksOf>),
    /// Goes back from there to what was searched.
    CloseLinks,
    /// Opens a file of the collection, and an entry in it.
    OpenFile(PathBuf, Option<String>),
}

/// Whose links are shown: a file of the collection, or an entry of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinksOf {
    pub path: PathBuf,
    /// Its path within the file.
    pub entry: Option<String>,
}
