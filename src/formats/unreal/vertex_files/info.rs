//! The description of vertex mesh files, and their diagnostic codes.

use super::super::info::UNREAL;
use crate::formats::{Code, FormatInfo, Severity, common_codes};

/// Name of the opaque range behind the last whole polygon or frame.
pub const TRAILING_BYTES: &str = "trailing bytes";

/// Both files of a pair.
pub static MESH_3D: FormatInfo = FormatInfo {
    id: "mesh3d",
    name: "Unreal vertex mesh",
    family: UNREAL.family,
    extensions: &["3d"],
    // Its clips are in it; those of other meshes are of no use.
    companions: &[],
    opaque: &[(TRAILING_BYTES, "bytes after the last complete polygon or frame")],
    codes: CODES,
    metres: UNREAL.metres,
};

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
    TRUNCATED, "mesh3d.truncated", Error, "The file ends before the last polygon or frame that its header specifies. The complete polygons or frames are kept.";
    TRAILING, "mesh3d.trailing", Info, "The file has extra bytes after the last polygon or frame.";
    BAD_VERTEX, "mesh3d.bad-vertex", Error, "A polygon refers to a vertex that does not exist. The polygon is skipped.";
    UNKNOWN_TYPE, "mesh3d.unknown-type", Warning, "A polygon has an unknown type. The polygon is drawn as a normal polygon.";
    FRAME_SIZE, "mesh3d.frame-size", Error, "The frame size is neither 4 nor 8 bytes per vertex. The frames are read with 4 bytes per vertex.";
    BAD_PARTNER, "mesh3d.bad-partner", Error, "The other file of the pair cannot be read.";
    FRAMES_CUT, "mesh3d.frames-cut", Warning, "A sequence of the script uses frames that the file does not contain. The sequence is shortened.";
}
