//! A skin: reads its header and its lists, and shows the lists as entries with their slots (formats/charpipe.md §6).

use super::{
    super::codes,
    list::{HEADER_SIZE, LINE, List, SLOT, read_list, record_size},
};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
    },
    formats::{
        Content, Field, Role, Table, Value,
        claims::Claims,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        read_budget::ReadBudget,
        structure::{Part, Structure},
    },
    scene::ListKind,
};
use std::{any::Any, ops::Range, sync::Arc};

/// A skin. What its lists hold stays where it is until it is asked for.
#[derive(Clone, Debug)]
pub struct Skn {
    pub(super) source: Source,
    /// Sources are whole numbers over two to the power of this: 31 at most.
    pub shift: u8,
    /// In the order in which they are computed: all of one bone, all of two, all that add up.
    pub lists: Vec<List>,
    /// What is set to zero before the first list that adds up: bytes from the start of the array of positions.
    pub clear: Range<u64>,
    /// The file has lists that add up, readable or not: only then is anything set to zero.
    pub(super) adds_up: bool,
    /// Where the header lies: bytes from the start of the file.
    pub(super) at: u64,
}

impl Skn {
    /// What is really set to zero: from the start of the first line on.
    pub fn cleared(&self) -> Range<u64> {
        if !self.adds_up || self.clear.is_empty() {
            return 0..0;
        }
        let into_line = self.clear.start.checked_rem(LINE).unwrap_or(0);
        self.clear.start.saturating_sub(into_line)..self.clear.end
    }

    /// Which list of its kind one is.
    pub fn number(&self, index: usize) -> usize {
        let Some(kind) = self.lists.get(index).map(|l| l.kind) else { return 0 };
        let place = |kind| ListKind::ALL.iter().position(|k| *k == kind);
        // Those of a kind follow each other.
        index.saturating_sub(self.lists.partition_point(|l| place(l.kind) < place(kind)))
    }

    /// `SK1 0`, `SK2 3`, `SKAcc 7`.
    pub fn list_name(&self, index: usize) -> String {
        let kind = self.lists.get(index).map_or(ListKind::One, |l| l.kind);
        format!("{} {}", kind.name(), self.number(index))
    }
}

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
        return Err(Fault::new(shift_at, message));
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

impl Structure for Skn {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let mut numbers = [0_usize; 3];
        let part = |list: &List| {
            let number = ListKind::ALL.iter().position(|kind| *kind == list.kind).and_then(|i| numbers.get_mut(i));
            let number = number.map_or(0, |next| std::mem::replace(next, next.saturating_add(1)));
            Part {
                name: format!("{} {number}", list.kind.name()),
                role: Role::Data,
                class: "List",
                range: list.at..list.at.saturating_add(record_size(list.kind)),
                content: Content::None,
            }
        };
        self.lists.iter().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some(list) = self.lists.get(part) else { return Vec::new() };
        let range = list.at..list.at.saturating_add(record_size(list.kind));
        let mut r = FieldReader::new(source, range.clone(), Endian::Big).recording();
        // It was read once without a fault.
        let _ = read_list(&mut r, list.kind, &(self.at..source.len() as u64));
        let mut fields = r.into_fields();
        let size = range.end.saturating_sub(range.start);
        fields.insert(0, Field::new("Slots", "slots", Value::Text(slots(list, source)), list.at, size));
        let entries = Entries { source: source.clone(), list: list.clone(), shift: self.shift };
        let sources = list.sources();
        let size = sources.end.saturating_sub(sources.start);
        // What a person looks for comes before the offsets that lead to it.
        fields.insert(1, Field::table("Entries", "Entry", sources.start, size, Arc::new(entries)));
        fields.into_iter().map(Field::mirrored).collect()
    }
}

/// Which slots a list writes, in words.
fn slots(list: &List, source: &Source) -> String {
    let mut written = (0..list.whole).filter_map(|entry| list.slot(source, entry));
    let Some(first) = written.next() else { return "none".to_owned() };
    let (low, high) = written.fold((first, first), |(low, high), slot| (low.min(slot), high.max(slot)));
    let entries = counted(list.whole, "entry");
    format!("{low} to {high}, {entries}")
}

/// The entries of a list, read when they are looked at.
#[derive(Debug)]
struct Entries {
    source: Source,
    list: List,
    shift: u8,
}

impl Table for Entries {
    fn len(&self) -> usize {
        usize::from(self.list.whole)
    }

    fn row(&self, index: usize) -> Option<Field> {
        let (list, source) = (&self.list, &self.source);
        let entry = u16::try_from(index).ok().filter(|entry| *entry < list.whole)?;
        let behind = |start: u64, stride: u64| start.saturating_add(stride.saturating_mul(u64::from(entry)));
        let at = behind(list.sources().start, SLOT);
        let (slot_at, slot_size) = match list.kind {
            ListKind::Accumulate => (behind(list.indices().start, 2), 2),
            // They follow each other from here on.
            _ => (at, SLOT),
        };
        let slot = list.slot(source, entry).map_or(Value::Text("none".to_owned()), |slot| Value::UInt(slot.into()));
        let mut fields = vec![Field::new("Slot", "slot", slot, slot_at, slot_size)];
        let weights_at = behind(list.weights().start, list.weight_stride());
        match (list.kind, list.weights_of(source, entry)?) {
            (ListKind::One, _) => fields.push(Field::new("Weight", "constant", Value::Float(1.0), at, SLOT)),
            (kind, weights) => {
                let names: &[&'static str] = if kind == ListKind::Two { &["Weight0", "Weight1"] } else { &["Weight"] };
                for ((name, weight), at) in names.iter().zip(weights).zip(weights_at..) {
                    let value = Value::Float(f32::from(weight) / 256.0);
                    fields.push(Field::new(*name, "u8/256", value, at, 1));
                }
            }
        }
        let [x, y, z, nx, ny, nz] = list.source(source, entry)?;
        let kind = format!("s16[3]/2^{}", self.shift);
        for (name, numbers, at) in [("Position", [x, y, z], at), ("Normal", [nx, ny, nz], at.saturating_add(6))] {
            let value = Value::Floats(real_numbers(numbers, self.shift).to_vec());
            fields.push(Field::new(name, kind.clone(), value, at, 6));
        }
        let stored = [x, y, z, nx, ny, nz].map(i64::from).to_vec();
        fields.push(Field::new("Stored", "s16[6]", Value::Ints(stored), at, SLOT));
        let fields = fields.into_iter().map(Field::mirrored).collect();
        Some(Field::group(index.to_string(), "Entry", at, SLOT, fields).mirrored())
    }
}
