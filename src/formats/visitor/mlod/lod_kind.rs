//! The two forms of levels (formats/visitor.md §2.4).

/// How a level's faces and tags are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LodKind {
    /// Names of any length behind each face.
    P3dm,
    /// Older: names in fields of their own, before each face.
    Sp3x,
}

impl LodKind {
    pub fn of(signature: [u8; 4]) -> Option<Self> {
        match &signature {
            b"P3DM" => Some(Self::P3dm),
            b"SP3X" => Some(Self::Sp3x),
            _ => None,
        }
    }

    pub fn knows(self, version: u32) -> bool {
        match self {
            Self::P3dm => version == 0x100,
            Self::Sp3x => matches!(version, 1 | 0x99),
        }
    }
}
