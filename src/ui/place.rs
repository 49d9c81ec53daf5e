//! What an open file and an entry of it are called, for as long as the file is open.

use crate::formats::EntryId;
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
