//! A search over the bytes that the byte view shows.

use crate::{
    bytes::search::{Hits, Kind},
    formats::Document,
    ui::place::Place,
};
use std::{ops::Range, sync::Arc};

/// Which bytes are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteScope {
    /// The entry whose bytes they are; with `whole`, one of those whose offsets count from the same start.
    pub place: Place,
    /// The file, or the decompressed data that the entry lies in.
    pub whole: bool,
    /// Of the library: bytes may be others once that has changed.
    pub revision: u64,
}

impl ByteScope {
    /// Whether both are the same bytes. Both are of `document`.
    pub fn is_same(&self, other: &Self, document: &dyn Document) -> bool {
        let (own, others) = (self.place, other.place);
        let is_space = || document.source_of(own.entry).is_same(document.source_of(others.entry));
        own.file == others.file
            && (self.whole, self.revision) == (other.whole, other.revision)
            && (own.entry == others.entry || self.whole && is_space())
    }
}

/// What is searched for, and what was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByteSearch {
    pub is_open: bool,
    /// The field wants the keyboard.
    pub wants_keyboard: bool,
    pub text: String,
    pub kind: Kind,
    /// `None` before the first search.
    pub scope: Option<ByteScope>,
    /// Why that cannot be searched for; empty where it can.
    pub problem: String,
    /// `None` while it is being searched for, and where nothing is.
    pub hits: Option<Arc<Hits>>,
    /// Which of the searches it is: results of another one are late.
    pub(in crate::ui) turn: u64,
    pub(in crate::ui) work: Option<u64>,
    /// The first that is found is marked.
    pub(in crate::ui) marks: bool,
}

impl ByteSearch {
    /// The place found that is marked, from 0.
    pub fn at(&self, marked: Option<&Range<u64>>) -> Option<usize> {
        let (places, marked) = (&self.hits.as_ref()?.places, marked?);
        places
            .binary_search_by_key(&marked.start, |place| place.start)
            .ok()
            .filter(|at| places.get(*at) == Some(marked))
    }

    /// The place this many on from what is marked, around the end.
    pub(in crate::ui) fn next(&self, marked: Option<&Range<u64>>, by: i32) -> Option<Range<u64>> {
        let places = &self.hits.as_ref()?.places;
        let count = i64::try_from(places.len()).ok().filter(|count| *count > 0)?;
        let first = match (marked, by > 0) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(marked), true) => places.partition_point(|place| place.start <= marked.start) as i64,
            (Some(marked), false) => places.partition_point(|place| place.start < marked.start) as i64 - 1,
        };
        let more = i64::from(by) - i64::from(by.signum());
        usize::try_from((first + more).rem_euclid(count)).ok().and_then(|at| places.get(at).cloned())
    }

    /// The first place at or after an offset, or else the first of all.
    pub(in crate::ui) fn first_from(&self, offset: u64) -> Option<Range<u64>> {
        let places = &self.hits.as_ref()?.places;
        places.get(places.partition_point(|place| place.start < offset)).or(places.first()).cloned()
    }

    /// Those of the places found that touch a run of bytes.
    pub fn within(&self, bytes: &Range<u64>) -> &[Range<u64>] {
        let places = self.hits.as_ref().map(|hits| hits.places.as_slice()).unwrap_or_default();
        let from = places.partition_point(|place| place.end <= bytes.start);
        let to = places.partition_point(|place| place.start < bytes.end);
        places.get(from..to.max(from)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search() -> ByteSearch {
        let hits = Hits { places: vec![2..4, 8..10, 20..22], is_cut: false };
        ByteSearch { hits: Some(Arc::new(hits)), ..ByteSearch::default() }
    }

    #[test]
    fn next_and_previous_go_on_from_what_is_marked_and_around_the_end() {
        let search = search();
        assert_eq!(search.next(None, 1), Some(2..4));
        assert_eq!(search.next(None, -1), Some(20..22));
        assert_eq!(search.next(Some(&(2..4)), 1), Some(8..10));
        assert_eq!(search.next(Some(&(2..4)), -1), Some(20..22));
        assert_eq!(search.next(Some(&(20..22)), 1), Some(2..4));
        assert_eq!(search.next(Some(&(9..10)), 1), Some(20..22), "from a byte that was clicked");
        assert_eq!(search.next(Some(&(9..10)), -1), Some(8..10));
        assert_eq!(search.next(Some(&(0..1)), 2), Some(8..10));
        assert_eq!(search.next(Some(&(0..1)), i32::MIN), search.next(Some(&(0..1)), i32::MIN));
        assert_eq!(ByteSearch::default().next(None, 1), None);
        assert_eq!((search.at(Some(&(8..10))), search.at(Some(&(8..9))), search.at(None)), (Some(1), None, None));
        assert_eq!((search.first_from(8), search.first_from(21)), (Some(8..10), Some(2..4)));
    }

    #[test]
    fn places_in_sight_are_found_by_halving() {
        let search = search();
        assert_eq!(search.within(&(0..100)).len(), 3);
        assert_eq!(search.within(&(3..9)), [2..4, 8..10]);
        assert!(search.within(&(4..8)).is_empty() && search.within(&(90..100)).is_empty());
        assert!(ByteSearch::default().within(&(0..9)).is_empty());
    }
}
