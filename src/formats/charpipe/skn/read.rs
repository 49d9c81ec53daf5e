//! Reads a skin (formats/charpipe.md §6).

use super::{
    super::codes,
    layout::{HEADER_SIZE, SLOT},
    list::{List, read_list, record_size},
    skin::Skn,
};
use crate::{
    bytes::numbers::{counted, grouped},
    formats::{
        Field, Value,
        claims::Claims,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        read_budget::ReadBudget,
        structure::Structure,
    },
    scene::ListKind,
};

/// Shifts that the chip has.
const MAX_SHIFT: u8 = 31;

/// Reads the section.
///
/// # Errors
/// When its header does not fit, or its numbers have a shift that there is not.
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Box<dyn Structure>, Fault> {
    read_skn(r, findings).map(|skn| Box::new(skn) as Box<dyn Structure>)
}

pub(super) fn read_skn(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Skn, Fault> {
    let section = r.range();
    let counts = [r.u16("Sk1Count")?, r.u16("Sk2Count")?, r.u16("SkAccCount")?];
    let shift_at = r.offset();
    let shift = r.u8("Shift")?;
    if shift > MAX_SHIFT {
        let message = format!("invalid shift of {shift} bits. The maximum is {MAX_SHIFT} bits");
        return Err(Fault { offset: shift_at, message });
    }
    r.pad(1)?;
    let mut tables = [(0, 0); 3];
    for (table, name) in tables.iter_mut().zip(["Sk1Offset", "Sk2Offset", "SkAccOffset"]) {
        *table = (r.offset(), r.u32(name)?);
    }
    let clear_start = u64::from(r.u32("ClearStart")?);
    let clear_size = u64::from(r.u32("ClearSize")?);
    let flush_at = r.offset();
    let flush = r.u32("FlushOffset")?;
    let flush_count = r.u32("FlushCount")?;

    let mut claims = Claims::default();
    claims.take(section.start..section.start.saturating_add(HEADER_SIZE));
    let mut lists = Vec::new();
    for ((kind, count), (field_at, offset)) in ListKind::ALL.into_iter().zip(counts).zip(tables) {
        read_table(r, kind, (count, offset, field_at), &mut lists, &mut claims, findings)?;
    }
    if let Some(at) = limit_shared(&mut lists, section.end.saturating_sub(section.start)) {
        let message = "too many lists share the same bytes. This list and all later lists are skipped";
        findings.add(&codes::TOO_MUCH, Some(at), message);
    }
    let skn = Skn {
        source: r.source().clone(),
        shift,
        lists,
        clear: clear_start..clear_start.saturating_add(clear_size),
        adds_up: counts.last().is_some_and(|count| *count > 0),
        at: section.start,
    };
    check(&skn, findings);
    if flush_count > 0 {
        read_flush(r, (flush_count, flush, flush_at), &mut claims, findings)?;
    }
    if r.is_recording() {
        record_arrays(r, &skn, &mut claims)?;
    }
    Ok(skn)
}

/// Reads the table of one kind of lists: its count, its offset, and where that is said.
fn read_table(
    r: &mut FieldReader<'_>,
    kind: ListKind,
    (count, offset, field_at): (u16, u32, u64),
    lists: &mut Vec<List>,
    claims: &mut Claims,
    findings: &mut Findings,
) -> Result<(), Fault> {
    if count == 0 {
        return Ok(());
    }
    let section = r.range();
    let is_inside = u64::from(offset) >= HEADER_SIZE && r.seek_in_range(offset).is_ok();
    let whole = if is_inside { r.whole_records(u64::from(count), record_size(kind)) as u64 } else { 0 };
    if whole < u64::from(count) {
        let lists = counted(count, &format!("{} list", kind.name()));
        let message = format!("expected {lists} at {offset:#x}, found {}", grouped(whole));
        findings.add(&codes::SHORT_TABLE, Some(field_at), message);
    }
    if whole == 0 {
        return Ok(());
    }
    let range = r.offset()..r.offset().saturating_add(whole.saturating_mul(record_size(kind)));
    let read = claims.read(r, range, |r| {
        r.records(kind.name(), "List", whole, record_size(kind), move |r, _| read_list(r, kind, &section))
    });
    lists.extend(read?);
    Ok(())
}

/// Bytes of entries that lists may have besides the size of the section: they may share some.
const MAX_SHARED: u64 = 1 << 20;

/// Leaves out lists from the first on with which they read more bytes in all than a skin of `size` bytes has: where that lies.
fn limit_shared(lists: &mut Vec<List>, size: u64) -> Option<u64> {
    let mut budget = ReadBudget::new(size.saturating_add(MAX_SHARED));
    let over = lists.iter().position(|list| !budget.take(u64::from(list.whole).saturating_mul(SLOT)))?;
    let at = lists.get(over).map(|list| list.at);
    lists.truncate(over);
    at
}

/// Says which lists cannot be used whole.
fn check(skn: &Skn, findings: &mut Findings) {
    for (index, list) in skn.lists.iter().enumerate() {
        let name = || skn.list_name(index);
        let last = list.first_slot().and_then(|first| match list.kind {
            ListKind::Accumulate => Some(first),
            _ => list.slot(&skn.source, list.whole.saturating_sub(1)).or((list.whole == 0).then_some(first)),
        });
        if last.is_none() {
            let start = u64::from(list.dst).saturating_add(u64::from(list.offset));
            let (name, whole) = (name(), list.whole);
            let message =
                format!("{name} has an invalid destination: {} starting at byte {start}", counted(whole, "slot"));
            findings.add(&codes::BAD_LIST_SLOTS, Some(list.at), message);
        } else if list.whole < list.count {
            let entries = counted(list.count, "entry");
            let message = format!("{}: expected {entries}, found {}", name(), grouped(list.whole));
            findings.add(&codes::SHORT_LIST, Some(list.at), message);
        }
    }
}

/// What the game's processor writes back from its cache; viewers need none of it.
fn read_flush(
    r: &mut FieldReader<'_>,
    (count, offset, field_at): (u32, u32, u64),
    claims: &mut Claims,
    findings: &mut Findings,
) -> Result<(), Fault> {
    let is_inside = u64::from(offset) >= HEADER_SIZE && r.seek_in_range(offset).is_ok();
    let whole = if is_inside { r.whole_records(u64::from(count), 2) as u64 } else { 0 };
    if whole < u64::from(count) {
        let slots = counted(count, "slot");
        let message = format!("expected {slots} in the flush list at {offset:#x}, found {}", grouped(whole));
        findings.add(&codes::SHORT_FLUSH, Some(field_at), message);
    }
    if whole > 0 {
        let range = r.offset()..r.offset().saturating_add(whole.saturating_mul(2));
        claims.read(r, range, |r| r.records("FlushSlots", "u16", whole, 2, |r, _| r.u16("Slot")))?;
    }
    Ok(())
}

/// Makes fields of all that the lists point at.
fn record_arrays(r: &mut FieldReader<'_>, skn: &Skn, claims: &mut Claims) -> Result<(), Fault> {
    let shift = skn.shift;
    for (index, list) in skn.lists.iter().enumerate().filter(|(_, list)| list.whole > 0) {
        let name = skn.list_name(index);
        let count = u64::from(list.whole);
        claims.read(r, list.sources(), |r| {
            r.records(format!("Sources of {name}"), "Source", count, SLOT, move |r, _| read_source(r, shift))
        })?;
        match list.kind {
            ListKind::One => {}
            ListKind::Two => {
                claims.read(r, list.weights(), |r| {
                    r.records(format!("Weights of {name}"), "Weights", count, 2, |r, _| {
                        Ok([read_weight(r, "Weight0")?, read_weight(r, "Weight1")?])
                    })
                })?;
            }
            ListKind::Accumulate => {
                claims.read(r, list.indices(), |r| {
                    r.records(format!("Slots of {name}"), "u16", count, 2, |r, _| r.u16("Slot"))
                })?;
                claims.read(r, list.weights(), |r| {
                    r.records(format!("Weights of {name}"), "u8/256", count, 1, |r, _| read_weight(r, "Weight"))
                })?;
            }
        }
    }
    // What is copied along with the sources, before the first and behind the last slot of a line.
    for (index, list) in skn.lists.iter().enumerate().filter(|(_, l)| l.kind != ListKind::Accumulate && l.whole > 0) {
        for gap in claims.gaps(list.lines()) {
            let size = gap.end.saturating_sub(gap.start);
            claims.take(gap.clone());
            let name = format!("Remaining bytes in the cache lines of {}", skn.list_name(index));
            r.push(Field::new(name, format!("u8[{size}]"), Value::Raw, gap.start, size));
        }
    }
    Ok(())
}

/// A weight as a part of one.
fn read_weight(r: &mut FieldReader<'_>, name: &'static str) -> Result<u8, Fault> {
    let at = r.offset();
    let weight = r.raw().u8()?;
    r.record(name, "u8/256", at, || Value::Float(f32::from(weight) / 256.0));
    Ok(weight)
}

/// Position and normal as they are stored, and what that is.
fn read_source(r: &mut FieldReader<'_>, shift: u8) -> Result<(), Fault> {
    for (name, real) in [("Position", "PositionReal"), ("Normal", "NormalReal")] {
        let at = r.offset();
        let numbers = r.i16s::<3>(name)?;
        let values = || Value::Floats(real_numbers(numbers, shift).to_vec());
        if r.is_recording() {
            r.push(Field::new(real, format!("s16[3]/2^{shift}"), values(), at, 6).mirrored());
        }
    }
    Ok(())
}

/// Whole numbers over two to the power of `shift`.
pub(super) fn real_numbers<const N: usize>(numbers: [i16; N], shift: u8) -> [f32; N] {
    let unit = 0.5_f32.powi(i32::from(shift));
    numbers.map(|n| f32::from(n) * unit)
}
