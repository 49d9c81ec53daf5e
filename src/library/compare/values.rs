//! Whether two values are the same, and values as text.

use super::side::Side;
use crate::bytes::numbers::counted;
use crate::formats::{Children, Field, Value};
use std::fmt::Write as _;

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
