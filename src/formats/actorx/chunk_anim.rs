//! The chunks of an animation file (formats/actorx.md §3).

use super::{
    AnimInfo, AnimKey, Curve, CurveChunk, Psa, ScaleKey,
    chosen::{bone, read_chosen},
    container::{Chunk, ChunkKind, f32_at, f32s_at, i32_at, text_at, u8_at},
};

/// Bytes of a curve's name.
pub const CURVE_NAME_SIZE: usize = 128;

pub fn read_psa(bytes: &[u8], chunks: &[Chunk]) -> Psa {
    Psa {
        type_flag: chunks.first().map_or(0, |c| c.type_flag),
        bones: read_chosen(bytes, chunks, ChunkKind::Bones, bone),
        sequences: read_chosen(bytes, chunks, ChunkKind::AnimInfo, sequence),
        keys: read_chosen(bytes, chunks, ChunkKind::AnimKeys, |r: &[u8; 32]| AnimKey {
            position: f32s_at(r, 0),
            rotation: f32s_at(r, 12),
            time: f32_at(r, 28),
        }),
        scale_keys: read_chosen(bytes, chunks, ChunkKind::ScaleKeys, |r: &[u8; 16]| ScaleKey {
            scale: f32s_at(r, 0),
            time: f32_at(r, 12),
        }),
        flags: read_chosen(bytes, chunks, ChunkKind::AnimFlags, |r: &[u8; 1]| u8_at(r, 0)),
        curves: chunks.iter().filter(|c| c.kind == ChunkKind::Curves).map(|c| curves(bytes, c)).collect(),
    }
}

fn sequence(record: &[u8; 168]) -> AnimInfo {
    AnimInfo {
        name: text_at::<64>(record, 0),
        group: text_at::<64>(record, 64),
        total_bones: i32_at(record, 128),
        scale_include: i32_at(record, 132),
        key_compression_style: i32_at(record, 136),
        key_quotum: i32_at(record, 140),
        key_reduction: f32_at(record, 144),
        track_time: f32_at(record, 148),
        rate_hz: f32_at(record, 152),
        start_bone: i32_at(record, 156),
        first_raw_frame: i32_at(record, 160),
        raw_frames: i32_at(record, 164),
    }
}

fn curves(bytes: &[u8], chunk: &Chunk) -> CurveChunk {
    let rows = chunk.body(bytes).chunks_exact(chunk.stride.max(1)).take(if chunk.readable { chunk.count } else { 0 });
    CurveChunk {
        sequence: chunk.id.strip_suffix(":CUR").unwrap_or(&chunk.id).to_owned(),
        curves: rows
            .map(|row| Curve {
                name: text_at::<CURVE_NAME_SIZE>(row, 0),
                values: row
                    .get(CURVE_NAME_SIZE..)
                    .map(|values| values.as_chunks::<4>().0.iter().map(|v| f32::from_le_bytes(*v)).collect())
                    .unwrap_or_default(),
            })
            .collect(),
    }
}
