//! Which bytes of the section are spoken for, and how many may be in all.

use crate::formats::field_reader::{Fault, FieldReader};
use std::{collections::BTreeMap, ops::Range};

/// How many times its size a section's records and arrays may add up to, where they share bytes.
const MOST_SHARED: u64 = 2;

/// Bytes that are fields already: lists may be shared, and each byte is one field of its own.
pub struct Claims {
    /// Ends by starts; none overlaps another.
    taken: BTreeMap<u64, u64>,
    /// Bytes that may still be read, shared ones each time.
    left: u64,
}

impl Claims {
    /// Of a section whose first bytes are fields already.
    pub fn new(section: &Range<u64>, header: u64) -> Self {
        let size = section.end.saturating_sub(section.start);
        let taken = BTreeMap::from([(section.start, section.start.saturating_add(header))]);
        Self { taken, left: size.saturating_mul(MOST_SHARED) }
    }

    /// Takes `size` bytes of what may be read.
    pub fn spend(&mut self, r: &FieldReader<'_>, size: u64) -> Result<(), Fault> {
        self.left = self.left.checked_sub(size).ok_or_else(|| {
            r.fault(format!(
                "its lists add up to more than {MOST_SHARED} times the section's size, this one has {size} bytes"
            ))
        })?;
        Ok(())
    }

    /// Reads the next `size` bytes; what was shown before is mirrored.
    pub fn once<T>(
        &mut self,
        r: &mut FieldReader<'_>,
        size: u64,
        read: impl FnOnce(&mut FieldReader<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if !r.is_recording() {
            return read(r);
        }
        let at = r.offset();
        if self.take(at..at.saturating_add(size)) {
            return read(r);
        }
        let mut again = r.fork().recording();
        let result = read(&mut again);
        r.seek(again.offset())?;
        again.into_fields().into_iter().for_each(|field| r.push(field.mirrored()));
        result
    }

    /// Whether none of the bytes was taken before; then they are now.
    fn take(&mut self, bytes: Range<u64>) -> bool {
        let before = self.taken.range(..bytes.end).next_back();
        let is_free = before.is_none_or(|(_, end)| *end <= bytes.start);
        if is_free && !bytes.is_empty() {
            self.taken.insert(bytes.start, bytes.end);
        }
        is_free
    }
}
