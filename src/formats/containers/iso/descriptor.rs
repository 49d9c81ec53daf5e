//! Volume descriptors: what a disc is called, and where its trees begin (formats/containers.md §9.1).

use super::record::{Charset, Record, both_u16, both_u32};
use crate::formats::{
    Value,
    field_reader::{Fault, FieldReader},
};
use std::ops::Range;

/// Bytes of a descriptor, and of the sectors that folders are written in.
pub const SECTOR: u64 = 2048;
/// The sector of the first one.
pub const FIRST: u64 = 16;
/// Descriptors that are looked at.
pub const MOST: u64 = 64;
/// The size of a block where a disc states none that there is.
const USUAL_BLOCK: u64 = 2048;

const PRIMARY: u8 = 1;
const SUPPLEMENTARY: u8 = 2;
const LAST: u8 = 255;
/// Where the escape sequences are that tell an encoding.
const ESCAPES: u64 = 0x58;

/// A descriptor.
#[derive(Clone, Debug)]
pub struct Descriptor {
    /// Where it begins, in bytes of the disc.
    pub at: u64,
    kind: u8,
    /// What it says of a tree of folders, where it is of that kind.
    pub volume: Option<Volume>,
}

/// A tree of folders.
#[derive(Clone, Debug)]
pub struct Volume {
    pub label: String,
    pub charset: Charset,
    /// As the disc states it.
    stated_block: u16,
    pub root: Record,
    /// Bytes of the path tables, which list the folders once more, and the blocks that they begin at.
    path_table: u32,
    path_tables: [u32; 4],
}

impl Descriptor {
    pub fn is_last(&self) -> bool {
        self.kind == LAST
    }

    pub fn is_primary(&self) -> bool {
        self.kind == PRIMARY
    }

    /// # Errors
    /// When it is none, or ends too early.
    pub fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let at = r.offset();
        let mut ahead = r.fork();
        ahead.seek(at.saturating_add(ESCAPES))?;
        let escapes = ahead.raw().array::<3>()?;
        let kind = r.named_u8("Type", |kind| match kind {
            0 => Some("boot record"),
            PRIMARY => Some("primary volume"),
            SUPPLEMENTARY => Some("supplementary volume"),
            3 => Some("partition"),
            LAST => Some("end of descriptors"),
            _ => None,
        })?;
        let id = r.tag::<5>("Identifier")?;
        if id != *b"CD001" {
            return Err(Fault::new(at, "the signature “CD001” of a volume descriptor is missing"));
        }
        r.u8("Version")?;
        let is_joliet = matches!(escapes, [0x25, 0x2F, 0x40 | 0x43 | 0x45]);
        let volume = match kind {
            PRIMARY => Some(Volume::read(r, Charset::Cp437)?),
            SUPPLEMENTARY if is_joliet => Some(Volume::read(r, Charset::Joliet)?),
            SUPPLEMENTARY => Some(Volume::read(r, Charset::Cp437)?),
            _ => {
                r.bytes("Data", "u8[2041]", 2041, Value::Raw)?;
                None
            }
        };
        Ok(Self { at, kind, volume })
    }
}

impl Volume {
    fn read(r: &mut FieldReader<'_>, charset: Charset) -> Result<Self, Fault> {
        let text = |bytes: &[u8]| {
            let text = charset.decode(bytes);
            text.split('\0').next().unwrap_or_default().trim_end_matches(' ').to_owned()
        };
        r.u8("Volume flags")?;
        r.text("System", 32, text)?;
        let label = r.text("Volume", 32, text)?;
        r.pad(8)?;
        both_u32(r, "Blocks")?;
        r.bytes("Escape sequences", "u8[32]", 32, Value::Raw)?;
        both_u16(r, "Volume set size")?;
        both_u16(r, "Volume number")?;
        let stated_block = both_u16(r, "Block size")?;
        let path_table = both_u32(r, "Path table size")?;
        let low = [r.u32("Path table")?, r.u32("Optional path table")?];
        let high = ["Path table (big-endian)", "Optional path table (big-endian)"].map(|name| {
            let at = r.offset();
            let value = r.raw().u32()?.swap_bytes();
            r.record(name, "u32", at, || Value::UInt(u64::from(value)));
            Ok::<u32, Fault>(value)
        });
        let [Ok(first), Ok(second)] = high else { return Err(r.fault("a volume descriptor ends too early")) };
        let [low_first, low_second] = low;
        let end = r.offset().saturating_add(34);
        let root = r.group("Root folder", "Directory record", |r| {
            let record = Record::read(r, charset)?;
            if r.offset() != end {
                return Err(r.fault("invalid size of the root folder record. It must be 34 bytes"));
            }
            Ok(record)
        })?;
        for (name, size) in [
            ("Volume set", 128),
            ("Publisher", 128),
            ("Preparer", 128),
            ("Application", 128),
            ("Copyright file", 37),
            ("Abstract file", 37),
            ("Bibliographic file", 37),
        ] {
            r.text(name, size, text)?;
        }
        // Dates are digits, whatever the names are in.
        for name in ["Created", "Modified", "Expires", "Effective"] {
            r.text(name, 17, |bytes| String::from_utf8_lossy(bytes.get(..14).unwrap_or_default()).into_owned())?;
        }
        r.u8("File structure version")?;
        r.pad(1)?;
        r.bytes("Application use", "u8[512]", 512, Value::Raw)?;
        r.bytes("Reserved", "u8[653]", 653, Value::Raw)?;
        let path_tables = [low_first, low_second, first, second];
        Ok(Self { label, charset, stated_block, root, path_table, path_tables })
    }

    /// Bytes of a block.
    pub fn block_size(&self) -> u64 {
        match self.stated_block {
            512 | 1024 | 2048 => u64::from(self.stated_block),
            _ => USUAL_BLOCK,
        }
    }

    /// What it states as the size of a block, where there is no such size.
    pub fn odd_block_size(&self) -> Option<u16> {
        Some(self.stated_block).filter(|size| u64::from(*size) != self.block_size())
    }

    /// Where the path tables are, in bytes of the disc, and whether the high byte comes first.
    pub fn path_tables(&self) -> impl Iterator<Item = (Range<u64>, bool)> {
        let places = self.path_tables.into_iter().zip([false, false, true, true]);
        places.filter(|(block, _)| *block != 0).map(|(block, is_high)| {
            let start = u64::from(block).saturating_mul(self.block_size());
            (start..start.saturating_add(u64::from(self.path_table)), is_high)
        })
    }
}
