//! Compressed packages of Unreal Engine games (formats/containers.md §2): one member, without its size or a checksum.

mod bwt;
pub mod encode;
mod huffman;
mod stage;
#[cfg(test)]
mod tests;

use self::{
    bwt::Blocks,
    huffman::{Header, Huffman, LARGEST_HEADER},
    stage::Stage,
};
use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble, Unpacked, Unpacking},
    output::{Cost, Output},
    umod, zlib,
};
use crate::{
    bytes::{Endian, Reader, Source},
    formats::{
        Field, Hint, Score, compact,
        field_reader::{Fault, FieldReader},
        file_name,
    },
};
use stage::{MoveToFront, Runs, Unrolled};
use std::ops::Range;

pub const EXTENSIONS: &[&str] = &["uz"];

/// The signatures: without and with runs between the Huffman codes and the places.
const SIMPLE: u32 = 1234;
const NESTED: u32 = 5678;
/// What stands in the place of them in Unreal 227: two sizes and this.
const ZLIB: u8 = 172;
/// The largest header: signature or sizes, and a name of 255 characters of two bytes.
const HEADER: u64 = 9 + 5 + 2 * 255;

/// As much of a file is seen at least, where it has so much, when it is asked what it is.
const SEEN: usize = 64;

/// How a member is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Simple,
    Nested,
    Zlib { size: u32 },
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Self::Simple => "Huffman, move-to-front, BWT, RLE",
            Self::Nested => "Huffman, RLE, move-to-front, BWT, RLE",
            Self::Zlib { .. } => "zlib",
        }
    }
}

/// Work of a byte that the stages before the last one give.
const WORK_OF_STAGES: u64 = 60;

pub fn score(head: &[u8], _: &Hint<'_>) -> Score {
    let mut r = Reader::little(head);
    match r.u32() {
        Ok(SIMPLE | NESTED) => name_score(&mut r, head.len()),
        _ => Score::No,
    }
}

/// The form of Unreal 227, which has no signature, but the file's own size.
pub fn score_whole(source: &Source, _: &Hint<'_>, _: Score) -> Score {
    let size = source.len() as u64;
    let Some(head) = source.slice(0, HEADER.saturating_add(2).min(size)) else { return Score::No };
    let mut r = Reader::little(head.as_slice());
    let numbers = (r.u32(), r.u32(), r.u8());
    let is_it = matches!(numbers, (Ok(_), Ok(file), Ok(ZLIB)) if u64::from(file) == size)
        && name_score(&mut r, head.len()) > Score::No
        && r.array::<2>().is_ok_and(zlib::is_header);
    if is_it { Score::Certain } else { Score::No }
}

/// How sure it is that a name of up to 255 characters follows that can be printed, with a NUL at its end; as far as the first `seen`
/// bytes of the file show. No name at all says less.
fn name_score(r: &mut Reader<'_>, seen: usize) -> Score {
    let Ok(length) = compact::read_index(r) else { return Score::No };
    let (count, width) = (length.unsigned_abs() as usize, if length < 0 { 2 } else { 1 });
    let size = count.saturating_mul(width);
    let is_cut = size > r.left() && seen >= SEEN;
    let Ok(bytes) = r.bytes(if is_cut { r.left() } else { size }) else { return Score::No };
    let mut letters: Vec<u16> = match width {
        1 => bytes.iter().map(|byte| u16::from(*byte)).collect(),
        _ => bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect(),
    };
    let has_end = is_cut || letters.pop().is_none_or(|last| last == 0);
    let is_text = letters.iter().all(|letter| *letter >= 0x20 && *letter != 0x7F);
    match (count, has_end && is_text) {
        (0, true) => Score::Likely,
        (1..=255, true) => Score::Certain,
        _ => Score::No,
    }
}

struct Start {
    method: Method,
    name: String,
}

impl Start {
    fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let at = r.offset();
        let mut ahead = r.fork();
        let first = ahead.u32("")?;
        let method = match first {
            SIMPLE | NESTED if !is_zlib(&mut ahead) => {
                r.named_u32("Signature", |signature| match signature {
                    SIMPLE => Some("one run-length stage"),
                    _ => Some("two run-length stages"),
                })?;
                if first == SIMPLE { Method::Simple } else { Method::Nested }
            }
            _ if is_zlib(&mut ahead) => {
                let size = r.u32("Original size")?;
                r.u32("File size")?;
                r.u8("Signature")?;
                Method::Zlib { size }
            }
            other => {
                let message = format!("the file begins with {other} instead of {SIMPLE} or {NESTED}");
                return Err(Fault::new(at, message));
            }
        };
        Ok(Self { method, name: umod::string(r, "Name")? })
    }
}

/// Whether the size of the whole file comes next, and the signature of the form of Unreal 227.
fn is_zlib(r: &mut FieldReader<'_>) -> bool {
    let mut r = r.fork();
    let size = r.source().len() as u64;
    r.u32("").is_ok_and(|stated| u64::from(stated) == size) && r.u8("").is_ok_and(|byte| byte == ZLIB)
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let size = source.len() as u64;
    let mut r = FieldReader::new(source, 0..HEADER.min(size), Endian::Little);
    let Start { method, name } = Start::read(&mut r)?;
    let start = r.offset();
    if let Method::Simple | Method::Nested = method {
        let left = size.saturating_sub(start);
        let head = source.slice(start, LARGEST_HEADER.min(left)).unwrap_or_else(|| Source::new(Vec::new()));
        let header = Header::read(head.as_slice(), left).map_err(|trouble| at(trouble, start))?;
        check_single(&header, cx.limits.ratio_from.max(left.saturating_mul(cx.limits.ratio)))
            .map_err(|trouble| at(trouble, start))?;
    }
    // A path of the machine where it was made says nothing of where it goes.
    let name = match name.rsplit(['/', '\\']).next().unwrap_or_default() {
        "" => outer_name(cx.file, "uz"),
        name => name.to_owned(),
    };
    let size = match method {
        Method::Zlib { size } => Some(u64::from(size)),
        Method::Simple | Method::Nested => None,
    };
    let payload = start..source.len() as u64;
    let item = Item { name, record: 0..start, stored: vec![payload], size, method: method.name(), ..Item::default() };
    Ok(Contents {
        items: vec![item],
        space: None,
        may_share: false,
        container: Box::new(Tables { method, start: 0..start }),
    })
}

/// The name of a file without the extension that says how it is compressed.
pub fn outer_name(file: &str, extension: &str) -> String {
    let is_named = Hint { file_name: file }.extension() == extension;
    if is_named { file_name::stem(file) } else { file }.to_owned()
}

fn at(trouble: Trouble, start: u64) -> Trouble {
    Trouble { offset: trouble.offset.saturating_add(start), ..trouble }
}

/// One symbol over and over takes no room in the file: what becomes of it is bounded here, before it is.
fn check_single(header: &Header, most: u64) -> Result<(), Trouble> {
    if header.is_one_symbol() && header.total > most {
        let message = format!("one symbol is repeated {} times. The limit is {most}", header.total);
        return Err(Trouble::new(&codes::RATIO, 0, message));
    }
    Ok(())
}

struct Tables {
    method: Method,
    start: Range<u64>,
}

impl Container for Tables {
    fn is_wrapper(&self) -> bool {
        true
    }

    fn unpack(&self, _: usize, stored: &Source, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let bytes = stored.as_slice();
        let mut output = Output::new(cx, bytes.len() as u64, Cost::RUNS)?;
        match self.method {
            Method::Simple => unpack(MoveToFront::new(Huffman::new(bytes)?), cx, &mut output)?,
            Method::Nested => unpack(MoveToFront::new(Unrolled::new(Huffman::new(bytes)?)), cx, &mut output)?,
            Method::Zlib { .. } => {
                zlib::unpack(bytes, &mut output)?;
            }
        }
        Ok(output.finish(Vec::new()))
    }

    fn fields(&self, file: &Source) -> Vec<Field> {
        let mut r = FieldReader::new(file, self.start.clone(), Endian::Little).recording();
        // What could be read when it was opened can be read again.
        let _ = Start::read(&mut r);
        r.into_fields()
    }

    fn record(&self, _: usize, file: &Source) -> Vec<Field> {
        self.fields(file)
    }
}

/// The stages that both forms have.
fn unpack(stage: impl Stage, cx: &Unpacking<'_>, output: &mut Output<'_>) -> Result<(), Trouble> {
    let mut blocks = Blocks::new(stage);
    let (mut runs, mut text) = (Runs::default(), Vec::new());
    loop {
        text.clear();
        if !blocks.next(&mut text)? {
            return runs.finish().map_err(|trouble| at(trouble, blocks.used()));
        }
        cx.work((text.len() as u64).saturating_mul(WORK_OF_STAGES))?;
        runs.feed(&text, output).map_err(|trouble| at(trouble, blocks.used()))?;
    }
}
