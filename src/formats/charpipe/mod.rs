//! Nintendo's character pipeline: geometry palettes (GPL), actors (ACT), skins (SKN), animation banks (ANM), texture palettes (TPL),
//! and the model blocks that hold them together in one file (formats/charpipe.md).

pub mod act;
pub mod anm;

pub mod codes;
mod container;
mod document;
pub mod encode;
pub mod faces;
pub mod gpl;
pub mod materials;
mod model;
mod placing;
mod section;
mod siblings;
pub mod skn;
pub mod tex;

pub use container::Layout;
pub use document::CharpipeDocument;
pub use section::SectionKind;

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score, gx::bti};
use crate::bytes::Source;

/// The format of one kind of file of the pipeline.
pub struct CharpipeFormat(pub &'static FileKind);

/// One kind of file of the pipeline.
#[derive(Debug)]
pub struct FileKind {
    pub info: FormatInfo,
    pub layout: Layout,
}

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of sections that nobody has described.
pub const SECTION: &str = "undescribed section";
/// Name of the opaque range of user data of unknown kinds.
pub const USER_DATA: &str = "user data";
/// Name of the opaque range of members that no format knows.
pub const PAYLOAD: &str = "payload";

/// What the family leaves opaque (CLI.md, `verify`).
static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "bytes that fill up to the next section, array or list"),
    (SECTION, "the sixth and eighth section of a model block, whose layout is not known"),
    (USER_DATA, "what a game keeps with a model for itself, of a kind that is not known"),
    (PAYLOAD, "a member of an archive whose format is not known"),
    (bti::PIXELS, "pixels, which their decoder takes whole"),
];

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident: $layout:expr, $id:literal, $text:literal, $extensions:expr, $companions:expr;)*) => {
        $($(#[$doc])*
        pub static $name: FileKind = FileKind {
            info: FormatInfo {
                id: $id,
                name: $text,
                family: "character pipeline",
                extensions: $extensions,
                companions: $companions,
                opaque: OPAQUE,
                codes: codes::CODES,
            },
            layout: $layout,
        };)*
    };
}

formats! {
    /// One model with all that belongs to it.
    BLOCK: Layout::Block, "charpipe-model", "character-pipeline model block", &["model"], &["anm"];
    /// Several of them, and banks, behind a table of offsets.
    BLOCKS: Layout::Blocks, "charpipe-archive", "archive of character-pipeline models", &["models"], &[];
    GPL: Layout::Section(SectionKind::Gpl), "gpl", "geometry palette", &["gpl"], &["anm"];
    ACT: Layout::Section(SectionKind::Act), "act", "actor", &["act"], &["anm"];
    SKN: Layout::Section(SectionKind::Skn), "skn", "skin", &["skn"], &["anm"];
    TPL: Layout::Section(SectionKind::Tpl), "tpl", "texture palette", &["tpl"], &["anm"];
    ANM: Layout::Section(SectionKind::Anm), "anm", "animation bank", &["anm"], &["model", "gpl", "act", "models"];
}

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
