//! Reads the chunks of mesh files and animation files into structures, and collects findings (formats/actorx.md §2,
//! §3).

use super::{
    AnimInfo, AnimKey, Curve, CurveChunk, Face, Matt, MorphData, MorphInfo, Psa, Psk, RawWeight, ScaleKey, SkelSock,
    Wedge, codes,
    container::{
        Chunk, ChunkKind, Findings, HEADER_SIZE, Place, bone, chosen, chunks, f32_at, f32s_at, i32_at, read_chosen,
        records, text_at, u8_at, u16_at, u32_at,
    },
};
use crate::bytes::numbers::{counted, grouped};

/// A file taken apart: its structures, the chunks they came from, and what was wrong.
#[derive(Clone, Debug)]
pub struct Parsed<T> {
    /// Decoded structures of the file.
    pub value: T,
    /// In file order.
    pub chunks: Vec<Chunk>,
    /// Problems found while parsing.
    pub findings: Findings,
}

impl<T> Parsed<T> {
    /// The chunk that counts for a kind: the first that is not empty, or the first. It is where the value came from.
    pub fn chosen(&self, fits: impl Fn(ChunkKind) -> bool) -> Option<usize> {
        chosen(&self.chunks, fits)
    }
}

/// Reads a mesh file.
///
/// # Errors
/// One sentence when the bytes do not start as a mesh file.
pub fn parse_psk(bytes: &[u8]) -> Result<Parsed<Psk>, String> {
    check_start(bytes, b"ACTRHEAD")?;
    let mut findings = Findings::default();
    let chunks = chunks(bytes, &mut findings);
    report_chunks(&chunks, &mut findings);
    let value = read_psk(bytes, &chunks, &mut findings);
    if value.points.is_empty() && value.bones.is_empty() {
        findings.add(&codes::EMPTY, Place::File, None, "the file has no points and no bones".to_owned());
    }
    Ok(Parsed { value, chunks, findings })
}

/// Reads an animation file.
///
/// # Errors
/// One sentence when the bytes do not start as an animation file.
pub fn parse_psa(bytes: &[u8]) -> Result<Parsed<Psa>, String> {
    check_start(bytes, b"ANIMHEAD")?;
    let mut findings = Findings::default();
    let chunks = chunks(bytes, &mut findings);
    report_chunks(&chunks, &mut findings);
    let value = read_psa(bytes, &chunks);
    if value.sequences.is_empty() {
        findings.add(&codes::EMPTY, Place::File, None, "the file has no sequences".to_owned());
    }
    Ok(Parsed { value, chunks, findings })
}

/// Whether a file starts with this chunk.
pub fn starts_with(bytes: &[u8], id: &[u8; 8]) -> bool {
    bytes.starts_with(id) && bytes.get(8).is_none_or(|b| *b == 0)
}

fn check_start(bytes: &[u8], id: &[u8; 8]) -> Result<(), String> {
    let wanted = String::from_utf8_lossy(id);
    if bytes.is_empty() {
        return Err("the file is empty (0 bytes)".to_owned());
    }
    if !starts_with(bytes, id) {
        let start: Vec<String> = bytes.iter().take(8).map(|b| format!("{b:02X}")).collect();
        return Err(format!("{wanted} expected at offset 0, {} found", start.join(" ")));
    }
    if bytes.len() < HEADER_SIZE {
        return Err(format!("the file has only {}, but the header of {wanted} needs 32", counted(bytes.len(), "byte")));
    }
    Ok(())
}

/// Chunks that occur again, and records that are longer than known.
fn report_chunks(chunks: &[Chunk], findings: &mut Findings) {
    let mut seen = std::collections::HashMap::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let place = Place::Chunk(index);
        let repeats = !matches!(chunk.kind, ChunkKind::Unknown | ChunkKind::Curves);
        // CUE4Parse writes the head twice.
        let head = matches!(chunk.kind, ChunkKind::MeshHead | ChunkKind::AnimHead);
        if repeats && !head && chunk.count > 0 {
            let kind = if chunk.kind == ChunkKind::WideFaces { ChunkKind::NarrowFaces } else { chunk.kind };
            if let Some(first) = seen.insert(kind, chunk.offset) {
                seen.insert(kind, first);
                let message = format!("{} occurs more than once; the one at offset {first} is used", chunk.id);
                findings.add(&codes::DUPLICATE_CHUNK, place, Some(chunk.offset), message);
            }
        }
        let known = known_size(chunk.kind, chunk.stride);
        if chunk.readable && chunk.count > 0 && known > 0 && chunk.stride > known {
            let message =
                format!("the records of {} have {} bytes, but the known layout has {known}", chunk.id, chunk.stride);
            findings.add(&codes::LONG_RECORD, place, Some(chunk.offset), message);
        }
    }
}

/// How many bytes of a record have a meaning; 0 where that follows from the record's size.
fn known_size(kind: ChunkKind, stride: usize) -> usize {
    match kind {
        ChunkKind::Wedges if stride >= 16 => 16,
        ChunkKind::WideFaces if stride >= 20 => 20,
        ChunkKind::Curves => 0,
        kind => kind.smallest_record(),
    }
}

/// Points that 16 bits can reach: up to here the high half of a wedge's point index may be garbage.
const NARROW_POINTS: usize = 1 << 16;

/// Whether wedges use only the low half of their point index.
pub fn narrow_points(point_count: usize) -> bool {
    point_count <= NARROW_POINTS
}

fn read_psk(bytes: &[u8], chunks: &[Chunk], findings: &mut Findings) -> Psk {
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

/// Bytes of a curve's name.
const CURVE_NAME_SIZE: usize = 128;

fn read_psa(bytes: &[u8], chunks: &[Chunk]) -> Psa {
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
