//! The entries of two files, the comparison of one entry, and entries that are the same under another path.

use super::{
    assets::compare_assets,
    fields::{FieldRow, Fields, Rows, fields_within},
    pairs::{Hand, paired_by},
    side::{Side, Work},
    state::{Counts, State, Tell},
    values::{of_bytes, of_fields},
};
use crate::{
    bytes::Cancel,
    formats::{Content, EntryId, Role},
    library::OpenFile,
};
use std::collections::{HashMap, HashSet};

/// Differing fields that are kept of each entry.
const KEPT: usize = 4;

/// An entry of each of two files, or of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPair {
    /// The result of the comparison.
    pub state: State,
    /// The entry on the left; `None` if it is missing.
    pub left: Option<EntryId>,
    /// The entry on the right; `None` if it is missing.
    pub right: Option<EntryId>,
    /// The first fields that differ.
    pub fields: Vec<FieldRow>,
    /// How many there are.
    pub differing: usize,
    /// Not all of its fields were looked at.
    pub cut: bool,
}

/// A number for what an entry says; `None` where it says nothing, or too much.
fn content(side: Side<'_>, work: &mut Work<'_>) -> Option<u64> {
    if side.bytes_say_all() {
        return of_bytes(&side.bytes().filter(|bytes| !bytes.is_empty())?, work);
    }
    // What is worked out besides the bytes says where an entry stands, not what it says.
    let mut fields = side.fields().ok()?.fields;
    fields.retain(|field| !field.mirror);
    if fields.is_empty() { None } else { of_fields(&fields, side, work) }
}

/// What became of an entry, and its first fields that differ.
fn compared(left: Side<'_>, right: Side<'_>, work: &mut Work<'_>) -> (State, Fields) {
    let says_all = left.bytes_say_all() && right.bytes_say_all();
    let is_same_class = left.entry.class == right.entry.class;
    if says_all && is_same_class && left.has_equal_bytes(right, work) == Some(true) {
        return (State::Same, Fields::default());
    }
    let mut fields = fields_within(left, right, Rows::Differing, KEPT, work);
    if !is_same_class {
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
    let only_bytes = fields.visited == 0 && !has_parts(left) && !has_parts(right) || fields.cut;
    let is_shown = says_all && left.entry.content != Content::None;
    let mut changed = fields.differing > 0;
    // Numbers that nearly match have different bytes: the decoded assets are compared instead.
    let shown =
        work.tolerance.filter(|_| is_shown).and_then(|_| compare_assets(left, right, work.tolerance, work.cancel));
    if let Some(shown) = shown {
        changed |= !shown.is_same();
    } else if (only_bytes || is_shown) && !changed {
        // Bytes that are too many to look at count as others.
        let equal = left.has_equal_bytes(right, work);
        fields.cut |= equal.is_none();
        changed = equal != Some(true);
    }
    (if changed { State::Changed } else { State::Same }, fields)
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

/// What moved keeps its class, its role and what it says.
type Key = (String, Role, u64);

/// What is gone on one side and new on the other, of one class and saying the same, is what moved. The first is taken for the first.
fn join_moved(left: &OpenFile, right: &OpenFile, pairs: &mut Vec<EntryPair>, work: &mut Work<'_>) {
    // Nothing is read unless there is something like it on the other side.
    let kind = |side: Side<'_>| (side.entry.role, side.bytes_say_all().then_some(side.entry.size));
    let side = |file: &'_ OpenFile, id: Option<EntryId>| Side::of(file, id?).map(kind);
    let of_state = |state: State| pairs.iter().filter(move |pair| pair.state == state);
    let gone: HashSet<_> = of_state(State::Gone).filter_map(|pair| side(left, pair.left)).collect();
    let added: HashSet<_> = of_state(State::Added).filter_map(|pair| side(right, pair.right)).collect();
    let mut by_key: HashMap<Key, Vec<EntryId>> = HashMap::new();
    for pair in of_state(State::Added).collect::<Vec<_>>().into_iter().rev() {
        if side(right, pair.right).is_some_and(|kind| gone.contains(&kind))
            && let Some((id, key)) = pair.right.and_then(|id| Some((id, key(right, id, work)?)))
        {
            // The first comes last, and is taken first.
            by_key.entry(key).or_default().push(id);
        }
    }
    let mut taken: HashSet<EntryId> = HashSet::new();
    for pair in pairs.iter_mut().filter(|pair| pair.state == State::Gone) {
        if side(left, pair.left).is_none_or(|kind| !added.contains(&kind)) {
            continue;
        }
        let Some(others) = pair.left.and_then(|id| by_key.get_mut(&key(left, id, work)?)) else { continue };
        let Some(other) = others.last().copied() else { continue };
        let sides = pair.left.and_then(|id| Side::of(left, id)).zip(Side::of(right, other));
        if sides.is_some_and(|(own, other)| is_equal(own, other, work)) {
            others.pop();
            taken.insert(other);
            (pair.state, pair.right) = (State::Moved, Some(other));
        }
    }
    pairs.retain(|pair| pair.state != State::Added || pair.right.is_none_or(|id| !taken.contains(&id)));
}

/// Numbers of bytes may be equal by chance; where bytes do not say all, fields were counted with their names and values.
fn is_equal(left: Side<'_>, right: Side<'_>, work: &mut Work<'_>) -> bool {
    !left.bytes_say_all() || left.has_equal_bytes(right, work) == Some(true)
}

fn key(file: &OpenFile, id: EntryId, work: &mut Work<'_>) -> Option<Key> {
    let side = Side::of(file, id)?;
    Some((side.entry.class.to_string(), side.entry.role, content(side, work)?))
}
