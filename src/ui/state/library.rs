//! The open files as a tree of rows.

mod folders;
mod gathered;
mod meaning;
mod opened;
mod rows;
mod search;
mod troubles;

pub use opened::OpenedFile;
pub use rows::LibraryRow;
pub use search::{count_found, folder_name};
pub use troubles::Trouble;

use crate::{
    formats::{EntryId, Severity},
    library::OpenFile,
    ui::{
        library_row::{FolderId, LibraryOrder, RowId},
        place::{FileId, Place},
        query::Query,
        state::refused::Refused,
    },
};
use folders::Folders;
use opened::is_several;
use rows::{Arrangements, Lister, tells_of, way};
use search::found;
use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Files that limits refused and that are remembered.
const MAX_REFUSED: usize = 1000;
/// A file of so many entries, alone in the library, is unfolded when it is opened.
const MAX_UNFOLDED: usize = 200;

/// Open files, what of them is unfolded, and the filter.
#[derive(Default)]
pub struct LibraryState {
    /// In the order of their numbers.
    pub files: Vec<OpenedFile>,
    by_path: HashMap<PathBuf, FileId>,
    pub filter: String,
    /// What it asks for.
    query: Query,
    order: LibraryOrder,
    /// Folders that files were opened from.
    folders: Folders,
    expanded: HashSet<RowId>,
    /// The row that keys go on from, where that is not the selected entry's only one.
    cursor: Option<RowId>,
    arranged: Arrangements,
    rows: Vec<LibraryRow>,
    /// Entries that the filter lets through, or all.
    matches: usize,
    stale: bool,
    revision: u64,
    next_file: u32,
    /// Files that exceed a limit, by path, with the required bytes if known.
    refused: HashMap<PathBuf, Option<u64>>,
}

impl LibraryState {
    pub fn new(order: LibraryOrder) -> Self {
        Self { order, ..Self::default() }
    }

    pub fn file(&self, id: FileId) -> Option<&Arc<OpenFile>> {
        self.opened(id).map(|f| &f.file)
    }

    pub fn opened(&self, id: FileId) -> Option<&OpenedFile> {
        self.position(id).and_then(|at| self.files.get(at))
    }

    fn position(&self, id: FileId) -> Option<usize> {
        self.files.binary_search_by_key(&id, |f| f.id).ok()
    }

    /// Keeps what a limit refused.
    pub(crate) fn note_refused(&mut self, refused: Refused) {
        if self.refused.len() < MAX_REFUSED {
            self.refused.insert(absolute(&refused.path), refused.size);
        }
    }

    /// What a limit refused at this path, as far as it was tried.
    pub(crate) fn refused(&self, path: &Path) -> Option<Refused> {
        let size = *self.refused.get(&absolute(path))?;
        Some(Refused { path: path.to_owned(), size })
    }

    /// It is opened all the same.
    pub(crate) fn forget_refused(&mut self, path: &Path) {
        self.refused.remove(&absolute(path));
    }

    /// The open file that lies here.
    pub fn at_path(&self, path: &Path) -> Option<FileId> {
        self.by_path.get(&absolute(path)).copied()
    }

    /// Changes with the files.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the order of the library.
    pub fn order(&self) -> LibraryOrder {
        self.order
    }

    /// Adds a file below the others, folded, unless it is small and the only one.
    pub fn add(&mut self, file: Arc<OpenFile>) -> FileId {
        self.next_file += 1;
        let id = FileId(self.next_file);
        if self.files.is_empty() && file.document.outline().entries().len() <= MAX_UNFOLDED {
            self.expanded.insert(RowId::File(id));
        }
        let folder = self.folders.of(&file.path);
        let was_several = is_several(&self.files, folder);
        self.by_path.insert(absolute(&file.path), id);
        self.files.push(OpenedFile::new(id, file, folder));
        if !was_several && is_several(&self.files, folder) {
            self.expanded.insert(RowId::Folder(folder));
        }
        self.changed();
        id
    }

    pub fn remove(&mut self, id: FileId) {
        if let Some(at) = self.position(id) {
            let gone = self.files.remove(at);
            self.by_path.remove(&absolute(&gone.file.path));
        }
        self.expanded.retain(|row| row.file() != Some(id));
        self.arranged.retain(|place, _| place.file != id);
        self.cursor.take_if(|row| row.file() == Some(id));
        // Of a large file a large list is left.
        self.expanded.shrink_to_fit();
        self.arranged.shrink_to_fit();
        self.rows = Vec::new();
        self.changed();
    }

    /// Puts a file that was read anew in its own place; `moved` says which of its entries is which now. What is unfolded stays so.
    pub(crate) fn replace(&mut self, id: FileId, file: Arc<OpenFile>, moved: impl Fn(EntryId) -> Option<EntryId>) {
        if let Some(opened) = self.position(id).and_then(|at| self.files.get_mut(at)) {
            *opened = OpenedFile::new(id, file, opened.folder);
            self.arranged.retain(|place, _| place.file != id);
            let rows = std::mem::take(&mut self.expanded).into_iter();
            self.expanded = rows.filter_map(|row| row.moved(id, &moved)).collect();
            self.cursor = self.cursor.and_then(|row| row.moved(id, &moved));
            self.changed();
        }
    }

    /// The files are others than before.
    pub(crate) fn changed(&mut self) {
        self.revision += 1;
        self.stale = true;
    }

    /// Sets the order of the library: by contents or by file layout.
    pub fn set_order(&mut self, order: LibraryOrder) {
        if self.order != order {
            self.order = order;
            self.cursor = None;
            self.stale = true;
        }
    }

    pub fn expand(&mut self, row: impl Into<RowId>, open: bool) {
        let row = row.into();
        let changed = if open { self.expanded.insert(row) } else { self.expanded.remove(&row) };
        self.stale |= changed;
    }

    /// The rows that are unfolded, in no order.
    pub(crate) fn unfolded(&self) -> impl Iterator<Item = RowId> {
        self.expanded.iter().copied()
    }

    /// Unfolds these rows and no others.
    pub(crate) fn set_unfolded(&mut self, rows: HashSet<RowId>) {
        self.stale |= rows != self.expanded;
        self.expanded = rows;
    }

    /// Returns the folder of an open file.
    pub(crate) fn folder_of(&self, file: FileId) -> Option<FolderId> {
        self.opened(file).map(|opened| opened.folder)
    }

    /// Folds everything.
    pub fn collapse_all(&mut self) {
        self.stale |= !self.expanded.is_empty();
        self.expanded = HashSet::new();
        self.cursor = None;
    }

    /// Returns the rows above an entry and its own row: the folder of its file first.
    fn way(&mut self, place: Place) -> Vec<RowId> {
        let Some(opened) = self.position(place.file).and_then(|at| self.files.get(at)) else { return Vec::new() };
        let mut rows = way(&mut self.arranged, opened, self.order, place.entry);
        if is_several(&self.files, opened.folder) {
            rows.insert(0, RowId::Folder(opened.folder));
        }
        rows
    }

    /// Expands the rows above an entry.
    pub fn reveal(&mut self, place: Place) {
        // Where one of its rows is in sight, no other is needed.
        let way = match self.cursor.filter(|row| row.place() == Some(place)) {
            Some(_) => return,
            None => self.way(place),
        };
        if let Some((_, above)) = way.split_last() {
            for row in above {
                self.expand(*row, true);
            }
        }
    }

    /// Unfolds the way to what is shown: a file that is shown itself is unfolded too.
    pub(crate) fn show_way(&mut self, place: Place) {
        self.reveal(place);
        if place.entry == EntryId::FILE {
            self.expand(place, true);
        }
    }

    /// The row that keys go on from.
    pub fn cursor(&self) -> Option<RowId> {
        self.cursor
    }

    /// Keys go on from a row. An entry with one row alone is known by being selected.
    pub(crate) fn set_cursor(&mut self, row: RowId) {
        self.cursor = Some(row).filter(|row| !matches!(row, RowId::File(_) | RowId::Entry(_)));
    }

    /// The entry that is selected from now on: keys go on from it.
    pub(crate) fn follow_selection(&mut self, place: Place) {
        self.cursor.take_if(|row| row.place() != Some(place));
    }

    /// The listed row that keys go on from: that of the cursor, of the selected entry, or the nearest that it lies in.
    pub fn row_of(&mut self, selection: Option<Place>) -> Option<usize> {
        self.rows();
        let at = |row: &RowId| self.rows.iter().position(|listed| listed.id == *row);
        if let Some(found) = self.cursor.as_ref().and_then(at) {
            return Some(found);
        }
        let place = selection?;
        if let Some(found) = self.rows.iter().position(|row| row.place() == Some(place)) {
            return Some(found);
        }
        let way = self.way(place);
        way.iter().rev().find_map(|row| self.rows.iter().position(|listed| listed.id == *row))
    }

    pub fn set_filter(&mut self, filter: String) {
        if filter != self.filter {
            let query = Query::of(&filter);
            self.filter = filter;
            self.stale |= query != self.query;
            self.query = query;
        }
    }

    /// Returns the query of the filter.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns true if the rows are the matches of the filter.
    pub fn is_filtered(&self) -> bool {
        !self.query.is_empty()
    }

    /// The rows to show, with the number of entries that match the filter (all of them without one).
    pub fn rows(&mut self) -> (&[LibraryRow], usize) {
        if std::mem::take(&mut self.stale) {
            self.rebuild();
        }
        (&self.rows, self.matches)
    }

    /// The rows as they were listed last.
    pub fn listed(&self) -> &[LibraryRow] {
        &self.rows
    }

    fn rebuild(&mut self) {
        self.rows.clear();
        if self.is_filtered() {
            self.matches = found(&self.files, &self.query, &mut self.rows);
            return;
        }
        let mut lister = Lister {
            files: &self.files,
            order: self.order,
            expanded: &self.expanded,
            arranged: &mut self.arranged,
            rows: &mut self.rows,
        };
        self.matches = lister.list();
    }

    /// Returns the name and the path of a folder.
    pub fn folder(&self, id: FolderId) -> (String, &Path) {
        (self.folders.name(id), self.folders.path(id))
    }

    /// The open files in a folder.
    pub fn files_in(&self, folder: FolderId) -> impl Iterator<Item = FileId> {
        self.files.iter().filter(move |f| f.folder == folder).map(|f| f.id)
    }

    /// The first sentences of what is wrong with a row, the worst first.
    pub fn findings(&self, row: &LibraryRow, at_most: usize) -> Vec<(Severity, &str)> {
        let Some(opened) = row.id.file().and_then(|id| self.opened(id)) else { return Vec::new() };
        let told = match row.id {
            RowId::File(_) => None,
            _ if row.open || self.is_filtered() => Some(row.place().map(|place| place.entry).into_iter().collect()),
            id => Some(tells_of(&self.arranged, self.order, id, opened.file.document.outline())),
        };
        let is_told = |entry: Option<EntryId>| {
            told.as_ref().is_none_or(|told: &HashSet<EntryId>| entry.is_some_and(|entry| told.contains(&entry)))
        };
        let diagnostics = opened.file.diagnostics.iter();
        let mut found: Vec<(Severity, &str)> = diagnostics
            .filter(|d| d.severity >= Severity::Warning && is_told(d.entry))
            .map(|d| (d.severity, d.message.as_str()))
            .collect();
        found.sort_by_key(|(severity, _)| std::cmp::Reverse(*severity));
        found.truncate(at_most);
        found
    }
}

fn absolute(path: &Path) -> PathBuf {
    crate::files::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
#[path = "library/library_tests.rs"]
mod tests;
