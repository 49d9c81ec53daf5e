//! Lists as entries of their own, with their slots one below the other.

use super::{
    layout::SLOT,
    list::{List, read_list, record_size},
    read::real_numbers,
    skin::Skn,
};
use crate::{
    bytes::{Endian, Source, numbers::counted},
    formats::{
        Content, Field, Role, Table, Value,
        field_reader::FieldReader,
        structure::{Part, Structure},
    },
    scene::ListKind,
};
use std::{any::Any, sync::Arc};

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
