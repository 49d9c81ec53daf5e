//! The description of worlds (formats/visitor.md §1.9), and their diagnostic codes.

use super::super::info::FAMILY;
use crate::formats::{Code, FormatInfo, Severity, common_codes};

/// Start of worlds in the form that later games load.
pub const BINARISED_MAGIC: &[u8; 4] = b"OPRW";

/// Starts of worlds as older editors wrote them.
pub const OLDER_MAGICS: [&[u8; 4]; 2] = [b"2WVR", b"3WVR"];

/// Name of the opaque range behind damage.
pub const UNREAD: &str = "unread";

/// Worlds of Bohemia's games.
pub static WRP: FormatInfo = FormatInfo {
    id: "wrp",
    name: "WRP world",
    family: FAMILY,
    extensions: &["wrp"],
    companions: &[],
    opaque: &[(UNREAD, "bytes after an unreadable part; the file does not store the offsets of its parts")],
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
    NO_GRID, "wrp.no-grid", Error, "The grid size is invalid. The world cannot be read.";
    SHORT, "wrp.short", Error, "The file ends within the heights, cells, materials or objects. The complete parts are shown.";
    HEIGHT_HOLES, "wrp.height-holes", Warning, "Some heights are not finite. The ground has holes at these points.";
    BAD_OBJECT, "wrp.bad-object", Warning, "The position of an object is not finite, or its size is zero. The object is not shown.";
    BAD_CELL, "wrp.bad-cell", Warning, "The sample spacing is not a positive number. 50 m is used instead.";
    TOO_MANY_TYPES, "wrp.too-many-types", Warning, "The objects use too many models. The remaining models share one object type.";
    GUESSED_CLASSES, "wrp.guessed-classes", Info, "Worlds do not store object classes. The classes are guessed from the folders of the models.";
    BAD_OVERRIDE, "wrp.bad-override", Warning, "An option of --reading has an unknown name or value.";
}
