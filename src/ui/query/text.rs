//! Words in texts, whatever their case.

use std::ops::Range;

/// Whether a text has a word in it, whatever its case. The word is in lower case, letter by letter. Nothing is allocated: filters
/// ask this of every row.
pub fn contains(text: &str, word: &str) -> bool {
    if !text.is_ascii() {
        return text.char_indices().any(|(at, _)| begins(text.get(at..).unwrap_or_default(), word));
    }
    let Some(first) = word.bytes().next() else { return true };
    let word = word.as_bytes();
    let may_start = |byte: &u8| byte.to_ascii_lowercase() == first;
    text.as_bytes()
        .windows(word.len())
        .any(|part| part.first().is_some_and(may_start) && part.eq_ignore_ascii_case(word))
}

fn begins(text: &str, word: &str) -> bool {
    let mut letters = text.chars().flat_map(char::to_lowercase);
    word.chars().all(|letter| letters.next() == Some(letter))
}

/// A text in lower case, letter by letter: what stands around a letter does not matter.
pub(super) fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Where words occur in a text, in bytes: in their order, apart from each other.
pub(super) fn marks<'a>(text: &str, words: impl Iterator<Item = &'a str>) -> Vec<Range<usize>> {
    // Lower case may have another length, so each of its letters knows the letter that it came from.
    let mut lower = String::with_capacity(text.len());
    let mut letters: Vec<Range<usize>> = Vec::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let from = at..at + letter.len_utf8();
        for small in letter.to_lowercase() {
            lower.push(small);
            letters.extend(std::iter::repeat_n(from.clone(), small.len_utf8()));
        }
    }
    let mut marks: Vec<Range<usize>> = Vec::new();
    for word in words {
        for (at, _) in lower.match_indices(word) {
            let ends = (letters.get(at), letters.get((at + word.len()).saturating_sub(1)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_their_case() {
        assert!(contains("Hand_L", "hand") && contains("Hand_L", "_l") && contains("x", ""));
        assert!(!contains("Hand", "hands") && !contains("", "a"));
        assert!(contains("ÄRMEL", "ärm") && contains("Büro 12", "12") && !contains("ÄRMEL", "arm"));
        assert!(contains("ΟΔΟΣ", &lower("οδΟΣ")));
    }

    #[test]
    fn marks_are_where_the_words_are_and_do_not_overlap() {
        let marks = |words: &str, text: &str| -> Vec<String> {
            marks(text, words.split(' ')).into_iter().map(|range| text[range].to_owned()).collect()
        };
        assert_eq!(marks("ab ba", "xABAy"), ["ABA"]);
        assert_eq!(marks("a", "banana"), ["a", "a", "a"]);
        assert_eq!(marks("bone", "Spine"), [""; 0]);
        // Lower case of İ is two letters; what is marked are whole letters of the name.
        assert_eq!(marks("händ", "İ Händ"), ["Händ"]);
        assert_eq!(marks("i", "İx"), ["İ"]);
    }
}
