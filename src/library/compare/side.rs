//! One side of a comparison, and the work of comparing.

use crate::{
    bytes::{Allowance, Cancel, Source},
    formats::{Entry, EntryId, Field, FieldTree, Purpose, ReadError, ReadErrorKind, caught},
    library::{OpenFile, file::fault},
};

/// An entry of one of two files that are held against each other.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The file.
    pub file: &'a OpenFile,
    /// The entry in the file.
    pub entry: &'a Entry,
}

impl<'a> Side<'a> {
    /// `None` where there is no such entry.
    pub fn of(file: &'a OpenFile, entry: EntryId) -> Option<Self> {
        Some(Self { file, entry: file.entry(entry)? })
    }

    /// What is compared of the entry.
    ///
    /// # Errors
    /// When the entry cannot be read.
    pub fn fields(&self) -> Result<FieldTree, ReadError> {
        caught(|| self.file.document.fields_for(self.entry.id, Purpose::Compare))
            .unwrap_or_else(|reason| Err(ReadError::new(self.entry, fault(&reason)).with_kind(ReadErrorKind::Internal)))
    }

    /// The bytes of a field; `None` where they lie outside of the file.
    pub fn bytes_of(&self, field: &Field) -> Option<Source> {
        self.file.document.source_of(self.entry.id).slice(field.offset, field.size)
    }

    /// The bytes of the entry; `None` where they cannot be used.
    pub fn bytes(&self) -> Option<Source> {
        self.file.document.bytes(self.entry.id).ok()
    }

    /// Whether two entries have the same bytes; `None` where they cannot be read, or there are too many to look at.
    pub fn has_equal_bytes(&self, other: Self, work: &mut Work<'_>) -> Option<bool> {
        let (own, others) = (self.bytes()?, other.bytes()?);
        if own.len() != others.len() {
            return Some(false);
        }
        work.bytes(own.len() as u64).then(|| own.is_equal(&others))
    }

    /// Whether equal bytes mean the same, whatever else is in the file.
    pub fn bytes_say_all(&self) -> bool {
        !self.file.document.has(EntryId::FILE, |can, _| Some(can.links?.has_table_indices()))
    }

    /// Whether a position in the file lies in the entry, or right behind it.
    pub fn holds(&self, position: u64) -> bool {
        let end = self.entry.offset.saturating_add(self.entry.size);
        position > self.entry.offset && position <= end
    }
}

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
