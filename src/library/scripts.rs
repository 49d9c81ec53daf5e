//! Searches the scripts of open files, and shortens the lines that were found.

use super::OpenFile;
use crate::{
    bytes::Cancel,
    formats::{Asset, Content, EntryId, LoadOptions, Role},
    scene::{Language, Text},
};
use std::ops::Range;

/// Bytes of a line that are shown.
const MAX_SHOWN: usize = 240;
/// Of them, what stands before what was found.
const MAX_BEFORE: usize = 80;

/// The piece of a line around what was found, and where that is in the piece. Blanks around the line are left out.
pub fn shortened(line: &str, found: &Range<usize>) -> (String, Range<usize>) {
    let blank = (line.len() - line.trim_start().len()).min(found.start);
    let mut start = blank.max(found.start.saturating_sub(MAX_BEFORE));
    while !line.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = line.len().min((start + MAX_SHOWN).max(found.end.min(found.start + MAX_SHOWN)));
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let (before, after) = (if start > blank { "…" } else { "" }, if end < line.trim_end().len() { "…" } else { "" });
    let piece = line[start..end].trim_end();
    let clean = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let text = format!("{before}{}{after}", clean(piece));
    // A control character takes as many bytes as the blank that stands for it, but for those above 127.
    let at = |byte: usize| {
        let inside = byte.clamp(start, start + piece.len()) - start;
        before.len() + clean(&piece[..inside]).len()
    };
    let shown = at(found.start)..at(found.end);
    (text, shown)
}

/// A search in scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptQuery {
    /// The text to find.
    pub words: String,
    /// Large and small letters differ.
    pub case: bool,
    /// Not as a part of a longer word.
    pub whole_word: bool,
    /// In disassembly too.
    pub code: bool,
}

/// A line of a script that has what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptMatch {
    /// The class, whose text has the line.
    pub entry: EntryId,
    /// Of that text.
    pub part: usize,
    /// From 0.
    pub line: usize,
    /// Into the line, in bytes: what was found first.
    pub found: Range<usize>,
    /// The line, without blanks around it; of a long one the piece around what was found.
    pub text: String,
    /// What was found, into that text.
    pub shown: Range<usize>,
}

impl ScriptQuery {
    /// Returns true if the search is empty.
    pub fn is_empty(&self) -> bool {
        self.words.trim().is_empty()
    }

    /// Returns the first match in a line.
    fn find(&self, line: &str) -> Option<Range<usize>> {
        let needle = self.words.as_bytes();
        let bytes = line.as_bytes();
        let same = |a: u8, b: u8| if self.case { a == b } else { a.eq_ignore_ascii_case(&b) };
        let is_word = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let first = *needle.first()?;
        let last = bytes.len().checked_sub(needle.len())?;
        (0..=last).find_map(|at| {
            let end = at + needle.len();
            let found = same(bytes[at], first) && bytes[at..end].iter().zip(needle).all(|(a, b)| same(*a, *b));
            let alone =
                !self.whole_word || !is_word(at.checked_sub(1).and_then(|i| bytes.get(i))) && !is_word(bytes.get(end));
            (found && alone && line.is_char_boundary(at) && line.is_char_boundary(end)).then_some(at..end)
        })
    }

    /// Every line of the scripts of a file that has it, at most so many; and how many classes were looked at. Blocks: call it on a
    /// worker.
    pub fn search(&self, file: &OpenFile, at_most: usize, cancel: &Cancel) -> (Vec<ScriptMatch>, usize) {
        let mut found = Vec::new();
        let mut classes = 0;
        let outline = file.document.outline();
        for class in outline.entries().iter().filter(|e| e.role == Role::Class && e.content == Content::Text) {
            if cancel.is_cancelled() || found.len() >= at_most {
                break;
            }
            classes += 1;
            // The text that a class was made from is the first part of the class's own, and is read much faster.
            let is_script =
                |id: &&EntryId| outline.get(**id).is_some_and(|e| e.role == Role::Script && e.content == Content::Text);
            let script = outline.children(class.id).iter().find(is_script).filter(|_| !self.code);
            let read = |entry| match file.load(entry, LoadOptions::default(), cancel).ok()?.asset {
                Asset::Text(text) => Some(text),
                _ => None,
            };
            let text = match script.and_then(|script| read(*script)).filter(|text| !is_blank(text)) {
                Some(text) => Some(text),
                None => read(class.id),
            };
            let Some(text) = text else { continue };
            for (part, text) in text.parts.iter().enumerate() {
                let is_searched = part == 0 || text.language != Language::Disassembly || self.code;
                // What is inherited is found where it is stated.
                if is_searched && (text.language == Language::UnrealScript || !text.marks.is_empty()) {
                    self.search_part(class.id, part, &text.text, at_most, &mut found);
                }
            }
        }
        (found, classes)
    }

    fn search_part(&self, entry: EntryId, part: usize, text: &str, at_most: usize, into: &mut Vec<ScriptMatch>) {
        for (line, whole) in text.split('\n').enumerate() {
            if into.len() >= at_most {
                return;
            }
            if let Some(found) = self.find(whole) {
                let (text, shown) = shortened(whole, &found);
                into.push(ScriptMatch { entry, part, line, found, text, shown });
            }
        }
    }
}

fn is_blank(text: &Text) -> bool {
    text.parts.iter().all(|part| part.text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(words: &str) -> ScriptQuery {
        ScriptQuery { words: words.to_owned(), ..ScriptQuery::default() }
    }

    #[test]
    fn a_line_has_words_by_case_and_as_a_whole() {
        let line = "\tif ( Barks > MyBark )";
        assert_eq!(query("bark").find(line), Some(6..10));
        assert_eq!(ScriptQuery { case: true, ..query("bark") }.find(line), None);
        assert_eq!(ScriptQuery { whole_word: true, ..query("bark") }.find(line), None);
        assert_eq!(ScriptQuery { whole_word: true, ..query("MYBARK") }.find(line), Some(14..20));
        assert_eq!(query("( barks").find(line), Some(4..11));
        assert_eq!(query("ä").find("xä"), Some(1..3));
        assert!(query("").find(line).is_none() && query("x").find("").is_none() && query("  ").is_empty());
    }

    #[test]
    fn long_lines_are_shown_around_what_was_found() {
        let piece = |line: &str, words: &str| {
            let (text, shown) = shortened(line, &query(words).find(line).unwrap());
            (text.clone(), text[shown].to_owned())
        };
        assert_eq!(piece("\t\tLog( \"a\tb\" );  ", "log"), ("Log( \"a b\" );".to_owned(), "Log".to_owned()));
        assert_eq!(piece("  x", " "), ("  x".to_owned(), " ".to_owned()));
        let long = format!("{}Needle{}", "ä".repeat(500), "ö".repeat(500));
        let (text, shown) = piece(&long, "needle");
        assert!(text.starts_with('…') && text.ends_with('…') && text.len() < 300 && shown == "Needle", "{text}");
        let needle = "n".repeat(1000);
        let (text, shown) = piece(&needle, &needle);
        assert!(text.len() < 300 && shown.len() > 200);
    }
}
