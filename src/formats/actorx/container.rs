//! The flat list of chunks that both kinds of file are (formats/actorx.md §1).

use super::{Bone, codes};
use crate::{
    bytes::{numbers::counted, text},
    formats::Code,
};

/// Bytes of a chunk header.
pub const HEADER_SIZE: usize = 32;
/// Bytes of ChunkID.
pub const ID_SIZE: usize = 20;

/// What a chunk holds, whatever alias its id is spelled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChunkKind {
    /// ACTRHEAD.
    MeshHead,
    /// ANIMHEAD.
    AnimHead,
    /// PNTS0000: positions in bind pose.
    Points,
    /// VTXW0000 or VTXW3200: corners (formats/actorx.md §2.1).
    Wedges,
    /// FACE0000.
    NarrowFaces,
    /// FACE3200.
    WideFaces,
    /// MATT0000 (formats/actorx.md §2.3).
    Materials,
    /// REFSKELT or BONENAMES.
    Bones,
    /// RAWWEIGHTS or RAWW0000: influences (formats/actorx.md §6).
    Weights,
    /// VERTEXCOLOR: one colour per wedge (formats/actorx.md §2.5).
    Colors,
    /// EXTRAUVS with its number.
    ExtraUvs(u8),
    /// VTXNORMS (formats/actorx.md §2.6).
    Normals,
    /// MRPHINFO: names of morphs and their record counts.
    MorphInfo,
    /// MRPHDATA: deltas of morphs (formats/actorx.md §2.7).
    MorphData,
    /// SKELSOCK (formats/actorx.md §2.8).
    Sockets,
    /// ANIMINFO: sequences (formats/actorx.md §3.1).
    AnimInfo,
    /// ANIMKEYS (formats/actorx.md §3.1).
    AnimKeys,
    /// SCALEKEYS (formats/actorx.md §3.2).
    ScaleKeys,
    /// ANIMFLAGS: one byte per sequence and bone (formats/actorx.md §3.4).
    AnimFlags,
    /// `<name>:CUR`.
    Curves,
    /// Any other ID.
    Unknown,
}

impl ChunkKind {
    /// The kind that an id (text up to the first NUL) names.
    pub fn of(id: &[u8]) -> Self {
        match id {
            b"ACTRHEAD" => Self::MeshHead,
            b"ANIMHEAD" => Self::AnimHead,
            b"PNTS0000" => Self::Points,
            b"VTXW0000" | b"VTXW3200" => Self::Wedges,
            b"FACE0000" => Self::NarrowFaces,
            b"FACE3200" => Self::WideFaces,
            b"MATT0000" => Self::Materials,
            b"REFSKELT" | b"REFSKEL0" | b"BONENAMES" => Self::Bones,
            b"RAWW0000" => Self::Weights,
            b"VERTEXCOLOR" => Self::Colors,
            b"VTXNORMS" => Self::Normals,
            b"MRPHINFO" => Self::MorphInfo,
            b"MRPHDATA" => Self::MorphData,
            b"SKELSOCK" => Self::Sockets,
            b"ANIMINFO" => Self::AnimInfo,
            b"ANIMKEYS" => Self::AnimKeys,
            b"SCALEKEYS" => Self::ScaleKeys,
            b"ANIMFLAGS" => Self::AnimFlags,
            _ if id.starts_with(b"RAWWEIGH") => Self::Weights,
            _ if id.ends_with(b":CUR") => Self::Curves,
            _ => extra_uvs(id).map_or(Self::Unknown, Self::ExtraUvs),
        }
    }

    /// The fewest bytes that a record must have to be read.
    pub fn smallest_record(self) -> usize {
        match self {
            Self::MeshHead | Self::AnimHead | Self::Unknown => 0,
            Self::Points | Self::Wedges | Self::NarrowFaces | Self::Weights | Self::Normals => 12,
            Self::WideFaces => 18,
            Self::Materials => 88,
            Self::Bones => 120,
            Self::Colors => 4,
            Self::ExtraUvs(_) => 8,
            Self::MorphInfo => 68,
            Self::MorphData => 28,
            Self::Sockets => 164,
            Self::AnimInfo => 168,
            Self::AnimKeys => 32,
            Self::ScaleKeys => 16,
            Self::AnimFlags => 1,
            Self::Curves => 128,
        }
    }

    /// Whether a record of this size can be read.
    fn accepts(self, stride: usize) -> bool {
        // Between the two wedge layouts (12 unpadded, 16 as every writer makes it) lies nothing.
        stride >= self.smallest_record() && !(self == Self::Wedges && (13..16).contains(&stride))
    }
}

/// EXTRAUVS0, EXTRAUV0, EXTRAUVS: the number of the set.
fn extra_uvs(id: &[u8]) -> Option<u8> {
    let rest = id.strip_prefix(b"EXTRAUV")?;
    let number = rest.strip_prefix(b"S").unwrap_or(rest);
    if number.is_empty() { Some(0) } else { std::str::from_utf8(number).ok()?.parse().ok() }
}

/// One chunk: its header and the records that are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Text of ChunkID up to the first NUL.
    pub id: String,
    /// Bytes of ChunkID before the first NUL.
    pub id_len: usize,
    /// Contents of the chunk, from its ID.
    pub kind: ChunkKind,
    /// TypeFlag as stored: the version in the first chunk, without meaning in later ones (formats/actorx.md §1).
    pub type_flag: i32,
    /// DataSize, bytes of a record.
    pub stride: usize,
    /// Whole records that are there; the header may promise others.
    pub count: usize,
    /// Of the header, in bytes.
    pub offset: usize,
    /// Header and body, in bytes; a broken last record is not in it.
    pub size: usize,
    /// Whether its records can be read.
    pub readable: bool,
}

impl Chunk {
    /// Returns the offset of the first record, in bytes from the start of the file.
    pub fn body_offset(&self) -> usize {
        self.offset.saturating_add(HEADER_SIZE)
    }

    /// The bytes of the whole records.
    pub fn body<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let end = self.body_offset().saturating_add(self.stride.saturating_mul(self.count));
        bytes.get(self.body_offset()..end).unwrap_or_default()
    }
}

/// Where something was found wrong: becomes an entry once there is an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The whole file.
    File,
    /// Into the list of chunks.
    Chunk(usize),
    /// The chunk that counts for a kind.
    Of(ChunkKind),
    /// A bone of the chunk of bones.
    Bone(usize),
    /// A sequence of ANIMINFO.
    Sequence(usize),
}

/// Something wrong, found while parsing.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Diagnostic code of the finding.
    pub code: &'static Code,
    /// The part of the file that the finding is about.
    pub place: Place,
    /// Bytes from the start of the file.
    pub offset: Option<u64>,
    /// One plain sentence.
    pub message: String,
}

/// What parsing found wrong, in the order it was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Findings in the order in which they were added.
    pub list: Vec<Finding>,
}

impl Findings {
    /// Adds a finding. `offset`: bytes from the start of the file.
    pub fn add(&mut self, code: &'static Code, place: Place, offset: Option<usize>, message: String) {
        self.list.push(Finding { code, place, offset: offset.map(|o| o as u64), message });
    }
}

/// Splits a file into its chunks. Where a header is damaged, looks for the next known one.
pub fn chunks(bytes: &[u8], findings: &mut Findings) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut at = 0_usize;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let place = Place::Chunk(chunks.len());
        let Some((header, body)) = rest.split_first_chunk::<HEADER_SIZE>() else {
            findings.add(
                &codes::TRUNCATED_HEADER,
                Place::File,
                Some(at),
                format!("{} left, but a chunk header needs 32", counted(rest.len(), "byte")),
            );
            break;
        };
        let header = Header::new(header);
        let (stride, promised) = match header.sizes() {
            Ok(sizes) => sizes,
            Err(message) => {
                let next = next_known(bytes, at.saturating_add(1));
                let stride = header.stride_alone().filter(|_| next.is_some());
                let place = if stride.is_some() { place } else { Place::File };
                findings.add(&codes::BAD_HEADER, place, Some(at), message);
                match (stride, next) {
                    // A chunk whose count alone is damaged is read up to the next one.
                    (Some(stride), _) => (stride, usize::MAX),
                    (None, Some(next)) => {
                        at = next;
                        continue;
                    }
                    (None, None) => break,
                }
            }
        };
        let kind = ChunkKind::of(header.id);
        // Where the chunk ends: its promise, the next chunk where that comes early, or the end of the file.
        let overruns = (promised as u64).saturating_mul(stride as u64) > body.len() as u64;
        let body_at = at.saturating_add(HEADER_SIZE);
        let early = match kind {
            _ if overruns => next_known(bytes, body_at).map(|next| next.saturating_sub(body_at)),
            // CUE4Parse counts morphs and sockets that it then leaves out.
            ChunkKind::MorphInfo | ChunkKind::Sockets => early_end(body, stride, promised),
            _ => None,
        };
        let room = early.unwrap_or(body.len());
        let count = promised.min(room.checked_div(stride).unwrap_or(0));
        let used = stride.saturating_mul(count);
        let size = HEADER_SIZE.saturating_add(used);
        if promised == usize::MAX {
            // Its header was reported already.
        } else if early == Some(used) {
            let message =
                format!("{} specifies {}, but contains only {count}", header.text(), counted(promised, "record"));
            findings.add(&codes::CHUNK_COUNT, place, Some(at), message);
        } else if overruns {
            let message = format!(
                "{} specifies {} of {stride} bytes, but only {room} bytes are left: {} kept",
                header.text(),
                counted(promised, "record"),
                counted(count, "record")
            );
            findings.add(&codes::TRUNCATED_CHUNK, place, Some(at), message);
        }
        let readable = kind.accepts(stride);
        if !readable && promised > 0 {
            let message = format!("the records of {} are too short ({})", header.text(), counted(stride, "byte"));
            findings.add(&codes::BAD_STRIDE, place, Some(at), message);
        }
        if kind == ChunkKind::Unknown {
            let message = format!("unknown chunk {} ({})", header.text(), counted(size.saturating_sub(32), "byte"));
            findings.add(&codes::UNKNOWN_CHUNK, place, Some(at), message);
        }
        chunks.push(Chunk {
            id: header.text(),
            id_len: header.id.len(),
            kind,
            type_flag: header.type_flag,
            stride,
            count,
            offset: at,
            size,
            readable,
        });
        at = match early {
            Some(next) => body_at.saturating_add(next),
            None if overruns => break,
            None => at.saturating_add(size),
        };
    }
    chunks
}

/// A header, taken apart but not trusted.
struct Header<'a> {
    /// ChunkID up to the first NUL.
    id: &'a [u8],
    type_flag: i32,
    data_size: i32,
    data_count: i32,
}

impl<'a> Header<'a> {
    fn new(header: &'a [u8; HEADER_SIZE]) -> Self {
        let field = header.get(..ID_SIZE).unwrap_or_default();
        Self {
            id: field.split(|b| *b == 0).next().unwrap_or_default(),
            type_flag: i32_at(header, 20),
            data_size: i32_at(header, 24),
            data_count: i32_at(header, 28),
        }
    }

    fn text(&self) -> String {
        text::decode_field(self.id)
    }

    /// DataSize, where the chunk is known and it fits.
    fn stride_alone(&self) -> Option<usize> {
        let kind = ChunkKind::of(self.id);
        usize::try_from(self.data_size).ok().filter(|s| *s > 0 && kind != ChunkKind::Unknown && kind.accepts(*s))
    }

    /// DataSize and DataCount, or what is wrong.
    fn sizes(&self) -> Result<(usize, usize), String> {
        if self.id.is_empty() || self.id.iter().any(|b| *b < 0x20) {
            return Err("invalid chunk ID".to_owned());
        }
        match (usize::try_from(self.data_size), usize::try_from(self.data_count)) {
            (Ok(size), Ok(count)) => Ok((size, count)),
            _ => Err(format!(
                "{} has an invalid size: {} records of {} bytes",
                self.text(),
                self.data_count,
                self.data_size
            )),
        }
    }
}

/// Whether a header of a known chunk, with a record size of that chunk, stands at the start of `bytes`.
fn begins_known_chunk(bytes: &[u8]) -> bool {
    let Some(header) = bytes.first_chunk::<HEADER_SIZE>() else { return false };
    // Most bytes are no capital letter: out quickly.
    if !header.first().is_some_and(u8::is_ascii_uppercase) {
        return false;
    }
    let header = Header::new(header);
    let kind = ChunkKind::of(header.id);
    if matches!(kind, ChunkKind::Unknown | ChunkKind::Curves) {
        return false;
    }
    header.sizes().is_ok_and(|(stride, count)| {
        let head = matches!(kind, ChunkKind::MeshHead | ChunkKind::AnimHead);
        (head && stride == 0 && count == 0) || (!head && kind.accepts(stride) && stride < 4096)
    })
}

/// Bytes of a body before the next known chunk, where that begins before `promised` records are through.
fn early_end(body: &[u8], stride: usize, promised: usize) -> Option<usize> {
    let room = body.len().checked_div(stride)?;
    let starts = (0..promised.min(room)).map(|i| i.saturating_mul(stride));
    { starts }.find(|start| body.get(*start..).is_some_and(begins_known_chunk))
}

/// Where the next known chunk begins.
fn next_known(bytes: &[u8], from: usize) -> Option<usize> {
    let windows = bytes.get(from..)?.windows(HEADER_SIZE);
    windows.enumerate().find(|(_, window)| begins_known_chunk(window)).map(|(i, _)| from.saturating_add(i))
}

/// `K` bytes of a record; zeros past its end.
#[inline(always)]
fn array_at<const K: usize>(record: &[u8], at: usize) -> [u8; K] {
    record.get(at..).and_then(|rest| rest.first_chunk::<K>()).copied().unwrap_or([0; K])
}

#[inline(always)]
pub fn u8_at(record: &[u8], at: usize) -> u8 {
    record.get(at).copied().unwrap_or(0)
}

#[inline(always)]
pub fn u16_at(record: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array_at(record, at))
}

#[inline(always)]
pub fn u32_at(record: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(record, at))
}

#[inline(always)]
pub fn i32_at(record: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(array_at(record, at))
}

#[inline(always)]
pub fn f32_at(record: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(array_at(record, at))
}

/// `K` floats in a row.
#[inline(always)]
pub fn f32s_at<const K: usize>(record: &[u8], at: usize) -> [f32; K] {
    std::array::from_fn(|i| f32_at(record, at.saturating_add(i.saturating_mul(4))))
}

/// A text field of `K` bytes.
pub fn text_at<const K: usize>(record: &[u8], at: usize) -> String {
    text::decode_field(&array_at::<K>(record, at))
}

/// Every record of a chunk, each at least `N` bytes. Records of exactly `N` bytes, the usual case, are read in one sweep.
pub fn records<const N: usize, T>(body: &[u8], stride: usize, read: impl Fn(&[u8; N]) -> T) -> Vec<T> {
    if stride == N {
        body.as_chunks::<N>().0.iter().map(read).collect()
    } else {
        body.chunks_exact(stride.max(1)).filter_map(|record| record.first_chunk::<N>()).map(read).collect()
    }
}

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
