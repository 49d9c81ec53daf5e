//! Sizes in actors (formats/charpipe.md §5).

/// Bytes before the table of bones.
pub const HEADER_SIZE: u64 = 0x20;
/// Bytes of a bone in the table.
pub const BONE_SIZE: u64 = 0x1C;
