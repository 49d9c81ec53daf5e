//! Worlds as the editors write them for the game: 8WVR and 4WVR (formats/visitor.md §1.9).

mod document;
mod info;
mod models;
mod numbers;
mod reading;
mod to_scene;
mod world;

pub use document::WrpDocument;
pub use info::WRP;

use info::{BINARISED_MAGIC, OLDER_MAGICS};

use crate::{
    bytes::Source,
    formats::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score},
};

/// The format of worlds.
pub struct WrpFormat;

impl Format for WrpFormat {
    fn info(&self) -> &'static FormatInfo {
        &WRP
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        let is_named = || std::iter::once(BINARISED_MAGIC).chain(OLDER_MAGICS).any(|magic| head.starts_with(magic));
        if world::WorldKind::of(head).is_some() || is_named() {
            Score::Certain
        } else if WRP.extensions.contains(&hint.extension().as_str()) {
            Score::Name
        } else {
            Score::No
        }
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(WrpDocument::open(source, cx)?))
    }
}
