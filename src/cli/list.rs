//! `list`: the entries of a file, the files of a folder, or every file in a container (`list --files`, `list --all`).

use super::{
    Failure, ReadingArgs,
    output::{counted, plain, print_json, say, stdout},
    selection::{is_listed, listed, open_as},
};
use crate::{
    bytes::{Cancel, Source},
    formats::{
        Content, Document, EntryId, Role,
        containers::{self, Trouble, Unpacked},
    },
    library::{OpenFile, collection::sum, expand_containers, text_of},
};
use serde::{Serialize, Serializer};
use std::{
    borrow::Cow,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

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
        return list_folder(&args.file, args.json, &args.reading);
    }
    let file = open_as(&args.file, &args.reading, true)?;
    if args.files {
        return list_files(&file, args.json);
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

#[derive(Serialize)]
struct Files<'a> {
    file: String,
    format: &'a str,
    size: u64,
    files: Vec<File>,
}

#[derive(Serialize)]
struct File {
    /// With the paths of the containers that it lies in.
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha1: Option<String>,
    /// What is wrong with it; with no size nothing of it could be used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
}

#[derive(Serialize)]
struct Problem {
    code: &'static str,
    message: String,
}

impl From<&Trouble> for Problem {
    fn from(trouble: &Trouble) -> Self {
        Self { code: trouble.code.id, message: trouble.message.clone() }
    }
}

impl File {
    fn of(path: &str, unpacked: Result<Unpacked, Trouble>) -> Self {
        let path = path.to_owned();
        let unpacked = match unpacked {
            Ok(unpacked) => unpacked,
            Err(trouble) => return Self { path, size: None, sha1: None, problems: vec![Problem::from(&trouble)] },
        };
        let mut problems: Vec<Problem> = unpacked.troubles.iter().map(Problem::from).collect();
        match sha1_of(&unpacked.source) {
            Ok(sum) => Self { path, size: Some(unpacked.source.len() as u64), sha1: Some(sum), problems },
            Err(error) => {
                problems.push(Problem { code: "bonebox.unreadable", message: Source::read_failed(error) });
                Self { path, size: None, sha1: None, problems }
            }
        }
    }
}

fn sha1_of(source: &Source) -> std::io::Result<String> {
    Ok(sum(source)?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Exit status 1 where something is wrong with a file.
fn list_files(file: &OpenFile, json: bool) -> Result<ExitCode, Failure> {
    let Some(outer) = file.document.container() else {
        let name = text_of(&file.path);
        return Err(Failure::failed(format!("{name} is not a container: --files works only with containers")));
    };
    let mut files = Vec::new();
    containers::walk(outer, &file.limits(), Cancel::never(), &mut |walked| {
        files.push(File::of(walked.path, walked.unpacked));
        true
    });
    let is_sound = files.iter().all(|file| file.problems.is_empty());
    let (name, size) = (text_of(&file.path).into_owned(), file.document.source().len() as u64);
    if json {
        print_json(&Files { file: name, format: file.document.format().id, size, files })?;
    } else {
        let mut out = stdout();
        let count = counted(files.len(), "file");
        writeln!(out, "{}: {}, {size} bytes, {count}", plain(&name), file.document.format().name)?;
        writeln!(out, "{:>10} {:<40} PATH", "SIZE", "SHA-1")?;
        for file in &files {
            let size = file.size.map(|size| size.to_string()).unwrap_or_default();
            let sum = file.sha1.as_deref().unwrap_or_default();
            writeln!(out, "{size:>10} {sum:<40} {}", plain(&file.path))?;
            for problem in &file.problems {
                writeln!(out, "{:>10} {}: {}", "", problem.code, plain(&problem.message))?;
            }
        }
        out.flush()?;
    }
    Ok(ExitCode::from(u8::from(!is_sound)))
}

#[derive(Serialize)]
struct Folder {
    folder: String,
    files: Vec<FolderFile>,
}

#[derive(Serialize)]
struct FolderFile {
    /// Path relative to the folder, with `/`. The path of a file in a container begins with the path of the container.
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<usize>,
    /// Reason why the file cannot be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl FolderFile {
    fn of(path: &Path, folder: &Path, reading: &ReadingArgs) -> Result<Self, Failure> {
        let inside = path.strip_prefix(folder).ok().filter(|inside| !inside.as_os_str().is_empty()).unwrap_or(path);
        let parts: Vec<_> = inside.iter().map(|part| text_of(Path::new(part))).collect();
        let file = Self { path: parts.join("/"), format: None, size: None, entries: None, error: None };
        match open_as(path, reading, false) {
            Ok(opened) => Ok(Self {
                format: Some(opened.document.format().id),
                size: Some(opened.document.source().len() as u64),
                entries: Some(listed(&*opened.document).count()),
                ..file
            }),
            Err(failure @ (Failure::Usage(_) | Failure::ClosedPipe)) => Err(failure),
            Err(failure) => Ok(Self { error: Some(failure.to_string()), ..file }),
        }
    }
}

/// Lists the readable files in a folder. Returns exit status 1 if a file cannot be opened.
fn list_folder(folder: &Path, json: bool, reading: &ReadingArgs) -> Result<ExitCode, Failure> {
    reading.prepare(folder);
    let paths = expand_containers(&[folder.to_owned()]);
    let files = paths.iter().map(|path| FolderFile::of(path, folder, reading)).collect::<Result<Vec<_>, _>>()?;
    let is_whole = files.iter().all(|file| file.error.is_none());
    let name = text_of(folder).into_owned();
    let errors: Vec<String> = files.iter().filter_map(|file| file.error.clone()).collect();
    if json {
        print_json(&Folder { folder: name, files })?;
    } else {
        let mut out = stdout();
        writeln!(out, "{}: {}", plain(&name), counted(files.len(), "file"))?;
        writeln!(out, "{:>10} {:>8} {:<20} PATH", "SIZE", "ENTRIES", "FORMAT")?;
        for file in &files {
            let size = file.size.map(|size| size.to_string()).unwrap_or_default();
            let entries = file.entries.map(|count| count.to_string()).unwrap_or_default();
            let (format, path) = (file.format.unwrap_or("unreadable"), plain(&file.path));
            writeln!(out, "{size:>10} {entries:>8} {format:<20} {path}")?;
        }
        out.flush()?;
    }
    for error in errors {
        say(format_args!("error: {}", plain(&error)));
    }
    Ok(ExitCode::from(u8::from(!is_whole)))
}
