//! References, compact indices and strings (formats/unreal.md §2), and the bytes that they make up.

use encoding_rs::WINDOWS_1252;

/// A reference as it is written: 0 is null, above 0 an export, below 0 an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ref(pub i32);

impl Ref {
    pub const NULL: Self = Self(0);
}

/// A place that holds an absolute file offset, known once the object has its place in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixup {
    /// Where the four bytes are, from the start of the object.
    pub at: usize,
    /// What they point at, from the start of the object.
    pub target: usize,
}

/// What an [`ObjectWriter`] leaves behind.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectBytes {
    pub bytes: Vec<u8>,
    pub fixups: Vec<Fixup>,
}

/// Section 2.2.
pub(super) fn compact_index(out: &mut Vec<u8>, value: i32) {
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

/// Section 2.3.
pub(super) fn string(out: &mut Vec<u8>, version: u16, text: &str) {
    let (narrow, _, unmappable) = WINDOWS_1252.encode(text);
    if version < 64 {
        out.extend(narrow.iter().filter(|byte| **byte != 0));
        out.push(0);
    } else if text.is_empty() {
        out.push(0);
    } else if unmappable {
        let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
        compact_index(out, i32::try_from(units.len()).unwrap_or(i32::MAX).saturating_neg());
        out.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    } else {
        compact_index(out, i32::try_from(narrow.len().saturating_add(1)).unwrap_or(i32::MAX));
        out.extend_from_slice(&narrow);
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that section 2.2 lists.
    #[test]
    fn compact_indices_are_the_listed_ones() {
        let cases: [(i32, &[u8]); 9] = [
            (0, &[0x00]),
            (1, &[0x01]),
            (63, &[0x3F]),
            (64, &[0x40, 0x01]),
            (8191, &[0x7F, 0x7F]),
            (8192, &[0x40, 0x80, 0x01]),
            (65536, &[0x40, 0x80, 0x08]),
            (-1, &[0x81]),
            (-64, &[0xC0, 0x01]),
        ];
        for (value, bytes) in cases {
            let mut out = Vec::new();
            compact_index(&mut out, value);
            assert_eq!(out, bytes, "{value}");
        }
        let mut out = Vec::new();
        compact_index(&mut out, i32::MAX);
        assert_eq!(out, [0x7F, 0xFF, 0xFF, 0xFF, 0x0F]);
    }

    #[test]
    fn strings_follow_the_version() {
        let written = |version, text| {
            let mut out = Vec::new();
            string(&mut out, version, text);
            out
        };
        assert_eq!(written(61, "Ab"), b"Ab\0");
        assert_eq!(written(69, "Ab"), b"\x03Ab\0");
        assert_eq!(written(69, "\u{e4}"), b"\x02\xE4\0");
        assert_eq!(written(69, "\u{3b1}"), [0x82, 0xB1, 0x03, 0, 0]);
        assert_eq!(written(69, ""), [0]);
    }
}
