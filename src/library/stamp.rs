//! The identity of a file on disk: its absolute path, and a stamp that changes when it is written.

use crate::files::Metadata;
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Returns the absolute path, without `.` and `..`. Links are not followed.
pub fn absolute(path: &Path) -> PathBuf {
    let whole = crate::files::absolute(path).unwrap_or_else(|_| path.to_owned());
    // `a/../b` and `b` are the same unless `a` is a link.
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The identity and version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub len: u64,
    modified: Option<SystemTime>,
    /// Device, number, and time of the last change in seconds and nanoseconds.
    #[cfg(unix)]
    node: (u64, u64, i64, i64),
}

impl Stamp {
    /// Returns true if an open file was not written. Its name and links may have changed.
    pub fn is_written_as(&self, other: &Self) -> bool {
        self.len == other.len && self.modified == other.modified
    }

    pub fn of(meta: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt as _;
        Self {
            len: meta.len(),
            modified: meta.modified().ok(),
            #[cfg(unix)]
            node: (meta.dev(), meta.ino(), meta.ctime(), meta.ctime_nsec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_are_plain() {
        assert_eq!(absolute(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(absolute(Path::new("/a/c/")), Path::new("/a/c"));
    }
}
