//! GameCube discs made in code, and the forms that images of them have (formats/containers.md §8).

use sha1::{Digest, Sha1};
use std::io::Write;

#[allow(unused_imports, reason = "each test executable uses its part")]
pub use bonebox::formats::containers::encode::{FILE_LIST as LIST, gcm};
use bonebox::formats::containers::encode::{PROGRAM, PROGRAM_SIZE, UNIT};

/// Whether a block is zeros.
fn is_zero(block: &[u8]) -> bool {
    block.iter().all(|byte| *byte == 0)
}

/// The block, zeros added at its end.
fn filled(block: &[u8], size: usize) -> Vec<u8> {
    let mut block = block.to_vec();
    block.resize(size, 0);
    block
}

pub fn ciso(disc: &[u8], block: usize) -> Vec<u8> {
    let mut bytes = b"CISO".to_vec();
    bytes.extend((block as u32).to_le_bytes());
    bytes.extend(disc.chunks(block).map(|block| u8::from(!is_zero(block))));
    bytes.resize(0x8000, 0);
    for stored in disc.chunks(block).filter(|block| !is_zero(block)) {
        bytes.extend(filled(stored, block));
    }
    bytes
}

/// Blocks whose number is a multiple of three are stored as they are.
pub fn gcz(disc: &[u8], block: usize) -> Vec<u8> {
    let (mut places, mut sums, mut data) = (Vec::new(), Vec::new(), Vec::new());
    for (number, plain) in disc.chunks(block).enumerate() {
        let plain = filled(plain, block);
        let (stored, mark) = if number % 3 == 0 { (plain, 1 << 63) } else { (zlib(&plain), 0) };
        places.extend((data.len() as u64 | mark).to_le_bytes());
        sums.extend(adler32(&stored).to_le_bytes());
        data.extend(stored);
    }
    let mut bytes = vec![0x01, 0xC0, 0x0B, 0xB1, 0, 0, 0, 0];
    bytes.extend((data.len() as u64).to_le_bytes());
    bytes.extend((disc.len() as u64).to_le_bytes());
    bytes.extend((block as u32).to_le_bytes());
    bytes.extend((sums.len() as u32 / 4).to_le_bytes());
    [bytes, places, sums, data].concat()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut first, mut second) = (1_u32, 0_u32);
    for byte in bytes {
        first = (first + u32::from(*byte)) % 65521;
        second = (second + first) % 65521;
    }
    second << 16 | first
}

/// Blocks are stored in the order from the last one to the first.
pub fn wbfs(disc: &[u8], block_bits: u8) -> Vec<u8> {
    let block = 1 << block_bits;
    let count = ((143_432_u64 * 2 * 0x8000) >> block_bits).max(1) as usize;
    let blocks: Vec<&[u8]> = disc.chunks(block).collect();
    let stored: Vec<usize> = (0..blocks.len()).rev().filter(|number| !is_zero(blocks[*number])).collect();
    let mut bytes = b"WBFS\0\0\0\0".to_vec();
    bytes.extend([9, block_bits, 1, 0, 1]);
    bytes.resize(512, 0);
    bytes.extend(&disc[..0x100]);
    let first = (bytes.len() + 2 * count).div_ceil(block);
    for number in 0..count {
        let place = stored.iter().position(|stored| *stored == number).map_or(0, |place| first + place);
        bytes.extend((place as u16).to_be_bytes());
    }
    for (at, number) in stored.into_iter().enumerate() {
        bytes.resize((first + at) * block, 0);
        bytes.extend(blocks[number]);
    }
    bytes.resize(bytes.len().next_multiple_of(block), 0);
    bytes
}

/// The disc moved by 8000h, with its list of files and its program behind it.
pub fn tgc(disc: &[u8]) -> Vec<u8> {
    let number = |at: usize| u32::from_be_bytes(disc[at..at + 4].try_into().unwrap());
    let (list, size) = (LIST, number(0x428) as usize);
    let end = 0x8000 + PROGRAM;
    let program = (end + size).next_multiple_of(UNIT);
    let files = (program + PROGRAM_SIZE).next_multiple_of(UNIT);
    let first = (list + size).next_multiple_of(UNIT);
    let mut bytes = vec![0xAE, 0x0F, 0x38, 0xA2];
    let rest = disc.len().saturating_sub(first);
    for value in [0, 0x8000, 0x10_0000, end, size, size, program, PROGRAM_SIZE, files, rest, 0, 0, first] {
        bytes.extend((value as u32).to_be_bytes());
    }
    bytes.resize(0x8000, 0);
    bytes.extend(&disc[..PROGRAM]);
    bytes.extend(&disc[list..list + size]);
    bytes.resize(program, 0);
    bytes.extend(&disc[PROGRAM..PROGRAM + PROGRAM_SIZE]);
    bytes.resize(files, 0);
    bytes.extend(disc.get(first..).unwrap_or_default());
    bytes
}

/// How the groups of a made WIA or RVZ file are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Stored,
    Purge,
    Bzip2,
    /// RVZ alone.
    Zstd,
    /// RVZ alone: literals, and compressed where that is shorter.
    Packed,
}

impl Packing {
    fn number(self) -> u32 {
        match self {
            Self::Stored => 0,
            Self::Purge => 1,
            Self::Bzip2 => 2,
            Self::Zstd | Self::Packed => 5,
        }
    }

    fn pack(self, plain: &[u8]) -> Vec<u8> {
        match self {
            Self::Stored => plain.to_vec(),
            Self::Purge => purge(plain),
            Self::Bzip2 => {
                let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
                encoder.write_all(plain).unwrap();
                encoder.finish().unwrap()
            }
            Self::Zstd | Self::Packed => {
                ruzstd::encoding::compress_to_vec(plain, ruzstd::encoding::CompressionLevel::Fastest)
            }
        }
    }
}

/// The stretches that are not zeros, and their hash.
fn purge(plain: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < plain.len() {
        let start = at + plain[at..].iter().position(|byte| *byte != 0).unwrap_or(plain.len() - at);
        let end = (start..plain.len()).find(|at| is_zero(&plain[*at..plain.len().min(at + 8)])).unwrap_or(plain.len());
        if start < end {
            bytes.extend((start as u32).to_be_bytes());
            bytes.extend(((end - start) as u32).to_be_bytes());
            bytes.extend(&plain[start..end]);
        }
        at = end.max(start);
    }
    let hash = Sha1::digest(&bytes);
    bytes.extend(hash.as_slice());
    bytes
}

/// A WIA or RVZ file of one raw area.
pub fn wia(disc: &[u8], chunk: usize, packing: Packing, is_rvz: bool) -> Vec<u8> {
    const TABLES: usize = 0x48 + 0xDC;
    let group_count = disc.len().div_ceil(chunk);
    let mut area = 0x80_u64.to_be_bytes().to_vec();
    area.extend((disc.len() as u64 - 0x80).to_be_bytes());
    area.extend([0, 0, 0, 0]);
    area.extend((group_count as u32).to_be_bytes());
    let (mut groups, mut data) = (Vec::new(), Vec::new());
    // The groups lie before their table, whose size they do not depend on.
    let area = packing.pack(&area);
    let first = (TABLES + area.len()).next_multiple_of(4);
    for plain in disc.chunks(chunk) {
        let at = first + data.len();
        let (mut size, mut packed, mut stored) = (0, 0, Vec::new());
        if !is_zero(plain) {
            let literals = [&(plain.len() as u32).to_be_bytes()[..], plain].concat();
            let inner = if packing == Packing::Packed { &literals[..] } else { plain };
            stored = packing.pack(inner);
            size = stored.len() as u32;
            if is_rvz && packing.number() != 0 {
                if stored.len() < inner.len() {
                    size |= 1 << 31;
                } else {
                    stored = inner.to_vec();
                    size = stored.len() as u32;
                }
            }
            packed = if packing == Packing::Packed { literals.len() as u32 } else { 0 };
        }
        groups.extend((at as u32 / 4).to_be_bytes());
        groups.extend(size.to_be_bytes());
        if is_rvz {
            groups.extend(packed.to_be_bytes());
        }
        data.extend(stored);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    let groups = packing.pack(&groups);
    let table = first + data.len();
    let mut inner = 1_u32.to_be_bytes().to_vec();
    for value in [packing.number(), 0, chunk as u32] {
        inner.extend(value.to_be_bytes());
    }
    inner.extend(&disc[..0x80]);
    inner.extend(0_u32.to_be_bytes());
    inner.extend(0x30_u32.to_be_bytes());
    inner.extend(0_u64.to_be_bytes());
    inner.extend([0; 20]);
    for (count, at, size) in [(1, TABLES, area.len()), (group_count, table, groups.len())] {
        inner.extend((count as u32).to_be_bytes());
        inner.extend((at as u64).to_be_bytes());
        inner.extend((size as u32).to_be_bytes());
    }
    inner.extend([0; 8]);
    assert_eq!(inner.len(), 0xDC);
    let end = table + groups.len();
    let mut bytes = if is_rvz { b"RVZ\x01".to_vec() } else { b"WIA\x01".to_vec() };
    bytes.extend(0x0100_0000_u32.to_be_bytes());
    bytes.extend(0x0003_0000_u32.to_be_bytes());
    bytes.extend(0xDC_u32.to_be_bytes());
    bytes.extend(Sha1::digest(&inner).as_slice());
    bytes.extend((disc.len() as u64).to_be_bytes());
    bytes.extend((end as u64).to_be_bytes());
    let hash = Sha1::digest(&bytes);
    bytes.extend(hash.as_slice());
    bytes.extend(inner);
    bytes.extend(area);
    bytes.resize(first, 0);
    bytes.extend(data);
    bytes.extend(groups);
    bytes
}

/// Makes the hashes of a WIA or RVZ file right again after its headers were changed.
pub fn sign(file: &mut [u8]) {
    let inner = Sha1::digest(&file[0x48..0x48 + 0xDC]);
    file[0x10..0x24].copy_from_slice(inner.as_slice());
    let outer = Sha1::digest(&file[..0x34]);
    file[0x34..0x48].copy_from_slice(outer.as_slice());
}
