//! The list of members of a 7z archive (formats/containers.md §10).

use super::{
    super::{
        codes,
        contents::{Reading, Trouble},
    },
    streams::{Streams, streams},
    table::{Bits, Table, invalid},
};
use crate::bytes::{
    numbers::{counted, grouped},
    text,
};
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
pub fn packed(bytes: &[u8], base: u64, cx: &Reading<'_>) -> Result<Option<Streams>, Trouble> {
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
