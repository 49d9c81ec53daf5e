use super::budget;

/// Which byte of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// The least significant byte comes first.
    Little,
    /// The most significant byte comes first.
    Big,
}

/// A read went past the end of what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at offset {offset}: {wanted} bytes expected, {left} left")]
pub struct OutOfBytes {
    /// Absolute offset in the file, in bytes.
    pub offset: u64,
    /// Bytes that the field needs.
    pub wanted: u64,
    /// Bytes that were left.
    pub left: u64,
}

/// A bounds-checked cursor over bytes that knows where in the file it is. What it reads is charged to the [`Budget`](super::Budget) of
/// the act; when that is spent, it reads as if the bytes ended.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    base: u64,
    endian: Endian,
    /// Where the bytes begin that are not charged yet: forwards there is no more to read than there is.
    charged: usize,
}

impl Reader<'_> {
    /// Charges what was read since the last time.
    fn charge(&mut self) -> bool {
        let read = self.position.saturating_sub(self.charged) as u64;
        self.charged = self.position;
        budget::charge_steps((read / 16).saturating_add(1))
    }
}

impl Clone for Reader<'_> {
    fn clone(&self) -> Self {
        Self { charged: self.position, ..*self }
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.charge();
    }
}

macro_rules! number {
    ($(#[$doc:meta])* $name:ident, $type:ty) => {
        $(#[$doc])*
        #[doc = concat!("Reads one `", stringify!($type), "` in the reader's byte order.")]
        ///
        /// # Errors
        /// Returns an error if fewer bytes are left.
        pub fn $name(&mut self) -> Result<$type, OutOfBytes> {
            let array = self.array()?;
            Ok(match self.endian {
                Endian::Little => <$type>::from_le_bytes(array),
                Endian::Big => <$type>::from_be_bytes(array),
            })
        }
    };
}

impl<'a> Reader<'a> {
    /// Reads `bytes`, whose first byte lies at `base` in the file.
    pub fn new(bytes: &'a [u8], base: u64, endian: Endian) -> Self {
        let bytes = if budget::is_spent() { &[] } else { bytes };
        Self { bytes, position: 0, base, endian, charged: 0 }
    }

    /// Reads little-endian numbers from `bytes`. Offsets start at 0.
    pub fn little(bytes: &'a [u8]) -> Self {
        Self::new(bytes, 0, Endian::Little)
    }

    /// Reads big-endian numbers from `bytes`. Offsets start at 0.
    pub fn big(bytes: &'a [u8]) -> Self {
        Self::new(bytes, 0, Endian::Big)
    }

    /// Where the next byte lies in the file.
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.position as u64)
    }

    /// Bytes from the cursor to the end.
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    /// Moves to an absolute offset in the file.
    pub fn seek(&mut self, offset: u64) -> Result<(), OutOfBytes> {
        let position = offset
            .checked_sub(self.base)
            .and_then(|p| usize::try_from(p).ok())
            .filter(|p| *p <= self.bytes.len())
            .filter(|_| self.charge())
            .ok_or(OutOfBytes { offset, wanted: 0, left: 0 })?;
        (self.position, self.charged) = (position, position);
        Ok(())
    }

    /// Reads the next `count` bytes.
    ///
    /// # Errors
    /// Returns an error if fewer bytes are left. The cursor then stays where it is.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], OutOfBytes> {
        let end = self.position.checked_add(count);
        match end.and_then(|end| self.bytes.get(self.position..end).map(|b| (end, b))) {
            Some((end, bytes)) => {
                self.position = end;
                Ok(bytes)
            }
            None => Err(OutOfBytes { offset: self.offset(), wanted: count as u64, left: self.left() as u64 }),
        }
    }

    /// The bytes before the next 0, which is read too; `None` when there is no 0 any more, and nothing is read.
    pub fn bytes_until_zero(&mut self) -> Option<&'a [u8]> {
        let left = self.bytes.get(self.position..)?;
        let length = left.iter().position(|byte| *byte == 0)?;
        self.position = self.position.checked_add(length)?.checked_add(1)?;
        left.get(..length)
    }

    /// Skips the next `count` bytes.
    ///
    /// # Errors
    /// Returns an error if fewer bytes are left. The cursor then stays where it is.
    pub fn skip(&mut self, count: usize) -> Result<(), OutOfBytes> {
        self.bytes(count).map(|_| ())
    }

    /// Reads the next `N` bytes as an array.
    ///
    /// # Errors
    /// Returns an error if fewer bytes are left. The cursor then stays where it is.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], OutOfBytes> {
        let offset = self.offset();
        let left = self.left() as u64;
        let bytes = self.bytes(N)?;
        bytes.try_into().map_err(|_| OutOfBytes { offset, wanted: N as u64, left })
    }

    number!(u8, u8);
    number!(i8, i8);
    number!(u16, u16);
    number!(i16, i16);
    number!(u32, u32);
    number!(i32, i32);
    number!(u64, u64);
    number!(i64, i64);
    number!(f32, f32);

    /// `N` numbers in a row.
    pub fn f32s<const N: usize>(&mut self) -> Result<[f32; N], OutOfBytes> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.f32()?;
        }
        Ok(values)
    }

    /// Accepts a count only when that many records of at least `smallest_record` bytes can still follow. Every allocation
    /// that a file's count sizes goes through here or through [`Reader::whole_records`].
    pub fn check_count(&self, count: u64, smallest_record: u64) -> Result<usize, OutOfBytes> {
        let wanted = count.saturating_mul(smallest_record.max(1));
        if wanted > self.left() as u64 || !budget::charge_bytes(wanted) {
            return Err(OutOfBytes { offset: self.offset(), wanted, left: self.left() as u64 });
        }
        usize::try_from(count).map_err(|_| OutOfBytes { offset: self.offset(), wanted, left: self.left() as u64 })
    }

    /// How many of `count` records of `stride` bytes are whole in what is left.
    pub fn whole_records(&self, count: u64, stride: u64) -> usize {
        let present = (self.left() as u64).checked_div(stride).unwrap_or(0);
        let whole = count.min(present);
        if budget::charge_bytes(whole.saturating_mul(stride)) { usize::try_from(whole).unwrap_or(0) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_orders_and_keeps_the_file_offset() {
        let bytes = [1, 2, 3, 4, 5, 6];
        let mut little = Reader::new(&bytes, 100, Endian::Little);
        assert_eq!(little.u16().unwrap(), 0x0201);
        assert_eq!(little.offset(), 102);
        assert_eq!(Reader::big(&bytes).u32().unwrap(), 0x0102_0304);
    }

    #[test]
    fn a_read_past_the_end_says_where_and_moves_nothing() {
        let mut reader = Reader::new(&[1, 2, 3], 10, Endian::Little);
        reader.u8().unwrap();
        assert_eq!(reader.u32(), Err(OutOfBytes { offset: 11, wanted: 4, left: 2 }));
        assert_eq!(reader.u16().unwrap(), 0x0302);
    }

    #[test]
    fn text_ends_at_a_zero_or_is_none() {
        let mut reader = Reader::little(b"ab\0\0c");
        assert_eq!(reader.bytes_until_zero(), Some(&b"ab"[..]));
        assert_eq!((reader.bytes_until_zero(), reader.offset()), (Some(&b""[..]), 4));
        assert_eq!((reader.bytes_until_zero(), reader.offset()), (None, 4));
    }

    #[test]
    fn counts_are_checked_against_what_is_left() {
        let reader = Reader::little(&[0; 24]);
        assert_eq!(reader.check_count(2, 12).unwrap(), 2);
        assert!(reader.check_count(3, 12).is_err());
        assert!(reader.check_count(u64::MAX, u64::MAX).is_err());
        assert_eq!(reader.whole_records(9, 10), 2);
        assert_eq!(reader.whole_records(9, 0), 0);
    }

    #[test]
    fn seeks_only_inside() {
        let mut reader = Reader::new(&[0; 4], 8, Endian::Little);
        assert!(reader.seek(12).is_ok());
        assert!(reader.seek(13).is_err());
        assert!(reader.seek(7).is_err());
    }
}
