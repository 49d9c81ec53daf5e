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
    /// A file, or a folder, that something is compared with.
    ComparedFile,
    ComparedFolder,
    /// A folder that references are looked for in.
    SearchFolder,
    /// Where to write an export; the path is where it would go.
    ExportFile(PathBuf),
    /// Where to save a view.
    View(PathBuf),
    /// The folder that a file, or all of them, is exported into.
    ExportFolder(Option<FileId>),
    UnpackFolder(Place),
    /// The folder that several entries are exported into.
    SeveralFolder(Vec<Place>),
    /// The folder for pictures of the stage.
    PictureFolder,
}

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<'a> {
    /// Files that are read.
    Files,
    /// A file that is read.
    File,
    /// A folder that is read.
    Folder,
    /// A file that is written; the path is where it would go.
    NewFile(&'a Path),
    /// A folder that is written into.
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
