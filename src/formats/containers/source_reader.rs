//! A source as the readers of the standard library read it.

use crate::bytes::Source;
use flate2::CrcWriter;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

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
}
