//! Letters for pictures that are drawn without a window: five pixels wide at most and seven high, with two below the line.

/// Pixels of a line.
pub const HEIGHT: u32 = 9;

/// Columns of a letter in the table, the last of which is empty.
const COLUMNS: usize = 6;
/// Letters in a row of the table.
const A_ROW: usize = 16;
const FIRST: char = ' ';
/// The letters from [`FIRST`] to `~` and a sign for sizes, 16 in a row: `#` is ink.
const TABLE: &str = include_str!("glyphs.txt");
/// The sign after `~`.
const TIMES: (char, usize) = ('×', 95);
/// Stands for letters that are not in the table.
const UNKNOWN: char = '?';
/// Pixels of a space.
const SPACE: u32 = 3;

/// The rows of a letter, and how many pixels wide it is.
fn glyph(letter: char) -> (impl Iterator<Item = &'static [u8]>, u32) {
    let place = |letter: char| match letter {
        letter if letter == TIMES.0 => Some(TIMES.1),
        ' '..='~' => Some(letter as usize - FIRST as usize),
        _ => None,
    };
    let index = place(letter).or(place(UNKNOWN)).unwrap_or_default();
    let rows = move || {
        TABLE.lines().skip(index / A_ROW * HEIGHT as usize).take(HEIGHT as usize).map(move |row| {
            let start = index % A_ROW * COLUMNS;
            row.as_bytes().get(start..start + COLUMNS).unwrap_or_default()
        })
    };
    let inked = rows().filter_map(|row| row.iter().rposition(|dot| *dot == b'#')).max();
    (rows(), inked.map_or(SPACE, |last| last as u32 + 1))
}

/// Pixels of a line from its first to its last.
pub fn width_of(line: &str) -> u32 {
    line.chars().map(|letter| glyph(letter).1 + 1).sum::<u32>().saturating_sub(1)
}

/// The line, or as much of it as fits with dots at its end.
pub fn fitted(line: &str, width: u32) -> String {
    if width_of(line) <= width {
        return line.to_owned();
    }
    let mut cut: String = line.to_owned();
    while cut.pop().is_some() {
        let shown = format!("{}...", cut.trim_end());
        if width_of(&shown) <= width {
            return shown;
        }
    }
    String::new()
}

/// Calls for each pixel of a line that has ink, counted from its top left.
pub fn draw(line: &str, mut ink: impl FnMut(u32, u32)) {
    let mut left = 0;
    for letter in line.chars() {
        let (rows, width) = glyph(letter);
        for (y, row) in (0..).zip(rows) {
            for x in (0..).zip(row).filter(|(_, dot)| **dot == b'#').map(|(x, _)| x) {
                ink(left + x, y);
            }
        }
        left += width + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn dots(line: &str) -> BTreeSet<(u32, u32)> {
        let mut found = BTreeSet::new();
        draw(line, |x, y| {
            found.insert((x, y));
        });
        found
    }

    #[test]
    fn every_letter_is_another() {
        let letters: Vec<char> = ('!'..='~').chain(['×']).collect();
        let shapes: BTreeSet<_> = letters.iter().map(|letter| dots(&letter.to_string())).collect();
        assert_eq!(shapes.len(), letters.len());
        assert!(
            TABLE.lines().all(|row| row.len() <= A_ROW * COLUMNS && row.bytes().all(|dot| matches!(dot, b'#' | b'.')))
        );
        assert_eq!(TABLE.lines().count(), 6 * HEIGHT as usize);
        assert_eq!(dots("ß"), dots("?"));
        assert!(dots(" ").is_empty());
    }

    #[test]
    fn lines_are_as_wide_as_they_are_drawn_and_long_ones_are_cut() {
        assert_eq!((width_of(""), width_of("I"), width_of("II")), (0, 3, 7));
        let line = "Walk_Forward (2) 64 × 32";
        let right = dots(line).iter().map(|(x, _)| *x).max().unwrap();
        assert_eq!(right + 1, width_of(line));
        assert!(dots(line).iter().all(|(_, y)| *y < HEIGHT));
        assert_eq!(fitted(line, 1_000), line);
        let cut = fitted(line, 60);
        assert!(cut.ends_with("...") && width_of(&cut) <= 60 && cut.len() > 6, "{cut}");
        assert_eq!(fitted(line, 2), "");
    }
}
