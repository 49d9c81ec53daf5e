//! A small range of a file or a disc in memory: tables of large ones are read piece by piece.

use super::{
    contents::Trouble,
    flat::{self, Flat},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        EntryId, Field, Shift,
        field_reader::{Fault, FieldReader},
    },
};
use std::ops::Range;

/// Bytes of a range, with where they lie: what is read of them counts from the start of the file.
pub struct Window {
    source: Source,
    start: u64,
}

impl Window {
    /// # Errors
    /// When not all of the range is there.
    pub fn read(flat: &dyn Flat, range: Range<u64>) -> Result<Self, Trouble> {
        let start = range.start;
        Ok(Self { source: Source::new(flat::bytes(flat, range)?), start })
    }

    pub fn bytes(&self) -> &[u8] {
        self.source.as_slice()
    }

    /// Reads a range, in bytes of the file.
    ///
    /// # Errors
    /// As `read`; it counts from the start of the file.
    pub fn parse<T>(
        &self,
        range: Range<u64>,
        endian: Endian,
        read: impl FnOnce(&mut FieldReader<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let inside = range.start.saturating_sub(self.start)..range.end.saturating_sub(self.start);
        let mut reader = FieldReader::new(&self.source, inside, endian);
        read(&mut reader).map_err(|fault| Fault { offset: fault.offset.saturating_add(self.start), ..fault })
    }

    /// The fields that `read` records, up to where it fails.
    pub fn fields<T>(&self, endian: Endian, read: impl FnOnce(&mut FieldReader<'_>) -> Result<T, Fault>) -> Vec<Field> {
        let end = self.source.len() as u64;
        let mut reader = FieldReader::new(&self.source, 0..end, endian).recording();
        // What comes before a fault is shown.
        let _ = read(&mut reader);
        let shift = Shift { by: self.start, own: EntryId::FILE, first: 0, mirrored: false };
        reader.into_fields().into_iter().map(|field| shift.field(field)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_counts_from_the_start_of_the_file() {
        let file = Source::new((0..100).collect::<Vec<u8>>());
        let window = Window::read(&file, 40..50).unwrap();
        assert_eq!(window.bytes(), [40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
        assert_eq!(window.parse(42..50, Endian::Big, |r| r.u16("x")).unwrap(), 0x2A2B);
        assert_eq!(window.parse(48..50, Endian::Big, |r| r.u32("x")).unwrap_err().offset, 48);
        let fields = window.fields(Endian::Big, |r| {
            r.u8("first")?;
            r.table("rest", "u16", 2, 2, |r, _| r.u16("x").map(|_| ()))?;
            r.u64("missing")
        });
        assert_eq!(fields.iter().map(|f| (f.offset, f.size)).collect::<Vec<_>>(), [(40, 1), (41, 4)]);
        assert!(Window::read(&file, 90..101).is_err());
    }
}
