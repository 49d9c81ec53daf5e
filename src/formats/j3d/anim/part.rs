//! The parts of an animation: an entry for each driven thing below the chunk, with its tracks and their keys shown
//! again.

use super::track::{Bank, Element, Layout, Track};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Content, Field, Role, Table,
        field_reader::{Fault, FieldReader},
        j3d::file::{Findings, Part},
    },
    scene::Clip,
};
use std::{marker::PhantomData, ops::Range, sync::Arc};

/// What every kind of animation can do.
pub trait Animated {
    /// Its tracks as channels.
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip;

    /// What it drives one by one.
    fn parts(&self) -> Vec<Part>;

    /// Tracks and keys of a part, mirrored.
    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field>;
}

/// An entry for a record.
pub fn part(name: String, class: &'static str, range: Range<u64>) -> Part {
    Part { name, role: Role::Data, class, range, content: Content::None }
}

/// The record's own fields.
pub fn record<T>(
    source: &Source,
    range: Range<u64>,
    read: impl FnOnce(&mut FieldReader<'_>) -> Result<T, Fault>,
) -> Vec<Field> {
    let mut r = FieldReader::new(source, range, Endian::Big).recording();
    // It was read once without a fault.
    let _ = read(&mut r);
    r.into_fields().into_iter().map(Field::mirrored).collect()
}

/// The keys of a track, or its constant; `None` for a track without any.
pub fn keys<T: Element>(source: &Source, name: impl Into<String>, track: Track, bank: &Bank<T>) -> Option<Field> {
    let count = track.whole_keys(bank.numbers.len());
    let (index, stride) = (u64::from(track.index), track.stride() as u64);
    let at = bank.offset.saturating_add(index.saturating_mul(T::SIZE as u64));
    let name = name.into();
    if track.count == 1 {
        let value = bank.numbers.get(usize::from(track.index))?;
        return Some(Field::new(name, T::KIND, value.value(), at, T::SIZE as u64).mirrored());
    }
    let row_size = stride.saturating_mul(T::SIZE as u64);
    let rows = KeyRows { source: source.clone(), at, count, row_size, layout: track.layout, element: PhantomData::<T> };
    let size = row_size.saturating_mul(count as u64);
    (count > 0).then(|| Field::table(name, "Keys", at, size, Arc::new(rows)).mirrored())
}

/// Keys of a track.
#[derive(Debug)]
struct KeyRows<T> {
    source: Source,
    at: u64,
    count: usize,
    /// Bytes.
    row_size: u64,
    layout: Layout,
    element: PhantomData<T>,
}

impl<T: Element> Table for KeyRows<T> {
    fn len(&self) -> usize {
        self.count
    }

    fn row(&self, index: usize) -> Option<Field> {
        if index >= self.count {
            return None;
        }
        let at = self.at.checked_add((index as u64).checked_mul(self.row_size)?)?;
        let start = usize::try_from(at).ok()?;
        let end = start.checked_add(usize::try_from(self.row_size).ok()?)?;
        let bytes = self.source.as_slice().get(start..end)?;
        let names: &[&str] = match self.layout {
            Layout::Shared => &["Time", "Value", "Tangent"],
            Layout::Split => &["Time", "Value", "TangentIn", "TangentOut"],
            Layout::EveryFrame => {
                return Some(Field::new(index.to_string(), T::KIND, T::read(bytes).value(), at, self.row_size));
            }
        };
        let field = |(place, (name, bytes)): (usize, (&&'static str, &[u8]))| {
            let at = at.saturating_add((place as u64).saturating_mul(T::SIZE as u64));
            Field::new(*name, T::KIND, T::read(bytes).value(), at, T::SIZE as u64)
        };
        let fields: Vec<Field> = names.iter().zip(bytes.chunks_exact(T::SIZE)).enumerate().map(field).collect();
        Some(Field::group(index.to_string(), "Key", at, self.row_size, fields))
    }
}

/// The name of a material of a name table, or its place where it has none.
pub fn material_name(names: &[String], index: usize) -> String {
    names.get(index).filter(|n| !n.is_empty()).cloned().unwrap_or_else(|| format!("material {index}"))
}
