//! What the sections of a model hold, and where each lies.

use std::ops::Range;

/// What a section holds; each of the loose files is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Meshes.
    Gpl,
    /// Bones.
    Act,
    /// Textures as Sluggers stores them.
    Tex,
    /// Textures as the SDK stores them.
    Tpl,
    /// Which bones move which vertices.
    Skn,
    /// Facial poses.
    Faces,
    /// Animations.
    Anm,
    /// The sixth section of a block; its layout is unknown.
    Sixth,
    /// The eighth section of a block; its layout is unknown.
    Eighth,
}

impl SectionKind {
    /// Those of a model block, in the order of its pointers (formats/charpipe.md §2.1).
    pub const OF_BLOCK: [Self; 7] =
        [Self::Gpl, Self::Act, Self::Tex, Self::Skn, Self::Sixth, Self::Faces, Self::Eighth];

    /// Whether its layout is known; sections of the others are kept as they are.
    pub fn is_described(self) -> bool {
        !matches!(self, Self::Sixth | Self::Eighth)
    }

    /// Name of its entry, and its class.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gpl => "GPL",
            Self::Act => "ACT",
            Self::Tex => "TEX",
            Self::Tpl => "TPL",
            Self::Skn => "SKN",
            Self::Faces => "Faces",
            Self::Anm => "ANM",
            Self::Sixth => "Section 6",
            Self::Eighth => "Section 8",
        }
    }
}

/// Where a section is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSpan {
    pub kind: SectionKind,
    /// Bytes from the start of the file.
    pub range: Range<u64>,
}
