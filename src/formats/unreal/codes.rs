//! Every diagnostic code of the family.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*
        /// All codes that a package can report.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    TRUNCATED_TABLE, "unreal.truncated-table", Error, "A table goes past the end of the file, or one of its entries cannot be read; the ones before it are kept.";
    BAD_RANGE, "unreal.export-outside-file", Error, "An export's bytes lie outside the file.";
    SHARED_BYTES, "unreal.shared-bytes", Error, "Exports lie in the same bytes over and over; those beyond four times the file are taken as empty.";
    BAD_NAME, "unreal.bad-name-index", Error, "A table entry refers to a name that does not exist.";
    BAD_REFERENCE, "unreal.bad-reference", Error, "A table entry refers to an object that does not exist.";
    LONG_NAME, "unreal.long-name", Warning, "Names are longer than the 64 characters that the engine takes; they are shown cut.";
    OUTER_CYCLE, "unreal.outer-cycle", Warning, "Exports lie inside each other in a circle, or too deep; the path is cut.";
    BAD_OBJECT, "unreal.bad-object", Error, "An object cannot be read to its end; what was read is kept.";
    LEFT_OVER, "unreal.left-over", Warning, "An object has bytes after all that its class is known to hold.";
    UNREAD_CLASS, "unreal.unread-class", Info, "Objects of a class are of another engine, or of a layout that is not known: their properties and bytes are shown.";
    NEWER_ENGINE, "unreal.newer-engine", Info, "The package is of the second engine: what it has like the first is shown.";
    UNKNOWN_VERSION, "unreal.unknown-version", Warning, "Objects of this package version are not known: tables and raw bytes are shown.";
    MISSING_PALETTE, "unreal.missing-palette", Warning, "A picture's palette was not found; it is shown in grey.";
    SHORT_PIXELS, "unreal.short-pixels", Warning, "A picture has fewer bytes than its size needs; the rest of it is empty.";
    TOO_LARGE, "unreal.picture-too-large", Error, "A picture's size is over the limits, far beyond what its bytes can fill, or more than others leave of what is allowed; it is not decoded.";
    UNKNOWN_PIXELS, "unreal.unknown-pixel-format", Warning, "A picture's pixels are of a format that has no decoder.";
    BAD_SOUND, "unreal.bad-sound", Warning, "A sound or a piece of music is damaged, or cannot be played; its bytes are kept as they are.";
    UNRESOLVED, "unreal.unresolved-reference", Info, "An object that is referred to was not found in this or another package.";
    BAD_MAP_INDEX, "unreal.bad-map-index", Error, "A node of a level refers to a surface, a vertex or a point that does not exist; its polygon is left out.";
    NOT_FINITE, "unreal.not-finite", Error, "Points are not numbers; the polygons that have them are left out.";
}
