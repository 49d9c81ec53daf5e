//! A cursor over the header of a 7z archive, which is a sequence of properties (formats/containers.md §10).

use super::super::{codes, contents::Trouble};
use crate::bytes::{Endian, OutOfBytes, Reader};

/// Reads the header's bytes.
pub struct Table<'a> {
    reader: Reader<'a>,
}

impl<'a> Table<'a> {
    /// Reads `bytes`, the first of which is at `base` in the file.
    pub fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { reader: Reader::new(bytes, base, Endian::Little) }
    }

    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// Number of bytes to the end.
    pub fn left(&self) -> u64 {
        self.reader.left() as u64
    }

    /// The bytes to the end, without reading them.
    pub fn rest(&self) -> &'a [u8] {
        self.reader.clone().bytes(self.reader.left()).unwrap_or_default()
    }

    pub fn u8(&mut self) -> Result<u8, Trouble> {
        self.reader.u8().map_err(ended)
    }

    pub fn u32(&mut self) -> Result<u32, Trouble> {
        self.reader.u32().map_err(ended)
    }

    pub fn bytes(&mut self, count: u64) -> Result<&'a [u8], Trouble> {
        // A count that does not fit into the address space does not fit into what is left either.
        self.reader.bytes(usize::try_from(count).unwrap_or(usize::MAX)).map_err(ended)
    }

    /// Reads a number of up to nine bytes. The ones at the top of the first byte count the bytes that follow.
    pub fn number(&mut self) -> Result<u64, Trouble> {
        let first = self.u8()?;
        let more = first.leading_ones();
        let mut value = 0_u64;
        for index in 0..more {
            value |= u64::from(self.u8()?) << index.saturating_mul(8);
        }
        // What is left of the first byte is at the top.
        let top = u64::from(first) & (0x7F_u64 >> more.min(7));
        Ok(value | top.checked_shl(more.saturating_mul(8)).unwrap_or(0))
    }

    /// Reads the byte that introduces or ends a property, and refuses any other than `wanted`.
    pub fn require(&mut self, wanted: u8, what: &str) -> Result<(), Trouble> {
        let offset = self.offset();
        match self.u8()? {
            found if found == wanted => Ok(()),
            found => Err(invalid(offset, format!("expected {what} ({wanted:02X}), found {found:02X}"))),
        }
    }

    /// Refuses a property whose bytes are stored elsewhere, which no known writer makes.
    pub fn inline(&mut self) -> Result<(), Trouble> {
        let offset = self.offset();
        match self.u8()? {
            0 => Ok(()),
            _ => Err(Trouble::new(
                &codes::UNSUPPORTED,
                offset,
                "parts of the file list are stored separately, which is not supported",
            )),
        }
    }

    /// Reads one bit for each of `count` things.
    pub fn bits(&mut self, count: usize) -> Result<Bits<'a>, Trouble> {
        self.bytes(count.div_ceil(8) as u64).map(Bits::Each)
    }

    /// Reads a byte, and after a 0 one bit for each of `count` things.
    pub fn all_or_bits(&mut self, count: usize) -> Result<Bits<'a>, Trouble> {
        if self.u8()? == 0 { self.bits(count) } else { Ok(Bits::All) }
    }

    /// Reads the checksums of `count` things, as far as they have one.
    pub fn digests(&mut self, count: usize) -> Result<Vec<Option<u32>>, Trouble> {
        let defined = self.all_or_bits(count)?;
        let mut digests = Vec::new();
        for index in 0..count {
            digests.push(if defined.has(index) { Some(self.u32()?) } else { None });
        }
        Ok(digests)
    }
}

/// A set of indices.
#[derive(Clone, Copy)]
pub enum Bits<'a> {
    All,
    /// The highest bit of the first byte is the first index.
    Each(&'a [u8]),
}

impl Bits<'_> {
    pub fn has(&self, index: usize) -> bool {
        match self {
            Self::All => true,
            Self::Each(bytes) => bytes.get(index / 8).is_some_and(|byte| byte & (0x80_u8 >> (index % 8)) != 0),
        }
    }
}

/// Makes a trouble of a header that cannot be followed.
pub fn invalid(offset: u64, message: impl Into<String>) -> Trouble {
    Trouble::new(&codes::TABLE, offset, message)
}

fn ended(error: OutOfBytes) -> Trouble {
    Trouble::new(&codes::TRUNCATED, error.offset, "the file list ends too early")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_up_to_nine_bytes() {
        let number = |bytes: &[u8]| Table::new(bytes, 0).number().map_err(|trouble| trouble.code.id);
        assert_eq!(number(&[0x7F]), Ok(0x7F));
        assert_eq!(number(&[0x80, 0x85]), Ok(0x85));
        assert_eq!(number(&[0x9F, 0xFF]), Ok(0x1FFF));
        assert_eq!(number(&[0xC1, 0x34, 0x12]), Ok(0x1_1234));
        assert_eq!(number(&[0xFE, 1, 2, 3, 4, 5, 6, 7]), Ok(0x07_0605_0403_0201));
        assert_eq!(number(&[0xFF; 9]), Ok(u64::MAX));
        assert_eq!(number(&[0xFF; 8]), Err("container.data-truncated"));
    }

    #[test]
    fn bits_begin_at_the_top() {
        let bits = Table::new(&[0b1000_0001, 0b0100_0000], 0).bits(10).unwrap();
        assert_eq!((0..16).filter(|index| bits.has(*index)).collect::<Vec<_>>(), [0, 7, 9]);
        assert!(Table::new(&[0], 0).bits(9).is_err() && !bits.has(1 << 40));
        let digests = Table::new(&[0, 0b0100_0000, 1, 0, 0, 0], 0).digests(3).unwrap();
        assert_eq!(digests, [None, Some(1), None]);
        assert_eq!(Table::new(&[1, 1, 0, 0, 0, 2, 0, 0, 0], 0).digests(2).unwrap(), [Some(1), Some(2)]);
    }
}
