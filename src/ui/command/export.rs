//! What is written to disk.

use crate::ui::{
    picture_draft::PictureDraft,
    state::{ExportDraft, FileId, Place},
};
use std::path::PathBuf;

/// One step of an export.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportCommand {
    /// Prepares the export of an entry.
    Prepare(Place),
    /// Prepares the export of what is on the stage.
    PrepareShown,
    /// Changes the export that is being prepared.
    Edit(Box<ExportDraft>),
    /// Prepares a picture of the stage.
    PreparePicture,
    /// Changes the picture that is being prepared.
    EditPicture(Box<PictureDraft>),
    /// Draws and writes it.
    DrawPicture,
    /// Of the export or the picture that is being prepared.
    SetPath(PathBuf),
    /// Asks where to write it.
    Browse,
    Run,
    /// Writes an export that was prepared before.
    Write(Box<ExportDraft>),
    /// Asks whether an export is to be written that would be very large.
    AskLarge(Box<LargeExport>),
    /// Yes, it is.
    WriteLarge,
    Cancel,
    /// Asks for a folder and exports everything in an open file into it; in all open files without one.
    AllDialog(Option<FileId>),
    All {
        file: Option<FileId>,
        folder: PathBuf,
        overwrite: bool,
        /// Write it however large it becomes, what an export before has written left alone.
        any_size: bool,
    },
    /// Asks for a folder and exports several entries into it, each in its natural format.
    SeveralDialog(Vec<Place>),
    Several {
        places: Vec<Place>,
        folder: PathBuf,
        overwrite: bool,
        any_size: bool,
    },
    /// Asks for a folder and writes the files of an archive below an entry into it, as they are.
    UnpackDialog(Place),
    Unpack {
        place: Place,
        folder: PathBuf,
        overwrite: bool,
        any_size: bool,
    },
}

/// An export that would be larger than its source gives reason to expect, and has not been written.
#[derive(Clone, Debug, PartialEq)]
pub struct LargeExport {
    /// What it is of.
    pub name: String,
    /// Bytes that it would take.
    pub size: u64,
    /// Writes it all the same.
    pub anyway: Box<ExportCommand>,
}
