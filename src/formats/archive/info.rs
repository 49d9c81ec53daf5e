//! The opaque ranges of the family, and its diagnostic codes.

use crate::formats::{Code, Severity, common_codes};

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of compressed bytes.
pub const COMPRESSED: &str = "compressed stream";
/// Name of the opaque range of members that no format knows.
pub const PAYLOAD: &str = "payload";

/// What the family leaves opaque (CLI.md, `verify`).
pub static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "padding of tables and entries to a multiple of 32 bytes"),
    (COMPRESSED, "a compressed stream, which is unpacked and read separately"),
    (PAYLOAD, "an entry in an unknown format, exported as stored"),
];

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    BAD_TABLE, "archive.bad-table", Error, "A table or a table entry of an archive is invalid. The rest of the archive is shown.";
    ODD_ENTRY, "archive.odd-entry", Warning, "An entry of an archive has no name or is in two folders. The entry is shown once.";
    BAD_STREAM, "archive.bad-stream", Error, "A compressed stream ends too early or is damaged. The data before the damage is shown.";
    TOO_LARGE, "archive.too-large", Error, "The unpacked size of a compressed stream is over the limit. The stream is not decompressed.";
    TOO_DEEP, "archive.too-deep", Warning, "A container is nested too deeply and was not opened. It is listed as a single entry.";
    SHARED_BYTES, "archive.shared-bytes", Warning, "Too many entries share the same data. The contents of the remaining entries are not listed.";
    TOO_MANY_NAMES, "archive.too-many-names", Warning, "The names of an archive take too much memory. The remaining entries are not listed.";
    UNREADABLE_MEMBER, "archive.unreadable-member", Warning, "An entry has a known format but cannot be opened.";
}
