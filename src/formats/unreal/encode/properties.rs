//! Property lists (formats/unreal.md §4.2, §4.3).

use super::object::ObjectWriter;
use super::package::Ref;

/// A value of a property, or of a member of a struct or an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Type 1: one byte.
    Byte(u8),
    /// Type 2: a signed 32-bit number.
    Int(i32),
    /// Type 3: the tag of a property holds the value; in a struct or an array, one byte.
    Bool(bool),
    /// Type 4: a 32-bit float.
    Float(f32),
    /// Type 5: a reference, or null.
    Object(Ref),
    /// Type 6: a name, which is added to the package if it is missing.
    Name(String),
    /// Type 7: these bytes, as many as there are.
    OldString(Vec<u8>),
    /// Type 8: a reference to a class, or null.
    Class(Ref),
    /// Type 9: a count and the elements, which have no tags.
    Array(Vec<Value>),
    /// The struct's name and its members back to back.
    Struct(String, Vec<Value>),
    /// Type 11.
    Vector([f32; 3]),
    /// Type 12.
    Rotator([i32; 3]),
    /// Type 13: text, written with its NUL.
    Str(String),
    /// Type 14: bytes as they are.
    Map(Vec<u8>),
    /// Type 15: bytes as they are.
    FixedArray(Vec<u8>),
}

impl Value {
    /// A struct of three floats.
    pub fn vector(x: f32, y: f32, z: f32) -> Self {
        Self::floats("Vector", &[x, y, z])
    }

    /// A struct of three numbers, 65536 a turn.
    pub fn rotator(pitch: i32, yaw: i32, roll: i32) -> Self {
        Self::Struct("Rotator".to_owned(), [pitch, yaw, roll].map(Self::Int).to_vec())
    }

    /// A struct of four bytes: red, green, blue, alpha.
    pub fn color(rgba: [u8; 4]) -> Self {
        Self::Struct("Color".to_owned(), rgba.map(Self::Byte).to_vec())
    }

    /// A struct of floats alone.
    pub fn floats(name: &str, values: &[f32]) -> Self {
        Self::Struct(name.to_owned(), values.iter().map(|value| Self::Float(*value)).collect())
    }

    /// A scale without shear.
    pub fn scale(x: f32, y: f32, z: f32) -> Self {
        let mut members: Vec<Self> = [x, y, z, 0.0].map(Self::Float).to_vec();
        members.push(Self::Byte(0));
        Self::Struct("Scale".to_owned(), members)
    }

    /// Where an actor is: its zone's actor, leaf and zone number.
    pub fn point_region(zone: Ref, leaf: i32, zone_number: u8) -> Self {
        let members = vec![Self::Object(zone), Self::Int(leaf), Self::Byte(zone_number)];
        Self::Struct("PointRegion".to_owned(), members)
    }

    fn type_code(&self) -> u8 {
        match self {
            Self::Byte(_) => 1,
            Self::Int(_) => 2,
            Self::Bool(_) => 3,
            Self::Float(_) => 4,
            Self::Object(_) => 5,
            Self::Name(_) => 6,
            Self::OldString(_) => 7,
            Self::Class(_) => 8,
            Self::Array(_) => 9,
            Self::Struct(..) => 10,
            Self::Vector(_) => 11,
            Self::Rotator(_) => 12,
            Self::Str(_) => 13,
            Self::Map(_) => 14,
            Self::FixedArray(_) => 15,
        }
    }
}

/// A list of tagged values, in the order in which they are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties(pub Vec<(String, usize, Value)>);

impl Properties {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds element 0.
    #[must_use]
    pub fn with(self, name: &str, value: Value) -> Self {
        self.with_element(name, 0, value)
    }

    /// Adds one element of a static array.
    #[must_use]
    pub fn with_element(mut self, name: &str, element: usize, value: Value) -> Self {
        self.0.push((name.to_owned(), element, value));
        self
    }

    /// Adds a [`Value::Byte`].
    #[must_use]
    pub fn byte(self, name: &str, value: u8) -> Self {
        self.with(name, Value::Byte(value))
    }

    /// Adds a [`Value::Int`].
    #[must_use]
    pub fn int(self, name: &str, value: i32) -> Self {
        self.with(name, Value::Int(value))
    }

    /// Adds a [`Value::Bool`].
    #[must_use]
    pub fn bool(self, name: &str, value: bool) -> Self {
        self.with(name, Value::Bool(value))
    }

    /// Adds a [`Value::Float`].
    #[must_use]
    pub fn float(self, name: &str, value: f32) -> Self {
        self.with(name, Value::Float(value))
    }

    /// Adds a [`Value::Object`].
    #[must_use]
    pub fn object(self, name: &str, value: Ref) -> Self {
        self.with(name, Value::Object(value))
    }

    /// Adds a [`Value::Name`].
    #[must_use]
    pub fn name(self, name: &str, value: &str) -> Self {
        self.with(name, Value::Name(value.to_owned()))
    }

    /// Adds a [`Value::Str`].
    #[must_use]
    pub fn string(self, name: &str, value: &str) -> Self {
        self.with(name, Value::Str(value.to_owned()))
    }

    /// Appends another list.
    #[must_use]
    pub fn and(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }
}

/// The list and its end; before version 60 two more indices follow (section 4.1).
pub fn write_properties(out: &mut ObjectWriter<'_>, properties: &Properties) {
    for (name, element, value) in &properties.0 {
        tag(out, name, *element, value);
    }
    out.name("None");
    if out.version() < 60 {
        out.index(0);
        out.index(0);
    }
}

fn tag(out: &mut ObjectWriter<'_>, name: &str, element: usize, value: &Value) {
    const SIZE_IN_BYTE: u8 = 5;
    let payload = match value {
        Value::Bool(_) => Vec::new(),
        value => out.apart(|out| untagged(out, value)).0,
    };
    out.name(name);
    let size_code = match payload.len() {
        1 => 0,
        2 => 1,
        4 => 2,
        12 => 3,
        16 => 4,
        0..=255 => SIZE_IN_BYTE,
        256..=65_535 => 6,
        _ => 7,
    };
    let indexed = match value {
        Value::Bool(on) => *on,
        _ => element > 0,
    };
    out.u8(value.type_code() | size_code << 4 | u8::from(indexed) << 7);
    if let Value::Struct(struct_name, _) = value {
        out.name(struct_name);
    }
    match size_code {
        SIZE_IN_BYTE => out.u8(u8::try_from(payload.len()).unwrap_or(u8::MAX)),
        6 => out.u16(u16::try_from(payload.len()).unwrap_or(u16::MAX)),
        7 => out.u32(u32::try_from(payload.len()).unwrap_or(u32::MAX)),
        _ => {}
    }
    if indexed && !matches!(value, Value::Bool(_)) {
        array_index(out, element);
    }
    out.bytes(&payload);
}

/// Most significant byte first, unlike everything else.
fn array_index(out: &mut ObjectWriter<'_>, element: usize) {
    let element = u32::try_from(element).unwrap_or(u32::MAX);
    match element {
        0..0x80 => out.u8(u8::try_from(element).unwrap_or(u8::MAX)),
        0x80..0x4000 => out.bytes(&(u16::try_from(element).unwrap_or(u16::MAX) | 0x8000).to_be_bytes()),
        _ => out.bytes(&(element | 0xC000_0000).to_be_bytes()),
    }
}

/// A value without its tag, as structs and arrays hold it.
fn untagged(out: &mut ObjectWriter<'_>, value: &Value) {
    match value {
        Value::Byte(value) => out.u8(*value),
        Value::Int(value) => out.i32(*value),
        Value::Bool(value) => out.u8(u8::from(*value)),
        Value::Float(value) => out.f32(*value),
        Value::Object(value) | Value::Class(value) => out.object(*value),
        Value::Name(value) => out.name(value),
        Value::OldString(bytes) | Value::Map(bytes) | Value::FixedArray(bytes) => out.bytes(bytes),
        Value::Array(values) => out.array(values, untagged),
        Value::Struct(_, members) => members.iter().for_each(|member| untagged(out, member)),
        Value::Vector(value) => out.f32s(value),
        Value::Rotator(value) => out.i32s(value),
        Value::Str(value) => out.string(value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Export, PackageWriter};
    use super::*;

    fn written(properties: &Properties) -> Vec<u8> {
        let mut package = PackageWriter::new(69, 0);
        let id = package.export(&Export::new(Ref::NULL, "X"));
        let mut bytes = Vec::new();
        package.write(id, |out| bytes = out.apart(|out| write_properties(out, properties)).0);
        bytes
    }

    /// Names: 0 None, 1 X, 2 the first one used here.
    #[test]
    fn tags_are_what_the_specification_says() {
        assert_eq!(written(&Properties::new().int("A", 5)), [2, 0x22, 5, 0, 0, 0, 0]);
        assert_eq!(written(&Properties::new().bool("A", true)), [2, 0xD3, 0, 0]);
        assert_eq!(written(&Properties::new().bool("A", false)), [2, 0x53, 0, 0]);
        assert_eq!(written(&Properties::new().byte("A", 7)), [2, 0x01, 7, 0]);
        let second = Properties::new().with_element("A", 1, Value::Byte(7));
        assert_eq!(written(&second), [2, 0x81, 1, 7, 0]);
        let far = Properties::new().with_element("A", 0x123, Value::Byte(7));
        assert_eq!(written(&far), [2, 0x81, 0x81, 0x23, 7, 0]);
        let farther = Properties::new().with_element("A", 0x12345, Value::Byte(7));
        assert_eq!(written(&farther), [2, 0x81, 0xC0, 0x01, 0x23, 0x45, 7, 0]);
    }

    #[test]
    fn structs_name_themselves_before_their_size() {
        let scale = Properties::new().with("A", Value::scale(1.0, 1.0, 2.0));
        let bytes = written(&scale);
        // The name of a struct comes after those of its members; this one's members have none.
        assert_eq!(bytes[..4], [2, 0x5A, 3, 17]);
        assert_eq!(bytes.len(), 4 + 17 + 1);
        let vector = written(&Properties::new().with("A", Value::vector(0.0, 0.0, 0.0)));
        assert_eq!(vector[..3], [2, 0x3A, 3]);
        assert_eq!(vector.len(), 3 + 12 + 1);
    }
}
