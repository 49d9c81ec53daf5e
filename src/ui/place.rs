//! Names of what the window shows: files, entries, stages, and what is selected in them.

use crate::formats::{Document, Entry, EntryId, Outline};
use std::path::PathBuf;

/// An open file, for as long as it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A place in the text on a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// Of the text, from 0.
    pub part: usize,
    /// Of the part, from 0.
    pub line: usize,
    /// Into the line.
    pub byte: usize,
}

/// An entry of an open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: FileId,
    pub entry: EntryId,
}

/// Where an image on a model was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextureSource {
    Entry(Place),
    /// A picture that is no file of the library.
    Picture(PathBuf),
}

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

/// The smallest entry that a byte lies in, of those whose offsets count as those of `shown` do.
pub fn owner_entry(document: &dyn Document, shown: EntryId, offset: u64) -> Option<&Entry> {
    let source = document.source_of(shown);
    smallest_at(document.outline(), offset, |entry| document.source_of(entry).is_same(source))
}

fn smallest_at(outline: &Outline, offset: u64, is_here: impl Fn(EntryId) -> bool) -> Option<&Entry> {
    let has = |e: &&Entry| e.offset <= offset && offset < e.offset.saturating_add(e.size) && is_here(e.id);
    outline.entries().iter().filter(has).min_by_key(|e| e.size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Content, Role};

    #[test]
    fn the_smallest_entry_owns_a_byte() {
        let mut outline = Outline::new(Role::File, "Psk", 100);
        let chunk = outline.add(EntryId::FILE, "A", "A", Role::Group, "Chunk", 10, 50, Content::None);
        let bone = outline.add(chunk, "B", "A/B", Role::Bone, "Bone", 20, 8, Content::None);
        assert_eq!(smallest_at(&outline, 22, |_| true).unwrap().id, bone);
        assert_eq!(smallest_at(&outline, 30, |_| true).unwrap().id, chunk);
        assert_eq!(smallest_at(&outline, 99, |_| true).unwrap().id, EntryId::FILE);
        assert!(smallest_at(&outline, 100, |_| true).is_none());
    }
}
