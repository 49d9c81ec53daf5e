//! What stands in front of each property of a list: its name and its tag (formats/unreal.md §4.2).

use super::object::{Fault, ObjectReader};
use crate::formats::Value;

/// What a property's tag says it is (§4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyType {
    Byte,
    Int,
    Bool,
    Float,
    Object,
    Name,
    /// Fixed text of old.
    String,
    Class,
    Array,
    Struct,
    Vector,
    Rotator,
    Str,
    Map,
    FixedArray,
}

impl PropertyType {
    fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Byte,
            2 => Self::Int,
            3 => Self::Bool,
            4 => Self::Float,
            5 => Self::Object,
            6 => Self::Name,
            7 => Self::String,
            8 => Self::Class,
            9 => Self::Array,
            10 => Self::Struct,
            11 => Self::Vector,
            12 => Self::Rotator,
            13 => Self::Str,
            14 => Self::Map,
            15 => Self::FixedArray,
            _ => return None,
        })
    }

    /// As formats/unreal.md §4.2 calls it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Byte => "Byte",
            Self::Int => "Int",
            Self::Bool => "Bool",
            Self::Float => "Float",
            Self::Object => "Object",
            Self::Name => "Name",
            Self::String => "String",
            Self::Class => "Class",
            Self::Array => "Array",
            Self::Struct => "Struct",
            Self::Vector => "Vector",
            Self::Rotator => "Rotator",
            Self::Str => "Str",
            Self::Map => "Map",
            Self::FixedArray => "FixedArray",
        }
    }
}

/// A property's tag.
pub struct Tag {
    pub kind: PropertyType,
    pub struct_name: String,
    pub size: u32,
    pub index: u32,
    /// The value of a Bool, which has no bytes of its own.
    pub set: bool,
}

impl ObjectReader<'_> {
    /// Passes over a property list up to and with its “None”; its values are not decoded.
    ///
    /// # Errors
    /// When a tag cannot be read or a value goes past the object.
    pub fn skip_properties(&mut self) -> Result<(), Fault> {
        self.without_recording(|r| {
            loop {
                let name = r.name("")?;
                if name.eq_ignore_ascii_case("None") {
                    return Ok(());
                }
                let tag = r.tag()?;
                r.check_value(name, &tag)?;
                r.bytes("", "", tag.size as usize, Value::None)?;
            }
        })
    }

    /// Whether the value of a property whose tag was read lies in the object.
    ///
    /// # Errors
    /// When it goes past it.
    pub fn check_value(&self, name: &str, tag: &Tag) -> Result<(), Fault> {
        if u64::from(tag.size) > self.left() as u64 {
            let (size, left) = (tag.size, self.left());
            let message = format!("the value of “{name}” has {size} bytes, but only {left} bytes are left");
            return Err(self.fault(message));
        }
        Ok(())
    }

    pub fn without_recording<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let kept = self.take_fields();
        let result = read(self);
        self.put_fields(kept);
        result
    }

    /// A property's tag, behind its name.
    pub fn tag(&mut self) -> Result<Tag, Fault> {
        let at = self.offset();
        let info = self.u8("")?;
        let Some(kind) = PropertyType::from_number(info & 0x0F) else {
            return Err(Fault::new(at, format!("unknown property type {}", info & 0x0F)));
        };
        let struct_name = if kind == PropertyType::Struct { self.name("")?.to_owned() } else { String::new() };
        let size = match (info >> 4) & 7 {
            0 => 1,
            1 => 2,
            2 => 4,
            3 => 12,
            4 => 16,
            5 => u32::from(self.u8("")?),
            6 => u32::from(self.u16("")?),
            _ => self.u32("")?,
        };
        let set = info & 0x80 != 0;
        let index = if set && kind != PropertyType::Bool { self.array_index()? } else { 0 };
        // A Bool's size bytes are read and mean nothing (§0, 11).
        let size = if kind == PropertyType::Bool { 0 } else { size };
        Ok(Tag { kind, struct_name, size, index, set })
    }

    /// One, two or four bytes, the highest first (§4.2).
    fn array_index(&mut self) -> Result<u32, Fault> {
        let first = u32::from(self.u8("")?);
        if first & 0x80 == 0 {
            return Ok(first);
        }
        if first & 0x40 == 0 {
            return Ok((first & 0x7F) << 8 | u32::from(self.u8("")?));
        }
        let rest = [self.u8("")?, self.u8("")?, self.u8("")?].map(u32::from);
        let [b1, b2, b3] = rest;
        Ok((first & 0x3F) << 24 | b1 << 16 | b2 << 8 | b3)
    }
}
