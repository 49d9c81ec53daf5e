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

/// What only the window system can do, asked for by a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Quit,
    Copy(String),
    /// Copies the value of the field that the marked bytes belong to.
    CopyValue,
    AskForFiles,
    AskForFolder,
    /// Asks for a file or a folder that something is compared with.
    AskForCompared {
        folder: bool,
    },
    /// Asks for a folder that references are looked for in.
    AskForSearchFolder,
    /// Asks where to write an export; the path is where it would go.
    AskWhere(PathBuf),
    /// Asks where to save a view; the path is where it would go.
    AskWhereView(PathBuf),
    /// Asks for the folder that a file, or all of them, is exported into.
    AskExportFolder(Option<FileId>),
    AskUnpackFolder(Place),
    /// Asks for the folder for pictures of the stage.
    AskPictureFolder,
    /// Asks for the folder that several entries are exported into.
    AskSeveralFolder(Vec<Place>),
    /// Puts a picture on the clipboard.
    CopyImage(CopiedPicture),
    FocusFilter,
    /// Brings a panel to the front.
    ShowTab(Tab),
    /// Brings a section of the inspector into view.
    ShowSection(Section),
    /// Brings the panel of the stage to the front.
    BringUpStage(StageId),
    /// Shows a folder in the system's file manager.
    ShowFolder(PathBuf),
    Screenshot {
        transparent: bool,
    },
    CopyPicture,
    /// Draws pictures of the stage in the background and writes them.
    DrawPictures(Box<PictureDraft>),
    LoseDevice,
    ResetLayout,
    /// Theme or scale changed.
    Restyle,
}

/// A picture for the clipboard; two are the same when they are one.
#[derive(Clone, Debug)]
pub struct CopiedPicture(pub Arc<Image>);

impl PartialEq for CopiedPicture {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What is known of the graphics device, for the status bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GpuStatus {
    /// Empty without a device.
    pub adapter: String,
    pub backend: String,
    /// Its name and version, as far as it tells.
    pub driver: String,
    pub software: bool,
}
