//! Bohemia Visitor: terrain projects, and what belongs to them (formats/visitor.md).

mod backgrounds;
mod blue;
mod bodies;
mod cell;
mod choices;
pub mod codes;
mod document;
pub mod encode;
mod entry_fields;
mod grid;
mod ground;
mod kinds;
mod layers;
mod layout;
pub mod mlod;
mod objects;
mod pictures;
mod placing;
mod project;
mod roads;
mod rows;
mod spans;
mod strings;
mod survey;
mod tail;
mod to_scene;
mod tree;
mod types;
pub mod wrp;
mod zones;

pub use document::PewDocument;

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// The formats of the family, for people.
const FAMILY: &str = "Visitor";

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
pub const BLUE_REST: &str = "less than a float";
/// Name of the opaque range of what could not be made sense of.
pub const UNKNOWN: &str = "unknown bytes";

/// What the family leaves opaque (CLI.md, `verify`).
static OPAQUE: &[(&str, &str)] = &[
    (HEADER, "33 bytes of which no source says what they are; one may be the distance between heights"),
    (VARIOUS_INFO, "settings of an object type, of which only its number is known"),
    (OFP_TEXTURES, "textures of the older game, whose layout is not known"),
    (CROSSROADS, "crossroads, whose layout is not known"),
    (ROAD_BLOCKS, "road blocks, whose layout is not known"),
    (END_BLOCKS, "what follows the backgrounds, which no source describes"),
    (BLUE_REST, "bytes between heights and objects that are not a whole float"),
    (UNKNOWN, "bytes between parts that could be read, or behind the last one"),
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
};

/// The format of projects.
pub struct PewFormat;

impl Format for PewFormat {
    fn info(&self) -> &'static FormatInfo {
        &PEW
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        if project::read_version(head).is_some() {
            Score::Certain
        } else if PEW.extensions.contains(&hint.extension().as_str()) {
            Score::Name
        } else {
            Score::No
        }
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(PewDocument::open(source, cx)?))
    }
}
