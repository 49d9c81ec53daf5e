//! Pictures in files of their own: PNG, TGA, BMP, DDS.

mod document;
mod kind;
mod layout;
mod opaque;

pub use kind::{BMP, DDS, Kind, PNG, TGA};

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// One kind of picture file.
pub struct ImageFileFormat(pub &'static Kind);

impl Format for ImageFileFormat {
    fn info(&self) -> &'static FormatInfo {
        &self.0.info
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        (self.0.is)(head, hint)
    }

    fn stands_beside_others(&self) -> bool {
        true
    }

    fn open(&self, source: Source, _: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(document::ImageDocument::new(self.0, source)))
    }
}

#[cfg(test)]
mod tests;
