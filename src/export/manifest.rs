//! The list of the files that an export wrote, which grows with it, and the summary of an export of many entries.

use super::{ExportError, ExportFormat, ExportKind, Note, plan::Planned, write::write_file};
use crate::files::{self as fs, File};
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::{
    cmp::Reverse,
    collections::HashMap,
    io::{self, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

/// What [`super::export_all`] made.
#[derive(Debug, Serialize)]
pub struct Manifest {
    /// Which program, and which version.
    generator: String,
    /// The entries that were exported.
    pub exported: Vec<Item>,
    /// The entries that could not be exported.
    pub failed: Vec<Failed>,
    /// Files of which nothing could be exported, because they could not be opened.
    pub unopened: Vec<Unopened>,
    /// Whether it ended before the end: it was cancelled, or the program was.
    pub cancelled: bool,
    /// Where the manifest itself is.
    #[serde(skip)]
    pub path: PathBuf,
    /// Why the list on disk is not whole, where it is not: it could not be written on.
    #[serde(skip)]
    pub unlisted: Option<Unlisted>,
}

/// A list that could not be written on.
#[derive(Debug)]
pub struct Unlisted {
    /// The reason why the list could not be written.
    pub error: ExportError,
    /// What was written and is not on the list; relative to the folder, with `/` on every system.
    pub paths: Vec<String>,
}

/// An entry and its file.
#[derive(Clone, Debug, Serialize)]
pub struct Item {
    /// Name of the source file.
    pub file: String,
    /// The entry's path in the source file; empty for the file itself.
    pub entry: String,
    /// The entry's index in the source file.
    pub id: u32,
    /// Kind of the entry.
    pub kind: ExportKind,
    /// Id of the export format, such as `glb`.
    pub format: &'static str,
    /// Relative to the folder; with `/` on every system.
    pub path: String,
    /// Further files that belong to it, called likewise: pages of a font, mips.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Bytes of the file.
    pub size: u64,
    /// Notes on what the format cannot hold; empty if there are none.
    pub notes: Vec<Note>,
}

/// An entry that could not be exported.
#[derive(Debug, Serialize)]
pub struct Failed {
    /// Name of the source file.
    pub file: String,
    /// The entry's path in the source file; empty for the file itself.
    pub entry: String,
    /// The entry's index in the source file.
    pub id: u32,
    /// Kind of the entry.
    pub kind: ExportKind,
    /// Id of the export format, such as `glb`.
    pub format: &'static str,
    /// The error as a message, with names and numbers.
    pub error: String,
    /// The same without names and numbers: what entries that failed for one reason have in common.
    pub cause: String,
    /// Bytes that it would take, where that is more than it may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_budget: Option<u64>,
}

/// A file that could not be opened.
#[derive(Clone, Debug, Serialize)]
pub struct Unopened {
    /// Name of the file.
    pub file: String,
    /// The reason why the file could not be opened.
    pub error: String,
}

impl Manifest {
    pub(super) fn new(unopened: Vec<Unopened>, path: PathBuf) -> Self {
        Self {
            generator: format!("Bonebox {}", env!("CARGO_PKG_VERSION")),
            exported: Vec::new(),
            failed: Vec::new(),
            unopened,
            cancelled: false,
            path,
            unlisted: None,
        }
    }

    /// Writes it whole.
    pub(super) fn write(&self) -> Result<(), ExportError> {
        Ok(write_file(&self.path, true, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            out.write_all(b"\n")
        })?)
    }
}

/// The manifest while things are exported: a whole JSON document after each of them, which says that the export has not ended.
pub(super) struct Growing {
    path: PathBuf,
    file: File,
    /// Where the next item goes.
    end: u64,
    is_first: bool,
    unlisted: Option<Unlisted>,
}

/// What follows the last item.
const TAIL: &[u8] = b"\n  ],\n  \"failed\": [],\n  \"unopened\": [],\n  \"cancelled\": true\n}\n";

impl Growing {
    /// Starts a manifest, over what is there only with `force`.
    pub fn start(manifest: &Manifest, force: bool) -> Result<Self, ExportError> {
        let generator = serde_json::to_string(&manifest.generator).unwrap_or_default();
        let head = format!("{{\n  \"generator\": {generator},\n  \"exported\": [");
        write_file(&manifest.path, force, |out| {
            out.write_all(head.as_bytes())?;
            out.write_all(TAIL)
        })?;
        let file = File::options().write(true).open(&manifest.path).map_err(ExportError::io(&manifest.path))?;
        Ok(Self { path: manifest.path.clone(), file, end: head.len() as u64, is_first: true, unlisted: None })
    }

    /// Whether there is still room on the list.
    pub fn is_open(&self) -> bool {
        self.unlisted.is_none()
    }

    /// Adds what is written. When the list cannot be written on, it stays as it was and is closed.
    pub fn add(&mut self, item: &Item) {
        let added = if self.is_open() { self.try_to_add(item) } else { Ok(()) };
        if let Err(error) = added {
            // The end that was there before fits where it was.
            let restored = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(TAIL));
            let _ = restored.and_then(|()| self.file.set_len(self.end + TAIL.len() as u64));
            self.unlisted = Some(Unlisted { error, paths: Vec::new() });
        }
        if let Some(unlisted) = &mut self.unlisted {
            unlisted.paths.extend(std::iter::once(&item.path).chain(&item.also).cloned());
        }
    }

    /// Closes the list: what is not on it.
    pub fn finish(self) -> Option<Unlisted> {
        self.unlisted
    }

    fn try_to_add(&mut self, item: &Item) -> Result<(), ExportError> {
        let separator = if self.is_first { "\n    " } else { ",\n    " };
        let mut bytes = separator.as_bytes().to_vec();
        serde_json::to_writer(&mut bytes, item).map_err(|e| ExportError::io(&self.path)(e.into()))?;
        let end = self.end + bytes.len() as u64;
        bytes.extend_from_slice(TAIL);
        // In one piece, so that whatever ends the program leaves a whole document.
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(&bytes));
        written.map_err(ExportError::io(&self.path))?;
        (self.end, self.is_first) = (end, false);
        Ok(())
    }
}

/// What an earlier export into the same folder has done.
#[derive(Default)]
pub(super) struct Earlier(HashMap<(String, u32), Listed>);

#[derive(Deserialize)]
struct Listing {
    exported: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    file: String,
    id: u32,
    #[serde(default)]
    format: String,
    path: String,
    /// Earlier versions did not say it.
    size: Option<u64>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    notes: Vec<Note>,
}

/// What is there of an entry.
pub(super) struct Done {
    pub path: String,
    pub also: Vec<String>,
    pub size: u64,
    pub notes: Vec<Note>,
}

impl Earlier {
    /// Reads its manifest; nothing without one.
    pub fn read(path: &Path) -> Result<Self, ExportError> {
        let text = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Ok(found) if !found.is_file() => return Err(ExportError::NotAFile(path.to_owned())),
            _ => fs::read(path).map_err(ExportError::io(path))?,
        };
        let listing: Listing = serde_json::from_slice(&text)
            .map_err(|error| ExportError::Unsupported(format!("cannot resume from {}: {error}", path.display())))?;
        Ok(Self(listing.exported.into_iter().map(|listed| ((listed.file.clone(), listed.id), listed)).collect()))
    }

    /// What was exported of an entry, where its file is there as it was written.
    pub fn done(&self, file: &str, planned: &Planned, root: &Path) -> Option<Done> {
        let listed = self.0.get(&(file.to_owned(), planned.entry.0))?;
        let path = Path::new(&listed.path);
        // Sounds and music choose their ending themselves.
        let is_own_file = planned.format == ExportFormat::Raw && listed.format == planned.format.id();
        let is_planned =
            path == planned.path || is_own_file && path.with_extension("") == planned.path.with_extension("");
        let size = listed.size.filter(|_| is_planned)?;
        let found = |path: &String| fs::symlink_metadata(root.join(path)).ok().filter(|found| found.is_file());
        let is_whole = found(&listed.path)?.len() == size && listed.also.iter().all(|path| found(path).is_some());
        let Listed { path, also, notes, .. } = listed;
        is_whole.then(|| Done { path: path.clone(), also: also.clone(), size, notes: notes.clone() })
    }
}

/// Entries that failed for one reason.
#[derive(Debug)]
pub struct Cause<'a> {
    /// Number of entries.
    pub count: usize,
    /// Of one entry its whole message; of several what they have in common.
    pub message: &'a str,
    /// The entry that failed first.
    pub first: &'a Failed,
}

/// Why entries failed, the most frequent first.
pub fn causes(failed: &[Failed]) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for entry in failed {
        match known.get(entry.cause.as_str()) {
            Some(index) => {
                causes[*index].count += 1;
                causes[*index].message = &entry.cause;
            }
            None => {
                known.insert(&entry.cause, causes.len());
                causes.push(Cause { count: 1, message: &entry.error, first: entry });
            }
        }
    }
    // Of equal ones the first that happened stays first.
    causes.sort_by_key(|cause| Reverse(cause.count));
    causes
}

/// How many of each kind were written: `3 models, 1 brush`; empty for none.
pub fn counts(exported: &[Item]) -> String {
    let of = |kind| exported.iter().filter(|item| item.kind == kind).count();
    let counted = ExportKind::ALL.into_iter().map(|kind| (kind, of(kind))).filter(|(_, count)| *count > 0);
    let words: Vec<String> = counted.map(|(kind, count)| kind.counted(count)).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(entry: &str, error: &str, cause: &str) -> Failed {
        Failed {
            file: "a.u".to_owned(),
            entry: entry.to_owned(),
            id: 1,
            kind: ExportKind::Clip,
            format: "psa",
            error: error.to_owned(),
            cause: cause.to_owned(),
            over_budget: None,
        }
    }

    #[test]
    fn failures_of_one_cause_are_one_line() {
        let failed = [
            failed("Odd", "“Odd” is odd", "“…” is odd"),
            failed("Walk", "“Walk” is empty", "“…” is empty"),
            failed("Run", "“Run” is empty", "“…” is empty"),
        ];
        let causes = causes(&failed);
        let said: Vec<(usize, &str, &str)> = causes.iter().map(|c| (c.count, c.message, &*c.first.entry)).collect();
        assert_eq!(said, [(2, "“…” is empty", "Walk"), (1, "“Odd” is odd", "Odd")]);
    }

    #[test]
    fn what_was_written_is_counted_by_kind() {
        let item = |kind| Item {
            file: String::new(),
            entry: String::new(),
            id: 1,
            kind,
            format: "glb",
            path: String::new(),
            also: Vec::new(),
            size: 0,
            notes: Vec::new(),
        };
        let items = [ExportKind::Clip, ExportKind::Model, ExportKind::Clip].map(item);
        assert_eq!(counts(&items), "1 model, 2 clips");
        assert_eq!(counts(&[]), "");
    }
}
