//! The trackers' file formats.

use super::{amiga, error::TrackerError, it, layout::Layout, s3m, xm};

/// A tracker's file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracker {
    /// Impulse Tracker, `.it`.
    It,
    /// Scream Tracker 3, `.s3m`.
    S3m,
    /// FastTracker 2, `.xm`.
    Xm,
    /// Amiga module, `.mod`.
    Amiga,
}

impl Tracker {
    /// The format that bytes are in, by content.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"IMPM") {
            Some(Self::It)
        } else if bytes.starts_with(b"Extended Module: ") {
            Some(Self::Xm)
        } else if bytes.get(44..48) == Some(b"SCRM") {
            Some(Self::S3m)
        } else {
            amiga::channels_of(bytes).map(|_| Self::Amiga)
        }
    }

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::It => "IT",
            Self::S3m => "S3M",
            Self::Xm => "XM",
            Self::Amiga => "MOD",
        }
    }

    /// Returns the name of the program that the format comes from; `Amiga module` for MOD, which has many.
    pub fn program(self) -> &'static str {
        match self {
            Self::It => "Impulse Tracker",
            Self::S3m => "Scream Tracker 3",
            Self::Xm => "FastTracker 2",
            Self::Amiga => "Amiga module",
        }
    }

    /// Of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::It => "it",
            Self::S3m => "s3m",
            Self::Xm => "xm",
            Self::Amiga => "mod",
        }
    }

    /// What a module holds.
    pub(super) fn layout(self, bytes: &[u8]) -> Result<Layout, TrackerError> {
        match self {
            Self::It => it::layout(bytes),
            Self::S3m => s3m::layout(bytes),
            Self::Xm => xm::layout(bytes),
            Self::Amiga => amiga::layout(bytes),
        }
    }
}
