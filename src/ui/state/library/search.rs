//! What the library's filter finds, as rows one below the other.

use crate::{
    formats::{EntryId, Outline},
    ui::{
        place::Place,
        query::{EntryQuery, Query},
        state::library::{opened::OpenedFile, rows::LibraryRow},
    },
};
use std::path::Path;

/// The entries that a filter finds, as rows one below the other; returns how many there are.
pub(super) fn found(files: &[OpenedFile], query: &Query, rows: &mut Vec<LibraryRow>) -> usize {
    let before = rows.len();
    for opened in files {
        let outline = opened.file.document.outline();
        let folder = folder_name(&opened.file.path);
        for_each_found(outline, &opened.file.name, &folder, query, |entry| {
            let is_file = entry == EntryId::FILE;
            let troubles = &opened.troubles;
            let trouble = if is_file { troubles.with_below(entry) } else { troubles.own(entry) };
            let id = Place { file: opened.id, entry }.into();
            rows.push(LibraryRow { id, depth: 0, has_children: false, open: false, count: None, trouble });
        });
    }
    rows.len() - before
}

/// Returns the name of a file's folder.
pub fn folder_name(path: &Path) -> String {
    path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn for_each_found(outline: &Outline, file_name: &str, folder: &str, query: &Query, mut each: impl FnMut(EntryId)) {
    let mut entries = EntryQuery::new(query, outline, file_name, folder);
    for entry in outline.entries() {
        if entries.finds(entry) {
            each(entry.id);
        }
    }
}

/// Returns the number of entries that match a filter.
pub fn count_found(outline: &Outline, file_name: &str, filter: &str) -> usize {
    let mut count = 0;
    for_each_found(outline, file_name, "", &Query::of(filter), |_| count += 1);
    count
}
