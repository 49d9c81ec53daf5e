//! How the disputed parts of a project are read (formats/visitor.md §1.7).

use super::{placing::TransformOrder, strings::Strings};
use crate::formats::{
    Value,
    field_reader::{Fault, FieldReader},
};

/// One way to read a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    pub strings: Strings,
    /// Every object type ends with its number.
    pub trailing_ids: bool,
    /// Two numbers on the older game lie before the road nets.
    pub flags: bool,
    pub transform: TransformOrder,
    pub layer_names: LayerNames,
    /// Colours begin with blue.
    pub bgra: bool,
    /// The first row of heights is the northern edge.
    pub north_first: bool,
    pub placing: Placing,
    /// Relative sizes are per cent.
    pub percent: bool,
}

/// Where the name of a layer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LayerNames {
    /// In each layer.
    #[default]
    Each,
    /// Once, before the first one.
    Leading,
}

/// What the heights of objects are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Placing {
    /// Their own, where those make sense.
    #[default]
    File,
    /// The ground.
    Ground,
}

/// Reads a colour, red first.
pub fn read_color(r: &mut FieldReader<'_>, name: &'static str, layout: &Layout) -> Result<[u8; 4], Fault> {
    let at = r.offset();
    let [first, green, third, alpha] = r.raw().array::<4>()?;
    let (kind, color) = match layout.bgra {
        false => ("RGBA8", [first, green, third, alpha]),
        true => ("BGRA8", [third, green, first, alpha]),
    };
    r.record(name, kind, at, || Value::Color(color));
    Ok(color)
}

/// A colour that is one: all bits set stand for what is usual.
pub fn own_color(color: [u8; 4]) -> Option<[u8; 4]> {
    (color != [0xFF; 4]).then_some(color)
}

/// Reads a double.
pub fn read_f64(r: &mut FieldReader<'_>, name: &'static str) -> Result<f64, Fault> {
    let at = r.offset();
    let value = f64::from_le_bytes(r.raw().array::<8>()?);
    r.record(name, "f64", at, || Value::Float(value as f32));
    Ok(value)
}

/// Reads a number of two bytes that says yes or no.
pub fn read_bool16(r: &mut FieldReader<'_>, name: &'static str) -> Result<bool, Fault> {
    let at = r.offset();
    let value = r.raw().u16()?;
    r.record(name, "bool16", at, || Value::Bool(value != 0));
    Ok(value != 0)
}

impl LayerNames {
    pub const ALL: [Self; 2] = [Self::Each, Self::Leading];

    /// As JSON says it, and as an override names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Each => "each",
            Self::Leading => "leading",
        }
    }
}
