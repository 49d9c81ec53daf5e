use super::align::{Pair, aligned, pairs};
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
