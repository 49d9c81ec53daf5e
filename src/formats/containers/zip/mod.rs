//! Zip archives (formats/containers.md §10): the crate `zip` lists and unpacks them, and what follows shows their tables.

mod tables;

use self::tables::Tables;
use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble, Unpacked, Unpacking},
    meter::{AHEAD, Meter, Metered, PIECE},
    output::{Cost, Output},
    score::by_name,
    source_reader::{buffered, crc32},
};
use crate::{
    bytes::{Source, numbers::counted},
    formats::{Field, Hint, Score, caught},
};
use std::{io::Read as _, sync::Arc};
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
    if !is_first && sure >= Score::Likely || tables::end_of(source).is_none() {
        return Score::No;
    }
    if is_first { Score::Certain } else { Score::Name }
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let size = source.len() as u64;
    let count = tables::stated_count(source);
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
        let data = tables::data_start(source, header).unwrap_or(header);
        headers.push(header..data);
        let record = tables::record_range(source, entry.central_header_start());
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
        _ if tables::end_of(source).is_none() => {
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
        entry.map(|entry| tables::record(file, entry.central_header_start())).unwrap_or_default()
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
