//! `verify`: reads everything and reports what is wrong, opaque or unread.

use super::{
    Failure, ReadingArgs,
    json_output::print_json,
    listed::listed,
    output::{Progress, entry_label, plain, stdout},
};
use crate::{
    bytes::Limits,
    files::text_of,
    formats::{
        Code, Content, Diagnostic, Diagnostics, Document, Entry, EntryId, LoadOptions, ReadError, Severity, caught,
        coverage,
    },
    library::{OpenFile, expand, open_named, open_path_as},
};
use rayon::prelude::*;
use serde::Serialize;
use std::{
    collections::HashSet,
    hash::{BuildHasher as _, RandomState},
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Files, and folders whose files are read
    #[arg(value_name = "FILE|FOLDER", required = true)]
    pub paths: Vec<PathBuf>,
    /// One JSON document instead of a report
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Findings that only reading everything can make.
pub mod codes {
    use crate::formats::{Code, Severity};

    pub const CANNOT_OPEN: Code = Code {
        id: "bonebox.cannot-open",
        severity: Severity::Error,
        meaning: "The file cannot be opened as anything.",
    };
    pub const CANNOT_READ: Code =
        Code { id: "bonebox.cannot-read", severity: Severity::Error, meaning: "An entry cannot be read or decoded." };
    pub const READ_TWICE: Code = Code {
        id: "bonebox.read-twice",
        severity: Severity::Warning,
        meaning: "Two fields of an entry claim the same bytes: a fault of the reader.",
    };
    pub const SHARED_BYTES: Code = Code {
        id: "bonebox.shared-bytes",
        severity: Severity::Warning,
        meaning: "Two entries have the same bytes: they overlap in the file.",
    };
    pub const FAULT: Code = Code {
        id: "bonebox.fault",
        severity: Severity::Error,
        meaning: "Reading the file hit a fault of the program.",
    };
}

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    /// `null` where the file cannot be opened as anything.
    format: Option<&'static str>,
    entries: usize,
    opaque: Vec<OpaqueRow>,
    unread: Vec<UnreadRow>,
    diagnostics: Vec<DiagnosticRow>,
}

#[derive(Serialize)]
struct OpaqueRow {
    entry: Option<String>,
    name: &'static str,
    offset: u64,
    size: u64,
}

#[derive(Serialize)]
struct UnreadRow {
    entry: Option<String>,
    offset: u64,
    size: u64,
}

#[derive(Hash, Serialize)]
struct DiagnosticRow {
    code: &'static str,
    severity: Severity,
    /// Path or `#N`; `null` for the file.
    entry: Option<String>,
    offset: Option<u64>,
    message: String,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.paths.iter().for_each(|path| args.reading.prepare(path));
    let mut paths = expand(&args.paths);
    paths.sort();
    if paths.is_empty() {
        let folders: Vec<String> = args.paths.iter().map(|path| text_of(path).into_owned()).collect();
        return Err(Failure::of_file(&folders.join(", "), "there is no file in it that can be opened"));
    }
    let named: HashSet<&PathBuf> = args.paths.iter().collect();
    let done = AtomicUsize::new(0);
    let progress = Progress::new("verified");
    let verified = |path: &PathBuf| {
        let report = verify_guarded(path, named.contains(path), &args.reading, paths.len() == 1);
        progress.of(done.fetch_add(1, Ordering::Relaxed) + 1, paths.len());
        report
    };
    let files: Result<_, Failure> = paths.par_iter().map(verified).collect();
    drop(progress);
    let report = Report { files: files? };
    if args.json {
        print_json(&report)?
    } else {
        report.print()?
    }
    let failed = report.files.iter().any(|f| f.worst() == Some(Severity::Error));
    Ok(ExitCode::from(u8::from(failed)))
}

/// A fault of one reader must not end the report on the other files.
fn verify_guarded(path: &Path, named: bool, reading: &ReadingArgs, alone: bool) -> Result<FileReport, Failure> {
    caught(|| verify(path, named, reading, alone)).unwrap_or_else(|reason| {
        Ok(FileReport::failed(path, &codes::FAULT, format!("reading it hit a fault of the program: {reason}")))
    })
}

/// # Errors
/// When the file is not read as was asked.
fn verify(path: &Path, named: bool, reading: &ReadingArgs, alone: bool) -> Result<FileReport, Failure> {
    let open = if named { open_named } else { open_path_as };
    let file = match open(path, Limits::default(), &[], &reading.overrides()) {
        Ok(file) => file,
        Err(error) => return Ok(FileReport::failed(path, &codes::CANNOT_OPEN, error.message)),
    };
    reading.check(&file, alone)?;
    let document = &*file.document;
    let entries = document.outline().entries();
    let mut diagnostics: Vec<DiagnosticRow> = file.diagnostics.iter().map(|d| row_of(document, d)).collect();
    let found: Vec<Vec<DiagnosticRow>> = entries.par_iter().map(|entry| read_entry(&file, entry)).collect();
    let coverage = coverage::coverage(document);
    let unreadable = coverage.unreadable.iter().map(|(entry, error)| unreadable(document, *entry, error));
    diagnostics.extend(unreadable);
    diagnostics.extend(found.into_iter().flatten());
    // What opening said is often said again by decoding.
    let (mut said, hasher) = (HashSet::new(), RandomState::new());
    diagnostics.retain(|row| said.insert(hasher.hash_one(row)));
    let label = |entry: EntryId| entry_label(document, Some(entry));
    diagnostics.extend(coverage.doubled.iter().map(|overlap| {
        let (code, of) = match overlap.entry == overlap.other {
            true => (&codes::READ_TWICE, "lie in two fields".to_owned()),
            false => {
                let other = label(overlap.other).unwrap_or_else(|| "the file’s own tables".to_owned());
                (&codes::SHARED_BYTES, format!("are those of another entry too: {other}"))
            }
        };
        DiagnosticRow {
            code: code.id,
            severity: code.severity,
            entry: label(overlap.entry),
            offset: Some(overlap.offset),
            message: format!("{} bytes {of}", overlap.size),
        }
    }));
    let opaque = coverage.opaque.iter();
    let unread = coverage.unread.iter();
    Ok(FileReport {
        file: text_of(path).into_owned(),
        format: Some(document.format().id),
        entries: listed(document).count(),
        opaque: opaque
            .map(|s| OpaqueRow { entry: label(s.entry), name: s.name, offset: s.offset, size: s.size })
            .collect(),
        unread: unread.map(|s| UnreadRow { entry: label(s.entry), offset: s.offset, size: s.size }).collect(),
        diagnostics,
    })
}

/// Reads an entry to its end and decodes what it shows as.
fn read_entry(file: &OpenFile, entry: &Entry) -> Vec<DiagnosticRow> {
    let document = &*file.document;
    let mut found: Vec<DiagnosticRow> = Vec::new();
    let mut diagnostics = Diagnostics::new(file.limits().diagnostics_per_code);
    document.check(entry.id, &mut diagnostics);
    found.extend(diagnostics.finish().iter().map(|d| row_of(document, d)));
    // What a model is made of is read with the model.
    let is_part = document.outline().is_part(entry);
    if !is_part && !matches!(entry.content, Content::None | Content::Bytes | Content::Actor) {
        match file.load(entry.id, LoadOptions::default(), &AtomicBool::new(false)) {
            Ok(loaded) => found.extend(loaded.diagnostics.iter().map(|d| row_of(document, d))),
            Err(error) => found.push(unreadable(document, entry.id, &error)),
        }
    }
    found
}

fn unreadable(document: &dyn Document, entry: EntryId, error: &ReadError) -> DiagnosticRow {
    DiagnosticRow {
        code: codes::CANNOT_READ.id,
        severity: codes::CANNOT_READ.severity,
        entry: entry_label(document, Some(entry)),
        offset: Some(error.offset),
        message: error.message.clone(),
    }
}

fn row_of(document: &dyn Document, diagnostic: &Diagnostic) -> DiagnosticRow {
    DiagnosticRow {
        code: diagnostic.code,
        severity: diagnostic.severity,
        entry: entry_label(document, diagnostic.entry),
        offset: diagnostic.offset,
        message: diagnostic.message.clone(),
    }
}

impl FileReport {
    fn failed(path: &Path, code: &Code, message: String) -> Self {
        let diagnostic = DiagnosticRow { code: code.id, severity: code.severity, entry: None, offset: None, message };
        Self {
            file: text_of(path).into_owned(),
            format: None,
            entries: 0,
            opaque: Vec::new(),
            unread: Vec::new(),
            diagnostics: vec![diagnostic],
        }
    }

    fn worst(&self) -> Option<Severity> {
        self.diagnostics.iter().map(|d| d.severity).max()
    }

    fn print(&self, out: &mut impl std::io::Write) -> std::io::Result<()> {
        let verdict = match self.worst() {
            Some(Severity::Error) => "ERROR",
            Some(Severity::Warning) => "warning",
            _ => "ok",
        };
        let format = self.format.unwrap_or("-");
        writeln!(out, "{verdict:<8} {} ({format}, {} entries)", plain(&self.file), self.entries)?;
        let of = |entry: &Option<String>| entry.as_ref().map(|e| format!("{}: ", plain(e))).unwrap_or_default();
        for d in &self.diagnostics {
            let severity = format!("{:?}", d.severity).to_lowercase();
            let offset = d.offset.map(|o| format!("at offset {o}: ")).unwrap_or_default();
            writeln!(out, "         {severity}: {}{offset}{} [{}]", of(&d.entry), plain(&d.message), d.code)?;
        }
        for s in &self.opaque {
            writeln!(out, "         opaque: {}{} bytes of {} at offset {}", of(&s.entry), s.size, s.name, s.offset)?;
        }
        for s in &self.unread {
            writeln!(out, "         unread: {}{} bytes at offset {}", of(&s.entry), s.size, s.offset)?;
        }
        Ok(())
    }
}

impl Report {
    fn print(&self) -> Result<(), Failure> {
        let mut out = stdout();
        for file in &self.files {
            file.print(&mut out)?;
        }
        let count = |severity| self.files.iter().filter(|f| f.worst() == Some(severity)).count();
        let unread: u64 = self.files.iter().flat_map(|f| &f.unread).map(|s| s.size).sum();
        writeln!(
            out,
            "{} files: {} with errors, {} with warnings, {unread} bytes unread",
            self.files.len(),
            count(Severity::Error),
            count(Severity::Warning)
        )?;
        Ok(out.flush()?)
    }
}
