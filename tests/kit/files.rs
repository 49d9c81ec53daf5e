//! Where test files are, and an honest count of the tests that did nothing because they are missing.

use bonebox::{
    bytes::Source,
    formats::{FileRequest, FoundFile, Resolver},
};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

/// The project's own test files.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The samples that come with the program.
pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples")
}

/// The corpus of files that are not the project's: `BONEBOX_CORPUS`, by default `../shared/corpus`. `None` where it is not
/// there: the test does nothing then and counts as skipped.
#[track_caller]
pub fn corpus() -> Option<PathBuf> {
    let corpus = corpus_beside();
    if corpus.is_none() {
        skipped("no corpus (BONEBOX_CORPUS)");
    }
    corpus
}

/// As [`corpus`], for a test that has files of its own besides and is not skipped without it.
#[track_caller]
pub fn corpus_beside() -> Option<PathBuf> {
    note("BONEBOX_CORPUS_LOG", &format!("{} {}", env!("CARGO_CRATE_NAME"), running()));
    let folder = std::env::var_os("BONEBOX_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Notes that a test did nothing, and why: on standard error and, for `scripts/test`, in the file that `BONEBOX_SKIP_LOG`
/// names.
#[track_caller]
pub fn skipped(why: &str) {
    let test = running();
    eprintln!("skipped: {test}: {why}");
    note("BONEBOX_SKIP_LOG", &format!("{}::{test}: {why}", env!("CARGO_CRATE_NAME")));
}

/// The running test: the test harness calls its thread so, unless it runs all of them on one thread.
#[track_caller]
fn running() -> String {
    match std::thread::current().name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => std::panic::Location::caller().to_string(),
    }
}

/// Adds a line to the file that `variable` names, if any.
fn note(variable: &str, line: &str) {
    if let Some(log) = std::env::var_os(variable) {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(log);
        // One call, so that lines of tests that run at once do not mix.
        file.and_then(|mut f| f.write_all(format!("{line}\n").as_bytes())).expect("the log can be written");
    }
}

/// Whether something that a test needs must be there: set by `scripts/test`, which installs it.
pub fn required(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|v| v == "1")
}

/// Files below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// Files by their names.
pub struct Files(pub Vec<(&'static str, Vec<u8>)>);

impl Resolver for Files {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        let fits = |name: &str, extension: &str| {
            let (stem, own) = name.rsplit_once('.').unwrap_or((name, ""));
            stem.eq_ignore_ascii_case(request.stem) && own == extension
        };
        let found = request.extensions.iter().find_map(|e| self.0.iter().find(|(name, _)| fits(name, e)));
        found.map(|(name, bytes)| FoundFile {
            name: (*name).to_owned(),
            path: PathBuf::from(name),
            source: Source::from(bytes.clone()),
        })
    }

    fn find_beside(&self, name: &str) -> Option<FoundFile> {
        let (name, bytes) = self.0.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        let (path, source) = (PathBuf::from(name), Source::from(bytes.clone()));
        Some(FoundFile { name: (*name).to_owned(), path, source })
    }
}
