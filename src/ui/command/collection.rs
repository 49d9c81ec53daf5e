//! What can be done with the collection.

use crate::library::collection::{Collection, RowIndex};
use std::path::PathBuf;

/// One thing to do with the collection.
#[derive(Clone, Debug, PartialEq)]
pub enum CollectionCommand {
    /// Brings the collection to the stage, and the keyboard into its search field.
    Show,
    /// Adds a folder, a container or a file.
    Add(PathBuf),
    /// Files and folders that were dropped on the collection join it; they are not opened.
    Join(Vec<PathBuf>),
    /// Takes other roots in the place of those that are there.
    SetRoots(Vec<PathBuf>),
    /// Keeps roots under a name, in the place of those that have it.
    Remember(Collection),
    /// Lets go of a name; files and what is known of them stay.
    Forget(String),
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
    /// The pointer is on the picture of this clip: its moments are made.
    WantStrip(RowIndex),
    /// Shows who takes what from whom around a file or entry, or around what is selected.
    ShowLinks(Option<InCollection>),
    /// Goes back from there to what was searched.
    CloseLinks,
    /// Shows which clips of the collection fit a model, or which models a clip; of the model on the stage, or of what is selected,
    /// where nothing is named.
    ShowFits(Option<InCollection>),
    /// Goes back from there: to the model that it was asked for, else to what was searched.
    CloseFits,
    /// Opens the model and the clip that one of these joins, by its rank, and plays the clip on the model.
    PlayFit(usize),
    /// Opens a file of the collection, and an entry in it.
    OpenFile(PathBuf, Option<String>),
}

/// A file of the collection, or an entry of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InCollection {
    pub path: PathBuf,
    /// Its path within the file.
    pub entry: Option<String>,
}
