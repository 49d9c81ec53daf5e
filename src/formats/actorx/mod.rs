//! ActorX: PSK meshes and PSA animations (shared/formats/actorx.md).

mod encode;
mod structures;

pub use encode::{encode_psa, encode_psk};
pub use structures::*;

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

pub struct PskFormat;
pub struct PsaFormat;

static PSK: FormatInfo = FormatInfo {
    id: "psk",
    name: "ActorX mesh",
    extensions: &["psk", "pskx"],
    companions: &["psa", "psax"],
    opaque: &[],
    codes: &[],
};
static PSA: FormatInfo = FormatInfo {
    id: "psa",
    name: "ActorX animation",
    extensions: &["psa", "psax"],
    companions: &["psk", "pskx"],
    opaque: &[],
    codes: &[],
};

impl Format for PskFormat {
    fn info(&self) -> &'static FormatInfo {
        &PSK
    }
    fn score(&self, _: &[u8], _: &Hint<'_>) -> Score {
        Score::No
    }
    fn open(&self, _: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Err(OpenError::new(cx.file, "placeholder"))
    }
}

impl Format for PsaFormat {
    fn info(&self) -> &'static FormatInfo {
        &PSA
    }
    fn score(&self, _: &[u8], _: &Hint<'_>) -> Score {
        Score::No
    }
    fn open(&self, _: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Err(OpenError::new(cx.file, "placeholder"))
    }
}
