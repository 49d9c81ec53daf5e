//! Sizes in skins (formats/charpipe.md §6).

/// Bytes before the tables of lists.
pub const HEADER_SIZE: u64 = 0x24;
/// Bytes of a slot in the array of positions: position and normal.
pub const SLOT: u64 = 12;
/// Bytes that lists of one or two bones are copied in.
pub const LINE: u64 = 32;
/// Slots of a skin at most: vertices name them with 16 bits.
pub const MAX_SLOTS: u32 = 1 << 16;
/// Weights are so many parts of one.
pub const WHOLE_WEIGHT: u32 = 256;
