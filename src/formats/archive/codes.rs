//! Every diagnostic code of the family.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    BAD_TABLE, "archive.bad-table", Error, "A table of an archive, or an entry of it, cannot be followed; the rest of the archive stays.";
    ODD_ENTRY, "archive.odd-entry", Warning, "An entry of an archive has no name or lies in two folders; its bytes are there, and it is shown once.";
    BAD_STREAM, "archive.bad-stream", Error, "A compressed stream ends early or is damaged; what it gave until there is shown.";
    TOO_LARGE, "archive.too-large", Error, "A compressed stream becomes more than the limit and is not decompressed.";
    TOO_DEEP, "archive.too-deep", Warning, "A file is nested deeper than files are opened; its bytes are listed.";
    SHARED_BYTES, "archive.shared-bytes", Warning, "Too many members share their bytes with others; the further ones are listed without looking into them.";
    TOO_MANY_NAMES, "archive.too-many-names", Warning, "The names of an archive take more memory than they may; further entries are left out.";
    UNREADABLE_MEMBER, "archive.unreadable-member", Warning, "A member looks like a format that is known, but cannot be opened as it.";
}
