//! What is typed to find something, taken apart the same way everywhere; and words in texts, whatever their case.

use std::ops::Range;

/// Characters of a filter that count. Fields take no more.
pub const MAX_CHARS: usize = 1_000;

/// Words of a filter that count: every row is compared with each of them.
pub const MAX_TERMS: usize = 32;

/// A word or a phrase as it was typed: `-in:"my folder"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typed<'a> {
    /// It begins with `-`: what has it is left out.
    pub excludes: bool,
    /// The field with its colon, for example `in:`; `None` for a word.
    pub field: Option<&'static str>,
    /// May be empty: it is still being typed.
    pub word: &'a str,
    /// It stood in quotes: nothing in it has another meaning.
    pub is_quoted: bool,
}

/// Takes what was typed apart. Any text can be; `fields` are what words may be asked of, in small letters with their colon.
pub fn typed<'a>(filter: &'a str, fields: &'static [&'static str]) -> impl Iterator<Item = Typed<'a>> + use<'a> {
    let end = filter.char_indices().nth(MAX_CHARS).map_or(filter.len(), |(at, _)| at);
    let mut rest = filter.get(..end).unwrap_or(filter).trim_start();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (excludes, behind) = match rest.strip_prefix('-') {
            Some(behind) => (true, behind),
            None => (false, rest),
        };
        let of_field = fields.iter().find_map(|field| Some((*field, after(behind, field)?)));
        let (field, behind) = of_field.map_or((None, behind), |(field, behind)| (Some(field), behind));
        let (word, is_quoted, behind) = match behind.strip_prefix('"') {
            Some(phrase) => {
                let (word, behind) = phrase.split_once('"').unwrap_or((phrase, ""));
                (word, true, behind)
            }
            None => {
                let (word, behind) = behind.split_at(behind.find(char::is_whitespace).unwrap_or(behind.len()));
                (word, false, behind)
            }
        };
        rest = behind.trim_start();
        Some(Typed { excludes, field, word, is_quoted })
    })
}

/// What follows a word, whatever its case.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| text.get(word.len()..)).flatten()
}

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
pub fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Returns the byte ranges of words in a text, ascending and without overlaps.
pub fn marks<'a>(text: &str, words: impl Iterator<Item = &'a str>) -> Vec<Range<usize>> {
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
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in words {
        for (at, _) in lower.match_indices(word) {
            let ends = (letters.get(at), letters.get((at + word.len()).saturating_sub(1)));
            if let (Some(first), Some(last)) = ends {
                found.push(first.start..last.end);
            }
        }
    }
    apart(found)
}

/// Ranges in their order, those that touch made one.
pub fn apart(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for mark in ranges {
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
