//! Questions that file dialogs answer.

use crate::ui::place::{FileId, Place};
use std::path::{Path, PathBuf};

/// A question that a file dialog answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Files to open.
    Files,
    /// A folder to open.
    Folder,
    /// A file to compare with.
    ComparedFile,
    ComparedFolder,
    /// A search folder.
    SearchFolder,
    /// The path of an export; contains the suggested path.
    ExportFile(PathBuf),
    /// The path of a saved view; contains the suggested path.
    View(PathBuf),
    /// The folder for the export of a file; `None` for all open files.
    ExportFolder(Option<FileId>),
    UnpackFolder(Place),
    /// The folder for the export of several entries.
    SeveralFolder(Vec<Place>),
    /// The folder of screenshots.
    PictureFolder,
}

/// The kind of answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<'a> {
    /// Files to read.
    Files,
    /// A file to read.
    File,
    /// A folder to read.
    Folder,
    /// A file to write; contains the suggested path.
    NewFile(&'a Path),
    /// A folder to write to.
    TargetFolder,
}

impl Ask {
    pub fn choice(&self) -> Choice<'_> {
        match self {
            Self::Files => Choice::Files,
            Self::ComparedFile => Choice::File,
            Self::Folder | Self::ComparedFolder | Self::SearchFolder => Choice::Folder,
            Self::ExportFile(path) | Self::View(path) => Choice::NewFile(path),
            Self::ExportFolder(_) | Self::UnpackFolder(_) | Self::SeveralFolder(_) | Self::PictureFolder => {
                Choice::TargetFolder
            }
        }
    }

    pub fn title(&self) -> &'static str {
        match self {
            Self::Files | Self::Folder => "Open in Bonebox",
            Self::ComparedFile | Self::ComparedFolder => "Compare with",
            Self::SearchFolder => "Add search folder",
            Self::ExportFile(_) => "Export",
            Self::View(_) => "Save view",
            Self::ExportFolder(_) => "Export everything to a folder",
            Self::SeveralFolder(_) => "Export to a folder",
            Self::UnpackFolder(_) => "Unpack to a folder",
            Self::PictureFolder => "Screenshot folder",
        }
    }
}
