//! What the family is, and what it leaves opaque.

use super::codes::CODES;
use crate::formats::FormatInfo;

/// Name of the opaque range of a mip's pixels.
pub const PIXELS: &str = "image data";
/// Name of the opaque range of a tag that is not known.
pub const TAG: &str = "unknown tag";
/// Name of the opaque range of what follows the end.
pub const FURTHER: &str = "extra data";

/// What the family leaves opaque (CLI.md, `verify`).
pub static OPAQUE: &[(&str, &str)] = &[
    (PIXELS, "the pixels of a mip, shown as an image"),
    (TAG, "a tag with an unknown name or size"),
    (FURTHER, "bytes after the end of the image"),
];

pub static INFO: FormatInfo = FormatInfo {
    id: "paa",
    name: "PAA texture",
    family: "pictures",
    extensions: &["paa", "pac"],
    companions: &[],
    opaque: OPAQUE,
    codes: CODES,
    metres: 1.0,
};
