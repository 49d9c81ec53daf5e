//! Bytes to structures, with what was found wrong.

use super::{
    Psa, Psk,
    chosen::chosen,
    chunk_anim::read_psa,
    chunk_mesh::read_psk,
    codes,
    container::{Chunk, ChunkKind, Findings, HEADER_SIZE, Place, chunks},
};
use crate::bytes::numbers::counted;

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
