//! Bytes that fields stand for already: objects may share arrays, headers and lists, and a field's bytes are its alone.

use crate::formats::field_reader::{Fault, FieldReader};
use std::{collections::BTreeMap, ops::Range};

/// Ranges that are taken, by their starts.
#[derive(Debug, Default)]
pub struct Claims {
    taken: BTreeMap<u64, u64>,
}

impl Claims {
    /// Takes a range when nothing of it is taken yet.
    pub fn take(&mut self, range: Range<u64>) -> bool {
        if range.start >= range.end {
            return false;
        }
        let before = self.taken.range(..range.end).next_back().map_or(0, |(_, end)| *end);
        let is_free = before <= range.start;
        if is_free {
            self.taken.insert(range.start, range.end);
        }
        is_free
    }

    /// Where the first range begins that lies at or behind an offset.
    pub fn next_after(&self, offset: u64) -> Option<u64> {
        self.taken.range(offset..).next().map(|(start, _)| *start)
    }

    /// Reads `size` bytes at the cursor; they become fields only the first time.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn once<T>(
        &mut self,
        r: &mut FieldReader<'_>,
        size: u64,
        read: impl FnOnce(&mut FieldReader<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let at = r.offset();
        if r.is_recording() && !self.take(at..at.saturating_add(size)) {
            return read(&mut r.fork());
        }
        read(r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_once() {
        let mut claims = Claims::default();
        assert!(claims.take(10..20) && claims.take(0..10) && claims.take(30..31));
        assert!(!claims.take(5..6) && !claims.take(19..25) && !claims.take(25..31) && !claims.take(29..40));
        assert_eq!((claims.next_after(11), claims.next_after(31)), (Some(30), None));
        assert!(claims.take(20..30) && !claims.take(3..3));
    }
}
