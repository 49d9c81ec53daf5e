//! GCZ: blocks that are compressed one by one, each with its checksum (formats/containers.md §8.3).

use super::image::{Wrapper, held};
use crate::{
    bytes::{Endian, Source, budget},
    formats::{
        Field, Value,
        containers::{
            blocks::{Blocks, Cached, Span},
            codes,
            contents::{Contents, MAX_PROBLEMS, Reading, Trouble},
            flat::{self, WORK_OF_SPAN},
            info::IMAGE,
            output::Cost,
            window::Window,
        },
        field_reader::{Fault, FieldReader},
    },
};
use flate2::{Decompress, FlushDecompress};
use std::{ops::Range, sync::Arc};

pub const MAGIC: &[u8] = &[0x01, 0xC0, 0x0B, 0xB1];

const HEADER: u64 = 0x20;
/// Bytes of the tables for each block: its place, and its checksum.
const PLACE: u64 = 8;
const SUM: u64 = 4;
/// In the place of a block: it is stored as it is.
const IS_PLAIN: u64 = 1 << 63;
const SMALLEST_BLOCK: u32 = 0x200;
const LARGEST_BLOCK: u32 = 16 << 20;

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let window = Window::read(source, 0..HEADER)?;
    let header = window.parse(0..HEADER, Endian::Little, Header::read)?;
    let Header { flat_size, block, count, .. } = header;
    if !block.is_power_of_two() || !(SMALLEST_BLOCK..=LARGEST_BLOCK).contains(&block) {
        let message =
            format!("invalid block size {block}. It must be a power of two from {SMALLEST_BLOCK} to {LARGEST_BLOCK}");
        return Err(Trouble::new(&codes::TABLE, 0x18, message));
    }
    cx.check_block(u64::from(block), 0x18)?;
    let tables = HEADER.saturating_add(u64::from(count).saturating_mul(PLACE.saturating_add(SUM)));
    let needed = flat_size.div_ceil(u64::from(block));
    if u64::from(count) != needed || tables > source.len() as u64 {
        let message = format!(
            "invalid block count {count}. A disc of {flat_size} bytes has {needed} blocks, and the block tables end at offset {tables}"
        );
        return Err(Trouble::new(&codes::TABLE, 0x1C, message));
    }
    cx.check_table(tables, HEADER)?;
    let window = Window::read(source, HEADER..tables)?;
    let (places, sums) = window.parse(HEADER..tables, Endian::Little, |r| blocks(r, count))?;
    if header.data_size > (source.len() as u64).saturating_sub(tables) {
        let message = format!(
            "the header specifies {} bytes of block data, but only {} bytes are left",
            header.data_size,
            (source.len() as u64).saturating_sub(tables)
        );
        cx.report(Trouble::new(&codes::TRUNCATED, tables, message));
    }
    let disc = Gcz {
        image: source.clone(),
        data: tables,
        data_size: header.data_size,
        size: flat_size,
        block: u64::from(block),
        places,
        sums,
    };
    let disc = Arc::new(Cached::new(disc));
    held(disc.clone(), Form(disc), cx)
}

struct Header {
    data_size: u64,
    flat_size: u64,
    block: u32,
    count: u32,
}

impl Header {
    fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        r.u32("Magic")?;
        r.named_u32("Type", |kind| match kind {
            0 => Some("GameCube"),
            1 => Some("Wii"),
            _ => None,
        })?;
        let data_size = r.u64("Compressed size")?;
        let flat_size = r.u64("Disc size")?;
        let block = r.u32("Block size")?;
        let count = r.u32("Blocks")?;
        Ok(Self { data_size, flat_size, block, count })
    }
}

/// The places and the checksums of the blocks.
fn blocks(r: &mut FieldReader<'_>, count: u32) -> Result<(Vec<u64>, Vec<u32>), Fault> {
    let places = r.records("Block offsets", "u64", u64::from(count), PLACE, |r, _| r.u64("Block offset"))?;
    let sums = r.records("Checksums", "u32", u64::from(count), SUM, |r, _| r.u32("Adler-32"))?;
    Ok((places, sums))
}

struct Gcz {
    image: Source,
    /// Where the blocks begin in the image, and how many bytes they have together.
    data: u64,
    data_size: u64,
    /// Bytes of the disc, and of a block.
    size: u64,
    block: u64,
    places: Vec<u64>,
    sums: Vec<u32>,
}

impl Gcz {
    /// Where a block is stored, and whether as it is.
    fn place(&self, number: usize) -> Option<(Range<u64>, bool)> {
        let place = *self.places.get(number)?;
        let start = place & !IS_PLAIN;
        let next = number.checked_add(1).and_then(|next| self.places.get(next));
        let end = next.map_or(self.data_size, |next| next & !IS_PLAIN);
        let range = self.data.saturating_add(start)..self.data.saturating_add(end);
        Some((range, place & IS_PLAIN != 0))
    }

    /// The bytes of a block as they are stored, which must have the checksum that they are to have.
    fn sound(&self, number: usize) -> Result<(Vec<u8>, bool), Trouble> {
        let nowhere = |message: String| Trouble::new(&codes::TABLE, self.data, message);
        let (range, is_plain) = self.place(number).ok_or_else(|| nowhere(format!("block {number} is missing")))?;
        let size = range.end.saturating_sub(range.start);
        // Compressed bytes that are more than twice as many as they give are none.
        if range.end < range.start || size > self.block.saturating_mul(2) {
            return Err(nowhere(format!("block {number} has the invalid range {}..{}", range.start, range.end)));
        }
        let bytes = flat::bytes(&self.image, range.clone())?;
        let (expected, sum) = (self.sums.get(number).copied().unwrap_or_default(), adler32(&bytes));
        if sum != expected {
            let message = format!("the checksum of block {number} is {sum:08X}, but the file specifies {expected:08X}");
            return Err(Trouble::new(&codes::CHECKSUM, range.start, message));
        }
        Ok((bytes, is_plain))
    }
}

impl Blocks for Gcz {
    fn disc_size(&self) -> u64 {
        self.size
    }

    fn span(&self, offset: u64) -> Span {
        let number = offset.checked_div(self.block).unwrap_or(0);
        let start = number.saturating_mul(self.block);
        Span { number: Some(number), start, end: start.saturating_add(self.block) }
    }

    fn stored(&self, span: Span) -> u64 {
        let place = span.number.and_then(|number| self.place(usize::try_from(number).ok()?));
        place.map_or(0, |(range, _)| range.end.saturating_sub(range.start))
    }

    fn cost(&self) -> Cost {
        Cost::DEFLATE
    }

    fn decode(&self, span: Span) -> Result<Vec<u8>, Trouble> {
        let number = span.number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX);
        let (stored, is_plain) = self.sound(number)?;
        let wanted = span.end.min(self.size).saturating_sub(span.start);
        let bytes = if is_plain { stored } else { inflate(&stored, self.block) };
        if (bytes.len() as u64) < wanted {
            let message = format!("block {number} unpacks to {} bytes instead of {wanted}", bytes.len());
            return Err(Trouble::new(&codes::DECODE, self.data, message));
        }
        Ok(bytes)
    }
}

/// What a zlib stream gives, up to `most` bytes; what comes before damage.
fn inflate(stored: &[u8], most: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(usize::try_from(most).unwrap_or(0));
    // It never grows what it writes to.
    let _ = Decompress::new(true).decompress_vec(stored, &mut bytes, FlushDecompress::Finish);
    bytes
}

struct Form(Arc<Cached<Gcz>>);

impl Wrapper for Form {
    fn fields(&self, file: &Source) -> Vec<Field> {
        let gcz = self.0.blocks();
        let Ok(window) = Window::read(file, 0..gcz.data) else { return Vec::new() };
        let mut fields = window.fields(Endian::Little, |r| {
            let header = Header::read(r)?;
            blocks(r, header.count)
        });
        let size = (file.len() as u64).saturating_sub(gcz.data);
        fields.push(Field::new("Blocks", format!("u8[{size}]"), Value::Opaque(IMAGE), gcz.data, size));
        fields
    }

    /// The checksums of all blocks; what they decode to is not looked at.
    fn check(&self, _: &Source) -> Vec<Trouble> {
        let gcz = self.0.blocks();
        let mut troubles = Vec::new();
        for number in 0..gcz.places.len() {
            // Blocks may share bytes.
            let size = gcz.place(number).map_or(0, |(range, _)| range.end.saturating_sub(range.start));
            if troubles.len() >= MAX_PROBLEMS {
                break;
            }
            if !budget::charge_work(size.saturating_add(WORK_OF_SPAN)) {
                troubles.push(Trouble::too_much_work());
                break;
            }
            troubles.extend(gcz.sound(number).err());
        }
        troubles
    }
}

/// The checksum of zlib.
fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    /// So many bytes that neither sum overflows.
    const AT_ONCE: usize = 5552;
    let (mut first, mut second) = (1_u32, 0_u32);
    for piece in bytes.chunks(AT_ONCE) {
        for byte in piece {
            first = first.wrapping_add(u32::from(*byte));
            second = second.wrapping_add(first);
        }
        (first, second) = (first % MODULUS, second % MODULUS);
    }
    second << 16 | first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_zlib() {
        assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
        assert_eq!((adler32(b""), adler32(&[0xFF; 1 << 20])), (1, ones()));
    }

    /// The checksum of 2²⁰ bytes FFh by the definition.
    fn ones() -> u32 {
        let (mut first, mut second) = (1_u64, 0_u64);
        for _ in 0..1 << 20 {
            first = (first + 255) % 65521;
            second = (second + first) % 65521;
        }
        (second << 16 | first) as u32
    }

    #[test]
    fn a_stream_gives_no_more_than_a_block() {
        use std::io::Write;
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&[7; 100_000]).unwrap();
        let stored = encoder.finish().unwrap();
        assert_eq!(inflate(&stored, 200_000), vec![7; 100_000]);
        assert_eq!(inflate(&stored, 1000), vec![7; 1000]);
        assert!(inflate(b"no stream", 1000).is_empty());
        assert!(inflate(&stored[..stored.len() / 2], 200_000).len() < 100_000);
    }
}
