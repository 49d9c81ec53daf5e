//! What archives hold, whatever their format.

use super::codes;
use crate::formats::Code;
use std::ops::Range;

/// Problems that are kept of one archive; a hostile one could make millions.
pub const MAX_PROBLEMS: usize = 1000;

/// Records of one table that are read; archives of games have a few thousand.
pub const MAX_RECORDS: u64 = 1 << 20;

/// Folders and files, each after the folder that it is in; those of one folder in the archive's order.
#[derive(Debug, Default)]
pub struct Directory {
    pub items: Vec<Item>,
    /// Header, tables and names: bytes of the source that are no file's.
    pub tables: Vec<Range<u64>>,
    /// The table of names.
    pub names: Range<u64>,
}

/// A folder or a file.
#[derive(Debug)]
pub struct Item {
    pub name: String,
    /// The folder that it is in, an index into the items; `None` for the archive itself.
    pub parent: Option<usize>,
    /// Folders above it, itself counted where it is one.
    pub depth: u32,
    /// Its record in the tables: bytes of the source.
    pub record: Range<u64>,
    /// `None` for a folder.
    pub member: Option<Member>,
}

/// A file's bytes.
#[derive(Debug)]
pub struct Member {
    /// Bytes of the source, inside the archive.
    pub range: Range<u64>,
    /// The archive's own bits.
    pub flags: u8,
}

/// Something that is wrong with an archive's tables.
#[derive(Debug)]
pub struct Problem {
    pub code: &'static Code,
    /// Bytes of the source.
    pub offset: u64,
    pub message: String,
}

impl Problem {
    /// Something that cannot be followed.
    pub fn lost(offset: u64, message: String) -> Self {
        Self { code: &codes::BAD_TABLE, offset, message }
    }

    /// Something odd whose bytes are there all the same.
    pub fn odd(offset: u64, message: String) -> Self {
        Self { code: &codes::ODD_ENTRY, offset, message }
    }
}

impl Directory {
    /// The items of each folder, in order: those of the archive itself first, then of item 0 and so on.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.items.len().saturating_add(1)];
        for (index, item) in self.items.iter().enumerate() {
            let folder = item.parent.map_or(0, |parent| parent.saturating_add(1));
            if let Some(list) = children.get_mut(folder) {
                list.push(index);
            }
        }
        children
    }
}
