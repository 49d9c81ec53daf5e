//! What only the window system can do, and what is known of it.

use crate::{
    scene::Image,
    ui::{
        layout::Tab,
        picture_draft::PictureDraft,
        place::{FileId, Place, StageId},
        section::Section,
    },
};
use std::{path::PathBuf, sync::Arc};

/// A request to the window system, made by a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Quit,
    Copy(String),
    /// Copies the value of the field that contains the selected bytes.
    CopyValue,
    AskForFiles,
    AskForFolder,
    /// Opens the dialog for a file or folder to compare with.
    AskForCompared {
        folder: bool,
    },
    /// Opens the dialog for a search folder.
    AskForSearchFolder,
    /// Opens the dialog for the path of an export, with the suggested path.
    AskWhere(PathBuf),
    /// Opens the dialog for the path of a view, with the suggested path.
    AskWhereView(PathBuf),
    /// Opens the dialog for the folder of an export: of a file, or of all open files.
    AskExportFolder(Option<FileId>),
    AskUnpackFolder(Place),
    /// Opens the dialog for the folder of screenshots.
    AskPictureFolder,
    /// Opens the dialog for the folder of an export of several entries.
    AskSeveralFolder(Vec<Place>),
    /// Copies an image to the clipboard.
    CopyImage(CopiedPicture),
    FocusFilter,
    /// Shows a panel in front of the panels in the same place.
    ShowTab(Tab),
    /// Scrolls to a section of the inspector.
    ShowSection(Section),
    /// Shows the panel of a stage in front of the panels in the same place.
    BringUpStage(StageId),
    /// Shows a folder in the system's file manager.
    ShowFolder(PathBuf),
    Screenshot {
        transparent: bool,
    },
    CopyPicture,
    /// Draws images of the stage in a job and writes them.
    DrawPictures(Box<PictureDraft>),
    LoseDevice,
    ResetLayout,
    /// Applies a changed theme or scale.
    Restyle,
}

/// An image for the clipboard. Compared by identity.
#[derive(Clone, Debug)]
pub struct CopiedPicture(pub Arc<Image>);

impl PartialEq for CopiedPicture {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The graphics device, for the status bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GpuStatus {
    /// Name of the adapter; empty without a device.
    pub adapter: String,
    pub backend: String,
    /// Name and version of the driver, if known.
    pub driver: String,
    pub software: bool,
}
