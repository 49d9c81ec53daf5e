//! Commands for exports.

use crate::ui::{
    picture_draft::PictureDraft,
    state::{ExportDraft, FileId, Place},
};
use std::path::PathBuf;

/// A command for an export.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportCommand {
    /// Prepares the export of an entry.
    Prepare(Place),
    /// Prepares the export of the entry on the stage.
    PrepareShown,
    /// Changes the prepared export.
    Edit(Box<ExportDraft>),
    /// Prepares an image of the stage.
    PreparePicture,
    /// Changes the prepared image.
    EditPicture(Box<PictureDraft>),
    /// Draws and writes the prepared image.
    DrawPicture,
    /// Sets the path of the prepared export or image.
    SetPath(PathBuf),
    /// Opens the dialog for the path.
    Browse,
    Run,
    /// Writes the prepared export.
    Write(Box<ExportDraft>),
    /// Opens the question whether to write a very large export.
    AskLarge(Box<LargeExport>),
    /// Writes the very large export.
    WriteLarge,
    Cancel,
    /// Opens the dialog for a folder and exports everything of an open file into it; `None` for all open files.
    AllDialog(Option<FileId>),
    All {
        file: Option<FileId>,
        folder: PathBuf,
        overwrite: bool,
        /// True to write an export of any size, without overwriting files.
        any_size: bool,
    },
    /// Opens the dialog for a folder and exports several entries into it, each in its default format.
    SeveralDialog(Vec<Place>),
    Several {
        places: Vec<Place>,
        folder: PathBuf,
        overwrite: bool,
        any_size: bool,
    },
    /// Opens the dialog for a folder and unpacks the files of an archive below an entry into it.
    UnpackDialog(Place),
    Unpack {
        place: Place,
        folder: PathBuf,
        overwrite: bool,
        any_size: bool,
    },
}

/// An export that is larger than expected for its source and was not written.
#[derive(Clone, Debug, PartialEq)]
pub struct LargeExport {
    /// Name of the exported file or entry.
    pub name: String,
    /// Size of the export, in bytes.
    pub size: u64,
    /// The command that writes the export.
    pub anyway: Box<ExportCommand>,
}
