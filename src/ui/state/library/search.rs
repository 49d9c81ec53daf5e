//! The library's filter: all words have to occur in an entry's name or in what its format calls it.

use super::{opened::OpenedFile, rows::LibraryRow};
use crate::{
    formats::{EntryId, Outline},
    ui::place::Place,
};
use std::ops::Range;

/// The words of a filter, in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterWords(Vec<String>);

impl FilterWords {
    pub fn of(filter: &str) -> Self {
        Self(filter.split_whitespace().map(str::to_lowercase).collect())
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether each of the words occurs in the name or in the class.
    pub fn find(&self, name: &str, class: &str) -> bool {
        self.0.iter().all(|word| contains(name, word) || contains(class, word))
    }

    /// Where the words occur in a name, in bytes: in their order, apart from each other.
    pub fn marks(&self, name: &str) -> Vec<Range<usize>> {
        // Lower case may have another length, so each of its letters knows the letter that it came from.
        let mut lower = String::with_capacity(name.len());
        let mut letters: Vec<Range<usize>> = Vec::with_capacity(name.len());
        for (at, letter) in name.char_indices() {
            let from = at..at + letter.len_utf8();
            for small in letter.to_lowercase() {
                lower.push(small);
                letters.extend(std::iter::repeat_n(from.clone(), small.len_utf8()));
            }
        }
        let mut marks: Vec<Range<usize>> = Vec::new();
        for word in &self.0 {
            for (at, _) in lower.match_indices(word.as_str()) {
                let ends = (letters.get(at), letters.get(at + word.len() - 1));
                if let (Some(first), Some(last)) = ends {
                    marks.push(first.start..last.end);
                }
            }
        }
        marks.sort_unstable_by_key(|mark| (mark.start, mark.end));
        let mut apart: Vec<Range<usize>> = Vec::with_capacity(marks.len());
        for mark in marks {
            match apart.last_mut().filter(|last| mark.start <= last.end) {
                Some(last) => last.end = last.end.max(mark.end),
                None => apart.push(mark),
            }
        }
        apart
    }
}

/// Whether a text has a word in it, whatever its case. The word is in lower case.
fn contains(text: &str, word: &str) -> bool {
    if !text.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let Some(first) = word.bytes().next() else { return true };
    let word = word.as_bytes();
    let may_start = |byte: &u8| byte.to_ascii_lowercase() == first;
    text.as_bytes()
        .windows(word.len())
        .any(|part| part.first().is_some_and(may_start) && part.eq_ignore_ascii_case(word))
}

/// The entries that a filter finds, as rows one below the other; returns how many there are.
pub(super) fn found(files: &[OpenedFile], words: &FilterWords, rows: &mut Vec<LibraryRow>) -> usize {
    let before = rows.len();
    for opened in files {
        let outline = opened.file.document.outline();
        for_each_found(outline, &opened.file.name, words, |entry| {
            let is_file = entry == EntryId::FILE;
            let troubles = &opened.troubles;
            let trouble = if is_file { troubles.with_below(entry) } else { troubles.own(entry) };
            let id = Place { file: opened.id, entry }.into();
            rows.push(LibraryRow { id, depth: 0, has_children: false, open: false, count: None, trouble });
        });
    }
    rows.len() - before
}

fn for_each_found(outline: &Outline, file_name: &str, words: &FilterWords, mut each: impl FnMut(EntryId)) {
    for entry in outline.entries() {
        let name = if entry.id == EntryId::FILE { file_name } else { &entry.name };
        if words.find(name, &entry.class) {
            each(entry.id);
        }
    }
}

/// How many entries of an outline a filter finds.
pub fn count_found(outline: &Outline, file_name: &str, filter: &str) -> usize {
    let mut count = 0;
    for_each_found(outline, file_name, &FilterWords::of(filter), |_| count += 1);
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_the_name_or_in_the_class() {
        let words = FilterWords::of("  HAND bone ");
        assert!(words.find("Hand_L", "Bone") && words.find("bonehand", "Chunk"));
        assert!(!words.find("Hand_L", "Chunk") && !words.find("Arm", "Bone"));
        assert!(FilterWords::of("ärm").find("ÄRMEL", "Bone"));
        assert!(FilterWords::of(" ").is_empty() && FilterWords::of("").find("anything", ""));
        assert!(!FilterWords::of("long word").find("", ""));
    }

    #[test]
    fn marks_are_where_the_words_are_and_do_not_overlap() {
        let marks = |filter: &str, name: &str| -> Vec<String> {
            FilterWords::of(filter).marks(name).into_iter().map(|range| name[range].to_owned()).collect()
        };
        assert_eq!(marks("hand l", "Hand_L"), ["Hand", "L"]);
        assert_eq!(marks("ab ba", "xABAy"), ["ABA"]);
        assert_eq!(marks("a", "banana"), ["a", "a", "a"]);
        assert_eq!(marks("bone", "Spine"), [""; 0]);
        // Lower case of İ is two letters; what is marked are whole letters of the name.
        assert_eq!(marks("händ", "İ Händ"), ["Händ"]);
        assert_eq!(marks("i", "İx"), ["İ"]);
    }
}
