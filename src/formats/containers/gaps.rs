//! What of a container is neither in its tables nor in a member.

use super::{
    codes,
    info::{PADDING, SPACE, TRAILING, UNLISTED},
};
use crate::{
    bytes::{Source, numbers::counted},
    formats::{Diagnostics, EntryId, Field, Value, coverage},
};
use std::ops::Range;

/// Bytes that are looked through for zeros at once.
const LOOKED_AT: u64 = 64 << 10;
/// Bytes between members that are looked through for zeros: discs are filled up with gigabytes of them.
const MAX_LOOKED_AT: u64 = 16 << 20;

/// What of `source` no field of `known` has, as fields with names of their own. `is_file`: it is the container itself, not a disc that
/// the container holds.
pub fn fields(source: &Source, known: &[Field], is_file: bool) -> Vec<Field> {
    let end = source.len() as u64;
    let mut looked_at = 0_u64;
    let gaps = coverage::gaps(known, 0..end);
    let fields = gaps.into_iter().map(|gap| {
        let size = gap.end.saturating_sub(gap.start);
        looked_at = looked_at.saturating_add(size);
        let (name, opaque) = match looked_at <= MAX_LOOKED_AT {
            true if is_zero(source, &gap) => ("Padding", PADDING),
            true if is_file && gap.end == end => ("Trailing data", TRAILING),
            true => ("Unlisted data", UNLISTED),
            false => ("Space between entries", SPACE),
        };
        Field::new(name, format!("u8[{size}]"), Value::Opaque(opaque), gap.start, size)
    });
    fields.collect()
}

/// Says that there is more than zeros where no table leads to, once for all of it. `said_from`: what follows the members from here
/// on was said when the container was opened.
pub fn report(gaps: &[Field], entry: Option<EntryId>, said_from: Option<u64>, diagnostics: &mut Diagnostics) {
    let is_odd = |gap: &&Field| match gap.value {
        Value::Opaque(UNLISTED) => true,
        Value::Opaque(TRAILING) => said_from.is_none_or(|said| gap.offset < said),
        _ => false,
    };
    let mut odd = gaps.iter().filter(is_odd);
    let Some(first) = odd.next() else { return };
    let (places, bytes) =
        odd.fold((0_usize, 0_u64), |(places, bytes), gap| (places.saturating_add(1), bytes.saturating_add(gap.size)));
    let more = match places {
        0 => String::new(),
        _ => format!(", and {bytes} bytes in {}", counted(places, "other range")),
    };
    let message = format!("unreferenced data: {} bytes at offset {}{more}", first.size, first.offset);
    diagnostics.report(&codes::UNLISTED, entry, Some(first.offset), message);
}

fn is_zero(source: &Source, range: &Range<u64>) -> bool {
    let step = usize::try_from(LOOKED_AT).unwrap_or(1);
    range.clone().step_by(step).all(|at| {
        let piece = source.slice(at, LOOKED_AT.min(range.end.saturating_sub(at)));
        piece.is_some_and(|piece| piece.as_slice().iter().all(|byte| *byte == 0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_table_leads_to_has_a_name_by_what_it_is() {
        let mut bytes = vec![0; 40];
        bytes[20..24].copy_from_slice(b"junk");
        bytes[36..].copy_from_slice(b"tail");
        let source = Source::from(bytes);
        let known = |offset, size| Field::new("Known", "u8", Value::Raw, offset, size);
        let known = [known(4, 8), known(16, 4), known(24, 8)];
        let names = |is_file| -> Vec<_> {
            let found = fields(&source, &known, is_file);
            found.iter().map(|field| (field.offset, field.size, field.value.clone())).collect()
        };
        let opaque = |offset, size, name| (offset, size, Value::Opaque(name));
        let first = [opaque(0, 4, PADDING), opaque(12, 4, PADDING), opaque(20, 4, UNLISTED)];
        assert_eq!(names(true), [&first[..], &[opaque(32, 8, TRAILING)]].concat());
        assert_eq!(names(false), [&first[..], &[opaque(32, 8, UNLISTED)]].concat());
    }

    #[test]
    fn what_no_table_leads_to_is_said_once_for_a_file() {
        let gap = |name, offset, size| Field::new("Gap", "u8[]", Value::Opaque(name), offset, size);
        let said = |gaps: &[Field], said_from| {
            let mut diagnostics = Diagnostics::new(9);
            report(gaps, None, said_from, &mut diagnostics);
            diagnostics.finish().into_iter().map(|found| (found.code, found.offset, found.message)).collect::<Vec<_>>()
        };
        let gaps = [gap(PADDING, 0, 4), gap(UNLISTED, 20, 4), gap(SPACE, 30, 9), gap(TRAILING, 90, 10)];
        let code = "container.data-unlisted";
        let both = "unreferenced data: 4 bytes at offset 20, and 10 bytes in 1 other range".to_owned();
        assert_eq!(said(&gaps, None), [(code, Some(20), both)]);
        let first = "unreferenced data: 4 bytes at offset 20".to_owned();
        assert_eq!(said(&gaps, Some(90)), [(code, Some(20), first)]);
        assert_eq!(said(&gaps[..1], None), []);
        assert_eq!(said(&gaps[2..], Some(90)), []);
    }
}
