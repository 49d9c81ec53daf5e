//! What is written to disk.

use crate::ui::state::{ExportDraft, FileId, Place};
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
    SetPath(PathBuf),
    /// Asks where to write it.
    Browse,
    Run,
    Cancel,
    /// Asks for a folder and exports everything in an open file into it; in all open files without one.
    AllDialog(Option<FileId>),
    All {
        file: Option<FileId>,
        folder: PathBuf,
        overwrite: bool,
    },
    /// Asks for a folder and writes the files of an archive below an entry into it, as they are.
    UnpackDialog(Place),
    Unpack {
        place: Place,
        folder: PathBuf,
        overwrite: bool,
    },
}
