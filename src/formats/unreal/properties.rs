//! Tagged property lists and the values in them (formats/unreal.md §4).

use super::{
    definitions::Definitions,
    object::{Fault, ObjectReader, reference},
    package_file::{Member, MemberKind},
    property_tag::{PropertyType, Tag},
    tables::ObjectRef,
};
use crate::{
    bytes::numbers::counted,
    formats::{Children, Field, Value},
};
use std::sync::Arc;

/// Properties of one list that are fields of their own; further ones are rows of a table.
const MAX_FIELDS: usize = 256;

/// A property's value.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    Byte(u8),
    Int(i32),
    Bool(bool),
    Float(f32),
    Object(ObjectRef),
    Name(String),
    Text(String),
    /// Red, green, blue, alpha.
    Color([u8; 4]),
    Vector([f32; 3]),
    /// Pitch, yaw, roll.
    Rotator([i32; 3]),
    Struct(Vec<(String, PropertyValue)>),
    Array(Vec<PropertyValue>),
    /// A value whose layout is not known: its bytes.
    Raw(Vec<u8>),
}

/// One property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub name: String,
    /// Place in an array; 0 for a single value.
    pub index: u32,
    pub kind: PropertyType,
    /// For [`PropertyType::Struct`]; empty otherwise.
    pub struct_name: String,
    pub value: PropertyValue,
    /// Where the value lies, in bytes from the start of the file.
    pub offset: u64,
    pub size: u64,
}

/// The properties that an object states; what it does not state is as in its class's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PropertyList {
    pub properties: Vec<Property>,
}

impl PropertyList {
    /// Element `index` of a property, by name without regard to case; the last of several counts (§4.2).
    pub fn get(&self, name: &str, index: u32) -> Option<&PropertyValue> {
        let fits = |p: &&Property| p.index == index && p.name.eq_ignore_ascii_case(name);
        self.properties.iter().rev().find(fits).map(|p| &p.value)
    }

    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.get(name, 0) {
            Some(PropertyValue::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// A Byte or an Int.
    pub fn int(&self, name: &str) -> Option<i32> {
        self.int_at(name, 0)
    }

    pub fn int_at(&self, name: &str, index: u32) -> Option<i32> {
        match self.get(name, index) {
            Some(PropertyValue::Byte(value)) => Some(i32::from(*value)),
            Some(PropertyValue::Int(value)) => Some(*value),
            _ => None,
        }
    }

    pub fn float(&self, name: &str) -> Option<f32> {
        match self.get(name, 0) {
            Some(PropertyValue::Float(value)) => Some(*value),
            _ => None,
        }
    }

    /// An object that is not null.
    pub fn object(&self, name: &str) -> Option<ObjectRef> {
        self.object_at(name, 0)
    }

    pub fn object_at(&self, name: &str, index: u32) -> Option<ObjectRef> {
        match self.get(name, index) {
            Some(PropertyValue::Object(value)) if !value.is_none() => Some(*value),
            _ => None,
        }
    }

    /// A Name, Str or String.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name, 0) {
            Some(PropertyValue::Name(value) | PropertyValue::Text(value)) => Some(value),
            _ => None,
        }
    }

    pub fn vector(&self, name: &str) -> Option<[f32; 3]> {
        match self.get(name, 0) {
            Some(PropertyValue::Vector(value)) => Some(*value),
            _ => None,
        }
    }

    pub fn rotator(&self, name: &str) -> Option<[i32; 3]> {
        match self.get(name, 0) {
            Some(PropertyValue::Rotator(value)) => Some(*value),
            _ => None,
        }
    }

    /// The members of a struct.
    pub fn members(&self, name: &str) -> Option<&[(String, PropertyValue)]> {
        self.members_at(name, 0)
    }

    pub fn members_at(&self, name: &str, index: u32) -> Option<&[(String, PropertyValue)]> {
        match self.get(name, index) {
            Some(PropertyValue::Struct(members)) => Some(members),
            _ => None,
        }
    }
}

impl ObjectReader<'_> {
    /// Reads a property list up to its “None”. `class` is the object's class, for structs and enums that only it knows.
    ///
    /// # Errors
    /// When a tag cannot be read or a value goes past the object. A value that cannot be decoded is kept as bytes.
    pub fn properties(&mut self, definitions: &Definitions<'_>) -> Result<PropertyList, Fault> {
        let mut list = PropertyList::default();
        self.group("Properties", "property list", |r| {
            // Where properties start that are rows of a table instead of fields.
            let mut rows: Vec<u64> = Vec::new();
            let result = r.property_list(&mut list, &mut rows, definitions);
            if !rows.is_empty() {
                rows.push(result.as_ref().copied().unwrap_or(r.offset()));
                let class = definitions.class();
                r.push_rows("Further properties", "property list", rows, move |r| {
                    let start = r.offset();
                    let name = r.without_recording(|r| r.name(""))?;
                    let definitions = Definitions::new(r.package(), class);
                    r.property(name, start, &definitions).map(drop)
                });
            }
            let end = result?;
            r.record("End of list", "name", end, || Value::Text("None".to_owned()));
            Ok(())
        })?;
        Ok(list)
    }

    /// Reads properties up to and with the “None”, and returns where that starts. Where each property past the first
    /// [`MAX_FIELDS`] starts is noted; those are not recorded.
    fn property_list(
        &mut self,
        list: &mut PropertyList,
        rows: &mut Vec<u64>,
        definitions: &Definitions<'_>,
    ) -> Result<u64, Fault> {
        loop {
            let start = self.offset();
            let name = self.without_recording(|r| r.name(""))?;
            if name.eq_ignore_ascii_case("None") {
                return Ok(start);
            }
            let property = if self.is_recording() && list.properties.len() >= MAX_FIELDS {
                let property = self.without_recording(|r| r.property(name, start, definitions))?;
                rows.push(start);
                property
            } else {
                self.property(name, start, definitions)?
            };
            list.properties.push(property);
        }
    }

    /// One property behind its name.
    fn property(&mut self, name: &str, start: u64, definitions: &Definitions<'_>) -> Result<Property, Fault> {
        self.count_value()?;
        let tag = self.without_recording(|r| r.tag())?;
        let offset = self.offset();
        let size = u64::from(tag.size);
        self.check_value(name, &tag)?;
        let label = if tag.index > 0 { format!("{name}[{}]", tag.index) } else { name.to_owned() };
        let recording = self.is_recording();
        let range = offset..offset.saturating_add(size);
        let bytes = self.without_recording(|r| r.bytes("", "", tag.size as usize, Value::None))?;
        let mut inner = self.inside(range.clone());
        let value = if tag.kind == PropertyType::Bool {
            PropertyValue::Bool(tag.set)
        } else {
            let decoded = inner.tagged_value(name, &tag, definitions);
            self.join(&inner);
            match decoded {
                Ok(value) if inner.left() == 0 => value,
                // The bytes are kept as they are, and the list goes on behind them (§4.2).
                _ => {
                    inner = self.inside(range.clone());
                    inner.bytes("Value", "bytes", bytes.len(), Value::Raw)?;
                    PropertyValue::Raw(bytes.to_vec())
                }
            }
        };
        if recording {
            let kind = if tag.struct_name.is_empty() { tag.kind.label().to_owned() } else { tag.struct_name.clone() };
            let shown = shown(self, &value, name, definitions);
            let mut field = Field::new(label, kind, shown, start, self.offset().saturating_sub(start));
            let mut parts = vec![Field::new(
                "Tag",
                "property tag",
                Value::Text(tag.kind.label().into()),
                start,
                offset.saturating_sub(start),
            )];
            parts.extend(inner.into_fields());
            field.children = Children::Fields(parts);
            self.push(field);
        }
        let name = name.to_owned();
        Ok(Property { name, index: tag.index, kind: tag.kind, struct_name: tag.struct_name, value, offset, size })
    }

    fn tagged_value(&mut self, name: &str, tag: &Tag, definitions: &Definitions<'_>) -> Result<PropertyValue, Fault> {
        Ok(match tag.kind {
            PropertyType::Byte => PropertyValue::Byte(self.u8("Value")?),
            PropertyType::Int => PropertyValue::Int(self.i32("Value")?),
            PropertyType::Bool => PropertyValue::Bool(tag.set),
            PropertyType::Float => PropertyValue::Float(self.f32("Value")?),
            PropertyType::Object | PropertyType::Class => PropertyValue::Object(self.object("Value")?),
            PropertyType::Name => PropertyValue::Name(self.name("Value")?.to_owned()),
            PropertyType::Str => PropertyValue::Text(self.string("Value")?),
            PropertyType::String => PropertyValue::Text(self.fixed_text(tag.size as usize)?),
            PropertyType::Vector => PropertyValue::Vector(self.vector("Value")?),
            PropertyType::Rotator => PropertyValue::Rotator(self.rotator("Value")?),
            PropertyType::Struct => self.deeper(|r| r.struct_value(&tag.struct_name, definitions))?,
            PropertyType::Array => match definitions.array_inner(name) {
                Some(inner) => {
                    let count = self.count("Count")?;
                    let mut values = Vec::new();
                    // An element may take no bytes at all only in a damaged file.
                    for index in 0..count {
                        if self.left() == 0 {
                            let wanted = counted(count, "element");
                            return Err(self.fault(format!("{wanted} specified, but only {index} found")));
                        }
                        values.push(self.member_value(&index.to_string(), &inner, definitions)?);
                    }
                    PropertyValue::Array(values)
                }
                None => return Err(self.fault("the element type of the array is unknown")),
            },
            PropertyType::Map | PropertyType::FixedArray => {
                return Err(self.fault("properties of this type are not supported"));
            }
        })
    }

    fn fixed_text(&mut self, size: usize) -> Result<String, Fault> {
        let at = self.offset();
        let bytes = self.raw().bytes(size)?;
        let text = bytes.split(|b| *b == 0).next().unwrap_or_default();
        let text = crate::bytes::text::windows_1252(text);
        self.record("Value", "char[]", at, || Value::Text(text.clone()));
        Ok(text)
    }

    /// A struct's members, back to back (§4.3).
    fn struct_value(&mut self, name: &str, definitions: &Definitions<'_>) -> Result<PropertyValue, Fault> {
        let size = self.left();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let named = |members: Vec<(&str, PropertyValue)>| {
            PropertyValue::Struct(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
        };
        // UE2 writes most structs as lists of tagged properties (§13).
        let tagged = self.version() >= 118 && !is("Vector") && !is("Rotator") && !is("Color");
        if tagged {
            let mut list = Vec::new();
            loop {
                let start = self.offset();
                let member = self.without_recording(|r| r.name(""))?;
                if member.eq_ignore_ascii_case("None") {
                    self.record("End of list", "name", start, || Value::Text(member.to_owned()));
                    return Ok(PropertyValue::Struct(list));
                }
                let inner = definitions.none();
                let property = self.property(member, start, &inner)?;
                list.push((property.name, property.value));
            }
        }
        Ok(match size {
            12 if is("Vector") => PropertyValue::Vector(self.vector("Value")?),
            12 if is("Rotator") || is("Rotation") => PropertyValue::Rotator(self.rotator("Value")?),
            4 if is("Color") => {
                let at = self.offset();
                let mut color = self.raw().array::<4>()?;
                // Blue comes first above 69 (§4.3).
                if self.version() > 69 {
                    color.swap(0, 2);
                }
                self.record("Value", "Color", at, || Value::Color(color));
                PropertyValue::Color(color)
            }
            16 if is("Plane") || is("Quat") => {
                let mut members = Vec::new();
                for label in ["X", "Y", "Z", "W"] {
                    members.push((label, PropertyValue::Float(self.f32(label)?)));
                }
                named(members)
            }
            48 if is("Coords") => {
                let mut members = Vec::new();
                for label in ["Origin", "XAxis", "YAxis", "ZAxis"] {
                    members.push((label, PropertyValue::Vector(self.vector(label)?)));
                }
                named(members)
            }
            16 if is("Guid") => {
                let mut members = Vec::new();
                for label in ["A", "B", "C", "D"] {
                    members.push((label, PropertyValue::Int(self.i32(label)?)));
                }
                named(members)
            }
            25 if is("BoundingBox") || is("Box") => {
                let min = PropertyValue::Vector(self.vector("Min")?);
                let max = PropertyValue::Vector(self.vector("Max")?);
                named(vec![("Min", min), ("Max", max), ("IsValid", PropertyValue::Byte(self.u8("IsValid")?))])
            }
            17 if is("Scale") => {
                let scale = PropertyValue::Vector(self.vector("Scale")?);
                let rate = PropertyValue::Float(self.f32("SheerRate")?);
                named(vec![
                    ("Scale", scale),
                    ("SheerRate", rate),
                    ("SheerAxis", PropertyValue::Byte(self.u8("SheerAxis")?)),
                ])
            }
            6..=10 if is("PointRegion") || is("Region") => {
                let zone = PropertyValue::Object(self.object("Zone")?);
                let leaf = PropertyValue::Int(self.i32("iLeaf")?);
                named(vec![
                    ("Zone", zone),
                    ("iLeaf", leaf),
                    ("ZoneNumber", PropertyValue::Byte(self.u8("ZoneNumber")?)),
                ])
            }
            8 if is("ADrop") || is("ASpark") || is("Spark") => {
                let labels = match is("ADrop") {
                    true => ["Type", "Depth", "X", "Y", "ByteA", "ByteB", "ByteC", "ByteD"],
                    false => ["Type", "Heat", "X", "Y", "ByteA", "ByteB", "ByteC", "ByteD"],
                };
                let mut members = Vec::new();
                for label in labels {
                    members.push((label, PropertyValue::Byte(self.u8(label)?)));
                }
                named(members)
            }
            _ => {
                let Some(members) = definitions.struct_members(name) else {
                    return Err(self.fault(format!("the layout of the struct “{name}” is unknown")));
                };
                self.defined_struct(&members, definitions)?
            }
        })
    }

    fn defined_struct(&mut self, members: &[Member], definitions: &Definitions<'_>) -> Result<PropertyValue, Fault> {
        let mut values = Vec::new();
        for member in members {
            for element in 0..member.array_dim.max(1) {
                let label =
                    if member.array_dim > 1 { format!("{}[{element}]", member.name) } else { member.name.clone() };
                let value = self.member_value(&label, &member.kind, definitions)?;
                values.push((label, value));
            }
        }
        Ok(PropertyValue::Struct(values))
    }

    /// An untagged value: a member of a struct or an element of an array.
    fn member_value(
        &mut self,
        label: &str,
        kind: &MemberKind,
        definitions: &Definitions<'_>,
    ) -> Result<PropertyValue, Fault> {
        self.count_value()?;
        let label = label.to_owned();
        Ok(match kind {
            MemberKind::Byte => PropertyValue::Byte(self.u8(label)?),
            MemberKind::Bool => PropertyValue::Bool(self.u8(label)? != 0),
            MemberKind::Int => PropertyValue::Int(self.i32(label)?),
            MemberKind::Float => PropertyValue::Float(self.f32(label)?),
            MemberKind::Object => PropertyValue::Object(self.object(label)?),
            MemberKind::Name => PropertyValue::Name(self.name(label)?.to_owned()),
            MemberKind::Str => PropertyValue::Text(self.string(label)?),
            MemberKind::Struct(name) => {
                let members = definitions.struct_members(name).or_else(|| builtin(name).map(Arc::new));
                let Some(members) = members else {
                    return Err(self.fault(format!("the layout of the struct “{name}” is unknown")));
                };
                let name = name.clone();
                self.group(label, name, |r| r.deeper(|r| r.defined_struct(&members, definitions)))?
            }
            MemberKind::Array(inner) => self.group(label, "array", |r| {
                let count = r.count("Count")?;
                let mut values = Vec::new();
                for index in 0..count {
                    if r.left() == 0 {
                        let wanted = counted(count, "element");
                        return Err(r.fault(format!("{wanted} specified, but only {index} found")));
                    }
                    values.push(r.member_value(&index.to_string(), inner, definitions)?);
                }
                Ok(PropertyValue::Array(values))
            })?,
        })
    }
}

/// Structs of Object that other structs hold, for packages that lie without Core.u.
fn builtin(name: &str) -> Option<Vec<Member>> {
    let members: &[(&str, MemberKind)] = match name.to_ascii_lowercase().as_str() {
        "vector" => &[("X", MemberKind::Float), ("Y", MemberKind::Float), ("Z", MemberKind::Float)],
        "plane" | "quat" => {
            &[("X", MemberKind::Float), ("Y", MemberKind::Float), ("Z", MemberKind::Float), ("W", MemberKind::Float)]
        }
        "rotator" => &[("Pitch", MemberKind::Int), ("Yaw", MemberKind::Int), ("Roll", MemberKind::Int)],
        "color" => {
            &[("R", MemberKind::Byte), ("G", MemberKind::Byte), ("B", MemberKind::Byte), ("A", MemberKind::Byte)]
        }
        _ => return None,
    };
    Some(
        members
            .iter()
            .map(|(name, kind)| Member { name: (*name).to_owned(), kind: kind.clone(), array_dim: 1 })
            .collect(),
    )
}

/// What the inspector shows beside a property's name.
fn shown(reader: &ObjectReader<'_>, value: &PropertyValue, name: &str, definitions: &Definitions<'_>) -> Value {
    match value {
        PropertyValue::Byte(value) => match definitions.enum_name(name, *value) {
            Some(label) => Value::Enum { value: i64::from(*value), name: label.into() },
            None => Value::UInt(u64::from(*value)),
        },
        PropertyValue::Int(value) => Value::Int(i64::from(*value)),
        PropertyValue::Bool(value) => Value::Bool(*value),
        PropertyValue::Float(value) => Value::Float(*value),
        PropertyValue::Object(object) => reference(reader.package(), *object),
        PropertyValue::Name(text) | PropertyValue::Text(text) => Value::Text(text.clone()),
        PropertyValue::Color(color) => Value::Color(*color),
        PropertyValue::Vector(vector) => Value::Floats(vector.to_vec()),
        PropertyValue::Rotator(rotator) => Value::Ints(rotator.iter().map(|v| i64::from(*v)).collect()),
        PropertyValue::Struct(_) | PropertyValue::Array(_) => Value::None,
        PropertyValue::Raw(_) => Value::Raw,
    }
}
