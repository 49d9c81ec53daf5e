//! `diff`: what differs between two files, folders or containers.

use super::{
    Failure, diff_entry, diff_files,
    diff_text::{FieldJson, Place, field_text, status, summary},
    json_output::print_json,
    output::{counted, plain, stdout},
    posing::finite,
    selection::open,
};
use crate::{
    bytes::Cancel,
    formats::{Entry, EntryId},
    library::text_of,
    library::{
        OpenFile, OpenOptions,
        compare::{Comparison, Counts, EntryPair, State, compare, holds_files},
        outermost,
    },
};
use serde::Serialize;
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Maximum number of fields in a line.
const NAMED: usize = 1;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Left file, folder or container, treated as the older one
    #[arg(value_name = "A")]
    pub left: PathBuf,
    /// Right file, folder or container
    #[arg(value_name = "B")]
    pub right: PathBuf,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
    /// Show all differences in one entry (path or #N id in the left file, as printed by `list`): fields, lines of text, images, models,
    /// clips
    #[arg(long, value_name = "ENTRY", conflicts_with = "brief")]
    pub entry: Option<String>,
    /// Show which entries differ, without details
    #[arg(long)]
    pub brief: bool,
    /// Treat floats that differ by at most X as equal, and also the quaternions q and −q. Whole numbers are compared exactly. Default:
    /// floats must be identical
    #[arg(long, value_name = "X", value_parser = tolerance, allow_negative_numbers = true)]
    pub tolerance: Option<f32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    left: String,
    right: String,
    equal_bytes: bool,
    counts: Counts,
    entries: Vec<EntryJson<'a>>,
}

/// An entry that differs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryJson<'a> {
    state: State,
    left: Option<Place<'a>>,
    right: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differing_fields: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldJson<'a>>,
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    for path in [&args.left, &args.right] {
        if !path.exists() && outermost(path).is_none() {
            return Err(Failure::of_file(&text_of(path), "no such file or folder"));
        }
    }
    let (left, right) = (holds_files(&args.left), holds_files(&args.right));
    let is_folder = |path: &Path| path.is_dir();
    if left && right {
        if args.entry.is_some() {
            return Err(Failure::Usage(
                "--entry works only with files: specify two files instead of folders or containers".to_owned(),
            ));
        }
        if args.tolerance.is_some() {
            return Err(Failure::Usage(
                "--tolerance works only with files: folders are compared byte by byte".to_owned(),
            ));
        }
        return diff_files::run(&args.left, &args.right, args.json);
    }
    if is_folder(&args.left) || is_folder(&args.right) {
        return Err(Failure::Usage("cannot compare a file with a folder or container".to_owned()));
    }
    let (left, right) = (opened(&args.left)?, opened(&args.right)?);
    if let Some(entry) = &args.entry {
        return diff_entry::run(&left, &right, entry, args.tolerance, args.json);
    }
    let comparison = compare(&left, &right, args.tolerance, &|_, _| {}, Cancel::never());
    let counts = comparison.counts();
    if args.json {
        print_json(&report(&left, &right, &comparison, args.brief))?;
    } else {
        print_text(&left, &right, &comparison, args.brief)?;
    }
    Ok(status(counts))
}

fn tolerance(text: &str) -> Result<f32, String> {
    finite(text).ok().filter(|most| *most >= 0.0).ok_or_else(|| "expected a number of at least 0".to_owned())
}

fn opened(path: &Path) -> Result<OpenFile, Failure> {
    Ok(open(path)?.without_packing(&OpenOptions::new()))
}

fn report<'a>(left: &'a OpenFile, right: &'a OpenFile, comparison: &'a Comparison, brief: bool) -> Report<'a> {
    let place = |file: &'a OpenFile, id: Option<EntryId>| file.entry(id?).map(Place::of);
    let entry = |pair: &'a EntryPair| EntryJson {
        state: pair.state,
        left: place(left, pair.left),
        right: place(right, pair.right),
        differing_fields: (pair.state == State::Changed).then_some(pair.differing),
        fields: if brief { Vec::new() } else { pair.fields.iter().map(FieldJson::of).collect() },
    };
    Report {
        left: text_of(&left.path).into_owned(),
        right: text_of(&right.path).into_owned(),
        equal_bytes: comparison.equal_bytes,
        counts: comparison.counts(),
        entries: comparison.entries.iter().filter(|pair| pair.state != State::Same).map(entry).collect(),
    }
}

fn print_text(left: &OpenFile, right: &OpenFile, comparison: &Comparison, brief: bool) -> Result<(), Failure> {
    // Nothing is said of files that are the same to the last byte.
    if comparison.equal_bytes {
        return Ok(());
    }
    let mut out = stdout();
    for pair in comparison.entries.iter().filter(|pair| pair.state != State::Same) {
        let of_left = pair.left.and_then(|id| left.entry(id));
        let of_right = pair.right.and_then(|id| right.entry(id));
        let Some(entry) = of_left.or(of_right) else { continue };
        let (sign, path) = (pair.state.sign(), name(entry));
        match (pair.state, of_right) {
            (State::Moved, Some(to)) => writeln!(out, "{sign} {} → {}", plain(&path), plain(&name(to)))?,
            (State::Changed, _) if brief => writeln!(out, "{sign} {}", plain(&path))?,
            (State::Changed, _) => writeln!(out, "{sign} {}: {}", plain(&path), plain(&how(pair)))?,
            _ => {
                let (class, size) = (plain(&entry.class).into_owned(), entry.size);
                writeln!(out, "{sign} {} ({class}, {size} bytes)", plain(&path))?;
            }
        }
    }
    writeln!(out, "{}", summary(comparison.counts(), "entry"))?;
    Ok(out.flush()?)
}

fn name(entry: &Entry) -> String {
    if entry.id == EntryId::FILE { "the file itself".to_owned() } else { entry.path().into_owned() }
}

/// Returns the changes of an entry as text: `DrawScale 1.0 → 2.0; 2 more fields`.
fn how(pair: &EntryPair) -> String {
    let named: Vec<String> = pair.fields.iter().take(NAMED).map(field_text).collect();
    let more = pair.differing.saturating_sub(named.len());
    let cut = if pair.cut { "; some fields were not compared" } else { "" };
    match (named.is_empty(), more) {
        (true, 0) => format!("contents{cut}"),
        (true, more) => format!("{}{cut}", fields(more)),
        (false, 0) => format!("{}{cut}", named.join("; ")),
        (false, more) => {
            format!("{}; {}{cut}", named.join("; "), counted(more, "more field"))
        }
    }
}

fn fields(count: usize) -> String {
    counted(count, "field")
}
