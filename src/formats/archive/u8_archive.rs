//! U8, the archive of Wii games: one table of folders and files, each folder stating where it ends, then their names.

use super::directory::{
    Directory, Item, MAX_PROBLEMS, MAX_RECORDS, Member, Problem, afford, name_at, name_table, text_of,
};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
    },
    formats::{
        Field, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::ops::Range;

pub const MAGIC: [u8; 4] = [0x55, 0xAA, 0x38, 0x2D];
const NODE_SIZE: u64 = 12;

/// A folder or a file.
#[derive(Clone, Copy)]
struct Node {
    is_folder: bool,
    name: u32,
    /// Where a file starts, from the start of the archive; of a folder the number of the one it is in.
    data: u32,
    /// Bytes of a file; of a folder the number of the first node that is not in it.
    size: u32,
    offset: u64,
}

struct Tables {
    nodes: Vec<Node>,
    names: Range<u64>,
    /// Where they lie, with the header.
    ranges: Vec<Range<u64>>,
    /// Nodes that the table should have.
    wanted: u64,
}

fn read_node(r: &mut FieldReader<'_>) -> Result<Node, Fault> {
    let offset = r.offset();
    let is_folder = r.named_u8("Type", |code| match code {
        0 => Some("file"),
        1 => Some("folder"),
        _ => None,
    })? == 1;
    let at = r.offset();
    let [a, b, c] = r.raw().array::<3>()?;
    let name = u32::from_be_bytes([0, a, b, c]);
    r.record("NameOffset", "u24", at, || Value::UInt(u64::from(name)));
    let data = r.u32(if is_folder { "Parent" } else { "DataOffset" })?;
    let size = r.u32(if is_folder { "End" } else { "Size" })?;
    Ok(Node { is_folder, name, data, size, offset })
}

fn read_tables(r: &mut FieldReader<'_>) -> Result<Tables, Fault> {
    let range = r.range();
    r.tag::<4>("Magic")?;
    let root = r.u32("RootOffset")?;
    let tables_size = r.u32("TablesSize")?;
    r.u32("DataOffset")?;
    r.bytes("Reserved", "u8[16]", 16, Value::Raw)?;
    let header = range.start..r.offset();
    if u64::from(root) < header.end.saturating_sub(header.start) {
        return Err(r.fault(format!("invalid node offset {root}, which is within the header")));
    }
    r.seek_in_range(root)?;
    let nodes_at = r.offset();
    let wanted = u64::from(read_node(&mut r.fork())?.size);
    let there = r.whole_records(wanted.min(MAX_RECORDS), NODE_SIZE) as u64;
    let nodes = r.records("Nodes", "Node", there, NODE_SIZE, |r, _| read_node(r))?;
    let end = range.start.saturating_add(u64::from(root)).saturating_add(u64::from(tables_size)).min(range.end);
    let names = r.offset().min(end)..end;
    let ranges = vec![header, nodes_at..r.offset(), names.clone()];
    if r.is_recording() {
        let field = name_table(r.source(), names.clone());
        r.push(field);
    }
    Ok(Tables { nodes, names, ranges, wanted })
}

/// Reads the archive in `range`, folders at most `deepest` deep; `problems` takes what is wrong with it.
///
/// # Errors
/// When the header or the first node is not whole.
pub fn read(source: &Source, range: Range<u64>, deepest: u32, problems: &mut Vec<Problem>) -> Result<Directory, Fault> {
    let tables = read_tables(&mut FieldReader::new(source, range.clone(), Endian::Big))?;
    let mut problem = |problem: Problem| {
        if problems.len() < MAX_PROBLEMS {
            problems.push(problem);
        }
    };
    if (tables.nodes.len() as u64) < tables.wanted {
        let (specified, there) = (counted(tables.wanted, "node"), grouped(tables.nodes.len()));
        let message = format!("the archive specifies {specified}, but contains only {there}");
        problem(Problem::lost(range.start, message));
    }
    let mut directory =
        Directory { tables: tables.ranges.clone(), names: tables.names.clone(), ..Directory::default() };
    let mut text_left = text_of(&range);
    // Folders that are open at a node: the item and where it ends.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (index, node) in tables.nodes.iter().enumerate().skip(1) {
        open.retain(|(_, end)| index < *end);
        let name = name_at(source, &tables.names, node.name);
        let name = name.filter(|name| afford(&mut text_left, name)).unwrap_or_else(|| {
            let message = format!("the name at offset {} is outside the name table or too long", node.name);
            problem(Problem::odd(node.offset, message));
            format!("unnamed {index}")
        });
        let parent = open.last().map(|(item, _)| *item);
        let depth = open.len() as u32;
        let record = node.offset..node.offset.saturating_add(NODE_SIZE);
        if node.is_folder {
            if depth >= deepest {
                let message = format!("folder “{name}” is nested {depth} folders deep and is skipped");
                problem(Problem::lost(node.offset, message));
                continue;
            }
            open.push((directory.items.len(), node.size as usize));
            directory.items.push(Item { name, parent, depth: depth.saturating_add(1), record, member: None });
        } else {
            let start = range.start.saturating_add(u64::from(node.data));
            let end = start.saturating_add(u64::from(node.size));
            if end > range.end {
                let lost = end.saturating_sub(range.end.max(start));
                problem(Problem::lost(
                    node.offset,
                    format!("“{name}” extends {lost} bytes past the end of the archive"),
                ));
            }
            let member = Some(Member { range: start.min(range.end)..end.min(range.end), flags: 0 });
            directory.items.push(Item { name, parent, depth, record, member });
        }
    }
    Ok(directory)
}

/// The fields of the archive in `range`: header, nodes and names.
pub fn fields(source: &Source, range: Range<u64>) -> Vec<Field> {
    let mut r = FieldReader::new(source, range, Endian::Big).recording();
    // What is wrong with it was reported when it was opened.
    let _ = read_tables(&mut r);
    r.into_fields()
}

/// The record of one folder or file, shown with it again.
pub fn record_fields(source: &Source, record: Range<u64>) -> Vec<Field> {
    let mut r = FieldReader::new(source, record, Endian::Big).recording();
    // It was read once without a fault.
    let _ = read_node(&mut r);
    r.into_fields().into_iter().map(Field::mirrored).collect()
}
