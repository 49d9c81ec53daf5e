//! Kinds of things that are exported, by which a person chooses among them.

use crate::{
    bytes::numbers::counted,
    formats::{Content, Entry, Role},
};
use serde::Serialize;

/// What an entry is exported as, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportKind {
    /// Models, except brushes.
    Model,
    /// Brushes, from which the walls of a level were built.
    Brush,
    /// Textures and pictures.
    Texture,
    /// Palettes.
    Palette,
    /// Fonts.
    Font,
    /// Sounds.
    Sound,
    /// Pieces of music.
    Music,
    /// Texts, except scripts.
    Text,
    /// Sources of classes and other scripts.
    Script,
    /// Animation clips.
    Clip,
    /// Levels.
    Level,
    /// Landscapes.
    Landscape,
    /// Entries of all other kinds.
    Data,
}

impl ExportKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 13] = [
        Self::Model,
        Self::Brush,
        Self::Texture,
        Self::Palette,
        Self::Font,
        Self::Sound,
        Self::Music,
        Self::Text,
        Self::Script,
        Self::Clip,
        Self::Level,
        Self::Landscape,
        Self::Data,
    ];

    /// As the command line names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Brush => "brush",
            Self::Texture => "texture",
            Self::Palette => "palette",
            Self::Font => "font",
            Self::Sound => "sound",
            Self::Music => "music",
            Self::Text => "text",
            Self::Script => "script",
            Self::Clip => "clip",
            Self::Level => "level",
            Self::Landscape => "landscape",
            Self::Data => "data",
        }
    }

    /// `1 model`, `3 brushes`, `2 pieces of music`.
    pub fn counted(self, count: usize) -> String {
        match self {
            Self::Music => format!("{} of music", counted(count, "piece")),
            Self::Data => format!("{} of other data", counted(count, "entry")),
            _ => counted(count, self.id()),
        }
    }

    /// Returns the kind of an entry, by its content and role.
    pub fn of(entry: &Entry) -> Self {
        match entry.content {
            Content::Model if entry.role == Role::Brush => Self::Brush,
            Content::Model => Self::Model,
            Content::Clip => Self::Clip,
            Content::Image => Self::Texture,
            Content::Palette => Self::Palette,
            Content::Font => Self::Font,
            Content::Sound => Self::Sound,
            Content::Music => Self::Music,
            Content::Text if matches!(entry.role, Role::Class | Role::Script | Role::ClassMember) => Self::Script,
            Content::Text => Self::Text,
            Content::Map => Self::Level,
            Content::Terrain => Self::Landscape,
            Content::Actor | Content::Bytes | Content::None => match entry.role {
                Role::Sound => Self::Sound,
                Role::Music => Self::Music,
                _ => Self::Data,
            },
        }
    }
}

/// Some of the kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportKinds(u16);

impl Default for ExportKinds {
    /// All of them.
    fn default() -> Self {
        Self::of(&ExportKind::ALL)
    }
}

impl ExportKinds {
    /// Returns the kinds that an export of everything writes unless kinds are named: all except brushes. The brushes of a level are what
    /// its walls were built from. They are most of the files of a set of packages and show nothing that the level does not show.
    pub fn usual() -> Self {
        Self::default().without(&[ExportKind::Brush])
    }

    /// Returns the set of the given kinds.
    pub fn of(kinds: &[ExportKind]) -> Self {
        Self(kinds.iter().fold(0, |bits, kind| bits | Self::bit(*kind)))
    }

    /// Returns the set without the given kinds.
    pub fn without(self, kinds: &[ExportKind]) -> Self {
        Self(self.0 & !Self::of(kinds).0)
    }

    /// Returns `true` if the set contains the kind.
    pub fn has(self, kind: ExportKind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    fn bit(kind: ExportKind) -> u16 {
        1 << kind as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_chosen_and_left_out() {
        let all = ExportKinds::default();
        assert!(ExportKind::ALL.into_iter().all(|kind| all.has(kind)));
        let some =
            ExportKinds::of(&[ExportKind::Brush, ExportKind::Data]).without(&[ExportKind::Brush, ExportKind::Clip]);
        let left: Vec<&str> = ExportKind::ALL.into_iter().filter(|kind| some.has(*kind)).map(ExportKind::id).collect();
        assert_eq!(left, ["data"]);
        let usual = ExportKinds::usual();
        let missing: Vec<&str> =
            ExportKind::ALL.into_iter().filter(|kind| !usual.has(*kind)).map(ExportKind::id).collect();
        assert_eq!(missing, ["brush"]);
    }

    #[test]
    fn counts_read_as_sentences() {
        let said =
            [ExportKind::Brush, ExportKind::Music, ExportKind::Clip].map(|kind| [kind.counted(1), kind.counted(2)]);
        assert_eq!(
            said.concat(),
            ["1 brush", "2 brushes", "1 piece of music", "2 pieces of music", "1 clip", "2 clips"]
        );
    }
}
