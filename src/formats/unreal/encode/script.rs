//! Classes, states, functions, structs, enums, constants and properties (formats/unreal.md §10).

use super::code::Code;
use super::object::ObjectWriter;
use super::primitives::Ref;
use super::properties::{Properties, write_properties};

/// Property flags (section 10.2).
pub mod property_flags {
    pub const EDIT: u32 = 1;
    pub const CONST: u32 = 2;
    pub const OPTIONAL: u32 = 0x10;
    pub const NET: u32 = 0x20;
    pub const PARAMETER: u32 = 0x80;
    pub const OUT: u32 = 0x100;
    pub const RETURN: u32 = 0x400;
    pub const NATIVE: u32 = 0x1000;
    pub const CONFIG: u32 = 0x4000;
    pub const LOCALIZED: u32 = 0x8000;
}

/// Function flags (section 10.4).
pub mod function_flags {
    pub const FINAL: u32 = 1;
    pub const DEFINED: u32 = 2;
    pub const SINGULAR: u32 = 0x20;
    pub const NET: u32 = 0x40;
    pub const SIMULATED: u32 = 0x100;
    pub const EXEC: u32 = 0x200;
    pub const NATIVE: u32 = 0x400;
    pub const EVENT: u32 = 0x800;
    pub const STATIC: u32 = 0x2000;
}

/// Where a field hangs: its parent, and the next field of the same struct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldLinks {
    pub super_field: Ref,
    pub next: Ref,
}

fn write_field(out: &mut ObjectWriter<'_>, links: FieldLinks) {
    out.object(links.super_field);
    out.object(links.next);
}

fn write_empty_list(out: &mut ObjectWriter<'_>) {
    write_properties(out, &Properties::new());
}

pub fn write_const(out: &mut ObjectWriter<'_>, links: FieldLinks, value: &str) {
    write_empty_list(out);
    write_field(out, links);
    out.string(value);
}

pub fn write_enum(out: &mut ObjectWriter<'_>, links: FieldLinks, names: &[&str]) {
    write_empty_list(out);
    write_field(out, links);
    out.array(names, |out, name| out.name(name));
}

/// What a property holds: which of the property classes it is, and that class's own data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// The enum, or null.
    Byte(Ref),
    Int,
    Bool,
    Float,
    /// The class of the object.
    Object(Ref),
    Name,
    Str,
    /// `Class`, and the class that the value must be or extend.
    Class(Ref, Ref),
    Struct(Ref),
    /// The property of an element.
    Array(Ref),
    Map(Ref, Ref),
    /// The property of an element, and how many there are.
    FixedArray(Ref, i32),
}

impl PropertyKind {
    /// The name of the class, in package `Core`.
    pub fn class_name(self) -> &'static str {
        match self {
            Self::Byte(_) => "ByteProperty",
            Self::Int => "IntProperty",
            Self::Bool => "BoolProperty",
            Self::Float => "FloatProperty",
            Self::Object(_) => "ObjectProperty",
            Self::Name => "NameProperty",
            Self::Str => "StrProperty",
            Self::Class(..) => "ClassProperty",
            Self::Struct(_) => "StructProperty",
            Self::Array(_) => "ArrayProperty",
            Self::Map(..) => "MapProperty",
            Self::FixedArray(..) => "FixedArrayProperty",
        }
    }
}

/// A variable, parameter or local.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyData {
    pub links: FieldLinks,
    /// Elements of a static array, 1 for a plain variable.
    pub array_dim: i32,
    pub flags: u32,
    pub category: String,
    /// Written where `flags` has [`property_flags::NET`].
    pub replication_offset: u16,
    pub kind: PropertyKind,
}

pub fn write_property(out: &mut ObjectWriter<'_>, property: &PropertyData) {
    write_empty_list(out);
    write_field(out, property.links);
    out.i32(property.array_dim);
    out.u32(property.flags);
    out.name(&property.category);
    if property.flags & property_flags::NET != 0 {
        out.u16(property.replication_offset);
    }
    match property.kind {
        PropertyKind::Byte(object)
        | PropertyKind::Object(object)
        | PropertyKind::Struct(object)
        | PropertyKind::Array(object) => out.object(object),
        PropertyKind::Class(a, b) | PropertyKind::Map(a, b) => {
            out.object(a);
            out.object(b);
        }
        PropertyKind::FixedArray(inner, count) => {
            out.object(inner);
            out.i32(count);
        }
        PropertyKind::Int | PropertyKind::Bool | PropertyKind::Float | PropertyKind::Name | PropertyKind::Str => {}
    }
}

/// What functions, states and classes have in common with a struct.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StructData {
    pub links: FieldLinks,
    pub script_text: Ref,
    /// The first field; the others follow by their links.
    pub children: Ref,
    pub friendly_name: String,
    pub line: u32,
    pub text_position: u32,
    pub code: Code,
}

pub fn write_struct(out: &mut ObjectWriter<'_>, data: &StructData) {
    write_empty_list(out);
    write_struct_data(out, data);
}

fn write_struct_data(out: &mut ObjectWriter<'_>, data: &StructData) {
    write_field(out, data.links);
    out.object(data.script_text);
    out.object(data.children);
    out.name(&data.friendly_name);
    out.u32(data.line);
    out.u32(data.text_position);
    out.u32(u32::try_from(data.code.memory_size).unwrap_or(u32::MAX));
    out.bytes(&data.code.bytes);
}

/// What a function has of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionData {
    /// Sizes up to version 63: of all parameters in bytes, their number, where the result begins.
    pub parameters_size: u16,
    pub parameter_count: u8,
    pub return_offset: u16,
    /// 0 for a function in script.
    pub native_index: u16,
    pub operator_precedence: u8,
    pub flags: u32,
    /// Written where `flags` has [`function_flags::NET`].
    pub replication_offset: u16,
}

pub fn write_function(out: &mut ObjectWriter<'_>, data: &StructData, function: &FunctionData) {
    let old = out.version() <= 63;
    write_struct(out, data);
    if old {
        out.u16(function.parameters_size);
    }
    out.u16(function.native_index);
    if old {
        out.u8(function.parameter_count);
    }
    out.u8(function.operator_precedence);
    if old {
        out.u16(function.return_offset);
    }
    out.u32(function.flags);
    if function.flags & function_flags::NET != 0 {
        out.u16(function.replication_offset);
    }
}

/// What a state has of its own; the offset of its label table comes from its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateData {
    pub probe_mask: u64,
    pub ignore_mask: u64,
    /// 1 editable, 2 auto, 4 simulated.
    pub flags: u32,
}

impl Default for StateData {
    /// Nothing probed, nothing ignored.
    fn default() -> Self {
        Self { probe_mask: 0, ignore_mask: u64::MAX, flags: 0 }
    }
}

pub fn write_state(out: &mut ObjectWriter<'_>, data: &StructData, state: &StateData) {
    write_struct(out, data);
    write_state_data(out, data, state);
}

fn write_state_data(out: &mut ObjectWriter<'_>, data: &StructData, state: &StateData) {
    out.u64(state.probe_mask);
    out.u64(state.ignore_mask);
    out.u16(data.code.label_table.and_then(|at| u16::try_from(at).ok()).unwrap_or(u16::MAX));
    out.u32(state.flags);
}

/// A class that another one needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    pub class: Ref,
    pub deep: u32,
    pub source_crc: u32,
}

/// What a class has of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassData {
    /// Section 10.5: 2 compiled, 0x10 parsed, 0x20 localized.
    pub flags: u32,
    pub guid: [u8; 16],
    pub dependencies: Vec<Dependency>,
    pub package_imports: Vec<String>,
    /// From version 62 on.
    pub within: Ref,
    pub config_name: String,
    pub defaults: Properties,
}

/// A class has no property list in front: its defaults are the last thing in it.
pub fn write_class(out: &mut ObjectWriter<'_>, data: &StructData, state: &StateData, class: &ClassData) {
    write_struct_data(out, data);
    write_state_data(out, data, state);
    if out.version() <= 61 {
        out.u32(0);
    }
    out.u32(class.flags);
    out.bytes(&class.guid);
    out.array(&class.dependencies, |out, dependency| {
        out.object(dependency.class);
        out.u32(dependency.deep);
        out.u32(dependency.source_crc);
    });
    out.array(&class.package_imports, |out, name| out.name(name));
    if out.version() >= 62 {
        out.object(class.within);
        out.name(&class.config_name);
    }
    write_properties(out, &class.defaults);
}
