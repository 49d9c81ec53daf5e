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
    BINARISED, "p3d.binarised", Warning, "The model was binarised for the game; its layout is not read, and on a map it stands as a box.";
    UNKNOWN_VERSION, "p3d.unknown-version", Warning, "The file or a level is of a version that is not known; it is read like the known ones.";
    CUT_LEVEL, "p3d.cut-level", Error, "A level cannot be read to its end; what is whole is shown, and nothing behind it is read.";
    TOO_MANY_LEVELS, "p3d.too-many-levels", Error, "The file has more levels than any model needs; the rest is left out.";
    TRAILING, "p3d.trailing", Info, "Bytes follow the last level.";
    BAD_FACE, "p3d.bad-face", Error, "A face has neither three nor four corners, or names a point that does not exist; it is left out.";
    BAD_NORMAL, "p3d.bad-normal", Info, "A face names a normal that does not exist, or one without a direction; it is drawn flat.";
    NOT_FINITE, "p3d.not-finite", Error, "Positions are NaN or infinite; they are put at the origin.";
    TOO_MANY_MATERIALS, "p3d.too-many-materials", Warning, "A level has more materials than can be told apart; the rest share one.";
}
