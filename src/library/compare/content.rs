//! What fields say as a number, to find what is held against what. Whether two say the same is then looked at field by field.

use super::{side::Side, work::Work};
use crate::{
    bytes::Source,
    formats::{Children, Field, Table, Value},
};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Bytes that are read at once.
const PIECE: u64 = 1 << 20;
/// Fields in fields.
const DEEPEST: usize = 64;

/// A number for some bytes; `None` where they cannot be read, or there are too many.
pub fn of_bytes(bytes: &Source, work: &mut Work<'_>) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    add_bytes(bytes, &mut hasher, work)?;
    Some(hasher.finish())
}

/// A number for what a list of fields says; `None` where there is too much of it.
pub fn of_fields(fields: &[Field], side: Side<'_>, work: &mut Work<'_>) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    add_fields(fields, side, &mut hasher, work, 0)?;
    Some(hasher.finish())
}

/// A number for what a field says, its name apart; `None` where there is too much of it.
pub fn of_field(field: &Field, side: Side<'_>, work: &mut Work<'_>) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    add_field(field, side, &mut hasher, work, 0)?;
    Some(hasher.finish())
}

/// A number for the key of a row: its own name where that is none of a number, or else the text or reference that it begins with.
pub fn of_key(row: &Field) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    if !row.name.bytes().all(|byte| byte.is_ascii_digit()) {
        row.name.hash(&mut hasher);
        return Some(hasher.finish());
    }
    let Children::Fields(fields) = &row.children else { return None };
    match &fields.first()?.value {
        Value::Text(text) if !text.is_empty() => text.hash(&mut hasher),
        Value::Reference(reference) if !reference.path.is_empty() => reference.path.hash(&mut hasher),
        _ => return None,
    }
    Some(hasher.finish())
}

fn add_bytes(bytes: &Source, hasher: &mut DefaultHasher, work: &mut Work<'_>) -> Option<()> {
    let size = bytes.len() as u64;
    if !work.bytes(size) {
        return None;
    }
    size.hash(hasher);
    for at in (0..size).step_by(PIECE as usize) {
        let piece = bytes.slice(at, PIECE.min(size.saturating_sub(at)))?.in_memory().ok()?;
        piece.as_slice().hash(hasher);
    }
    Some(())
}

fn add_fields(
    fields: &[Field],
    side: Side<'_>,
    hasher: &mut DefaultHasher,
    work: &mut Work<'_>,
    depth: usize,
) -> Option<()> {
    for field in fields.iter().filter(|field| is_own(field)) {
        field.name.hash(hasher);
        add_field(field, side, hasher, work, depth)?;
    }
    Some(())
}

/// What another entry owns is compared there.
pub fn is_own(field: &Field) -> bool {
    !field.mirror || field.size == 0
}

fn add_field(
    field: &Field,
    side: Side<'_>,
    hasher: &mut DefaultHasher,
    work: &mut Work<'_>,
    depth: usize,
) -> Option<()> {
    if depth >= DEEPEST || !work.glance() {
        return None;
    }
    std::mem::discriminant(&field.value).hash(hasher);
    match &field.value {
        Value::None => {}
        Value::Bool(value) => value.hash(hasher),
        Value::Int(value) | Value::Enum { value, .. } => value.hash(hasher),
        Value::UInt(value) | Value::Flags { value, .. } => value.hash(hasher),
        Value::Float(value) => value.to_bits().hash(hasher),
        Value::Text(text) => text.hash(hasher),
        Value::Floats(values) => values.iter().for_each(|value| value.to_bits().hash(hasher)),
        Value::Ints(values) => values.hash(hasher),
        Value::Color(color) => color.hash(hasher),
        Value::Reference(reference) => reference.path.hash(hasher),
        Value::Raw | Value::Opaque(_) => match side.bytes_of(field) {
            Some(bytes) => add_bytes(&bytes, hasher, work)?,
            None => field.size.hash(hasher),
        },
    }
    match &field.children {
        Children::None => Some(()),
        Children::Fields(fields) => add_fields(fields, side, hasher, work, depth + 1),
        Children::Table(table) => add_rows(&**table, side, hasher, work, depth + 1),
    }
}

fn add_rows(
    table: &dyn Table,
    side: Side<'_>,
    hasher: &mut DefaultHasher,
    work: &mut Work<'_>,
    depth: usize,
) -> Option<()> {
    table.len().hash(hasher);
    (0..table.len()).try_for_each(|at| match table.row(at) {
        Some(row) => add_field(&row, side, hasher, work, depth),
        None => Some(()),
    })
}
