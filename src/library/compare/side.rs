use super::work::Work;
use crate::{
    bytes::Source,
    formats::{Entry, EntryId, Field, FieldTree, Purpose, ReadError, caught},
    library::OpenFile,
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
            .unwrap_or_else(|reason| Err(ReadError::new(self.entry, format!("internal error in Bonebox: {reason}"))))
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
