//! What the program says of projects (formats/visitor.md §1).

use super::codes;
use crate::formats::FormatInfo;

/// The formats of the family, for people.
pub const FAMILY: &str = "Visitor";

/// Name of the opaque range of the header behind its magic.
pub const HEADER: &str = "header remainder";
/// Name of the opaque range of an object type.
pub const VARIOUS_INFO: &str = "VariousInfo";
/// Name of the opaque range of textures of the older game.
pub const OFP_TEXTURES: &str = "OFP textures";
/// Name of the opaque range of crossroads.
pub const CROSSROADS: &str = "crossroads";
/// Name of the opaque range of road blocks.
pub const ROAD_BLOCKS: &str = "road blocks";
/// Name of the opaque range at the end of a project.
pub const END_BLOCKS: &str = "EndBlocks";
/// Name of the opaque range of less than a float behind the heights.
pub const BLUE_REST: &str = "incomplete float";
/// Name of the opaque range of what could not be made sense of.
pub const UNKNOWN: &str = "unknown bytes";

/// What the family leaves opaque (CLI.md, `verify`).
static OPAQUE: &[(&str, &str)] = &[
    (HEADER, "33 undocumented bytes that may contain the sample spacing"),
    (VARIOUS_INFO, "object type settings, undocumented except for the ID"),
    (OFP_TEXTURES, "Operation Flashpoint textures in an unknown layout"),
    (CROSSROADS, "crossroads: data in an unknown layout"),
    (ROAD_BLOCKS, "road blocks in an unknown layout"),
    (END_BLOCKS, "undocumented bytes after the backgrounds"),
    (BLUE_REST, "incomplete float between the heights and the objects"),
    (UNKNOWN, "bytes between or after the readable parts"),
];

/// A project.
pub static PEW: FormatInfo = FormatInfo {
    id: "pew",
    name: "Visitor project",
    family: FAMILY,
    extensions: &["pew"],
    companions: &[],
    opaque: OPAQUE,
    codes: codes::CODES,
    metres: 1.0,
};
