//! Numbers, times and values as text.

use crate::{
    formats::{Children, Field, Value},
    scene::MusicPosition,
    ui::widgets::numbers::counted,
};

/// A float with four decimals, so that columns align; very small and very large ones in powers of ten.
pub fn fixed(value: f32) -> String {
    let size = value.abs();
    if !value.is_finite() {
        value.to_string()
    } else if size >= 1e6 || (size > 0.0 && size < 1e-3) {
        format!("{value:.3e}")
    } else {
        format!("{value:.4}")
    }
}

/// A float with so many decimals; very large ones in powers of ten. What rounds to nothing reads as 0.
pub fn decimals(value: f32, count: usize) -> String {
    if !value.is_finite() || value.abs() >= 1e6 {
        return fixed(value);
    }
    let text = format!("{value:.count$}");
    let is_zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A vector's numbers side by side, with so many decimals.
pub fn vector(values: &[f32], count: usize, space: &str) -> String {
    values.iter().map(|v| decimals(*v, count)).collect::<Vec<_>>().join(space)
}

/// What stands in a table's cell: like [`shown`], with numbers that align.
pub fn cell(field: &Field) -> String {
    match field.value {
        Value::Float(value) => fixed(value),
        _ => shown(field),
    }
}

/// What stands in the value column. Vectors are joined; groups and tables say how much they hold.
pub fn shown(field: &Field) -> String {
    match &field.value {
        Value::None => match &field.children {
            Children::None => String::new(),
            Children::Fields(fields) => counted(fields.len(), "field"),
            Children::Table(table) => counted(table.len(), "row"),
        },
        Value::Floats(values) if values.len() <= 4 => vector(values, 4, "  "),
        Value::Floats(values) => counted(values.len(), "number"),
        Value::Ints(values) if values.len() <= 8 => joined(values.iter()),
        Value::Ints(values) => counted(values.len(), "number"),
        Value::Enum { value, name } => format!("{name} ({value})"),
        Value::Raw => counted(field.size as usize, "byte"),
        Value::Opaque(name) => format!("{name}, {}", counted(field.size as usize, "byte")),
        other => whole(other),
    }
}

/// The value to the last digit.
pub fn whole(value: &Value) -> String {
    match value {
        Value::None | Value::Raw => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => text.clone(),
        Value::Floats(values) => joined(values.iter()),
        Value::Ints(values) => joined(values.iter()),
        Value::Color([r, g, b, a]) => format!("#{r:02X}{g:02X}{b:02X}{a:02X}"),
        Value::Enum { name, .. } => name.to_string(),
        Value::Flags { value, names } if names.is_empty() => format!("0x{value:X}"),
        Value::Flags { value, names } => format!("{} (0x{value:X})", names.join(" | ")),
        Value::Reference(reference) => reference.path.clone(),
        Value::Opaque(name) => (*name).to_owned(),
    }
}

/// Whether the value is shown as numbers: those are set in tabular figures.
pub fn is_number(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::UInt(_) | Value::Float(_) | Value::Color(_) => true,
        Value::Floats(values) => values.len() <= 4,
        Value::Ints(values) => values.len() <= 8,
        _ => false,
    }
}

fn joined<T: ToString>(values: impl Iterator<Item = T>) -> String {
    values.map(|v| v.to_string()).collect::<Vec<_>>().join("  ")
}

/// Steps between two marks, in seconds.
pub const SECONDS_BETWEEN_MARKS: [f64; 17] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0];

/// `1:02`, with thousandths `1:02.345`.
pub fn clock(seconds: f64, thousandths: bool) -> String {
    let millis = (seconds.max(0.0) * 1000.0).round() as u64;
    let (minutes, rest) = (millis / 60_000, millis % 60_000);
    if thousandths {
        format!("{minutes}:{:02}.{:03}", rest / 1000, rest % 1000)
    } else {
        format!("{minutes}:{:02}", rest / 1000)
    }
}

/// `order 3, pattern 7, row 12`.
pub fn place_text(at: &MusicPosition) -> String {
    let song = if at.song > 0 { format!("song {}, ", at.song + 1) } else { String::new() };
    format!("{song}order {}, pattern {}, row {}", at.order, at.pattern, at.row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(fixed(1.0), "1.0000");
        assert_eq!(fixed(-0.000_123), "-1.230e-4");
        assert_eq!(fixed(f32::NAN), "NaN");
        assert_eq!(fixed(2.5e7), "2.500e7");
        assert_eq!(decimals(-1e-8, 2), "0.00");
        assert_eq!(decimals(-0.126, 2), "-0.13");
    }

    #[test]
    fn every_value_has_a_text() {
        let field = |value| Field::new("f", "k", value, 0, 4);
        assert_eq!(shown(&field(Value::Enum { value: 2, name: "Loop".into() })), "Loop (2)");
        assert_eq!(shown(&field(Value::Flags { value: 5, names: vec!["A", "C"] })), "A | C (0x5)");
        assert_eq!(shown(&field(Value::Color([255, 0, 16, 128]))), "#FF001080");
        assert_eq!(shown(&field(Value::Raw)), "4 bytes");
        assert_eq!(shown(&field(Value::Floats(vec![0.0; 16]))), "16 numbers");
        assert_eq!(shown(&Field::group("g", "G", 0, 4, vec![field(Value::Bool(true))])), "1 field");
    }

    #[test]
    fn times_are_written_as_on_a_player() {
        assert_eq!(clock(62.345, true), "1:02.345");
        assert_eq!(clock(59.9996, true), "1:00.000");
        assert_eq!(clock(-1.0, false), "0:00");
    }
}
