//! 7z archives (formats/containers.md §10), which the crate `sevenz-rust2` lists and unpacks.

use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble, Unpacked, Unpacking},
    info::HEADER,
    output::Output,
    score::by_name,
    source_reader::buffered,
};
use crate::{
    bytes::{Endian, Source},
    formats::{Field, Hint, Score, Value, caught, field_reader::FieldReader},
};
use sevenz_rust2::{Archive, ArchiveEntry, BlockDecoder, EncoderMethod, Error, Password};
use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

pub const EXTENSIONS: &[&str] = &["7z"];

const MAGIC: &[u8] = b"7z\xBC\xAF\x27\x1C";
/// What all offsets count from.
const SIGNATURE: u64 = 32;
/// A block whose members have no more bytes than that is unpacked at once, and held: each of them costs all that come before it.
const HELD: u64 = 64 << 20;
/// Bytes that are unpacked at once.
const PIECE: usize = 64 << 10;

pub fn by_head(head: &[u8], hint: &Hint<'_>) -> Score {
    if head.starts_with(MAGIC) { Score::Likely } else { by_name(hint, EXTENSIONS) }
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let kib = usize::try_from(cx.limits.dictionary >> 10).unwrap_or(usize::MAX);
    if cx.file.ends_with(".001") {
        return super::unread::part(source, cx);
    }
    let read = caught(|| Archive::read_with_memory_limit(&mut buffered(source), &Password::empty(), kib));
    let read = read.unwrap_or_else(|_| Err(Error::Other("its list of members cannot be followed".into())));
    let archive = read.map_err(|error| open_trouble(&error))?;
    cx.check_count(archive.files.len() as u64, 1, u64::MAX, 0)?;
    let mut items = Vec::new();
    // Bytes of each block that plain members before took.
    let mut taken = vec![0_u64; archive.blocks.len()];
    for (index, file) in archive.files.iter().enumerate() {
        if file.is_anti_item {
            items.push(Item::folder("", 0..0));
            continue;
        }
        let block = archive.stream_map.file_block_index.get(index).copied().flatten().filter(|_| file.has_stream);
        let packed = block.and_then(|block| packed_range(&archive, block));
        let method = block.map_or("stored", |block| method_of(&archive, block));
        let mut item = Item {
            is_path: true,
            is_folder: file.is_directory,
            size: Some(file.size),
            method,
            is_plain: method == "stored",
            ..Item::plain(file.name.clone(), 0..0, 0..0)
        };
        let stored = match (block.and_then(|block| taken.get_mut(block)), packed) {
            (Some(taken), Some(packed)) if item.is_plain => {
                let start = packed.start.saturating_add(*taken);
                *taken = taken.saturating_add(file.size);
                Some(start..start.saturating_add(file.size))
            }
            (Some(_), packed) => packed,
            _ => None,
        };
        item.stored = stored.into_iter().collect();
        items.push(item);
    }
    let tables = Tables::of(source, &archive);
    let container = SevenZip { source: source.clone(), archive, tables, kib, last: Mutex::default() };
    // Members of a solid block share it.
    Ok(Contents { items, space: None, may_share: true, container: Box::new(container) })
}

/// Where the packed bytes of a block lie.
fn packed_range(archive: &Archive, block: usize) -> Option<Range<u64>> {
    let stream = *archive.stream_map.block_first_pack_stream_index().get(block)?;
    let offset = *archive.stream_map.pack_stream_offsets().get(stream)?;
    let start = SIGNATURE.saturating_add(archive.pack_pos()).saturating_add(offset);
    Some(start..start.saturating_add(*archive.pack_sizes().get(stream)?))
}

/// How a block is packed, by its last filter.
fn method_of(archive: &Archive, block: usize) -> &'static str {
    let Some(block) = archive.blocks.get(block) else { return "unknown method" };
    let mut names = block.coders.iter().map(|coder| match EncoderMethod::by_id(coder.encoder_method_id()) {
        Some(EncoderMethod::COPY) => "stored",
        Some(EncoderMethod::LZMA) => "LZMA",
        Some(EncoderMethod::LZMA2) => "LZMA2",
        Some(EncoderMethod::PPMD) => "PPMd",
        Some(EncoderMethod::BZIP2) => "bzip2",
        Some(EncoderMethod::DEFLATE) => "Deflate",
        Some(EncoderMethod::AES256_SHA256) => "encrypted",
        Some(_) => "filtered",
        None => "unknown method",
    });
    let first = names.next().unwrap_or("unknown method");
    match names.find(|name| *name == "encrypted") {
        Some(encrypted) => encrypted,
        None if block.coders.len() > 1 && first == "stored" => "filtered",
        None => first,
    }
}

fn open_trouble(error: &Error) -> Trouble {
    let text = error.to_string();
    match error {
        Error::NextHeaderCrcMismatch | Error::ChecksumVerificationFailed => {
            Trouble::new(&codes::CHECKSUM, 8, "the checksum of its list of members is another one")
        }
        Error::PasswordRequired | Error::MaybeBadPassword(_) => {
            Trouble::new(&codes::ENCRYPTED, 0, "its list of members is encrypted, and passwords are not asked for")
        }
        Error::MaxMemLimited { .. } => Trouble::new(&codes::TOO_LARGE, 0, text),
        Error::Io(error, _) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Trouble::new(&codes::TRUNCATED, 0, "it ends before its list of members does")
        }
        Error::UnsupportedVersion { .. } | Error::Unsupported(_) => Trouble::new(&codes::UNSUPPORTED, 0, text),
        _ => Trouble::new(&codes::TABLE, 0, text),
    }
}

fn read_trouble(error: &Error) -> Trouble {
    match error {
        Error::MaxMemLimited { max_kb, actaul_kb } => {
            let message = format!("unpacking it takes {actaul_kb} KiB of memory, and {max_kb} are the most");
            Trouble::new(&codes::TOO_LARGE, 0, message)
        }
        Error::PasswordRequired | Error::MaybeBadPassword(_) => {
            Trouble::new(&codes::ENCRYPTED, 0, "it is encrypted, and passwords are not asked for")
        }
        Error::UnsupportedCompressionMethod(method) => {
            Trouble::new(&codes::METHOD, 0, format!("compression method {method} is not known"))
        }
        error => Trouble::new(&codes::DECODE, 0, format!("its compressed bytes are damaged: {error}")),
    }
}

/// Where the parts of the file lie that are no member's.
struct Tables {
    header: Range<u64>,
    /// What lies between the members and the header: the header's own stream, where it is compressed.
    before: Range<u64>,
}

impl Tables {
    fn of(source: &Source, archive: &Archive) -> Self {
        source.divide([SIGNATURE]);
        let mut r = FieldReader::new(source, 0..SIGNATURE, Endian::Little);
        let header = signature(&mut r).unwrap_or_default();
        let header = SIGNATURE.saturating_add(header.0)..SIGNATURE.saturating_add(header.0).saturating_add(header.1);
        let ends = (0..archive.blocks.len()).filter_map(|block| packed_range(archive, block)).map(|range| range.end);
        let end = ends.max().unwrap_or(SIGNATURE);
        Self { before: end.min(header.start)..header.start, header }
    }
}

/// Where the header begins, from the end of the signature, and its size.
fn signature(r: &mut FieldReader<'_>) -> Result<(u64, u64), crate::formats::field_reader::Fault> {
    r.u8s::<6>("Magic")?;
    r.u8("Major version")?;
    r.u8("Minor version")?;
    r.u32("Checksum of what follows")?;
    let (offset, size) = (r.u64("Header offset")?, r.u64("Header size")?);
    r.u32("Checksum of the header")?;
    Ok((offset, size))
}

struct SevenZip {
    source: Source,
    archive: Archive,
    tables: Tables,
    kib: usize,
    /// The block that was unpacked last, with its members by their indices.
    last: Mutex<Option<UnpackedBlock>>,
}

/// The members of a block.
struct UnpackedBlock {
    block: usize,
    /// By their indices.
    members: Vec<(usize, Source)>,
}

impl SevenZip {
    /// The index of an entry that the crate hands out, which is one of the list.
    fn place_of(&self, entry: &ArchiveEntry) -> Option<usize> {
        let first = self.archive.files.as_ptr().addr();
        let bytes = std::ptr::from_ref(entry).addr().checked_sub(first)?;
        let index = bytes.checked_div(size_of::<ArchiveEntry>())?;
        self.archive.files.get(index).filter(|found| std::ptr::eq(*found, entry)).map(|_| index)
    }

    fn unpacked(&self, index: usize, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let block = self.archive.stream_map.file_block_index.get(index).copied().flatten();
        let block = block.ok_or_else(|| Trouble::new(&codes::TABLE, 0, "it lies in no block of the archive"))?;
        if self.archive.is_file_encrypted(index) {
            return Err(Trouble::new(&codes::ENCRYPTED, 0, "it is encrypted, and passwords are not asked for"));
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = last.as_ref().filter(|held| held.block == block)
            && let Some((_, source)) = held.members.iter().find(|(known, _)| *known == index)
        {
            return Ok(Unpacked { source: source.clone(), troubles: Vec::new() });
        }
        let stored = packed_range(&self.archive, block).map_or(0, |range| range.end.saturating_sub(range.start));
        let size = self.archive.blocks.get(block).map_or(0, |block| block.get_unpack_size());
        let is_held = size <= HELD;
        let mut members = Vec::new();
        let mut found = None;
        let mut failure = None;
        let mut reader = buffered(&self.source);
        let password = Password::empty();
        let decoder = BlockDecoder::new_with_memory_limit(1, self.kib, block, &self.archive, &password, &mut reader);
        let decoded = decoder.for_each_entries(&mut |entry, from| {
            let own = self.place_of(entry);
            let is_wanted = own == Some(index);
            if !is_wanted && !is_held {
                // Members before it are unpacked and dropped by the crate.
                return Ok(true);
            }
            let mut output = Output::new(cx, stored, super::output::Cost::LZMA).map_err(|_| Error::Other("".into()))?;
            let mut piece = vec![0; PIECE];
            loop {
                let count = from.read(&mut piece)?;
                if count == 0 {
                    break;
                }
                if let Err(trouble) = output.extend(piece.get(..count).unwrap_or_default()) {
                    failure = Some(trouble);
                    return Ok(false);
                }
            }
            let source = output.finish(Vec::new()).source;
            if is_wanted {
                found = Some(source.clone());
            }
            members.extend(own.map(|own| (own, source)));
            // Those that follow are of use where all are held.
            Ok(is_held || !is_wanted)
        });
        match (found, failure, decoded) {
            (Some(source), _, decoded) => {
                if is_held && decoded.is_ok() {
                    *last = Some(UnpackedBlock { block, members });
                }
                Ok(Unpacked { source, troubles: Vec::new() })
            }
            (None, Some(trouble), _) => Err(trouble),
            (None, None, Err(error)) => Err(read_trouble(&error)),
            (None, None, Ok(_)) => Err(Trouble::new(&codes::TABLE, 0, "its block does not have it")),
        }
    }
}

impl Container for SevenZip {
    fn unpack(&self, index: usize, _: &Source, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        caught(|| self.unpacked(index, cx))
            .unwrap_or_else(|_| Err(Trouble::new(&codes::DECODE, 0, "its compressed bytes cannot be followed")))
    }

    fn fields(&self, file: &Source) -> Vec<Field> {
        let mut r = FieldReader::new(file, 0..SIGNATURE, Endian::Little).recording();
        let _ = r.group("Signature header", "Header", signature);
        let mut fields = r.into_fields();
        let end = file.len() as u64;
        for (name, range) in [("Packed header", &self.tables.before), ("Header", &self.tables.header)] {
            let size = range.end.min(end).saturating_sub(range.start);
            if size > 0 {
                fields.push(Field::new(name, format!("u8[{size}]"), Value::Opaque(HEADER), range.start, size));
            }
        }
        fields
    }

    fn record(&self, index: usize, _: &Source) -> Vec<Field> {
        let _ = index;
        Vec::new()
    }
}
