//! The entries of two files.

use super::{
    fields::{FieldRow, Fields, Rows, compare_fields},
    pairs::paired,
    side::Side,
    state::{Counts, State},
};
use crate::{
    bytes::Source,
    formats::{Content, EntryId, Role},
    library::OpenFile,
};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::atomic::{AtomicBool, Ordering},
};

/// Differing fields that are kept of each entry.
const KEPT: usize = 4;
/// Bytes that are summed at once.
const PIECE: u64 = 1 << 20;

/// An entry of each of two files, or of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPair {
    pub state: State,
    pub left: Option<EntryId>,
    pub right: Option<EntryId>,
    /// The first fields that differ.
    pub fields: Vec<FieldRow>,
    /// How many there are.
    pub differing: usize,
    /// Not all of its fields were looked at.
    pub cut: bool,
}

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
    pub fn counts(&self) -> Counts {
        Counts::of(self.entries.iter().map(|pair| pair.state))
    }
}

/// Holds two files against each other. Blocks: call it on a worker.
pub fn compare(left: &OpenFile, right: &OpenFile, cancel: &AtomicBool) -> Comparison {
    let equal_bytes = left.document.source().is_equal(right.document.source());
    let keys = |file: &OpenFile| -> Vec<(String, Role)> {
        file.document.outline().entries().iter().map(|entry| (entry.path().into_owned(), entry.role)).collect()
    };
    let ids = |at: Option<usize>| at.and_then(|at| u32::try_from(at).ok()).map(EntryId);
    let mut found = Comparison { equal_bytes, ..Comparison::default() };
    for (a, b) in paired(&keys(left), &keys(right)) {
        if cancel.load(Ordering::Relaxed) {
            found.cancelled = true;
            return found;
        }
        let (a, b) = (ids(a), ids(b));
        let sides = a.and_then(|a| Side::of(left, a)).zip(b.and_then(|b| Side::of(right, b)));
        let (state, fields) = match sides {
            Some(_) if equal_bytes => (State::Same, Fields::default()),
            Some((left, right)) => compared(left, right, cancel),
            None if a.is_some() => (State::Gone, Fields::default()),
            None => (State::Added, Fields::default()),
        };
        let Fields { rows, differing, cut, .. } = fields;
        found.entries.push(EntryPair { state, left: a, right: b, fields: rows, differing, cut });
    }
    join_moved(left, right, &mut found.entries);
    found
}

fn compared(left: Side<'_>, right: Side<'_>, cancel: &AtomicBool) -> (State, Fields) {
    let says_all = left.bytes_say_all() && right.bytes_say_all();
    let bytes = left.bytes().zip(right.bytes());
    let equal_bytes = bytes.as_ref().is_some_and(|(left, right)| left.is_equal(right));
    if says_all && equal_bytes && left.entry.class == right.entry.class {
        return (State::Same, Fields::default());
    }
    let mut fields = compare_fields(left, right, Rows::Differing, KEPT, cancel);
    if left.entry.class != right.entry.class {
        let row = FieldRow {
            path: "class".to_owned(),
            state: State::Changed,
            left: Some(left.entry.class.to_string()),
            right: Some(right.entry.class.to_string()),
        };
        fields.rows.insert(0, row);
        fields.rows.truncate(KEPT);
        fields.differing += 1;
    }
    let has_parts = |side: Side<'_>| !side.file.document.outline().children(side.entry.id).is_empty();
    // Nothing says what the bytes mean, or there is too much of it to look at, or what is shown is made of parts.
    let only_bytes = fields.visited == 0 && !has_parts(left) && !has_parts(right)
        || fields.cut
        || says_all && left.entry.content != Content::None;
    let changed = fields.differing > 0 || only_bytes && !equal_bytes;
    (if changed { State::Changed } else { State::Same }, fields)
}

/// What is gone on one side and new on the other, of one class and with the same bytes, is what moved.
fn join_moved(left: &OpenFile, right: &OpenFile, pairs: &mut Vec<EntryPair>) {
    type Key = (String, Role, u64, u64);
    let key = |file: &OpenFile, id: Option<EntryId>| -> Option<(Key, Source)> {
        let side = Side::of(file, id?)?;
        let bytes = side.bytes().filter(|bytes| !bytes.is_empty())?;
        Some(((side.entry.class.to_string(), side.entry.role, side.entry.size, hash(&bytes)?), bytes))
    };
    // Nothing is read unless there is something of its size on the other side.
    let size = |file: &OpenFile, id: Option<EntryId>| file.entry(id?).map(|entry| entry.size);
    let sizes = |state: State| -> std::collections::HashSet<u64> {
        let of = pairs.iter().filter(|pair| pair.state == state);
        of.filter_map(|pair| if state == State::Gone { size(left, pair.left) } else { size(right, pair.right) })
            .collect()
    };
    let (gone, added) = (sizes(State::Gone), sizes(State::Added));
    let mut by_key: HashMap<Key, Vec<(usize, Source)>> = HashMap::new();
    for (at, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.state == State::Added) {
        if size(right, pair.right).is_some_and(|size| gone.contains(&size))
            && let Some((key, bytes)) = key(right, pair.right)
        {
            by_key.entry(key).or_default().push((at, bytes));
        }
    }
    let mut joined = Vec::new();
    let mut taken = vec![false; pairs.len()];
    for pair in pairs.iter().filter(|pair| pair.state == State::Gone) {
        if size(left, pair.left).is_none_or(|size| !added.contains(&size)) {
            continue;
        }
        let Some((key, bytes)) = key(left, pair.left) else { continue };
        let Some(others) = by_key.get_mut(&key) else { continue };
        let Some(place) = others.iter().position(|(_, other)| other.is_equal(&bytes)) else { continue };
        let (other, _) = others.remove(place);
        joined.push((pair.left, other));
        if let Some(taken) = taken.get_mut(other) {
            *taken = true;
        }
    }
    let rights: HashMap<Option<EntryId>, Option<EntryId>> =
        joined.into_iter().map(|(own, other)| (own, pairs.get(other).and_then(|pair| pair.right))).collect();
    for pair in pairs.iter_mut().filter(|pair| pair.state == State::Gone) {
        if let Some(right) = rights.get(&pair.left) {
            pair.state = State::Moved;
            pair.right = *right;
        }
    }
    let mut taken = taken.into_iter();
    pairs.retain(|_| !taken.next().unwrap_or_default());
}

/// A number for some bytes; `None` where they cannot be read.
fn hash(bytes: &Source) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let size = bytes.len() as u64;
    for at in (0..size).step_by(PIECE as usize) {
        let piece = bytes.slice(at, PIECE.min(size.saturating_sub(at)))?.in_memory().ok()?;
        piece.as_slice().hash(&mut hasher);
    }
    Some(hasher.finish())
}
