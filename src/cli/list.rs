//! `list`: what is inside a file.

use super::{
    Failure, ReadingArgs,
    json_output::print_json,
    output::{plain, stdout},
    selection::open_as,
};
use crate::{
    formats::{Content, Document, Entry, EntryId, Role},
    library::OpenFile,
};
use serde::{Serialize, Serializer};
use std::{borrow::Cow, io::Write as _, path::PathBuf, process::ExitCode};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The file to look into
    pub file: PathBuf,
    /// One JSON document instead of a table
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Serialize)]
struct Listing<'a> {
    file: String,
    format: &'a str,
    size: u64,
    entries: Rows<'a>,
}

/// The entries that are listed, each made a row when it is written: there may be millions.
struct Rows<'a>(&'a dyn Document);

impl<'a> Rows<'a> {
    fn iter(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let document = self.0;
        let file_is_listed = document.outline().get(EntryId::FILE).is_some_and(is_listed);
        listed(document).map(move |e| Row {
            id: e.id.0,
            parent: e.parent.filter(|p| *p != EntryId::FILE || file_is_listed).map(|p| p.0),
            path: e.path(),
            role: e.role,
            class: &e.class,
            offset: e.offset,
            size: e.size,
            content: e.content,
        })
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[derive(Serialize)]
struct Row<'a> {
    id: u32,
    parent: Option<u32>,
    path: Cow<'a, str>,
    role: Role,
    class: &'a str,
    offset: u64,
    size: u64,
    content: Content,
}

/// The entries that are inside a file; the file itself is among them only where it shows as something of its own.
pub fn listed(document: &dyn Document) -> impl Iterator<Item = &Entry> {
    document.outline().entries().iter().filter(|e| is_listed(e))
}

fn is_listed(entry: &Entry) -> bool {
    entry.id != EntryId::FILE || entry.content != Content::None
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let file = open_as(&args.file, &args.reading, true)?;
    let listing = Listing::of(&file);
    if args.json {
        print_json(&listing)?
    } else {
        listing.print(&file)?
    }
    Ok(ExitCode::SUCCESS)
}

impl<'a> Listing<'a> {
    fn of(file: &'a OpenFile) -> Self {
        let document = &*file.document;
        Self {
            file: file.path.display().to_string(),
            format: document.format().id,
            size: document.source().len() as u64,
            entries: Rows(document),
        }
    }

    fn print(&self, file: &OpenFile) -> Result<(), Failure> {
        let mut out = stdout();
        let name = file.document.format().name;
        writeln!(
            out,
            "{}: {name}, {} bytes, {} entries",
            plain(&self.file),
            self.size,
            listed(&*file.document).count()
        )?;
        let class_width = listed(&*file.document).map(|e| e.class.chars().count()).max().unwrap_or(0).max(5);
        writeln!(out, "{:>5} {:>10} {:>10} {:<8} {:<class_width$} PATH", "ID", "OFFSET", "SIZE", "CONTENT", "CLASS")?;
        for e in self.entries.iter() {
            let id = format!("#{}", e.id);
            let content =
                if e.content == Content::None { String::new() } else { format!("{:?}", e.content).to_lowercase() };
            let path = plain(&e.path);
            writeln!(out, "{id:>5} {:>10} {:>10} {content:<8} {:<class_width$} {path}", e.offset, e.size, e.class)?;
        }
        Ok(out.flush()?)
    }
}
