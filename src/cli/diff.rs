//! `diff`: the differences between two files, folders or containers, or in one entry (`diff --entry`).

use super::{
    Failure,
    output::{counted, plain, print_json, say, stdout},
    posing::finite,
    selection::{find_entry, open},
};
use crate::{
    bytes::Cancel,
    formats::{Entry, EntryId},
    library::{
        OpenFile, OpenOptions,
        compare::{
            AssetDifference, ClipDifference, Comparison, Counts, EntryPair, FieldRow, Fields, FilePair,
            ModelDifference, Parts, PictureDifference, Rows, Side, State, TextDifference, compare, compare_assets,
            compare_fields, compare_files, holds_files,
        },
        outermost, text_of,
    },
};
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    io::{self, Write},
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
        return diff_files(&args.left, &args.right, args.json);
    }
    if is_folder(&args.left) || is_folder(&args.right) {
        return Err(Failure::Usage("cannot compare a file with a folder or container".to_owned()));
    }
    let (left, right) = (opened(&args.left)?, opened(&args.right)?);
    if let Some(entry) = &args.entry {
        return diff_entry(&left, &right, entry, args.tolerance, args.json);
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

#[derive(Serialize)]
struct FilesReport<'a> {
    left: String,
    right: String,
    counts: Counts,
    files: Vec<FileJson<'a>>,
    problems: Vec<Problem<'a>>,
}

/// A file that differs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FileJson<'a> {
    state: State,
    left: Option<&'a str>,
    right: Option<&'a str>,
    left_size: Option<u64>,
    right_size: Option<u64>,
}

impl<'a> FileJson<'a> {
    fn of(pair: &'a FilePair) -> Self {
        let FilePair { state, left, right, left_size, right_size } = pair;
        let (left, right) = (left.as_deref(), right.as_deref());
        Self { state: *state, left, right, left_size: *left_size, right_size: *right_size }
    }
}

#[derive(Serialize)]
struct Problem<'a> {
    file: &'a str,
    message: &'a str,
}

/// A file that cannot be read is status 2, unless something else differs.
fn diff_files(left: &Path, right: &Path, json: bool) -> Result<ExitCode, Failure> {
    let found = compare_files(left, right, &|_, _| {}, Cancel::never()).map_err(Failure::failed)?;
    let counts = found.counts();
    let differing = || found.files.iter().filter(|pair| pair.state != State::Same);
    if json {
        let files = differing().map(FileJson::of).collect();
        let problems = found.troubles.iter().map(|(file, message)| Problem { file, message }).collect();
        let (left, right) = (text_of(left).into_owned(), text_of(right).into_owned());
        print_json(&FilesReport { left, right, counts, files, problems })?;
    } else if counts.differing() > 0 {
        let mut out = stdout();
        for pair in differing() {
            writeln!(out, "{}", plain(&line(pair)))?;
        }
        writeln!(out, "{}", summary(counts, "file"))?;
        out.flush()?;
    }
    for (file, why) in &found.troubles {
        say(format_args!("error: {}: {}", plain(file), plain(why)));
    }
    if counts.differing() == 0 && !found.troubles.is_empty() {
        return Ok(ExitCode::from(2));
    }
    Ok(status(counts))
}

fn line(pair: &FilePair) -> String {
    let sign = pair.state.sign();
    let path = |path: &Option<String>| path.clone().unwrap_or_default();
    let size = |size: Option<u64>| size.unwrap_or_default();
    let (left, right) = (size(pair.left_size), size(pair.right_size));
    match pair.state {
        State::Moved => format!("{sign} {} → {}", path(&pair.left), path(&pair.right)),
        State::Added => format!("{sign} {} ({right} bytes)", path(&pair.right)),
        State::Gone => format!("{sign} {} ({left} bytes)", path(&pair.left)),
        _ if left == right => format!("{sign} {} ({left} bytes)", path(&pair.left)),
        _ => format!("{sign} {} ({left} → {right} bytes)", path(&pair.left)),
    }
}

/// Maximum number of fields in a report.
const MAX_FIELDS: usize = 10_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryReport<'a> {
    state: State,
    left: Option<Place<'a>>,
    right: Option<Place<'a>>,
    differing_fields: usize,
    fields: Vec<FieldJson<'a>>,
    /// Not all fields were looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Value>,
}

fn diff_entry(
    left: &OpenFile,
    right: &OpenFile,
    wanted: &str,
    tolerance: Option<f32>,
    json: bool,
) -> Result<ExitCode, Failure> {
    let comparison = compare(left, right, tolerance, &|_, _| {}, Cancel::never());
    // It may be on one side alone.
    let found: (Option<EntryId>, Option<EntryId>) = match find_entry(left, wanted, &[]) {
        Ok(entry) => (Some(entry.id), None),
        Err(missing) if wanted.starts_with('#') => return Err(missing),
        Err(missing) => (None, Some(find_entry(right, wanted, &[]).map_err(|_| missing)?.id)),
    };
    let is_it = |of_left: Option<EntryId>, of_right: Option<EntryId>| match found {
        (Some(left), _) => of_left == Some(left),
        (None, right) => of_right == right,
    };
    let pair = comparison.entries.iter().find(|pair| is_it(pair.left, pair.right));
    let pair = pair.ok_or_else(|| Failure::of_file(&left.name, format!("no entry “{wanted}”")))?;
    let of_left = pair.left.and_then(|id| Side::of(left, id));
    let of_right = pair.right.and_then(|id| Side::of(right, id));
    let (fields, shown) = match of_left.zip(of_right).filter(|_| pair.state == State::Changed) {
        Some((left, right)) => (
            compare_fields(left, right, Rows::Differing, MAX_FIELDS, tolerance, Cancel::never()),
            compare_assets(left, right, tolerance, Cancel::never()),
        ),
        None => (Fields::default(), None),
    };
    if json {
        print_json(&EntryReport {
            state: pair.state,
            left: of_left.map(|side| Place::of(side.entry)),
            right: of_right.map(|side| Place::of(side.entry)),
            differing_fields: fields.differing,
            fields: fields.rows.iter().map(FieldJson::of).collect(),
            cut: fields.cut,
            shown: shown.as_ref().map(shown_json),
        })?;
    } else if pair.state != State::Same {
        let mut out = stdout();
        let name = |side: Option<Side<'_>>| side.map(|side| side.entry.path().into_owned()).unwrap_or_default();
        let (of_left, of_right) = (name(of_left), name(of_right));
        let path = match pair.state {
            State::Moved => format!("{of_left} → {of_right}"),
            State::Added => of_right,
            _ => of_left,
        };
        writeln!(out, "{} {}", pair.state.sign(), plain(&path))?;
        print(&mut out, &fields, shown.as_ref())?;
        out.flush()?;
    }
    Ok(ExitCode::from(u8::from(pair.state != State::Same)))
}

fn print(out: &mut impl Write, fields: &Fields, shown: Option<&AssetDifference>) -> io::Result<()> {
    for row in &fields.rows {
        writeln!(out, "  {}", plain(&field_text(row)))?;
    }
    let more = fields.differing.saturating_sub(fields.rows.len());
    if more > 0 {
        writeln!(out, "  … {}", counted(more, "more field"))?;
    }
    if fields.cut {
        writeln!(out, "  … some fields were not compared")?;
    }
    match shown {
        None => Ok(()),
        Some(AssetDifference::Text(text)) => print_entry(out, text),
        Some(AssetDifference::Picture(both)) => writeln!(out, "  {}", picture(&both.difference)),
        Some(AssetDifference::Model { difference, .. }) => print_model(out, difference),
        Some(AssetDifference::Clip(clip)) => print_clip(out, clip),
    }
}

fn print_entry(out: &mut impl Write, text: &TextDifference) -> io::Result<()> {
    for part in &text.parts {
        writeln!(
            out,
            "  {}: {} added, {} removed",
            plain(&part.title),
            counted(part.added, "line"),
            counted(part.gone, "line")
        )?;
        let mut last = (0, 0);
        for line in &part.lines {
            let place = (line.left.unwrap_or(last.0), line.right.unwrap_or(last.1));
            if place.0 > last.0 + 1 || place.1 > last.1 + 1 {
                writeln!(out, "  @ {} {}", place.0, place.1)?;
            }
            last = place;
            let sign = if line.state == State::Same { " " } else { line.state.sign() };
            writeln!(out, "  {sign} {}", plain(&line.text))?;
        }
    }
    Ok(())
}

fn picture(difference: &PictureDifference) -> String {
    let size = |(width, height): (u32, u32)| format!("{width} × {height}");
    match difference.pixels {
        None => format!("image size: {} → {}", size(difference.left), size(difference.right)),
        Some(0) => format!("identical pixels (image size {})", size(difference.left)),
        Some(count) => {
            let (size, largest) = (size(difference.left), difference.largest);
            format!("{} with differences up to {largest} of 255 (image size {size})", counted(count, "pixel"))
        }
    }
}

fn print_counts<T: PartialEq + std::fmt::Debug>(
    out: &mut impl Write,
    name: &str,
    [left, right]: &[T; 2],
) -> io::Result<()> {
    if left == right { Ok(()) } else { writeln!(out, "  {name}: {left:?} → {right:?}") }
}

fn print_parts(out: &mut impl Write, what: &str, parts: &Parts) -> io::Result<()> {
    if parts.is_same() {
        return Ok(());
    }
    writeln!(out, "  {what}: {} added, {} removed", parts.added, parts.gone)?;
    parts.differing.iter().try_for_each(|(state, name)| writeln!(out, "  {} {}", state.sign(), plain(name)))
}

fn print_model(out: &mut impl Write, model: &ModelDifference) -> io::Result<()> {
    print_counts(out, "meshes", &model.meshes)?;
    print_counts(out, "points", &model.points)?;
    print_counts(out, "triangles", &model.triangles)?;
    print_parts(out, "joints", &model.joints)?;
    print_parts(out, "materials", &model.materials)?;
    if model.moved_points > 0 {
        writeln!(out, "  moved points: {}, maximum distance {:?}", model.moved_points, model.largest_distance)?;
    }
    let others = [
        (model.weighted_points, "points with different weights"),
        (model.other_vertices, "vertices with different normals, texture coordinates or colours"),
        (model.other_triangles, "triangles with different vertices"),
    ];
    others.iter().filter(|(count, _)| *count > 0).try_for_each(|(count, what)| writeln!(out, "  {what}: {count}"))
}

fn print_clip(out: &mut impl Write, clip: &ClipDifference) -> io::Result<()> {
    print_counts(out, "frames", &clip.frames)?;
    print_counts(out, "frames per second", &clip.rates)?;
    print_counts(out, "channels", &clip.channels)?;
    print_parts(out, "joints", &clip.joints)?;
    match clip.other_channels {
        None | Some(0) => Ok(()),
        Some(count) => writeln!(out, "  different channels: {count}"),
    }
}

fn shown_json(shown: &AssetDifference) -> Value {
    let parts = |parts: &Parts| {
        let names = |wanted: State| -> Vec<&str> {
            parts.differing.iter().filter(|(state, _)| *state == wanted).map(|(_, name)| name.as_str()).collect()
        };
        json!({"counts": parts.counts, "added": names(State::Added), "gone": names(State::Gone)})
    };
    match shown {
        AssetDifference::Text(text) => {
            let line = |line: &crate::library::compare::Line| json!({"state": line.state, "left": line.left, "right": line.right, "text": line.text});
            let part = |part: &crate::library::compare::LineDifference| {
                let lines: Vec<Value> = part.lines.iter().map(line).collect();
                json!({"title": part.title, "added": part.added, "gone": part.gone, "lines": lines})
            };
            json!({"content": "text", "parts": text.parts.iter().map(part).collect::<Vec<_>>()})
        }
        AssetDifference::Picture(both) => {
            let difference = &both.difference;
            let size = |(width, height): (u32, u32)| [width, height];
            json!({"content": "image", "left": size(difference.left), "right": size(difference.right),
                "pixels": difference.pixels, "largest": difference.largest})
        }
        AssetDifference::Model { difference: model, .. } => {
            json!({"content": "model", "meshes": model.meshes, "points": model.points,
            "triangles": model.triangles, "joints": parts(&model.joints), "movedPoints": model.moved_points,
            "largestDistance": model.largest_distance, "weightedPoints": model.weighted_points,
            "otherVertices": model.other_vertices, "otherTriangles": model.other_triangles,
            "materials": parts(&model.materials)})
        }
        AssetDifference::Clip(clip) => {
            json!({"content": "clip", "frames": clip.frames, "rates": clip.rates, "joints": parts(&clip.joints),
                "channels": clip.channels, "otherChannels": clip.other_channels})
        }
    }
}

#[derive(Serialize)]
struct Place<'a> {
    id: u32,
    path: String,
    class: &'a str,
    size: u64,
}

#[derive(Serialize)]
struct FieldJson<'a> {
    path: &'a str,
    state: State,
    left: Option<&'a str>,
    right: Option<&'a str>,
}

impl<'a> Place<'a> {
    pub fn of(entry: &'a Entry) -> Self {
        Self { id: entry.id.0, path: entry.path().into_owned(), class: &entry.class, size: entry.size }
    }
}

impl<'a> FieldJson<'a> {
    pub fn of(row: &'a FieldRow) -> Self {
        Self { path: &row.path, state: row.state, left: row.left.as_deref(), right: row.right.as_deref() }
    }
}

/// As diff(1): 0 where nothing differs, 1 where something does.
fn status(counts: Counts) -> ExitCode {
    ExitCode::from(u8::from(counts.differing() > 0))
}

/// `DrawScale 1.0 → 2.0`; what is on one side alone has its sign before it.
fn field_text(row: &FieldRow) -> String {
    let value = |value: &Option<String>| value.clone().filter(|text| !text.is_empty());
    match (row.state, value(&row.left), value(&row.right)) {
        (State::Gone, Some(left), _) => format!("- {} {left}", row.path),
        (State::Added, _, Some(right)) => format!("+ {} {right}", row.path),
        (State::Gone, None, _) => format!("- {}", row.path),
        (State::Added, _, None) => format!("+ {}", row.path),
        // Long values may be cut before they differ.
        (_, Some(left), Some(right)) if left == right => format!("{} differs", row.path),
        (_, left, right) => {
            let nothing = || "(empty)".to_owned();
            format!("{} {} → {}", row.path, left.unwrap_or_else(nothing), right.unwrap_or_else(nothing))
        }
    }
}

/// One line of all: `2 changed, 1 added; 14 entries identical`.
fn summary(counts: Counts, noun: &str) -> String {
    let same = counted(counts.same, noun);
    let named = [
        (counts.changed, State::Changed),
        (counts.added, State::Added),
        (counts.gone, State::Gone),
        (counts.moved, State::Moved),
    ];
    let parts: Vec<String> = named
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, state)| format!("{count} {}", state.word()))
        .collect();
    match parts.is_empty() {
        true => format!("all contents are identical ({same}), but other bytes differ"),
        false => format!("{}; {same} identical", parts.join(", ")),
    }
}
