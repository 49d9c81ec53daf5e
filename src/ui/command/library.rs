//! Commands for open files and for the library.

use crate::ui::{
    favourite::Favourite,
    library_row::{LibraryOrder, RowId},
    place::{FileId, Place},
};
use std::path::PathBuf;

/// A command for open files or for the library.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryCommand {
    /// Opens files and folders in addition to the open ones.
    Open(Vec<PathBuf>),
    /// Opens a file or a member of a container that exceeds a limit.
    OpenAnyway(PathBuf),
    /// Opens dropped files. Images that fit the shown model become its textures.
    Drop(Vec<PathBuf>),
    /// Opens the file dialog.
    OpenFilesDialog,
    /// Opens the dialog for a folder.
    OpenFolderDialog,
    /// Opens the dialog for a search folder.
    SearchFolderDialog,
    AddSearchFolder(PathBuf),
    RemoveSearchFolder(PathBuf),
    /// Opens the paths in a text: one per line, in quotation marks or as `file://` links.
    OpenPasted(String),
    /// Opens the sample files of the program.
    OpenSamples,
    /// Reloads a file; `None` for the shown file.
    ReadAgain(Option<FileId>),
    /// Opens the dialog for a file that the current view is saved to.
    SaveViewDialog,
    SaveView(PathBuf),
    /// Opens a view after a question: with its files outside its folder (`true`), or without them.
    AnswerView(bool),
    /// Opens another file of the shown file's folder, by its distance in the list of files.
    NextFile(i32),
    /// Adds an entry to the favourites, or removes it.
    ToggleFavourite(Favourite),
    ToggleFavouriteOfSelected,
    /// Shows a favourite, and opens its file if necessary.
    OpenFavourite(Favourite),
    /// Turns the preview of selected entries on or off.
    ToggleBrowse,
    CloseFile(FileId),
    CloseAll,
    ClearRecents,
    /// Selects an interpretation of an ambiguous file, or the automatic one, and reloads the file.
    SetReading {
        file: FileId,
        /// The option: [`crate::formats::Choice::id`].
        id: String,
        value: Option<String>,
    },
    /// Selects the automatic interpretation of all options of a file.
    ForgetReadings(FileId),
    /// Expands or collapses a row.
    Expand(RowId, bool),
    /// Expands or collapses the row with the cursor. If this is done already, moves the cursor to the next or previous row.
    FoldRow(bool),
    CollapseAll,
    /// Sets the order of the library: by contents or by file layout.
    SetOrder(LibraryOrder),
    ToggleOrder,
    SetFilter(String),
    FocusFilter,
    /// Creates the thumbnails of these visible entries next.
    WantThumbnails(Vec<Place>),
}
