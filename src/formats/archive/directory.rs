//! The contents of archives of any format: folders, files, tables of names and their limits.

use super::info;
use crate::{
    bytes::{Source, text},
    formats::{Code, Field, Table, Value},
};
use std::{ops::Range, sync::Arc};

/// Bytes that fill up whatever they hold, when they are this few.
const MAX_FILLED: u64 = 32;

/// The bytes of a range; none where it goes past the end.
pub fn bytes_of(source: &Source, range: Range<u64>) -> &[u8] {
    let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    range.and_then(|(start, end)| source.as_slice().get(start..end)).unwrap_or_default()
}

/// Whether bytes only fill up: few of them, or all zero.
pub fn is_padding(source: &Source, range: Range<u64>) -> bool {
    range.end.saturating_sub(range.start) < MAX_FILLED || bytes_of(source, range).iter().all(|b| *b == 0)
}

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
        Self { code: &info::BAD_TABLE, offset, message }
    }

    /// Something odd whose bytes are there all the same.
    pub fn odd(offset: u64, message: String) -> Self {
        Self { code: &info::ODD_ENTRY, offset, message }
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

/// Bytes of a name that count; longer ones are cut.
pub const LONGEST_NAME: usize = 255;
/// Bytes that the names of an archive may take besides four times its size: its files may share one.
const TEXT: u64 = 8 << 20;

/// A name of a table of names; `None` when it starts outside of it.
pub fn name_at(source: &Source, table: &Range<u64>, offset: u32) -> Option<String> {
    let start = table.start.checked_add(u64::from(offset)).filter(|start| *start < table.end)?;
    let bytes = bytes_of(source, start..table.end);
    let bytes = bytes.get(..LONGEST_NAME).unwrap_or(bytes);
    let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    Some(text::shift_jis(bytes.get(..length).unwrap_or_default()))
}

/// Bytes that the names of an archive in `range` may take.
pub fn text_of(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start).saturating_mul(4).saturating_add(TEXT)
}

/// Takes a name's bytes from what is left; false when there are too few.
pub fn afford(left: &mut u64, name: &str) -> bool {
    let rest = left.checked_sub(name.len() as u64);
    *left = rest.unwrap_or(0);
    rest.is_some()
}

/// The names of a table one after the other, as they lie there.
pub fn name_table(source: &Source, table: Range<u64>) -> Field {
    let bytes = bytes_of(source, table.clone());
    let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last.saturating_add(2)).min(bytes.len());
    let mut starts = vec![0_u32];
    let ends = bytes.get(..used).unwrap_or_default().iter().enumerate().filter(|(_, b)| **b == 0);
    starts.extend(ends.filter_map(|(at, _)| u32::try_from(at.saturating_add(1)).ok()));
    if used > 0 && bytes.get(used.saturating_sub(1)) != Some(&0) {
        starts.push(u32::try_from(used).unwrap_or(u32::MAX));
    }
    let names = NameTable { source: source.clone(), at: table.start, starts };
    Field::table("Names", "char[]", table.start, used as u64, Arc::new(names))
}

/// Names, read when they are looked at.
struct NameTable {
    source: Source,
    at: u64,
    /// Where each name starts, from the table's start; the end of the last one after them.
    starts: Vec<u32>,
}

impl std::fmt::Debug for NameTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NameTable({})", self.len())
    }
}

impl Table for NameTable {
    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn row(&self, index: usize) -> Option<Field> {
        let start = self.at.checked_add(u64::from(*self.starts.get(index)?))?;
        let end = self.at.checked_add(u64::from(*self.starts.get(index.checked_add(1)?)?))?;
        let bytes = bytes_of(&self.source, start..end);
        let name = text::shift_jis(bytes.strip_suffix(&[0]).unwrap_or(bytes));
        let size = end.saturating_sub(start);
        Some(Field::new(index.to_string(), format!("char[{size}]"), Value::Text(name), start, size))
    }
}
