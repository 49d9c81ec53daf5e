//! Bohemia Visitor: terrain projects, and what belongs to them (formats/visitor.md).

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
mod info;
mod layers;
mod layout;
pub mod mlod;
mod objects;
mod placing;
mod project;
mod roads;
mod spans;
mod strings;
mod survey;
mod tail;
mod textures;
mod to_scene;
mod tree;
mod types;
pub mod wrp;

pub use document::PewDocument;
pub use info::{BLUE_REST, CROSSROADS, END_BLOCKS, HEADER, OFP_TEXTURES, PEW, ROAD_BLOCKS, UNKNOWN, VARIOUS_INFO};

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// The formats of the family.
pub(super) static FORMATS: &[&dyn Format] = &[&PewFormat, &wrp::WrpFormat, &mlod::P3dFormat];

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

    fn states_sizes(&self) -> bool {
        true
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(PewDocument::open(source, cx)?))
    }
}
