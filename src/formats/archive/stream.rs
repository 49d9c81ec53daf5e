//! Compressed streams: what Yaz0 and Yay0 have in common, and their fields.

use super::{
    directory::is_padding,
    info::{COMPRESSED, PADDING},
    yaz0::{self, Decompressed},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Field, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::ops::Range;

/// Which compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Yaz0: flags, copies and plain bytes in one stream (formats/j3d.md §10).
    Yaz0,
    /// Yay0: flags, copies and plain bytes in separate tables (formats/j3d.md §10).
    Yay0,
}

/// A stream's header.
#[derive(Clone, Copy, Debug)]
pub struct StreamHeader {
    /// Bytes that it states to become.
    pub size: u32,
    /// Where Yay0's tables start, from the stream's start.
    links: u32,
    chunks: u32,
}

impl Method {
    /// By the first four bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [b'Y', b'a', b'z', b'0', ..] => Some(Self::Yaz0),
            [b'Y', b'a', b'y', b'0', ..] => Some(Self::Yay0),
            _ => None,
        }
    }

    /// Returns the name of the method, which is also the class of its entries.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yaz0 => "Yaz0",
            Self::Yay0 => "Yay0",
        }
    }

    /// Reads the header of a stream in `range`.
    pub fn read_header(self, r: &mut FieldReader<'_>) -> Result<StreamHeader, Fault> {
        r.tag::<4>("Magic")?;
        let size = r.u32("DecompressedSize")?;
        match self {
            Self::Yaz0 => {
                r.u32("Alignment")?;
                r.u32("Reserved")?;
                Ok(StreamHeader { size, links: 0, chunks: 0 })
            }
            Self::Yay0 => {
                let links = r.u32("LinkOffset")?;
                let chunks = r.u32("ChunkOffset")?;
                Ok(StreamHeader { size, links, chunks })
            }
        }
    }

    /// Decompresses the whole stream, at most `most` bytes of it.
    pub fn decompress(self, header: &StreamHeader, input: &[u8], most: usize) -> Decompressed {
        let size = (header.size as usize).min(most);
        match self {
            Self::Yaz0 => yaz0::decompress_yaz0(input, size),
            Self::Yay0 => yaz0::decompress_yay0(input, size, header.links as usize, header.chunks as usize),
        }
    }

    /// The fields of a stream in `range`, of which `consumed` bytes were used.
    pub fn fields(self, source: &Source, range: Range<u64>, consumed: u64) -> Vec<Field> {
        let mut r = FieldReader::new(source, range.clone(), Endian::Big).recording();
        let header = self.read_header(&mut r);
        let start = r.offset();
        let mut fields = r.into_fields();
        let end = range.start.saturating_add(consumed).clamp(start, range.end.max(start));
        let mut cuts = vec![start, end];
        if let (Self::Yay0, Ok(header)) = (self, &header) {
            let tables = [header.links, header.chunks].map(|at| range.start.saturating_add(u64::from(at)));
            cuts.extend(tables.into_iter().filter(|at| (start..end).contains(at)));
            cuts.sort_unstable();
        }
        for (at, end) in cuts.iter().zip(cuts.iter().skip(1)) {
            let size = end.saturating_sub(*at);
            let table = |offset: u32| *at == range.start.saturating_add(u64::from(offset));
            let name = match (self, &header) {
                (Self::Yay0, Ok(header)) if table(header.links) => "Links",
                (Self::Yay0, Ok(header)) if table(header.chunks) => "Chunks",
                (Self::Yay0, _) => "Flags",
                (Self::Yaz0, _) => "Stream",
            };
            if size > 0 {
                fields.push(Field::new(name, format!("u8[{size}]"), Value::Opaque(COMPRESSED), *at, size));
            }
        }
        let after = range.end.saturating_sub(end);
        if after > 0 && is_padding(source, end..range.end) {
            fields.push(Field::new("Padding", format!("u8[{after}]"), Value::Opaque(PADDING), end, after));
        }
        fields
    }
}
