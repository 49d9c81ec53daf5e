//! Texts line by line.

use super::{
    align::{Run, aligned},
    pairs::paired,
    state::State,
};
use crate::scene::{Text, TextPart};

/// Lines that are kept of one part.
const MAX_LINES: usize = 20_000;
/// Lines around a difference that are kept.
const CONTEXT: usize = 3;
/// Characters of a line that are kept.
const LONGEST: usize = 400;

/// A line on one side or on both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// [`State::Same`], [`State::Added`] or [`State::Gone`].
    pub state: State,
    /// Number of the line on the left, from 1; `None` if the line is missing.
    pub left: Option<usize>,
    /// Number of the line on the right, from 1; `None` if the line is missing.
    pub right: Option<usize>,
    /// The text of the line.
    pub text: String,
}

/// One part of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineDifference {
    /// Title of the part.
    pub title: String,
    /// Lines that differ, with some around them; where numbers are left out, lines are the same.
    pub lines: Vec<Line>,
    /// Number of lines that are only on the right.
    pub added: usize,
    /// Number of lines that are only on the left.
    pub gone: usize,
}

/// Two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextDifference {
    /// The parts that differ.
    pub parts: Vec<LineDifference>,
}

impl TextDifference {
    /// Parts are matched by their titles: of equal titles the first with the first, and so on.
    pub fn of(left: &Text, right: &Text) -> Self {
        let titles = |text: &Text| -> Vec<String> { text.parts.iter().map(|part| part.title.clone()).collect() };
        let compared = paired(&titles(left), &titles(right)).into_iter().map(|(a, b)| {
            let (a, b) = (part_at(left, a), part_at(right, b));
            let title = a.or(b).map(|part| part.title.as_str()).unwrap_or_default();
            compare_lines(title, text_of(a), text_of(b))
        });
        Self { parts: compared.filter(|part| part.added + part.gone > 0).collect() }
    }
}

fn part_at(text: &Text, at: Option<usize>) -> Option<&TextPart> {
    text.parts.get(at?)
}

fn text_of(part: Option<&TextPart>) -> &str {
    part.map(|part| part.text.as_str()).unwrap_or_default()
}

/// Holds two texts against each other.
pub fn compare_lines(title: &str, left: &str, right: &str) -> LineDifference {
    let (of_left, of_right): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let mut found = LineDifference { title: title.to_owned(), ..LineDifference::default() };
    for Run { state, left, right } in aligned(&of_left, &of_right) {
        match state {
            State::Added => found.added += right.len(),
            State::Gone => found.gone += left.len(),
            _ => {}
        }
        match state {
            State::Added => right.for_each(|at| found.push(state, None, Some(at), &of_right)),
            State::Gone => left.for_each(|at| found.push(state, Some(at), None, &of_left)),
            _ => {
                // Of what is the same the ends are shown, next to what differs.
                let count = left.len();
                let before = if left.start == 0 && right.start == 0 { 0 } else { CONTEXT };
                let after = if left.end == of_left.len() && right.end == of_right.len() { 0 } else { CONTEXT };
                for (at, (a, b)) in left.zip(right).enumerate() {
                    if at < before || at + after >= count {
                        found.push(state, Some(a), Some(b), &of_left);
                    }
                }
            }
        }
    }
    found
}

impl LineDifference {
    fn push(&mut self, state: State, left: Option<usize>, right: Option<usize>, lines: &[&str]) {
        let Some(text) = left.or(right).and_then(|at| lines.get(at)) else { return };
        if self.lines.len() < MAX_LINES {
            let text = text.chars().take(LONGEST).collect();
            self.lines.push(Line { state, left: left.map(|at| at + 1), right: right.map(|at| at + 1), text });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Language, LineEnd};

    fn told(left: &str, right: &str) -> Vec<String> {
        let found = compare_lines("", left, right);
        let number = |number: Option<usize>| number.map(|n| n.to_string()).unwrap_or_default();
        found
            .lines
            .iter()
            .map(|l| format!("{} {}|{} {}", l.state.sign(), number(l.left), number(l.right), l.text))
            .collect()
    }

    #[test]
    fn lines_are_the_same_gone_or_added() {
        assert_eq!(told("a\nb\nc", "a\nx\nc\nd"), ["= 1|1 a", "- 2| b", "+ |2 x", "= 3|3 c", "+ |4 d"]);
        assert!(told("a\nb", "a\nb\n").is_empty());
        assert_eq!(told("", "a"), ["+ |1 a"]);
    }

    #[test]
    fn what_is_far_from_differences_is_left_out() {
        let lines = |changed: &str| -> String {
            (0..40).map(|at| if at == 20 { format!("{changed}\n") } else { format!("{at}\n") }).collect()
        };
        let told = told(&lines("old"), &lines("new"));
        let all = [
            "= 18|18 17",
            "= 19|19 18",
            "= 20|20 19",
            "- 21| old",
            "+ |21 new",
            "= 22|22 21",
            "= 23|23 22",
            "= 24|24 23",
        ];
        assert_eq!(told, all);
    }

    #[test]
    fn parts_of_one_title_are_matched_in_their_order() {
        let text = |texts: &[&str]| {
            let parts = texts.iter().map(|text| TextPart::new("State", Language::Plain, *text)).collect();
            Text { name: String::new(), parts, line_end: LineEnd::Lf }
        };
        let found = TextDifference::of(&text(&["a", "b"]), &text(&["a", "c"]));
        assert_eq!(found.parts.iter().map(|part| (part.gone, part.added)).collect::<Vec<_>>(), [(1, 1)]);
        assert_eq!(found.parts[0].lines[0].text, "b");
    }

    #[test]
    fn both_ends_of_a_long_text_may_differ() {
        let lines = |ends: &str| -> String {
            (0..20_000).map(|at| if at % 19_999 == 0 { format!("{ends}\n") } else { format!("{at}\n") }).collect()
        };
        let found = compare_lines("", &lines("old"), &lines("new"));
        assert_eq!((found.gone, found.added, found.lines.len()), (2, 2, 10));
    }

    #[test]
    fn too_much_to_match_is_replaced() {
        let lines = |letter: char| -> String { (0..5000).map(|at| format!("{letter}{at}\n")).collect() };
        let found = compare_lines("", &lines('a'), &lines('b'));
        assert_eq!((found.gone, found.added, found.lines.len()), (5000, 5000, 10_000));
    }
}
