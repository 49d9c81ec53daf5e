//! Compact indices and strings (formats/unreal.md §2.2, §2.3).

use crate::bytes::{OutOfBytes, Reader, text};

/// A compact index: one to five bytes.
pub fn read_index(reader: &mut Reader<'_>) -> Result<i32, OutOfBytes> {
    let first = reader.u8()?;
    let mut value = u32::from(first & 0x3F);
    let mut more = first & 0x40 != 0;
    let mut shift = 6_u32;
    while more && shift <= 27 {
        let byte = reader.u8()?;
        value |= u32::from(byte & 0x7F).wrapping_shl(shift);
        more = byte & 0x80 != 0;
        shift = shift.saturating_add(7);
    }
    let value = value as i32;
    Ok(if first & 0x80 != 0 { value.wrapping_neg() } else { value })
}

/// A compact index that counts or names something: a negative one becomes the largest number, which nothing has.
pub fn read_unsigned(reader: &mut Reader<'_>) -> Result<u32, OutOfBytes> {
    read_index(reader).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// A string by the package's version: with a length from 64 on, ending with a NUL before. One NUL at the end is dropped.
pub fn read_string(reader: &mut Reader<'_>, version: u16) -> Result<String, OutOfBytes> {
    if version >= 64 {
        return read_counted_string(reader);
    }
    let (offset, left) = (reader.offset(), reader.left() as u64);
    let bytes = reader.bytes_until_zero().ok_or(OutOfBytes { offset, wanted: left.saturating_add(1), left })?;
    Ok(text::windows_1252(bytes))
}

/// A string with its length in front: negative for UTF-16.
pub fn read_counted_string(reader: &mut Reader<'_>) -> Result<String, OutOfBytes> {
    let length = read_index(reader)?;
    let count = length.unsigned_abs() as usize;
    if length >= 0 {
        let bytes = reader.bytes(count)?;
        return Ok(text::windows_1252(bytes.strip_suffix(&[0]).unwrap_or(bytes)));
    }
    let bytes = reader.bytes(count.saturating_mul(2))?;
    Ok(text::utf_16_le(bytes.strip_suffix(&[0, 0]).unwrap_or(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// §2.2's own examples.
    #[test]
    fn compact_indices_are_read_as_specified() {
        let cases: &[(&[u8], i32)] = &[
            (&[0x00], 0),
            (&[0x01], 1),
            (&[0x3F], 63),
            (&[0x40, 0x01], 64),
            (&[0x7F, 0x7F], 8191),
            (&[0x40, 0x80, 0x01], 8192),
            (&[0x40, 0x80, 0x08], 65536),
            (&[0x81], -1),
            (&[0xC0, 0x01], -64),
            (&[0x80], 0),
            (&[0x7F, 0xFF, 0xFF, 0xFF, 0x0F], 2147483647),
        ];
        for (bytes, value) in cases {
            let mut reader = Reader::little(bytes);
            assert_eq!(read_index(&mut reader).unwrap(), *value, "{bytes:02X?}");
            assert_eq!(reader.left(), 0, "{bytes:02X?}");
        }
        // Five bytes at most, whatever the last one says.
        let mut reader = Reader::little(&[0xFF; 8]);
        read_index(&mut reader).unwrap();
        assert_eq!(reader.left(), 3);
        assert!(read_index(&mut Reader::little(&[0x40])).is_err());
    }

    #[test]
    fn strings_are_read_by_version() {
        let read = |bytes: &[u8], version| read_string(&mut Reader::little(bytes), version);
        assert_eq!(read(b"\x03Hi\0", 69).unwrap(), "Hi");
        assert_eq!(read(b"Hi\0more", 61).unwrap(), "Hi");
        assert_eq!(read(b"\x83H\0\xE4\0\0\0", 69).unwrap(), "Hä");
        assert_eq!(read(b"\x00", 69).unwrap(), "");
        assert!(read(b"Hi", 61).is_err());
        assert!(read(b"\x7F\xFF\xFF\xFF\x0FHi", 69).is_err());
        assert!(read(b"\xFF\xFF\xFF\xFF\x0FHi", 69).is_err());
    }
}
