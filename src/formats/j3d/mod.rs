//! Nintendo J3D: models (BMD, BDL), their animations and material sets (formats/j3d.md, formats/j3d-materials.md).

pub mod anim;
mod bti_document;
mod chunk_file;
pub mod codes;
mod document;
pub mod encode;
mod file;
mod geometry;
pub mod mat3;
mod mdl3;
mod names;
mod padding;
pub mod tex1;

pub use bti_document::BtiFormat;
pub use document::J3dDocument;
pub use file::{BCA, BCK, BDL, BLA, BLK, BMD, BMT, BPA, BPK, BRK, BTK, BTP, BVA, BXA, BXK, FileKind, Shows};
pub use padding::{COMMANDS, PADDING};

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// The formats of the family.
pub(super) static FORMATS: &[&dyn Format] = &[
    &J3dFormat(&BMD),
    &J3dFormat(&BDL),
    &J3dFormat(&BMT),
    &J3dFormat(&BCK),
    &J3dFormat(&BCA),
    &J3dFormat(&BTK),
    &J3dFormat(&BTP),
    &J3dFormat(&BRK),
    &J3dFormat(&BPK),
    &J3dFormat(&BPA),
    &J3dFormat(&BVA),
    &J3dFormat(&BLK),
    &J3dFormat(&BLA),
    &J3dFormat(&BXK),
    &J3dFormat(&BXA),
    &BtiFormat,
];

/// One kind of J3D file; they differ by the last four characters of the file's first eight.
pub struct J3dFormat(pub &'static FileKind);

impl Format for J3dFormat {
    fn info(&self) -> &'static FormatInfo {
        &self.0.info
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        if self.0.magics.iter().any(|magic| head.starts_with(*magic)) {
            Score::Certain
        } else if self.0.info.id == "bmd" && file::refusal(head).is_some() {
            // To say what it is.
            Score::Likely
        } else if self.0.info.extensions.contains(&hint.extension().as_str()) {
            Score::Name
        } else {
            Score::No
        }
    }

    fn states_sizes(&self) -> bool {
        true
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(J3dDocument::open(self.0, source, cx)?))
    }
}
