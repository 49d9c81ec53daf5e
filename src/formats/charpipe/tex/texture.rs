//! A texture of a section, whichever way its headers are laid out.

use super::super::codes;
use crate::{
    bytes::numbers::{counted, grouped},
    formats::{field_reader::FieldReader, findings::Findings, gx::bti::Bti},
};
use std::ops::Range;

/// A texture in a section.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Its header in the terms of the chip's other texture files, with offsets that count from the section; `None` where it lies
    /// outside.
    pub bti: Option<Bti>,
    pub lod_bias: f32,
    /// Its header, in bytes from the start of the file.
    pub header: Range<u64>,
    /// The header of its palette, where it has one.
    pub palette_header: Option<Range<u64>>,
}

/// Name of a texture: files have none.
pub fn name(index: usize) -> String {
    format!("texture {index}")
}

/// Whole levels as the eighths that headers of the chip's other files have; there are never more than 11.
pub fn eighths(levels: u8) -> i8 {
    i8::try_from(levels.min(15).saturating_mul(8)).unwrap_or(i8::MAX)
}

/// Textures that display states can tell apart (formats/charpipe.md §4.1).
const MOST: u64 = 0x2000;

/// How many of the counted records are there; that some are not is said.
pub fn whole(r: &FieldReader<'_>, count: u64, size: u64, findings: &mut Findings) -> usize {
    let fit = r.whole_records(count.min(MOST), size);
    if (fit as u64) < count {
        let message = format!("expected {}, found {}", counted(count, "texture"), grouped(fit));
        findings.add(&codes::BAD_TEXTURE_TABLE, Some(r.offset()), message);
    }
    fit
}
