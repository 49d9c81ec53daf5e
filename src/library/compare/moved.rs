//! Entries that are the same under another path.

use super::{
    entry::{EntryPair, content},
    side::Side,
    state::State,
    work::Work,
};
use crate::{
    formats::{EntryId, Role},
    library::OpenFile,
};
use std::collections::{HashMap, HashSet};

/// What moved keeps its class, its role and what it says.
type Key = (String, Role, u64);

/// What is gone on one side and new on the other, of one class and saying the same, is what moved. The first is taken for the first.
pub fn join_moved(left: &OpenFile, right: &OpenFile, pairs: &mut Vec<EntryPair>, work: &mut Work<'_>) {
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
