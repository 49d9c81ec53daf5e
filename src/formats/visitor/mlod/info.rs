//! The description of models, the start of their files (formats/visitor.md §2.4), and their diagnostic codes.

use super::super::info::FAMILY;
use crate::formats::{Code, FormatInfo, Severity, common_codes};

/// First four bytes of a model as an editor stores it.
pub const MAGIC: &[u8; 4] = b"MLOD";
/// First four bytes of a model that was binarised for the game.
pub const BINARISED_MAGIC: &[u8; 4] = b"ODOL";

/// Name of the opaque range behind damage.
pub const UNREAD: &str = "unread levels";
/// Name of the opaque range of a tag's data.
pub const TAG: &str = "tag data";
/// Name of the opaque range of a binarised model.
pub const BINARISED_MODEL: &str = "binarised model";
/// Name of the opaque range behind the last level.
pub const TRAILING_BYTES: &str = "trailing bytes";

/// Models of Bohemia's games.
pub static P3D: FormatInfo = FormatInfo {
    id: "p3d",
    name: "P3D model",
    family: FAMILY,
    extensions: &["p3d"],
    companions: &[],
    opaque: &[
        (UNREAD, "bytes after an incomplete level; levels do not store their size"),
        (TAG, "tag data with an unknown or invalid layout"),
        (BINARISED_MODEL, "a model that was converted for the game and cannot be read"),
        (TRAILING_BYTES, "bytes after the last level"),
    ],
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
