use crate::bytes::Source;
use std::path::PathBuf;

/// A file that another one asks for.
#[derive(Clone, Copy, Debug)]
pub struct FileRequest<'a> {
    /// File name without extension, compared without regard to case.
    pub stem: &'a str,
    /// Extensions to try, in order of preference, without the dot.
    pub extensions: &'a [&'a str],
    /// Look in the folders below too.
    pub subfolders: bool,
    /// Names of folders beside the file's own that are looked in after it (`System`, `Textures`), without regard to case.
    pub siblings: &'a [&'a str],
}

/// A file that was found.
#[derive(Clone, Debug)]
pub struct FoundFile {
    /// For people: the path relative to the folder that was searched.
    pub name: String,
    /// Where it lies; empty for a file that lies nowhere.
    pub path: PathBuf,
    pub source: Source,
}

/// Finds what lies in other files; the library implements it over folders.
pub trait Resolver: Send + Sync {
    /// The first file that fits, looked for beside the file that asks.
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile>;
}

/// A resolver that has nothing.
pub struct NoFiles;

impl Resolver for NoFiles {
    fn find(&self, _: &FileRequest<'_>) -> Option<FoundFile> {
        None
    }
}
