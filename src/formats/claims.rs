//! Data that several things of a section point at: its bytes become fields once, whoever comes later shows them again.

use crate::formats::field_reader::{Fault, FieldReader};
use std::{collections::BTreeMap, ops::Range};

/// Bytes that are fields already.
#[derive(Debug, Default)]
pub struct Claims {
    /// End by start; they do not overlap.
    ranges: BTreeMap<u64, u64>,
}

#[cfg_attr(not(feature = "charpipe"), allow(dead_code, reason = "J3D needs a part"))]
impl Claims {
    /// Reads what lies in `range`, from its start, and leaves the cursor where `read` does. Its fields are mirrored when some
    /// of those bytes are fields already.
    ///
    /// # Errors
    /// Those of `read`, and a range that does not begin in the reader's.
    pub fn read<T>(
        &mut self,
        r: &mut FieldReader<'_>,
        range: Range<u64>,
        read: impl FnOnce(&mut FieldReader<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        r.seek(range.start)?;
        if !r.is_recording() || self.take(range) {
            return read(r);
        }
        let mut again = r.fork().recording();
        let result = read(&mut again);
        r.seek(again.offset())?;
        for field in again.into_fields() {
            r.push(field.mirrored());
        }
        result
    }

    /// Notes bytes as claimed; `false` when some are already.
    pub fn take(&mut self, range: Range<u64>) -> bool {
        let before = self.last_before(range.end);
        if range.is_empty() || before.is_some_and(|(_, end)| end > range.start) {
            return range.is_empty();
        }
        self.ranges.insert(range.start, range.end);
        true
    }

    /// Notes bytes as claimed, those too that were not among ones that are already; `false` when some are.
    pub fn cover(&mut self, range: Range<u64>) -> bool {
        let (mut range, mut is_free) = (range, true);
        if range.is_empty() {
            return true;
        }
        while let Some((start, end)) = self.last_before(range.end).filter(|(_, end)| *end > range.start) {
            self.ranges.remove(&start);
            range = range.start.min(start)..range.end.max(end);
            is_free = false;
        }
        self.ranges.insert(range.start, range.end);
        is_free
    }

    /// The last range that starts before `offset`.
    fn last_before(&self, offset: u64) -> Option<(u64, u64)> {
        self.ranges.range(..offset).next_back().map(|(start, end)| (*start, *end))
    }

    /// The parts of `range` that are not claimed.
    pub fn gaps(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        // Offsets of a damaged file may lie the wrong way round.
        if range.is_empty() {
            return gaps;
        }
        let reaching_in = self.last_before(range.start).map_or(range.start, |(_, end)| end);
        let mut end = reaching_in.max(range.start);
        for (start, next_end) in self.ranges.range(range.start..range.end) {
            if *start > end {
                gaps.push(end..*start);
            }
            end = end.max(*next_end);
        }
        if end < range.end {
            gaps.push(end..range.end);
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Endian, Source},
        formats::Children,
    };

    #[test]
    fn what_is_claimed_is_claimed_once() {
        let mut claims = Claims::default();
        assert!(claims.take(10..20) && claims.take(30..40) && claims.take(20..22));
        assert!(!claims.take(15..17) && !claims.take(0..11) && !claims.take(39..50) && claims.take(25..25));
        assert_eq!(claims.gaps(5..45), [5..10, 22..30, 40..45]);
        assert_eq!(claims.gaps(12..18), []);
        let (start, end) = (18, 12);
        assert_eq!(claims.gaps(start..end), []);
        assert_eq!(claims.gaps(35..50).first(), Some(&(40..50)));
    }

    #[test]
    fn what_is_covered_in_parts_is_covered_whole() {
        let mut claims = Claims::default();
        assert!(claims.cover(10..20) && claims.cover(30..40) && claims.cover(35..35));
        assert!(!claims.cover(15..35), "over the end of one and the start of the next");
        assert_eq!(claims.gaps(0..50), [0..10, 40..50]);
        assert!(!claims.cover(12..14) && !claims.cover(39..50) && claims.cover(50..60));
        assert_eq!(claims.gaps(0..70), [0..10, 60..70]);
        assert!(!claims.cover(0..100) && !claims.take(99..101));
    }

    #[test]
    fn shared_bytes_are_shown_again_and_not_counted_twice() {
        let source = Source::from(vec![0, 1, 0, 2]);
        let mut r = FieldReader::new(&source, 0..4, Endian::Big).recording();
        let mut claims = Claims::default();
        for _ in 0..2 {
            let read = claims.read(&mut r, 2..4, |r| r.records("Numbers", "u16", 1, 2, |r, _| r.u16("Number")));
            assert_eq!(read.unwrap(), [2]);
            assert_eq!(r.offset(), 4);
        }
        let fields = r.into_fields();
        assert_eq!(fields.iter().map(|f| f.mirror).collect::<Vec<_>>(), [false, true]);
        assert!(fields.iter().all(|f| matches!(&f.children, Children::Table(t) if t.len() == 1)));
    }
}
