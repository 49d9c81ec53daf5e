//! What is known of a file that tells whether it was written.

use crate::files::Metadata;
use std::time::SystemTime;

/// What tells a file from another one of its name, or from itself after it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub len: u64,
    modified: Option<SystemTime>,
    /// Device, number, and time of the last change in seconds and nanoseconds.
    #[cfg(unix)]
    node: (u64, u64, i64, i64),
}

impl Stamp {
    /// Whether a file that stayed open has not been written since. Its name and links may have changed.
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
