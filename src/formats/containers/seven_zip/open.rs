//! Finding and unpacking the header of a 7z archive (formats/containers.md §10).

use super::{
    super::{
        codes,
        contents::{Reading, Trouble},
        meter::PIECE,
    },
    coders::Stack,
    header::packed,
    streams::{SIGNATURE, Streams},
    table::invalid,
};
use crate::{
    bytes::{Endian, Source},
    formats::field_reader::{Fault, FieldReader},
};
use flate2::Crc;
use std::ops::Range;

pub const MAGIC: &[u8] = b"7z\xBC\xAF\x27\x1C";

/// Maximum number of times that a header is packed.
const MAX_LEVELS: usize = 4;
/// Maximum size of an unpacked header: this, and so many times the size of the file.
const HEADER_BASE: u64 = 1 << 20;
const HEADER_EACH: u64 = 16;

/// The signature header.
#[derive(Default)]
pub struct Signature {
    major: u8,
    minor: u8,
    /// CRC-32 of the fields after it.
    digest: u32,
    /// Offset of the header from the end of the signature header.
    offset: u64,
    size: u64,
    /// CRC-32 of the header.
    header_digest: u32,
}

impl Signature {
    pub fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        r.u8s::<6>("Magic")?;
        Ok(Self {
            major: r.u8("Major version")?,
            minor: r.u8("Minor version")?,
            digest: r.u32("Start header checksum")?,
            offset: r.u64("Header offset")?,
            size: r.u64("Header size")?,
            header_digest: r.u32("Header checksum")?,
        })
    }

    /// Range of the header in the file.
    pub fn header(&self) -> Range<u64> {
        let start = SIGNATURE.saturating_add(self.offset);
        start..start.saturating_add(self.size)
    }
}

/// The plain header of an archive.
pub struct Plain {
    /// Its bytes; none in an archive without members.
    pub bytes: Vec<u8>,
    /// Range in the file of the header, which may be packed.
    pub range: Range<u64>,
    /// True if the plain bytes are those of the file.
    pub is_stored: bool,
}

/// Reads the header of an archive, and unpacks it as often as it is packed.
///
/// # Errors
/// Returns an error if a checksum differs, or if the header is missing, damaged, encrypted or larger than the limits.
pub fn plain_header(source: &Source, cx: &Reading<'_>) -> Result<Plain, Trouble> {
    source.divide([SIGNATURE]);
    let mut r = FieldReader::new(source, 0..SIGNATURE, Endian::Little);
    let signature = Signature::read(&mut r)?;
    if !source.part(0..SIGNATURE).starts_with(MAGIC) {
        return Err(invalid(0, "the 7z signature is missing"));
    }
    if signature.major != 0 {
        let message = format!("format version {}.{} is not supported", signature.major, signature.minor);
        return Err(Trouble::new(&codes::UNSUPPORTED, 6, message));
    }
    check_sum(signature.digest, source.part(12..SIGNATURE))?;
    let range = signature.header();
    cx.check_table(signature.size, range.start)?;
    let header = source.slice(range.start, signature.size);
    let header = header.ok_or_else(|| {
        let end = source.len();
        let message = format!("the file list should end at offset {}, but the file ends at {end}", range.end);
        Trouble::new(&codes::TRUNCATED, end as u64, message)
    })?;
    let header = header.in_memory().map_err(|error| Trouble::new(&codes::TRUNCATED, 0, Source::read_failed(error)))?;
    let mut bytes = header.as_slice().to_vec();
    check_sum(signature.header_digest, &bytes)?;
    for level in 0..=MAX_LEVELS {
        let is_stored = level == 0;
        if bytes.is_empty() {
            return Ok(Plain { bytes, range, is_stored });
        }
        let streams = packed(&bytes, range.start, cx).map_err(|trouble| of_header(trouble, &range, is_stored))?;
        match streams {
            None => return Ok(Plain { bytes, range, is_stored }),
            Some(streams) => bytes = unpacked(source, &streams, cx).map_err(|t| of_header(t, &range, false))?,
        }
    }
    Err(invalid(range.start, format!("the file list is packed more than {MAX_LEVELS} times")))
}

/// Moves a trouble to the header's offset if the header was packed: its own bytes are then at no offset of the file.
pub fn of_header(trouble: Trouble, range: &Range<u64>, is_stored: bool) -> Trouble {
    if is_stored { trouble } else { Trouble { offset: range.start, ..trouble } }
}

/// Unpacks a header, the first block of its streams.
fn unpacked(source: &Source, streams: &Streams, cx: &Reading<'_>) -> Result<Vec<u8>, Trouble> {
    if streams.block_count() == 0 {
        return Err(invalid(0, "the packed file list has no data block"));
    }
    let size = streams.size(0);
    cx.check_table(size, 0)?;
    // Limits that a person lifted have no ratio.
    let each = if cx.limits.ratio == u64::MAX { u64::MAX } else { HEADER_EACH };
    let most = HEADER_BASE.saturating_add(each.saturating_mul(source.len() as u64));
    if size > most {
        let message = format!("the unpacked file list has {size} bytes. The limit for this file is {most} bytes");
        return Err(Trouble::new(&codes::TOO_LARGE, 0, message));
    }
    let mut stack = Stack::open(source, streams, 0, cx.limits).map_err(about_header)?;
    let mut bytes = Vec::new();
    let mut piece = vec![0; PIECE];
    while (bytes.len() as u64) < size {
        let wanted = usize::try_from(size.saturating_sub(bytes.len() as u64)).unwrap_or(PIECE).min(PIECE);
        let piece = piece.get_mut(..wanted).unwrap_or_default();
        let filled = stack.fill(piece).map_err(about_header)?;
        bytes.extend_from_slice(piece.get(..filled).unwrap_or_default());
        if filled < wanted {
            return Err(Trouble::new(&codes::TRUNCATED, 0, "the file list ends too early"));
        }
    }
    match streams.digest(0) {
        Some(digest) => check_sum(digest, &bytes).map(|()| bytes),
        None => Ok(bytes),
    }
}

/// Adds that a trouble is one of the header.
fn about_header(trouble: Trouble) -> Trouble {
    let message = if trouble.code.id == codes::ENCRYPTED.id {
        "the file list is encrypted. Passwords are not supported".to_owned()
    } else {
        format!("the file list cannot be unpacked: {}", trouble.message)
    };
    Trouble { message, ..trouble }
}

fn check_sum(stated: u32, bytes: &[u8]) -> Result<(), Trouble> {
    let mut sum = Crc::new();
    sum.update(bytes);
    match sum.sum() == stated {
        true => Ok(()),
        false => Err(Trouble::new(&codes::CHECKSUM, 8, "the checksum of the file list does not match")),
    }
}
