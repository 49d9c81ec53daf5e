//! Worlds as the editors write them for the game: 8WVR and 4WVR (formats/visitor.md §1.9).

mod codes;
mod document;
mod models;
mod numbers;
mod reading;
mod to_scene;
mod world;

pub use document::WrpDocument;

use crate::{
    bytes::Source,
    formats::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score},
};

/// Start of worlds in the form that later games load.
const BINARISED_MAGIC: &[u8; 4] = b"OPRW";

/// Name of the opaque range behind damage.
const UNREAD: &str = "unread";

/// Worlds of Bohemia's games.
pub static WRP: FormatInfo = FormatInfo {
    id: "wrp",
    name: "WRP world",
    family: super::FAMILY,
    extensions: &["wrp"],
    companions: &[],
    opaque: &[(UNREAD, "what follows a part that cannot be read: the parts have no directory")],
    codes: codes::CODES,
};

/// The format of worlds.
pub struct WrpFormat;

impl Format for WrpFormat {
    fn info(&self) -> &'static FormatInfo {
        &WRP
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        if world::WorldKind::of(head).is_some() || head.starts_with(BINARISED_MAGIC) {
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
