//! 7z archives (formats/containers.md §10). Their list of members is read when they are opened, and their blocks are unpacked as far as
//! members are requested.

mod block;
mod coders;
mod folder;
mod header;
mod streams;
mod table;
#[cfg(test)]
mod tests;

use self::{
    block::Blocks,
    header::{Kind, Members},
    streams::{SIGNATURE, Streams},
};
use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble, Unpacked, Unpacking},
    info::HEADER,
    score::by_name,
    source_reader::crc32,
};
use crate::{
    bytes::{Endian, Source},
    formats::{Field, Hint, Score, Value, caught, field_reader::FieldReader},
};
use header::{MAGIC, Signature, of_header, plain_header};
use std::ops::Range;

pub const EXTENSIONS: &[&str] = &["7z"];

pub fn by_head(head: &[u8], hint: &Hint<'_>) -> Score {
    if head.starts_with(MAGIC) { Score::Likely } else { by_name(hint, EXTENSIONS) }
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    if cx.file.ends_with(".001") {
        return super::score::part(source, cx);
    }
    let plain = caught(|| plain_header(source, cx));
    let plain = plain.unwrap_or_else(|_| Err(Trouble::new(&codes::TABLE, 0, "the file list is damaged")))?;
    let members = match plain.bytes.is_empty() {
        true => Members::default(),
        false => header::members(&plain.bytes, plain.range.start, cx)
            .map_err(|trouble| of_header(trouble, &plain.range, plain.is_stored))?,
    };
    let items = items(&members);
    let streams_of = members.files.iter().map(|file| match file.kind {
        Kind::Packed(stream) => Some(stream),
        Kind::Empty | Kind::Folder | Kind::Anti => None,
    });
    let streams_of = streams_of.collect();
    let streams = members.streams;
    let end = plain.range.start.min(streams.end());
    let container = SevenZip {
        source: source.clone(),
        before: end..plain.range.start,
        header: plain.range,
        streams,
        streams_of,
        blocks: Blocks::default(),
    };
    // Members of a solid block share it.
    Ok(Contents { items, space: None, may_share: true, container: Box::new(container) })
}

fn items(members: &Members<'_>) -> Vec<Item> {
    let streams = &members.streams;
    let item = |file: &header::File| {
        let name = members.name(file);
        match file.kind {
            Kind::Anti => Item::folder("", 0..0),
            Kind::Folder => Item { is_path: true, ..Item::folder(name, 0..0) },
            Kind::Empty => Item { is_path: true, stored: Vec::new(), ..Item::plain(name, 0..0, 0..0) },
            Kind::Packed(index) => {
                let member = streams.members().get(index);
                let method = member.map_or("unknown method", |member| streams.method(member.block));
                let is_plain = method == "stored";
                let packed = member.map(|member| streams.packed(member.block)).unwrap_or_default();
                let stored = match (member, packed) {
                    (Some(member), [packed]) if is_plain => {
                        let at = |offset: u64| packed.start.saturating_add(offset).min(packed.end);
                        let own = at(member.offset)..at(member.end());
                        vec![own]
                    }
                    _ => packed.to_vec(),
                };
                let size = member.map(|member| member.size);
                Item { name, is_path: true, stored, size, method, is_plain, ..Item::default() }
            }
        }
    };
    members.files.iter().map(item).collect()
}

struct SevenZip {
    source: Source,
    /// Range of the header in the file.
    header: Range<u64>,
    /// Range between the members and the header: the header's own stream if it is packed.
    before: Range<u64>,
    streams: Streams,
    /// The stream of each item.
    streams_of: Vec<Option<usize>>,
    blocks: Blocks,
}

impl SevenZip {
    fn stream_of(&self, item: usize) -> Option<usize> {
        self.streams_of.get(item).copied().flatten()
    }
}

impl Container for SevenZip {
    fn unpack(&self, index: usize, _: &Source, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let stream = self.stream_of(index);
        let stream = stream.ok_or_else(|| Trouble::new(&codes::TABLE, 0, "the archive has no data for this entry"))?;
        caught(|| self.blocks.unpack(stream, &self.source, &self.streams, cx))
            .unwrap_or_else(|_| Err(Trouble::new(&codes::DECODE, 0, "the compressed data is damaged")))
    }

    fn fields(&self, file: &Source) -> Vec<Field> {
        let mut r = FieldReader::new(file, 0..SIGNATURE, Endian::Little).recording();
        let _ = r.group("Signature header", "Header", Signature::read);
        let mut fields = r.into_fields();
        let end = file.len() as u64;
        for (name, range) in [("Packed header", &self.before), ("Header", &self.header)] {
            let size = range.end.min(end).saturating_sub(range.start);
            if size > 0 {
                fields.push(Field::new(name, format!("u8[{size}]"), Value::Opaque(HEADER), range.start, size));
            }
        }
        fields
    }

    fn record(&self, _: usize, _: &Source) -> Vec<Field> {
        Vec::new()
    }

    fn check_plain(&self, index: usize, member: &Source) -> Vec<Trouble> {
        let stated = self.stream_of(index).and_then(|stream| self.streams.members().get(stream)?.digest);
        let trouble = stated.and_then(|stated| Trouble::of_sum(stated, crc32(member)?));
        trouble.into_iter().collect()
    }

    fn held(&self) -> u64 {
        self.blocks.held()
    }
}
