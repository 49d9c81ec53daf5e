//! The headers and the directory of a zip archive, field by field.

use super::super::{info::STUB, rows};
use crate::{
    bytes::{Endian, Source, text},
    formats::{
        Field, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::{ops::Range, sync::Arc};

const LOCAL: u32 = 0x0403_4B50;
const CENTRAL: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;
const END_64: u32 = 0x0606_4B50;
const LOCATOR_64: u32 = 0x0706_4B50;
const DESCRIPTOR: u32 = 0x0807_4B50;
/// A local header without its name.
const LOCAL_SIZE: u64 = 30;
/// A record of the directory without its name.
const CENTRAL_SIZE: u64 = 46;
/// The end without its comment.
const END_SIZE: u64 = 22;
/// The end of 64 bits without what may follow in it, and the locator behind it.
const END_64_SIZE: u64 = 56;
const LOCATOR_64_SIZE: u64 = 20;
/// The longest name, extra field or comment.
const LONGEST: u64 = 65_535;
/// The sizes follow the data.
const HAS_DESCRIPTOR: u16 = 8;
/// The extra field of sizes beyond 32 bits.
const WIDE_SIZES: u32 = u32::MAX;

/// Where the tables lie.
pub struct Tables {
    /// Local headers, in order.
    headers: Arc<[Range<u64>]>,
    directory: u64,
    /// Bytes before the archive.
    offset: u64,
}

impl Tables {
    pub fn new(mut headers: Vec<Range<u64>>, directory: u64, offset: u64) -> Self {
        headers.sort_unstable_by_key(|header| header.start);
        headers.dedup();
        Self { headers: headers.into(), directory, offset }
    }

    pub fn fields(&self, file: &Source) -> Vec<Field> {
        let size = file.len() as u64;
        let mut fields = Vec::new();
        if self.offset > 0 {
            let stub = self.offset.min(size);
            fields.push(Field::new("Program", format!("u8[{stub}]"), Value::Opaque(STUB), 0, stub));
        }
        fields.extend(rows::table("Local headers", "Header", file, self.headers.clone(), |r| {
            match local(r)?.descriptor_at {
                Some(at) if r.seek(at).is_ok() => descriptor(r),
                _ => Ok(()),
            }
        }));
        let records: Arc<[Range<u64>]> = self.records(file).into();
        let end = records.last().map_or(self.directory, |last| last.end);
        fields.extend(rows::table("Directory", "Record", file, records, central));
        let mut r = FieldReader::new(file, end..size, Endian::Little).recording();
        while let Ok(signature) = r.fork().raw().u32() {
            let read = match signature {
                END_64 => r.group("Zip64 end", "Record", end_64),
                LOCATOR_64 => r.group("Zip64 locator", "Record", locator_64),
                END => r.group("End", "Record", self::end),
                _ => break,
            };
            if read.is_err() {
                break;
            }
        }
        fields.extend(r.into_fields());
        fields
    }

    /// Where the records of the directory are.
    fn records(&self, file: &Source) -> Vec<Range<u64>> {
        let mut r = FieldReader::new(file, self.directory..file.len() as u64, Endian::Little);
        let mut records = Vec::new();
        while r.fork().raw().u32() == Ok(CENTRAL) {
            let start = r.offset();
            if central(&mut r).is_err() {
                break;
            }
            records.push(start..r.offset());
        }
        records
    }
}

struct Local {
    /// Where the sizes stand, behind the data.
    descriptor_at: Option<u64>,
}

fn local(r: &mut FieldReader<'_>) -> Result<Local, Fault> {
    r.u32("Signature")?;
    r.u16("Version needed")?;
    let flags = r.u16("Flags")?;
    r.u16("Method")?;
    r.u16("Time")?;
    r.u16("Date")?;
    r.u32("CRC-32")?;
    let stored = r.u32("Stored size")?;
    r.u32("Size")?;
    let (name, extra) = (r.u16("Name length")?, r.u16("Extra length")?);
    string(r, "Name", name, flags)?;
    raw(r, "Extra", extra)?;
    // Where the sizes are not known in advance they are 0 here, and the directory has them.
    let is_known = flags & HAS_DESCRIPTOR != 0 && stored != 0 && stored != WIDE_SIZES;
    let descriptor_at = is_known.then(|| r.offset().saturating_add(u64::from(stored)));
    Ok(Local { descriptor_at })
}

/// What follows the data of a member whose sizes were not known when it was begun.
fn descriptor(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    let signed = r.fork().raw().u32() == Ok(DESCRIPTOR);
    r.group("Data descriptor", "Record", |r| {
        if signed {
            r.u32("Signature")?;
        }
        r.u32("CRC-32")?;
        r.u32("Stored size")?;
        r.u32("Size").map(|_| ())
    })
}

fn central(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.u32("Signature")?;
    r.u16("Version made by")?;
    r.u16("Version needed")?;
    let flags = r.u16("Flags")?;
    r.u16("Method")?;
    r.u16("Time")?;
    r.u16("Date")?;
    r.u32("CRC-32")?;
    r.u32("Stored size")?;
    r.u32("Size")?;
    let (name, extra, comment) = (r.u16("Name length")?, r.u16("Extra length")?, r.u16("Comment length")?);
    r.u16("Disk")?;
    r.u16("Internal attributes")?;
    r.u32("External attributes")?;
    r.u32("Header offset")?;
    string(r, "Name", name, flags)?;
    raw(r, "Extra", extra)?;
    string(r, "Comment", comment, flags)
}

fn end(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.u32("Signature")?;
    r.u16("Disk")?;
    r.u16("Directory disk")?;
    r.u16("Entries on this disk")?;
    r.u16("Entries")?;
    r.u32("Directory size")?;
    r.u32("Directory offset")?;
    let comment = r.u16("Comment length")?;
    string(r, "Comment", comment, 0)
}

fn end_64(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.u32("Signature")?;
    let size = r.u64("Record size")?;
    let after = r.offset().saturating_add(size);
    r.u16("Version made by")?;
    r.u16("Version needed")?;
    r.u32("Disk")?;
    r.u32("Directory disk")?;
    r.u64("Entries on this disk")?;
    r.u64("Entries")?;
    r.u64("Directory size")?;
    r.u64("Directory offset")?;
    let more = after.saturating_sub(r.offset());
    match u16::try_from(more) {
        Ok(more) => raw(r, "Extra", more),
        Err(_) => Err(r.fault(format!("invalid record size {size}"))),
    }
}

fn locator_64(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.u32("Signature")?;
    r.u32("Disk")?;
    r.u64("End offset")?;
    r.u32("Disks").map(|_| ())
}

/// A text of a length that stands elsewhere: UTF-8 where bit 11 of the flags says so.
fn string(r: &mut FieldReader<'_>, name: &'static str, length: u16, flags: u16) -> Result<(), Fault> {
    let at = r.offset();
    let bytes = r.raw().bytes(usize::from(length))?;
    if length > 0 {
        let is_utf8 = flags & 0x800 != 0;
        let text = if is_utf8 { String::from_utf8_lossy(bytes).into_owned() } else { text::decode(bytes) };
        r.record(name, format!("char[{length}]"), at, || Value::Text(text));
    }
    Ok(())
}

fn raw(r: &mut FieldReader<'_>, name: &'static str, length: u16) -> Result<(), Fault> {
    let at = r.offset();
    r.raw().skip(usize::from(length))?;
    if length > 0 {
        r.record(name, format!("u8[{length}]"), at, || Value::Raw);
    }
    Ok(())
}

/// The fields of a member's record in the directory.
pub fn record(file: &Source, at: u64) -> Vec<Field> {
    let mut r = FieldReader::new(file, record_range(file, at), Endian::Little).recording();
    let _ = central(&mut r);
    r.into_fields()
}

/// The bytes of a member's record in the directory.
pub fn record_range(file: &Source, at: u64) -> Range<u64> {
    let lengths = file.slice(at, CENTRAL_SIZE).and_then(|record| {
        let bytes = record.in_memory().ok()?;
        let number = |at: usize| Some(u64::from(u16::from_le_bytes(*bytes.as_slice().get(at..)?.first_chunk()?)));
        Some(number(28)?.saturating_add(number(30)?).saturating_add(number(32)?))
    });
    at..at.saturating_add(CENTRAL_SIZE).saturating_add(lengths.unwrap_or_default())
}

/// Where the bytes of the member with this local header begin.
pub fn data_start(file: &Source, header: u64) -> Option<u64> {
    let record = file.slice(header, LOCAL_SIZE)?.in_memory().ok()?;
    let bytes = record.as_slice();
    if bytes.first_chunk() != Some(&LOCAL.to_le_bytes()) {
        return None;
    }
    let number = |at: usize| Some(u64::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    header.checked_add(LOCAL_SIZE)?.checked_add(number(26)?)?.checked_add(number(28)?)
}

/// Where the end of the directory is recorded: the last place that looks like it.
pub fn end_of(file: &Source) -> Option<u64> {
    let size = file.len() as u64;
    let start = size.saturating_sub(END_SIZE.saturating_add(LONGEST));
    let tail = file.slice(start, size.saturating_sub(start))?.in_memory().ok()?;
    let at = tail.as_slice().windows(4).rposition(|four| four == END.to_le_bytes())?;
    Some(start.saturating_add(at as u64))
}

/// How many members the end states, the one of 64 bits where there is one; `None` where there is no end.
pub fn stated_count(file: &Source) -> Option<u64> {
    let end = end_of(file)?;
    let count = u64::from(u16::from_le_bytes(read_at(file, end.saturating_add(10))?));
    Some(if count == u64::from(u16::MAX) { wide_count(file, end).unwrap_or(count) } else { count })
}

/// The number of members in the end of 64 bits, which a locator before the end leads to.
fn wide_count(file: &Source, end: u64) -> Option<u64> {
    let locator = end.checked_sub(LOCATOR_64_SIZE)?;
    if u32::from_le_bytes(read_at(file, locator)?) != LOCATOR_64 {
        return None;
    }
    // What comes before the archive is not counted in the offset: then it is where it always is.
    let stated = u64::from_le_bytes(read_at(file, locator.saturating_add(8))?);
    let places = [Some(stated), locator.checked_sub(END_64_SIZE)];
    let is_end = |at: &u64| read_at(file, *at).is_some_and(|signature| u32::from_le_bytes(signature) == END_64);
    let at = places.into_iter().flatten().find(is_end)?;
    read_at(file, at.saturating_add(32)).map(u64::from_le_bytes)
}

/// The bytes at an offset, where they are there.
fn read_at<const N: usize>(file: &Source, at: u64) -> Option<[u8; N]> {
    file.slice(at, N as u64)?.in_memory().ok()?.as_slice().first_chunk().copied()
}
