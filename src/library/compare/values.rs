//! Compares two values, and shows values as text or as a number.
//!
//! What fields say as a number, to find what is held against what. Whether two say the same is then looked at field by
//! field.

use super::side::{Side, Work};
use crate::{
    bytes::{Source, numbers::counted},
    formats::{Children, Field, Table, Value},
};
use std::{
    fmt::Write as _,
    hash::{DefaultHasher, Hash, Hasher},
};

/// Characters of a value that are shown.
const LONGEST: usize = 120;
/// Numbers of a list, and bytes, that are shown.
const MAX_NUMBERS: usize = 16;

/// The type of fields that are quaternions of which `q` and `−q` are one rotation.
const QUATERNION: &str = "Quat";

/// Whether the fields' own values say the same; what they hold is not looked at. References count by what they say.
pub fn is_same(
    (left, of_left): (&Field, Side<'_>),
    (right, of_right): (&Field, Side<'_>),
    tolerance: Option<f32>,
) -> bool {
    match (&left.value, &right.value) {
        (Value::Float(a), Value::Float(b)) => is_equal(*a, *b, tolerance),
        (Value::Floats(a), Value::Floats(b)) if left.kind == QUATERNION => are_equal_rotations(a, b, tolerance),
        (Value::Floats(a), Value::Floats(b)) => are_equal(a, b, tolerance),
        (Value::Reference(a), Value::Reference(b)) => a.path == b.path,
        (Value::Flags { value: a, .. }, Value::Flags { value: b, .. }) => a == b,
        (Value::Enum { value: a, .. }, Value::Enum { value: b, .. }) => a == b,
        (Value::Raw, Value::Raw) => has_equal_bytes((left, of_left), (right, of_right)),
        (Value::Opaque(a), Value::Opaque(b)) => a == b && has_equal_bytes((left, of_left), (right, of_right)),
        (Value::UInt(a), Value::UInt(b)) => a == b || points_alike((left, of_left, *a), (right, of_right, *b)),
        (Value::Int(a), Value::Int(b)) => {
            let position = |value: i64| u64::try_from(value).ok();
            let moved = |(a, b)| points_alike((left, of_left, a), (right, of_right, b));
            a == b || position(*a).zip(position(*b)).is_some_and(moved)
        }
        (a, b) => a == b,
    }
}

/// Whether two numbers have the same bits, or differ by the tolerance at most. A NaN equals only its own bits.
pub fn is_equal(a: f32, b: f32, tolerance: Option<f32>) -> bool {
    a.to_bits() == b.to_bits() || tolerance.is_some_and(|most| (a - b).abs() <= most)
}

/// Compares lists number by number with [`is_equal`].
pub fn are_equal(left: &[f32], right: &[f32], tolerance: Option<f32>) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(a, b)| is_equal(*a, *b, tolerance))
}

/// Compares quaternions. With a tolerance `q` equals `−q`.
pub fn are_equal_rotations(left: &[f32], right: &[f32], tolerance: Option<f32>) -> bool {
    let negated = || right.iter().map(|value| -value).collect::<Vec<_>>();
    are_equal(left, right, tolerance) || tolerance.is_some() && are_equal(left, &negated(), tolerance)
}

fn has_equal_bytes((left, of_left): (&Field, Side<'_>), (right, of_right): (&Field, Side<'_>)) -> bool {
    left.size == right.size
        && of_left.bytes_of(left).zip(of_right.bytes_of(right)).is_some_and(|(left, right)| left.is_equal(&right))
}

/// Whether two numbers are positions in their files, of one place in two entries that lie in different places.
fn points_alike((left, of_left, a): (&Field, Side<'_>, u64), (right, of_right, b): (&Field, Side<'_>, u64)) -> bool {
    left.size >= 4
        && left.offset != right.offset
        && of_left.holds(a)
        && of_right.holds(b)
        && a.checked_sub(left.offset).is_some_and(|behind| b.checked_sub(right.offset) == Some(behind))
}

/// A value on one line, cut where it is long.
pub fn shown(field: &Field, side: Side<'_>) -> String {
    let text = match &field.value {
        Value::None => match &field.children {
            Children::None => String::new(),
            Children::Fields(fields) => counted(fields.len(), "field"),
            Children::Table(table) => counted(table.len(), "row"),
        },
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => format!("“{}”", cut(text)),
        Value::Floats(values) => listed(values.iter().map(|value| format!("{value:?}"))),
        Value::Ints(values) => listed(values.iter().map(i64::to_string)),
        Value::Color([r, g, b, a]) => format!("#{r:02x}{g:02x}{b:02x}{a:02x}"),
        Value::Enum { value, name } => format!("{value} ({name})"),
        Value::Flags { value, names } if names.is_empty() => format!("{value:#x}"),
        Value::Flags { value, names } => format!("{value:#x} ({})", names.join(" | ")),
        Value::Reference(reference) => match reference.path.is_empty() {
            true => "none".to_owned(),
            false => format!("→ {}", reference.path),
        },
        Value::Raw => hex(field, side),
        Value::Opaque(name) => format!("{} bytes, {name}", field.size),
    };
    cut(&text)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn listed(values: impl ExactSizeIterator<Item = String>) -> String {
    let count = values.len();
    let more = if count > MAX_NUMBERS { format!(", … {count} in total") } else { String::new() };
    format!("[{}{more}]", values.take(MAX_NUMBERS).collect::<Vec<_>>().join(", "))
}

fn hex(field: &Field, side: Side<'_>) -> String {
    let size = field.size.min(MAX_NUMBERS as u64);
    let start = side.file.document.source_of(side.entry.id).slice(field.offset, size);
    let Some(start) = start.and_then(|start| start.in_memory().ok()) else { return format!("{} bytes", field.size) };
    let mut text = String::new();
    for byte in start.as_slice() {
        let _ = write!(text, "{byte:02x}");
    }
    if size < field.size { format!("{text}… {} bytes", field.size) } else { text }
}

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
