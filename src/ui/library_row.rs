//! What the rows of the library stand for, and in which order they are.

use crate::formats::EntryId;
use crate::ui::{
    entry_group::Group,
    place::{FileId, Place},
};
use serde::{Deserialize, Serialize};

/// How what lies in a file is arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LibraryOrder {
    /// Parts, bones, materials, clips.
    #[default]
    Meaning,
    /// The file's own chunks or exports.
    Structure,
}

impl LibraryOrder {
    pub fn other(self) -> Self {
        match self {
            Self::Meaning => Self::Structure,
            Self::Structure => Self::Meaning,
        }
    }
}

/// A folder that several of the open files lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FolderId(pub u32);

/// What a row of the library stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowId {
    /// A folder that several of the open files lie in.
    Folder(FolderId),
    File(FileId),
    /// All of a kind in a file, a member of an archive or a model, which `of` is.
    Group {
        of: Place,
        group: Group,
    },
    /// A folder or section in a file, as far as what lies in it belongs to a group.
    Branch {
        place: Place,
        group: Group,
    },
    Entry(Place),
}

impl RowId {
    /// The entry that the row stands for; `None` for folders of files and groups.
    pub fn place(self) -> Option<Place> {
        match self {
            Self::Folder(_) | Self::Group { .. } => None,
            Self::File(file) => Some(Place { file, entry: EntryId::FILE }),
            Self::Branch { place, .. } | Self::Entry(place) => Some(place),
        }
    }

    /// The same row of a file in which entries have moved; `None` where its entry is there no longer.
    pub fn moved(self, file: FileId, moved: impl Fn(EntryId) -> Option<EntryId>) -> Option<Self> {
        let to = |place: Place| match place.file == file {
            true => moved(place.entry).map(|entry| Place { entry, ..place }),
            false => Some(place),
        };
        Some(match self {
            Self::Folder(_) | Self::File(_) => self,
            Self::Group { of, group } => Self::Group { of: to(of)?, group },
            Self::Branch { place, group } => Self::Branch { place: to(place)?, group },
            Self::Entry(place) => Self::Entry(to(place)?),
        })
    }

    /// The file that the row is of.
    pub fn file(self) -> Option<FileId> {
        match self {
            Self::Folder(_) => None,
            Self::File(file) => Some(file),
            Self::Group { of: place, .. } | Self::Branch { place, .. } | Self::Entry(place) => Some(place.file),
        }
    }
}

impl From<Place> for RowId {
    fn from(place: Place) -> Self {
        if place.entry == EntryId::FILE { Self::File(place.file) } else { Self::Entry(place) }
    }
}
