//! The header of a 7z archive: found, unpacked, and read as the list of members (formats/containers.md §10).

use super::{
    super::{
        codes,
        contents::{Reading, Trouble},
        meter::PIECE,
    },
    coders::Stack,
    streams::{SIGNATURE, Streams, streams},
    table::{Bits, Table, invalid},
};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
        text,
    },
    formats::field_reader::{Fault, FieldReader},
};
use flate2::Crc;
use std::ops::Range;

const END: u8 = 0x00;
const HEADER: u8 = 0x01;
const ARCHIVE_PROPERTIES: u8 = 0x02;
const ADDITIONAL_STREAMS: u8 = 0x03;
const MAIN_STREAMS: u8 = 0x04;
const FILES: u8 = 0x05;
const EMPTY_STREAM: u8 = 0x0E;
const EMPTY_FILE: u8 = 0x0F;
const ANTI: u8 = 0x10;
const NAMES: u8 = 0x11;
const ATTRIBUTES: u8 = 0x15;
const ENCODED_HEADER: u8 = 0x17;

/// The attribute of folders.
const IS_FOLDER: u32 = 0x10;

/// The list of members.
#[derive(Default)]
pub struct Members<'a> {
    pub streams: Streams,
    pub files: Vec<File>,
    names: &'a [u8],
}

pub struct File {
    /// Range of its name, without the NUL.
    name: Range<usize>,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its bytes are those of a member's stream, an index into [`Streams::members`].
    Packed(usize),
    Empty,
    Folder,
    /// An instruction to delete a file, which only updates of archives have.
    Anti,
}

impl Members<'_> {
    pub fn name(&self, file: &File) -> String {
        text::utf_16_le(self.names.get(file.name.clone()).unwrap_or_default())
    }
}

/// Reads the streams of a packed header, the first block of which is the header. `None` if it is plain.
fn packed(bytes: &[u8], base: u64, cx: &Reading<'_>) -> Result<Option<Streams>, Trouble> {
    let mut table = Table::new(bytes, base);
    if table.u8()? == ENCODED_HEADER { streams(&mut table, cx).map(Some) } else { Ok(None) }
}

/// Reads a plain header, whose first byte is at `base` in the file.
pub fn members<'a>(bytes: &'a [u8], base: u64, cx: &Reading<'_>) -> Result<Members<'a>, Trouble> {
    let mut table = Table::new(bytes, base);
    let table = &mut table;
    table.require(HEADER, "a file list")?;
    let mut members = Members::default();
    let mut id = table.u8()?;
    if id == ARCHIVE_PROPERTIES {
        while table.u8()? != END {
            let size = table.number()?;
            table.bytes(size)?;
        }
        id = table.u8()?;
    }
    if id == ADDITIONAL_STREAMS {
        let message = "parts of the file list are stored separately, which is not supported";
        return Err(Trouble::new(&codes::UNSUPPORTED, table.offset(), message));
    }
    if id == MAIN_STREAMS {
        members.streams = streams(table, cx)?;
        id = table.u8()?;
    }
    if id == FILES {
        files(table, cx, &mut members)?;
        id = table.u8()?;
    } else if members.streams.block_count() > 0 {
        return Err(invalid(table.offset(), "the archive has packed streams but no file list"));
    }
    if id != END {
        return Err(invalid(table.offset(), format!("the file list has an unknown section ({id:02X})")));
    }
    Ok(members)
}

/// Properties of the files, each with values for all of them.
#[derive(Default)]
struct Properties<'a> {
    empty_stream: &'a [u8],
    empty_file: &'a [u8],
    anti: &'a [u8],
    attributes: Vec<u32>,
}

fn files<'a>(table: &mut Table<'a>, cx: &Reading<'_>, members: &mut Members<'a>) -> Result<(), Trouble> {
    let offset = table.offset();
    let count = table.number()?;
    // Each has a name of at least a NUL.
    cx.check_count(count, 2, table.left(), offset)?;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut properties = Properties::default();
    let mut names = None;
    loop {
        let id = table.u8()?;
        if id == END {
            break;
        }
        let size = table.number()?;
        let start = table.offset();
        let bytes = table.bytes(size)?;
        let mut property = Table::new(bytes, start);
        match id {
            EMPTY_STREAM => {
                property.bits(count)?;
                properties.empty_stream = bytes;
            }
            EMPTY_FILE => properties.empty_file = bytes,
            ANTI => properties.anti = bytes,
            NAMES => {
                property.inline()?;
                members.names = property.rest();
                names = Some(name_ranges(members.names, count, start)?);
            }
            ATTRIBUTES => properties.attributes = attributes(&mut property, count)?,
            // Times, comments and padding.
            _ => {}
        }
    }
    let names = names.unwrap_or_else(|| vec![0..0; count]);
    let mut packed = 0_usize;
    let mut empty = 0_usize;
    for (index, name) in names.into_iter().enumerate() {
        let kind = if Bits::Each(properties.empty_stream).has(index) {
            let kind = properties.kind(index, empty);
            empty = empty.saturating_add(1);
            kind
        } else {
            let stream = packed;
            packed = packed.saturating_add(1);
            Kind::Packed(stream)
        };
        members.files.push(File { name, kind });
    }
    let there = members.streams.members().len();
    if packed != there {
        let (packed, there) = (counted(packed, "entry"), grouped(there));
        let message = format!("the file list has {packed} with data, but the archive contains data for {there}");
        return Err(invalid(offset, message));
    }
    Ok(())
}

impl Properties<'_> {
    /// The kind of a file without a stream. `empty` is its index among those.
    fn kind(&self, index: usize, empty: usize) -> Kind {
        let is_folder = self.attributes.get(index).is_some_and(|attributes| attributes & IS_FOLDER != 0);
        if Bits::Each(self.anti).has(empty) {
            Kind::Anti
        } else if Bits::Each(self.empty_file).has(empty) && !is_folder {
            Kind::Empty
        } else {
            Kind::Folder
        }
    }
}

/// Divides names, each of which ends with a NUL.
fn name_ranges(names: &[u8], count: usize, offset: u64) -> Result<Vec<Range<usize>>, Trouble> {
    let (letters, _) = names.as_chunks::<2>();
    let mut ranges = Vec::new();
    let mut start = 0_usize;
    for (index, letter) in letters.iter().enumerate() {
        if *letter != [0, 0] {
            continue;
        }
        if ranges.len() == count {
            return Err(invalid(
                offset,
                format!("the file list has more than {} for {}", counted(count, "name"), counted(count, "entry")),
            ));
        }
        let end = index.saturating_mul(2);
        ranges.push(start..end);
        start = end.saturating_add(2);
    }
    if ranges.len() != count || start != names.len() {
        let (names, entries) = (counted(ranges.len(), "name"), counted(count, "entry"));
        return Err(invalid(offset, format!("the file list has {names} for {entries}")));
    }
    Ok(ranges)
}

/// Reads the attributes of files, 0 for those without.
fn attributes(table: &mut Table<'_>, count: usize) -> Result<Vec<u32>, Trouble> {
    let defined = table.all_or_bits(count)?;
    table.inline()?;
    let mut attributes = Vec::new();
    for index in 0..count {
        attributes.push(if defined.has(index) { table.u32()? } else { 0 });
    }
    Ok(attributes)
}

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
