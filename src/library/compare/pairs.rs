use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

/// Two lists by their keys: of equal keys the first with the first, and so on. Each element stands in one pair. Pairs are in the order of
/// the left; what is only on the right stands before what it precedes there.
pub fn paired<K: Hash + Eq>(left: &[K], right: &[K]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut places: HashMap<&K, VecDeque<usize>> = HashMap::with_capacity(right.len());
    for (at, key) in right.iter().enumerate() {
        places.entry(key).or_default().push_back(at);
    }
    let matched: Vec<Option<usize>> = left.iter().map(|key| places.get_mut(key)?.pop_front()).collect();
    let mut is_matched = vec![false; right.len()];
    for at in matched.iter().flatten() {
        if let Some(is_matched) = is_matched.get_mut(*at) {
            *is_matched = true;
        }
    }
    let mut alone = is_matched.iter().enumerate().filter(|(_, is_matched)| !**is_matched).map(|(at, _)| at).peekable();
    let mut pairs = Vec::with_capacity(left.len().max(right.len()));
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
}
