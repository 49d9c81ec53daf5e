//! A text cut into lines, once.

use crate::scene::Language;
use crate::ui::widgets::code::syntax::comment_after;

/// Where the lines of a text are, and what goes on from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    pub language: Language,
    /// Where each line starts, in bytes; one past the end of the text closes the list.
    starts: Vec<usize>,
    /// Lines that begin within a block comment.
    in_comment: Vec<bool>,
    /// Columns of the longest line.
    pub columns: usize,
}

impl Lines {
    pub fn new(text: &str, language: Language) -> Self {
        let mut lines = Self { language, ..Self::default() };
        let mut open = false;
        let mut at = 0;
        for line in text.split('\n') {
            lines.starts.push(at);
            lines.in_comment.push(open);
            lines.columns = lines.columns.max(columns(line));
            if language != Language::Plain {
                open = comment_after(line, open);
            }
            at += line.len() + 1;
        }
        lines.starts.push(at);
        // A line end closes the last line; it starts no other.
        if text.ends_with('\n') && lines.len() > 1 {
            lines.starts.pop();
            lines.in_comment.pop();
        }
        lines
    }

    pub fn len(&self) -> usize {
        self.in_comment.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a line starts in the text, in bytes.
    pub fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or_default()
    }

    /// A line without its end. `text` is what the lines were made from.
    pub fn line<'a>(&self, text: &'a str, line: usize) -> &'a str {
        let (Some(start), Some(end)) = (self.starts.get(line), self.starts.get(line + 1)) else { return "" };
        text.get(*start..end - 1).unwrap_or_default().trim_end_matches('\r')
    }

    /// The line that a byte of the text lies in.
    pub fn line_at(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte).saturating_sub(1).min(self.len().saturating_sub(1))
    }

    pub fn starts_in_comment(&self, line: usize) -> bool {
        self.in_comment.get(line).copied().unwrap_or_default()
    }
}

/// Columns between two tab stops.
const TAB: usize = 4;

/// Columns that a line takes, tabs drawn out.
fn columns(line: &str) -> usize {
    if line.is_ascii() && !line.contains('\t') {
        return line.trim_end_matches('\r').len();
    }
    line.trim_end_matches('\r').chars().fold(0, |column, c| column + width_of(c, column))
}

fn width_of(c: char, column: usize) -> usize {
    if c == '\t' { TAB - column % TAB } else { 1 }
}

/// A piece of a line with its tabs drawn out to the next stop; `column` is where it starts and, afterwards, ends.
pub fn drawn_out(piece: &str, column: &mut usize) -> String {
    let mut out = String::with_capacity(piece.len());
    for c in piece.chars() {
        let width = width_of(c, *column);
        match c {
            '\t' => out.extend(std::iter::repeat_n(' ', width)),
            c if c.is_control() => out.push('·'),
            c => out.push(c),
        }
        *column += width;
    }
    out
}

/// The column that a byte of a line stands in.
pub fn column_of(line: &str, byte: usize) -> usize {
    let before = line.char_indices().take_while(|(at, _)| *at < byte);
    before.fold(0, |column, (_, c)| column + width_of(c, column))
}

/// The byte of a line that stands in a column, or the line's end.
pub fn byte_at(line: &str, column: usize) -> usize {
    let mut reached = 0;
    for (at, c) in line.char_indices() {
        let width = width_of(c, reached);
        // Nearer to the character's start than to its end.
        if reached + width.div_ceil(2) > column {
            return at;
        }
        reached += width;
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_text() {
        let text = "class A;\r\n\r\n/* b\nc */ d\n";
        let lines = Lines::new(text, Language::UnrealScript);
        let all: Vec<&str> = (0..lines.len()).map(|l| lines.line(text, l)).collect();
        assert_eq!(all, ["class A;", "", "/* b", "c */ d"]);
        assert_eq!((0..4).map(|l| lines.starts_in_comment(l)).collect::<Vec<_>>(), [false, false, false, true]);
        assert_eq!(lines.columns, 8);
        assert_eq!(lines.line_at(text.find('d').unwrap()), 3);
        assert_eq!(lines.line_at(0), 0);
        assert_eq!(lines.line_at(text.len()), 3);
        assert_eq!(lines.line(text, 9), "");
    }

    #[test]
    fn an_empty_text_is_one_empty_line() {
        assert_eq!(Lines::new("", Language::Plain).len(), 1);
        assert_eq!(Lines::new("\n", Language::Plain).len(), 1);
        assert_eq!(Lines::new("a\n\n", Language::Plain).len(), 2);
        assert_eq!(Lines::new("a", Language::Plain).len(), 1);
    }

    #[test]
    fn tabs_reach_the_next_stop() {
        let mut column = 0;
        assert_eq!(drawn_out("\ta\tb", &mut column), "    a   b");
        assert_eq!(column, 9);
        assert_eq!(Lines::new("\ta\tb", Language::Plain).columns, 9);
        assert_eq!(column_of("\ta\tb", 3), 8);
        assert_eq!(byte_at("\ta\tb", 8), 3);
        assert_eq!(byte_at("\ta\tb", 0), 0);
        assert_eq!(byte_at("\ta\tb", 99), 4);
        assert_eq!(byte_at("ä\tb", 1), 2);
    }
}
