//! RARC (formats/j3d.md §11): folders and files in two tables, their names in a third.

use super::directory::{
    Directory, Item, LONGEST_NAME, MAX_PROBLEMS, MAX_RECORDS, Member, Problem, afford, bytes_of, name_at, name_table,
    text_of,
};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
    },
    formats::{
        Field, Value,
        field_reader::{Fault, FieldReader, enumerated},
    },
};
use std::ops::Range;

/// What the offsets in the second header count from.
const DATA_HEADER: u64 = 0x20;
const NODE_SIZE: u64 = 0x10;
const ENTRY_SIZE: u64 = 0x14;

/// Bits of an entry.
pub const FLAGS: &[(u8, &str)] = &[
    (0x01, "FILE"),
    (0x02, "FOLDER"),
    (0x04, "COMPRESSED"),
    (0x10, "MRAM"),
    (0x20, "ARAM"),
    (0x40, "DVD"),
    (0x80, "YAZ0"),
];
const FOLDER: u8 = 0x02;

/// The headers.
struct Header {
    data_offset: u32,
    nodes: (u32, u32),
    entries: (u32, u32),
    strings: (u32, u32),
}

/// A folder: a run of entries.
#[derive(Clone, Copy)]
struct Node {
    count: u16,
    first: u32,
    offset: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    flags: u8,
    name: u32,
    /// Where the file is in the file data, or the number of the folder's node.
    data: u32,
    size: u32,
    offset: u64,
}

fn read_header(r: &mut FieldReader<'_>) -> Result<Header, Fault> {
    r.tag::<4>("Magic")?;
    r.u32("Size")?;
    r.u32("DataHeaderOffset")?;
    let data_offset = r.u32("FileDataOffset")?;
    r.u32("FileDataSize")?;
    r.u32("MramSize")?;
    r.u32("AramSize")?;
    r.u32("Reserved")?;
    let nodes = (r.u32("NodeCount")?, r.u32("NodeOffset")?);
    let entries = (r.u32("EntryCount")?, r.u32("EntryOffset")?);
    let strings = (r.u32("StringSize")?, r.u32("StringOffset")?);
    r.u16("NextId")?;
    r.named_u8("SyncIds", |code| match code {
        0 => Some("no"),
        1 => Some("yes"),
        _ => None,
    })?;
    r.u8s::<5>("Reserved")?;
    Ok(Header { data_offset, nodes, entries, strings })
}

/// What the names of a table are read from.
#[derive(Clone)]
struct Names {
    source: Source,
    range: Range<u64>,
}

impl Names {
    /// The name as a field of the record that refers to it.
    fn mirror(&self, r: &mut FieldReader<'_>, offset: u32) {
        if let (true, Some(name)) = (r.is_recording(), name_at(&self.source, &self.range, offset)) {
            let at = self.range.start.saturating_add(u64::from(offset));
            let bytes = bytes_of(&self.source, at..self.range.end);
            let bytes = bytes.get(..LONGEST_NAME).unwrap_or(bytes);
            let size = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len()) as u64;
            r.push(Field::new("Name", format!("char[{size}]"), Value::Text(name), at, size).mirrored());
        }
    }
}

fn read_node(r: &mut FieldReader<'_>, names: &Names) -> Result<Node, Fault> {
    let offset = r.offset();
    r.tag::<4>("Type")?;
    let name = r.u32("NameOffset")?;
    names.mirror(r, name);
    r.u16("NameHash")?;
    let count = r.u16("EntryCount")?;
    let first = r.u32("FirstEntry")?;
    Ok(Node { count, first, offset })
}

fn read_entry(r: &mut FieldReader<'_>, names: &Names) -> Result<Entry, Fault> {
    let offset = r.offset();
    let at = r.offset();
    let id = r.raw().u16()?;
    r.record("Id", "u16", at, || enumerated(i64::from(id), (id == 0xFFFF).then_some("none")));
    r.u16("NameHash")?;
    let at = r.offset();
    let flags = r.raw().u8()?;
    r.record("Flags", "u8", at, || flags_value(flags));
    let at = r.offset();
    let [a, b, c] = r.raw().array::<3>()?;
    let name = u32::from_be_bytes([0, a, b, c]);
    r.record("NameOffset", "u24", at, || Value::UInt(u64::from(name)));
    names.mirror(r, name);
    let data = r.u32(if flags & FOLDER == 0 { "DataOffset" } else { "Node" })?;
    let size = r.u32("Size")?;
    r.u32("Reserved")?;
    Ok(Entry { flags, name, data, size, offset })
}

pub fn flags_value(flags: u8) -> Value {
    let names = FLAGS.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name).collect();
    Value::Flags { value: u64::from(flags), names }
}

/// Reads the archive in `range`, folders at most `deepest` deep; `problems` takes what is wrong with it.
///
/// # Errors
/// When the headers are not whole, or there is no folder to start with.
pub fn read(source: &Source, range: Range<u64>, deepest: u32, problems: &mut Vec<Problem>) -> Result<Directory, Fault> {
    let mut r = FieldReader::new(source, range.clone(), Endian::Big);
    let tables = read_tables(&mut r)?;
    if tables.nodes.is_empty() {
        return Err(Fault::new(range.start, "the archive has no folders"));
    }
    if let Some((offset, message)) = tables.cut.clone() {
        problems.push(Problem::lost(offset, message));
    }
    let data = range.start.saturating_add(DATA_HEADER).saturating_add(u64::from(tables.header.data_offset));
    let text_left = text_of(&range);
    let mut walk = Walk {
        tables: &tables,
        data,
        range,
        directory: Directory {
            tables: tables.ranges.clone(),
            names: tables.names.range.clone(),
            ..Directory::default()
        },
        deepest,
        seen_nodes: vec![false; tables.nodes.len()],
        seen_entries: vec![false; tables.entries.len()],
        problems,
        repeated: 0,
        text_left,
    };
    walk.run();
    Ok(walk.directory)
}

/// The tables as they are.
struct Tables {
    header: Header,
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    names: Names,
    /// Where they lie, with the headers.
    ranges: Vec<Range<u64>>,
    /// What is not all there.
    cut: Option<(u64, String)>,
}

fn read_tables(r: &mut FieldReader<'_>) -> Result<Tables, Fault> {
    let range = r.range();
    let header = read_header(r)?;
    let headers = range.start..r.offset();
    let place = |offset: u32| range.start.saturating_add(DATA_HEADER).saturating_add(u64::from(offset));
    let strings = place(header.strings.1).min(range.end);
    let end = strings.saturating_add(u64::from(header.strings.0)).min(range.end);
    let names = Names { source: r.source().clone(), range: strings..end };
    let mut cut = None;
    let mut whole = |r: &FieldReader<'_>, what: &str, count: u32, stride: u64| {
        let there = r.whole_records(u64::from(count).min(MAX_RECORDS), stride) as u64;
        if there < u64::from(count) {
            let (specified, there) = (counted(count, what), grouped(there));
            cut = Some((r.offset(), format!("the archive specifies {specified}, but contains only {there}")));
        }
        there
    };
    r.seek(place(header.nodes.1).min(range.end))?;
    let count = whole(r, "folder", header.nodes.0, NODE_SIZE);
    let of = names.clone();
    let nodes_at = r.offset();
    let nodes = r.records("Folders", "Node", count, NODE_SIZE, move |r, _| read_node(r, &of))?;
    let nodes_range = nodes_at..r.offset();
    r.seek(place(header.entries.1).min(range.end))?;
    let count = whole(r, "entry", header.entries.0, ENTRY_SIZE);
    let of = names.clone();
    let entries_at = r.offset();
    let entries = r.records("Entries", "Entry", count, ENTRY_SIZE, move |r, _| read_entry(r, &of))?;
    let ranges = vec![headers, nodes_range, entries_at..r.offset(), names.range.clone()];
    if r.is_recording() {
        let field = name_table(r.source(), names.range.clone());
        r.push(field);
    }
    Ok(Tables { header, nodes, entries, names, ranges, cut })
}

/// The fields of the archive in `range`: headers, tables and names.
pub fn fields(source: &Source, range: Range<u64>) -> Vec<Field> {
    let mut r = FieldReader::new(source, range, Endian::Big).recording();
    // What is wrong with it was reported when it was opened.
    let _ = read_tables(&mut r);
    r.into_fields()
}

/// The record of a folder, shown with it again. `names` is the table of names.
pub fn record_fields(source: &Source, names: &Range<u64>, record: Range<u64>) -> Vec<Field> {
    let names = Names { source: source.clone(), range: names.clone() };
    let mut r = FieldReader::new(source, record, Endian::Big).recording();
    // It was read once without a fault.
    let _ = read_node(&mut r, &names);
    r.into_fields().into_iter().map(Field::mirrored).collect()
}

struct Walk<'a> {
    tables: &'a Tables,
    /// Where the file data starts.
    data: u64,
    range: Range<u64>,
    directory: Directory,
    deepest: u32,
    seen_nodes: Vec<bool>,
    seen_entries: Vec<bool>,
    problems: &'a mut Vec<Problem>,
    /// Entries that were met again.
    repeated: usize,
    /// Bytes that names may still take.
    text_left: u64,
}

impl Walk<'_> {
    /// Goes through folders without recursion; each folder and each entry counts once, whoever refers to it.
    fn run(&mut self) {
        let mut folders = vec![(0_usize, None)];
        while let Some((node, parent)) = folders.pop() {
            let Some(found) = self.tables.nodes.get(node).copied() else { continue };
            if let Some(seen) = self.seen_nodes.get_mut(node) {
                *seen = true;
            }
            let first = found.first as usize;
            for index in first..first.saturating_add(usize::from(found.count)) {
                let Some(entry) = self.tables.entries.get(index).copied() else {
                    let message = format!(
                        "folder {node} uses entry {index}, but the archive has only {}",
                        counted(self.tables.entries.len(), "entry")
                    );
                    self.lost(found.offset, message);
                    break;
                };
                match self.seen_entries.get_mut(index) {
                    Some(seen) if !*seen => *seen = true,
                    _ => {
                        self.repeated = self.repeated.saturating_add(1);
                        // Folders may share all their entries: looking at each of them again takes for ever.
                        if self.repeated > self.tables.entries.len() {
                            break;
                        }
                        let message = format!("entry {index} is in more than one folder");
                        self.problem(Problem::odd(entry.offset, message));
                        continue;
                    }
                }
                if entry.flags & FOLDER == 0 {
                    self.file(&entry, parent);
                } else if let Some(child) = self.folder(&entry, parent) {
                    folders.push(child);
                }
            }
        }
        let lost = self.seen_nodes.iter().filter(|seen| !**seen).count();
        if lost > 0 {
            self.lost(self.range.start, format!("folders without a parent: {lost}"));
        }
    }

    fn name(&mut self, entry: &Entry) -> String {
        let names = &self.tables.names;
        let name = name_at(&names.source, &names.range, entry.name);
        match name.filter(|name| afford(&mut self.text_left, name)) {
            Some(name) => name,
            None => {
                let message = format!("the name at offset {} is outside the name table or too long", entry.name);
                self.problem(Problem::odd(entry.offset, message));
                format!("unnamed {}", self.directory.items.len())
            }
        }
    }

    fn folder(&mut self, entry: &Entry, parent: Option<usize>) -> Option<(usize, Option<usize>)> {
        let name = self.name(entry);
        if name == "." || name == ".." {
            return None;
        }
        let node = entry.data as usize;
        let Some(found) = self.tables.nodes.get(node).copied() else {
            let there = counted(self.tables.nodes.len(), "node");
            self.lost(entry.offset, format!("folder “{name}” uses node {node}, but the archive has only {there}"));
            return None;
        };
        if self.seen_nodes.get(node).copied().unwrap_or(true) {
            self.lost(entry.offset, format!("folder “{name}” refers to node {node}, which is already listed"));
            return None;
        }
        // Before it is looked into: two entries of one folder must not both have it.
        if let Some(seen) = self.seen_nodes.get_mut(node) {
            *seen = true;
        }
        let depth = parent.and_then(|p| self.directory.items.get(p)).map_or(0, |p| p.depth).saturating_add(1);
        if depth > self.deepest {
            self.lost(entry.offset, format!("folder “{name}” is nested {depth} folders deep and is skipped"));
            return None;
        }
        let index = self.directory.items.len();
        let record = found.offset..found.offset.saturating_add(NODE_SIZE);
        self.directory.items.push(Item { name, parent, depth, record, member: None });
        Some((node, Some(index)))
    }

    fn file(&mut self, entry: &Entry, parent: Option<usize>) {
        let name = self.name(entry);
        let start = self.data.saturating_add(u64::from(entry.data));
        let end = start.saturating_add(u64::from(entry.size));
        let there = start.min(self.range.end)..end.min(self.range.end);
        if end > self.range.end {
            let lost = end.saturating_sub(self.range.end.max(start));
            self.lost(entry.offset, format!("“{name}” extends {lost} bytes past the end of the archive"));
        }
        let depth = parent.and_then(|p| self.directory.items.get(p)).map_or(0, |p| p.depth);
        let record = entry.offset..entry.offset.saturating_add(ENTRY_SIZE);
        let member = Some(Member { range: there, flags: entry.flags });
        self.directory.items.push(Item { name, parent, depth, record, member });
    }

    fn lost(&mut self, offset: u64, message: String) {
        self.problem(Problem::lost(offset, message));
    }

    fn problem(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}
