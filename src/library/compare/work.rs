use crate::{
    bytes::{Allowance, Cancel},
    library::OpenFile,
};

/// Fields that are looked at in one entry.
const MAX_IN_ENTRY: usize = 2 << 20;
/// Fields that are looked at in all entries of two files.
const MAX_IN_ALL: usize = 16 << 20;

/// Bytes that are looked at in all entries of two files, by the size of both.
const BYTES: Allowance = Allowance { base: 1 << 30, per_byte: 64 };

/// What a comparison may still cost. Entries, and fields of one entry, may lie over each other: a small file could ask for any amount.
pub struct Work<'a> {
    in_entry: usize,
    in_all: usize,
    bytes: u64,
    /// The largest absolute difference of floats that count as equal; without one their bits count.
    pub tolerance: Option<f32>,
    pub cancel: &'a Cancel,
}

impl<'a> Work<'a> {
    pub fn of_files(left: &OpenFile, right: &OpenFile, tolerance: Option<f32>, cancel: &'a Cancel) -> Self {
        let size = |file: &OpenFile| file.document.source().len() as u64;
        let bytes = BYTES.of(size(left).saturating_add(size(right)));
        Self { in_entry: MAX_IN_ENTRY, in_all: MAX_IN_ALL, bytes, tolerance, cancel }
    }

    /// The next entry is looked at.
    pub fn begin_entry(&mut self) {
        self.in_entry = MAX_IN_ENTRY;
    }

    /// One more field is held against another; `false` where that is too much.
    pub fn field(&mut self) -> bool {
        let is_left = self.in_entry > 0 && self.glance();
        self.in_entry = self.in_entry.saturating_sub(1);
        is_left
    }

    /// One more field is looked at, to find what it is held against; `false` where that is too much.
    pub fn glance(&mut self) -> bool {
        let is_left = self.in_all > 0 && !self.is_cancelled();
        self.in_all = self.in_all.saturating_sub(1);
        is_left
    }

    /// So many more bytes are looked at; `false` where that is too much.
    pub fn bytes(&mut self, count: u64) -> bool {
        let left = self.bytes.checked_sub(count).filter(|_| !self.is_cancelled());
        self.bytes = left.unwrap_or(0);
        left.is_some()
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}
