//! What can be said of an entry of a collection without looking at its name letter by letter.

use super::{
    About, Catalog, FileIndex, Query, Row,
    query::{Asks, Comparison, Quantity, Term, is_of_path},
};
use crate::{
    files::text_of,
    formats::{Content, EntryId, Role},
    library::words::contains,
};
use rayon::prelude::*;
use std::path::Path;

/// The filters of a query, computed once for files and classes.
pub(super) struct Filters<'a> {
    catalog: &'a Catalog,
    filters: Vec<Filter<'a>>,
    /// A text is looked for: only scripts and texts can have it.
    only_texts: bool,
}

struct Filter<'a> {
    asks: Ask<'a>,
    excludes: bool,
}

enum Ask<'a> {
    /// By class whether it stands in what the format calls an entry.
    Phrase(&'a str, Vec<bool>),
    Class(Vec<bool>),
    /// The number of the filter, the word, and by class whether it is in what the format calls an entry.
    Type(usize, &'a str, Vec<bool>),
    /// By file where the word is.
    In(&'a str, Vec<Place>),
    /// By file.
    Refs(Vec<bool>),
    Number(Quantity, Comparison, f64),
}

/// The part of a path that contains a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// In what the file lies in.
    Above,
    /// In its name alone: only what is in the file lies there.
    Name,
}

/// Which kinds of entries are of which types, as far as it was asked: there are few kinds.
#[derive(Default)]
pub(super) struct Looked(Vec<(usize, Role, Content, bool)>);

impl Looked {
    fn is_of(&mut self, filter: usize, row: &Row<'_>, word: &str) -> bool {
        let same =
            |known: &&(usize, Role, Content, bool)| (known.0, known.1, known.2) == (filter, row.role, row.content);
        if let Some((.., known)) = self.0.iter().find(same) {
            return *known;
        }
        let is_of = contains(row.role.word(), word) || contains(row.content.word(), word);
        self.0.push((filter, row.role, row.content, is_of));
        is_of
    }
}

/// Whether a number is among those that something is so of.
pub(super) fn has(known: &[bool], number: u32) -> bool {
    known.get(number as usize).copied().unwrap_or(false)
}

impl<'a> Filters<'a> {
    pub fn of(catalog: &'a Catalog, query: &'a Query) -> Self {
        let filters = query.terms().iter().enumerate();
        Self {
            catalog,
            filters: filters.filter_map(|(at, term)| Filter::of(catalog, at, term)).collect(),
            only_texts: query.text().is_some(),
        }
    }

    /// Returns true if a row passes the filters.
    pub fn pass(&self, row: &Row<'_>, class: u32, looked: &mut Looked) -> bool {
        (!self.only_texts || row.content == Content::Text)
            && self.filters.iter().all(|filter| self.is_so(&filter.asks, row, class, looked) != filter.excludes)
    }

    fn is_so(&self, asks: &Ask<'_>, row: &Row<'_>, class: u32, looked: &mut Looked) -> bool {
        let is_file = row.entry == EntryId::FILE;
        match asks {
            Ask::Phrase(word, classes) => {
                let in_path = || match is_file {
                    true => self.catalog.file(row.file).is_some_and(|file| contains(&text_of(&file.path), word)),
                    false => contains(row.path, word),
                };
                contains(row.name, word) || has(classes, class) || is_of_path(word) && in_path()
            }
            Ask::Class(classes) => has(classes, class),
            Ask::Type(filter, word, classes) => has(classes, class) || looked.is_of(*filter, row, word),
            Ask::In(word, places) => {
                let place = places.get(row.file.0 as usize).copied().unwrap_or(Place::Nowhere);
                let above = || row.path.get(..row.path.len().saturating_sub(row.name.len())).unwrap_or_default();
                place == Place::Above || !is_file && (place == Place::Name || contains(above(), word))
            }
            // It is the file that takes something.
            Ask::Refs(files) => is_file && has(files, row.file.0),
            Ask::Number(quantity, comparison, value) => {
                quantity.of(row).is_some_and(|number| comparison.holds(number, *value))
            }
        }
    }

    /// The last parts of the path of a file.
    pub fn write_path_end(&self, file: FileIndex, parts: usize, to: &mut String) {
        let Some(file) = self.catalog.file(file) else { return };
        let path = text_of(&file.path);
        let is_separator = |c: char| c == '/' || cfg!(windows) && c == '\\';
        let mut ends = path.rmatch_indices(is_separator).map(|(at, _)| at + 1);
        let start = parts.checked_sub(1).and_then(|more| ends.nth(more)).unwrap_or(0);
        to.push_str(path.get(start..).unwrap_or(&path));
    }
}

impl<'a> Filter<'a> {
    fn of(catalog: &Catalog, at: usize, term: &'a Term) -> Option<Self> {
        let classes = |word: &str| catalog.classes().iter().map(|class| contains(class, word)).collect();
        let asks = match &term.asks {
            // Words that are looked for are scored.
            Asks::Word(_) => return None,
            Asks::Phrase(word) => Ask::Phrase(word, classes(word)),
            Asks::Class(word) => Ask::Class(classes(word)),
            Asks::Type(word) => Ask::Type(at, word, classes(word)),
            Asks::In(word) => {
                let place = |path: &Path| {
                    if path.parent().is_some_and(|folder| contains(&text_of(folder), word)) {
                        Place::Above
                    } else if contains(&text_of(path), word) {
                        Place::Name
                    } else {
                        Place::Nowhere
                    }
                };
                Ask::In(word, catalog.files().par_iter().map(|file| place(&file.path)).collect())
            }
            Asks::Refs(word) => {
                let takes = |file| {
                    catalog
                        .imports(file)
                        .iter()
                        .any(|import| contains(&import.path, word) || contains(&import.file, word))
                };
                let count = u32::try_from(catalog.files().len()).unwrap_or(u32::MAX);
                Ask::Refs((0..count).into_par_iter().map(|file| takes(FileIndex(file))).collect())
            }
            Asks::Number(quantity, comparison, value) => Ask::Number(*quantity, *comparison, *value),
        };
        Some(Self { asks, excludes: term.excludes })
    }
}

impl Quantity {
    /// What of a row it counts; `None` where there is nothing to be counted.
    pub fn of(self, row: &Row<'_>) -> Option<f64> {
        match (self, row.about) {
            (Self::Size, _) => Some(row.size as f64),
            (Self::Bones, About::Model { joint_count, .. } | About::Clip { joint_count, .. }) => {
                Some(joint_count.into())
            }
            (Self::Vertices, About::Model { vertices, .. }) => Some(vertices.into()),
            (Self::Triangles, About::Model { triangles, .. }) => Some(triangles.into()),
            (Self::Frames, About::Clip { frames, .. }) => Some(frames.into()),
            (Self::Seconds, About::Clip { frames, rate_hz, .. }) if rate_hz > 0.0 => {
                Some(f64::from(frames) / f64::from(rate_hz))
            }
            (Self::Seconds, About::Sound { duration_secs }) => Some(duration_secs.into()),
            (Self::Width, About::Picture { width, .. }) => Some(width.into()),
            (Self::Height, About::Picture { height, .. }) => Some(height.into()),
            (Self::Lines, About::Text { lines }) => Some(lines.into()),
            _ => None,
        }
    }
}
