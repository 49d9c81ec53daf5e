//! The description of the family, its opaque ranges, and its diagnostic codes (formats/containers.md §7, §1.4).

use crate::formats::{Code, FormatInfo, Severity, common_codes};

/// Name of the opaque range of a mip's pixels.
pub const PIXELS: &str = "image data";
/// Name of the opaque range of a tag that is not known.
pub const TAG: &str = "unknown tag";
/// Name of the opaque range of what follows the end.
pub const FURTHER: &str = "extra data";

/// What the family leaves opaque (CLI.md, `verify`).
static OPAQUE: &[(&str, &str)] = &[
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

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    TRUNCATED, "paa.data-truncated", Error, "The file or the pixels of a mip end too early. The previous, larger mips are shown.";
    TRAILING, "paa.data-trailing", Warning, "There are extra bytes after the end of the image.";
    TABLE, "paa.table-invalid", Error, "The image has too many mips, or an empty mip.";
    CHECKSUM, "paa.checksum-mismatch", Warning, "The checksum of a mip does not match. The mip is shown.";
    DECODE, "paa.decode-failed", Error, "The compressed data of a mip is damaged. The other mips are shown.";
    ODD, "paa.field-odd", Warning, "A mip has extra bytes after its pixels.";
    TOO_LARGE, "paa.bomb-size", Error, "A mip is larger than the limit.";
}
