//! `index`: makes and renews the index of a collection, or prints one JSON object a line about files (`--format
//! jsonl`).

use super::{
    Failure,
    output::{Progress, counted, plain, print_json, say, stdout},
};
use crate::{
    bytes::{Cancel, Limits},
    formats::{Content, Role},
    library::{
        Quarantine,
        collection::{About, Catalog, Collection, Inside, Record, Store, Updated, absolute, read_content, walk},
        text_of,
    },
};
use serde::Serialize;
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

/// Maximum number of problems that are printed, one per line.
const MAX_TROUBLES: usize = 40;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Folders, containers and files to index
    #[arg(value_name = "FILE|FOLDER", required_unless_present_any = ["list", "forget"])]
    pub paths: Vec<PathBuf>,
    /// Save the collection under this name for `find NAME`
    #[arg(long)]
    pub name: Option<String>,
    /// Print the index instead of saving it
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// List the saved collections
    #[arg(long, conflicts_with_all = ["paths", "name", "format", "forget"])]
    pub list: bool,
    /// Remove the saved collection with this name; its files are not deleted
    #[arg(long, value_name = "NAME", conflicts_with_all = ["paths", "name", "format"])]
    pub forget: Option<String>,
    /// Print one JSON document instead of text
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// Output format of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One JSON object per line: files, entries and imports
    Jsonl,
}

#[derive(Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    roots: Vec<String>,
    files: usize,
    entries: usize,
    /// Numbers of files that were read, are unchanged, and were removed.
    read: usize,
    kept: usize,
    gone: usize,
    seconds: f64,
    problems: Vec<Problem>,
}

#[derive(Serialize)]
struct Problem {
    file: String,
    message: String,
}

#[derive(Serialize)]
struct Collections {
    collections: Vec<Collection>,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.format == Some(Format::Jsonl) {
        return write_lines(&args.paths);
    }
    let store = user_store()?;
    if let Some(name) = &args.forget {
        if !store.collections().map_err(Failure::failed)?.iter().any(|collection| collection.name == *name) {
            return Err(Failure::failed(format_args!("no collection is named “{name}”")));
        }
        store.forget(name).map_err(Failure::failed)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.list {
        return list(&store, args.json);
    }
    let begin = Instant::now();
    let updated = renew(&store, &args.paths)?;
    if let Some(name) = &args.name {
        store.remember(&Collection { name: name.clone(), roots: args.paths.clone() }).map_err(Failure::failed)?;
    }
    let problems = problems(&updated);
    let entries = entries(&updated.catalog);
    let files = updated.catalog.files().len();
    let seconds = begin.elapsed().as_secs_f64();
    let Updated { read, kept, gone, .. } = updated;
    if args.json {
        let roots = args.paths.iter().map(|path| text_of(path).into_owned()).collect();
        let name = args.name.as_deref();
        print_json(&Report { name, roots, files, entries, read, kept, gone, seconds, problems })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = stdout();
    let (files, entries) = (counted(files, "file"), counted(entries, "entry"));
    writeln!(out, "{files}, {entries}: {read} read, {kept} unchanged, {gone} removed, {seconds:.2} s")?;
    out.flush()?;
    for problem in problems.iter().take(MAX_TROUBLES) {
        say(format_args!("warning: {}: {}", plain(&problem.file), plain(&problem.message)));
    }
    if problems.len() > MAX_TROUBLES {
        say(format_args!("warning: more files with problems: {} (--json lists all)", problems.len() - MAX_TROUBLES));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of entries, without the files themselves.
fn entries(catalog: &Catalog) -> usize {
    catalog.row_count().saturating_sub(catalog.files().len())
}

/// Returns the files that cannot be read or opened, with the reasons.
fn problems(updated: &Updated) -> Vec<Problem> {
    let unread = updated.troubles.iter().map(|(path, why)| (path, why.clone()));
    let files = updated.catalog.files().iter().filter_map(|file| Some((&file.path, file.problem.clone()?)));
    unread.chain(files).map(|(path, message)| Problem { file: text_of(path).into_owned(), message }).collect()
}

fn list(store: &Store, json: bool) -> Result<ExitCode, Failure> {
    let collections = store.collections().map_err(Failure::failed)?;
    if json {
        print_json(&Collections { collections })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = stdout();
    for collection in collections {
        writeln!(out, "{}", plain(&collection.name))?;
        for root in &collection.roots {
            writeln!(out, "  {}", plain(&text_of(root)))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the user's index.
///
/// # Errors
/// Returns an error if the location of the index is unknown.
pub fn user_store() -> Result<Store, Failure> {
    Store::of_user().ok_or_else(|| Failure::failed("no location for the index: set BONEBOX_COLLECTIONS to a file path"))
}

/// Reads the changed files in some roots.
///
/// # Errors
/// Returns an error if a root does not exist, or the index cannot be written.
pub fn renew(store: &Store, roots: &[PathBuf]) -> Result<Updated, Failure> {
    if let Some(root) = roots.iter().find(|root| !root.exists()) {
        return Err(Failure::of_file(&text_of(root), "no such file or folder"));
    }
    update(store, roots, roots)
}

/// Reads the changed files in some roots. Files in `named` are read even if they are in quarantine.
///
/// # Errors
/// Returns an error if the index cannot be written.
pub fn update(store: &Store, roots: &[PathBuf], named: &[PathBuf]) -> Result<Updated, Failure> {
    let quarantine = Quarantine::shared();
    quarantine.start(&store.journals());
    for file in named.iter().filter(|path| !path.is_dir()) {
        quarantine.try_again(file);
    }
    let shown = Progress::new("indexed");
    let updated = store.update(
        roots,
        Limits::default(),
        &|progress| shown.of(progress.files_done, progress.files_known),
        Cancel::never(),
    );
    quarantine.end();
    updated.map_err(Failure::failed)
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'a> {
    File {
        file: &'a str,
        format: &'a str,
        size: u64,
        /// The first 16 digits of the SHA-1 of its bytes.
        digest: String,
        entries: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        problem: Option<&'a str>,
    },
    Entry {
        file: &'a str,
        id: u32,
        path: &'a str,
        name: &'a str,
        class: &'a str,
        role: Role,
        content: Content,
        size: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        digest: Option<String>,
        #[serde(flatten)]
        about: Known<'a>,
    },
    Import {
        file: &'a str,
        from: &'a str,
        path: &'a str,
        class: &'a str,
        built_in: bool,
    },
}

/// What is known of an entry besides its name.
#[derive(Default, Serialize)]
struct Known<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    joints: Option<&'a [std::borrow::Cow<'a, str>]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint_count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_hz: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u32>,
}

impl<'a> Known<'a> {
    fn of(about: About, record: &'a Record<'_>) -> Self {
        let names = |set: Option<crate::library::collection::JointSet>| {
            set.and_then(|set| record.joint_sets.get(set.0 as usize)).map(Vec::as_slice)
        };
        match about {
            About::Nothing => Self::default(),
            About::Model { joints, joint_count, vertices, triangles } => Self {
                joints: names(joints),
                joint_count: Some(joint_count),
                vertices: Some(vertices),
                triangles: Some(triangles),
                ..Self::default()
            },
            About::Clip { joints, joint_count, frames, rate_hz } => Self {
                joints: names(joints),
                joint_count: Some(joint_count),
                frames: Some(frames),
                rate_hz: Some(rate_hz),
                ..Self::default()
            },
            About::Picture { width, height } => Self { width: Some(width), height: Some(height), ..Self::default() },
            About::Sound { duration_secs } => Self { seconds: Some(duration_secs), ..Self::default() },
            About::Text { lines } => Self { lines: Some(lines), ..Self::default() },
        }
    }
}

/// Prints the files of some roots in the order of their paths. Each is let go of before the next is read. Exit status 1 where one
/// cannot be read.
fn write_lines(roots: &[PathBuf]) -> Result<ExitCode, Failure> {
    if let Some(root) = roots.iter().find(|root| !root.exists()) {
        return Err(Failure::of_file(&text_of(root), "no such file or folder"));
    }
    let limits = Limits::default();
    let mut out = stdout();
    let walked = walk(roots);
    let mut is_whole = walked.troubles.is_empty();
    let tell = |path: &Path, why: &str| {
        say(format_args!("error: {}: {}", plain(&text_of(path)), plain(why)));
    };
    walked.troubles.iter().for_each(|(path, why)| tell(path, why));
    for file in walked.files.values() {
        match read_content(&file.path, &limits, Cancel::never()) {
            Ok(Some((content, _))) => {
                let name = named(&file.path, roots);
                for inside in &content.files {
                    print(&mut out, &name, inside)?;
                }
            }
            Ok(None) => {}
            Err(why) => {
                is_whole = false;
                tell(&file.path, &why);
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(!is_whole)))
}

/// A path as its root was named.
fn named(path: &Path, roots: &[PathBuf]) -> String {
    let below = roots.iter().find_map(|root| {
        let inside = path.strip_prefix(absolute(root)).ok()?;
        Some(if inside.as_os_str().is_empty() { root.clone() } else { root.join(inside) })
    });
    text_of(below.as_deref().unwrap_or(path)).replace('\\', "/")
}

fn print(out: &mut impl std::io::Write, file: &str, inside: &Inside<'_>) -> Result<(), Failure> {
    let file = if inside.path.is_empty() { file.to_owned() } else { format!("{file}/{}", inside.path) };
    let record = &inside.record;
    let digest = |digest: u64| format!("{digest:016x}");
    let mut line = |line: Line<'_>| -> Result<(), Failure> {
        serde_json::to_writer(&mut *out, &line)?;
        Ok(out.write_all(b"\n")?)
    };
    line(Line::File {
        file: &file,
        format: &record.format,
        size: inside.size,
        digest: digest(inside.digest),
        entries: record.entries.len().saturating_sub(1),
        problem: record.problem.as_deref(),
    })?;
    for entry in record.entries.iter().filter(|entry| entry.id != 0 || entry.content != Content::None) {
        line(Line::Entry {
            file: &file,
            id: entry.id,
            path: &entry.path,
            name: entry.path.get(entry.name_start as usize..).unwrap_or(&entry.path),
            class: record.classes.get(entry.class as usize).map_or("", |class| class),
            role: entry.role,
            content: entry.content,
            size: entry.size,
            digest: (entry.digest != 0).then(|| digest(entry.digest)),
            about: Known::of(entry.about, record),
        })?;
    }
    for import in &record.imports {
        line(Line::Import {
            file: &file,
            from: &import.file,
            path: &import.path,
            class: &import.class,
            built_in: import.is_built_in,
        })?;
    }
    Ok(())
}
