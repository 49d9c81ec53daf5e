//! Values as scripts write them: numbers, strings, names and objects.

use super::bytecode::Operand;
use crate::formats::unreal::{
    package::Package,
    tables::{ObjectRef, Pointee},
};
use std::{fmt::Write as _, sync::Arc};

/// Characters of one name that are shown, and of one statement.
pub const LONGEST_NAME: usize = 200;
pub const LONGEST_TEXT: usize = 4_000;

/// A value that belongs to a token, for people.
pub fn operand_text(package: &Arc<Package>, operand: &Operand) -> String {
    match operand {
        Operand::Byte(value) => value.to_string(),
        Operand::Word(value) => value.to_string(),
        Operand::Int(value) | Operand::Count(value) => value.to_string(),
        Operand::Float(value) => float_text(*value),
        Operand::Name(name) => name_text(package, *name),
        Operand::Object(object) => clipped(package.object_name(*object).unwrap_or("none").to_owned(), LONGEST_NAME),
        Operand::Text(text) => quoted(text),
        Operand::Vector(vector) => vector.map(float_text).join(","),
        Operand::Rotator(rotator) => rotator.map(|v| v.to_string()).join(","),
        Operand::LabelOffset(offset) => format!("{offset:04X}"),
    }
}

/// A name of the table; `?` past it.
pub fn name_text(package: &Package, name: u32) -> String {
    clipped(package.name(name).unwrap_or("?").to_owned(), LONGEST_NAME)
}

/// `Texture'Engine.S_Actor'`, as scripts name objects; `none` for none. Objects of the package itself are named without it.
pub fn object_text(package: &Arc<Package>, object: ObjectRef) -> String {
    if object.is_none() {
        return "none".to_owned();
    }
    let class = package.class_name(object);
    let class = if class.eq_ignore_ascii_case("Class") { "class" } else { class };
    let path = package.object_path(object);
    clipped(format!("{class}'{path}'"), LONGEST_TEXT)
}

/// As [`object_text`], with the package of an object of the package itself: the compiler takes what stands before the first
/// point for the package. Classes have no point in their names and are found by them.
pub fn full_object_text(package: &Arc<Package>, object: ObjectRef) -> String {
    let class = package.class_name(object);
    match object.pointee() {
        Pointee::Export(_) if !class.eq_ignore_ascii_case("Class") => {
            clipped(format!("{class}'{}.{}'", package.stem, package.object_path(object)), LONGEST_TEXT)
        }
        _ => object_text(package, object),
    }
}

/// A number that reads back as the same one, and as a float.
pub fn float_text(value: f32) -> String {
    if !value.is_finite() || value == 0.0 || (1e-4..1e9).contains(&value.abs()) {
        let text = value.to_string();
        if value.is_finite() && !text.contains('.') { format!("{text}.0") } else { text }
    } else {
        format!("{value:e}")
    }
}

/// A string as a script writes it.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST_TEXT).saturating_add(2));
    out.push('"');
    for (written, c) in text.chars().enumerate() {
        if written >= LONGEST_TEXT {
            out.push('…');
            break;
        }
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// At most this many bytes of a text, with a sign where it was cut.
pub fn clipped(mut text: String, most: usize) -> String {
    if text.len() > most {
        let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}
