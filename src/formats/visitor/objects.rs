//! Objects: what stands where, one to a slot (formats/visitor.md §1.5).

use super::{
    layout::{Layout, read_color, read_f64},
    placing::{Placement, TransformOrder},
    strings,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        EntryId, Field, Reference, Table, Value,
        field_reader::{Fault, FieldReader},
    },
};
use glam::Vec2;
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// One object.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    pub id: u32,
    pub transform: [f32; 12],
    /// Relative, in the file's unit.
    pub size: f64,
    pub name: String,
    /// Metres over the ground.
    pub above_ground: f32,
    pub outline: [u8; 4],
    pub fill: [u8; 4],
    pub type_id: u32,
}

/// All slots of a project.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// Where their number is, in bytes.
    pub at: u64,
    /// Slots that should be there.
    pub announced: u32,
    /// Where each slot begins, in bytes from the first one; compact, since there are many.
    starts: Vec<u32>,
    /// Where the last one ends.
    pub end: u64,
    /// Slots that are not empty.
    pub present: u32,
    /// The first ones that are not empty: what decides how disputed parts are read.
    pub sample: Vec<Object>,
    /// How far east and north objects stand, by each order of their numbers.
    pub reach: [Vec2; 2],
    /// How many are of each type.
    pub per_type: BTreeMap<u32, u32>,
    /// What the first slot that cannot be read is.
    pub fault: Option<Fault>,
}

/// Objects that decide.
const SAMPLED: usize = 1000;

/// Bytes of an empty slot.
const EMPTY: u64 = 2;

/// Types that are counted; a hostile file has a new one in each slot.
const MAX_TYPES: usize = 1 << 16;

/// Reads a slot; `None` is an empty one.
///
/// # Errors
/// When it cannot be read to its end.
pub fn read_slot(r: &mut FieldReader<'_>, layout: &Layout) -> Result<Option<Object>, Fault> {
    let at = r.offset();
    let present = r.raw().u16()? != 0;
    r.record("Present", "bool16", at, || Value::Bool(present));
    if !present {
        return Ok(None);
    }
    r.u16("Flag")?;
    let id = r.u32("InstanceId")?;
    let transform = r.floats::<12>("Transform", "f32[12]")?;
    let size = read_f64(r, "RelativeSize")?;
    let name = strings::read(r, "InstanceName", layout.strings)?;
    let above_ground = r.floats::<1>("HeightOverGround", "f32")?.first().copied().unwrap_or(0.0);
    let outline = read_color(r, "Outline", layout)?;
    let fill = read_color(r, "Fill", layout)?;
    let type_id = r.u32("ObjectTypeId")?;
    Ok(Some(Object { id, transform, size, name, above_ground, outline, fill, type_id }))
}

/// Whether a name had bytes that are no text in any code page: they are escaped. What windows-1252 alone leaves free are letters
/// elsewhere.
fn has_controls(name: &str) -> bool {
    name.split("\\x").skip(1).any(|escaped| escaped.starts_with(['0', '1']) || escaped.starts_with("7F"))
}

impl Object {
    /// Whether its numbers are what an object's may be.
    pub fn is_sane(&self) -> bool {
        let orders = TransformOrder::ALL.map(|order| Placement::of(self.transform, order));
        let size = self.size.abs();
        orders.iter().any(|p| p.is_finite() && p.is_upright_box())
            && size > 0.0
            && size < 1e4
            && self.above_ground.is_finite()
            && !has_controls(&self.name)
    }
}

impl Objects {
    /// Reads the slots from their number on, as far as they can be read.
    pub fn read(source: &Source, at: u64, layout: &Layout) -> Option<Self> {
        let mut r = FieldReader::new(source, at..u64::MAX, Endian::Little);
        let announced = r.u32("SlotCount").ok()?;
        let first = r.offset();
        let most = r.whole_records(u64::from(announced), EMPTY);
        let mut objects = Self { at, announced, end: first, ..Self::default() };
        // Most slots are not empty.
        objects.starts.reserve(most.min(r.left().div_euclid(80)));
        for _ in 0..announced {
            let start = r.offset();
            let Ok(compact) = u32::try_from(start.saturating_sub(first)) else { break };
            match read_slot(&mut r, layout) {
                Ok(object) => {
                    objects.starts.push(compact);
                    objects.end = r.offset();
                    if let Some(object) = object {
                        objects.count(object);
                    }
                }
                Err(fault) => {
                    objects.fault = Some(fault);
                    break;
                }
            }
        }
        objects.starts.shrink_to_fit();
        Some(objects)
    }

    fn count(&mut self, object: Object) {
        self.present = self.present.saturating_add(1);
        if self.per_type.len() < MAX_TYPES || self.per_type.contains_key(&object.type_id) {
            let count = self.per_type.entry(object.type_id).or_default();
            *count = count.saturating_add(1);
        }
        for (reach, order) in self.reach.iter_mut().zip(TransformOrder::ALL) {
            let position = Placement::of(object.transform, order).position;
            if position.is_finite() {
                *reach = reach.max(Vec2::new(position.x, position.z));
            }
        }
        if self.sample.len() < SAMPLED {
            self.sample.push(object);
        }
    }

    /// Slots that can be read.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The bytes of a slot.
    pub fn range(&self, slot: usize) -> Option<Range<u64>> {
        let first = self.at.saturating_add(4);
        let start = first.saturating_add(u64::from(*self.starts.get(slot)?));
        let end = slot.checked_add(1).and_then(|next| self.starts.get(next));
        Some(start..end.map_or(self.end, |end| first.saturating_add(u64::from(*end))))
    }

    /// What is in a slot; `None` for an empty one.
    pub fn get(&self, source: &Source, slot: usize, layout: &Layout) -> Option<Object> {
        // It was read once without a fault.
        read_slot(&mut FieldReader::new(source, self.range(slot)?, Endian::Little), layout).ok().flatten()
    }
}

/// Entry and path of each object type, by its number.
pub type TypePaths = BTreeMap<u32, (EntryId, String)>;

/// The slots as rows.
pub struct SlotTable {
    pub source: Source,
    pub objects: Arc<Objects>,
    pub layout: Layout,
    pub types: Arc<TypePaths>,
}

impl std::fmt::Debug for SlotTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SlotTable({})", self.objects.len())
    }
}

impl Table for SlotTable {
    fn len(&self) -> usize {
        self.objects.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let range = self.objects.range(index)?;
        let mut r = FieldReader::new(&self.source, range.clone(), Endian::Little).recording();
        let object = read_slot(&mut r, &self.layout).ok().flatten();
        if let Some(object) = object {
            self.explain(&mut r, &object, &range);
        }
        let size = range.end.saturating_sub(range.start);
        Some(Field::group(index.to_string(), "Object", range.start, size, r.into_fields()))
    }
}

impl SlotTable {
    /// Says again in plain numbers what the transform comes to, and of which type the object is.
    fn explain(&self, r: &mut FieldReader<'_>, object: &Object, range: &Range<u64>) {
        let placement = Placement::of(object.transform, self.layout.transform);
        let matrix_at = range.start.saturating_add(8);
        let position = Value::Floats(placement.position.to_array().to_vec());
        r.push(Field::new("Position", "east, up, north in m", position, matrix_at, 48).mirrored());
        let heading = Value::Float(placement.heading().to_degrees());
        r.push(Field::new("Heading", "degrees from north", heading, matrix_at, 48).mirrored());
        let (entry, path) = match self.types.get(&object.type_id) {
            Some((entry, path)) => (Some(*entry), path.clone()),
            None => (None, object.type_id.to_string()),
        };
        let reference = Value::Reference(Reference::inside(path, entry));
        r.push(Field::new("ObjectType", "ObjectType", reference, range.end.saturating_sub(4), 4).mirrored());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_code_pages_are_letters() {
        for (bytes, expected) in [(&b"Chu\x9D"[..], false), (b"\x81\x90", false), (b"a\x01", true), (b"\x7F", true)] {
            assert_eq!(has_controls(&strings::decode(bytes)), expected, "{bytes:?}");
        }
    }
}
