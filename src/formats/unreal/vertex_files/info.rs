//! What the program says of vertex mesh files.

use super::{super::info::UNREAL, codes};
use crate::formats::FormatInfo;

/// Name of the opaque range behind the last whole polygon or frame.
pub const TRAILING: &str = "trailing bytes";

/// Both files of a pair.
pub static MESH_3D: FormatInfo = FormatInfo {
    id: "mesh3d",
    name: "Unreal vertex mesh",
    family: UNREAL.family,
    extensions: &["3d"],
    // Its clips are in it; those of other meshes are of no use.
    companions: &[],
    opaque: &[(TRAILING, "bytes after the last complete polygon or frame")],
    codes: codes::CODES,
    metres: UNREAL.metres,
};
