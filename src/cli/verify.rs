//! `verify`: reads all entries and reports findings, opaque ranges and unread ranges.

use super::{
    Failure, ReadingArgs,
    folded_findings::{FoldedFindings, Stage},
    output::{Progress, counted, entry_label, plain, print_json, stdout},
    selection::listed,
};
use crate::{
    bytes::Cancel,
    formats::{
        Code, Content, Diagnostic, Diagnostics, Document, Entry, EntryId, LoadOptions, ReadError, Severity, caught,
        coverage::{CoverageReader, Found, Overlap, Span},
    },
    library::text_of,
    library::{OpenFile, OpenOptions, expand},
};
use rayon::prelude::*;
use serde::Serialize;
use std::{
    collections::HashSet,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Files and folders to verify
    #[arg(value_name = "FILE|FOLDER", required = true)]
    pub paths: Vec<PathBuf>,
    /// Print one JSON document instead of a report
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Codes of findings that need a complete reading of the file.
pub mod codes {
    use crate::formats::{Code, Severity};

    pub const CANNOT_OPEN: Code = Code {
        id: "bonebox.cannot-open",
        severity: Severity::Error,
        meaning: "The file cannot be opened as any supported format.",
    };
    pub const CANNOT_READ: Code =
        Code { id: "bonebox.cannot-read", severity: Severity::Error, meaning: "An entry cannot be read or decoded." };
    pub const READ_TWICE: Code = Code {
        id: "bonebox.read-twice",
        severity: Severity::Warning,
        meaning: "Two fields of an entry cover the same bytes. This is a bug in Bonebox.",
    };
    pub const SHARED_BYTES: Code =
        Code { id: "bonebox.shared-bytes", severity: Severity::Warning, meaning: "Two entries overlap in the file." };
    pub const FAULT: Code = Code {
        id: "bonebox.fault",
        severity: Severity::Error,
        meaning: "An internal error in Bonebox stopped reading the file.",
    };
}

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    /// `null` if the file cannot be opened.
    format: Option<&'static str>,
    entries: usize,
    opaque: Vec<RangeRow>,
    unread: Vec<RangeRow>,
    diagnostics: Vec<DiagnosticRow>,
}

#[derive(Serialize)]
struct RangeRow {
    entry: Option<String>,
    /// The name of the opaque range. Empty for an unread range.
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'static str,
    /// The offset of the range, or of the first of several.
    offset: u64,
    /// The size of the range, or the sum of several.
    size: u64,
    /// The number of ranges that the row represents; missing for a listed range.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<usize>,
}

#[derive(Serialize)]
struct DiagnosticRow {
    code: &'static str,
    severity: Severity,
    /// Path or `#N`; `null` for the file.
    entry: Option<String>,
    offset: Option<u64>,
    message: String,
    /// The number of findings that the row represents; missing for a listed finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<usize>,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.paths.iter().for_each(|path| args.reading.prepare(path));
    let mut paths = expand(&args.paths);
    paths.sort();
    if paths.is_empty() {
        let folders: Vec<String> = args.paths.iter().map(|path| text_of(path).into_owned()).collect();
        return Err(Failure::of_file(&folders.join(", "), "contains no readable files"));
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

/// Verifies a file. A panic of a reader becomes a finding, and the other files are still verified.
fn verify_guarded(path: &Path, named: bool, reading: &ReadingArgs, alone: bool) -> Result<FileReport, Failure> {
    caught(|| verify(path, named, reading, alone)).unwrap_or_else(|reason| {
        Ok(FileReport::failed(path, &codes::FAULT, format!("internal error in Bonebox: {reason}")))
    })
}

/// Opens a file and reads all of its entries.
///
/// # Errors
/// Returns an error if the requested reading does not apply to the file.
fn verify(path: &Path, named: bool, reading: &ReadingArgs, alone: bool) -> Result<FileReport, Failure> {
    let file = match OpenOptions::new().reading(&reading.overrides()).pipes(named).open(path) {
        Ok(file) => file,
        Err(error) => return Ok(FileReport::failed(path, &codes::CANNOT_OPEN, error.message)),
    };
    reading.check(&file, alone)?;
    let document = &*file.document;
    let (mut findings, mut opaque, mut unread) = (FoldedFindings::default(), Ranges::default(), Ranges::default());
    file.diagnostics.iter().for_each(|diagnostic| findings.add(Stage::Opening, diagnostic.clone()));
    let mut coverage = CoverageReader::new(document);
    for entries in document.outline().entries().chunks(READ_AT_ONCE) {
        let decoded: Vec<Vec<Diagnostic>> = entries.par_iter().map(|entry| read_entry(&file, entry)).collect();
        for (entry, decoded) in entries.iter().zip(decoded) {
            let read = coverage.read(entry.id, &mut |found| {
                if let Found::Opaque(span) = found {
                    opaque.add(document, span);
                }
            });
            if let Err(error) = read {
                findings.add(Stage::Fields, unreadable(entry.id, error));
            }
            decoded.into_iter().for_each(|diagnostic| findings.add(Stage::Decoding, diagnostic));
        }
    }
    coverage.finish(&mut |found| match found {
        Found::Opaque(span) => opaque.add(document, span),
        Found::Unread(span) => unread.add(document, span),
        Found::Doubled(overlap) => findings.add(Stage::Overlaps, doubled(document, &overlap)),
    });
    let row = |(diagnostic, more): (Diagnostic, Option<usize>)| DiagnosticRow {
        code: diagnostic.code,
        severity: diagnostic.severity,
        entry: entry_label(document, diagnostic.entry),
        offset: diagnostic.offset,
        message: diagnostic.message,
        more,
    };
    Ok(FileReport {
        file: text_of(path).into_owned(),
        format: Some(document.format().id),
        entries: listed(document).count(),
        opaque: opaque.finish(),
        unread: unread.finish(),
        diagnostics: findings.finish().map(row).collect(),
    })
}

/// Number of entries that are decoded before their findings are folded.
const READ_AT_ONCE: usize = 4096;

/// Maximum number of opaque ranges, and of unread ranges, that are listed for a file.
const MAX_RANGES: usize = 10_000;

/// Ranges of a file. The first [`MAX_RANGES`] are listed, and the others are counted by name.
#[derive(Default)]
struct Ranges {
    listed: Vec<RangeRow>,
    more: Vec<RangeRow>,
}

impl Ranges {
    fn add(&mut self, document: &dyn Document, span: Span) {
        let Span { entry, name, offset, size } = span;
        if self.listed.len() < MAX_RANGES {
            let entry = entry_label(document, Some(entry));
            self.listed.push(RangeRow { entry, name, offset, size, more: None });
        } else if let Some(row) = self.more.iter_mut().find(|row| row.name == name) {
            row.size = row.size.saturating_add(size);
            row.more = row.more.map(|more| more + 1);
        } else {
            self.more.push(RangeRow { entry: None, name, offset, size, more: Some(1) });
        }
    }

    fn finish(mut self) -> Vec<RangeRow> {
        self.listed.append(&mut self.more);
        self.listed
    }
}

/// Checks an entry and decodes its content. Returns the findings.
fn read_entry(file: &OpenFile, entry: &Entry) -> Vec<Diagnostic> {
    let document = &*file.document;
    let mut diagnostics = Diagnostics::new(file.limits().diagnostics_per_code);
    document.check(entry.id, &mut diagnostics);
    let mut found = diagnostics.finish();
    // Parts of a model are read with the model.
    let is_part = document.outline().is_part(entry);
    if !is_part && !matches!(entry.content, Content::None | Content::Bytes | Content::Actor) {
        match file.load(entry.id, LoadOptions::default(), Cancel::never()) {
            Ok(loaded) => found.extend(loaded.diagnostics),
            Err(error) => found.push(unreadable(entry.id, error)),
        }
    }
    found
}

fn unreadable(entry: EntryId, error: ReadError) -> Diagnostic {
    let Code { id: code, severity, .. } = codes::CANNOT_READ;
    Diagnostic { code, severity, entry: Some(entry), offset: Some(error.offset), message: error.message }
}

fn doubled(document: &dyn Document, overlap: &Overlap) -> Diagnostic {
    let (code, owner) = match overlap.entry == overlap.other {
        true => (&codes::READ_TWICE, "two fields overlap".to_owned()),
        false => {
            let other = entry_label(document, Some(overlap.other));
            let other = other.map_or_else(|| "the tables of the file".to_owned(), |other| format!("“{other}”"));
            (&codes::SHARED_BYTES, format!("overlaps with {other}"))
        }
    };
    Diagnostic {
        code: code.id,
        severity: code.severity,
        entry: Some(overlap.entry),
        offset: Some(overlap.offset),
        message: format!("{owner} by {}", counted(overlap.size, "byte")),
    }
}

impl FileReport {
    fn failed(path: &Path, code: &Code, message: String) -> Self {
        let diagnostic =
            DiagnosticRow { code: code.id, severity: code.severity, entry: None, offset: None, message, more: None };
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
        writeln!(out, "{verdict:<8} {} ({format}, {})", plain(&self.file), counted(self.entries, "entry"))?;
        let of = |entry: &Option<String>| entry.as_ref().map(|e| format!("{}: ", plain(e))).unwrap_or_default();
        for d in &self.diagnostics {
            let severity = format!("{:?}", d.severity).to_lowercase();
            let offset = d.offset.map(|o| format!("at offset {o}: ")).unwrap_or_default();
            writeln!(out, "         {severity}: {}{offset}{} [{}]", of(&d.entry), plain(&d.message), d.code)?;
        }
        for (what, ranges) in [("opaque", &self.opaque), ("unread", &self.unread)] {
            for RangeRow { entry, name, offset, size, more } in ranges {
                let name = if name.is_empty() { String::new() } else { format!(" of {name}") };
                let place = match more {
                    Some(more) => format!(" in {}, the first at offset {offset}", counted(*more, "more range")),
                    None => format!(" at offset {offset}"),
                };
                writeln!(out, "         {what}: {}{}{name}{place}", of(entry), counted(*size, "byte"))?;
            }
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
            "{}: {} with errors, {} with warnings, {} unread",
            counted(self.files.len(), "file"),
            count(Severity::Error),
            count(Severity::Warning),
            counted(unread, "byte")
        )?;
        Ok(out.flush()?)
    }
}
