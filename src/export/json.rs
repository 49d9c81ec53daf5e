//! Fields as JSON.

use crate::formats::{Children, Document, Entry, EntryId, Field, FieldTree, Reference, Table, TerrainCard, Value};
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use std::io::{self, Write};

/// Rows of a table and bytes of a raw field that are shown unless all are asked for.
const FIRST: usize = 64;
/// Fields nested deeper are left out: no format nests so deep.
pub const DEEPEST: usize = 128;

/// Writes every field of an entry as one JSON document, tables whole. `file` is how the file is called in it, `tree` what the
/// document says of the entry. Rows of tables are read as they are written.
///
/// # Errors
/// When writing fails.
pub fn write_json(
    file: &str,
    document: &dyn Document,
    entry: &Entry,
    tree: &FieldTree,
    out: &mut impl Write,
) -> io::Result<()> {
    let inspection = Inspection::new(file, entry, tree, Show { document, entry: entry.id, full: true });
    serde_json::to_writer(&mut *out, &inspection)?;
    out.write_all(b"\n")
}

/// How people call an entry: its path, `#N` where that is empty or taken by an earlier one, nothing for the file itself.
pub fn entry_label(document: &dyn Document, entry: Option<EntryId>) -> Option<String> {
    let entry = document.outline().get(entry?)?;
    match document.outline().find(&entry.path()) {
        _ if entry.id == EntryId::FILE => None,
        Some(first) if first.id == entry.id => Some(entry.path().into_owned()),
        _ => Some(format!("#{}", entry.id.0)),
    }
}

/// Whose fields are shown, and how many of them.
#[derive(Clone, Copy)]
pub struct Show<'a> {
    /// The file that contains the entry.
    pub document: &'a dyn Document,
    /// The entry whose fields are shown.
    pub entry: EntryId,
    /// Every row of every table, not only the first 64.
    pub full: bool,
}

impl Show<'_> {
    /// How many rows of a table are shown.
    pub fn rows(self, table: &dyn Table) -> usize {
        if self.full { table.len() } else { table.len().min(FIRST) }
    }

    /// The bytes of a raw field as hexadecimal digits; `…` where not all are shown.
    pub fn hex(self, field: &Field) -> String {
        let most = if self.full { field.size } else { field.size.min(FIRST as u64) };
        let Some(bytes) = self.document.source_of(self.entry).slice(field.offset, most) else { return String::new() };
        let mut text: String = bytes.as_slice().iter().map(|b| format!("{b:02x}")).collect();
        if most < field.size {
            text.push('…');
        }
        text
    }

    /// Where a reference leads: the entry's path, or what the field says.
    pub fn reference(self, reference: &Reference) -> (String, bool) {
        match reference.entry {
            Some(entry) => {
                let path = entry_label(self.document, Some(entry)).unwrap_or_else(|| reference.path.clone());
                (path, true)
            }
            None => (reference.path.clone(), reference.resolved),
        }
    }
}

/// The JSON document of one entry (CLI.md, `inspect`).
#[derive(Serialize)]
pub struct Inspection<'a> {
    file: String,
    /// `null` for the file itself.
    entry: Option<String>,
    class: &'a str,
    offset: u64,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<Pairs<'a, &'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terrain: Option<TerrainJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sections: Option<Pairs<'a, u64>>,
    fields: FieldsJson<'a>,
}

/// An object, its keys in the document's own order.
struct Pairs<'a, V>(Vec<(&'a str, V)>);

impl<'a, V> Pairs<'a, V> {
    /// `None` without any.
    fn of(pairs: impl Iterator<Item = (&'a str, V)>) -> Option<Self> {
        Some(Self(pairs.collect())).filter(|pairs| !pairs.0.is_empty())
    }
}

impl<V: Serialize> Serialize for Pairs<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// The ground in a few numbers; those that are not known are `null`.
#[derive(Serialize)]
struct TerrainJson {
    x: u32,
    z: u32,
    cell: f32,
    min: Option<f32>,
    max: Option<f32>,
    mean: Option<f64>,
    sha256: String,
}

impl From<TerrainCard> for TerrainJson {
    fn from(card: TerrainCard) -> Self {
        let TerrainCard { x, z, cell, range, mean, sha256 } = card;
        let [min, max] = range.map_or([None; 2], |range| range.map(Some));
        Self { x, z, cell, min, max, mean, sha256 }
    }
}

impl<'a> Inspection<'a> {
    /// `file` is how the file is called in it.
    pub fn new(file: &str, entry: &'a Entry, tree: &'a FieldTree, show: Show<'a>) -> Self {
        // What is said of the file is said where the file is.
        let document = (entry.id == EntryId::FILE).then_some(show.document);
        Self {
            file: file.to_owned(),
            entry: entry_label(show.document, Some(entry.id)),
            class: &entry.class,
            offset: entry.offset,
            size: entry.size,
            reading: document.and_then(|d| Pairs::of(d.reading().iter().map(|c| (c.id, c.value.as_str())))),
            terrain: document.and_then(|d| d.terrain_card()).map(TerrainJson::from),
            sections: document.and_then(|d| Pairs::of(d.sections().iter().map(|s| (s.name, s.offset)))),
            fields: FieldsJson { fields: &tree.fields, show, depth: 0 },
        }
    }
}

struct FieldsJson<'a> {
    fields: &'a [Field],
    show: Show<'a>,
    depth: usize,
}

impl Serialize for FieldsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.fields.iter().map(|field| FieldJson { field, show: self.show, depth: self.depth }))
    }
}

struct RowsJson<'a> {
    table: &'a dyn Table,
    show: Show<'a>,
    depth: usize,
}

impl Serialize for RowsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Owned<'a>(Field, Show<'a>, usize);
        impl Serialize for Owned<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                FieldJson { field: &self.0, show: self.1, depth: self.2 }.serialize(serializer)
            }
        }
        let rows = (0..self.show.rows(self.table)).filter_map(|i| self.table.row(i));
        serializer.collect_seq(rows.map(|row| Owned(row, self.show, self.depth)))
    }
}

struct FieldJson<'a> {
    field: &'a Field,
    show: Show<'a>,
    depth: usize,
}

impl Serialize for FieldJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (field, show, depth) = (self.field, self.show, self.depth + 1);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &field.name)?;
        map.serialize_entry("type", &field.kind)?;
        map.serialize_entry("value", &ValueJson { field, show })?;
        map.serialize_entry("offset", &field.offset)?;
        map.serialize_entry("size", &field.size)?;
        if depth < DEEPEST {
            match &field.children {
                Children::None => {}
                Children::Fields(fields) => map.serialize_entry("fields", &FieldsJson { fields, show, depth })?,
                Children::Table(table) => {
                    map.serialize_entry("rows", &table.len())?;
                    map.serialize_entry("fields", &RowsJson { table: &**table, show, depth })?;
                }
            }
        }
        map.end()
    }
}

/// Numbers that are not finite become `null`: JSON has no word for them.
struct ValueJson<'a> {
    field: &'a Field,
    show: Show<'a>,
}

impl Serialize for ValueJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.field.value {
            Value::None => serializer.serialize_none(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::UInt(value) => serializer.serialize_u64(*value),
            Value::Float(value) => serializer.serialize_f32(*value),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Floats(values) => values.serialize(serializer),
            Value::Ints(values) => values.serialize(serializer),
            Value::Color(color) => color.serialize(serializer),
            Value::Enum { value, name } => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("value", value)?;
                map.serialize_entry("name", name)?;
                map.end()
            }
            Value::Flags { value, names } => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("value", value)?;
                map.serialize_entry("names", names)?;
                map.end()
            }
            Value::Reference(reference) => {
                let (path, resolved) = self.show.reference(reference);
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("ref", &path)?;
                map.serialize_entry("resolved", &resolved)?;
                map.end()
            }
            Value::Raw => serializer.serialize_str(&self.show.hex(self.field)),
            Value::Opaque(name) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("opaque", name)?;
                map.end()
            }
        }
    }
}
