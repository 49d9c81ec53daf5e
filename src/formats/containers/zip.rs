//! Zip archives (formats/containers.md §10): the crate `zip` lists and unpacks them, and what follows shows their
//! tables.

use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble, Unpacked, Unpacking},
    info::STUB,
    meter::{AHEAD, Meter, Metered, PIECE},
    output::{Cost, Output},
    rows,
    score::by_name,
    source_reader::{buffered, crc32},
};
use crate::{
    bytes::{Endian, Source, numbers::counted, text},
    formats::{
        Field, Hint, Score, Value, caught,
        field_reader::{Fault, FieldReader},
    },
};
use std::{io::Read as _, ops::Range, sync::Arc};
use zip::{CompressionMethod, ZipArchive, ZipReadOptions, read::ZipArchiveMetadata, result::ZipError};

pub const EXTENSIONS: &[&str] = &["zip"];

/// The smallest record of the directory.
const SMALLEST: u64 = 46;
/// What a method is called that cannot be unpacked.
const UNKNOWN: &str = "unknown method";
/// No packing that is read gives more of a byte: DEFLATE 1032, bzip2 and LZMA more, which are bounded by the limits alone.
const MAX_OF_DEFLATE: u64 = 1032;

const STARTS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

pub fn by_head(head: &[u8], hint: &Hint<'_>) -> Score {
    // It may be the first member of another container.
    if STARTS.iter().any(|start| head.starts_with(start)) { Score::Likely } else { by_name(hint, EXTENSIONS) }
}

/// An archive, also behind something else, such as the program that unpacks it.
pub fn by_whole(source: &Source, _: &Hint<'_>, sure: Score) -> Score {
    let is_first = source.slice(0, 4).is_some_and(|head| STARTS.contains(&head.as_slice()));
    if !is_first && sure >= Score::Likely || end_of(source).is_none() {
        return Score::No;
    }
    if is_first { Score::Certain } else { Score::Name }
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let size = source.len() as u64;
    let count = stated_count(source);
    cx.check_count(count.unwrap_or_default(), SMALLEST, size, size)?;
    let opened = caught(|| ZipArchive::new(buffered(source)));
    let archive = opened.unwrap_or(Err(ZipError::InvalidArchive("the file list is damaged".into())));
    let archive = archive.map_err(|error| open_trouble(&error, source))?;
    let (metadata, directory) = (archive.metadata(), archive.central_directory_start());
    let (mut items, mut headers) = (Vec::new(), Vec::new());
    for index in 0..metadata.len() {
        let Ok(entry) = metadata.entry(index) else { continue };
        let name =
            entry.name().map_or_else(|_| String::from_utf8_lossy(entry.name_raw()).into_owned(), |n| n.into_owned());
        let header = entry.header_start();
        let data = data_start(source, header).unwrap_or(header);
        headers.push(header..data);
        let record = record_range(source, entry.central_header_start());
        let stored = data..data.saturating_add(entry.compressed_size());
        let method = entry.compression();
        let is_folder = entry.is_dir();
        items.push(Item {
            is_path: true,
            is_folder,
            size: Some(entry.size()),
            method: name_of(method),
            is_plain: method == CompressionMethod::Stored && !entry.encrypted(),
            stored: if is_folder { Vec::new() } else { vec![stored.clone()] },
            ..Item::plain(name, record, stored)
        });
    }
    if let Some(lost) = count.and_then(|count| count.checked_sub(metadata.len() as u64)).filter(|lost| *lost > 0) {
        let lost = counted(lost, "entry");
        let message =
            format!("the archive contains {lost} with a duplicate name. Only the last entry with each name is listed");
        cx.report(Trouble::new(&codes::DUPLICATE_NAME, directory, message));
    }
    let members = items.iter().filter_map(|item| item.stored.first());
    let ends = members.clone().map(|stored| stored.end);
    // Of a large archive the members are left where they are.
    source.divide(headers.iter().flat_map(|header| [header.start, header.end]).chain(ends).chain([directory]));
    let tables = Tables::new(headers, directory, archive.offset());
    let container = Box::new(Zip { source: source.clone(), metadata, tables });
    Ok(Contents { items, space: None, may_share: false, container })
}

fn name_of(method: CompressionMethod) -> &'static str {
    match method {
        CompressionMethod::Stored => "stored",
        CompressionMethod::Deflated => "Deflate",
        CompressionMethod::Deflate64 => "Deflate64",
        CompressionMethod::Bzip2 => "bzip2",
        CompressionMethod::Lzma => "LZMA",
        _ => UNKNOWN,
    }
}

fn cost_of(method: CompressionMethod) -> Cost {
    match method {
        CompressionMethod::Bzip2 => Cost::BZIP2,
        CompressionMethod::Lzma => Cost::LZMA,
        _ => Cost::DEFLATE,
    }
}

fn open_trouble(error: &ZipError, source: &Source) -> Trouble {
    let size = source.len() as u64;
    match error {
        ZipError::UnsupportedArchive(_) => {
            let message = "this is one part of a split archive. Join the parts, then open the result";
            Trouble::new(&codes::UNSUPPORTED, 0, message)
        }
        _ if end_of(source).is_none() => {
            Trouble::new(&codes::TRUNCATED, size, "the file list at the end of the archive is missing")
        }
        error => Trouble::new(&codes::TABLE, 0, error.to_string()),
    }
}

struct Zip {
    source: Source,
    metadata: Arc<ZipArchiveMetadata>,
    tables: Tables,
}

impl Zip {
    fn unpacked(&self, index: usize, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let entry = self.metadata.entry(index).map_err(|error| trouble(&error))?;
        let (stated, stored) = (entry.size(), entry.compressed_size());
        if entry.encrypted() {
            return Err(Trouble::new(&codes::ENCRYPTED, 0, "the entry is encrypted. Passwords are not supported"));
        }
        if name_of(entry.compression()) == UNKNOWN {
            let message = format!("unknown compression method {}", entry.compression());
            return Err(Trouble::new(&codes::METHOD, 0, message));
        }
        let (is_deflate, cost) = (entry.compression() == CompressionMethod::Deflated, cost_of(entry.compression()));
        let ahead = if entry.compression() == CompressionMethod::Bzip2 { AHEAD } else { 0 };
        let meter = Arc::new(Meter::new(1, ahead));
        let mut reader = Metered {
            inner: buffered(&self.source),
            left: u64::MAX,
            work: cost.input,
            passes: true,
            meter: meter.clone(),
        };
        let mut file = entry.with_reader(&mut reader, ZipReadOptions::new()).map_err(|error| trouble(&error))?;
        let mut output = Output::new(cx, stored, Cost { input: 0, ..cost })?;
        let most = if is_deflate { stored.saturating_mul(MAX_OF_DEFLATE) } else { u64::MAX };
        // What is stated in vain is found out when it is read.
        output.reserve(stated.min(most).min(PIECE as u64), u64::MAX)?;
        let mut piece = vec![0; PIECE];
        loop {
            meter.allow(piece.len());
            match file.read(&mut piece) {
                Ok(0) => return Ok(output.finish(Vec::new())),
                Ok(count) => output.extend(piece.get(..count).unwrap_or_default())?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) if error.to_string().contains("checksum") && output.len() as u64 == stated => {
                    let trouble = Trouble::new(&codes::CHECKSUM, 0, "the checksum of the entry does not match");
                    return Ok(output.finish(vec![trouble]));
                }
                Err(error) => {
                    let other = || read_trouble(&error, output.len() as u64, stated);
                    return Err(meter.trouble().unwrap_or_else(other));
                }
            }
        }
    }
}

impl Container for Zip {
    fn unpack(&self, index: usize, _: &Source, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        caught(|| self.unpacked(index, cx))
            .unwrap_or_else(|_| Err(Trouble::new(&codes::DECODE, 0, "the compressed data is damaged")))
    }

    fn fields(&self, file: &Source) -> Vec<Field> {
        self.tables.fields(file)
    }

    fn record(&self, index: usize, file: &Source) -> Vec<Field> {
        let entry = self.metadata.entry(index);
        entry.map(|entry| record(file, entry.central_header_start())).unwrap_or_default()
    }

    fn check_plain(&self, index: usize, member: &Source) -> Vec<Trouble> {
        let Ok(entry) = self.metadata.entry(index) else { return Vec::new() };
        crc32(member).and_then(|found| Trouble::of_sum(entry.crc32(), found)).into_iter().collect()
    }
}

/// Why a member cannot be begun.
fn trouble(error: &ZipError) -> Trouble {
    match error {
        ZipError::CompressionMethodNotSupported(method) => {
            Trouble::new(&codes::METHOD, 0, format!("unknown compression method {method}"))
        }
        ZipError::UnsupportedArchive(text) if *text == ZipError::PASSWORD_REQUIRED => {
            Trouble::new(&codes::ENCRYPTED, 0, "the entry is encrypted. Passwords are not supported")
        }
        ZipError::UnsupportedArchive(text) => Trouble::new(&codes::METHOD, 0, (*text).to_owned()),
        ZipError::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Trouble::new(&codes::TRUNCATED, 0, "the entry header ends too early")
        }
        error => Trouble::new(&codes::TABLE, 0, error.to_string()),
    }
}

/// Why a member ends early.
fn read_trouble(error: &std::io::Error, read: u64, stated: u64) -> Trouble {
    let text = error.to_string();
    if text.contains("size") || text.contains("longer") {
        let message = format!("the unpacked size of the entry differs from the specified {stated} bytes: {text}");
        return Trouble::new(&codes::SIZE, 0, message);
    }
    Trouble::new(&codes::DECODE, 0, format!("the compressed data is damaged after {read} unpacked bytes: {text}"))
}

const LOCAL: u32 = 0x0403_4B50;
const CENTRAL: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;
const END_64: u32 = 0x0606_4B50;
const LOCATOR_64: u32 = 0x0706_4B50;
const DESCRIPTOR: u32 = 0x0807_4B50;
/// A local header without its name.
const LOCAL_SIZE: u64 = 30;
/// A record of the directory without its name.
const CENTRAL_SIZE: u64 = 46;
/// The end without its comment.
const END_SIZE: u64 = 22;
/// The end of 64 bits without what may follow in it, and the locator behind it.
const END_64_SIZE: u64 = 56;
const LOCATOR_64_SIZE: u64 = 20;
/// The longest name, extra field or comment.
const LONGEST: u64 = 65_535;
/// The sizes follow the data.
const HAS_DESCRIPTOR: u16 = 8;
/// The extra field of sizes beyond 32 bits.
const WIDE_SIZES: u32 = u32::MAX;

/// Where the tables lie.
struct Tables {
    /// Local headers, in order.
    headers: Arc<[Range<u64>]>,
    directory: u64,
    /// Bytes before the archive.
    offset: u64,
}

impl Tables {
    pub fn new(mut headers: Vec<Range<u64>>, directory: u64, offset: u64) -> Self {
        headers.sort_unstable_by_key(|header| header.start);
        headers.dedup();
        Self { headers: headers.into(), directory, offset }
    }

    pub fn fields(&self, file: &Source) -> Vec<Field> {
        let size = file.len() as u64;
        let mut fields = Vec::new();
        if self.offset > 0 {
            let stub = self.offset.min(size);
            fields.push(Field::new("Program", format!("u8[{stub}]"), Value::Opaque(STUB), 0, stub));
        }
        fields.extend(rows::table("Local headers", "Header", file, self.headers.clone(), |r| {
            match local(r)?.descriptor_at {
                Some(at) if r.seek(at).is_ok() => descriptor(r),
                _ => Ok(()),
            }
        }));
        let records: Arc<[Range<u64>]> = self.records(file).into();
        let end = records.last().map_or(self.directory, |last| last.end);
        fields.extend(rows::table("Directory", "Record", file, records, central));
        let mut r = FieldReader::new(file, end..size, Endian::Little).recording();
        while let Ok(signature) = r.fork().raw().u32() {
            let read = match signature {
                END_64 => r.group("Zip64 end", "Record", end_64),
                LOCATOR_64 => r.group("Zip64 locator", "Record", locator_64),
                END => r.group("End", "Record", end_record),
                _ => break,
            };
            if read.is_err() {
                break;
            }
        }
        fields.extend(r.into_fields());
        fields
    }

    /// Where the records of the directory are.
    fn records(&self, file: &Source) -> Vec<Range<u64>> {
        let mut r = FieldReader::new(file, self.directory..file.len() as u64, Endian::Little);
        let mut records = Vec::new();
        while r.fork().raw().u32() == Ok(CENTRAL) {
            let start = r.offset();
            if central(&mut r).is_err() {
                break;
            }
            records.push(start..r.offset());
        }
        records
    }
}

struct Local {
    /// Where the sizes stand, behind the data.
    descriptor_at: Option<u64>,
}

fn local(r: &mut FieldReader<'_>) -> Result<Local, Fault> {
    r.u32("Signature")?;
    r.u16("Version needed")?;
    let flags = r.u16("Flags")?;
    r.u16("Method")?;
    r.u16("Time")?;
    r.u16("Date")?;
    r.u32("CRC-32")?;
    let stored = r.u32("Stored size")?;
    r.u32("Size")?;
    let (name, extra) = (r.u16("Name length")?, r.u16("Extra length")?);
    string(r, "Name", name, flags)?;
    raw(r, "Extra", extra)?;
    // Where the sizes are not known in advance they are 0 here, and the directory has them.
    let is_known = flags & HAS_DESCRIPTOR != 0 && stored != 0 && stored != WIDE_SIZES;
    let descriptor_at = is_known.then(|| r.offset().saturating_add(u64::from(stored)));
    Ok(Local { descriptor_at })
}

/// What follows the data of a member whose sizes were not known when it was begun.
fn descriptor(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    let signed = r.fork().raw().u32() == Ok(DESCRIPTOR);
    r.group("Data descriptor", "Record", |r| {
        if signed {
            r.u32("Signature")?;
        }
        r.u32("CRC-32")?;
        r.u32("Stored size")?;
        r.u32("Size").map(|_| ())
    })
}

fn central(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.u32("Signature")?;
    r.u16("Version made by")?;
    r.u16("Version needed")?;
    let flags = r.u16("Flags")?;
    r.u16("Method")?;
    r.u16("Time")?;
    r.u16("Date")?;
    r.u32("CRC-32")?;
    r.u32("Stored size")?;
    r.u32("Size")?;
    let (name, extra, comment) = (r.u16("Name length")?, r.u16("Extra length")?, r.u16("Comment length")?);
    r.u16("Disk")?;
    r.u16("Internal attributes")?;
    r.u32("External attributes")?;
    r.u32("Header offset")?;
    string(r, "Name", name, flags)?;
    raw(r, "Extra", extra)?;
    string(r, "Comment", comment, flags)
}

fn end_record(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.u32("Signature")?;
    r.u16("Disk")?;
    r.u16("Directory disk")?;
    r.u16("Entries on this disk")?;
    r.u16("Entries")?;
    r.u32("Directory size")?;
    r.u32("Directory offset")?;
    let comment = r.u16("Comment length")?;
    string(r, "Comment", comment, 0)
}

fn end_64(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.u32("Signature")?;
    let size = r.u64("Record size")?;
    let after = r.offset().saturating_add(size);
    r.u16("Version made by")?;
    r.u16("Version needed")?;
    r.u32("Disk")?;
    r.u32("Directory disk")?;
    r.u64("Entries on this disk")?;
    r.u64("Entries")?;
    r.u64("Directory size")?;
    r.u64("Directory offset")?;
    let more = after.saturating_sub(r.offset());
    match u16::try_from(more) {
        Ok(more) => raw(r, "Extra", more),
        Err(_) => Err(r.fault(format!("invalid record size {size}"))),
    }
}

fn locator_64(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.u32("Signature")?;
    r.u32("Disk")?;
    r.u64("End offset")?;
    r.u32("Disks").map(|_| ())
}

/// A text of a length that stands elsewhere: UTF-8 where bit 11 of the flags says so.
fn string(r: &mut FieldReader<'_>, name: &'static str, length: u16, flags: u16) -> Result<(), Fault> {
    let at = r.offset();
    let bytes = r.raw().bytes(usize::from(length))?;
    if length > 0 {
        let is_utf8 = flags & 0x800 != 0;
        let text = if is_utf8 { String::from_utf8_lossy(bytes).into_owned() } else { text::decode(bytes) };
        r.record(name, format!("char[{length}]"), at, || Value::Text(text));
    }
    Ok(())
}

fn raw(r: &mut FieldReader<'_>, name: &'static str, length: u16) -> Result<(), Fault> {
    let at = r.offset();
    r.raw().skip(usize::from(length))?;
    if length > 0 {
        r.record(name, format!("u8[{length}]"), at, || Value::Raw);
    }
    Ok(())
}

/// The fields of a member's record in the directory.
fn record(file: &Source, at: u64) -> Vec<Field> {
    let mut r = FieldReader::new(file, record_range(file, at), Endian::Little).recording();
    let _ = central(&mut r);
    r.into_fields()
}

/// The bytes of a member's record in the directory.
fn record_range(file: &Source, at: u64) -> Range<u64> {
    let lengths = file.slice(at, CENTRAL_SIZE).and_then(|record| {
        let bytes = record.in_memory().ok()?;
        let number = |at: usize| Some(u64::from(u16::from_le_bytes(*bytes.as_slice().get(at..)?.first_chunk()?)));
        Some(number(28)?.saturating_add(number(30)?).saturating_add(number(32)?))
    });
    at..at.saturating_add(CENTRAL_SIZE).saturating_add(lengths.unwrap_or_default())
}

/// Where the bytes of the member with this local header begin.
fn data_start(file: &Source, header: u64) -> Option<u64> {
    let record = file.slice(header, LOCAL_SIZE)?.in_memory().ok()?;
    let bytes = record.as_slice();
    if bytes.first_chunk() != Some(&LOCAL.to_le_bytes()) {
        return None;
    }
    let number = |at: usize| Some(u64::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    header.checked_add(LOCAL_SIZE)?.checked_add(number(26)?)?.checked_add(number(28)?)
}

/// Where the end of the directory is recorded: the last place that looks like it.
fn end_of(file: &Source) -> Option<u64> {
    let size = file.len() as u64;
    let start = size.saturating_sub(END_SIZE.saturating_add(LONGEST));
    let tail = file.slice(start, size.saturating_sub(start))?.in_memory().ok()?;
    let at = tail.as_slice().windows(4).rposition(|four| four == END.to_le_bytes())?;
    Some(start.saturating_add(at as u64))
}

/// How many members the end states, the one of 64 bits where there is one; `None` where there is no end.
fn stated_count(file: &Source) -> Option<u64> {
    let end = end_of(file)?;
    let count = u64::from(u16::from_le_bytes(read_at(file, end.saturating_add(10))?));
    Some(if count == u64::from(u16::MAX) { wide_count(file, end).unwrap_or(count) } else { count })
}

/// The number of members in the end of 64 bits, which a locator before the end leads to.
fn wide_count(file: &Source, end: u64) -> Option<u64> {
    let locator = end.checked_sub(LOCATOR_64_SIZE)?;
    if u32::from_le_bytes(read_at(file, locator)?) != LOCATOR_64 {
        return None;
    }
    // What comes before the archive is not counted in the offset: then it is where it always is.
    let stated = u64::from_le_bytes(read_at(file, locator.saturating_add(8))?);
    let places = [Some(stated), locator.checked_sub(END_64_SIZE)];
    let is_end = |at: &u64| read_at(file, *at).is_some_and(|signature| u32::from_le_bytes(signature) == END_64);
    let at = places.into_iter().flatten().find(is_end)?;
    read_at(file, at.saturating_add(32)).map(u64::from_le_bytes)
}

/// The bytes at an offset, where they are there.
fn read_at<const N: usize>(file: &Source, at: u64) -> Option<[u8; N]> {
    file.slice(at, N as u64)?.in_memory().ok()?.as_slice().first_chunk().copied()
}
