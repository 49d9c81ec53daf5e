//! Finding entries of a collection.

use super::{
    Catalog, Query, RowIndex,
    filters::{self, Filters, Looked},
    kinds::{KindMask, Kinds, MetKinds},
    letters,
    query::{Asks, Term, is_of_path},
};
use crate::{
    bytes::Cancel,
    formats::EntryId,
    library::words::{self, contains},
};
use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{Atom, AtomKind, CaseMatching, Normalization},
};
use rayon::prelude::*;
use std::{cmp::Reverse, ops::Range};

/// Rows that one thread looks at before it takes others.
const CHUNK: u32 = 16_384;
/// Rows between two looks at whether the search was cancelled.
const STRIDE: u32 = 512;
/// Characters of a name that words are looked for in.
const MAX_LETTERS: usize = 1_024;
/// Parts of a file's path that words with a separator are looked for in.
const PATH_PARTS: usize = 3;

/// An entry that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The entry.
    pub row: RowIndex,
    /// The higher, the better the words fit; 0 where no words were asked for.
    pub score: u32,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The best first: by score, then shorter names, then in the catalog's order. In the catalog's order alone where no words were
    /// asked for.
    pub hits: Vec<Hit>,
    /// All that were found, also those that are not among the hits.
    pub total: usize,
    /// By kind that was asked about how many are of it, and last how many there are of any kind; nothing where none was asked about.
    pub counts: Vec<usize>,
}

/// Kinds of entries that are counted, each by a word as `type:` takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted<'a> {
    /// Names of the kinds, as `type:` takes them.
    pub kinds: &'a [&'a str],
    /// The one of them that hits are of; all where there is none.
    pub only: Option<usize>,
}

/// What one thread found.
#[derive(Default)]
struct Part {
    ranks: Vec<Rank>,
    total: usize,
    counts: Vec<usize>,
}

/// The best hits first.
type Rank = (Reverse<u32>, u32, u32);

/// A word whose letters stand in a name in their order.
struct Word {
    atom: Atom,
    letters: u64,
    lower: String,
    /// It is looked for in the path.
    in_path: bool,
    /// For each class whether it stands in what the format calls an entry.
    in_class: Vec<bool>,
}

/// What one thread works with.
struct Desk {
    matcher: Matcher,
    chars: Vec<char>,
    path: String,
    looked: Looked,
    met: MetKinds,
}

/// Finds the entries that a query asks for. A text that it looks for is found by [`super::text_hits`]; here it restricts what is found
/// to scripts and texts. Blocks: call it on a worker. What was cancelled found nothing.
pub fn search(catalog: &Catalog, query: &Query, at_most: usize, cancel: &Cancel) -> Found {
    search_counted(catalog, query, Counted::default(), at_most, cancel)
}

/// As [`search`], and counts what is found by kind on the way.
pub fn search_counted(
    catalog: &Catalog,
    query: &Query,
    counted: Counted<'_>,
    at_most: usize,
    cancel: &Cancel,
) -> Found {
    let words: Vec<Word> = query.terms().iter().filter_map(|term| Word::of(term, catalog)).collect();
    let asked =
        Asked { catalog, filters: Filters::of(catalog, query), words, kinds: Kinds::of(catalog, counted.kinds) };
    let rows = u32::try_from(catalog.row_count()).unwrap_or(u32::MAX);
    let chunks: Vec<Range<u32>> =
        (0..rows).step_by(CHUNK as usize).map(|at| at..at.saturating_add(CHUNK).min(rows)).collect();
    let new_desk = || Desk {
        matcher: Matcher::new(Config::DEFAULT),
        chars: Vec::new(),
        path: String::new(),
        looked: Looked::default(),
        met: MetKinds::default(),
    };
    let parts: Option<Vec<Part>> = chunks
        .into_par_iter()
        .map_init(new_desk, |desk, rows| part(&asked, counted.only, rows, at_most, desk, cancel))
        .collect();
    let Some(parts) = parts else { return Found::default() };
    let mut found = Found { counts: vec![0; asked.kinds.counts()], ..Found::default() };
    let mut ranks: Vec<Rank> = Vec::new();
    for part in parts {
        found.total = found.total.saturating_add(part.total);
        for (sum, count) in found.counts.iter_mut().zip(part.counts) {
            *sum = sum.saturating_add(count);
        }
        ranks.extend(part.ranks);
    }
    keep_best(&mut ranks, at_most);
    ranks.sort_unstable();
    found.hits = ranks.into_iter().map(|(Reverse(score), _, row)| Hit { row: RowIndex(row), score }).collect();
    found
}

/// What is looked for, and in what.
struct Asked<'a> {
    catalog: &'a Catalog,
    filters: Filters<'a>,
    words: Vec<Word>,
    kinds: Kinds,
}

/// What is found among some rows, the best of it; `None` where the search was cancelled.
fn part(
    asked: &Asked<'_>,
    only: Option<usize>,
    rows: Range<u32>,
    at_most: usize,
    desk: &mut Desk,
    cancel: &Cancel,
) -> Option<Part> {
    let enough = at_most.saturating_mul(2).saturating_add(256);
    let mut part = Part { counts: vec![0; asked.kinds.counts()], ..Part::default() };
    for at in rows {
        if at.is_multiple_of(STRIDE) && cancel.is_cancelled() {
            return None;
        }
        let Some((score, name_len, kinds)) = score(asked, RowIndex(at), desk) else { continue };
        kinds.count(&mut part.counts);
        if only.is_some_and(|only| !kinds.has(only)) {
            continue;
        }
        part.total = part.total.saturating_add(1);
        part.ranks.push((Reverse(score), if asked.words.is_empty() { 0 } else { name_len }, at));
        if part.ranks.len() >= enough {
            keep_best(&mut part.ranks, at_most);
        }
    }
    keep_best(&mut part.ranks, at_most);
    Some(part)
}

fn keep_best(ranks: &mut Vec<Rank>, at_most: usize) {
    if ranks.len() > at_most {
        ranks.select_nth_unstable(at_most);
        ranks.truncate(at_most);
    }
}

/// How well a row fits, how long its name is, and of which kinds it is; `None` for one that is not found.
fn score(asked: &Asked<'_>, at: RowIndex, desk: &mut Desk) -> Option<(u32, u32, KindMask)> {
    let Asked { catalog, filters, words, kinds } = asked;
    let (known, class) = catalog.letters_and_class(at)?;
    let lacks_letters =
        |word: &Word| !word.in_path && word.letters & !known != 0 && !filters::has(&word.in_class, class);
    if words.iter().any(lacks_letters) {
        return None;
    }
    let row = catalog.row(at)?;
    if !filters.pass(&row, class, &mut desk.looked) {
        return None;
    }
    let mut sum = 0_u32;
    for word in words {
        let score = if word.in_path {
            if row.entry == EntryId::FILE {
                desk.path.clear();
                filters.write_path_end(row.file, PATH_PARTS, &mut desk.path);
                word.score(&desk.path, &mut desk.matcher, &mut desk.chars)
            } else {
                word.score(row.path, &mut desk.matcher, &mut desk.chars)
            }
        } else if word.letters & !known != 0 {
            None
        } else {
            word.score(row.name, &mut desk.matcher, &mut desk.chars)
        };
        match score {
            Some(score) => sum = sum.saturating_add(score.into()),
            // It is what the format calls it: found, after those that are called so.
            None if filters::has(&word.in_class, class) => {}
            None => return None,
        }
    }
    Some((sum, u32::try_from(row.name.len()).unwrap_or(u32::MAX), kinds.of_row(&row, class, &mut desk.met)))
}

impl Word {
    fn of(term: &Term, catalog: &Catalog) -> Option<Self> {
        match &term.asks {
            Asks::Word(word) if !term.excludes => Some(Self {
                atom: atom(word),
                letters: letters::needed(word),
                lower: word.clone(),
                in_path: is_of_path(word),
                in_class: catalog.classes().iter().map(|class| contains(class, word)).collect(),
            }),
            _ => None,
        }
    }

    fn score(&self, text: &str, matcher: &mut Matcher, chars: &mut Vec<char>) -> Option<u16> {
        let text = beginning(text);
        let score = self.atom.score(in_letters(text, chars), matcher);
        // Letters that have no small form of one letter are found as filters find them.
        score.or_else(|| (!text.is_ascii() && contains(text, &self.lower)).then_some(0))
    }
}

fn atom(word: &str) -> Atom {
    Atom::new(word, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy, false)
}

fn beginning(text: &str) -> &str {
    if text.len() <= MAX_LETTERS {
        return text;
    }
    let end = text.char_indices().nth(MAX_LETTERS).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// A text as the matcher takes it: one item a character, so that numbers of items are numbers of characters.
fn in_letters<'a>(text: &'a str, chars: &'a mut Vec<char>) -> Utf32Str<'a> {
    if text.is_ascii() {
        return Utf32Str::Ascii(text.as_bytes());
    }
    chars.clear();
    chars.extend(text.chars());
    Utf32Str::Unicode(chars)
}

/// Letters of a shown name that are to be marked, in bytes: those of the words and phrases that a query looks for, in their order,
/// apart from each other.
pub fn marks(query: &Query, name: &str) -> Vec<Range<usize>> {
    let asked = query.terms().iter().filter(|term| !term.excludes);
    let mut marks = Vec::new();
    let mut matcher = None;
    let shown = beginning(name);
    for term in asked {
        match &term.asks {
            Asks::Phrase(phrase) => marks.extend(words::marks(name, std::iter::once(phrase.as_str()))),
            Asks::Word(word) => {
                let matcher = matcher.get_or_insert_with(|| Matcher::new(Config::DEFAULT));
                let (mut indices, mut chars) = (Vec::new(), Vec::new());
                if atom(word).indices(in_letters(shown, &mut chars), matcher, &mut indices).is_none() {
                    marks.extend(words::marks(name, std::iter::once(word.as_str())));
                    continue;
                }
                indices.sort_unstable();
                indices.dedup();
                let mut wanted = indices.into_iter().peekable();
                for (number, (at, letter)) in (0_u32..).zip(shown.char_indices()) {
                    if wanted.next_if_eq(&number).is_some() {
                        marks.push(at..at + letter.len_utf8());
                    }
                }
            }
            _ => {}
        }
    }
    words::apart(marks)
}

#[cfg(test)]
mod tests;
