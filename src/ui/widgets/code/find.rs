//! Finding a word in the parts of a text.

use crate::ui::widgets::code::Lines;

/// A place where the searched word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    pub part: usize,
    /// From 0.
    pub line: usize,
    /// Bytes of the line.
    pub start: usize,
    pub end: usize,
}

/// A search over a text, kept until the word or the text changes.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub query: String,
    /// In the order of parts and lines.
    pub matches: Vec<Match>,
    /// The match that is gone to, an index.
    pub current: Option<usize>,
    done_for: Option<(String, u64)>,
}

/// Matches kept; a search that finds more says so.
pub const MAX_MATCHES: usize = 100_000;

impl Search {
    /// Looks for the query again when it or the text changed; `true` when it did.
    pub fn update(&mut self, parts: &[(&str, &Lines)], generation: u64) -> bool {
        let wanted = (self.query.clone(), generation);
        if self.done_for.as_ref() == Some(&wanted) {
            return false;
        }
        self.done_for = Some(wanted);
        self.current = None;
        self.matches.clear();
        let needle: Vec<u8> = self.query.bytes().map(|b| b.to_ascii_lowercase()).collect();
        if needle.is_empty() {
            return true;
        }
        for (part, (text, lines)) in parts.iter().enumerate() {
            for start in occurrences(text.as_bytes(), &needle) {
                if self.matches.len() == MAX_MATCHES {
                    return true;
                }
                let line = lines.line_at(start);
                let column = start - lines.start(line);
                self.matches.push(Match { part, line, start: column, end: column + needle.len() });
            }
        }
        true
    }

    /// Goes this many matches on, around the end; the first time to the first one.
    pub fn go(&mut self, by: isize) -> Option<Match> {
        let count = self.matches.len() as isize;
        if count == 0 {
            return None;
        }
        let next = match self.current {
            Some(at) => (at as isize + by).rem_euclid(count),
            None if by < 0 => count - 1,
            None => 0,
        };
        self.current = Some(next as usize);
        self.shown()
    }

    /// The match that is gone to.
    pub fn shown(&self) -> Option<Match> {
        self.matches.get(self.current?).copied()
    }

    /// The matches in a line of a part.
    pub fn in_line(&self, part: usize, line: usize) -> &[Match] {
        let from = self.matches.partition_point(|m| (m.part, m.line) < (part, line));
        let to = self.matches.partition_point(|m| (m.part, m.line) <= (part, line));
        &self.matches[from..to]
    }
}

/// Where `needle` (small ASCII letters) stands in `text`, without regard to the case of ASCII letters, one after the other.
fn occurrences<'a>(text: &'a [u8], needle: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = needle.first().copied().unwrap_or_default();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at + needle.len() <= text.len() {
            let here = at;
            at += 1;
            if text[here].to_ascii_lowercase() == first
                && text[here..here + needle.len()].iter().zip(needle).all(|(a, b)| a.to_ascii_lowercase() == *b)
            {
                at = here + needle.len();
                return Some(here);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Language;

    fn search(query: &str, texts: &[&str]) -> Search {
        let lines: Vec<Lines> = texts.iter().map(|t| Lines::new(t, Language::Plain)).collect();
        let parts: Vec<(&str, &Lines)> = texts.iter().copied().zip(&lines).collect();
        let mut search = Search { query: query.to_owned(), ..Search::default() };
        assert!(search.update(&parts, 1));
        assert!(!search.update(&parts, 1));
        search
    }

    #[test]
    fn matches_are_found_in_all_parts_and_gone_through_around_the_end() {
        let mut search = search("ab", &["Ab x\ny ab", "nothing", "aab"]);
        let found: Vec<_> = search.matches.iter().map(|m| (m.part, m.line, m.start)).collect();
        assert_eq!(found, [(0, 0, 0), (0, 1, 2), (2, 0, 1)]);
        assert_eq!(search.go(1).unwrap().line, 0);
        assert_eq!(search.go(-1).unwrap().part, 2);
        assert_eq!(search.go(1).unwrap().part, 0);
        assert_eq!(search.in_line(0, 1).len(), 1);
        assert_eq!(search.in_line(1, 0).len(), 0);
    }

    #[test]
    fn matches_do_not_overlap_and_an_empty_word_is_nowhere() {
        assert_eq!(search("aa", &["aaaa"]).matches.len(), 2);
        assert_eq!(search("", &["aaaa"]).matches.len(), 0);
        assert!(search("", &["a"]).go(1).is_none());
        assert_eq!(search("é", &["É é"]).matches.len(), 1);
    }
}
