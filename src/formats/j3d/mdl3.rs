//! MDL3: ready-made command lists of the graphics chip, which set the material state of MAT3 once more (formats/j3d.md §7.2).
//! They are found and left as they are.

use super::{
    file::{ChunkData, ChunkKind, Findings},
    padding::{COMMANDS, is_padding},
};
use crate::formats::{
    Field, Value, coverage,
    field_reader::{Fault, FieldReader},
};
use std::{any::Any, ops::Range};

/// How this file's chunk is read.
pub static KINDS: &[ChunkKind] =
    &[ChunkKind { tag: b"MDL3", read: |r, findings| Ok(Box::new(Mdl3::read(r, findings)?)) }];

/// The chunk is there; nothing in it is needed.
#[derive(Clone, Copy, Debug)]
pub struct Mdl3;

impl Mdl3 {
    /// Reads the chunk behind its tag and size.
    ///
    /// # Errors
    /// When the header does not fit.
    pub fn read(r: &mut FieldReader<'_>, _: &mut Findings) -> Result<Self, Fault> {
        let range = r.range();
        let count = r.u16("MaterialCount")?;
        r.pad(2)?;
        let lists_offset = r.u32("ListsOffset")?;
        for table in 1..6 {
            r.u32(format!("Table{table}Offset"))?;
        }
        let header_end = r.offset();
        // Offset from its own place in the table, and size, in bytes, of each material's list.
        let mut lists = Vec::new();
        let at = range.start.saturating_add(u64::from(lists_offset));
        if at >= header_end && r.seek(at).is_ok() {
            let fit = r.whole_records(count.into(), 8) as u64;
            lists = r.records("Lists", "CommandList", fit, 8, |r, _| Ok((r.u32("Offset")?, r.u32("Size")?)))?;
        }
        if r.is_recording() {
            record_lists(r, at, &lists);
        }
        Ok(Self)
    }
}

/// Fields of the lists, each byte once, and of the small tables behind them. `table`: where the places of the lists are.
fn record_lists(r: &mut FieldReader<'_>, table: u64, lists: &[(u32, u32)]) {
    let places = (table..).step_by(8).zip(lists);
    let mut ranges: Vec<(u64, u64, usize)> = places
        .enumerate()
        .map(|(index, (place, (offset, size)))| (place.saturating_add(u64::from(*offset)), u64::from(*size), index))
        .collect();
    ranges.sort_unstable();
    let mut free = table.saturating_add(8_u64.saturating_mul(lists.len() as u64));
    for (start, size, index) in ranges {
        let end = start.saturating_add(size).min(r.range().end);
        if start >= free && end > start && r.seek(start).is_ok() {
            claim(r, format!("List {index}"), start..end);
            free = end;
        }
    }
    for gap in coverage::gaps(r.fields(), r.range()) {
        let mut ahead = r.fork();
        let size = usize::try_from(gap.end.saturating_sub(gap.start)).unwrap_or(0);
        let bytes = ahead.seek(gap.start).ok().and_then(|()| ahead.raw().bytes(size).ok()).unwrap_or_default();
        // The chunk's tag and size are fields already.
        let is_header = gap.start == r.range().start;
        if !is_header && !is_padding(bytes) {
            claim(r, "Tables".to_owned(), gap);
        }
    }
}

fn claim(r: &mut FieldReader<'_>, name: String, range: Range<u64>) {
    let size = range.end.saturating_sub(range.start);
    r.push(Field::new(name, format!("u8[{size}]"), Value::Opaque(COMMANDS), range.start, size));
}

impl ChunkData for Mdl3 {
    fn as_any(&self) -> &dyn Any {
        self
    }
}
