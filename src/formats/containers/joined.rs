//! Several ranges of a source as one: the stored bytes of members, in their order.

use super::contents::Item;
use crate::bytes::{ReadAt, Source};
use std::io;

/// Several parts as one source; a single one as it is.
pub fn joined(mut parts: Vec<Source>) -> Source {
    if parts.len() > 1 {
        return Source::stored(Joined { parts });
    }
    parts.pop().unwrap_or_else(|| Source::new(Vec::new()))
}

struct Joined {
    parts: Vec<Source>,
}

impl ReadAt for Joined {
    fn size(&self) -> u64 {
        self.parts.iter().map(|part| part.len() as u64).fold(0, u64::saturating_add)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let (mut skip, mut left) = (offset, buffer);
        for part in &self.parts {
            let size = part.len() as u64;
            if left.is_empty() {
                break;
            }
            if skip >= size {
                skip = skip.saturating_sub(size);
                continue;
            }
            let count = size.saturating_sub(skip).min(left.len() as u64);
            let piece = part.slice(skip, count).ok_or(io::ErrorKind::UnexpectedEof)?.in_memory()?;
            let (now, then) = left.split_at_mut(piece.len().min(left.len()));
            now.copy_from_slice(piece.as_slice().get(..now.len()).unwrap_or_default());
            (skip, left) = (0, then);
        }
        if left.is_empty() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_across_their_ends() {
        let part = |bytes: &[u8]| Source::new(bytes);
        let source = joined(vec![part(b"abc"), part(b""), part(b"de"), part(b"fgh")]);
        assert_eq!((source.len(), source.as_slice()), (8, &b"abcdefgh"[..]));
        let again = joined(vec![part(b"abc"), part(b"de"), part(b"fgh")]);
        assert_eq!(again.slice(2, 4).unwrap().as_slice(), b"cdef");
        assert_eq!(again.slice(5, 3).unwrap().as_slice(), b"fgh");
        assert!(again.slice(5, 4).is_none());
        assert_eq!((joined(vec![part(b"x")]).as_slice(), joined(Vec::new()).len()), (&b"x"[..], 0));
    }
}
