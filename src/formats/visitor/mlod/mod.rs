//! Models as their editors store them: MLOD (formats/visitor.md §2.4). Binarised ones (ODOL) are named, not read.

mod body;
mod codes;
mod document;
mod face;
mod level;
mod resolution;
mod tag;
mod to_scene;

pub use body::{BodyError, prop_body};
pub use document::MlodDocument;

use super::rows::VariableRows;
use crate::{
    bytes::Source,
    formats::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score},
};

pub const MAGIC: &[u8; 4] = b"MLOD";
pub const BINARISED_MAGIC: &[u8; 4] = b"ODOL";

/// Name of the opaque range behind damage.
const UNREAD: &str = "unread levels";
/// Name of the opaque range of a tag's data.
const TAG: &str = "tag data";
/// Name of the opaque range of a binarised model.
const BINARISED: &str = "binarised model";
/// Name of the opaque range behind the last level.
const TRAILING: &str = "trailing bytes";

/// Models of Bohemia's games.
pub static P3D: FormatInfo = FormatInfo {
    id: "p3d",
    name: "P3D model",
    family: super::FAMILY,
    extensions: &["p3d"],
    companions: &[],
    opaque: &[
        (UNREAD, "what follows a level that cannot be read to its end: levels have no sizes"),
        (TAG, "data of a tag whose layout is not known, or that does not fit it"),
        (BINARISED, "a model in the form that the game loads, which is not read"),
        (TRAILING, "what follows the last level"),
    ],
    codes: codes::CODES,
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

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(MlodDocument::open(source, cx)?))
    }
}
