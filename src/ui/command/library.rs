//! What can be done to the open files and to the list of them.

use crate::ui::{
    favourite::Favourite,
    library_row::{LibraryOrder, RowId},
    place::{FileId, Place},
};
use std::path::PathBuf;

/// One thing to do to the open files.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryCommand {
    /// Opens files and folders; what is open stays.
    Open(Vec<PathBuf>),
    /// Opens a file, or a member of a container, whatever limit refused it.
    OpenAnyway(PathBuf),
    /// Opens what was dropped on the window; images that fit the model in front become its textures.
    Drop(Vec<PathBuf>),
    /// Asks for files.
    OpenFilesDialog,
    /// Asks for a folder.
    OpenFolderDialog,
    /// Asks for a folder that references are looked for in.
    SearchFolderDialog,
    AddSearchFolder(PathBuf),
    RemoveSearchFolder(PathBuf),
    /// Opens the paths in a text: one a line, quoted or as `file://` links.
    OpenPasted(String),
    /// Opens the samples that come with the program.
    OpenSamples,
    /// Reads a file anew as it is on disk now; the one in front when none is named.
    ReadAgain(Option<FileId>),
    /// Asks where to save how the stages are looked at.
    SaveViewDialog,
    SaveView(PathBuf),
    /// Opens the view that was asked about: with its files outside its folder (`true`), or without them.
    AnswerView(bool),
    /// Opens the file this many on in the folder of the one in front.
    NextFile(i32),
    /// Gives something a star, or takes it away.
    ToggleFavourite(Favourite),
    ToggleFavouriteOfSelected,
    /// Shows something with a star; what is not open is opened.
    OpenFavourite(Favourite),
    /// Keys that go through a list show each entry at once, or only select it.
    ToggleBrowse,
    CloseFile(FileId),
    CloseAll,
    ClearRecents,
    /// Answers a question about a file's layout, or leaves it to the file's own bytes again; reads the file anew.
    SetReading {
        file: FileId,
        /// [`crate::formats::Choice::id`].
        id: String,
        value: Option<String>,
    },
    /// Leaves all of them to the file's own bytes again.
    ForgetReadings(FileId),
    /// Unfolds a row, or folds it.
    Expand(RowId, bool),
    /// Unfolds the row that keys go on from, or folds it; goes on to the row below or above it where that is done already.
    FoldRow(bool),
    CollapseAll,
    /// Arranges what lies in the files by meaning or as the files are built.
    SetOrder(LibraryOrder),
    ToggleOrder,
    SetFilter(String),
    FocusFilter,
    /// Makes the thumbnails of these entries, which are in sight, next.
    WantThumbnails(Vec<Place>),
}
