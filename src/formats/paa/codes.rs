//! Every diagnostic code of the family (formats/containers.md §7, the names of §1.4).

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    TRUNCATED, "paa.data-truncated", Error, "The file, or the pixels of a mip, end early; the larger mips before stay.";
    TRAILING, "paa.data-trailing", Warning, "Bytes follow the end of the picture.";
    TABLE, "paa.table-invalid", Error, "There are more mips than a picture can have, or one without any pixels.";
    CHECKSUM, "paa.checksum-mismatch", Warning, "The sum of a mip is not that of its bytes, which are shown as they are.";
    DECODE, "paa.decode-failed", Error, "The compressed bytes of a mip are damaged; the other mips stay.";
    ODD, "paa.field-odd", Warning, "A mip has more bytes than its pixels take.";
    TOO_LARGE, "paa.bomb-size", Error, "A mip is larger than the limit.";
}
