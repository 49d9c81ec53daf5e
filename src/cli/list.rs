//! `list`: what is inside a file, or which files are in a folder.

use super::{
    Failure, ReadingArgs,
    json_output::print_json,
    list_files, list_folder,
    listed::{is_listed, listed},
    output::{counted, plain, stdout},
    selection::open_as,
};
use crate::{
    formats::{Content, Document, EntryId, Role},
    library::OpenFile,
    library::text_of,
};
use serde::{Serialize, Serializer};
use std::{borrow::Cow, io::Write as _, path::PathBuf, process::ExitCode};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// File to list, or a folder to list its files
    pub file: PathBuf,
    /// Print one JSON document instead of a table
    #[arg(long)]
    pub json: bool,
    /// List every file in a container and in nested containers, with its unpacked size and SHA-1
    #[arg(long)]
    pub files: bool,
    /// List the readable files in a container and in nested containers, as for a folder
    #[arg(long, conflicts_with = "files")]
    pub all: bool,
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

/// The listed entries. Rows are created one by one while writing, because a file may have millions of entries.
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
            unpacked_size: document.container().and_then(|container| container.unpacked_size(e.id)),
            method: document.container().and_then(|container| container.method(e.id)),
        })
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    id: u32,
    parent: Option<u32>,
    path: Cow<'a, str>,
    role: Role,
    class: &'a str,
    offset: u64,
    size: u64,
    content: Content,
    /// Unpacked size of a container's member in bytes, if the container specifies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    unpacked_size: Option<u64>,
    /// Storage method of a container's member.
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.all || args.file.is_dir() {
        return list_folder::run(&args.file, args.json, &args.reading);
    }
    let file = open_as(&args.file, &args.reading, true)?;
    if args.files {
        return list_files::run(&file, args.json);
    }
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
            file: text_of(&file.path).into_owned(),
            format: document.format().id,
            size: document.source().len() as u64,
            entries: Rows(document),
        }
    }

    /// Prints the members of a container with their sizes, without offsets.
    fn print_members(&self, mut out: impl std::io::Write) -> Result<(), Failure> {
        writeln!(out, "{:>5} {:>10} {:>10} {:<10} PATH", "ID", "STORED", "SIZE", "METHOD")?;
        for e in self.entries.iter() {
            let (id, path) = (format!("#{}", e.id), plain(&e.path));
            let (stored, slash) = if e.method.is_some() { (e.size.to_string(), "") } else { (String::new(), "/") };
            let size = e.unpacked_size.map(|size| size.to_string()).unwrap_or_default();
            writeln!(out, "{id:>5} {stored:>10} {size:>10} {:<10} {path}{slash}", e.method.unwrap_or_default())?;
        }
        Ok(out.flush()?)
    }

    fn print(&self, file: &OpenFile) -> Result<(), Failure> {
        let mut out = stdout();
        let name = file.document.format().name;
        writeln!(
            out,
            "{}: {name}, {} bytes, {}",
            plain(&self.file),
            self.size,
            counted(listed(&*file.document).count(), "entry")
        )?;
        if file.document.container().is_some() {
            return self.print_members(out);
        }
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
