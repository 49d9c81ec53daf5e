//! `find`: searches a collection, and prints references, duplicates and fitting clips.

use super::{
    Failure,
    find_rows::{self, Opened, Printing, RowShape, left_out, open, print_rows},
    output::{counted, plain, print_json, say, stdout},
};
use crate::{
    bytes::Cancel,
    formats::{Content, EntryId},
    library::{
        collection::{
            CatalogFit, ClipFits, Duplicates, Evidence, FileIndex, Links, Need, NeededEntry, Query, RowIndex, Target,
            User, who_has,
        },
        text_of,
    },
};
use serde::Serialize;
use std::{collections::HashSet, io::Write as _, path::PathBuf, process::ExitCode};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Name of a saved collection, or a folder, a file or a container. The index is updated first
    pub collection: PathBuf,
    /// Search terms: words, "a phrase", class:X, type:X, in:X, refs:X, text:X, 'bones>30'. Exclude matches with -word, after -- or in one
    /// argument with other words: 'hand -left'
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// Maximum number of results
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub asked: Asked,
}

/// Options that replace the search terms.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub struct Asked {
    /// List the files that use this file, this entry, or anything with this name
    #[arg(long, value_name = "FILE[::ENTRY]|NAME", conflicts_with = "words")]
    pub uses: Option<String>,
    /// List the dependencies of a file and their locations
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    pub needs: Option<String>,
    /// List duplicate files and entries
    #[arg(long, conflicts_with = "words")]
    pub duplicates: bool,
    /// List the clips that fit a model, with the reason
    #[arg(long, value_name = "FILE[::ENTRY]", conflicts_with = "words")]
    pub clips_for: Option<String>,
    /// List the models that a clip fits, with the reason
    #[arg(long, value_name = "FILE[::ENTRY]", conflicts_with = "words")]
    pub models_for: Option<String>,
}

impl Asked {
    fn is_empty(&self) -> bool {
        let Self { uses, needs, duplicates, clips_for, models_for } = self;
        uses.is_none() && needs.is_none() && !duplicates && clips_for.is_none() && models_for.is_none()
    }
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.words.is_empty() && args.asked.is_empty() {
        return Err(Failure::Usage(
            "specify search terms, --uses, --needs, --duplicates, --clips-for or --models-for".to_owned(),
        ));
    }
    let query = Query::of(&args.words.join(" "));
    query.problems().iter().for_each(|problem| say(format_args!("warning: {}", plain(problem))));
    if args.asked.is_empty() && query.is_empty() {
        return Err(Failure::Usage("the search terms are empty".to_owned()));
    }
    let opened = open(&args.collection)?;
    let printing = Printing { limit: args.limit, json: args.json, query: args.words.join(" ") };
    let Asked { uses, needs, duplicates, clips_for, models_for } = &args.asked;
    let found = match (uses, needs, clips_for, models_for) {
        (Some(thing), ..) => users(&opened, thing, &printing)?,
        (_, Some(file), ..) => print_needs(&opened, file, &printing)?,
        (_, _, Some(model), _) => fits(&opened, model, true, &printing)?,
        (_, _, _, Some(clip)) => fits(&opened, clip, false, &printing)?,
        _ if *duplicates => print_duplicates(&opened, &printing)?,
        _ if query.text().is_some() => find_rows::text_lines(&opened, &query, &printing)?,
        _ => find_rows::rows(&opened, &query, &printing)?,
    };
    Ok(if found { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Candidates that an error lists.
const MAX_CANDIDATES: usize = 40;

/// What was named on the command line.
enum Thing {
    File(FileIndex),
    Rows(Vec<RowIndex>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserShape<'a> {
    /// What takes it.
    file: String,
    /// What it takes, as it names it.
    of: &'a str,
    path: &'a str,
    class: &'a str,
}

#[derive(Serialize)]
struct NeedShape<'a> {
    name: &'a str,
    /// `found`, `builtIn` or `missing`.
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    entries: Vec<NeededShape<'a>>,
}

#[derive(Serialize)]
struct NeededShape<'a> {
    path: &'a str,
    class: &'a str,
    found: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<String>,
}

#[derive(Serialize)]
struct SameShape {
    size: u64,
    waste: u64,
    members: Vec<String>,
}

#[derive(Serialize)]
struct DuplicatesShape {
    files: Vec<SameShape>,
    entries: Vec<SameShape>,
}

#[derive(Serialize)]
struct FitShape<'a> {
    #[serde(flatten)]
    row: RowShape<'a>,
    evidence: Evidence,
    reason: &'a str,
}

/// Finds files by the last parts of their paths, without regard to case.
fn files_named(opened: &Opened, typed: &str) -> Vec<FileIndex> {
    let wanted = typed.replace('\\', "/").to_lowercase();
    let ends_so = |path: &std::path::Path| {
        let path = text_of(path).replace('\\', "/").to_lowercase();
        path.strip_suffix(&*wanted)
            .is_some_and(|before| before.is_empty() || before.ends_with('/') || wanted.starts_with('/'))
    };
    let files = (0..).map(FileIndex).zip(opened.catalog.files());
    files.filter(|(_, file)| !wanted.is_empty() && ends_so(&file.path)).map(|(index, _)| index).collect()
}

/// Finds entries of a file by number (`#12`), path or name. Names are used only if no path matches.
fn entries_named(opened: &Opened, file: FileIndex, typed: &str) -> Vec<RowIndex> {
    let catalog = &opened.catalog;
    let id = typed.strip_prefix('#').and_then(|id| id.parse::<u32>().ok());
    if let Some(id) = id {
        return catalog.row_of(file, EntryId(id)).into_iter().collect();
    }
    let rows = || catalog.file(file).map(|file| file.rows.clone()).unwrap_or_default().map(RowIndex);
    let with = |is_it: &dyn Fn(&crate::library::collection::Row<'_>) -> bool| -> Vec<RowIndex> {
        rows().filter(|row| catalog.row(*row).is_some_and(|row| row.entry != EntryId::FILE && is_it(&row))).collect()
    };
    let by_path = with(&|row| row.path.to_lowercase() == typed.to_lowercase());
    if by_path.is_empty() { with(&|row| row.name.to_lowercase() == typed.to_lowercase()) } else { by_path }
}

fn one_file(opened: &Opened, typed: &str) -> Result<FileIndex, Failure> {
    match files_named(opened, typed).as_slice() {
        [one] => Ok(*one),
        [] => Err(Failure::Failed(format!("{typed}: no such file in the collection"))),
        several => {
            let names: Vec<String> = several.iter().take(MAX_CANDIDATES).map(|file| opened.file_text(*file)).collect();
            Err(Failure::Failed(format!("several files match “{typed}”:\n  {}", names.join("\n  "))))
        }
    }
}

/// A file, an entry of one (`FILE::ENTRY`), or whatever has a name.
fn thing(opened: &Opened, typed: &str) -> Result<Thing, Failure> {
    if let Some((file, entry)) = typed.split_once("::") {
        let rows = entries_named(opened, one_file(opened, file)?, entry);
        return match rows.is_empty() {
            true => Err(Failure::Failed(format!("{file}: no entry “{entry}”"))),
            false => Ok(Thing::Rows(rows)),
        };
    }
    match files_named(opened, typed).as_slice() {
        [] => {
            let name = typed.rsplit_once('.').map_or(typed, |(_, name)| name);
            let all = |name| who_has(&opened.catalog, name, usize::MAX);
            let rows = Some(all(typed)).filter(|rows| !rows.is_empty()).unwrap_or_else(|| all(name));
            let is_it = |row: &RowIndex| {
                opened.catalog.row(*row).is_some_and(|row| name == typed || row.path.eq_ignore_ascii_case(typed))
            };
            let rows: Vec<RowIndex> = rows.into_iter().filter(is_it).collect();
            match rows.is_empty() {
                true => Err(Failure::Failed(format!("nothing in the collection is named “{typed}”"))),
                false => Ok(Thing::Rows(rows)),
            }
        }
        _ => one_file(opened, typed).map(Thing::File),
    }
}

/// Prints who uses something; whether anybody does.
fn users(opened: &Opened, typed: &str, printing: &Printing) -> Result<bool, Failure> {
    let catalog = &opened.catalog;
    let links = Links::of(catalog);
    let mut users: Vec<User> = match thing(opened, typed)? {
        Thing::File(file) => links.users(catalog, file),
        Thing::Rows(rows) => rows.iter().flat_map(|row| links.users_of_row(catalog, *row)).collect(),
    };
    let mut seen = HashSet::new();
    users.retain(|user| seen.insert((user.file, user.import)));
    let shapes: Vec<UserShape<'_>> = users
        .iter()
        .take(printing.limit)
        .filter_map(|user| {
            let import = catalog.imports(user.file).get(user.import)?;
            let (of, path, class) = (&*import.file, &*import.path, &*import.class);
            Some(UserShape { file: opened.file_text(user.file), of, path, class })
        })
        .collect();
    if printing.json {
        print_json(&shapes)?;
    } else {
        let mut out = stdout();
        for shape in &shapes {
            let taken =
                [shape.of, shape.path].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
            writeln!(out, "{}  {}  {}", plain(&shape.file), plain(&taken), plain(shape.class))?;
        }
        out.flush()?;
        left_out(users.len(), shapes.len());
    }
    Ok(!users.is_empty())
}

/// Prints what a file takes from others.
fn print_needs(opened: &Opened, typed: &str, printing: &Printing) -> Result<bool, Failure> {
    let file = one_file(opened, typed)?;
    let links = Links::of(&opened.catalog);
    let needs = links.needs(&opened.catalog, file);
    let place = |row: &RowIndex| opened.catalog.row(*row).map(|row| opened.row_text(&row)).unwrap_or_default();
    let entry = |entry: &NeededEntry<'_>| (entry.row.is_some(), entry.elsewhere.iter().map(place).collect::<Vec<_>>());
    if printing.json {
        let shape = |need: &Need<'_>| -> (&'static str, Option<String>) {
            match need.target {
                Target::File(file) => ("found", Some(opened.file_text(file))),
                Target::BuiltIn => ("builtIn", None),
                Target::Missing => ("missing", None),
            }
        };
        let shapes = needs.iter().map(|need| {
            let (state, file) = shape(need);
            let entries = need.entries.iter().map(|needed| {
                let (found, elsewhere) = entry(needed);
                NeededShape { path: &needed.import.path, class: &needed.import.class, found, elsewhere }
            });
            NeedShape { name: need.name, state, file, entries: entries.collect() }
        });
        print_json(&shapes.collect::<Vec<_>>())?;
        return Ok(!needs.is_empty());
    }
    let mut out = stdout();
    for need in &needs {
        let target = match need.target {
            Target::File(file) => opened.file_text(file),
            Target::BuiltIn => "built into the game".to_owned(),
            Target::Missing => "missing".to_owned(),
        };
        let entries = counted(need.entries.len(), "entry");
        writeln!(out, "{}: {}, {entries}", plain(need.name), plain(&target))?;
        let is_missing = |needed: &&NeededEntry<'_>| needed.row.is_none() && !needed.import.path.is_empty();
        let missing = need.entries.iter().filter(|_| need.target != Target::BuiltIn).filter(is_missing);
        for needed in missing.take(printing.limit) {
            let (_, elsewhere) = entry(needed);
            let elsewhere = match elsewhere.is_empty() {
                true => "not in the collection".to_owned(),
                false => format!("found in {}", elsewhere.join(", ")),
            };
            let path = plain(&needed.import.path);
            writeln!(out, "    missing: {path} {}: {}", plain(&needed.import.class), plain(&elsewhere))?;
        }
    }
    out.flush()?;
    Ok(!needs.is_empty())
}

/// Prints files and entries that the collection contains several times. Returns whether there are any.
fn print_duplicates(opened: &Opened, printing: &Printing) -> Result<bool, Failure> {
    let duplicates = Duplicates::of(&opened.catalog);
    let files = duplicates.files.iter().take(printing.limit).map(|group| SameShape {
        size: group.size,
        waste: group.waste(),
        members: group.members.iter().map(|file| opened.file_text(*file)).collect(),
    });
    let place = |row: &RowIndex| opened.catalog.row(*row).map(|row| opened.row_text(&row)).unwrap_or_default();
    let entries = duplicates.entries.iter().take(printing.limit).map(|group| SameShape {
        size: group.size,
        waste: group.waste(),
        members: group.members.iter().map(place).collect(),
    });
    let shape = DuplicatesShape { files: files.collect(), entries: entries.collect() };
    if printing.json {
        print_json(&shape)?;
    } else {
        let mut out = stdout();
        for (what, groups) in [("file", &shape.files), ("entry", &shape.entries)] {
            for group in groups {
                writeln!(
                    out,
                    "{} bytes wasted: {} copies of the same {what}, {} bytes each",
                    group.waste,
                    group.members.len(),
                    group.size
                )?;
                for member in &group.members {
                    writeln!(out, "    {}", plain(member))?;
                }
            }
        }
        out.flush()?;
        left_out(duplicates.files.len(), shape.files.len());
        left_out(duplicates.entries.len(), shape.entries.len());
    }
    Ok(!duplicates.files.is_empty() || !duplicates.entries.is_empty())
}

/// Prints which clips fit a model, or which models a clip; whether any does.
fn fits(opened: &Opened, typed: &str, is_model: bool, printing: &Printing) -> Result<bool, Failure> {
    let catalog = &opened.catalog;
    let content = if is_model { Content::Model } else { Content::Clip };
    let what = if is_model { "model" } else { "clip" };
    let (file, entry) = typed.split_once("::").map_or((typed, None), |(file, entry)| (file, Some(entry)));
    let index = one_file(opened, file)?;
    let rows = match entry {
        Some(entry) => entries_named(opened, index, entry),
        None => catalog.file(index).map(|file| file.rows.clone()).unwrap_or_default().map(RowIndex).collect(),
    };
    let rows: Vec<RowIndex> =
        rows.into_iter().filter(|row| catalog.row(*row).is_some_and(|row| row.content == content)).collect();
    let row = match rows.as_slice() {
        [one] => *one,
        [] => return Err(Failure::of_file(file, format!("contains no matching {what}"))),
        several => {
            let names = several.iter().take(MAX_CANDIDATES).filter_map(|row| Some(catalog.row(*row)?.path));
            let names = names.collect::<Vec<_>>().join("\n  ");
            return Err(Failure::of_file(file, format!("contains several {what}s; specify one:\n  {names}")));
        }
    };
    let fits = ClipFits::of(catalog);
    let cancel = Cancel::new();
    let found: Vec<CatalogFit> = match is_model {
        true => fits.clips_for(catalog, row, printing.limit, &cancel),
        false => fits.models_for(catalog, row, printing.limit, &cancel),
    };
    let rows = found.iter().filter_map(|fit| Some((catalog.row(fit.row)?, fit)));
    if printing.json {
        let shape = |(row, fit): (_, &'_ CatalogFit)| (opened.shape(&row), fit.evidence);
        let shapes = rows.map(shape).zip(&found);
        let shapes: Vec<FitShape<'_>> =
            shapes.map(|((row, evidence), fit)| FitShape { row, evidence, reason: &fit.reason }).collect();
        print_json(&shapes)?;
    } else {
        print_rows(opened, rows.map(|(row, fit)| (row, fit.reason.clone())))?;
    }
    Ok(!found.is_empty())
}
