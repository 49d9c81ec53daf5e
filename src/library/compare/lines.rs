//! Texts line by line.

use super::state::State;
use crate::scene::Text;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Lines that are kept of one part.
const MOST_LINES: usize = 20_000;
/// Lines around a difference that are kept.
const CONTEXT: usize = 3;
/// Where the lines that differ on the left times those on the right are more, the ones take the place of the others.
const MOST_WORK: usize = 16 << 20;
/// Characters of a line that are kept.
const LONGEST: usize = 400;

/// A line on one side or on both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// [`State::Same`], [`State::Added`] or [`State::Gone`].
    pub state: State,
    /// Number of the line on each side, from 1.
    pub left: Option<usize>,
    pub right: Option<usize>,
    pub text: String,
}

/// One part of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineDifference {
    pub title: String,
    /// Lines that differ, with some around them; where numbers are left out, lines are the same.
    pub lines: Vec<Line>,
    pub added: usize,
    pub gone: usize,
}

/// Two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextDifference {
    /// The parts that differ.
    pub parts: Vec<LineDifference>,
}

impl TextDifference {
    /// Parts are matched by their titles.
    pub fn of(left: &Text, right: &Text) -> Self {
        let text = |of: &'_ Text, title: &str| -> String {
            of.parts.iter().find(|part| part.title == title).map(|part| part.text.clone()).unwrap_or_default()
        };
        let mut titles: Vec<&str> = Vec::new();
        for part in left.parts.iter().chain(&right.parts) {
            if !titles.contains(&part.title.as_str()) {
                titles.push(&part.title);
            }
        }
        let parts = titles.into_iter().map(|title| compare_lines(title, &text(left, title), &text(right, title)));
        Self { parts: parts.filter(|part| part.added + part.gone > 0).collect() }
    }
}

/// Holds two texts against each other.
pub fn compare_lines(title: &str, left: &str, right: &str) -> LineDifference {
    let (of_left, of_right): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let mut found = LineDifference { title: title.to_owned(), ..LineDifference::default() };
    for (state, left, right) in runs(&of_left, &of_right) {
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
        if self.lines.len() < MOST_LINES {
            let text = text.chars().take(LONGEST).collect();
            self.lines.push(Line { state, left: left.map(|at| at + 1), right: right.map(|at| at + 1), text });
        }
    }
}

type Run = (State, std::ops::Range<usize>, std::ops::Range<usize>);

/// Runs of lines that are the same, gone or added, in order.
fn runs(left: &[&str], right: &[&str]) -> Vec<Run> {
    let start = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let most = left.len().min(right.len()) - start;
    let end = left.iter().rev().zip(right.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let (left_end, right_end) = (left.len() - end, right.len() - end);
    let mut runs = vec![(State::Same, 0..start, 0..start)];
    let (of_left, of_right) = (&left[start..left_end], &right[start..right_end]);
    if of_left.len().saturating_mul(of_right.len()) > MOST_WORK {
        runs.push((State::Gone, start..left_end, start..start));
        runs.push((State::Added, left_end..left_end, start..right_end));
    } else {
        for op in capture_diff_slices(Algorithm::Myers, of_left, of_right) {
            let (old, new) = (op.old_range(), op.new_range());
            let (old, new) = (old.start + start..old.end + start, new.start + start..new.end + start);
            match op {
                DiffOp::Equal { .. } => runs.push((State::Same, old, new)),
                DiffOp::Delete { .. } => runs.push((State::Gone, old, new)),
                DiffOp::Insert { .. } => runs.push((State::Added, old, new)),
                DiffOp::Replace { .. } => {
                    let (old_end, new_start) = (old.end, new.start);
                    runs.push((State::Gone, old, new_start..new_start));
                    runs.push((State::Added, old_end..old_end, new));
                }
            }
        }
    }
    runs.push((State::Same, left_end..left.len(), right_end..right.len()));
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn too_much_to_match_is_replaced() {
        let lines = |letter: char| -> String { (0..5000).map(|at| format!("{letter}{at}\n")).collect() };
        let found = compare_lines("", &lines('a'), &lines('b'));
        assert_eq!((found.gone, found.added, found.lines.len()), (5000, 5000, 10_000));
    }
}
