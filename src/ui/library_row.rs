//! What the rows of the library stand for, and in which order they are.

use crate::{
    formats::{Content, Entry, EntryId, Role},
    ui::place::{FileId, Place},
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

/// A kind of entries that stand together. In the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Group {
    Levels,
    Landscapes,
    Models,
    ObjectLists,
    Parts,
    Bones,
    Materials,
    Textures,
    Sockets,
    Morphs,
    Clips,
    Sounds,
    Music,
    Fonts,
    Palettes,
    Texts,
    Scripts,
    Classes,
    Actors,
    Files,
    /// Chunks, sections and records.
    Other,
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Self::Levels => "Levels",
            Self::Landscapes => "Landscapes",
            Self::Models => "Models",
            Self::ObjectLists => "Objects",
            Self::Parts => "Parts",
            Self::Bones => "Bones",
            Self::Materials => "Materials",
            Self::Textures => "Textures",
            Self::Sockets => "Sockets",
            Self::Morphs => "Morphs",
            Self::Clips => "Clips",
            Self::Sounds => "Sounds",
            Self::Music => "Music",
            Self::Fonts => "Fonts",
            Self::Palettes => "Palettes",
            Self::Texts => "Texts",
            Self::Scripts => "Scripts",
            Self::Classes => "Classes",
            Self::Actors => "Actors",
            Self::Files => "Files",
            Self::Other => "Other",
        }
    }

    /// The role that all entries of the group could have: for its icon.
    pub fn role(self) -> Role {
        match self {
            Self::Levels => Role::Level,
            Self::Landscapes => Role::Landscape,
            Self::Models => Role::Model,
            Self::ObjectLists => Role::ObjectList,
            Self::Parts => Role::Part,
            Self::Bones => Role::Bone,
            Self::Materials => Role::Material,
            Self::Textures => Role::Texture,
            Self::Sockets => Role::Socket,
            Self::Morphs => Role::Morph,
            Self::Clips => Role::Clip,
            Self::Sounds => Role::Sound,
            Self::Music => Role::Music,
            Self::Fonts => Role::Font,
            Self::Palettes => Role::Palette,
            Self::Texts => Role::Text,
            Self::Scripts => Role::Script,
            Self::Classes => Role::Class,
            Self::Actors => Role::Actor,
            Self::Files => Role::Member,
            Self::Other => Role::Data,
        }
    }

    /// The group that an entry belongs to.
    pub fn of(entry: &Entry) -> Self {
        match entry.role {
            Role::Level => Self::Levels,
            Role::Landscape => Self::Landscapes,
            Role::Model | Role::Skeleton | Role::Brush => Self::Models,
            Role::ObjectList => Self::ObjectLists,
            Role::Part => Self::Parts,
            Role::Bone => Self::Bones,
            Role::Material => Self::Materials,
            Role::Texture => Self::Textures,
            Role::Socket => Self::Sockets,
            Role::Morph => Self::Morphs,
            Role::Clip | Role::SurfaceClip | Role::VertexSequence => Self::Clips,
            Role::Sound => Self::Sounds,
            Role::Music => Self::Music,
            Role::Font => Self::Fonts,
            Role::Palette => Self::Palettes,
            Role::Text => Self::Texts,
            Role::Script => Self::Scripts,
            Role::Class | Role::ClassMember => Self::Classes,
            Role::Actor => Self::Actors,
            Role::Member | Role::Archive => Self::Files,
            Role::File | Role::Folder | Role::Group => Self::Other,
            Role::Data => match entry.content {
                Content::Model => Self::Models,
                Content::Clip => Self::Clips,
                Content::Image => Self::Textures,
                Content::Palette => Self::Palettes,
                Content::Font => Self::Fonts,
                Content::Sound => Self::Sounds,
                Content::Music => Self::Music,
                Content::Text => Self::Texts,
                Content::Map => Self::Levels,
                Content::Terrain => Self::Landscapes,
                Content::Actor => Self::Actors,
                Content::Bytes | Content::None => Self::Other,
            },
        }
    }

    /// Whether its only entry stands for itself: what a file is about is not hidden in a group.
    pub fn is_no_level_for_one(self) -> bool {
        matches!(self, Self::Levels | Self::Landscapes | Self::Models | Self::ObjectLists)
    }
}
