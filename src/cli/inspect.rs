//! `inspect`: every field of an entry.

use super::{
    Failure,
    output::{entry_label, plain, print_json, stdout},
    selection::{find_entry, open},
};
use crate::{
    formats::{Children, Document, Entry, EntryId, Field, Table, Value},
    library::OpenFile,
};
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

/// Rows of a table and bytes of a raw field that are printed unless all are asked for.
const FIRST: usize = 64;
/// Fields nested deeper are left out: no format nests so deep.
const DEEPEST: usize = 128;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The file to look into
    pub file: PathBuf,
    /// The entry, as `list` prints it (#N is its id); the file itself without
    pub entry: Option<String>,
    /// One JSON document instead of a listing
    #[arg(long)]
    pub json: bool,
    /// Every row of every table, not only the first 64
    #[arg(long)]
    pub full: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let file = open(&args.file)?;
    let document = &*file.document;
    let entry = match &args.entry {
        Some(wanted) => find_entry(&file, wanted, &[])?,
        None => document.outline().get(EntryId::FILE).ok_or_else(|| Failure::of_file(&file.name, "it is empty"))?,
    };
    let tree = document.fields(entry.id).map_err(|e| Failure::of_file(&file.name, e))?;
    let show = Show { document, full: args.full };
    if args.json {
        print_json(&Inspection {
            file: file.path.display().to_string(),
            entry: entry_label(document, Some(entry.id)),
            class: entry.class,
            offset: entry.offset,
            size: entry.size,
            fields: FieldsJson { fields: &tree.fields, show, depth: 0 },
        })?;
    } else {
        print_text(&file, entry, &tree.fields, show)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whose fields are shown, and how many of them.
#[derive(Clone, Copy)]
struct Show<'a> {
    document: &'a dyn Document,
    full: bool,
}

impl Show<'_> {
    fn rows(self, table: &dyn Table) -> usize {
        if self.full { table.len() } else { table.len().min(FIRST) }
    }

    /// The bytes of a raw field as hexadecimal digits; `…` where not all are shown.
    fn hex(self, field: &Field) -> String {
        let most = if self.full { field.size } else { field.size.min(FIRST as u64) };
        let Some(bytes) = self.document.source().slice(field.offset, most) else { return String::new() };
        let mut text: String = bytes.as_slice().iter().map(|b| format!("{b:02x}")).collect();
        if most < field.size {
            text.push('…');
        }
        text
    }

    /// Where a reference leads: the entry's path, or what the field says.
    fn reference(self, reference: &crate::formats::Reference) -> (String, bool) {
        match reference.entry {
            Some(entry) => {
                let path = entry_label(self.document, Some(entry)).unwrap_or_else(|| reference.path.clone());
                (path, true)
            }
            None => (reference.path.clone(), false),
        }
    }
}

#[derive(Serialize)]
struct Inspection<'a> {
    file: String,
    /// `null` for the file itself.
    entry: Option<String>,
    class: &'a str,
    offset: u64,
    size: u64,
    fields: FieldsJson<'a>,
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

fn print_text(file: &OpenFile, entry: &Entry, fields: &[Field], show: Show<'_>) -> Result<(), Failure> {
    let mut out = stdout();
    let name = entry_label(&*file.document, Some(entry.id)).unwrap_or_else(|| "the file itself".to_owned());
    let (class, offset, size) = (entry.class, entry.offset, entry.size);
    writeln!(out, "{}: {} ({class}), {size} bytes from offset {offset}", plain(&file.name), plain(&name))?;
    writeln!(out, "{:>10} {:>10}  FIELD", "OFFSET", "SIZE")?;
    for field in fields {
        print_field(&mut out, field, show, 0)?;
    }
    Ok(out.flush()?)
}

fn print_field(out: &mut impl Write, field: &Field, show: Show<'_>, depth: usize) -> io::Result<()> {
    let indent = depth * 2;
    let (name, kind) = (plain(&field.name), plain(&field.kind));
    write!(out, "{:>10} {:>10}  {:indent$}{name}: {kind}", field.offset, field.size, "")?;
    if let Some(text) = value_text(field, show) {
        write!(out, " = {}", plain(&text))?;
    }
    match &field.children {
        _ if depth >= DEEPEST => writeln!(out),
        Children::None => writeln!(out),
        Children::Fields(fields) => match one_line(fields, show) {
            Some(line) => writeln!(out, " {{ {} }}", plain(&line)),
            None => {
                writeln!(out)?;
                fields.iter().try_for_each(|f| print_field(out, f, show, depth + 1))
            }
        },
        Children::Table(table) => {
            let (shown, rows) = (show.rows(&**table), table.len());
            writeln!(out, ", {rows} rows")?;
            for row in (0..shown).filter_map(|i| table.row(i)) {
                print_field(out, &row, show, depth + 1)?;
            }
            if shown < rows {
                writeln!(out, "{:22}  {:indent$}  … {} more rows: --full prints them", "", "", rows - shown)?;
            }
            Ok(())
        }
    }
}

/// A small record on one line; `None` when it nests or is long.
fn one_line(fields: &[Field], show: Show<'_>) -> Option<String> {
    if fields.len() > 12 || fields.iter().any(|f| !matches!(f.children, Children::None)) {
        return None;
    }
    let parts = fields.iter().map(|f| format!("{}: {}", f.name, value_text(f, show).unwrap_or_default()));
    let line = parts.collect::<Vec<_>>().join(", ");
    (line.chars().count() <= 160).then_some(line)
}

fn value_text(field: &Field, show: Show<'_>) -> Option<String> {
    let joined = |values: Vec<String>| format!("[{}]", values.join(", "));
    Some(match &field.value {
        Value::None => return None,
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => format!("“{text}”"),
        Value::Floats(values) => joined(values.iter().map(f32::to_string).collect()),
        Value::Ints(values) => joined(values.iter().map(i64::to_string).collect()),
        Value::Color([r, g, b, a]) => format!("#{r:02x}{g:02x}{b:02x}{a:02x}"),
        Value::Enum { value, name } => format!("{value} ({name})"),
        Value::Flags { value, names } if names.is_empty() => format!("{value:#x}"),
        Value::Flags { value, names } => format!("{value:#x} ({})", names.join(" | ")),
        Value::Reference(reference) => match show.reference(reference) {
            (path, true) => format!("→ {path}"),
            (path, false) => format!("→ {path} (not found)"),
        },
        Value::Raw => show.hex(field),
        Value::Opaque(name) => format!("opaque: {name}"),
    })
}
