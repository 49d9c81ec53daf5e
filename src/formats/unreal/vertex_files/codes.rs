//! Every diagnostic code of vertex mesh files.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*
        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[
            $(&$name,)*
            &common_codes::MORE,
            &common_codes::TOO_MUCH_WORK,
            &common_codes::MISSING_FILE,
            &common_codes::BAD_PICTURE,
        ];
    };
}

codes! {
    TRUNCATED, "mesh3d.truncated", Error, "The file ends before the last polygon or frame that its header promises; the whole ones are kept.";
    TRAILING, "mesh3d.trailing", Info, "Bytes follow the last polygon or frame.";
    BAD_VERTEX, "mesh3d.bad-vertex", Error, "A polygon names a vertex that does not exist; it is left out.";
    UNKNOWN_TYPE, "mesh3d.unknown-type", Warning, "A polygon is of a type that is not known; it is drawn as a normal one.";
    FRAME_SIZE, "mesh3d.frame-size", Error, "The frames have neither 4 nor 8 bytes for each vertex that the polygons' file counts; they are read with 4.";
    BAD_PARTNER, "mesh3d.bad-partner", Error, "The other file of the pair cannot be read.";
    FRAMES_CUT, "mesh3d.frames-cut", Warning, "A sequence of the script has frames that the file does not have; it is shortened.";
}
