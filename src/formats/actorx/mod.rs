//! ActorX: PSK meshes and PSA animations (formats/actorx.md).

mod bind;
mod chunk_anim;
mod chunk_mesh;
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
pub use parse::{Parsed, parse_psa, parse_psk};
pub use structures::*;

use super::{Document, FileRequest, Format, FormatInfo, Hint, OpenContext, OpenError, Score, file_name};
use crate::bytes::Source;

/// ACTRHEAD files.
pub struct PskFormat;
/// ANIMHEAD files.
pub struct PsaFormat;

/// What the family leaves opaque.
static OPAQUE: &[(&str, &str)] =
    &[(tree::UNKNOWN_CHUNK, "the records of a chunk that no known writer makes; readers skip it by its size")];

const FAMILY: &str = "ActorX";

static PSK: FormatInfo = FormatInfo {
    id: "psk",
    name: "ActorX mesh",
    family: FAMILY,
    extensions: &["psk", "pskx"],
    companions: &["psa", "psax"],
    opaque: OPAQUE,
    codes: codes::PSK_CODES,
};
static PSA: FormatInfo = FormatInfo {
    id: "psa",
    name: "ActorX animation",
    family: FAMILY,
    extensions: &["psa", "psax"],
    companions: &["psk", "pskx"],
    opaque: OPAQUE,
    codes: codes::PSA_CODES,
};

fn score(info: &FormatInfo, magic: &[u8; 8], head: &[u8], hint: &Hint<'_>) -> Score {
    if parse::starts_with(head, magic) {
        Score::Certain
    } else if info.extensions.contains(&hint.extension().as_str()) {
        Score::Name
    } else {
        Score::No
    }
}

/// The text file beside an animation file that says which of its keys count (formats/actorx.md §3).
pub fn config_request(file: &str) -> FileRequest<'_> {
    FileRequest { stem: file_name::stem(file), extensions: &["config"], subfolders: false, siblings: &[] }
}

impl Format for PskFormat {
    fn info(&self) -> &'static FormatInfo {
        &PSK
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        score(&PSK, b"ACTRHEAD", head, hint)
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

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(document::PsaDocument::open(source, cx)?))
    }
}
