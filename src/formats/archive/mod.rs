//! Archives and the packings that they come in: RARC, U8, Yaz0, Yay0, in each other and with files of every other format in
//! them, shown as one tree (formats/j3d.md §10, §11).
//!
//! Bytes are counted within the nearest *space*: the file itself, or what a stream decompressed to
//! ([`Document::source_of`]).

mod build;
mod codes;
mod directory;
mod document;
pub mod encode;
mod files;
mod rarc;
mod stream;
mod u8_archive;
mod yay0;
mod yaz0;

pub use document::ArchiveDocument;
pub use stream::{Decompressed, Method, Stopped, StreamHeader};

use super::{Document, Field, Format, FormatInfo, Hint, OpenContext, OpenError, Score, Table, Value};
use crate::bytes::{Source, text};
use std::{ops::Range, sync::Arc};

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of compressed bytes.
pub const COMPRESSED: &str = "compressed stream";
/// Name of the opaque range of members that no format knows.
pub const PAYLOAD: &str = "payload";

/// What the family leaves opaque (CLI.md, `verify`).
static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "bytes between an archive's tables and members that fill up to a multiple of 32"),
    (COMPRESSED, "a compressed stream: what it becomes is read in a space of its own"),
    (PAYLOAD, "a member whose format is not known, handed out whole"),
];

/// Bytes of a name that count; longer ones are cut.
const LONGEST_NAME: usize = 255;
/// Bytes that the names of an archive may take besides four times its size: its files may share one.
const TEXT: u64 = 8 << 20;
/// Problems that are kept of one archive; a hostile one could make millions.
const MAX_PROBLEMS: usize = 1000;
/// Bytes that fill up whatever they hold, when they are this few.
const MAX_FILLED: u64 = 32;

/// What a file is that holds others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Stream(Method),
    Rarc,
    U8,
}

impl Kind {
    /// By the first bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        if let Some(method) = Method::of(head) {
            return Some(Self::Stream(method));
        }
        if head.starts_with(b"RARC") {
            return Some(Self::Rarc);
        }
        head.starts_with(&u8_archive::MAGIC).then_some(Self::U8)
    }

    /// What entries of this kind are classed as.
    fn class(self) -> &'static str {
        match self {
            Self::Stream(method) => method.name(),
            Self::Rarc => "RARC",
            Self::U8 => "U8",
        }
    }
}

/// One kind of file that holds others.
pub struct ArchiveFormat {
    info: FormatInfo,
    kind: Kind,
}

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident: $kind:expr, $id:literal, $text:literal, $extensions:expr;)*) => {
        $($(#[$doc])*
        pub static $name: ArchiveFormat = ArchiveFormat {
            info: FormatInfo {
                id: $id,
                name: $text,
                family: "archives",
                extensions: $extensions,
                companions: &[],
                opaque: OPAQUE,
                codes: codes::CODES,
            },
            kind: $kind,
        };)*
    };
}

formats! {
    YAZ0: Kind::Stream(Method::Yaz0), "yaz0", "Yaz0 compressed file", &["szs", "yaz0"];
    YAY0: Kind::Stream(Method::Yay0), "yay0", "Yay0 compressed file", &["szp", "yay0"];
    RARC: Kind::Rarc, "rarc", "RARC archive", &["arc", "rarc"];
    U8: Kind::U8, "u8", "U8 archive", &["u8"];
}

impl Format for ArchiveFormat {
    fn info(&self) -> &'static FormatInfo {
        match self.kind {
            Kind::Stream(Method::Yaz0) => &YAZ0.info,
            Kind::Stream(Method::Yay0) => &YAY0.info,
            Kind::Rarc => &RARC.info,
            Kind::U8 => &U8.info,
        }
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        match Kind::of(head) {
            Some(kind) if kind == self.kind => Score::Certain,
            // To say what it is.
            None if self.kind == Kind::Rarc && head.starts_with(b"CRAR") => Score::Likely,
            None if self.info.extensions.contains(&hint.extension().as_str()) => Score::Name,
            _ => Score::No,
        }
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        if Kind::of(source.as_slice()) != Some(self.kind) {
            let start = source.as_slice().get(..4).unwrap_or(source.as_slice());
            let what = match start {
                b"CRAR" => "“CRAR” is the archive of Nintendo 3DS games, RARC with the low byte first".to_owned(),
                _ => format!("it starts with “{}” at offset 0", start.escape_ascii()),
            };
            return Err(OpenError::new(cx.file, format!("no {}: {what}", self.info.name)));
        }
        Ok(Box::new(ArchiveDocument::open(self.info(), source, cx)))
    }
}

fn bytes_of(source: &Source, range: Range<u64>) -> &[u8] {
    let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    range.and_then(|(start, end)| source.as_slice().get(start..end)).unwrap_or_default()
}

/// Whether bytes only fill up: few of them, or all zero.
fn is_padding(source: &Source, range: Range<u64>) -> bool {
    range.end.saturating_sub(range.start) < MAX_FILLED || bytes_of(source, range).iter().all(|b| *b == 0)
}

/// A name of a table of names; `None` when it starts outside of it.
fn name_at(source: &Source, table: &Range<u64>, offset: u32) -> Option<String> {
    let start = table.start.checked_add(u64::from(offset)).filter(|start| *start < table.end)?;
    let bytes = bytes_of(source, start..table.end);
    let bytes = bytes.get(..LONGEST_NAME).unwrap_or(bytes);
    let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    Some(text::shift_jis(bytes.get(..length).unwrap_or_default()))
}

/// Bytes that the names of an archive in `range` may take.
fn text_of(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start).saturating_mul(4).saturating_add(TEXT)
}

/// Takes a name's bytes from what is left; false when there are too few.
fn afford(left: &mut u64, name: &str) -> bool {
    let rest = left.checked_sub(name.len() as u64);
    *left = rest.unwrap_or(0);
    rest.is_some()
}

/// The names of a table one after the other, as they lie there.
fn name_table(source: &Source, table: Range<u64>) -> Field {
    let bytes = bytes_of(source, table.clone());
    let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last.saturating_add(2)).min(bytes.len());
    let mut starts = vec![0_u32];
    let ends = bytes.get(..used).unwrap_or_default().iter().enumerate().filter(|(_, b)| **b == 0);
    starts.extend(ends.filter_map(|(at, _)| u32::try_from(at.saturating_add(1)).ok()));
    if used > 0 && bytes.get(used.saturating_sub(1)) != Some(&0) {
        starts.push(u32::try_from(used).unwrap_or(u32::MAX));
    }
    let names = NameTable { source: source.clone(), at: table.start, starts };
    Field::table("Names", "char[]", table.start, used as u64, Arc::new(names))
}

/// Names, read when they are looked at.
struct NameTable {
    source: Source,
    at: u64,
    /// Where each name starts, from the table's start; the end of the last one after them.
    starts: Vec<u32>,
}

impl std::fmt::Debug for NameTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NameTable({})", self.len())
    }
}

impl Table for NameTable {
    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn row(&self, index: usize) -> Option<Field> {
        let start = self.at.checked_add(u64::from(*self.starts.get(index)?))?;
        let end = self.at.checked_add(u64::from(*self.starts.get(index.checked_add(1)?)?))?;
        let bytes = bytes_of(&self.source, start..end);
        let name = text::shift_jis(bytes.strip_suffix(&[0]).unwrap_or(bytes));
        let size = end.saturating_sub(start);
        Some(Field::new(index.to_string(), format!("char[{size}]"), Value::Text(name), start, size))
    }
}
