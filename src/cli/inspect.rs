//! `inspect`: every field of an entry.

use super::{
    Failure, ReadingArgs,
    output::{counted, entry_label, plain, print_json, stdout},
    reading,
    selection::{find_entry, open_as},
};
use crate::{
    export::json::{DEEPEST, Inspection, Show},
    formats::{Children, Entry, EntryId, Field, Value},
    library::OpenFile,
    library::text_of,
};
use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// File to inspect
    pub file: PathBuf,
    /// Entry path or #N id, as printed by `list`. Default: the file itself
    pub entry: Option<String>,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
    /// Print all rows of tables instead of the first 64
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let file = open_as(&args.file, &args.reading, true)?;
    let document = &*file.document;
    let entry = match &args.entry {
        Some(wanted) => find_entry(&file, wanted, &[])?,
        None => {
            document.outline().get(EntryId::FILE).ok_or_else(|| Failure::of_file(&file.name, "the file is empty"))?
        }
    };
    let tree = document.fields(entry.id).map_err(|e| Failure::of_file(&file.name, e))?;
    let show = Show { document, entry: entry.id, full: args.full };
    if args.json {
        print_json(&Inspection::new(&text_of(&file.path), entry, &tree, show))?;
    } else {
        print_text(&file, entry, &tree.fields, show)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_text(file: &OpenFile, entry: &Entry, fields: &[Field], show: Show<'_>) -> Result<(), Failure> {
    let mut out = stdout();
    let name = entry_label(&*file.document, Some(entry.id)).unwrap_or_else(|| "the file itself".to_owned());
    let (class, offset, size) = (&*entry.class, entry.offset, entry.size);
    writeln!(out, "{}: {} ({class}), {size} bytes at offset {offset}", plain(&file.name), plain(&name))?;
    if entry.id == EntryId::FILE {
        reading::print(&mut out, &*file.document)?;
    }
    writeln!(out, "{:>10} {:>10}  FIELD", "OFFSET", "SIZE")?;
    for field in fields {
        print_field(&mut out, field, show, 0, false)?;
    }
    Ok(out.flush()?)
}

/// Prints a field. With `row`, the field is a row of a table, and is printed on one line unless it contains nested fields.
fn print_field(out: &mut impl Write, field: &Field, show: Show<'_>, depth: usize, row: bool) -> io::Result<()> {
    let indent = depth * 2;
    let (name, kind) = (plain(&field.name), plain(&field.kind));
    write!(out, "{:>10} {:>10}  {:indent$}{name}: {kind}", field.offset, field.size, "")?;
    if let Some(text) = value_text(field, show) {
        write!(out, " = {}", plain(&text))?;
    }
    match &field.children {
        _ if depth >= DEEPEST => writeln!(out),
        Children::None => writeln!(out),
        Children::Fields(fields) => match one_line(fields, show, row) {
            Some(line) => writeln!(out, " {{ {} }}", plain(&line)),
            None => {
                writeln!(out)?;
                fields.iter().try_for_each(|f| print_field(out, f, show, depth + 1, false))
            }
        },
        Children::Table(table) => {
            let (shown, rows) = (show.rows(&**table), table.len());
            writeln!(out, ", {}", counted(rows, "row"))?;
            for row in (0..shown).filter_map(|i| table.row(i)) {
                print_field(out, &row, show, depth + 1, true)?;
            }
            if shown < rows {
                let more = counted(rows - shown, "more row");
                writeln!(out, "{:22}  {:indent$}  … {more} (--full prints all)", "", "")?;
            }
            Ok(())
        }
    }
}

/// Returns a record as one line, or `None` if it contains nested fields, or is long and not a row of a table.
fn one_line(fields: &[Field], show: Show<'_>, row: bool) -> Option<String> {
    if fields.iter().any(|f| !matches!(f.children, Children::None)) {
        return None;
    }
    let parts = fields.iter().map(|f| format!("{}: {}", f.name, value_text(f, show).unwrap_or_default()));
    let line = parts.collect::<Vec<_>>().join(", ");
    (row || line.chars().count() <= 120).then_some(line)
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
