//! Where the records are that a list of numbers selects from a table.

use std::ops::Range;

/// Where a record is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// The bytes that are there; of a record past the end of its chunk, the number that selects it.
    pub range: Range<u64>,
    pub is_there: bool,
}

/// A table of records behind a list of 16-bit numbers. All offsets count from the start of the file.
pub struct RecordTable {
    /// Where the numbers begin.
    pub remap_at: u64,
    /// Where the records begin.
    pub at: u64,
    /// Where their chunk ends.
    pub end: u64,
    /// Bytes of a record.
    pub size: u64,
}

impl RecordTable {
    /// The place of each record that the numbers select.
    pub fn places(&self, remap: &[u16]) -> Vec<RecordPlace> {
        let numbers = (0_u64..).map(|index| self.remap_at.saturating_add(index.saturating_mul(2)));
        let place = |(entry, number): (&u16, u64)| {
            let start = self.at.saturating_add(u64::from(*entry).saturating_mul(self.size));
            match start < self.end {
                true => RecordPlace { range: start..start.saturating_add(self.size).min(self.end), is_there: true },
                false => RecordPlace { range: number..number.saturating_add(2), is_there: false },
            }
        };
        remap.iter().zip(numbers).map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_past_the_end_is_where_its_number_is() {
        let table = RecordTable { remap_at: 10, at: 20, end: 34, size: 8 };
        let place = |range, is_there| RecordPlace { range, is_there };
        let expected = [place(28..34, true), place(20..28, true), place(14..16, false)];
        assert_eq!(table.places(&[1, 0, 9]), expected);
    }
}
