//! Compressed packages of later Unreal Engine games (formats/containers.md §3): chunks of zlib, and nothing else.

use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble, Unpacked, Unpacking},
    output::{Cost, Output},
    uz::outer_name,
    zlib,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Field, Hint, Score, Table,
        field_reader::{Fault, FieldReader},
    },
};
use std::{ops::Range, sync::Arc};

/// The last one is that of games whose packages are not read.
pub const EXTENSIONS: &[&str] = &["uz2", "uz3"];

/// Stored size, plain size.
const HEADER: u64 = 8;
/// What writers make of a chunk, at most.
const PLAIN: u32 = 0x8000;
const STORED: u32 = 0x1_0000;
/// What is read of one, at most.
const MAX_PLAIN: u32 = 1 << 20;
/// The smallest stream has a header of two bytes, a block and a checksum.
const SMALLEST: u32 = 3;
/// Chunks that confirm each other where the name says nothing.
const CONFIRMING: usize = 3;

/// By the start, where the name says it too.
pub fn score(head: &[u8], hint: &Hint<'_>) -> Score {
    match hint.extension().as_str() {
        "uz2" if is_chunk(head).is_some() => Score::Likely,
        "uz3" => Score::Name,
        _ => Score::No,
    }
}

/// By the chain of chunks, which ends where the file does.
pub fn score_whole(source: &Source, hint: &Hint<'_>, sure: Score) -> Score {
    if sure == Score::Certain {
        return Score::No;
    }
    let size = source.len() as u64;
    let (mut at, mut count) = (0_u64, 0_usize);
    while at < size {
        let head = source.slice(at, HEADER.saturating_add(2));
        let chunk = head.and_then(|head| is_chunk(head.as_slice()));
        let Some((stored, _)) = chunk.filter(|(stored, plain)| *stored <= STORED && *plain <= PLAIN) else {
            return Score::No;
        };
        (at, count) = (at.saturating_add(HEADER).saturating_add(u64::from(stored)), count.saturating_add(1));
        if at == size && (count >= CONFIRMING || hint.extension() == "uz2") {
            return Score::Certain;
        }
    }
    Score::No
}

/// The stored and the plain size of a chunk that may begin so.
fn is_chunk(head: &[u8]) -> Option<(u32, u32)> {
    let [a, b, c, d, e, f, g, h, method, flags, ..] = *head else { return None };
    let (stored, plain) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
    (stored >= SMALLEST && plain > 0 && zlib::is_header([method, flags])).then_some((stored, plain))
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let size = source.len() as u64;
    let hint = Hint { file_name: cx.file };
    if hint.extension() == "uz3" && score_whole(source, &hint, Score::No) == Score::No {
        let message = "compressed Unreal Engine 3 packages cannot be read";
        return Err(Trouble::new(&codes::UNSUPPORTED, 0, message));
    }
    let mut chunks = Vec::new();
    let mut at = 0_u64;
    while at < size {
        if chunks.len() as u64 >= cx.most_entries() {
            let message = format!("the file exceeds the limit of {} chunks", cx.most_entries());
            return Err(Trouble::new(&codes::TOO_MANY, at, message));
        }
        let piece = source.slice(at, HEADER.min(size.saturating_sub(at))).unwrap_or_else(|| Source::new(Vec::new()));
        let chunk = Chunk::read(&mut FieldReader::new(&piece, 0..HEADER, Endian::Little), at);
        let chunk = chunk.map_err(|fault| Trouble { offset: at, ..fault.into() })?;
        let end = chunk.bytes.end;
        if chunk.plain > MAX_PLAIN {
            let message =
                format!("the unpacked size of a chunk is {} bytes. The limit is {MAX_PLAIN} bytes", chunk.plain);
            return Err(Trouble::new(&codes::TOO_LARGE, at, message));
        }
        if end > size {
            let message = format!("a chunk should end at offset {end}, but the file ends at {size}");
            return Err(Trouble::new(&codes::TRUNCATED, at, message));
        }
        chunks.push(chunk);
        at = end;
    }
    let item = Item {
        name: outer_name(cx.file, "uz2"),
        stored: chunks.iter().map(|chunk| chunk.bytes.clone()).collect(),
        size: Some(chunks.iter().map(|chunk| u64::from(chunk.plain)).fold(0, u64::saturating_add)),
        method: "zlib",
        ..Item::default()
    };
    let container = Box::new(Tables { chunks: chunks.into() });
    Ok(Contents { items: vec![item], space: None, may_share: false, container })
}

#[derive(Clone, Debug)]
struct Chunk {
    /// Of the file, without the header.
    bytes: Range<u64>,
    /// Bytes that come of it.
    plain: u32,
}

impl Chunk {
    /// The header of a chunk that lies at `at`.
    fn read(r: &mut FieldReader<'_>, at: u64) -> Result<Self, Fault> {
        let stored = r.u32("Stored size")?;
        let plain = r.u32("Unpacked size")?;
        let start = at.saturating_add(HEADER);
        Ok(Self { bytes: start..start.saturating_add(u64::from(stored)), plain })
    }
}

struct Tables {
    chunks: Arc<[Chunk]>,
}

impl Container for Tables {
    fn is_wrapper(&self) -> bool {
        true
    }

    fn unpack(&self, _: usize, stored: &Source, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let bytes = stored.as_slice();
        let mut output = Output::new(cx, bytes.len() as u64, Cost::DEFLATE)?;
        let mut troubles = Vec::new();
        let mut rest = bytes;
        for (number, chunk) in self.chunks.iter().enumerate() {
            let size = usize::try_from(chunk.bytes.end.saturating_sub(chunk.bytes.start)).unwrap_or(usize::MAX);
            let (own, others) = rest.split_at_checked(size).unwrap_or((rest, &[]));
            let (start, before) = (bytes.len().saturating_sub(rest.len()) as u64, output.len());
            let at = |trouble: Trouble| Trouble {
                offset: start.saturating_add(trouble.offset),
                message: format!("chunk {number}: {}", trouble.message),
                ..trouble
            };
            zlib::unpack(own, &mut output).map_err(at)?;
            let made = output.len().saturating_sub(before) as u64;
            if made != u64::from(chunk.plain) {
                let message = format!("the unpacked size is {made} bytes instead of {}", chunk.plain);
                troubles.push(at(Trouble::new(&codes::SIZE, 0, message)));
            }
            rest = others;
        }
        // One is enough to say it.
        troubles.truncate(1);
        Ok(output.finish(troubles))
    }

    fn fields(&self, file: &Source) -> Vec<Field> {
        if self.chunks.is_empty() {
            return Vec::new();
        }
        let headers = Headers { file: file.clone(), chunks: self.chunks.clone() };
        vec![Field::table("Chunks", "Chunk", 0, file.len() as u64, Arc::new(headers))]
    }

    fn record(&self, _: usize, file: &Source) -> Vec<Field> {
        self.fields(file)
    }
}

/// The headers of chunks, read when they are looked at.
#[derive(Debug)]
struct Headers {
    file: Source,
    chunks: Arc<[Chunk]>,
}

impl Table for Headers {
    fn len(&self) -> usize {
        self.chunks.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let data = self.chunks.get(index)?.bytes.start;
        let start = data.checked_sub(HEADER)?;
        let mut r = FieldReader::new(&self.file, start..data, Endian::Little).recording();
        let _ = Chunk::read(&mut r, start);
        Some(Field::group(index.to_string(), "Chunk", start, HEADER, r.into_fields()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Cancel, MemberLimits},
        formats::containers::zlib::tests::packed,
    };

    fn chunk(plain: &[u8]) -> Vec<u8> {
        let stream = packed(plain);
        let sizes = [stream.len(), plain.len()].map(|size| (size as u32).to_le_bytes()).concat();
        [sizes, stream].concat()
    }

    fn contents(name: &str, bytes: &[u8]) -> Result<Contents, &'static str> {
        let limits = MemberLimits::default();
        read(&Source::from(bytes.to_vec()), &mut Reading::new(name, &limits)).map_err(|trouble| trouble.code.id)
    }

    fn unpacked(bytes: &[u8]) -> Result<(Vec<u8>, Vec<&'static str>), &'static str> {
        let contents = contents("x.uz2", bytes)?;
        let limits = MemberLimits::default();
        let cx = Unpacking { limits: &limits, cancel: Cancel::never() };
        let stored: Vec<u8> = contents.items[0]
            .stored
            .iter()
            .flat_map(|range| &bytes[range.start as usize..range.end as usize])
            .copied()
            .collect();
        let unpacked = contents.container.unpack(0, &Source::from(stored), &cx).map_err(|trouble| trouble.code.id)?;
        let codes = unpacked.troubles.iter().map(|trouble| trouble.code.id).collect();
        Ok((unpacked.source.as_slice().to_vec(), codes))
    }

    fn is_it(name: &str, bytes: &[u8]) -> Score {
        score_whole(&Source::from(bytes.to_vec()), &Hint { file_name: name }, Score::No)
    }

    #[test]
    fn chunks_are_joined_and_their_headers_shown() {
        let plain: Vec<u8> = (0..70_000_u32).map(|n| (n >> 5) as u8).collect();
        let file: Vec<u8> = plain.chunks(0x8000).flat_map(chunk).collect();
        assert_eq!(unpacked(&file).unwrap(), (plain, Vec::new()));
        let contents = contents("Map.unr.uz2", &file).unwrap();
        let item = &contents.items[0];
        assert_eq!((item.name.as_str(), item.size, item.stored.len()), ("Map.unr", Some(70_000), 3));
        let fields = contents.container.fields(&Source::from(file));
        let crate::formats::Children::Table(table) = &fields[0].children else { panic!() };
        let second = table.row(1).unwrap();
        assert_eq!((table.len(), second.offset, second.size), (3, item.stored[1].start - 8, 8));
    }

    #[test]
    fn the_chain_tells_or_the_name_with_it() {
        let three = [chunk(b"a"), chunk(b"bc"), chunk(b"d")].concat();
        let one = chunk(b"a");
        assert_eq!((is_it("x.bin", &three), is_it("x.bin", &one)), (Score::Certain, Score::No));
        assert_eq!(is_it("x.uz2", &one), Score::Certain);
        assert_eq!(is_it("x.bin", &[&three[..], b"!"].concat()), Score::No);
        assert_eq!(is_it("x.uz2", b""), Score::No);
        let hint = |file_name| Hint { file_name };
        assert_eq!((score(&one, &hint("x.UZ2")), score(&one, &hint("x.bin"))), (Score::Likely, Score::No));
        assert_eq!(contents("x.uz3", b"whatever").err(), Some("container.format-unsupported"));
    }

    #[test]
    fn chunks_that_say_too_much_or_end_early_are_refused() {
        let put = |at: usize, number: u32| {
            let mut file = [chunk(b"first"), chunk(b"second")].concat();
            file[at..at + 4].copy_from_slice(&number.to_le_bytes());
            unpacked(&file)
        };
        assert_eq!(put(4, MAX_PLAIN + 1), Err("container.bomb-size"));
        assert_eq!(put(0, u32::MAX), Err("container.data-truncated"));
        assert_eq!(put(4, 6), Ok((b"firstsecond".to_vec(), vec!["container.size-mismatch"])));
        let whole = chunk(b"first");
        for cut in 1..whole.len() {
            assert_eq!(unpacked(&whole[..cut]), Err("container.data-truncated"), "{cut}");
        }
        let mut damaged = whole.clone();
        damaged[12] ^= 0xFF;
        assert!(unpacked(&damaged).is_err());
        // A header without a stream, over and over.
        assert_eq!(unpacked(&[0; 8 * 300]), Err("container.data-truncated"));
        let limits = MemberLimits { count: 299, ..MemberLimits::default() };
        let many = read(&Source::from(vec![0; 8 * 300]), &mut Reading::new("x.uz2", &limits));
        assert_eq!(many.err().map(|trouble| trouble.code.id), Some("container.bomb-count"));
    }
}
