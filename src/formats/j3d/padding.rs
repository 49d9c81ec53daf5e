//! What writers fill chunks and files up with.

use super::opaque::PADDING;
use crate::{
    bytes::Source,
    formats::{Field, coverage},
};
use std::ops::Range;

/// Makes fields of the parts of `range` that no field claims and that hold nothing but what writers fill up with.
pub fn claim_padding(source: &Source, range: Range<u64>, fields: &mut Vec<Field>) {
    coverage::claim_gaps(source, range, fields, PADDING, is_padding);
}

/// Zeros, 0xFF, or the text that the official tools fill up with.
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
    same(0) || same(0xFF) || TEXTS.into_iter().any(filled)
}
