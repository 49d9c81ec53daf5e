//! The two headers of a WIA or RVZ file, which have their hashes (formats/containers.md §8.4).

use super::method::Method;
use crate::{
    bytes::{Endian, Source, numbers::grouped},
    formats::{
        Value,
        containers::{
            codes,
            contents::{Reading, Trouble},
            flat::{self, Flat},
            window::Window,
        },
        field_reader::{Fault, FieldReader},
    },
};
use sha1::{Digest, Sha1};
use std::ops::Range;

pub const RVZ: &[u8; 4] = b"RVZ\x01";
pub const WIA: &[u8; 4] = b"WIA\x01";

/// Bytes of the file header, and of those of them that are hashed.
const FILE: u64 = 0x48;
const HASHED: u64 = 0x34;
/// Bytes of the disc header that are known, and the most that are read.
const DISC: u64 = 0xDC;
const LARGEST_DISC: u64 = 64 << 10;
/// Versions above cannot be read by what was written for this one.
const VERSION: u32 = 0x0100_0000;

/// Bytes at the start of the disc that the header has.
pub const START: usize = 0x80;

const SMALLEST_CHUNK: u32 = 0x8000;
const CHUNK_UNIT: u32 = 0x0020_0000;
const LARGEST_CHUNK: u32 = 64 << 20;
const MAX_PARTITIONS: u32 = 64;
const MAX_AREAS: u32 = 4096;

/// Bytes of a raw area in its table.
pub const AREA: u64 = 0x18;

/// What the headers say.
#[derive(Clone, Debug)]
pub struct Header {
    pub is_rvz: bool,
    /// Bytes of the disc.
    pub flat_size: u64,
    /// Bytes of the file, as it says.
    file_size: u64,
    disc_struct: u64,
    disc_hash: [u8; 20],
    file_hash: [u8; 20],
}

/// What the header of the disc says.
#[derive(Clone, Debug)]
pub struct DiscHeader {
    kind: u32,
    method: u32,
    pub chunk: u32,
    pub start: Vec<u8>,
    partitions: u32,
    pub areas: u32,
    pub area_table: Range<u64>,
    pub groups: u32,
    pub group_table: Range<u64>,
    coder: Vec<u8>,
}

impl Header {
    /// # Errors
    /// When it ends too early.
    pub fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let magic = r.tag::<4>("Magic")?;
        r.u32("Version")?;
        let at = r.offset();
        let least = r.u32("Oldest compatible version")?;
        if least > VERSION {
            return Err(Fault::new(
                at,
                format!("the file requires format version {least:08X}, which is not supported"),
            ));
        }
        let disc_struct = u64::from(r.u32("Disc header size")?);
        let disc_hash = hash(r, "Disc header SHA-1")?;
        let flat_size = r.u64("Disc size")?;
        let file_size = r.u64("File size")?;
        let file_hash = hash(r, "File header SHA-1")?;
        Ok(Self { is_rvz: magic == *RVZ, flat_size, file_size, disc_struct, disc_hash, file_hash })
    }

    /// Bytes of a group in its table.
    pub fn group_size(&self) -> u64 {
        if self.is_rvz { 12 } else { 8 }
    }

    /// Where both headers end.
    pub fn end(&self) -> u64 {
        FILE.saturating_add(self.disc_struct)
    }
}

fn hash(r: &mut FieldReader<'_>, name: &'static str) -> Result<[u8; 20], Fault> {
    let at = r.offset();
    let hash = r.raw().array::<20>()?;
    let text = || hash.iter().map(|byte| format!("{byte:02x}")).collect();
    r.record(name, "u8[20]", at, || Value::Text(text()));
    Ok(hash)
}

fn is_hash(bytes: &[u8], expected: &[u8; 20]) -> bool {
    Sha1::digest(bytes).as_slice() == expected
}

/// Reads both headers, whose hashes must be right, and whose numbers must be such that the file and the disc have room for them.
///
/// # Errors
/// When they are not, or the disc is none of a GameCube.
pub fn read(file: &Source, cx: &mut Reading<'_>) -> Result<(Header, DiscHeader), Trouble> {
    let window = Window::read(file, 0..FILE)?;
    let header = window
        .parse(0..FILE, Endian::Big, Header::read)
        .map_err(|fault| Trouble::new(&codes::UNSUPPORTED, fault.offset, fault.message))?;
    let hashed = flat::bytes(file, 0..HASHED)?;
    if !is_hash(&hashed, &header.file_hash) {
        return Err(Trouble::new(&codes::CHECKSUM, HASHED, "the hash of the file header does not match"));
    }
    if !(DISC..=LARGEST_DISC).contains(&header.disc_struct) {
        let size = header.disc_struct;
        let message = format!("invalid disc header size {size}. It must be from {DISC} to {LARGEST_DISC}");
        return Err(Trouble::new(&codes::TABLE, 0xC, message));
    }
    let range = FILE..header.end();
    let window = Window::read(file, range.clone())?;
    if !is_hash(window.bytes(), &header.disc_hash) {
        return Err(Trouble::new(&codes::CHECKSUM, 0x10, "the hash of the disc header does not match"));
    }
    let disc = window.parse(range, Endian::Big, DiscHeader::read)?;
    disc.check(&header, file.size())?;
    if header.file_size > file.size() {
        let message =
            format!("the header specifies a file size of {} bytes, but the file has {}", header.file_size, file.size());
        cx.report(Trouble::new(&codes::TRUNCATED, 0x2C, message));
    }
    cx.check_table(u64::from(disc.groups).saturating_mul(header.group_size()), FILE.saturating_add(0xC4))?;
    Ok((header, disc))
}

impl DiscHeader {
    /// # Errors
    /// When it ends too early.
    pub fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let kind = r.named_u32("Disc", |kind| match kind {
            1 => Some("GameCube"),
            2 => Some("Wii"),
            _ => None,
        })?;
        let method = r.named_u32("Compression", Method::name)?;
        let at = r.offset();
        let level = r.raw().i32()?;
        r.record("Level", "s32", at, || Value::Int(i64::from(level)));
        let chunk = r.u32("Chunk size")?;
        let start = r.bytes("First bytes of the disc", "u8[128]", START, Value::Raw)?.to_vec();
        let partitions = r.u32("Partitions")?;
        r.u32("Partition entry size")?;
        r.u64("Partitions offset")?;
        hash(r, "Partitions SHA-1")?;
        let range = |start: u64, size: u32| start..start.saturating_add(u64::from(size));
        let areas = r.u32("Raw areas")?;
        let area_table = (r.u64("Raw areas offset")?, r.u32("Stored size of raw areas")?);
        let groups = r.u32("Groups")?;
        let group_table = (r.u64("Groups offset")?, r.u32("Stored size of groups")?);
        let coder_size = usize::from(r.u8("Coder properties length")?);
        let coder = r.bytes("Coder properties", "u8[7]", 7, Value::Raw)?;
        let coder = coder.get(..coder_size).unwrap_or(coder).to_vec();
        let more = r.left();
        if more > 0 {
            r.bytes("Unknown", format!("u8[{more}]"), more, Value::Raw)?;
        }
        Ok(Self {
            kind,
            method,
            chunk,
            start,
            partitions,
            areas,
            area_table: range(area_table.0, area_table.1),
            groups,
            group_table: range(group_table.0, group_table.1),
            coder,
        })
    }

    /// How everything is compressed.
    ///
    /// # Errors
    /// When that is no way that is known.
    pub fn method(&self, is_rvz: bool) -> Result<Method, Trouble> {
        Method::of(self.method, &self.coder, is_rvz)
            .map_err(|trouble| Trouble { offset: FILE.saturating_add(4), ..trouble })
    }

    /// That nothing is said that there is no room for.
    fn check(&self, header: &Header, file_size: u64) -> Result<(), Trouble> {
        let at = |offset: u64| FILE.saturating_add(offset);
        match self.kind {
            1 => {}
            2 => {
                let message = "Wii discs cannot be read because their partitions are encrypted";
                return Err(Trouble::new(&codes::UNSUPPORTED, at(0), message));
            }
            other => {
                return Err(Trouble::new(&codes::TABLE, at(0), format!("unknown disc type {other}")));
            }
        }
        let chunk = self.chunk;
        let is_chunk = chunk.is_power_of_two() || chunk.is_multiple_of(CHUNK_UNIT);
        if !is_chunk || !(SMALLEST_CHUNK..=LARGEST_CHUNK).contains(&chunk) {
            let message = format!(
                "invalid chunk size {chunk}. It must be a power of two or a multiple of {CHUNK_UNIT}, from {SMALLEST_CHUNK} to {LARGEST_CHUNK}"
            );
            return Err(Trouble::new(&codes::TABLE, at(0xC), message));
        }
        let room = header.flat_size.div_ceil(u64::from(chunk)).saturating_add(u64::from(self.areas));
        let room = room.saturating_add(u64::from(self.partitions).saturating_mul(2)).saturating_add(64);
        for (count, most, what, offset) in [
            (self.partitions, u64::from(MAX_PARTITIONS), "partitions", 0x90),
            (self.areas, u64::from(MAX_AREAS), "raw areas", 0xB4),
            (self.groups, room, "groups", 0xC4),
        ] {
            if u64::from(count) > most {
                let (count, most) = (grouped(count), grouped(most));
                let message =
                    format!("the disc header specifies {count} {what}, but a disc of this size has at most {most}");
                return Err(Trouble::new(&codes::TOO_MANY, at(offset), message));
            }
        }
        for (table, what, offset) in [(&self.area_table, "raw areas", 0xB8), (&self.group_table, "groups", 0xC8)] {
            if table.end > file_size {
                let message =
                    format!("the table of {what} ends at offset {}, but the file ends at {file_size}", table.end);
                return Err(Trouble::new(&codes::TRUNCATED, at(offset), message));
            }
        }
        Ok(())
    }
}
