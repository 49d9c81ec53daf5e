//! Classes, states, functions, structs, enums, constants and properties (formats/unreal.md §10).

use super::code::Code;
use super::object::ObjectWriter;
use super::package::Ref;
use super::properties::{Properties, write_properties};

/// Property flags (section 10.2).
pub mod property_flags {
    /// The variable can be edited in the editor.
    pub const EDIT: u32 = 1;
    /// Scripts cannot change the variable.
    pub const CONST: u32 = 2;
    /// The parameter is optional.
    pub const OPTIONAL: u32 = 0x10;
    /// The variable can be replicated; a `replication_offset` is written.
    pub const NET: u32 = 0x20;
    /// The property is a parameter of a function.
    pub const PARAMETER: u32 = 0x80;
    /// The parameter is copied back to the caller.
    pub const OUT: u32 = 0x100;
    /// The property is the return value of a function.
    pub const RETURN: u32 = 0x400;
    /// The variable is native: native code loads and saves it.
    pub const NATIVE: u32 = 0x1000;
    /// The value is read from a configuration file.
    pub const CONFIG: u32 = 0x4000;
    /// The value is read from a localisation file.
    pub const LOCALIZED: u32 = 0x8000;
}

/// Function flags (section 10.4).
pub mod function_flags {
    /// The function cannot be overridden.
    pub const FINAL: u32 = 1;
    /// The function has a body.
    pub const DEFINED: u32 = 2;
    /// The function cannot be entered again while it runs.
    pub const SINGULAR: u32 = 0x20;
    /// The function can be replicated; a `replication_offset` is written.
    pub const NET: u32 = 0x40;
    /// The function is also simulated on clients.
    pub const SIMULATED: u32 = 0x100;
    /// The function can be called as a console command.
    pub const EXEC: u32 = 0x200;
    /// The function is implemented in native code.
    pub const NATIVE: u32 = 0x400;
    /// The function is an event that the engine calls.
    pub const EVENT: u32 = 0x800;
    /// The function is static: it needs no object.
    pub const STATIC: u32 = 0x2000;
}

/// Where a field hangs: its parent, and the next field of the same struct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldLinks {
    /// `SuperField`: the field that this one extends; null if it extends none.
    pub super_field: Ref,
    /// The next field of the same struct; null for the last one.
    pub next: Ref,
}

fn write_field(out: &mut ObjectWriter<'_>, links: FieldLinks) {
    out.object(links.super_field);
    out.object(links.next);
}

fn write_empty_list(out: &mut ObjectWriter<'_>) {
    write_properties(out, &Properties::new());
}

/// Writes a Const with its value as text (formats/unreal.md §10.1).
pub fn write_const(out: &mut ObjectWriter<'_>, links: FieldLinks, value: &str) {
    write_empty_list(out);
    write_field(out, links);
    out.string(value);
}

/// Writes an Enum with the names of its values (formats/unreal.md §10.1).
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
    /// A signed 32-bit number.
    Int,
    /// A truth value.
    Bool,
    /// A 32-bit float.
    Float,
    /// The class of the object.
    Object(Ref),
    /// A name of the name table.
    Name,
    /// A string.
    Str,
    /// `Class`, and the class that the value must be or extend.
    Class(Ref, Ref),
    /// The struct.
    Struct(Ref),
    /// The property of an element.
    Array(Ref),
    /// The properties of a key and of a value.
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
    /// Parent and next field.
    pub links: FieldLinks,
    /// Elements of a static array, 1 for a plain variable.
    pub array_dim: i32,
    /// Property flags: see [`property_flags`].
    pub flags: u32,
    /// Name of the variable's category in the editor.
    pub category: String,
    /// Written where `flags` has [`property_flags::NET`].
    pub replication_offset: u16,
    /// The property's class and its data.
    pub kind: PropertyKind,
}

/// Writes a property of the class that its kind names (formats/unreal.md §10.2).
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
    /// Parent and next field.
    pub links: FieldLinks,
    /// The TextBuffer with the source; null if there is none.
    pub script_text: Ref,
    /// The first field; the others follow by their links.
    pub children: Ref,
    /// `FriendlyName`: the name as declared, such as the sign of an operator.
    pub friendly_name: String,
    /// Line of the source at which the declaration begins.
    pub line: u32,
    /// `TextPos`: position in the source.
    pub text_position: u32,
    /// Bytecode; empty for a plain struct.
    pub code: Code,
}

/// Writes a Struct (formats/unreal.md §10.3).
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
    /// Size of all parameters in bytes; written up to version 63.
    pub parameters_size: u16,
    /// Number of parameters; written up to version 63.
    pub parameter_count: u8,
    /// Offset of the result in bytes; written up to version 63.
    pub return_offset: u16,
    /// 0 for a function in script.
    pub native_index: u16,
    /// Precedence of an operator; 0 for other functions.
    pub operator_precedence: u8,
    /// Function flags: see [`function_flags`].
    pub flags: u32,
    /// Written where `flags` has [`function_flags::NET`].
    pub replication_offset: u16,
}

/// Writes a Function: its struct, then its own data (formats/unreal.md §10.4).
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
    /// `ProbeMask`; 0 if nothing is probed.
    pub probe_mask: u64,
    /// `IgnoreMask`; all bits are set if nothing is ignored.
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

/// Writes a State: its struct, then its own data (formats/unreal.md §10.4).
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
    /// The class that is needed.
    pub class: Ref,
    /// `deep` (formats/unreal.md §10.5).
    pub deep: u32,
    /// `sourceCRC`: a checksum of that class's source.
    pub source_crc: u32,
}

/// What a class has of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassData {
    /// Section 10.5: 2 compiled, 0x10 parsed, 0x20 localized.
    pub flags: u32,
    /// GUID of the class.
    pub guid: [u8; 16],
    /// Classes that this one needs.
    pub dependencies: Vec<Dependency>,
    /// Names of the imported packages.
    pub package_imports: Vec<String>,
    /// From version 62 on.
    pub within: Ref,
    /// `ConfigName`, such as `System`, or `None`; written from version 62 on.
    pub config_name: String,
    /// Default properties: those that differ from the superclass (formats/unreal.md §10.5).
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
