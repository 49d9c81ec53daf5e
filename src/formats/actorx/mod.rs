//! ActorX: PSK meshes and PSA animations (formats/actorx.md).

mod bind;
mod clip;
pub mod codes;
mod container;
mod document;
mod encode;
mod hierarchy;
mod material;
mod normals;
mod parse;
mod records;
mod sequences;
mod sidecar;
mod space;
mod structures;
mod to_scene;
mod tree;

pub use container::{Chunk, ChunkKind, Finding, Findings, Place};
pub use encode::{encode_psa, encode_psk};
pub use hierarchy::parents;
pub use parse::{Parsed, parse_psa, parse_psk};
pub use sequences::{affordable, sequences};
pub use sidecar::config_request;
pub use structures::*;

use document::{PSA, PSK};

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// The formats of the family.
pub(super) static FORMATS: &[&dyn Format] = &[&PskFormat, &PsaFormat];

/// ACTRHEAD files.
pub struct PskFormat;
/// ANIMHEAD files.
pub struct PsaFormat;

fn score(info: &FormatInfo, magic: &[u8; 8], head: &[u8], hint: &Hint<'_>) -> Score {
    if parse::starts_with(head, magic) {
        Score::Certain
    } else if info.extensions.contains(&hint.extension().as_str()) {
        Score::Name
    } else {
        Score::No
    }
}

impl Format for PskFormat {
    fn info(&self) -> &'static FormatInfo {
        &PSK
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        score(&PSK, b"ACTRHEAD", head, hint)
    }

    fn states_sizes(&self) -> bool {
        true
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(document::PskDocument::open(source, cx)?))
    }
}

impl Format for PsaFormat {
    fn info(&self) -> &'static FormatInfo {
        &PSA
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        score(&PSA, b"ANIMHEAD", head, hint)
    }

    fn states_sizes(&self) -> bool {
        true
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(document::PsaDocument::open(source, cx)?))
    }
}
