//! One entry of two files.

use super::{
    assets::compare_assets,
    content::{of_bytes, of_fields},
    fields::{FieldRow, Fields, Rows, fields_within},
    side::Side,
    state::State,
    work::Work,
};
use crate::formats::{Content, EntryId};

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
pub fn content(side: Side<'_>, work: &mut Work<'_>) -> Option<u64> {
    if side.bytes_say_all() {
        return of_bytes(&side.bytes().filter(|bytes| !bytes.is_empty())?, work);
    }
    // What is worked out besides the bytes says where an entry stands, not what it says.
    let mut fields = side.fields().ok()?.fields;
    fields.retain(|field| !field.mirror);
    if fields.is_empty() { None } else { of_fields(&fields, side, work) }
}

/// What became of an entry, and its first fields that differ.
pub fn compared(left: Side<'_>, right: Side<'_>, work: &mut Work<'_>) -> (State, Fields) {
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
