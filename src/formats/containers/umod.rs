//! Installers of Unreal Engine games: `.umod`, `.ut2mod`, `.ut4mod` (formats/containers.md §4). Members lie one after the other, a
//! directory after them, and a footer of 20 bytes at the end.

use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble},
    manifest, rows,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Field, Hint, Score, Value, compact,
        field_reader::{Fault, FieldReader},
    },
};
use std::{ops::Range, sync::Arc};

pub const EXTENSIONS: &[&str] = &["umod", "ut2mod", "ut4mod"];

const MAGIC: u32 = 0x9FE3_C5A3;
const FOOTER: u64 = 20;
/// The smallest record of the directory: a name of nothing, its length, offset, size, flags.
const SMALLEST: u64 = 13;
/// Bytes of which the checksum is made at once.
const SUMMED: u64 = 1 << 20;

/// Flags of a member that says how to install the others.
const NOT_INSTALLED: u32 = 3;

pub fn score(source: &Source, _: &Hint<'_>, _: Score) -> Score {
    let footer = (source.len() as u64).checked_sub(FOOTER).and_then(|at| source.slice(at, 4));
    match footer {
        Some(footer) if footer.as_slice() == MAGIC.to_le_bytes() => Score::Certain,
        _ => Score::No,
    }
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let size = source.len() as u64;
    let start = size.checked_sub(FOOTER);
    let start = start.ok_or_else(|| Trouble::new(&codes::TRUNCATED, size, "the 20-byte footer is missing"))?;
    // Of a large file the members are left where they are.
    let tail = source.slice(start, FOOTER).unwrap_or_else(|| source.clone());
    let footer = Footer::read(&mut FieldReader::new(&tail, 0..FOOTER, Endian::Little))?;
    if footer.magic != MAGIC {
        let message = format!("the footer starts with {:08X} instead of {MAGIC:08X}", footer.magic);
        return Err(Trouble::new(&codes::TABLE, start, message));
    }
    if u64::from(footer.size) != size {
        let message = format!("the footer specifies a file size of {} bytes, but the file has {size}", footer.size);
        cx.report(Trouble::new(&codes::ODD, start.saturating_add(8), message));
    }
    let directory = u64::from(footer.directory);
    if directory >= start {
        let message = format!("the directory offset {directory} is past the start of the footer at offset {start}");
        return Err(Trouble::new(&codes::TABLE, start.saturating_add(4), message));
    }
    cx.check_table(start.saturating_sub(directory), directory)?;
    source.divide([directory, start]);
    let mut r = FieldReader::new(source, directory..start, Endian::Little);
    let count = index(&mut r, "Entry count")?;
    let left = start.saturating_sub(r.offset());
    let count = u64::try_from(count)
        .map_err(|_| Trouble::new(&codes::TABLE, directory, format!("invalid entry count {count}")))?;
    cx.check_count(count, SMALLEST, left, directory)?;
    let mut items = Vec::new();
    let mut records = Vec::new();
    for number in 0..count {
        let at = r.offset();
        let record = match Record::read(&mut r) {
            Ok(record) => record,
            Err(fault) => {
                let message = format!("the directory ends within entry {number} of {count}: {}", fault.message);
                cx.report(Trouble::new(&codes::TRUNCATED, fault.offset, message));
                break;
            }
        };
        let stored = u64::from(record.offset)..u64::from(record.offset).saturating_add(u64::from(record.size));
        let item = Item { is_path: true, ..Item::plain(record.name, at..r.offset(), stored) };
        records.push(at..r.offset());
        items.push(item);
    }
    let manifests = manifest::fields(source, &items);
    let tables = Tables { directory: directory..r.offset(), footer: start..size, records: records.into(), manifests };
    Ok(Contents { items, space: None, may_share: false, container: Box::new(tables) })
}

struct Footer {
    magic: u32,
    directory: u32,
    size: u32,
}

impl Footer {
    fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let magic = r.u32("Magic")?;
        let directory = r.u32("Directory offset")?;
        let size = r.u32("File size")?;
        r.u32("Version")?;
        r.u32("Checksum")?;
        Ok(Self { magic, directory, size })
    }
}

struct Record {
    name: String,
    offset: u32,
    size: u32,
}

impl Record {
    fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let name = string(r, "Name")?;
        let offset = r.u32("Offset")?;
        let size = r.u32("Size")?;
        r.named_u32("Flags", |flags| match flags {
            0 => Some("installed"),
            NOT_INSTALLED => Some("not installed"),
            _ => None,
        })?;
        Ok(Self { name, offset, size })
    }
}

struct Tables {
    directory: Range<u64>,
    footer: Range<u64>,
    records: Arc<[Range<u64>]>,
    /// What the manifests say of the installer.
    manifests: Vec<Field>,
}

impl Container for Tables {
    fn fields(&self, file: &Source) -> Vec<Field> {
        let mut fields = self.manifests.clone();
        let mut r = FieldReader::new(file, self.directory.clone(), Endian::Little).recording();
        // What could be read when it was opened can be read again.
        let _ = index(&mut r, "Entry count");
        fields.extend(r.into_fields());
        let read = |r: &mut FieldReader<'_>| Record::read(r).map(|_| ());
        fields.extend(rows::table("Directory", "Record", file, self.records.clone(), read));
        let mut r = FieldReader::new(file, self.footer.clone(), Endian::Little).recording();
        let _ = Footer::read(&mut r);
        fields.extend(r.into_fields());
        fields
    }

    fn record(&self, index: usize, file: &Source) -> Vec<Field> {
        let Some(range) = self.records.get(index) else { return Vec::new() };
        let mut r = FieldReader::new(file, range.clone(), Endian::Little).recording();
        let _ = Record::read(&mut r);
        r.into_fields()
    }

    fn check(&self, file: &Source) -> Vec<Trouble> {
        let at = self.footer.start.saturating_add(16);
        let stored = file.slice(at, 4).and_then(|sum| Some(u32::from_le_bytes(*sum.as_slice().first_chunk()?)));
        let (Some(stored), Some(sum)) = (stored, checksum(file, self.footer.start)) else { return Vec::new() };
        if stored == sum {
            return Vec::new();
        }
        let message = format!("the checksum is {sum:08X}, but the footer specifies {stored:08X}");
        vec![Trouble::new(&codes::CHECKSUM, at, message)]
    }
}

/// CRC-32 of the first bytes, most significant bit first, inverted before and after. `None` where they cannot be read.
fn checksum(file: &Source, size: u64) -> Option<u32> {
    let table = std::array::from_fn::<u32, 256, _>(|byte| {
        (0..8).fold((byte as u32) << 24, |sum, _| if sum >> 31 == 1 { (sum << 1) ^ 0x04C1_1DB7 } else { sum << 1 })
    });
    let mut sum = u32::MAX;
    for at in (0..size).step_by(SUMMED as usize) {
        let piece = file.slice(at, SUMMED.min(size.saturating_sub(at)))?.in_memory().ok()?;
        for byte in piece.as_slice() {
            let place = (sum >> 24) as u8 ^ byte;
            sum = (sum << 8) ^ table.get(usize::from(place)).copied().unwrap_or_default();
        }
    }
    Some(!sum)
}

/// A compact index, recorded.
pub fn index(r: &mut FieldReader<'_>, name: &'static str) -> Result<i32, Fault> {
    let at = r.offset();
    let value = compact::read_index(r.raw())?;
    r.record(name, "index", at, || Value::Int(i64::from(value)));
    Ok(value)
}

/// A string with its length before it, recorded; up to its first NUL.
pub fn string(r: &mut FieldReader<'_>, name: &'static str) -> Result<String, Fault> {
    let at = r.offset();
    let value = compact::read_counted_string(r.raw())?;
    let value = value.split('\0').next().unwrap_or_default().to_owned();
    r.record(name, "string", at, || Value::Text(value.clone()));
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_not_the_one_of_zip() {
        // CRC-32/BZIP2 of the nine digits, and over more than is summed at once.
        let digits = Source::new(*b"123456789");
        assert_eq!(checksum(&digits, 9), Some(0xFC89_1918));
        let long = Source::new(vec![0; SUMMED as usize + 5]);
        assert_ne!(checksum(&long, SUMMED), checksum(&long, SUMMED + 5));
    }
}
