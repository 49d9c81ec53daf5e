//! The chunk that counts where several are of a kind, and its records.

use super::{
    Bone,
    container::{Chunk, ChunkKind, f32_at, f32s_at, i32_at, records, text_at, u32_at},
};

/// The chunk that counts for a kind: the first that is not empty, or the first.
pub fn chosen(chunks: &[Chunk], fits: impl Fn(ChunkKind) -> bool) -> Option<usize> {
    let of_kind = || chunks.iter().enumerate().filter(|(_, c)| fits(c.kind));
    let full = of_kind().find(|(_, c)| c.readable && c.count > 0);
    full.or_else(|| of_kind().next()).map(|(index, _)| index)
}

/// A record of REFSKELT or BONENAMES.
pub fn bone(record: &[u8; 120]) -> Bone {
    Bone {
        name: text_at::<64>(record, 0),
        flags: u32_at(record, 64),
        child_count: i32_at(record, 68),
        parent: i32_at(record, 72),
        rotation: f32s_at(record, 76),
        position: f32s_at(record, 92),
        length: f32_at(record, 104),
        size: f32s_at(record, 108),
    }
}

/// The records of the chunk that counts.
pub fn read_chosen<const N: usize, T>(
    bytes: &[u8],
    chunks: &[Chunk],
    kind: ChunkKind,
    read: impl Fn(&[u8; N]) -> T,
) -> Vec<T> {
    let chunk = chosen(chunks, |k| k == kind).and_then(|index| chunks.get(index)).filter(|c| c.readable);
    chunk.map(|c| records(c.body(bytes), c.stride, read)).unwrap_or_default()
}
