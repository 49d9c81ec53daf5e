//! The entries of two files.

use super::{
    entry::{EntryPair, compared, content},
    fields::Fields,
    moved::join_moved,
    pairs::{Hand, paired_by},
    side::Side,
    state::{Counts, State, Tell},
    work::Work,
};
use crate::{
    bytes::Cancel,
    formats::{EntryId, Role},
    library::OpenFile,
};

/// Two files, entry by entry.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// In the order of the left; the files themselves come first.
    pub entries: Vec<EntryPair>,
    /// Both files are the same, byte for byte.
    pub equal_bytes: bool,
    /// It was cancelled: entries are missing.
    pub cancelled: bool,
}

impl Comparison {
    /// Counts the entries by state.
    pub fn counts(&self) -> Counts {
        Counts::of(self.entries.iter().map(|pair| pair.state))
    }
}

/// Holds two files against each other; `tell` is told how many of how many entries are compared. Floats that differ by `tolerance` at
/// most are equal; without one their bits count. Blocks: call it on a worker.
pub fn compare(
    left: &OpenFile,
    right: &OpenFile,
    tolerance: Option<f32>,
    tell: Tell<'_>,
    cancel: &Cancel,
) -> Comparison {
    let equal_bytes = left.document.source().is_equal(right.document.source());
    let keys = |file: &OpenFile| -> Vec<(String, Role)> {
        file.document.outline().entries().iter().map(|entry| (entry.path().into_owned(), entry.role)).collect()
    };
    let id = |at: usize| u32::try_from(at).ok().map(EntryId);
    let mut work = Work::of_files(left, right, tolerance, cancel);
    let mut found = Comparison { equal_bytes, ..Comparison::default() };
    let pairs = paired_by(&keys(left), &keys(right), |hand, at| {
        let file = if hand == Hand::Left { left } else { right };
        if equal_bytes { None } else { content(Side::of(file, id(at)?)?, &mut work) }
    });
    let count = pairs.len();
    for (at, (a, b)) in pairs.into_iter().enumerate() {
        tell(at, count);
        if work.is_cancelled() {
            found.cancelled = true;
            return found;
        }
        let (a, b) = (a.and_then(id), b.and_then(id));
        let sides = a.and_then(|a| Side::of(left, a)).zip(b.and_then(|b| Side::of(right, b)));
        let (state, fields) = match sides {
            Some(_) if equal_bytes => (State::Same, Fields::default()),
            Some((left, right)) => compared(left, right, &mut work),
            None if a.is_some() => (State::Gone, Fields::default()),
            None => (State::Added, Fields::default()),
        };
        let Fields { rows, differing, cut, .. } = fields;
        found.entries.push(EntryPair { state, left: a, right: b, fields: rows, differing, cut });
    }
    join_moved(left, right, &mut found.entries, &mut work);
    found.cancelled = work.is_cancelled();
    found
}

/// Holds an entry of one file against one of another, whatever they are called. Blocks: call it on a worker.
pub fn compare_pair(left: (&OpenFile, EntryId), right: (&OpenFile, EntryId), cancel: &Cancel) -> Comparison {
    let mut work = Work::of_files(left.0, right.0, None, cancel);
    let sides = Side::of(left.0, left.1).zip(Side::of(right.0, right.1));
    let pair = sides.map(|(a, b)| {
        let (state, Fields { rows, differing, cut, .. }) = compared(a, b, &mut work);
        EntryPair { state, left: Some(left.1), right: Some(right.1), fields: rows, differing, cut }
    });
    Comparison { entries: pair.into_iter().collect(), equal_bytes: false, cancelled: work.is_cancelled() }
}
