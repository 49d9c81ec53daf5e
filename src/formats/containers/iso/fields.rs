//! The tables of a disc as fields: descriptors, path tables, and the folders of all its trees.

use super::{
    descriptor::Descriptor,
    record::{Charset, Record},
    susp,
    tree::{Folder, Walk},
};
use crate::{
    bytes::{Endian, MemberLimits, Source},
    formats::{
        Field, Table, Value,
        containers::{flat::Flat, window::Window},
        field_reader::{Fault, FieldReader},
        read_budget::ReadBudget,
    },
};
use std::{collections::HashSet, ops::Range, sync::Arc};

/// The largest record.
const LARGEST: u64 = 255;
/// What lies before the first descriptor, for the programs that start a machine from the disc.
const SYSTEM_AREA: usize = 32 << 10;

/// The fields of everything but the files.
pub fn all(file: &Source, descriptors: &[Descriptor], limits: &MemberLimits) -> Vec<Field> {
    let area = Field::new("System area", format!("u8[{SYSTEM_AREA}]"), Value::Raw, 0, SYSTEM_AREA as u64);
    let mut fields = vec![area];
    for descriptor in descriptors {
        fields.extend(descriptor_fields(file, descriptor));
    }
    // Trees share what they can.
    let mut known = HashSet::new();
    // Tables and areas of a hostile disc share bytes.
    let mut once = ReadBudget::new(file.len() as u64);
    let mut may_show = |range: &Range<u64>| once.take(range.end.saturating_sub(range.start));
    for volume in descriptors.iter().filter_map(|descriptor| descriptor.volume.as_ref()) {
        for (range, is_high) in volume.path_tables() {
            if !known.insert(range.start) || !may_show(&range) {
                continue;
            }
            fields.extend(path_table(file, range, is_high, volume.charset, limits));
        }
        let found = Walk::new(file, volume, limits, true).keeping().run();
        for folder in found.folders {
            if folder.records.first().is_some_and(|first| known.insert(*first)) {
                fields.extend(folder_field(file, folder, volume.charset));
            }
        }
        for area in found.areas {
            if !known.insert(area.start) || !may_show(&area) {
                continue;
            }
            let size = usize::try_from(area.end.saturating_sub(area.start)).unwrap_or(0);
            if let Ok(window) = Window::read(file, area) {
                fields.extend(
                    window.fields(Endian::Little, |r| r.group("Continuation", "System use", |r| susp::record(r, size))),
                );
            }
        }
    }
    fields
}

fn descriptor_fields(file: &Source, descriptor: &Descriptor) -> Vec<Field> {
    let range = descriptor.at..descriptor.at.saturating_add(super::descriptor::SECTOR);
    let Ok(window) = Window::read(file, range) else { return Vec::new() };
    window.fields(Endian::Little, |r| r.group("Volume descriptor", "Descriptor", Descriptor::read))
}

/// The fields of one record.
pub fn record(file: &Source, range: Range<u64>, charset: Charset) -> Vec<Field> {
    let Ok(window) = Window::read(file, range) else { return Vec::new() };
    window.fields(Endian::Little, |r| Record::read(r, charset))
}

fn path_table(file: &Source, range: Range<u64>, is_high: bool, charset: Charset, limits: &MemberLimits) -> Vec<Field> {
    let end = range.end.min(file.size()).min(range.start.saturating_add(limits.table));
    let Ok(window) = Window::read(file, range.start.min(end)..end) else { return Vec::new() };
    let (name, endian) = match is_high {
        true => ("Path table (big-endian)", Endian::Big),
        false => ("Path table", Endian::Little),
    };
    window.fields(endian, |r| {
        r.group(name, "Path table", |r| {
            for number in 1.. {
                if r.left() == 0 {
                    break;
                }
                r.group(format!("Folder {number}"), "Path", |r| path(r, charset))?;
            }
            Ok(())
        })
    })
}

fn path(r: &mut FieldReader<'_>, charset: Charset) -> Result<(), Fault> {
    let size = r.u8("Name length")?;
    r.u8("Extended attribute blocks")?;
    r.u32("Block")?;
    r.u16("Parent folder number")?;
    r.text("Name", usize::from(size), |bytes| if bytes == [0] { "/".to_owned() } else { charset.decode(bytes) })?;
    if size % 2 == 1 && r.left() > 0 {
        r.pad(1)?;
    }
    Ok(())
}

fn folder_field(file: &Source, folder: Folder, charset: Charset) -> Option<Field> {
    let start = *folder.records.first()?;
    let last = *folder.records.last()?;
    let length = file.slice(last, 1)?.as_slice().first().copied()?;
    let size = last.saturating_add(u64::from(length)).saturating_sub(start);
    let records = Records { file: file.clone(), starts: folder.records, charset };
    Some(Field::table(format!("Folder {}", folder.name), "Directory record", start, size, Arc::new(records)))
}

/// The records of a folder, read again when they are looked at.
#[derive(Debug)]
struct Records {
    file: Source,
    starts: Vec<u64>,
    charset: Charset,
}

impl Table for Records {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let start = *self.starts.get(index)?;
        let end = start.saturating_add(LARGEST).min(self.file.size());
        let window = Window::read(&self.file, start..end).ok()?;
        let charset = self.charset;
        let mut fields = window
            .fields(Endian::Little, |r| r.group(index.to_string(), "Directory record", |r| Record::read(r, charset)));
        fields.pop()
    }
}
