//! Words in scripts and texts.

use super::{FileIndex, Query};
use crate::{formats::EntryId, library::scripts::shortened};
use std::ops::Range;

/// A line of a script or text that has what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextHit {
    /// The file that contains the text.
    pub file: FileIndex,
    /// The entry that shows the text.
    pub entry: EntryId,
    /// From 0.
    pub line: usize,
    /// The line, without blanks around it; of a long one the piece around what was found.
    pub text: String,
    /// What was found first, into that text.
    pub shown: Range<usize>,
}

/// Adds the lines of a text that have what a query looks for in texts, until there are `at_most` in all.
pub fn text_hits(query: &Query, file: FileIndex, entry: EntryId, text: &str, at_most: usize, into: &mut Vec<TextHit>) {
    let Some(needle) = query.needle() else { return };
    let bytes = text.as_bytes();
    let (mut from, mut line, mut counted) = (0, 0_usize, 0);
    while into.len() < at_most {
        let rest = aho_corasick::Input::new(text).range(from..text.len());
        let Some(found) = needle.finder.find(rest) else { return };
        let lines = bytes.get(counted..found.start()).unwrap_or_default();
        line = line.saturating_add(lines.iter().filter(|byte| **byte == b'\n').count());
        counted = found.start();
        let start = text.get(..found.start()).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let behind = text.get(found.end()..).unwrap_or_default();
        let end = behind.find('\n').map_or(text.len(), |at| found.end() + at);
        if let Some(whole) = text.get(start..end) {
            let (text, shown) = shortened(whole, &(found.start() - start..found.end() - start));
            into.push(TextHit { file, entry, line, text, shown });
        }
        if end >= text.len() {
            return;
        }
        from = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(words: &str, text: &str, at_most: usize) -> Vec<(usize, String, String)> {
        let mut found = Vec::new();
        text_hits(&Query::of(words), FileIndex(3), EntryId(7), text, at_most, &mut found);
        assert!(found.iter().all(|hit| (hit.file, hit.entry) == (FileIndex(3), EntryId(7))));
        found.into_iter().map(|hit| (hit.line, hit.text.clone(), hit.text[hit.shown].to_owned())).collect()
    }

    #[test]
    fn each_line_is_found_once_with_its_number() {
        let text = "class Dog;\n\n\tBark(); bark();\r\nfunction Bark()\n{\n}";
        let expected = [
            (2, "Bark(); bark();".to_owned(), "Bark".to_owned()),
            (3, "function Bark()".to_owned(), "Bark".to_owned()),
        ];
        assert_eq!(hits("text:BARK", text, 9), expected);
        assert_eq!(hits("text:BARK", text, 1), expected[..1]);
        assert_eq!(hits("text:bark dog", text, 0), []);
        assert_eq!(hits("bark", text, 9), [], "nothing is looked for in texts");
        assert_eq!(hits("text:}", text, 9), [(5, "}".to_owned(), "}".to_owned())]);
        assert_eq!(hits("text:\"class dog\"", text, 9).len(), 1);
    }

    #[test]
    fn hits_of_several_texts_share_one_limit() {
        let mut found = Vec::new();
        for entry in 0..4 {
            text_hits(&Query::of("text:x"), FileIndex(0), EntryId(entry), "x\nx\n", 5, &mut found);
        }
        let places: Vec<_> = found.iter().map(|hit| (hit.entry.0, hit.line)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]);
    }

    #[test]
    fn texts_of_any_kind_are_searched() {
        assert_eq!(hits("text:a", "", 9), []);
        assert_eq!(hits("text:a", "\n\n\n", 9), []);
        let long = format!("{}Needle{}\nneedle", "ä".repeat(5_000), "\u{85}".repeat(5_000));
        let found = hits("text:needle", &long, 9);
        assert_eq!(found.iter().map(|(line, ..)| *line).collect::<Vec<_>>(), [0, 1]);
        assert!(found.iter().all(|(_, text, shown)| text.len() < 400 && shown.eq_ignore_ascii_case("needle")));
        // A letter outside ASCII is found as it was typed.
        assert_eq!(hits("text:Ä", "ä\nÄ", 9).len(), 1);
        // A blank that was looked for.
        assert_eq!(hits("text:\" \"", "a b\n \n", 9).len(), 2);
    }
}
