//! Opens a file of any format and prints its entries, or the fields of one entry.
//!
//! `cargo run --example entries -- FILE [ENTRY]`. ENTRY is a path or `#N`, as printed by `bonebox list`.

use bonebox::{
    formats::{Children, Entry, Field},
    library::{OpenFile, OpenOptions},
};
use std::{env, error::Error};

/// Maximum number of rows printed per table.
const MAX_ROWS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "assets/samples/Ossie.psk".to_owned());
    // The format is detected by content. The path may also name a file inside a container, such as `Pack.umod/Maps/Room.unr`.
    let file = OpenOptions::new().open(path)?;
    match arguments.next() {
        Some(entry) => fields(&file, &entry)?.iter().for_each(|line| println!("{line}")),
        None => entries(&file).iter().for_each(|line| println!("{line}")),
    }
    for diagnostic in &file.diagnostics {
        eprintln!("{:?}: {} [{}]", diagnostic.severity, diagnostic.message, diagnostic.code);
    }
    Ok(())
}

/// Returns one line for each entry, with id, content, class and path.
pub fn entries(file: &OpenFile) -> Vec<String> {
    let line = |entry: &Entry| format!("#{} {:?} {} {}", entry.id.0, entry.content, entry.class, entry.path());
    file.document.outline().entries().iter().map(line).collect()
}

/// Returns one line for each field of an entry, including the fields of records and rows.
///
/// # Errors
/// Returns an error if the entry is missing or cannot be read.
pub fn fields(file: &OpenFile, entry: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let entry = file.document.outline().find(entry).ok_or("no such entry")?;
    let mut lines = Vec::new();
    for field in &file.document.fields(entry.id)?.fields {
        add(field, "", &mut lines);
    }
    Ok(lines)
}

fn add(field: &Field, before: &str, lines: &mut Vec<String>) {
    let name = format!("{before}{}", field.name);
    lines.push(format!("{:>8} {:>8} {name}: {} = {:?}", field.offset, field.size, field.kind, field.value));
    let before = format!("{name}.");
    match &field.children {
        Children::None => {}
        Children::Fields(fields) => fields.iter().for_each(|field| add(field, &before, lines)),
        // Rows are read on request, because a table may have millions of rows.
        Children::Table(table) => {
            (0..table.len().min(MAX_ROWS)).filter_map(|row| table.row(row)).for_each(|row| add(&row, &before, lines));
        }
    }
}
