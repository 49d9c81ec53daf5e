//! Skins that the game's processor computed in whole numbers (formats/charpipe.md §6).

use std::ops::Range;

/// Lists that write a mesh's points, one after the other. Points are *slots* of six numbers: position and normal, times two to
/// the power of `shift`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixedSkin {
    /// 1 to 31.
    pub shift: u8,
    /// What the file itself has in each slot.
    pub stored: Vec<[i16; 6]>,
    /// In the order in which they are computed: those of one joint, those of two, then those that add up.
    pub lists: Vec<FixedList>,
    /// Slots that are set to zero, wholly or in part, before the first list that adds up: bytes from the first slot's start,
    /// 12 a slot.
    pub clear: Range<u64>,
}

/// How a list writes its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListKind {
    /// By one joint alone.
    One,
    /// By two joints with a weight each.
    Two,
    /// One joint's share is added to what the slot holds.
    Accumulate,
}

impl ListKind {
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Accumulate];

    /// The format's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "SK1",
            Self::Two => "SK2",
            Self::Accumulate => "SKAcc",
        }
    }
}

/// One list.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedList {
    pub kind: ListKind,
    /// Into [`super::Skeleton::joints`]; both are the same where there is one.
    pub joints: [u32; 2],
    pub entries: Vec<FixedEntry>,
}

/// What a list does to one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedEntry {
    pub slot: u32,
    /// 256ths for each joint; [`ListKind::One`] has none and takes all.
    pub weights: [u8; 2],
    /// Position and normal in bind pose.
    pub source: [i16; 6],
}
