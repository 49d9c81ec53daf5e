//! Every diagnostic code of models.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    BINARISED, "p3d.binarised", Warning, "The model is binarised for the game and cannot be read. On a map, a box is shown instead.";
    UNKNOWN_VERSION, "p3d.unknown-version", Warning, "A file or a level with an unknown version is read as the known version.";
    CUT_LEVEL, "p3d.cut-level", Error, "A level ends too early. The complete parts are shown, and later levels are not read.";
    TOO_MANY_LEVELS, "p3d.too-many-levels", Error, "The file has too many levels. The remaining levels are skipped.";
    TRAILING, "p3d.trailing", Info, "There are extra bytes after the last level.";
    BAD_FACE, "p3d.bad-face", Error, "A face does not have three or four corners, or uses a missing point. The face is skipped.";
    BAD_NORMAL, "p3d.bad-normal", Info, "A face uses a missing or zero normal. The face is shaded flat.";
    NOT_FINITE, "p3d.not-finite", Error, "Points with NaN or infinite coordinates are moved to the origin.";
    TOO_MANY_MATERIALS, "p3d.too-many-materials", Warning, "A level has too many materials. The remaining faces share one material.";
}
