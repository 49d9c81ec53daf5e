//! What the pieces of a line are: comments, strings, keywords.

use crate::scene::{Language, SCRIPT_KEYWORDS, SCRIPT_TYPES};
use egui::Color32;
use std::ops::Range;

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    Comment,
    Text,
    /// A name in quotes: `'Weapon'`.
    Name,
    Number,
    Keyword,
    Type,
    Label,
    /// `#exec` and its like.
    Directive,
    /// Where a line of a disassembly stands.
    Offset,
    /// What it does.
    Operation,
}

impl Kind {
    pub fn color(self, dark: bool, plain: Color32) -> Color32 {
        let (on_dark, on_light) = match self {
            Self::Plain => return plain,
            Self::Comment => ([0x7d, 0x8a, 0x6e], [0x5d, 0x72, 0x4b]),
            Self::Text => ([0xd9, 0xa3, 0x78], [0x9a, 0x4a, 0x12]),
            Self::Name => ([0xd8, 0x8f, 0xa8], [0xa3, 0x2f, 0x5c]),
            Self::Number => ([0xb5, 0xce, 0x9a], [0x2f, 0x6b, 0x2a]),
            Self::Keyword => ([0x86, 0xb4, 0xe8], [0x1c, 0x55, 0xa6]),
            Self::Type => ([0x6f, 0xc6, 0xb8], [0x0d, 0x6e, 0x68]),
            Self::Label => ([0xe3, 0xc0, 0x5a], [0x8a, 0x64, 0x00]),
            Self::Directive => ([0xb8, 0x9d, 0xe0], [0x6b, 0x3f, 0xa8]),
            Self::Offset => ([0x82, 0x7f, 0x79], [0x7a, 0x76, 0x6e]),
            Self::Operation => ([0x86, 0xb4, 0xe8], [0x1c, 0x55, 0xa6]),
        };
        let [r, g, b] = if dark { on_dark } else { on_light };
        Color32::from_rgb(r, g, b)
    }
}

/// A piece of a line, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub range: Range<usize>,
    pub kind: Kind,
}

/// The pieces of a line that follow one another without a gap, and whether a block comment is still open after it.
pub fn spans(language: Language, line: &str, in_comment: bool) -> (Vec<Span>, bool) {
    if language == Language::Plain {
        return (vec![Span { range: 0..line.len(), kind: Kind::Plain }], false);
    }
    let mut scan = Scan { line, at: 0, spans: Vec::new() };
    let open = scan.run(language, in_comment);
    (scan.spans, open)
}

/// Whether a block comment is open after a line, without the pieces.
pub fn comment_after(line: &str, mut open: bool) -> bool {
    // Most lines of most texts hold neither.
    if !open && !line.contains("/*") {
        return false;
    }
    let mut rest = line;
    loop {
        if open {
            let Some(end) = rest.find("*/") else { return true };
            rest = &rest[end + 2..];
            open = false;
            continue;
        }
        let mut chars = rest.char_indices().peekable();
        let mut found = None;
        while let Some((at, c)) = chars.next() {
            match c {
                '/' if rest[at..].starts_with("//") => return false,
                '/' if rest[at..].starts_with("/*") => {
                    found = Some(at + 2);
                    break;
                }
                '"' => {
                    while let Some((_, c)) = chars.next() {
                        match c {
                            '\\' => drop(chars.next()),
                            '"' => break,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        let Some(at) = found else { return false };
        rest = &rest[at..];
        open = true;
    }
}

struct Scan<'a> {
    line: &'a str,
    at: usize,
    spans: Vec<Span>,
}

impl Scan<'_> {
    fn run(&mut self, language: Language, in_comment: bool) -> bool {
        if in_comment && self.block_comment(0) {
            return true;
        }
        if !in_comment && language == Language::Disassembly {
            self.disassembly_head();
        }
        let mut first = !in_comment;
        while let Some(c) = self.peek() {
            let start = self.at;
            if self.rest().starts_with("//") {
                self.take(self.line.len(), Kind::Comment);
                return false;
            }
            if self.rest().starts_with("/*") {
                if self.block_comment(2) {
                    return true;
                }
                continue;
            }
            match c {
                '"' => self.quoted('"', Kind::Text),
                '\'' => self.quoted('\'', Kind::Name),
                '#' if first => self.take(self.line.len(), Kind::Directive),
                _ if c.is_ascii_digit() => self.number(),
                _ if c.is_alphabetic() || c == '_' => self.word(first),
                _ => self.take(start + c.len_utf8(), Kind::Plain),
            }
            first &= c.is_whitespace();
        }
        false
    }

    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Everything up to `end` is of one kind; neighbours of one kind are joined.
    fn take(&mut self, end: usize, kind: Kind) {
        match self.spans.last_mut() {
            Some(last) if last.kind == kind => last.range.end = end,
            _ => self.spans.push(Span { range: self.at..end, kind }),
        }
        self.at = end;
    }

    /// Takes a comment whose opening is `opening` bytes long; `true` when it goes on in the next line.
    fn block_comment(&mut self, opening: usize) -> bool {
        let end = self.rest()[opening..].find("*/").map(|at| self.at + opening + at + 2);
        self.take(end.unwrap_or(self.line.len()), Kind::Comment);
        end.is_none()
    }

    fn quoted(&mut self, quote: char, kind: Kind) {
        let mut chars = self.rest().char_indices().skip(1);
        let mut end = self.line.len();
        while let Some((at, c)) = chars.next() {
            if c == '\\' && quote == '"' {
                chars.next();
            } else if c == quote {
                end = self.at + at + 1;
                break;
            }
        }
        self.take(end, kind);
    }

    fn number(&mut self) {
        let length = self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(self.rest().len());
        self.take(self.at + length, Kind::Number);
    }

    fn word(&mut self, first: bool) {
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let word = rest[..length].to_ascii_lowercase();
        let after = &rest[length..];
        // `Begin:` is a label, `Super::` would be none, `default:` belongs to a switch.
        let labels = first && after.starts_with(':') && !after.starts_with("::") && word != "default";
        // `Int=3` sets a property that is called as a type is.
        let sets = after.starts_with('=') && !after.starts_with("==");
        let kind = if labels {
            Kind::Label
        } else if sets {
            Kind::Plain
        } else if SCRIPT_KEYWORDS.binary_search(&word.as_str()).is_ok() {
            Kind::Keyword
        } else if [SCRIPT_TYPES, TYPES].iter().any(|words| words.binary_search(&word.as_str()).is_ok()) {
            Kind::Type
        } else {
            Kind::Plain
        };
        self.take(self.at + length, kind);
    }

    /// `  0010  Let  …`: the offset and the operation.
    fn disassembly_head(&mut self) {
        let indent = self.line.len() - self.line.trim_start().len();
        let digits = self.line[indent..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(0);
        if indent == 0 || digits < 4 || !self.line[indent + digits..].starts_with("  ") {
            return;
        }
        self.take(indent + digits, Kind::Offset);
        let blank = self.rest().len() - self.rest().trim_start().len();
        self.take(self.at + blank, Kind::Plain);
        let word = self.rest().find(' ').unwrap_or(self.rest().len());
        self.take(self.at + word, Kind::Operation);
    }
}

/// Names of common classes and structures, which are coloured like the built-in types. In alphabetical order.
const TYPES: &[&str] = &[
    "actor", "button", "color", "coords", "guid", "map", "object", "plane", "pointer", "quat", "rotator", "scale",
    "vector",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(language: Language, line: &str) -> Vec<(&str, Kind)> {
        let (spans, _) = spans(language, line, false);
        let mut at = 0;
        for span in &spans {
            assert_eq!(span.range.start, at, "a gap in {line:?}");
            at = span.range.end;
        }
        assert_eq!(at, line.len());
        spans
            .into_iter()
            .filter(|s| !line[s.range.clone()].trim().is_empty() && s.kind != Kind::Plain)
            .map(|s| (&line[s.range], s.kind))
            .collect()
    }

    #[test]
    fn word_lists_are_in_order() {
        assert!([SCRIPT_KEYWORDS, SCRIPT_TYPES, TYPES].iter().all(|words| words.is_sorted()));
    }

    #[test]
    fn a_line_of_script_falls_into_its_pieces() {
        assert_eq!(
            kinds(Language::UnrealScript, "var(Display) Int Count; // how many"),
            [("var", Kind::Keyword), ("Int", Kind::Type), ("// how many", Kind::Comment)]
        );
        assert_eq!(
            kinds(Language::UnrealScript, r#"  Log("a \"b\" // c" $ 1.5f, 'Tag'); /* x */ if"#),
            [
                (r#""a \"b\" // c""#, Kind::Text),
                ("1.5f", Kind::Number),
                ("'Tag'", Kind::Name),
                ("/* x */", Kind::Comment),
                ("if", Kind::Keyword)
            ]
        );
        assert_eq!(kinds(Language::UnrealScript, "Begin:"), [("Begin", Kind::Label)]);
        assert_eq!(kinds(Language::UnrealScript, "  Int=3"), [("3", Kind::Number)]);
        assert_eq!(kinds(Language::UnrealScript, "  default:"), [("default", Kind::Keyword)]);
        assert_eq!(kinds(Language::UnrealScript, "#exec OBJ LOAD"), [("#exec OBJ LOAD", Kind::Directive)]);
        assert_eq!(kinds(Language::Plain, "if // no"), []);
    }

    #[test]
    fn a_line_of_disassembly_starts_with_offset_and_operation() {
        assert_eq!(
            kinds(Language::Disassembly, "  00A4  JumpIfNot  L_00C0  bReady == True"),
            [("  00A4", Kind::Offset), ("JumpIfNot", Kind::Operation), ("True", Kind::Keyword)]
        );
        assert_eq!(kinds(Language::Disassembly, "L_00C0:"), [("L_00C0", Kind::Label)]);
    }

    #[test]
    fn comments_go_on_over_lines() {
        for (line, open, after) in [
            ("a /* b", false, true),
            ("still */ c /* d */ e", true, false),
            ("// /* no", false, false),
            (r#"s = "/*";"#, false, false),
            ("*/ /*", true, true),
            ("plain", true, true),
            ("", true, true),
        ] {
            assert_eq!(spans(Language::UnrealScript, line, open).1, after, "{line:?}");
            assert_eq!(comment_after(line, open), after, "{line:?}");
        }
    }

    #[test]
    fn nothing_breaks_within_a_character() {
        for line in ["\"手", "'ä", "/* ß", "手: ä", "x手y 1手", "\"\\手\" é", "  00A4  手"] {
            for language in [Language::UnrealScript, Language::Disassembly] {
                let _ = kinds(language, line);
            }
        }
    }
}
