//! Where test files are, and an honest count of the tests that did nothing for want of them.

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

/// The corpus of files that are not the project's: `BONEBOX_CORPUS`, by default `../shared/corpus`. `None`, with a note, when
/// it is not there.
pub fn corpus(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BONEBOX_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(test, "no corpus (BONEBOX_CORPUS)");
    None
}

/// Notes that a test did nothing, and why: on standard error and, for `scripts/test`, in the file that `BONEBOX_SKIP_LOG`
/// names.
pub fn skipped(test: &str, why: &str) {
    eprintln!("skipped: {test}: {why}");
    if let Some(log) = std::env::var_os("BONEBOX_SKIP_LOG") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(log);
        file.and_then(|mut f| writeln!(f, "{test}: {why}")).expect("BONEBOX_SKIP_LOG can be written");
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
