//! The kinds of files that hold others.

use super::{stream::Method, u8_archive};

/// What a file is that holds others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A compressed stream of one file.
    Stream(Method),
    /// A RARC archive (formats/j3d.md §11).
    Rarc,
    /// A U8 archive (formats/j3d.md §11).
    U8,
}

impl Kind {
    /// By the first bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        if let Some(method) = Method::of(head) {
            return Some(Self::Stream(method));
        }
        if head.starts_with(b"RARC") {
            return Some(Self::Rarc);
        }
        head.starts_with(&u8_archive::MAGIC).then_some(Self::U8)
    }

    /// What entries of this kind are classed as.
    pub fn class(self) -> &'static str {
        match self {
            Self::Stream(method) => method.name(),
            Self::Rarc => "RARC",
            Self::U8 => "U8",
        }
    }
}
