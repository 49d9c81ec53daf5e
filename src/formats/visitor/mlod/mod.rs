//! Models as their editors store them: MLOD (formats/visitor.md §2.4). Binarised ones (ODOL) are named, not read.

mod body;
mod document;
mod info;
mod level;
mod resolution;
mod to_scene;

pub use body::{BodyError, prop_body};
pub use document::MlodDocument;
pub use info::{BINARISED_MAGIC, MAGIC, P3D};

use super::strings::VariableRows;
use crate::{
    bytes::Source,
    formats::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score},
};

/// The format of models.
pub struct P3dFormat;

impl Format for P3dFormat {
    fn info(&self) -> &'static FormatInfo {
        &P3D
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        if head.starts_with(MAGIC) || head.starts_with(BINARISED_MAGIC) {
            Score::Certain
        } else if P3D.extensions.contains(&hint.extension().as_str()) {
            Score::Name
        } else {
            Score::No
        }
    }

    fn states_sizes(&self) -> bool {
        true
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(MlodDocument::open(source, cx)?))
    }
}
