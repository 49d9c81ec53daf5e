//! Header, name, import and export tables (formats/unreal.md §2, §3).

use super::codes;
use crate::{
    bytes::{
        Endian, OutOfBytes, Reader, Source, budget,
        numbers::{counted, grouped},
    },
    formats::{Diagnostics, SharedText, TextList, TextListBuilder, compact},
};
use std::sync::Arc;

/// First four bytes of every package, as a number.
pub const MAGIC: u32 = 0x9E2A_83C1;

/// Whether the bytes begin as a package does.
pub fn is_package(source: &Source) -> bool {
    source.slice(0, 4).is_some_and(|tag| tag.as_slice() == MAGIC.to_le_bytes())
}

/// §3.1
#[derive(Clone, Debug, Default)]
pub struct Header {
    pub version: u16,
    pub licensee: u16,
    pub flags: u32,
    pub name_count: u32,
    pub name_offset: u32,
    pub export_count: u32,
    pub export_offset: u32,
    pub import_count: u32,
    pub import_offset: u32,
    /// Where the GUIDs of earlier versions lie (version < 68).
    pub heritage: Option<(u32, u32)>,
    /// Where the header itself ends.
    pub end: u64,
    /// The file does not end inside it.
    pub is_whole: bool,
    /// Bytes of GUIDs that were read at the heritage's place.
    pub heritage_read: u32,
    pub generations: u32,
}

/// Where the header says where the tables begin, in bytes from the start of the file.
const NAMES_OFFSET_AT: u64 = 16;
const EXPORTS_OFFSET_AT: u64 = 24;
const IMPORTS_OFFSET_AT: u64 = 32;

/// Characters of a name that count, as in the engine; of a longer one all but the last of these are kept, and “…” behind them.
pub const MAX_NAME: usize = 64;

/// §3.4
#[derive(Clone, Copy, Debug)]
pub struct ImportEntry {
    /// Index into the name table, as the other name is.
    pub class_name: u32,
    pub outer: ObjectRef,
    pub name: u32,
    pub offset: u64,
}

/// §3.3
#[derive(Clone, Copy, Debug)]
pub struct ExportEntry {
    pub class: ObjectRef,
    pub parent: ObjectRef,
    pub outer: ObjectRef,
    pub name: u32,
    pub flags: u32,
    /// Bytes of the object; 0 where there is none.
    pub size: u32,
    /// From the start of the file; 0 where there is none.
    pub offset: u32,
    /// Offset of the entry itself.
    pub entry_offset: u32,
}

/// §2.5: an object of this package, of another one, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObjectRef(pub i32);

/// What an [`ObjectRef`] points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointee {
    None,
    /// Index into the export table.
    Export(usize),
    /// Index into the import table.
    Import(usize),
}

impl Tables {
    /// Where the header, the tables and the objects begin and end.
    pub fn places(&self) -> impl Iterator<Item = u64> + '_ {
        let header = &self.header;
        let tables = [
            header.end,
            u64::from(header.name_offset),
            self.names_end,
            u64::from(header.import_offset),
            self.imports_end,
            u64::from(header.export_offset),
            self.exports_end,
        ];
        let exports = self.exports.iter().filter(|export| export.size > 0);
        let ends = exports.flat_map(|export| {
            let start = u64::from(export.offset);
            [start, start.saturating_add(u64::from(export.size))]
        });
        tables.into_iter().chain(ends)
    }
}

impl ObjectRef {
    pub const NONE: Self = Self(0);

    pub fn export(index: usize) -> Self {
        Self(i32::try_from(index.saturating_add(1)).unwrap_or(i32::MAX))
    }

    pub fn pointee(self) -> Pointee {
        match self.0 {
            0 => Pointee::None,
            n if n > 0 => Pointee::Export(n.unsigned_abs().saturating_sub(1) as usize),
            n => Pointee::Import(n.unsigned_abs().saturating_sub(1) as usize),
        }
    }

    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// The object carries a state frame (§3.6).
pub const HAS_STACK: u32 = 0x0200_0000;

#[derive(Clone, Debug, Default)]
pub struct Tables {
    pub header: Header,
    /// §3.2; of at most [`MAX_NAME`] characters each.
    pub names: Arc<TextList>,
    pub imports: Vec<ImportEntry>,
    pub exports: Vec<ExportEntry>,
    /// Where each table ended, in bytes from the start of the file.
    pub names_end: u64,
    pub imports_end: u64,
    pub exports_end: u64,
}

/// Reads the header and all tables, of each at most `most` entries; a damaged table keeps what came before the damage.
///
/// # Errors
/// When the file ends inside the header.
pub fn read_tables(source: &Source, most: usize, diagnostics: &mut Diagnostics) -> Result<Tables, OutOfBytes> {
    let mut tables = Tables { header: read_header(source)?, ..Tables::default() };
    let header = &tables.header;
    let version = header.version;
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let (mut long, mut long_count) = (None, 0_usize);
    let mut no_table = Vec::new();
    let mut read = |what: &'static str, count: u32, offset: u32, said_at: u64, rows: Rows, each: &mut ReadRow<'_>| {
        let wanted = count.min(most);
        match read_rows(source, u64::from(offset), wanted, rows, each) {
            Ok((end, None)) => end,
            Ok((end, Some((done, error)))) => {
                let message = format!("the {what} table ends after {done} of {count} entries: {error}");
                diagnostics.report(&codes::TRUNCATED_TABLE, None, Some(error.offset), message);
                end
            }
            Err(_) => {
                // A table that begins past the end is reported where the header says so.
                no_table.push((what, count, offset, said_at));
                0
            }
        }
    };

    let fitting = |count: u32, offset: u32, rows: Rows| {
        let left = (source.len() as u64).saturating_sub(u64::from(offset));
        whole_records(left, count.min(most), rows.smallest) as usize
    };
    let mut names = TextListBuilder::with_capacity(fitting(header.name_count, header.name_offset, NAME_ROWS));
    tables.names_end = read("name", header.name_count, header.name_offset, NAMES_OFFSET_AT, NAME_ROWS, &mut |row| {
        let (at, done) = (row.offset(), names.count());
        let (name, is_long) = read_name(row, version)?;
        if is_long {
            long.get_or_insert((done, at));
            long_count = long_count.saturating_add(1);
        }
        budget::charge_bytes(size_of::<SharedText>().saturating_add(name.len()) as u64);
        names.push(&name);
        Ok(())
    });
    tables.names = names.finish();
    let imports = &mut tables.imports;
    imports.reserve(fitting(header.import_count, header.import_offset, IMPORT_ROWS));
    tables.imports_end =
        read("import", header.import_count, header.import_offset, IMPORTS_OFFSET_AT, IMPORT_ROWS, &mut |row| {
            imports.push(read_import(row)?);
            Ok(())
        });
    let exports = &mut tables.exports;
    exports.reserve(fitting(header.export_count, header.export_offset, EXPORT_ROWS));
    tables.exports_end =
        read("export", header.export_count, header.export_offset, EXPORTS_OFFSET_AT, EXPORT_ROWS, &mut |row| {
            exports.push(read_export(row, version)?);
            Ok(())
        });
    let long_names = long.map(|(done, at)| {
        let names = counted(long_count, "name");
        (at, format!("{names} truncated to {MAX_NAME} characters (first: name {done})"))
    });
    for (what, count, offset, said_at) in no_table.into_iter().filter(|(_, count, ..)| *count > 0) {
        let message = format!(
            "the {what} table ({}) starts at offset {offset}, past the end of the file",
            counted(count, "entry")
        );
        diagnostics.report(&codes::TRUNCATED_TABLE, None, Some(said_at), message);
    }
    let header = &tables.header;
    for (what, count, read) in [
        ("name", header.name_count, tables.names.count()),
        ("import", header.import_count, tables.imports.len()),
        ("export", header.export_count, tables.exports.len()),
    ] {
        if count > most && read == most as usize {
            let message =
                format!("the {what} table has {}: only the first {} are read", counted(count, "entry"), grouped(most));
            diagnostics.report(&codes::TRUNCATED_TABLE, None, None, message);
        }
    }
    if let Some((at, message)) = long_names {
        diagnostics.report(&codes::LONG_NAME, None, Some(at), message);
    }
    empty_what_is_shared(&mut tables.exports, source.len() as u64, diagnostics);
    Ok(tables)
}

/// Exports do not overlap in any file that a game wrote, so all of them together are as long as the file at most. Where many are
/// in the same bytes, reading each would take the number of exports times the size of the file.
fn empty_what_is_shared(exports: &mut [ExportEntry], file_size: u64, diagnostics: &mut Diagnostics) {
    let mut left = file_size.saturating_mul(4);
    let mut emptied = 0_usize;
    let mut first = None;
    for export in exports.iter_mut() {
        let size = u64::from(export.size);
        if u64::from(export.offset).saturating_add(size) > file_size {
            continue;
        }
        match left.checked_sub(size) {
            Some(rest) => left = rest,
            None => {
                export.size = 0;
                emptied = emptied.saturating_add(1);
                first.get_or_insert(u64::from(export.entry_offset));
            }
        }
    }
    if emptied > 0 {
        let message = format!("{} treated as empty: too many exports share the same bytes", counted(emptied, "export"));
        diagnostics.report(&codes::SHARED_BYTES, None, first, message);
    }
}

/// The bytes that a header takes without its generations.
const HEADER_SIZE: u64 = 64;

fn read_header(source: &Source) -> Result<Header, OutOfBytes> {
    let size = source.len() as u64;
    let start = source.slice(0, size.min(HEADER_SIZE)).unwrap_or_else(|| source.clone());
    let mut reader = Reader::little(start.as_slice());
    reader.u32()?;
    let mut header = Header { version: reader.u16()?, licensee: reader.u16()?, ..Header::default() };
    header.flags = reader.u32()?;
    header.name_count = reader.u32()?;
    header.name_offset = reader.u32()?;
    header.export_count = reader.u32()?;
    header.export_offset = reader.u32()?;
    header.import_count = reader.u32()?;
    header.import_offset = reader.u32()?;
    header.end = reader.offset();
    if header.version < 68 {
        let (count, offset) = (reader.u32()?, reader.u32()?);
        header.heritage = Some((count, offset));
        header.end = reader.offset();
        header.is_whole = true;
        // The GUIDs lie anywhere; as many as the file has.
        header.heritage_read = whole_records(size.saturating_sub(u64::from(offset)), count, 16);
    } else if reader.array::<16>().is_ok()
        && let Ok(count) = reader.u32()
    {
        header.generations = whole_records(size.saturating_sub(reader.offset()), count, 8);
        header.end = reader.offset().saturating_add(u64::from(header.generations).saturating_mul(8));
        header.is_whole = true;
    }
    Ok(header)
}

/// How many of `count` records of `stride` bytes there are in `left` bytes.
fn whole_records(left: u64, count: u32, stride: u64) -> u32 {
    let whole = left.checked_div(stride).unwrap_or(0).min(u64::from(count));
    let is_paid = budget::charge_bytes(whole.saturating_mul(stride));
    if is_paid { u32::try_from(whole).unwrap_or(0) } else { 0 }
}

/// What the rows of a table take at least, and about how much they take as a rule, in bytes.
#[derive(Clone, Copy)]
struct Rows {
    smallest: u64,
    usual: u64,
}

const NAME_ROWS: Rows = Rows { smallest: 5, usual: 20 };
const IMPORT_ROWS: Rows = Rows { smallest: 7, usual: 12 };
const EXPORT_ROWS: Rows = Rows { smallest: 12, usual: 24 };

type ReadRow<'a> = dyn FnMut(&mut Reader<'_>) -> Result<(), OutOfBytes> + 'a;

/// The least that is read of a file at once, in bytes.
const MIN_WINDOW: u64 = 4 << 10;
/// The most that is read of a file at once, in bytes; more for a row that is longer.
const MAX_WINDOW: u64 = 1 << 20;

/// Reads rows from `offset` on, of a file in windows that are read for themselves. Returns where the last whole one ended, and where
/// there are fewer, how many there are and why.
///
/// # Errors
/// When the table would begin past the end.
fn read_rows(
    source: &Source,
    offset: u64,
    count: u32,
    rows: Rows,
    each: &mut ReadRow<'_>,
) -> Result<(u64, Option<(u32, OutOfBytes)>), OutOfBytes> {
    let size = source.len() as u64;
    let out_of_bytes = OutOfBytes { offset, wanted: 0, left: 0 };
    // What is in memory is one window.
    let mut window = match source.is_stored() {
        true => u64::from(count).saturating_mul(rows.usual).clamp(MIN_WINDOW, MAX_WINDOW),
        false => size,
    };
    let (mut at, mut done) = (offset, 0);
    let mut left = size.checked_sub(offset).ok_or(out_of_bytes)?;
    while done < count {
        let piece = source.slice(at, window.min(left)).ok_or(out_of_bytes)?;
        let mut reader = Reader::new(piece.as_slice(), at, Endian::Little);
        let before = done;
        while done < count {
            match each(&mut reader) {
                Ok(()) => {
                    done = done.saturating_add(1);
                    at = reader.offset();
                }
                Err(error) if window >= left => return Ok((at, Some((done, error)))),
                Err(_) => break,
            }
        }
        if done == before {
            window = window.saturating_mul(2);
        }
        left = size.saturating_sub(at);
    }
    Ok((at, None))
}

/// A name, and whether it was cut.
fn read_name(reader: &mut Reader<'_>, version: u16) -> Result<(String, bool), OutOfBytes> {
    let mut text = compact::read_string(reader, version)?;
    // Its flags are shown by the file's fields.
    reader.u32()?;
    let is_long = text.chars().nth(MAX_NAME).is_some();
    if is_long && let Some((end, _)) = text.char_indices().nth(MAX_NAME.saturating_sub(1)) {
        text.truncate(end);
        text.push('…');
    }
    Ok((text, is_long))
}

fn read_import(reader: &mut Reader<'_>) -> Result<ImportEntry, OutOfBytes> {
    let offset = reader.offset();
    // The class's own package: its name alone says which class is meant.
    compact::read_unsigned(reader)?;
    Ok(ImportEntry {
        class_name: compact::read_unsigned(reader)?,
        outer: ObjectRef(reader.i32()?),
        name: compact::read_unsigned(reader)?,
        offset,
    })
}

fn read_export(reader: &mut Reader<'_>, version: u16) -> Result<ExportEntry, OutOfBytes> {
    // Tables begin below 4 GiB, and files are not longer.
    let entry_offset = u32::try_from(reader.offset()).unwrap_or(u32::MAX);
    let class = ObjectRef(compact::read_index(reader)?);
    let parent = ObjectRef(compact::read_index(reader)?);
    // Betas below 50 know no outer (§1).
    let outer = if version >= 50 { ObjectRef(reader.i32()?) } else { ObjectRef::NONE };
    let name = compact::read_unsigned(reader)?;
    let flags = reader.u32()?;
    let size = compact::read_index(reader)?;
    let offset = if size > 0 { compact::read_index(reader)? } else { 0 };
    let size = u32::try_from(size).unwrap_or(0);
    Ok(ExportEntry { class, parent, outer, name, flags, size, offset: offset as u32, entry_offset })
}
