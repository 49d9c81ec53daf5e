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
    TRUNCATED, "container.data-truncated", Error, "Data of a container or of a member ends before its end.";
    OVERLAP, "container.data-overlap", Warning, "Members share bytes; each of them can be read.";
    TRAILING, "container.data-trailing", Warning, "Bytes follow the end of a container.";
    UNLISTED, "container.data-unlisted", Info, "Bytes that are not zero lie where no table leads to, or after the last of what the tables lead to.";
    TABLE, "container.table-invalid", Error, "A table of a container, or an entry of it, cannot be followed; the rest stays.";
    CYCLE, "container.cycle", Warning, "A folder shares sectors with another folder; its contents are listed once.";
    SIZE, "container.size-mismatch", Error, "A member has another size, once it is unpacked, than the container says.";
    CHECKSUM, "container.checksum-mismatch", Warning, "A checksum is not that of the bytes, or is missing.";
    DECODE, "container.decode-failed", Error, "The compressed bytes of a member are damaged.";
    METHOD, "container.method-unsupported", Error, "A member is compressed by a method that is not known here.";
    ENCRYPTED, "container.encrypted", Error, "A member, or the container, is encrypted.";
    MISSING, "container.file-missing", Error, "A file that belongs to a container is not beside it.";
    ODD, "container.field-odd", Warning, "A field of a container has a value that its writers do not give it.";
    UNSAFE_NAME, "container.name-unsafe", Warning, "A name could lead out of a folder, or has characters that files cannot have; another one is shown.";
    DUPLICATE_NAME, "container.name-duplicate", Warning, "Two members have the same path; the later one is shown with a number.";
    TOO_LARGE, "container.bomb-size", Error, "A member, or a table, becomes larger than the limit.";
    RATIO, "container.bomb-ratio", Error, "A member becomes so many times larger than it is stored that it looks made to fill memory.";
    TOO_MANY, "container.bomb-count", Error, "A container says that it has more members than the limit, or than there is room for.";
    TOTAL, "container.bomb-total", Error, "Reading everything takes more time than a file of this size may take; further members stay packed.";
}

/// Why a file does not open; no finding in one that does.
pub const UNSUPPORTED: Code = Code {
    id: "container.format-unsupported",
    severity: Severity::Error,
    meaning: "The format is known by name, and not read.",
};

/// As [`UNSUPPORTED`], of a container in a container.
pub const TOO_DEEP: Code = Code {
    id: "container.bomb-depth",
    severity: Severity::Error,
    meaning: "Containers lie in each other more deeply than they are opened.",
};

/// Returns the code by its id, if it is that of a limit that a person may lift.
pub fn limit_code(id: &str) -> Option<&'static Code> {
    [&TOO_LARGE, &RATIO, &TOO_MANY, &TOTAL].into_iter().find(|limit| limit.id == id)
}
