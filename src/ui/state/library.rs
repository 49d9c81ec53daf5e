//! The open files as a tree of rows.

use crate::{
    formats::{Content, Entry, EntryId, Outline},
    library::OpenFile,
    ui::place::{FileId, Place},
};
use std::{collections::HashSet, sync::Arc};

/// Entries that are brought into sight when a file is opened, and how many a folder may hold to be unfolded for it.
const MAX_UNFOLDED: usize = 100;

/// A file of the library.
#[derive(Clone)]
pub struct OpenedFile {
    pub id: FileId,
    pub file: Arc<OpenFile>,
}

/// One visible row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryRow {
    pub place: Place,
    /// Steps to the right.
    pub depth: u16,
    pub has_children: bool,
    pub open: bool,
}

/// Open files, what of them is unfolded, and the filter.
#[derive(Default)]
pub struct LibraryState {
    pub files: Vec<OpenedFile>,
    pub filter: String,
    expanded: HashSet<Place>,
    rows: Vec<LibraryRow>,
    /// Entries that the filter lets through, or all.
    matches: usize,
    stale: bool,
    revision: u64,
    next_file: u32,
}

impl LibraryState {
    pub fn file(&self, id: FileId) -> Option<&Arc<OpenFile>> {
        self.files.iter().find(|f| f.id == id).map(|f| &f.file)
    }

    /// Changes with the files.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Adds a file below the others, unfolded when it is small.
    pub fn add(&mut self, file: Arc<OpenFile>) -> FileId {
        self.next_file += 1;
        let id = FileId(self.next_file);
        self.expanded.insert(Place { file: id, entry: EntryId::FILE });
        let outline = file.document.outline();
        for entry in outline.children(EntryId::FILE) {
            let children = outline.children(*entry);
            let clips = children.iter().any(|c| outline.get(*c).is_some_and(|e| e.content == Content::Clip));
            if clips && children.len() <= 200 {
                self.expanded.insert(Place { file: id, entry: *entry });
            }
        }
        // Models and clips in folders of an archive come into sight.
        let shows = |e: &&Entry| matches!(e.content, Content::Model | Content::Clip);
        for entry in outline.entries().iter().filter(shows).take(MAX_UNFOLDED) {
            let mut above = entry.parent.and_then(|p| outline.get(p));
            while let Some(folder) = above.filter(|f| f.content == Content::None) {
                if outline.children(folder.id).len() > MAX_UNFOLDED {
                    break;
                }
                self.expanded.insert(Place { file: id, entry: folder.id });
                above = folder.parent.and_then(|p| outline.get(p));
            }
        }
        self.files.push(OpenedFile { id, file });
        self.changed();
        id
    }

    pub fn remove(&mut self, id: FileId) {
        self.files.retain(|f| f.id != id);
        self.expanded.retain(|p| p.file != id);
        // Of a large file a large list is left.
        self.expanded.shrink_to_fit();
        self.rows = Vec::new();
        self.changed();
    }

    /// Puts a file that was read anew in its own place.
    pub(super) fn replace(&mut self, id: FileId, file: Arc<OpenFile>) {
        if let Some(opened) = self.files.iter_mut().find(|f| f.id == id) {
            opened.file = file;
            self.changed();
        }
    }

    /// The files are others than before.
    pub(super) fn changed(&mut self) {
        self.revision += 1;
        self.stale = true;
    }

    pub fn expand(&mut self, place: Place, open: bool) {
        let changed = if open { self.expanded.insert(place) } else { self.expanded.remove(&place) };
        self.stale |= changed;
    }

    /// Unfolds what an entry lies in.
    pub fn reveal(&mut self, place: Place) {
        let Some(file) = self.file(place.file).cloned() else { return };
        let mut entry = file.entry(place.entry).and_then(|e| e.parent);
        while let Some(parent) = entry {
            self.expand(Place { file: place.file, entry: parent }, true);
            entry = file.entry(parent).and_then(|e| e.parent);
        }
    }

    pub fn set_filter(&mut self, filter: String) {
        if filter != self.filter {
            self.filter = filter;
            self.stale = true;
        }
    }

    /// The rows to show, with the number of entries that match the filter (all of them without one).
    pub fn rows(&mut self) -> (&[LibraryRow], usize) {
        if self.stale {
            self.rebuild();
            self.stale = false;
        }
        (&self.rows, self.matches)
    }

    fn rebuild(&mut self) {
        self.rows.clear();
        self.matches = 0;
        let words = words_of(&self.filter);
        for opened in &self.files {
            let expanded = |entry| self.expanded.contains(&Place { file: opened.id, entry });
            self.matches +=
                list(opened.file.document.outline(), opened.id, &opened.file.name, &words, expanded, &mut self.rows);
        }
    }
}

fn words_of(filter: &str) -> Vec<String> {
    filter.split_whitespace().map(str::to_lowercase).collect()
}

/// How many rows an outline takes under a filter, and how many of its entries match.
pub fn rows_of(outline: &Outline, file_name: &str, filter: &str) -> (usize, usize) {
    let mut rows = Vec::new();
    let matches = list(outline, FileId(0), file_name, &words_of(filter), |_| true, &mut rows);
    (rows.len(), matches)
}

/// Adds the rows of a file; says how many entries match the filter.
fn list(
    outline: &Outline,
    file: FileId,
    file_name: &str,
    words: &[String],
    expanded: impl Fn(EntryId) -> bool,
    rows: &mut Vec<LibraryRow>,
) -> usize {
    let mut matches = outline.entries().len().saturating_sub(1);
    // Which entries are wanted: those that match and all that they lie in.
    let wanted: Option<Vec<bool>> = (!words.is_empty()).then(|| {
        matches = 0;
        let mut wanted = vec![false; outline.entries().len()];
        for entry in outline.entries() {
            let name = if entry.id == EntryId::FILE { file_name } else { &entry.name };
            let (name, class) = (name.to_lowercase(), entry.class.to_lowercase());
            if !words.iter().all(|w| name.contains(w.as_str()) || class.contains(w.as_str())) {
                continue;
            }
            matches += 1;
            let mut at = Some(entry.id);
            while let Some(id) = at {
                let Some(slot) = wanted.get_mut(id.0 as usize) else { break };
                if std::mem::replace(slot, true) {
                    break;
                }
                at = outline.get(id).and_then(|e| e.parent);
            }
        }
        wanted
    });
    let is_wanted = |id: EntryId| wanted.as_ref().is_none_or(|w| w.get(id.0 as usize).copied().unwrap_or(false));
    let mut stack = vec![(EntryId::FILE, 0_u16)];
    while let Some((entry, depth)) = stack.pop() {
        if !is_wanted(entry) {
            continue;
        }
        let children = outline.children(entry);
        // What the filter found is shown unfolded.
        let open = wanted.is_some() || expanded(entry);
        rows.push(LibraryRow { place: Place { file, entry }, depth, has_children: !children.is_empty(), open });
        if open {
            stack.extend(children.iter().rev().map(|c| (*c, depth.saturating_add(1))));
        }
    }
    matches
}
