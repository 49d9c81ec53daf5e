//! Two lists in their order: what is the same in both, gone and added.

use super::state::State;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    ops::Range,
};

/// Comparisons that one alignment takes at most; beyond, all that is on the right takes the place of all that is on the left.
const MAX_WORK: usize = 16 << 20;

/// Elements in a row that are [`State::Same`], [`State::Gone`] or [`State::Added`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub state: State,
    /// Empty for what is added.
    pub left: Range<usize>,
    /// Empty for what is gone.
    pub right: Range<usize>,
}

/// Places on the left and on the right; `None` where there is nothing of the kind.
pub type Pair = (Option<usize>, Option<usize>);

/// The runs of two lists, in order. Equal ends cost nothing; what is large between them is cut at elements that are on each side once.
pub fn aligned<T: Hash + Eq + Ord>(left: &[T], right: &[T]) -> Vec<Run> {
    let mut alignment = Alignment { left, right, work: MAX_WORK, runs: Vec::new() };
    alignment.part(0..left.len(), 0..right.len(), true);
    alignment.runs
}

/// Pairs of places, in order. Of what is gone and added at one place the first takes the place of the first, and so on; with `exact`
/// only where as many are gone as are added.
pub fn pairs(runs: &[Run], exact: bool) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut at = 0;
    while let Some(run) = runs.get(at) {
        let next = runs.get(at + 1).filter(|next| run.state == State::Gone && next.state == State::Added);
        let (left, right) = (run.left.clone(), next.map_or(run.right.clone(), |next| next.right.clone()));
        let is_apart = run.state != State::Same && exact && left.len() != right.len();
        let both = if is_apart { 0 } else { left.len().min(right.len()) };
        let (left_end, right_end) = (left.start + both, right.start + both);
        pairs.extend((left.start..left_end).map(Some).zip((right.start..right_end).map(Some)));
        pairs.extend((left_end..left.end).map(|place| (Some(place), None)));
        pairs.extend((right_end..right.end).map(|place| (None, Some(place))));
        at += if next.is_some() { 2 } else { 1 };
    }
    pairs
}

struct Alignment<'a, T> {
    left: &'a [T],
    right: &'a [T],
    /// What is left of [`MAX_WORK`].
    work: usize,
    runs: Vec<Run>,
}

impl<T: Hash + Eq + Ord> Alignment<'_, T> {
    fn part(&mut self, left: Range<usize>, right: Range<usize>, may_cut: bool) {
        let (of_left, of_right) = (&self.left[left.clone()], &self.right[right.clone()]);
        let start = of_left.iter().zip(of_right).take_while(|(a, b)| a == b).count();
        let most = of_left.len().min(of_right.len()) - start;
        let end = of_left.iter().rev().zip(of_right.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        let (left_start, right_start) = (left.start + start, right.start + start);
        let (left_end, right_end) = (left.end - end, right.end - end);
        self.push(State::Same, left.start..left_start, right.start..right_start);
        self.middle(left_start..left_end, right_start..right_end, may_cut);
        self.push(State::Same, left_end..left.end, right_end..right.end);
    }

    fn middle(&mut self, left: Range<usize>, right: Range<usize>, may_cut: bool) {
        let work = left.len().saturating_mul(right.len());
        if work <= self.work {
            self.work -= work;
            return self.differ(left, right);
        }
        let anchors = if may_cut { self.anchors(left.clone(), right.clone()) } else { Vec::new() };
        if anchors.is_empty() {
            return self.replace(left, right);
        }
        let (mut left_start, mut right_start) = (left.start, right.start);
        for (a, b) in anchors {
            self.part(left_start..a, right_start..b, false);
            self.push(State::Same, a..a + 1, b..b + 1);
            (left_start, right_start) = (a + 1, b + 1);
        }
        self.part(left_start..left.end, right_start..right.end, false);
    }

    fn differ(&mut self, left: Range<usize>, right: Range<usize>) {
        let ops = capture_diff_slices(Algorithm::Myers, &self.left[left.clone()], &self.right[right.clone()]);
        for op in ops {
            let shift = |range: Range<usize>, by: usize| range.start + by..range.end + by;
            let (old, new) = (shift(op.old_range(), left.start), shift(op.new_range(), right.start));
            match op {
                DiffOp::Equal { .. } => self.push(State::Same, old, new),
                DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => self.replace(old, new),
            }
        }
    }

    fn replace(&mut self, left: Range<usize>, right: Range<usize>) {
        self.push(State::Gone, left.clone(), right.start..right.start);
        self.push(State::Added, left.end..left.end, right);
    }

    /// Adds a run; it joins the last one of its state where nothing lies between them.
    fn push(&mut self, state: State, left: Range<usize>, right: Range<usize>) {
        if left.is_empty() && right.is_empty() {
            return;
        }
        match self.runs.last_mut() {
            Some(last) if last.state == state && last.left.end == left.start && last.right.end == right.start => {
                (last.left.end, last.right.end) = (left.end, right.end);
            }
            _ => self.runs.push(Run { state, left, right }),
        }
    }

    /// Places of elements that are on each side once: the longest list of them that ascends on both sides.
    fn anchors(&self, left: Range<usize>, right: Range<usize>) -> Vec<(usize, usize)> {
        let (of_left, of_right) = (once(self.left, left), once(self.right, right));
        let mut common: Vec<(usize, usize)> =
            of_left.into_iter().filter_map(|(element, at)| Some((at?, (*of_right.get(element)?)?))).collect();
        common.sort_unstable();
        // Of each length the chain that ends first on the right, and what comes before an element in its chain.
        let mut ends: Vec<usize> = Vec::new();
        let mut before: Vec<Option<usize>> = Vec::with_capacity(common.len());
        for (at, (_, place)) in common.iter().enumerate() {
            let length = ends.partition_point(|end| common.get(*end).is_some_and(|(_, other)| other < place));
            before.push(length.checked_sub(1).and_then(|last| ends.get(last).copied()));
            match ends.get_mut(length) {
                Some(end) => *end = at,
                None => ends.push(at),
            }
        }
        let chain = std::iter::successors(ends.last().copied(), |at| before.get(*at).copied().flatten());
        let mut chain: Vec<(usize, usize)> = chain.filter_map(|at| common.get(at).copied()).collect();
        chain.reverse();
        chain
    }
}

/// Where elements are; `None` for those that are there more than once.
fn once<T: Hash + Eq>(all: &[T], within: Range<usize>) -> HashMap<&T, Option<usize>> {
    let mut places = HashMap::with_capacity(within.len());
    for (at, element) in all.iter().enumerate().take(within.end).skip(within.start) {
        match places.entry(element) {
            Entry::Vacant(free) => drop(free.insert(Some(at))),
            Entry::Occupied(mut known) => drop(known.insert(None)),
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(left: &[u32], right: &[u32]) -> Vec<(&'static str, Range<usize>, Range<usize>)> {
        aligned(left, right).into_iter().map(|run| (run.state.sign(), run.left, run.right)).collect()
    }

    #[test]
    fn runs_are_the_same_gone_or_added() {
        assert_eq!(told(&[1, 2, 3], &[1, 9, 2, 3]), [("=", 0..1, 0..1), ("+", 1..1, 1..2), ("=", 1..3, 2..4)]);
        assert_eq!(told(&[1, 2], &[1]), [("=", 0..1, 0..1), ("-", 1..2, 1..1)]);
        assert!(told(&[], &[]).is_empty());
    }

    #[test]
    fn what_is_large_is_cut_where_elements_are_there_once() {
        // 100,000 on each side, the first and the last of them changed, one more in the middle: 10¹⁰ comparisons without cuts.
        let left: Vec<u32> = (0..100_000).collect();
        let mut right = left.clone();
        (right[0], right[99_999]) = (500_000, 500_001);
        right.insert(50_000, 500_002);
        let wanted = [
            ("-", 0..1, 0..0),
            ("+", 1..1, 0..1),
            ("=", 1..50_000, 1..50_000),
            ("+", 50_000..50_000, 50_000..50_001),
            ("=", 50_000..99_999, 50_001..100_000),
            ("-", 99_999..100_000, 100_000..100_000),
            ("+", 100_000..100_000, 100_000..100_001),
        ];
        assert_eq!(told(&left, &right), wanted);
        // No element is there once: the ends alone are the same.
        let (left, right) = (vec![1; 10_000], [vec![2; 9_999], vec![1]].concat());
        assert_eq!(
            told(&left, &right),
            [("-", 0..9_999, 0..0), ("+", 9_999..9_999, 0..9_999), ("=", 9_999..10_000, 9_999..10_000)]
        );
    }

    #[test]
    fn what_is_gone_and_added_at_one_place_is_paired() {
        let told = |left: &[u32], right: &[u32], exact| pairs(&aligned(left, right), exact);
        let all = [(Some(0), Some(0)), (Some(1), Some(1)), (Some(2), None), (Some(3), Some(2))];
        assert_eq!(told(&[1, 2, 3, 4], &[1, 8, 4], false), all);
        let all = [(Some(0), Some(0)), (Some(1), None), (Some(2), None), (None, Some(1)), (Some(3), Some(2))];
        assert_eq!(told(&[1, 2, 3, 4], &[1, 8, 4], true), all);
        assert_eq!(told(&[1, 2], &[1, 3], true), [(Some(0), Some(0)), (Some(1), Some(1))]);
    }
}
