//! Tables of names, and how much the names of an archive may take.

use super::ranges::bytes_of;
use crate::{
    bytes::{Source, text},
    formats::{Field, Table, Value},
};
use std::{ops::Range, sync::Arc};

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
