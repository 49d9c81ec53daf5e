//! A line with something found in it, short enough to be shown.

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
