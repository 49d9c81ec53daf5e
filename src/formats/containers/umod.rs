//! Installers of Unreal Engine games: `.umod`, `.ut2mod`, `.ut4mod` (formats/containers.md §4). Members lie one after
//! the other, a directory after them, and a footer of 20 bytes at the end.

use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble},
    rows,
};
use crate::{
    bytes::{Endian, Source, text},
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
    let manifests = fields(source, &items);
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
fn index(r: &mut FieldReader<'_>, name: &'static str) -> Result<i32, Fault> {
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

/// The largest manifest that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// Lines that are shown.
const MAX_LINES: usize = 1000;
const INI: &str = "System\\Manifest.ini";
const INT: &str = "System\\Manifest.int";

/// Keys of `[Setup]` that people ask for.
const SAID: &[&str] =
    &["Product", "Version", "LocalProduct", "Developer", "ReadMe", "ProductURL", "VersionURL", "DeveloperURL"];

/// What the manifests say, as fields that show bytes of the members that they are.
fn fields(file: &Source, items: &[Item]) -> Vec<Field> {
    let mut said = Vec::new();
    for name in [INI, INT] {
        let item = items.iter().find(|item| item.name.replace('/', "\\").eq_ignore_ascii_case(name));
        let Some(range) = item.and_then(|item| item.stored.first()) else { continue };
        let size = range.end.saturating_sub(range.start);
        if size > LARGEST {
            continue;
        }
        let Some(bytes) = file.slice(range.start, size).and_then(|bytes| bytes.in_memory().ok()) else { continue };
        for line in lines(bytes.as_slice()) {
            let field = Field::new(line.name, "text", Value::Text(line.value), range.start, size);
            said.push(field.mirrored());
        }
    }
    said.truncate(MAX_LINES);
    said
}

struct Line {
    name: String,
    value: String,
}

/// What is said to people: keys of `[Setup]`, what is required, and lines that the installer writes into other files.
fn lines(bytes: &[u8]) -> Vec<Line> {
    let text = match bytes.strip_prefix(&[0xFF, 0xFE]) {
        Some(wide) => text::utf_16_le(wide),
        None => text::windows_1252(bytes),
    };
    let mut lines = Vec::new();
    let (mut section, mut required) = (String::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.to_owned();
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim().to_owned());
        let is_setup = section.eq_ignore_ascii_case("Setup");
        let said = SAID.iter().find(|said| said.eq_ignore_ascii_case(key)).copied();
        if is_setup && key.eq_ignore_ascii_case("Requires") {
            required.push(value);
        } else if let Some(said) = said.filter(|_| is_setup) {
            lines.push(Line { name: said.to_owned(), value });
        } else if let Some(said) = said.filter(|_| required.iter().any(|name| name.eq_ignore_ascii_case(&section))) {
            lines.push(Line { name: format!("Requires {said}"), value });
        } else if key.eq_ignore_ascii_case("Ini") {
            lines.push(Line { name: "Setting".to_owned(), value });
        }
    }
    lines
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

    const INI_TEXT: &str = "[Setup]\r\nProduct=BonePack\r\nVersion=100\r\nRequires=Game\r\nGroup=Files\r\n\r\n[Game]\r\nProduct=Unreal\r\n\
                       Version=400\r\n[Files]\r\nFile=(Src=Maps\\a.unr)\r\nIni=System\\Unreal.ini,Engine.Engine=yes\r\nVersion=9\r\n";

    #[test]
    fn what_people_ask_for_is_said_in_either_encoding() {
        let expected = [
            ("Product", "BonePack"),
            ("Version", "100"),
            ("Requires Product", "Unreal"),
            ("Requires Version", "400"),
            ("Setting", "System\\Unreal.ini,Engine.Engine=yes"),
        ];
        let wide: Vec<u8> =
            "\u{FEFF}".encode_utf16().chain(INI_TEXT.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        for bytes in [INI_TEXT.as_bytes(), &wide] {
            let found = lines(bytes);
            let found: Vec<(&str, &str)> = found.iter().map(|line| (line.name.as_str(), line.value.as_str())).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_manifest_that_is_not_there_says_nothing() {
        let item = |stored| Item { is_path: true, ..Item::plain("SYSTEM/manifest.ini", 0..0, stored) };
        let file = Source::new(INI_TEXT.as_bytes());
        let size = INI_TEXT.len() as u64;
        assert_eq!(fields(&file, &[item(0..size)]).len(), 5);
        assert!(fields(&file, &[item(0..size + 1)]).is_empty());
        assert!(fields(&file, &[item(0..LARGEST + 1)]).is_empty());
        assert!(fields(&file, &[]).is_empty());
    }
}
