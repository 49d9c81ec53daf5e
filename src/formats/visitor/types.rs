//! Object types (formats/visitor.md §1.2), and their kinds for the scene, which worlds of the games share.

use super::{
    info::VARIOUS_INFO,
    layout::{Layout, read_color},
    strings,
};
use crate::{
    formats::{
        Field, Value,
        field_reader::{Fault, FieldReader},
    },
    scene::{PropClass, PropKind, PropMarker, SizeSource},
};
use glam::Vec3;
use std::{collections::BTreeMap, ops::Range};

/// A type of objects.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectType {
    /// Its bytes.
    pub range: Range<u64>,
    pub model: String,
    pub name: String,
    pub class: u32,
    pub outline: [u8; 4],
    pub fill: [u8; 4],
    /// What objects and roads call it by.
    pub id: u32,
    /// The first two doubles of what is not described, where they look like a width and a depth, in metres.
    pub footprint: Option<[f32; 2]>,
    pub marker: u32,
    /// Bytes that are not described.
    pub info_size: usize,
}

/// Bytes of the smallest type.
pub const SMALLEST: u64 = strings::SHORTEST * 2 + 4 + 8 + 118 + 8;

/// Bytes of the smallest part of a type.
const SMALLEST_SUB: u64 = strings::SHORTEST + 32;

/// Parts that a type may have.
const MAX_SUBS: u32 = 1024;

/// Bytes that are not described in the known classes.
pub const INFO_SIZES: [usize; 2] = [118, 214];

/// Bytes of the number that objects refer to, from the start of what is not described.
const ID_AT: usize = 16;

/// What a class is called.
pub fn class_name(class: u32) -> Option<&'static str> {
    match class {
        1 => Some("natural"),
        2 => Some("artificial"),
        3 => Some("road"),
        5 => Some("artificial (part of a road)"),
        _ => None,
    }
}

/// Reads one type. `unknown_info`: how many bytes are not described in one of an unknown class, where that was found out.
///
/// # Errors
/// When it does not fit, or is of a class whose size nobody knows.
pub fn read_type(r: &mut FieldReader<'_>, layout: &Layout, unknown_info: Option<usize>) -> Result<ObjectType, Fault> {
    let start = r.offset();
    let model = strings::read(r, "ModelFilename", layout.strings)?;
    let name = strings::read(r, "TypeName", layout.strings)?;
    let class_at = r.offset();
    let class = r.named_u32("ClassId", class_name)?;
    let outline = read_color(r, "Outline", layout)?;
    let fill = read_color(r, "Fill", layout)?;
    let info_size = match (class, unknown_info) {
        (1 | 2 | 5, _) => 118_usize,
        (3, _) => 214,
        (_, Some(size)) => size,
        (_, None) => {
            let message = format!("unknown class {class} in an object type");
            return Err(Fault::new(class_at, message));
        }
    };
    let info_at = r.offset();
    let info = r.bytes("VariousInfo", format!("u8[{ID_AT}]"), ID_AT, Value::Opaque(VARIOUS_INFO))?;
    let id = r.u32("ObjectTypeId")?;
    let rest = info_size.saturating_sub(ID_AT).saturating_sub(4);
    r.bytes("VariousInfo", format!("u8[{rest}]"), rest, Value::Opaque(VARIOUS_INFO))?;
    if r.is_recording() {
        push_numbers(r, info_at, info_size);
    }
    let count_at = r.offset();
    let subs = r.u32("SubCount")?;
    if subs > MAX_SUBS || u64::from(subs).saturating_mul(SMALLEST_SUB) > r.left() as u64 {
        return Err(Fault::new(count_at, format!("invalid part count {subs} in an object type")));
    }
    for _ in 0..subs {
        r.group("Sub", "ArtificialSubObject", |r| {
            strings::read(r, "Name", layout.strings)?;
            r.u32("Unknown0")?;
            r.u32("Unknown1")?;
            r.floats::<3>("Start", "f32[3]")?;
            r.floats::<3>("End", "f32[3]")
        })?;
    }
    let marker = r.named_u32("MarkerType", |marker| match marker {
        0 => Some("rectangle"),
        1 => Some("ellipse"),
        _ => None,
    })?;
    if layout.trailing_ids {
        r.u32("TrailingTypeId")?;
    }
    let footprint = footprint(info);
    Ok(ObjectType { range: start..r.offset(), model, name, class, outline, fill, id, footprint, marker, info_size })
}

/// Two doubles that look like a size.
fn footprint(info: &[u8]) -> Option<[f32; 2]> {
    let double = |bytes: Option<&[u8]>| bytes.and_then(|b| b.try_into().ok()).map(f64::from_le_bytes);
    let [width, depth] = [double(info.get(..8))?, double(info.get(8..16))?];
    let fits = |size: f64| (0.1..=500.0).contains(&size);
    (fits(width) && fits(depth)).then_some([width as f32, depth as f32])
}

/// Shows what is not described as the numbers that it may be.
fn push_numbers(r: &mut FieldReader<'_>, at: u64, size: usize) {
    let range = at..at.saturating_add(size as u64);
    let mut numbers = FieldReader::new(r.source(), range, crate::bytes::Endian::Little).recording();
    let count = (size as u64).div_euclid(4);
    let whole = size as u64;
    let _ = numbers.table("VariousInfo as numbers", "u32, f32, f64", count, 4, move |row, index| {
        let offset = row.offset();
        row.u32("u32")?;
        row.seek(offset)?;
        row.f32("f32")?;
        if (index as u64).saturating_mul(4).saturating_add(8) <= whole {
            let mut wide =
                FieldReader::new(row.source(), offset..offset.saturating_add(8), crate::bytes::Endian::Little);
            let value = f64::from_le_bytes(wide.raw().array::<8>()?);
            row.push(Field::new("f64", "f64", Value::Float(value as f32), offset, 8));
        }
        Ok(())
    });
    for field in numbers.into_fields() {
        r.push(field.mirrored());
    }
}

/// Types that are made up for objects whose own is missing; further ones share the last.
const MAX_MADE_UP: usize = 4096;

/// What a class is by the file's number.
pub fn class_of(class: u32) -> PropClass {
    match class {
        1 => PropClass::Natural,
        2 => PropClass::Artificial,
        3 => PropClass::Road,
        5 => PropClass::ArtificialInRoad,
        other => PropClass::Other(other),
    }
}

/// Width, height and depth in metres of what says nothing of its size.
pub fn usual_size(class: PropClass) -> Vec3 {
    match class {
        PropClass::Natural => Vec3::new(3.0, 6.0, 3.0),
        PropClass::Artificial => Vec3::new(10.0, 6.0, 10.0),
        PropClass::Road => Vec3::new(10.0, 0.3, 12.0),
        PropClass::ArtificialInRoad => Vec3::new(2.0, 2.0, 4.0),
        PropClass::Other(_) | PropClass::Unresolved => Vec3::new(4.0, 4.0, 4.0),
    }
}

/// Kinds by the file's numbers; those that are missing are made up when they are asked for.
#[derive(Debug, Default)]
pub struct Kinds {
    pub list: Vec<PropKind>,
    by_id: BTreeMap<u32, u32>,
    made_up: usize,
}

impl Kinds {
    /// Adds a kind of the file; of those with one number the first counts.
    pub fn add(&mut self, kind: PropKind) {
        let index = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.by_id.entry(kind.id).or_insert(index);
        self.list.push(kind);
    }

    /// The kind of a number: into the list.
    pub fn index(&mut self, id: u32) -> u32 {
        if let Some(index) = self.by_id.get(&id) {
            return *index;
        }
        if self.made_up >= MAX_MADE_UP {
            return u32::try_from(self.list.len().saturating_sub(1)).unwrap_or(u32::MAX);
        }
        self.made_up = self.made_up.saturating_add(1);
        self.add(PropKind {
            id,
            name: format!("type {id}"),
            model: String::new(),
            class: PropClass::Unresolved,
            marker: PropMarker::Rectangle,
            outline: None,
            fill: None,
            size: usual_size(PropClass::Unresolved),
            size_source: SizeSource::Class,
            source: None,
            body: None,
        });
        u32::try_from(self.list.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_types_are_made_up_once_and_not_without_end() {
        let mut kinds = Kinds::default();
        assert_eq!((kinds.index(7), kinds.index(9), kinds.index(7), kinds.list.len()), (0, 1, 0, 2));
        assert!(kinds.list.iter().all(|kind| kind.class == PropClass::Unresolved));
        for id in 100..10_000 {
            assert!((kinds.index(id) as usize) < kinds.list.len());
        }
        assert_eq!(kinds.list.len(), MAX_MADE_UP);
    }
}
