//! The chunks of a mesh file (formats/actorx.md §2).

use super::{
    Face, Matt, MorphData, MorphInfo, Psk, RawWeight, SkelSock, Wedge,
    chosen::{bone, chosen, read_chosen},
    codes,
    container::{Chunk, ChunkKind, Findings, Place, f32_at, f32s_at, i32_at, records, text_at, u8_at, u16_at, u32_at},
};
use crate::bytes::numbers::{counted, grouped};

/// Points that 16 bits can reach: up to here the high half of a wedge's point index may be garbage.
const NARROW_POINTS: usize = 1 << 16;

/// Whether wedges use only the low half of their point index.
pub fn narrow_points(point_count: usize) -> bool {
    point_count <= NARROW_POINTS
}

pub fn read_psk(bytes: &[u8], chunks: &[Chunk], findings: &mut Findings) -> Psk {
    let points = read_chosen(bytes, chunks, ChunkKind::Points, |r: &[u8; 12]| f32s_at(r, 0));
    Psk {
        type_flag: chunks.first().map_or(0, |c| c.type_flag),
        wedges: wedges(bytes, chunks, points.len()),
        points,
        faces: faces(bytes, chunks),
        materials: read_chosen(bytes, chunks, ChunkKind::Materials, material),
        bones: read_chosen(bytes, chunks, ChunkKind::Bones, bone),
        weights: read_chosen(bytes, chunks, ChunkKind::Weights, |r: &[u8; 12]| RawWeight {
            weight: f32_at(r, 0),
            point: i32_at(r, 4),
            bone: i32_at(r, 8),
        }),
        colors: read_chosen(bytes, chunks, ChunkKind::Colors, |r: &[u8; 4]| *r),
        extra_uvs: extra_uvs(bytes, chunks),
        normals: read_chosen(bytes, chunks, ChunkKind::Normals, |r: &[u8; 12]| f32s_at(r, 0)),
        morphs: morphs(bytes, chunks, findings),
        sockets: read_chosen(bytes, chunks, ChunkKind::Sockets, socket),
    }
}

fn wedges(bytes: &[u8], chunks: &[Chunk], point_count: usize) -> Vec<Wedge> {
    let index = chosen(chunks, |k| k == ChunkKind::Wedges);
    let Some(chunk) = index.and_then(|i| chunks.get(i)).filter(|c| c.readable) else { return Vec::new() };
    let body = chunk.body(bytes);
    let narrow = narrow_points(point_count);
    if chunk.stride == 12 {
        return records(body, chunk.stride, |r: &[u8; 12]| Wedge {
            point: u32::from(u16_at(r, 0)),
            uv: f32s_at(r, 2),
            material: u8_at(r, 10),
        });
    }
    records(body, chunk.stride, |r: &[u8; 16]| Wedge {
        point: if narrow { u32::from(u16_at(r, 0)) } else { u32_at(r, 0) },
        uv: f32s_at(r, 4),
        material: u8_at(r, 12),
    })
}

fn faces(bytes: &[u8], chunks: &[Chunk]) -> Vec<Face> {
    let index = chosen(chunks, |k| matches!(k, ChunkKind::NarrowFaces | ChunkKind::WideFaces));
    let Some(chunk) = index.and_then(|i| chunks.get(i)).filter(|c| c.readable) else { return Vec::new() };
    let body = chunk.body(bytes);
    match (chunk.kind, chunk.stride) {
        (ChunkKind::WideFaces, 20..) => records(body, chunk.stride, |r: &[u8; 20]| wide_face(r, 16)),
        (ChunkKind::WideFaces, _) => records(body, chunk.stride, |r: &[u8; 18]| wide_face(r, 14)),
        _ => records(body, chunk.stride, |r: &[u8; 12]| Face {
            wedges: [u16_at(r, 0).into(), u16_at(r, 2).into(), u16_at(r, 4).into()],
            material: u8_at(r, 6),
            aux_material: u8_at(r, 7),
            smoothing_groups: u32_at(r, 8),
        }),
    }
}

#[inline(always)]
fn wide_face(record: &[u8], smoothing_at: usize) -> Face {
    Face {
        wedges: [u32_at(record, 0), u32_at(record, 4), u32_at(record, 8)],
        material: u8_at(record, 12),
        aux_material: u8_at(record, 13),
        smoothing_groups: u32_at(record, smoothing_at),
    }
}

fn material(record: &[u8; 88]) -> Matt {
    Matt {
        name: text_at::<64>(record, 0),
        texture_index: i32_at(record, 64),
        poly_flags: u32_at(record, 68),
        aux_material: i32_at(record, 72),
        aux_flags: u32_at(record, 76),
        lod_bias: i32_at(record, 80),
        lod_style: i32_at(record, 84),
    }
}

/// The sets in the order of their numbers.
fn extra_uvs(bytes: &[u8], chunks: &[Chunk]) -> Vec<Vec<[f32; 2]>> {
    let mut numbers: Vec<u8> =
        chunks.iter().filter_map(|c| if let ChunkKind::ExtraUvs(n) = c.kind { Some(n) } else { None }).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let sets =
        numbers.into_iter().map(|n| read_chosen(bytes, chunks, ChunkKind::ExtraUvs(n), |r: &[u8; 8]| f32s_at(r, 0)));
    sets.filter(|set| !set.is_empty()).collect()
}

/// MRPHINFO, each with its part of MRPHDATA.
fn morphs(bytes: &[u8], chunks: &[Chunk], findings: &mut Findings) -> Vec<MorphInfo> {
    let mut morphs = read_chosen(bytes, chunks, ChunkKind::MorphInfo, |r: &[u8; 68]| MorphInfo {
        name: text_at::<64>(r, 0),
        count: i32_at(r, 64),
        data: Vec::new(),
    });
    let data = read_chosen(bytes, chunks, ChunkKind::MorphData, |r: &[u8; 28]| MorphData {
        position: f32s_at(r, 0),
        normal: f32s_at(r, 12),
        point: i32_at(r, 24),
    });
    let promised: u64 = morphs.iter().map(|m| u64::try_from(m.count).unwrap_or(0)).sum();
    if promised != data.len() as u64 || morphs.iter().any(|m| m.count < 0) {
        let kind = if morphs.is_empty() { ChunkKind::MorphData } else { ChunkKind::MorphInfo };
        let index = chosen(chunks, |k| k == kind);
        findings.add(
            &codes::MORPH_COUNT,
            index.map_or(Place::File, Place::Chunk),
            index.and_then(|i| chunks.get(i)).map(|c| c.offset),
            format!("the morphs need {}, but MRPHDATA has {}", counted(promised, "record"), grouped(data.len())),
        );
    }
    let mut rest = data.as_slice();
    for morph in &mut morphs {
        let count = usize::try_from(morph.count).unwrap_or(0).min(rest.len());
        let (own, others) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        morph.data = own.to_vec();
        rest = others;
    }
    morphs
}

fn socket(record: &[u8; 164]) -> SkelSock {
    SkelSock {
        name: text_at::<64>(record, 0),
        bone: text_at::<64>(record, 64),
        location: f32s_at(record, 128),
        rotation_degrees: f32s_at(record, 140),
        scale: f32s_at(record, 152),
    }
}
