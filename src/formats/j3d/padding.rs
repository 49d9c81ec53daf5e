//! Ranges without meaning: padding of chunks and files, and the names of opaque ranges.

use crate::{
    bytes::Source,
    formats::{Field, Value, coverage, gx::bti},
};
use std::ops::Range;

/// What chunks, and most of their tables, are aligned to.
const ALIGNMENT: u64 = 32;

/// Makes fields of the parts of `range` that no field claims and that hold nothing but what writers fill up with.
///
/// Chunks end at multiples of 32 bytes. What lies between their last table and such an end is padding whatever it holds: some
/// tools leave there what was in their memory.
pub fn claim_padding(source: &Source, range: Range<u64>, fields: &mut Vec<Field>) {
    coverage::claim_gaps(source, range.clone(), fields, PADDING, is_padding);
    let Some(gap) = coverage::gaps(fields, range.clone()).pop() else { return };
    let size = gap.end.saturating_sub(gap.start);
    if gap.end == range.end && gap.end.is_multiple_of(ALIGNMENT) && size < ALIGNMENT && gap.start > range.start {
        fields.push(Field::new("Padding", format!("u8[{size}]"), Value::Opaque(PADDING), gap.start, size));
    }
}

/// Zeros, 0xFF, or a text: that which the official tools fill up with, or the short one of another tool.
pub fn is_padding(bytes: &[u8]) -> bool {
    /// Nintendo's tools (some repeat the shorter one where more is needed), and SuperBMD.
    const TEXTS: [&[u8]; 4] = [
        b"This is padding data to alignment.....",
        b"This is padding data to align ",
        b"This is padding data to align",
        b"Model made with SuperBMD by Gamma.",
    ];
    let same = |value: u8| bytes.iter().all(|b| *b == value);
    // Runs of zeros may come before the text: names end with one.
    let text = bytes.iter().position(|b| *b != 0).and_then(|start| bytes.get(start..)).unwrap_or_default();
    let filled = |filler: &[u8]| text.iter().zip(filler.iter().cycle()).all(|(a, b)| a == b);
    let is_short = text.len() < ALIGNMENT as usize && text.iter().all(|b| matches!(b, b' '..=b'~'));
    same(0) || same(0xFF) || is_short || TEXTS.into_iter().any(filled)
}

/// What the family leaves opaque (CLI.md, `verify`).
pub(super) static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "padding of a chunk or a display list to a multiple of 32 bytes"),
    (bti::PIXELS, "pixels, read by the texture decoder"),
    (COMMANDS, "compiled command lists of MDL3: a copy of the material state for the graphics chip"),
];

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of MDL3's command lists.
pub const COMMANDS: &str = "command lists";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_tool_are_padding_and_other_bytes_are_not() {
        for text in [
            &b"This is padding data to alignment....."[..],
            b"\0\0This is padd",
            b"ThThis is paddin",
            b"Hack.io was here, 31 bytes long",
            b"\xFF\xFF\xFF",
            b"\0",
        ] {
            assert!(is_padding(text), "{}", text.escape_ascii());
        }
        for other in
            [&b"Some text that no tool is known to fill up with"[..], b"\x01\x02", b"This is\x80padding", b"ab\0\0"]
        {
            assert!(!is_padding(other), "{}", other.escape_ascii());
        }
    }

    #[test]
    fn what_lies_before_a_chunks_end_fills_it_up_whatever_it_is() {
        let gaps = |read: Range<u64>, end: u64| {
            let source = Source::from(vec![7_u8; 256]);
            let field = Field::new("Table", "u8", Value::Raw, read.start, read.end - read.start);
            let mut fields = vec![field];
            claim_padding(&source, 0..end, &mut fields);
            coverage::gaps(&fields, 0..end).into_iter().map(|gap| (gap.start, gap.end)).collect::<Vec<_>>()
        };
        assert_eq!(gaps(0..65, 96), []);
        // A whole line of 32 bytes, an end that is not aligned, and bytes in the middle are for a reader.
        assert_eq!(gaps(0..64, 96), [(64, 96)]);
        assert_eq!(gaps(0..65, 95), [(65, 95)]);
        assert_eq!(gaps(8..96, 96), [(0, 8)]);
    }
}
