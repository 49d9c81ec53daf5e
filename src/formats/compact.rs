//! Compact indices and strings (formats/unreal.md §2.2, §2.3).

use crate::bytes::{OutOfBytes, Reader, text};
use encoding_rs::WINDOWS_1252;

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

/// Appends a compact index.
pub fn write_index(out: &mut Vec<u8>, value: i32) {
    let magnitude = value.unsigned_abs();
    let byte = |bits: u32| u8::try_from(bits & 0xFF).unwrap_or(0);
    let sign = if value < 0 { 0x80 } else { 0 };
    let mut left = magnitude >> 6;
    out.push(byte((magnitude & 0x3F) | sign | if left > 0 { 0x40 } else { 0 }));
    while left > 0 {
        let low = left & 0x7F;
        left >>= 7;
        out.push(byte(low | if left > 0 { 0x80 } else { 0 }));
    }
}

/// Appends a string by the package's version: what [`read_string`] reads.
pub fn write_string(out: &mut Vec<u8>, version: u16, text: &str) {
    if version >= 64 {
        return write_counted_string(out, text);
    }
    let (narrow, ..) = WINDOWS_1252.encode(text);
    out.extend(narrow.iter().filter(|byte| **byte != 0));
    out.push(0);
}

/// Appends a string with its length in front: in UTF-16 where windows-1252 lacks a character.
pub fn write_counted_string(out: &mut Vec<u8>, text: &str) {
    let (narrow, _, unmappable) = WINDOWS_1252.encode(text);
    if text.is_empty() {
        out.push(0);
    } else if unmappable {
        let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
        write_index(out, i32::try_from(units.len()).unwrap_or(i32::MAX).saturating_neg());
        out.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    } else {
        write_index(out, i32::try_from(narrow.len().saturating_add(1)).unwrap_or(i32::MAX));
        out.extend_from_slice(&narrow);
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// §2.2's own examples.
    #[test]
    fn compact_indices_are_read_and_written_as_specified() {
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
            let mut written = Vec::new();
            write_index(&mut written, *value);
            // Zero has no sign when it is written.
            assert!(written == *bytes || *bytes == [0x80], "{value}: {written:02X?}");
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

    #[test]
    fn strings_are_written_by_version() {
        let written = |version, text| {
            let mut out = Vec::new();
            write_string(&mut out, version, text);
            out
        };
        assert_eq!(written(61, "Ab"), b"Ab\0");
        assert_eq!(written(69, "Ab"), b"\x03Ab\0");
        assert_eq!(written(69, "\u{e4}"), b"\x02\xE4\0");
        assert_eq!(written(69, "\u{3b1}"), [0x82, 0xB1, 0x03, 0, 0]);
        assert_eq!(written(69, ""), [0]);
    }
}
