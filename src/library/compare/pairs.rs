//! Which row of one table is held against which of another.

use super::{
    align::{Pair, aligned, pairs},
    side::{Side, Work},
    values::{of_field, of_key},
};
use crate::formats::{Field, Table};
use std::{collections::HashMap, hash::Hash};

/// One of two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    Left,
    Right,
}

/// Two lists by their keys: of equal keys the first with the first, and so on. Each element stands in one pair. Pairs are in the order of
/// the left; what is only on the right stands before what it precedes there.
pub fn paired<K: Hash + Eq>(left: &[K], right: &[K]) -> Vec<Pair> {
    paired_by(left, right, |_, _| None)
}

/// As [`paired`]; where a key stands several times, elements of the same content are paired first. `content` is asked of those alone.
pub fn paired_by<K: Hash + Eq>(
    left: &[K],
    right: &[K],
    mut content: impl FnMut(Hand, usize) -> Option<u64>,
) -> Vec<Pair> {
    let mut places: HashMap<&K, (Vec<usize>, Vec<usize>)> = HashMap::with_capacity(right.len());
    for (at, key) in left.iter().enumerate() {
        places.entry(key).or_default().0.push(at);
    }
    for (at, key) in right.iter().enumerate() {
        places.entry(key).or_default().1.push(at);
    }
    let mut matched: Vec<Option<usize>> = vec![None; left.len()];
    let mut is_matched = vec![false; right.len()];
    let mut join = |a: Option<&usize>, b: Option<&usize>| {
        if let (Some(a), Some(b)) = (a, b)
            && let (Some(own), Some(is_matched)) = (matched.get_mut(*a), is_matched.get_mut(*b))
        {
            (*own, *is_matched) = (Some(*b), true);
        }
    };
    // In the order of the left, so that what contents cost is spent in one order.
    for key in left {
        let Some((of_left, of_right)) = places.remove(key) else { continue };
        if of_left.len() == 1 && of_right.len() == 1 {
            join(of_left.first(), of_right.first());
            continue;
        }
        let contents = |places: &[usize], hand: Hand, content: &mut dyn FnMut(Hand, usize) -> Option<u64>| {
            if of_right.is_empty() {
                Vec::new()
            } else {
                places.iter().map(|at| content(hand, *at)).collect::<Vec<_>>()
            }
        };
        let own = contents(&of_left, Hand::Left, &mut content);
        let others = contents(&of_right, Hand::Right, &mut content);
        for (a, b) in pairs(&aligned(&own, &others), false) {
            join(a.and_then(|a| of_left.get(a)), b.and_then(|b| of_right.get(b)));
        }
    }
    in_order(&matched, &is_matched)
}

/// Pairs in the order of the left, with what is alone on the right among them.
fn in_order(matched: &[Option<usize>], is_matched: &[bool]) -> Vec<Pair> {
    let mut alone = is_matched.iter().enumerate().filter(|(_, is_matched)| !**is_matched).map(|(at, _)| at).peekable();
    let mut pairs = Vec::with_capacity(matched.len().max(is_matched.len()));
    for (at, other) in matched.iter().enumerate() {
        if let Some(other) = other {
            while let Some(before) = alone.next_if(|before| before < other) {
                pairs.push((None, Some(before)));
            }
        }
        pairs.push((Some(at), *other));
    }
    pairs.extend(alone.map(|at| (None, Some(at))));
    pairs
}

/// Rows of a table that are matched by what they say; of larger ones those of a number are.
const MAX_ROWS: usize = 1 << 18;

/// Pairs of rows: by their keys where all have one, by what they say where not. With a tolerance, rows without keys of tables of one
/// length are paired by their numbers.
pub fn paired_rows(
    (left, of_left): (&dyn Table, Side<'_>),
    (right, of_right): (&dyn Table, Side<'_>),
    work: &mut Work<'_>,
) -> Box<dyn Iterator<Item = Pair>> {
    let (left_len, right_len) = (left.len(), right.len());
    let by_number = || {
        let place = |at: usize, len: usize| (at < len).then_some(at);
        Box::new((0..left_len.max(right_len)).map(move |at| (place(at, left_len), place(at, right_len))))
    };
    // A table without rows, and one with too many, is not looked into.
    if left.is_empty() || right.is_empty() || left.len() > MAX_ROWS || right.len() > MAX_ROWS {
        return by_number();
    }
    let key = |row: &Field, _: Side<'_>, work: &mut Work<'_>| of_key(row).filter(|_| work.glance());
    let keys = numbers((left, of_left), work, key).zip(numbers((right, of_right), work, key));
    if let Some((of_left, of_right)) = keys {
        return Box::new(pairs(&aligned(&of_left, &of_right), true).into_iter());
    }
    if work.tolerance.is_some() && left_len == right_len {
        return by_number();
    }
    let says = numbers((left, of_left), work, of_field).zip(numbers((right, of_right), work, of_field));
    match says {
        Some((of_left, of_right)) => Box::new(pairs(&aligned(&of_left, &of_right), false).into_iter()),
        None => by_number(),
    }
}

/// A number for each row; `None` where one has none.
fn numbers(
    (table, side): (&dyn Table, Side<'_>),
    work: &mut Work<'_>,
    number: impl Fn(&Field, Side<'_>, &mut Work<'_>) -> Option<u64>,
) -> Option<Vec<u64>> {
    (0..table.len()).map(|at| number(&table.row(at)?, side, work)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_paired_in_order_and_what_is_new_stands_where_it_is() {
        let pairs = paired(&["a", "b", "b", "c"], &["x", "a", "b", "y", "c", "c"]);
        let all = [
            (None, Some(0)),
            (Some(0), Some(1)),
            (Some(1), Some(2)),
            (Some(2), None),
            (None, Some(3)),
            (Some(3), Some(4)),
            (None, Some(5)),
        ];
        assert_eq!(pairs, all);
        assert_eq!(paired(&["a", "b"], &["b", "a"]), [(Some(0), Some(1)), (Some(1), Some(0))]);
        assert!(paired::<u8>(&[], &[]).is_empty());
    }

    #[test]
    fn of_equal_keys_those_of_one_content_are_paired() {
        let (left, right) = ([1, 2, 3, 7], [2, 3, 9, 7]);
        let mut asked = Vec::new();
        let pairs = paired_by(&["a", "a", "a", "b"], &["a", "a", "a", "b"], |hand, at| {
            let of = if hand == Hand::Left { left[at] } else { right[at] };
            asked.push(of);
            Some(of)
        });
        let all = [(Some(0), None), (Some(1), Some(0)), (Some(2), Some(1)), (None, Some(2)), (Some(3), Some(3))];
        assert_eq!(pairs, all);
        assert_eq!(asked, [1, 2, 3, 2, 3, 9], "what is there once is not looked into");
    }
}
