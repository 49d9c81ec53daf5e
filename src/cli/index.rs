//! `index`: makes and renews the index of a collection.

use super::{
    Failure, index_lines,
    json_output::print_json,
    output::{Progress, counted, plain, say, stdout},
};
use crate::{
    bytes::{Cancel, Limits},
    library::{
        Quarantine,
        collection::{Catalog, Collection, Store, Updated},
        text_of,
    },
};
use serde::Serialize;
use std::{io::Write as _, path::PathBuf, process::ExitCode, time::Instant};

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
        return index_lines::run(&args.paths);
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
