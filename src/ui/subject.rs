//! What stages are called, what they are about and what of it has a time.

use crate::ui::place::{FileId, Place};

/// A stage, for as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct StageId(pub u32);

impl StageId {
    /// The stage that is always there.
    pub const FIRST: Self = Self(0);
}

/// What a stage is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    #[default]
    Nothing,
    Entry(Place),
    /// All pictures of a file.
    Gallery(FileId),
    /// All entries of a file.
    Table(FileId),
    /// The classes of all open files; those of this one are brought into view.
    Classes(FileId),
    /// The search through all scripts.
    Scripts,
    /// The collection, and the search in it.
    Collection,
    /// The pictures of all open files.
    Pictures,
    /// Two files side by side.
    Compare,
}

impl Subject {
    /// The file that it lies in.
    pub fn file(self) -> Option<FileId> {
        match self {
            Self::Nothing | Self::Scripts | Self::Collection | Self::Pictures | Self::Compare => None,
            Self::Entry(place) => Some(place.file),
            Self::Gallery(file) | Self::Table(file) | Self::Classes(file) => Some(file),
        }
    }
}

/// A page of the drawer below a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum DrawerPage {
    Clips,
    Tracks,
    Curves,
    Notifications,
}

/// What can be looked through in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOf {
    /// The clips on a model.
    Model,
    /// A clip on its own.
    Clip,
    /// A flip-book or a computed texture.
    Picture,
    Sound,
}

/// Why a clip is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PlayMode {
    /// Asked for: says how it fits, and refuses when little of it does.
    #[default]
    Asked,
    /// By itself: says nothing when it does not work out.
    Quiet,
    /// Whatever fits.
    Anyway,
    /// The same clip again with other switches: the time stays.
    Again,
    /// Beside the clip that plays, where nothing of its kind does.
    Join,
}
