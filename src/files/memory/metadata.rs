//! What is known of files and folders of the disk in memory.

use std::{ffi::OsString, io, path::PathBuf, time::SystemTime};

/// What is known of a file or a folder.
#[derive(Clone, Debug)]
pub struct Metadata {
    pub(super) len: u64,
    pub(super) modified: SystemTime,
    pub(super) kind: FileType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileType {
    pub(super) is_dir: bool,
}

/// One of the names in a folder.
#[derive(Debug)]
pub struct DirEntry {
    pub(super) path: PathBuf,
    pub(super) metadata: Metadata,
}

impl Metadata {
    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn is_file(&self) -> bool {
        self.kind.is_file()
    }

    pub fn is_dir(&self) -> bool {
        self.kind.is_dir()
    }

    pub fn is_symlink(&self) -> bool {
        self.kind.is_symlink()
    }

    pub fn file_type(&self) -> FileType {
        self.kind
    }

    /// # Errors
    /// None: the disk keeps the time of everything.
    pub fn modified(&self) -> io::Result<SystemTime> {
        Ok(self.modified)
    }
}

impl FileType {
    pub fn is_file(&self) -> bool {
        !self.is_dir
    }

    pub fn is_dir(&self) -> bool {
        self.is_dir
    }

    /// There are none.
    pub fn is_symlink(&self) -> bool {
        false
    }
}

impl DirEntry {
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }

    pub fn file_name(&self) -> OsString {
        self.path.file_name().unwrap_or_default().to_owned()
    }

    /// # Errors
    /// None.
    pub fn metadata(&self) -> io::Result<Metadata> {
        Ok(self.metadata.clone())
    }

    /// # Errors
    /// None.
    pub fn file_type(&self) -> io::Result<FileType> {
        Ok(self.metadata.kind)
    }
}
