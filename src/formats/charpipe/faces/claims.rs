//! Which bytes of the section are spoken for, and how many may be in all.

use crate::formats::{
    claims,
    field_reader::{Fault, FieldReader},
    read_budget::ReadBudget,
};
use std::ops::Range;

/// How many times its size a section's records and arrays may add up to, where they share bytes.
const MAX_SHARED: u64 = 2;

/// Bytes that are fields already: lists may be shared, and each byte is one field of its own.
pub struct Claims {
    taken: claims::Claims,
    /// Of bytes, shared ones each time.
    bytes: ReadBudget,
    /// Fields that may still be made.
    fields: u32,
}

/// Fields of a section at most: records may share bytes.
const MAX_FIELDS: u32 = 1 << 17;

impl Claims {
    /// Of a section whose first bytes are fields already.
    pub fn new(section: &Range<u64>, header: u64) -> Self {
        let size = section.end.saturating_sub(section.start);
        let mut taken = claims::Claims::default();
        taken.take(section.start..section.start.saturating_add(header));
        Self { taken, bytes: ReadBudget::new(size.saturating_mul(MAX_SHARED)), fields: MAX_FIELDS }
    }

    /// Takes `size` bytes of what may be read.
    pub fn spend(&mut self, r: &FieldReader<'_>, size: u64) -> Result<(), Fault> {
        if self.bytes.take(size) {
            return Ok(());
        }
        Err(r.fault(format!(
            "too many lists share bytes: together, they are more than {MAX_SHARED} times as large as their section"
        )))
    }

    /// Whether so many fields may be made too.
    pub fn shows(&mut self, fields: u32) -> bool {
        let left = self.fields.checked_sub(fields);
        self.fields = left.unwrap_or(0);
        left.is_some()
    }

    /// Reads the next `size` bytes; what was shown before is mirrored.
    pub fn once<T>(
        &mut self,
        r: &mut FieldReader<'_>,
        size: u64,
        read: impl FnOnce(&mut FieldReader<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let at = r.offset();
        self.taken.read(r, at..at.saturating_add(size), read)
    }
}
