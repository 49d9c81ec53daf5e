//! Every diagnostic code of the family.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(#[doc = $meaning]
        pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*
        /// All codes that a package can report.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    TRUNCATED_TABLE, "unreal.truncated-table", Error, "A table goes past the end of the file, or an entry cannot be read. The previous entries are kept.";
    BAD_RANGE, "unreal.export-outside-file", Error, "The data of an object (export) is outside the file.";
    SHARED_BYTES, "unreal.shared-bytes", Error, "Too many exports share the same bytes: their total size exceeds four times the file size. Exports past this limit are treated as empty.";
    BAD_NAME, "unreal.bad-name-index", Error, "A table entry refers to a name that does not exist.";
    BAD_REFERENCE, "unreal.bad-reference", Error, "A table entry refers to an object that does not exist.";
    LONG_NAME, "unreal.long-name", Warning, "Names exceed 64 characters, the engine's maximum, and are truncated.";
    OUTER_CYCLE, "unreal.outer-cycle", Warning, "The outer objects of an export form a cycle, or are nested too deeply. The path is shortened.";
    BAD_OBJECT, "unreal.bad-object", Error, "An object cannot be read completely. The part before the error is kept.";
    LEFT_OVER, "unreal.left-over", Warning, "An object has extra bytes after the known fields of its class.";
    UNREAD_CLASS, "unreal.unread-class", Info, "A class is from a different engine or has an unknown layout. Only the properties and raw bytes of its objects are shown.";
    NEWER_ENGINE, "unreal.newer-engine", Info, "The package is from Unreal Engine 2. Only structures shared with Unreal Engine 1 are shown.";
    UNKNOWN_VERSION, "unreal.unknown-version", Warning, "The package version is unknown. Tables and raw bytes are shown.";
    MISSING_PALETTE, "unreal.missing-palette", Warning, "The palette of an image was not found. The image is shown in grey.";
    SHORT_PIXELS, "unreal.short-pixels", Warning, "An image has too little data for its size. The rest of the image is empty.";
    TOO_LARGE, "unreal.picture-too-large", Error, "An image exceeds the size limit or the memory limit for images, or has far too little data. The image is not decoded.";
    UNKNOWN_PIXELS, "unreal.unknown-pixel-format", Warning, "The pixel format of an image is not supported.";
    BAD_SOUND, "unreal.bad-sound", Warning, "A sound or a piece of music is damaged or cannot be played. The stored bytes are kept unchanged.";
    UNRESOLVED, "unreal.unresolved-reference", Info, "A referenced object was not found in this or any other package.";
    BAD_MAP_INDEX, "unreal.bad-map-index", Error, "A BSP node of a level refers to a surface, vertex or point that does not exist. The polygon of the node is skipped.";
    NOT_FINITE, "unreal.not-finite", Error, "Polygons with NaN or infinite points are skipped.";
}
