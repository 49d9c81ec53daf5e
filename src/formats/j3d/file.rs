//! The file header, the kinds of files, and where the chunks are (formats/j3d.md §1).

pub use crate::formats::{
    findings::Findings,
    structure::{Part, Structure as ChunkData},
};

use super::{codes, padding::OPAQUE};
use crate::{
    bytes::{Endian, Source, numbers::counted},
    formats::{
        FormatInfo, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::ops::Range;

/// Bytes of the file header: the first chunk follows.
pub const HEADER_SIZE: u64 = 0x20;

/// Where the header says where the sounds are, in bytes from the start of the file.
pub const SOUND_OFFSET_AT: u64 = 0x1C;

/// Chunks that are looked for in a file; real ones have nine.
const MAX_CHUNKS: usize = 256;

/// What a file shows as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// A model, from BMD or BDL files.
    Model,
    /// Of joints.
    Clip,
    /// Of materials, shapes or vertex colours.
    SurfaceClip,
}

/// One kind of J3D file.
#[derive(Debug)]
pub struct FileKind {
    /// Description of the format.
    pub info: FormatInfo,
    /// The first eight bytes.
    pub magics: &'static [&'static [u8; 8]],
    /// Kind of content that the file is shown as.
    pub shows: Shows,
    /// Class of the file's own entry: `Bck`.
    pub class: &'static str,
}

/// Of every format here.
pub const FAMILY: &str = "J3D";
const MODELS: &[&str] = &["bmd", "bdl"];
const ANIMATIONS: &[&str] =
    &["bck", "bca", "btk", "btp", "brk", "bpk", "bpa", "bva", "blk", "bla", "bxk", "bxa", "bmt", "bas"];

macro_rules! kinds {
    ($($name:ident: $id:literal, $text:literal, $class:literal, $shows:ident, [$($magic:literal),*], $companions:ident;)*) => {
        $(#[doc = concat!("Files `.", $id, "`: ", $text, ".")]
        pub static $name: FileKind = FileKind {
            info: FormatInfo {
                id: $id,
                name: $text,
                family: FAMILY,
                extensions: &[$id],
                companions: $companions,
                opaque: OPAQUE,
                codes: codes::CODES,
                metres: 1.0,
            },
            magics: &[$($magic),*],
            shows: Shows::$shows,
            class: $class,
        };)*
    };
}

kinds! {
    BMD: "bmd", "J3D model", "Bmd", Model, [b"J3D2bmd3", b"J3D2bmd2"], ANIMATIONS;
    BDL: "bdl", "J3D model with command lists", "Bdl", Model, [b"J3D2bdl4", b"J3D2bdl3"], ANIMATIONS;
    BMT: "bmt", "J3D material set", "Bmt", SurfaceClip, [b"J3D2bmt3", b"J3D2bmt2"], MODELS;
    BCK: "bck", "J3D skeletal animation", "Bck", Clip, [b"J3D1bck1"], MODELS;
    BCA: "bca", "J3D skeletal animation (one key per frame)", "Bca", Clip, [b"J3D1bca1"], MODELS;
    BTK: "btk", "J3D texture-matrix animation", "Btk", SurfaceClip, [b"J3D1btk1"], MODELS;
    BTP: "btp", "J3D texture animation", "Btp", SurfaceClip, [b"J3D1btp1"], MODELS;
    BRK: "brk", "J3D colour-register animation", "Brk", SurfaceClip, [b"J3D1brk1"], MODELS;
    BPK: "bpk", "J3D material-colour animation", "Bpk", SurfaceClip, [b"J3D1bpk1"], MODELS;
    BPA: "bpa", "J3D material-colour animation (one key per frame)", "Bpa", SurfaceClip, [b"J3D1bpa1"], MODELS;
    BVA: "bva", "J3D visibility animation", "Bva", SurfaceClip, [b"J3D1bva1"], MODELS;
    BLK: "blk", "J3D cluster animation", "Blk", SurfaceClip, [b"J3D1blk1"], MODELS;
    BLA: "bla", "J3D cluster animation (one key per frame)", "Bla", SurfaceClip, [b"J3D1bla1"], MODELS;
    BXK: "bxk", "J3D vertex-colour animation", "Bxk", SurfaceClip, [b"J3D1bxk1"], MODELS;
    BXA: "bxa", "J3D vertex-colour animation (one key per frame)", "Bxa", SurfaceClip, [b"J3D1bxa1"], MODELS;
}

/// Why a file that starts like this cannot be opened, where that is known (§1).
pub fn refusal(magic: &[u8]) -> Option<String> {
    if magic.starts_with(b"J3D1bmd1") {
        Some("“J3D1bmd1” is an early version of the format (GameCube system menu), which is not supported".to_owned())
    } else if magic.starts_with(b"BMD0") {
        Some("“BMD0” is a Nintendo DS model (NITRO), a different format with the same extension".to_owned())
    } else {
        None
    }
}

/// The file header.
#[derive(Clone, Debug)]
pub struct FileHeader {
    pub magic: [u8; 8],
    /// As stated; it may exceed the real size.
    pub size: u32,
    pub chunk_count: u32,
    /// What wrote the file, or 0xFF.
    pub subversion: [u8; 12],
    /// Where sound data begins (BCK), or 0xFFFFFFFF. Other tools write anything here: [`FileHeader::sounds`].
    pub sound_offset: u32,
}

impl FileHeader {
    /// Where sound data begins. The games' tools write it behind a tag (`SVR1`, `SVR3`); without one the number means nothing.
    pub fn sounds(&self) -> Option<u32> {
        let is_there = self.subversion.starts_with(b"SVR") && !matches!(self.sound_offset, 0 | u32::MAX);
        is_there.then_some(self.sound_offset)
    }
}

/// Where a chunk is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkSpan {
    pub tag: [u8; 4],
    /// From its tag to its end, inside the file.
    pub range: Range<u64>,
}

impl ChunkSpan {
    /// The tag as text.
    pub fn name(&self) -> String {
        self.tag.escape_ascii().to_string()
    }
}

pub fn read_header(r: &mut FieldReader<'_>) -> Result<FileHeader, Fault> {
    let magic = r.tag::<8>("Magic")?;
    let size = r.u32("FileSize")?;
    let chunk_count = r.u32("ChunkCount")?;
    let subversion = {
        let at = r.offset();
        let bytes = r.raw().array::<12>()?;
        r.record("Subversion", "char[12]", at, || match bytes.iter().position(|b| *b == 0xFF) {
            Some(0) => Value::Raw,
            end => Value::Text(bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default().escape_ascii().to_string()),
        });
        bytes
    };
    let sound_offset = r.named_u32("SoundOffset", |offset| (offset == u32::MAX).then_some("none"))?;
    Ok(FileHeader { magic, size, chunk_count, subversion, sound_offset })
}

/// A reader of the whole file.
pub fn reader(source: &Source) -> FieldReader<'_> {
    FieldReader::new(source, 0..source.len() as u64, Endian::Big)
}

/// Follows the chunks from one to the next. Sizes that lie are cut to the file (§0).
pub fn chunks(source: &Source, header: &FileHeader, findings: &mut Findings) -> Vec<ChunkSpan> {
    let end = source.len() as u64;
    if u64::from(header.size) != end {
        let message = format!("the header specifies {} bytes, but the file has {end}", header.size);
        findings.add(&codes::FILE_SIZE, Some(8), message);
    }
    let mut spans: Vec<ChunkSpan> = Vec::new();
    let mut at = HEADER_SIZE;
    let wanted = usize::try_from(header.chunk_count).unwrap_or(usize::MAX).min(MAX_CHUNKS);
    while spans.len() < wanted {
        let mut r = FieldReader::new(source, at..end, Endian::Big);
        let (Ok(tag), Ok(size)) = (r.tag::<4>("Tag"), r.u32("Size")) else {
            let chunks = counted(header.chunk_count, "chunk");
            let message = format!("{chunks} specified, but only {} found", spans.len());
            findings.add(&codes::CHUNK_COUNT, Some(at), message);
            break;
        };
        if size < 8 {
            let message = format!("the chunk at offset {at} has an invalid size of {size} bytes");
            findings.add(&codes::BAD_CHUNK, Some(at.saturating_add(4)), message);
            break;
        }
        let next = at.saturating_add(u64::from(size));
        if next > end {
            let message = format!(
                "“{}” ends {} past the end of the file",
                tag.escape_ascii(),
                counted(next.saturating_sub(end), "byte")
            );
            findings.add(&codes::CHUNK_SIZE, Some(at.saturating_add(4)), message);
        }
        // A texture-matrix animation leaves the padding behind it out of its size.
        let is_last = spans.len().saturating_add(1) == wanted;
        let range_end = if &tag == b"TTK1" && is_last { end } else { next.min(end) };
        spans.push(ChunkSpan { tag, range: at..range_end });
        if next >= end {
            if spans.len() < wanted {
                let chunks = counted(header.chunk_count, "chunk");
                let message = format!("{chunks} specified, but only {} found", spans.len());
                findings.add(&codes::CHUNK_COUNT, Some(12), message);
            }
            break;
        }
        at = next;
    }
    spans
}

/// Reads a chunk into its structure.
pub type ReadChunk = fn(&mut FieldReader<'_>, &mut Findings) -> Result<Box<dyn ChunkData>, Fault>;

/// How a kind of chunk is read. The reader's range is the chunk, from its tag on; the header (tag and size) is read already.
pub struct ChunkKind {
    pub tag: &'static [u8; 4],
    pub read: ReadChunk,
}
