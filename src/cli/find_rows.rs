//! The output of `find`: entries and lines of text of a collection.

use super::{
    Failure, index,
    output::{counted, plain, print_json, say, stdout},
};
use crate::{
    bytes::Cancel,
    formats::{Content, EntryId, Role},
    library::{
        collection::{About, Catalog, FileIndex, Query, Row, RowIndex, Store, TextHit, absolute, search, text_hits},
        outermost, text_of,
    },
};
use serde::Serialize;
use std::{
    collections::HashSet,
    io::Write as _,
    path::{Path, PathBuf},
};

/// An entry as `--json` has it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowShape<'a> {
    pub file: String,
    /// Within the file; left out for the file itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<&'a str>,
    pub id: u32,
    pub class: &'a str,
    pub role: Role,
    pub content: Content,
    pub size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bones: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangles: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_hz: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u32>,
}

#[derive(Serialize)]
struct FoundShape<'a> {
    query: String,
    total: usize,
    found: Vec<RowShape<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    problems: &'a [String],
}

#[derive(Serialize)]
struct LinesShape<'a> {
    query: String,
    found: Vec<LineShape<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    problems: &'a [String],
}

#[derive(Serialize)]
struct LineShape<'a> {
    file: String,
    entry: &'a str,
    id: u32,
    /// From 1.
    line: usize,
    text: &'a str,
}

impl Opened {
    /// Where a file lies, as it is printed.
    pub fn file_text(&self, file: FileIndex) -> String {
        self.catalog.file(file).map(|file| text_of(self.shown(&file.path)).into_owned()).unwrap_or_default()
    }

    /// Where an entry lies, as it is printed and as `--uses` and the others take it.
    pub fn row_text(&self, row: &Row<'_>) -> String {
        let file = self.file_text(row.file);
        if row.entry == EntryId::FILE { file } else { format!("{file}::{}", row.path) }
    }

    pub fn shape<'a>(&self, row: &Row<'a>) -> RowShape<'a> {
        let mut shape = RowShape {
            file: self.file_text(row.file),
            entry: (row.entry != EntryId::FILE).then_some(row.path),
            id: row.entry.0,
            class: row.class,
            role: row.role,
            content: row.content,
            size: row.size,
            bones: None,
            vertices: None,
            triangles: None,
            frames: None,
            rate_hz: None,
            width: None,
            height: None,
            seconds: None,
            lines: None,
        };
        match row.about {
            About::Nothing => {}
            About::Model { joint_count, vertices, triangles, .. } => {
                (shape.bones, shape.vertices, shape.triangles) = (Some(joint_count), Some(vertices), Some(triangles));
            }
            About::Clip { joint_count, frames, rate_hz, .. } => {
                (shape.bones, shape.frames, shape.rate_hz) = (Some(joint_count), Some(frames), Some(rate_hz));
            }
            About::Picture { width, height } => (shape.width, shape.height) = (Some(width), Some(height)),
            About::Sound { duration_secs } => shape.seconds = Some(duration_secs),
            About::Text { lines } => shape.lines = Some(lines),
        }
        shape
    }
}

/// What is known of an entry, in words.
fn known(row: &Row<'_>) -> String {
    match row.about {
        About::Nothing => String::new(),
        About::Model { joint_count, triangles, .. } => {
            let triangles = counted(triangles, "triangle");
            if joint_count == 0 { triangles } else { format!("{}, {triangles}", counted(joint_count, "bone")) }
        }
        About::Clip { joint_count, frames, .. } => {
            format!("{}, {}", counted(joint_count, "bone"), counted(frames, "frame"))
        }
        About::Picture { width, height } => format!("{width}×{height}"),
        About::Sound { duration_secs } => format!("{duration_secs:.1} s"),
        About::Text { lines } => counted(lines, "line"),
    }
}

/// One line of a table: where it lies, what its format calls it, what is known of it, and why.
pub fn print_rows<'a>(opened: &Opened, rows: impl Iterator<Item = (Row<'a>, String)>) -> Result<(), Failure> {
    let mut out = stdout();
    for (row, why) in rows {
        let texts = [plain(&opened.row_text(&row)).into_owned(), plain(row.class).into_owned(), known(&row), why];
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        writeln!(out, "{}", texts.join("  "))?;
    }
    Ok(out.flush()?)
}

/// Prints the entries that a query asks for; whether there are any.
pub fn rows(opened: &Opened, query: &Query, printing: &Printing) -> Result<bool, Failure> {
    let found = search(&opened.catalog, query, printing.limit, Cancel::never());
    let rows = found.hits.iter().filter_map(|hit| opened.catalog.row(hit.row));
    if printing.json {
        let found_rows = rows.map(|row| opened.shape(&row)).collect();
        let query_text = printing.query.clone();
        print_json(&FoundShape {
            query: query_text,
            total: found.total,
            found: found_rows,
            problems: query.problems(),
        })?;
    } else {
        print_rows(opened, rows.map(|row| (row, String::new())))?;
        left_out(found.total, found.hits.len());
    }
    Ok(found.total > 0)
}

/// Says how many more there are.
pub fn left_out(total: usize, printed: usize) {
    if total > printed {
        say(format_args!("note: {printed} of {total} results printed (--limit prints more)"));
    }
}

/// Prints the lines of scripts and texts that a query asks for; whether there are any.
pub fn text_lines(opened: &Opened, query: &Query, printing: &Printing) -> Result<bool, Failure> {
    let catalog = &opened.catalog;
    let rows = search(catalog, query, usize::MAX, Cancel::never());
    let asked: HashSet<RowIndex> = rows.hits.iter().map(|hit| hit.row).collect();
    let mut hits: Vec<TextHit> = Vec::new();
    let mut visit = |file, entry, text: &str| {
        if catalog.row_of(file, entry).is_some_and(|row| asked.contains(&row)) {
            text_hits(query, file, entry, text, printing.limit, &mut hits);
        }
        hits.len() < printing.limit
    };
    opened.store.each_text(catalog, &mut visit).map_err(Failure::failed)?;
    let placed = hits.iter().filter_map(|hit| Some((catalog.row(catalog.row_of(hit.file, hit.entry)?)?, hit)));
    if printing.json {
        let line = |(row, hit): (Row<'_>, &'_ TextHit)| (opened.file_text(row.file), row.path.to_owned(), hit.line + 1);
        let places: Vec<_> = placed.map(line).collect();
        let found = places.iter().zip(&hits).map(|((file, entry, line), hit)| LineShape {
            file: file.clone(),
            entry,
            id: hit.entry.0,
            line: *line,
            text: &hit.text,
        });
        print_json(&LinesShape { query: printing.query.clone(), found: found.collect(), problems: query.problems() })?;
    } else {
        let mut out = stdout();
        for (row, hit) in placed {
            writeln!(out, "{}:{}: {}", plain(&opened.row_text(&row)), hit.line + 1, plain(&hit.text))?;
        }
        out.flush()?;
    }
    Ok(!hits.is_empty())
}

/// How what is found is printed.
pub struct Printing {
    /// At most so many.
    pub limit: usize,
    /// As one JSON document.
    pub json: bool,
    /// The words that were typed.
    pub query: String,
}

/// A collection that was asked for, with an index that is up to date.
pub struct Opened {
    pub store: Store,
    pub catalog: Catalog,
    /// What the paths of its files are printed without.
    pub base: PathBuf,
}

impl Opened {
    /// A file's path as it is printed.
    pub fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.base).ok().filter(|rest| !rest.as_os_str().is_empty()).unwrap_or(path)
    }
}

/// Opens a file or folder, or a collection by its name, and updates its index.
pub fn open(collection: &Path) -> Result<Opened, Failure> {
    let store = Store::of_user()
        .ok_or_else(|| Failure::failed("no location for the index: set BONEBOX_COLLECTIONS to a file path"))?;
    let name = collection.to_string_lossy();
    // A path is what is there; else it is a name.
    let (roots, is_named) = if std::fs::symlink_metadata(collection).is_ok() || outermost(collection).is_some() {
        (vec![absolute(collection)], true)
    } else {
        let known = store.collections().map_err(Failure::failed)?;
        let named = known.iter().find(|known| known.name.to_lowercase() == name.to_lowercase());
        let names = || known.iter().map(|known| known.name.as_str()).collect::<Vec<_>>().join(", ");
        let Some(named) = named else {
            let known = if known.is_empty() {
                "no collections are saved".to_owned()
            } else {
                format!("saved collections: {}", names())
            };
            return Err(Failure::Failed(format!("{name}: no such file, folder or collection; {known}")));
        };
        (named.roots.clone(), false)
    };
    let updated = index::update(&store, &roots, if is_named { &roots } else { &[] })?;
    for (path, trouble) in &updated.troubles {
        say(format_args!("warning: {}: {}", plain(&text_of(path)), plain(trouble)));
    }
    let base = match roots.as_slice() {
        [root] => root.clone(),
        _ => PathBuf::new(),
    };
    Ok(Opened { store, catalog: updated.catalog, base })
}
