//! Where the stored bytes of members lie.

use super::contents::Item;

/// Where the stored bytes of an item begin in a space of `size` bytes, and how many they are; those of one in several pieces from the
/// first to the last.
pub fn extent(item: &Item, size: u64) -> (u64, u64) {
    let start = item.stored.iter().map(|range| range.start.min(size)).min().unwrap_or_default();
    let end = item.stored.iter().map(|range| range.end.min(size)).max().unwrap_or_default();
    (start, end.saturating_sub(start))
}

/// Of each item, whether items before it, or that begin before it, have some of its bytes. One that ends beyond `size` bytes says
/// nothing of where others lie.
pub fn shared(items: &[Item], size: u64) -> Vec<bool> {
    let mut shared = vec![false; items.len()];
    let pieces = items.iter().enumerate().flat_map(|(index, item)| item.stored.iter().map(move |range| (range, index)));
    let mut pieces: Vec<_> = pieces.filter(|(range, _)| range.start < range.end && range.end <= size).collect();
    pieces.sort_by_key(|(range, index)| (range.start, *index));
    let mut end = 0;
    for (range, index) in pieces {
        if range.start < end
            && let Some(shared) = shared.get_mut(index)
        {
            *shared = true;
        }
        end = end.max(range.end);
    }
    shared
}
