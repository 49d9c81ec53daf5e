//! The index's record of one file, and checksums of bytes.

use crate::{
    bytes::{Source, budget},
    formats::{Content, Role},
};
use serde::{Deserialize, Serialize};
use sha1::{Digest as _, Sha1};
use std::{borrow::Cow, io};

/// What the index holds of one file: a function of its bytes and its name alone. What it needs of other files is held by name, and
/// found in the collection when it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record<'a> {
    /// Id of its format; empty where nothing takes it.
    #[serde(borrow)]
    pub format: Cow<'a, str>,
    /// Why it could not be opened or indexed whole.
    #[serde(borrow)]
    pub problem: Option<Cow<'a, str>>,
    /// What its format calls its entries, each once.
    #[serde(borrow)]
    pub classes: Vec<Cow<'a, str>>,
    /// Lists of joints' names, each once: the clips of a file mostly share one.
    #[serde(borrow)]
    pub joint_sets: Vec<Vec<Cow<'a, str>>>,
    /// Entry 0 is the file itself, with an empty path; the others are in the outline's order. What opens as nothing has that one alone.
    #[serde(borrow)]
    pub entries: Vec<EntryRecord<'a>>,
    /// Things that the file takes from other files.
    #[serde(borrow)]
    pub imports: Vec<ImportRecord<'a>>,
}

/// An entry of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryRecord<'a> {
    /// Into the document's outline.
    pub id: u32,
    /// As [`crate::formats::Entry::path`] says.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// Where the entry's name begins in its path, in bytes.
    pub name_start: u32,
    /// Into [`Record::classes`].
    pub class: u32,
    /// Role of the entry.
    pub role: Role,
    /// The content that the entry shows.
    pub content: Content,
    /// Bytes.
    pub size: u64,
    /// The start of the SHA-1 of its bytes; 0 for what is not compared (folders, groups, parts).
    pub digest: u64,
    /// Details by kind, such as the size of a picture.
    pub about: About,
}

/// Joints' names: into [`Record::joint_sets`], or into the catalog's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JointSet(pub u32);

/// What is known of an entry besides its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum About {
    /// No details.
    #[default]
    Nothing,
    /// A model.
    Model {
        /// Its joints' names, in order; `None` for one without joints.
        joints: Option<JointSet>,
        /// Number of joints.
        joint_count: u32,
        /// Number of vertices.
        vertices: u32,
        /// Number of triangles.
        triangles: u32,
    },
    /// An animation clip.
    Clip {
        /// The joints that it speaks of by name; `None` where it goes by place or number, or moves no joint.
        joints: Option<JointSet>,
        /// Joints, or parts, that it drives.
        joint_count: u32,
        /// Number of frames.
        frames: u32,
        /// Frames per second.
        rate_hz: f32,
    },
    /// A texture or picture, in pixels.
    Picture {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// A sound.
    Sound {
        /// Duration in seconds.
        duration_secs: f32,
    },
    /// A text or script.
    Text {
        /// Number of lines.
        lines: u32,
    },
}

/// Something that a file takes from another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRecord<'a> {
    /// The other file as the format names it: a package's name without extension, or a path with one.
    #[serde(borrow)]
    pub file: Cow<'a, str>,
    /// The entry's path there; empty for the file itself.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// What the format calls what is taken; empty where it does not say.
    #[serde(borrow)]
    pub class: Cow<'a, str>,
    /// It is built into the game's executable: no file is needed.
    pub is_built_in: bool,
}

impl ImportRecord<'_> {
    /// Converts borrowed text to owned text.
    pub fn into_owned(self) -> ImportRecord<'static> {
        ImportRecord {
            file: Cow::Owned(self.file.into_owned()),
            path: Cow::Owned(self.path.into_owned()),
            class: Cow::Owned(self.class.into_owned()),
            is_built_in: self.is_built_in,
        }
    }
}

/// Bytes that are summed at once.
const PIECE: u64 = 1 << 20;
/// Work of a byte: see [`budget`].
const WORK_OF_BYTE: u64 = 3;

/// The start of the SHA-1 of some bytes, never 0.
///
/// # Errors
/// When they cannot be read.
pub fn digest(source: &Source) -> io::Result<u64> {
    let sum = sum(source)?;
    let mut start = [0; 8];
    start.copy_from_slice(sum.get(..8).unwrap_or(&[0; 8]));
    Ok(u64::from_be_bytes(start).max(1))
}

/// The SHA-1 of some bytes, piece by piece.
///
/// # Errors
/// When they cannot be read, or the act has no work left for all of them.
pub fn sum(source: &Source) -> io::Result<[u8; 20]> {
    let mut sum = Sha1::new();
    let size = source.len() as u64;
    if !budget::charge_work(size.saturating_mul(WORK_OF_BYTE)) {
        return Err(io::Error::other(budget::Exceeded::Work.message()));
    }
    for at in (0..size).step_by(PIECE as usize) {
        let piece = source.slice(at, PIECE.min(size.saturating_sub(at))).ok_or(io::ErrorKind::UnexpectedEof)?;
        sum.update(piece.in_memory()?.as_slice());
    }
    Ok(sum.finalize().into())
}
