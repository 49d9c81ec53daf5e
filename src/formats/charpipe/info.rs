//! The kinds of files of the pipeline, and what the program says of them (formats/charpipe.md §2).

use super::{
    codes,
    container::{Layout, SectionKind},
};
use crate::formats::{FormatInfo, gx::bti};

/// One kind of file of the pipeline.
#[derive(Debug)]
pub struct FileKind {
    /// Name, extensions and diagnostic codes of the format.
    pub info: FormatInfo,
    /// Layout that a file of this kind has.
    pub layout: Layout,
}

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of sections that nobody has described.
pub const SECTION: &str = "unknown section";
/// Name of the opaque range of user data of unknown kinds.
pub const USER_DATA: &str = "user data";
/// Name of the opaque range of members that no format knows.
pub const PAYLOAD: &str = "payload";

/// What the family leaves opaque (CLI.md, `verify`).
static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "padding up to the next section, array or list"),
    (SECTION, "the sixth and eighth sections of a model block; their layout is unknown"),
    (USER_DATA, "user data of the game in an unknown format"),
    (PAYLOAD, "an archive member in an unknown format"),
    (bti::PIXELS, "pixels, read by the texture decoder"),
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
                metres: 1.0,
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
    /// A palette of meshes (formats/charpipe.md §4).
    GPL: Layout::Section(SectionKind::Gpl), "gpl", "geometry palette", &["gpl"], &["anm"];
    /// A skeleton (formats/charpipe.md §5).
    ACT: Layout::Section(SectionKind::Act), "act", "actor", &["act"], &["anm"];
    /// A skin (formats/charpipe.md §6).
    SKN: Layout::Section(SectionKind::Skn), "skn", "skin", &["skn"], &["anm"];
    /// Textures as the SDK stores them (formats/charpipe.md §9).
    TPL: Layout::Section(SectionKind::Tpl), "tpl", "texture palette", &["tpl"], &["anm"];
    /// A bank of animations (formats/charpipe.md §8).
    ANM: Layout::Section(SectionKind::Anm), "anm", "animation bank", &["anm"], &["model", "gpl", "act", "models"];
}
