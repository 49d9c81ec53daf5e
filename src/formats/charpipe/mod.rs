//! Nintendo's character pipeline: geometry palettes (GPL), actors (ACT), skins (SKN), animation banks (ANM), texture palettes (TPL),
//! and the model blocks that hold them together in one file (formats/charpipe.md).

pub mod act;
pub mod anm;
pub mod codes;
mod container;
mod document;
mod draw_state;
pub mod encode;
pub mod faces;
pub mod gpl;
mod info;
pub mod materials;
mod model;
pub mod partner;
mod placing;
mod section;
pub mod skn;
pub mod tex;

pub use container::Layout;
pub use container::SectionKind;
pub use document::CharpipeDocument;
pub use info::{ACT, ANM, BLOCK, BLOCKS, FileKind, GPL, PADDING, PAYLOAD, SECTION, SKN, TPL, USER_DATA};

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// The formats of the family.
pub(super) static FORMATS: &[&dyn Format] = &[
    &CharpipeFormat(&BLOCK),
    &CharpipeFormat(&BLOCKS),
    &CharpipeFormat(&GPL),
    &CharpipeFormat(&ACT),
    &CharpipeFormat(&SKN),
    &CharpipeFormat(&TPL),
    &CharpipeFormat(&ANM),
];

/// The format of one kind of file of the pipeline.
pub struct CharpipeFormat(pub &'static FileKind);

impl Format for CharpipeFormat {
    fn info(&self) -> &'static FormatInfo {
        &self.0.info
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        match container::layout_of(head) {
            Some((layout, score)) if layout == self.0.layout => score,
            _ if self.0.info.extensions.contains(&hint.extension().as_str()) => Score::Name,
            _ => Score::No,
        }
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(CharpipeDocument::open(self.info(), self.0.layout, source, cx)?))
    }
}
