//! What a file of the collection takes from others, and what takes something from it.

use crate::{
    library::collection::{Catalog, FileIndex, Graph, Links, NeededEntry, Row, RowIndex, Target, User},
    ui::command::InCollection,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Things that one file takes, or users, that are listed.
const MAX_LINES: usize = 2_000;

/// The links of a file, or of an entry of it, as they are asked for and shown.
#[derive(Default)]
pub struct CollectionLinks {
    /// The file or entry with the shown links; `None` while search results are listed.
    pub of: Option<InCollection>,
    /// The work that looks for them.
    pub work: Option<u64>,
    /// Number of the request. Results of earlier ones are dropped.
    pub(crate) turn: u64,
    pub shown: Option<Arc<ShownLinks>>,
}

/// Links that were found.
pub struct ShownLinks {
    pub catalog: Arc<Catalog>,
    pub file: FileIndex,
    pub graph: Graph,
    /// The files that it takes something from.
    pub needs: Vec<NeedLine>,
    pub users: Vec<LinkLine>,
    /// Files of equal content, without itself.
    pub copies: Vec<LinkLine>,
    /// There are more lines.
    pub is_cut: bool,
}

/// A file that another one takes something from, and what.
pub struct NeedLine {
    /// The name, as the format writes it.
    pub name: String,
    /// The path of the linked file, if it was found.
    pub found: Option<PathBuf>,
    pub is_built_in: bool,
    pub entries: Vec<LinkLine>,
}

/// Something that is linked.
pub struct LinkLine {
    pub text: String,
    /// The target of a click: a file, and the path of an entry in it.
    pub goes: Option<(PathBuf, Option<String>)>,
    /// True if the target is missing.
    pub is_missing: bool,
}

impl ShownLinks {
    /// Looks for the links of a file, or of an entry of it. Blocks: call it on a worker. `None` for a file that is not in the catalog.
    pub(crate) fn of(catalog: Arc<Catalog>, of: &InCollection) -> Option<Self> {
        let file = catalog.file_at(&of.path)?;
        let links = Links::of(&catalog);
        let row = of.entry.as_ref().and_then(|entry| row_at(&catalog, file, entry));
        let users = match row {
            Some(row) => links.users_of_row(&catalog, row),
            None => links.users(&catalog, file),
        };
        let mut is_cut = users.len() > MAX_LINES;
        let mut needs = Vec::new();
        let mut left = MAX_LINES;
        for need in links.needs(&catalog, file) {
            is_cut |= need.entries.len() > left;
            let entries: Vec<LinkLine> =
                need.entries.iter().take(left).map(|entry| needed(&catalog, entry, need.target)).collect();
            left = left.saturating_sub(entries.len());
            needs.push(NeedLine {
                name: need.name.to_owned(),
                found: match need.target {
                    Target::File(found) => catalog.file(found).map(|file| file.path.clone()),
                    Target::BuiltIn | Target::Missing => None,
                },
                is_built_in: need.target == Target::BuiltIn,
                entries,
            });
        }
        // What is missing comes first, and what no file has last.
        needs.sort_by_key(|need| (need.is_built_in, need.found.is_some()));
        let users = users.iter().take(MAX_LINES).filter_map(|user| using(&catalog, *user)).collect();
        let graph = Graph::around(&catalog, &links, file);
        let copies = copies(&catalog, file, row);
        Some(Self { file, graph, needs, users, copies, is_cut, catalog })
    }
}

/// The entry at a path of a file.
pub(crate) fn row_at(catalog: &Catalog, file: FileIndex, path: &str) -> Option<RowIndex> {
    let rows = catalog.file(file)?.rows.clone();
    rows.map(RowIndex).find(|row| catalog.row(*row).is_some_and(|row| row.path == path))
}

fn needed(catalog: &Catalog, entry: &NeededEntry<'_>, target: Target) -> LinkLine {
    let name = match entry.import.path.is_empty() {
        true => "whole file",
        false => &entry.import.path,
    };
    let mut text = name.to_owned();
    if !entry.import.class.is_empty() {
        text.push_str(&format!(" ({})", entry.import.class));
    }
    // What has its name and is something else is not what is meant.
    let is_meant =
        |row: &RowIndex| catalog.row(*row).is_some_and(|row| row.class.eq_ignore_ascii_case(&entry.import.class));
    let elsewhere = entry.elsewhere.iter().copied().find(is_meant);
    let goes = entry.row.or(elsewhere).and_then(|row| goes_to(catalog, row));
    let is_whole_file = entry.import.path.is_empty() && matches!(target, Target::File(_));
    let is_missing = entry.row.is_none() && target != Target::BuiltIn && !is_whole_file;
    if is_missing {
        match &goes {
            Some((path, _)) => text.push_str(&format!(": missing, but found in {}", name_of(path))),
            None => text.push_str(": not in the collection"),
        }
    }
    LinkLine { text, goes, is_missing }
}

fn using(catalog: &Catalog, user: User) -> Option<LinkLine> {
    let file = catalog.file(user.file)?;
    let import = catalog.imports(user.file).get(user.import)?;
    let what = if import.path.is_empty() { String::new() } else { format!(" uses {}", import.path) };
    Some(LinkLine {
        text: format!("{}{what}", name_of(&file.path)),
        goes: Some((file.path.clone(), None)),
        is_missing: false,
    })
}

/// Returns the other places of bytes that are equal to those of a file or entry.
fn copies(catalog: &Catalog, file: FileIndex, row: Option<RowIndex>) -> Vec<LinkLine> {
    let line = |path: &Path, entry: Option<String>| {
        let text = match &entry {
            Some(entry) => format!("{} › {entry}", path.display()),
            None => path.display().to_string(),
        };
        LinkLine { text, goes: Some((path.to_owned(), entry)), is_missing: false }
    };
    if let Some((index, own)) = row.and_then(|row| Some((row, catalog.row(row)?))) {
        let is_equal = |(other, found): &(RowIndex, Row<'_>)| {
            *other != index && own.digest != 0 && found.digest == own.digest && found.size == own.size
        };
        let same = catalog.rows().filter(is_equal).take(MAX_LINES);
        return same
            .filter_map(|(_, row)| Some(line(&catalog.file(row.file)?.path, Some(row.path.to_owned()))))
            .collect();
    }
    let Some(own) = catalog.file(file) else { return Vec::new() };
    let same = catalog.files().iter().filter(|other| {
        own.digest != 0 && other.digest == own.digest && other.size == own.size && other.path != own.path
    });
    same.take(MAX_LINES).map(|other| line(&other.path, None)).collect()
}

fn goes_to(catalog: &Catalog, row: RowIndex) -> Option<(PathBuf, Option<String>)> {
    let row = catalog.row(row)?;
    let entry = (row.entry != crate::formats::EntryId::FILE).then(|| row.path.to_owned());
    Some((catalog.file(row.file)?.path.clone(), entry))
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
