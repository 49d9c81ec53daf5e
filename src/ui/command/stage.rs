//! What can be done to the stages: what they show, which one is in front, the way back.

use crate::ui::state::{DrawerPage, FileId, Place, StageId};

/// One thing to do to the stage in front, or to all of them.
#[derive(Clone, Debug, PartialEq)]
pub enum StageCommand {
    /// Shows an entry as what it is: a model in the viewport, a clip on the model.
    Show(Place),
    ShowSelected,
    /// Shows an entry, or what is on the stage, on a second stage beside the first.
    OpenBeside(Option<Place>),
    /// Shows all pictures of a file side by side.
    ShowGallery(FileId),
    /// Shows all entries of a file as a table.
    ShowTable(FileId),
    /// Shows the classes of all open files by what they extend, those of a file in view.
    ShowClasses(FileId),
    /// Shows the pictures of all open files side by side.
    ShowPictures,
    /// Puts a picture on the clipboard; that on the stage without one.
    CopyPicture(Option<Place>),
    /// The same of the selected file.
    ShowGalleryOfSelected,
    ShowTableOfSelected,
    ShowClassesOfSelected,
    Close(StageId),
    /// Makes a stage the one that keys and the selection are for.
    Focus(StageId),
    /// Moves the cameras and clocks of all stages together, or no longer.
    Link(bool),
    ToggleLink,
    /// Pulls a page of the drawer below a model out, or pushes it in.
    ToggleDrawer(DrawerPage),
    /// One step back in the stage's history.
    Back,
    Forward,
}
