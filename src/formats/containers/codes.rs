//! Every diagnostic code of the family (formats/containers.md §1.4).

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    TRUNCATED, "container.data-truncated", Error, "The data of a container or entry ends too early.";
    OVERLAP, "container.data-overlap", Warning, "Two or more entries share the same data. All of these entries can be read.";
    TRAILING, "container.data-trailing", Warning, "There are extra bytes after the end of a container.";
    UNLISTED, "container.data-unlisted", Info, "Some nonzero bytes are not referenced by any table.";
    TABLE, "container.table-invalid", Error, "A table or a table entry of a container is invalid. The rest of the container is shown.";
    CYCLE, "container.cycle", Warning, "Two folders share sectors. The shared contents are listed once.";
    SIZE, "container.size-mismatch", Error, "The unpacked size of an entry differs from the specified size.";
    CHECKSUM, "container.checksum-mismatch", Warning, "A checksum does not match or is missing.";
    DECODE, "container.decode-failed", Error, "The compressed data of an entry is damaged.";
    METHOD, "container.method-unsupported", Error, "An entry uses an unsupported compression method.";
    ENCRYPTED, "container.encrypted", Error, "An entry or the container is encrypted.";
    MISSING, "container.file-missing", Error, "A file that belongs to a container was not found next to it.";
    ODD, "container.field-odd", Warning, "A field of a container has an unusual value.";
    UNSAFE_NAME, "container.name-unsafe", Warning, "A name contains invalid characters, or refers to a path outside its folder. A corrected name is shown.";
    DUPLICATE_NAME, "container.name-duplicate", Warning, "Two entries have the same path. A number is added to the name of the second entry.";
    TOO_LARGE, "container.bomb-size", Error, "The unpacked size of an entry or table is over the limit.";
    RATIO, "container.bomb-ratio", Error, "The compression ratio of an entry is suspiciously high (a “zip bomb”).";
    TOO_MANY, "container.bomb-count", Error, "A container specifies more entries than the limit allows, or more than fit in the file.";
    TOTAL, "container.bomb-total", Error, "Reading takes too long for a file of this size. The remaining entries were not read.";
}

/// Why a file does not open; no finding in one that does.
pub const UNSUPPORTED: Code = Code {
    id: "container.format-unsupported",
    severity: Severity::Error,
    meaning: "The format is recognised but not supported.",
};

/// As [`UNSUPPORTED`], of a container in a container.
pub const TOO_DEEP: Code =
    Code { id: "container.bomb-depth", severity: Severity::Error, meaning: "Containers are nested too deeply." };

/// Returns the code by its id, if it is that of a limit that a person may lift.
pub fn limit_code(id: &str) -> Option<&'static Code> {
    [&TOO_LARGE, &RATIO, &TOO_MANY, &TOTAL].into_iter().find(|limit| limit.id == id)
}
