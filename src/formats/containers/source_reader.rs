//! A source for the readers of the standard library, and a window that reads large tables piece by piece.

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
use flate2::CrcWriter;
use std::{
    io::{self, BufReader, Read, Seek, SeekFrom},
    ops::Range,
};

/// Bytes that are read ahead.
const AHEAD: usize = 32 << 10;

/// A source, read ahead.
pub type Buffered = BufReader<SourceReader>;

pub fn buffered(source: &Source) -> Buffered {
    BufReader::with_capacity(AHEAD, SourceReader { source: source.clone(), at: 0 })
}

/// The CRC-32 of a source; `None` if it cannot be read.
pub fn crc32(source: &Source) -> Option<u32> {
    let mut sum = CrcWriter::new(io::sink());
    io::copy(&mut buffered(source), &mut sum).ok()?;
    Some(sum.crc().sum())
}

/// A source with a place in it.
#[derive(Clone, Debug)]
pub struct SourceReader {
    source: Source,
    at: u64,
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = (self.source.len() as u64).saturating_sub(self.at);
        let count = left.min(buffer.len() as u64);
        let Some(piece) = self.source.slice(self.at, count).filter(|_| count > 0) else { return Ok(0) };
        let piece = piece.in_memory()?;
        let bytes = piece.as_slice();
        if let Some(target) = buffer.get_mut(..bytes.len()) {
            target.copy_from_slice(bytes);
        }
        self.at = self.at.saturating_add(bytes.len() as u64);
        Ok(bytes.len())
    }
}

impl Seek for SourceReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => (self.source.len() as u64).checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

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
    fn a_source_is_summed() {
        // The check value of CRC-32.
        assert_eq!(crc32(&Source::new(*b"123456789")), Some(0xCBF4_3926));
    }

    #[test]
    fn a_source_is_read_from_any_place() {
        let mut reader = SourceReader { source: Source::new(*b"0123456789"), at: 0 };
        let mut three = [0; 3];
        assert_eq!((reader.seek(SeekFrom::End(-4)).unwrap(), reader.read(&mut three).unwrap(), &three), (6, 3, b"678"));
        assert_eq!((reader.read(&mut three).unwrap(), three[0]), (1, b'9'));
        assert_eq!(reader.seek(SeekFrom::Current(-9)).unwrap(), 1);
        assert_eq!((reader.seek(SeekFrom::Start(99)).unwrap(), reader.read(&mut three).unwrap()), (99, 0));
        assert!(reader.seek(SeekFrom::Current(-100)).is_err());
    }

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
