//! Header, name, import and export tables (formats/unreal.md §2, §3).

use super::{codes, compact};
use crate::{
    bytes::{OutOfBytes, Reader, budget},
    formats::Diagnostics,
};
use std::sync::Arc;

/// First four bytes of every package, as a number.
pub const MAGIC: u32 = 0x9E2A_83C1;

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
    /// Bytes of GUIDs that were read at the heritage's place.
    pub heritage_read: u32,
    pub generations: u32,
}

/// §3.2
#[derive(Clone, Debug)]
pub struct NameEntry {
    /// At most [`MAX_NAME`] characters.
    pub text: Arc<str>,
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
    /// Where the entry itself lies.
    pub entry_offset: u64,
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
    pub names: Vec<NameEntry>,
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
pub fn read_tables(bytes: &[u8], most: usize, diagnostics: &mut Diagnostics) -> Result<Tables, OutOfBytes> {
    let mut reader = Reader::little(bytes);
    let header = read_header(&mut reader)?;
    let mut tables = Tables { header, ..Tables::default() };
    let version = tables.header.version;

    let at = |offset: u32| {
        let mut reader = Reader::little(bytes);
        reader.seek(u64::from(offset)).map(|()| reader)
    };
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let mut long_names = None;
    let mut cut = |what: &str, done: u32, count: u32, error: OutOfBytes| {
        let message = format!("the {what} table ends after {done} of {count} entries: {error}");
        diagnostics.report(&codes::TRUNCATED_TABLE, None, Some(error.offset), message);
    };
    // A table that begins past the end is reported where the header says so.
    let mut no_table = Vec::new();

    let count = tables.header.name_count;
    let (mut long, mut long_count) = (None, 0_usize);
    match at(tables.header.name_offset) {
        Ok(mut reader) => {
            tables.names.reserve(reader.whole_records(u64::from(count.min(most)), 5));
            tables.names_end = reader.offset();
            for done in 0..count.min(most) {
                let at = reader.offset();
                match read_name(&mut reader, version) {
                    Ok((name, is_long)) => {
                        if is_long {
                            long.get_or_insert((done, at));
                            long_count = long_count.saturating_add(1);
                        }
                        budget::charge_bytes(size_of::<NameEntry>().saturating_add(name.text.len()) as u64);
                        tables.names.push(name);
                    }
                    Err(error) => {
                        cut("name", done, count, error);
                        break;
                    }
                }
                tables.names_end = reader.offset();
            }
        }
        Err(_) => no_table.push(("name", count, tables.header.name_offset, NAMES_OFFSET_AT)),
    }

    if let Some((first, at)) = long {
        let message = format!(
            "{long_count} names are longer than {MAX_NAME} characters, name {first} the first: they are shown cut"
        );
        long_names = Some((at, message));
    }
    let count = tables.header.import_count;
    match at(tables.header.import_offset) {
        Ok(mut reader) => {
            tables.imports.reserve(reader.whole_records(u64::from(count.min(most)), 7));
            tables.imports_end = reader.offset();
            for done in 0..count.min(most) {
                match read_import(&mut reader) {
                    Ok(import) => tables.imports.push(import),
                    Err(error) => {
                        cut("import", done, count, error);
                        break;
                    }
                }
                tables.imports_end = reader.offset();
            }
        }
        Err(_) => no_table.push(("import", count, tables.header.import_offset, IMPORTS_OFFSET_AT)),
    }

    let count = tables.header.export_count;
    match at(tables.header.export_offset) {
        Ok(mut reader) => {
            tables.exports.reserve(reader.whole_records(u64::from(count.min(most)), 12));
            tables.exports_end = reader.offset();
            for done in 0..count.min(most) {
                match read_export(&mut reader, version) {
                    Ok(export) => tables.exports.push(export),
                    Err(error) => {
                        cut("export", done, count, error);
                        break;
                    }
                }
                tables.exports_end = reader.offset();
            }
        }
        Err(_) => no_table.push(("export", count, tables.header.export_offset, EXPORTS_OFFSET_AT)),
    }
    for (what, count, offset, said_at) in no_table.into_iter().filter(|(_, count, ..)| *count > 0) {
        let message = format!("the {what} table of {count} entries would begin at {offset}, past the end of the file");
        diagnostics.report(&codes::TRUNCATED_TABLE, None, Some(said_at), message);
    }
    let header = &tables.header;
    for (what, count, read) in [
        ("name", header.name_count, tables.names.len()),
        ("import", header.import_count, tables.imports.len()),
        ("export", header.export_count, tables.exports.len()),
    ] {
        if count > most && read == most as usize {
            let message = format!("the {what} table has {count} entries: those behind the first {most} are not read");
            diagnostics.report(&codes::TRUNCATED_TABLE, None, None, message);
        }
    }
    if let Some((at, message)) = long_names {
        diagnostics.report(&codes::LONG_NAME, None, Some(at), message);
    }
    empty_what_is_shared(&mut tables.exports, bytes.len() as u64, diagnostics);
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
                first.get_or_insert(export.entry_offset);
            }
        }
    }
    if emptied > 0 {
        let message =
            format!("{emptied} exports lie in bytes that other exports have already: they are taken as empty");
        diagnostics.report(&codes::SHARED_BYTES, None, first, message);
    }
}

fn read_header(reader: &mut Reader<'_>) -> Result<Header, OutOfBytes> {
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
        // The GUIDs lie anywhere; as many as the file has.
        let mut there = reader.clone();
        if there.seek(u64::from(offset)).is_ok() {
            header.heritage_read = u32::try_from(there.whole_records(u64::from(count), 16)).unwrap_or(0);
        }
    } else if reader.array::<16>().is_ok()
        && let Ok(count) = reader.u32()
    {
        header.end = reader.offset();
        let whole = reader.whole_records(u64::from(count), 8);
        header.generations = u32::try_from(whole).unwrap_or(0);
        reader.skip(whole.saturating_mul(8))?;
        header.end = reader.offset();
    }
    Ok(header)
}

/// A name, and whether it was cut.
fn read_name(reader: &mut Reader<'_>, version: u16) -> Result<(NameEntry, bool), OutOfBytes> {
    let mut text = compact::read_string(reader, version)?;
    // Its flags are shown by the file's fields.
    reader.u32()?;
    let is_long = text.chars().nth(MAX_NAME).is_some();
    if is_long && let Some((end, _)) = text.char_indices().nth(MAX_NAME.saturating_sub(1)) {
        text.truncate(end);
        text.push('…');
    }
    Ok((NameEntry { text: text.into() }, is_long))
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
    let entry_offset = reader.offset();
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
