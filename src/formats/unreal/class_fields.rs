//! The fields of classes that hold no bytecode (properties, enums, constants, the heads of structs), the chain that
//! joins them, and the flags of script classes (formats/unreal.md §10).

use self::property as flag;
use super::{
    object::{Fault, ObjectReader},
    package::Package,
    package_file::DEEPEST,
    state_frame::{read_state_frame, skip_lead},
    tables::{ObjectRef, Pointee},
};
use std::{collections::HashSet, sync::Arc};

/// What a property holds (§10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// With its enum.
    Byte(ObjectRef),
    Int,
    Bool,
    Float,
    Object(ObjectRef),
    Name,
    /// Of a fixed length.
    String,
    Str,
    /// Class and metaclass.
    Class(ObjectRef, ObjectRef),
    Struct(ObjectRef),
    Array(ObjectRef),
    Map(ObjectRef, ObjectRef),
    FixedArray(ObjectRef, i32),
    Vector,
    Rotator,
    Pointer,
}

#[derive(Clone, Debug)]
pub struct PropertyFacts {
    pub array_dim: i32,
    pub flags: u32,
    pub category: String,
    pub kind: PropertyKind,
}

/// Stands the reader behind an object's header; the properties of fields say nothing and are not decoded.
pub fn behind_header<'a>(package: &'a Arc<Package>, export: usize) -> Result<ObjectReader<'a>, Fault> {
    let mut reader = ObjectReader::of_export(package, export);
    skip_lead(&mut reader)?;
    if package.has_stack(export) {
        read_state_frame(&mut reader)?;
    }
    let is_class = package.export(export).is_none_or(|e| e.class.is_none());
    if !is_class {
        reader.skip_properties()?;
        if package.version() < 60 {
            reader.index("")?;
            reader.index("")?;
        }
    }
    Ok(reader)
}

/// What every field of a class starts with (§10.1); gives the field that follows it.
pub fn read_links(reader: &mut ObjectReader<'_>) -> Result<ObjectRef, Fault> {
    reader.object("SuperField")?;
    reader.object("Next")
}

/// The value of a constant as it is written.
pub fn read_const(reader: &mut ObjectReader<'_>) -> Result<String, Fault> {
    read_links(reader)?;
    reader.string("Value")
}

/// The names of an enum, in order.
pub fn read_enum(reader: &mut ObjectReader<'_>) -> Result<Vec<String>, Fault> {
    read_links(reader)?;
    reader.array("Names", "name[]", 1, |r| r.name("Name").map(str::to_owned))
}

/// A property; `class` is the name of its own class: `IntProperty`.
pub fn read_property(reader: &mut ObjectReader<'_>, class: &str) -> Result<PropertyFacts, Fault> {
    read_links(reader)?;
    let array_dim = reader.i32("ArrayDim")?;
    let flags = reader.flags("PropertyFlags", flag::NAMES)?;
    let category = reader.name("Category")?.to_owned();
    if flags & flag::NET != 0 {
        reader.u16("RepOffset")?;
    }
    let kind = match class.to_ascii_lowercase().as_str() {
        "byteproperty" => PropertyKind::Byte(reader.object("Enum")?),
        "intproperty" => PropertyKind::Int,
        "boolproperty" => PropertyKind::Bool,
        "floatproperty" => PropertyKind::Float,
        "objectproperty" => PropertyKind::Object(reader.object("Class")?),
        "nameproperty" => PropertyKind::Name,
        "stringproperty" => PropertyKind::String,
        "strproperty" => PropertyKind::Str,
        "classproperty" => PropertyKind::Class(reader.object("Class")?, reader.object("MetaClass")?),
        "structproperty" => PropertyKind::Struct(reader.object("Struct")?),
        "arrayproperty" => PropertyKind::Array(reader.object("Inner")?),
        "mapproperty" => PropertyKind::Map(reader.object("Key")?, reader.object("Value")?),
        "fixedarrayproperty" => PropertyKind::FixedArray(reader.object("Inner")?, reader.i32("Count")?),
        "vectorproperty" => PropertyKind::Vector,
        "rotatorproperty" => PropertyKind::Rotator,
        _ => PropertyKind::Pointer,
    };
    Ok(PropertyFacts { array_dim, flags, category, kind })
}

/// What precedes the bytecode of a struct.
pub struct StructHead {
    pub script_text: ObjectRef,
    pub children: ObjectRef,
    pub friendly_name: String,
    /// Where it begins in the source of its class.
    pub line: u32,
    pub script_size: u32,
}

/// What the heads of all engines begin with: the source, the first field, the name.
pub fn read_struct_start(reader: &mut ObjectReader<'_>) -> Result<(ObjectRef, ObjectRef, String), Fault> {
    read_links(reader)?;
    Ok((reader.object("ScriptText")?, reader.object("Children")?, reader.name("FriendlyName")?.to_owned()))
}

pub fn read_struct_head(reader: &mut ObjectReader<'_>) -> Result<StructHead, Fault> {
    let (script_text, children, friendly_name) = read_struct_start(reader)?;
    let line = reader.u32("Line")?;
    reader.u32("TextPos")?;
    let script_size = reader.u32("ScriptSize")?;
    Ok(StructHead { script_text, children, friendly_name, line, script_size })
}

/// The fields of a struct, function, state or class in the order of their chain. They lie in what they belong to: a chain that
/// leaves it, or leads in a circle, is cut.
pub fn children(package: &Arc<Package>, owner: usize) -> Vec<usize> {
    let head = behind_header(package, owner).and_then(|mut reader| read_struct_head(&mut reader));
    let mut list = Vec::new();
    let mut seen = HashSet::new();
    let mut at = head.map_or(ObjectRef::NONE, |head| head.children);
    while let Pointee::Export(export) = at.pointee() {
        let inside = package.export(export).is_some_and(|e| e.outer == ObjectRef::export(owner));
        if !inside || !seen.insert(export) {
            break;
        }
        list.push(export);
        let next = behind_header(package, export).and_then(|mut reader| read_links(&mut reader));
        let Ok(next) = next else { break };
        at = next;
    }
    list
}

/// A struct and the structs that it extends, the outermost first, with where each is.
pub fn struct_chain(package: &Arc<Package>, export: usize) -> Vec<(Arc<Package>, usize)> {
    let mut chain = Vec::new();
    let mut at = Some((package.clone(), export));
    while let Some((package, export)) = at.take() {
        if chain.len() >= DEEPEST {
            break;
        }
        let parent = package.export(export).map_or(ObjectRef::NONE, |e| e.parent);
        at = package.resolve(parent).map(|found| (found.package, found.export));
        chain.push((package, export));
    }
    chain.reverse();
    chain
}

/// The property that an export is.
pub fn property_of(package: &Arc<Package>, export: usize) -> Option<PropertyFacts> {
    let class = package.class_name(ObjectRef::export(export));
    if !class.to_ascii_lowercase().ends_with("property") {
        return None;
    }
    let mut reader = behind_header(package, export).ok()?;
    read_property(&mut reader, class).ok()
}

/// Of properties.
pub mod property {
    pub const EDIT: u32 = 1;
    pub const CONST: u32 = 2;
    pub const INPUT: u32 = 4;
    pub const EXPORT: u32 = 8;
    pub const OPTIONAL_PARM: u32 = 0x10;
    pub const NET: u32 = 0x20;
    pub const PARM: u32 = 0x80;
    pub const OUT_PARM: u32 = 0x100;
    pub const SKIP_PARM: u32 = 0x200;
    pub const RETURN_PARM: u32 = 0x400;
    pub const COERCE_PARM: u32 = 0x800;
    pub const NATIVE: u32 = 0x1000;
    pub const TRANSIENT: u32 = 0x2000;
    pub const CONFIG: u32 = 0x4000;
    pub const LOCALIZED: u32 = 0x8000;
    pub const TRAVEL: u32 = 0x1_0000;
    pub const EDIT_CONST: u32 = 0x2_0000;
    pub const GLOBAL_CONFIG: u32 = 0x4_0000;

    pub const NAMES: &[(u64, &str)] = &[
        (1, "Edit"),
        (2, "Const"),
        (4, "Input"),
        (8, "Export"),
        (0x10, "OptionalParm"),
        (0x20, "Net"),
        (0x80, "Parm"),
        (0x100, "OutParm"),
        (0x200, "SkipParm"),
        (0x400, "ReturnParm"),
        (0x800, "CoerceParm"),
        (0x1000, "Native"),
        (0x2000, "Transient"),
        (0x4000, "Config"),
        (0x8000, "Localized"),
        (0x1_0000, "Travel"),
        (0x2_0000, "EditConst"),
        (0x4_0000, "GlobalConfig"),
        (0x40_0000, "NeedCtorLink"),
    ];
}

/// Of functions.
pub mod function {
    pub const FINAL: u32 = 1;
    pub const ITERATOR: u32 = 4;
    pub const LATENT: u32 = 8;
    pub const PRE_OPERATOR: u32 = 0x10;
    pub const SINGULAR: u32 = 0x20;
    pub const NET: u32 = 0x40;
    pub const SIMULATED: u32 = 0x100;
    pub const EXEC: u32 = 0x200;
    pub const NATIVE: u32 = 0x400;
    pub const EVENT: u32 = 0x800;
    pub const OPERATOR: u32 = 0x1000;
    pub const STATIC: u32 = 0x2000;

    pub const NAMES: &[(u64, &str)] = &[
        (1, "Final"),
        (2, "Defined"),
        (4, "Iterator"),
        (8, "Latent"),
        (0x10, "PreOperator"),
        (0x20, "Singular"),
        (0x40, "Net"),
        (0x80, "NetReliable"),
        (0x100, "Simulated"),
        (0x200, "Exec"),
        (0x400, "Native"),
        (0x800, "Event"),
        (0x1000, "Operator"),
        (0x2000, "Static"),
        (0x4000, "NoExport"),
        (0x8000, "Const"),
        (0x1_0000, "Invariant"),
    ];
}

/// Of states.
pub mod state {
    pub const EDITABLE: u32 = 1;
    pub const AUTO: u32 = 2;
    pub const SIMULATED: u32 = 4;

    pub const NAMES: &[(u64, &str)] = &[(1, "Editable"), (2, "Auto"), (4, "Simulated")];
}

/// Of classes.
pub mod class {
    pub const ABSTRACT: u32 = 1;
    pub const CONFIG: u32 = 4;
    pub const TRANSIENT: u32 = 8;
    pub const SAFE_REPLACE: u32 = 0x40;
    pub const NO_EXPORT: u32 = 0x100;
    pub const NO_USER_CREATE: u32 = 0x200;
    pub const PER_OBJECT_CONFIG: u32 = 0x400;
    pub const NATIVE_REPLICATION: u32 = 0x800;

    pub const NAMES: &[(u64, &str)] = &[
        (1, "Abstract"),
        (2, "Compiled"),
        (4, "Config"),
        (8, "Transient"),
        (0x10, "Parsed"),
        (0x20, "Localized"),
        (0x40, "SafeReplace"),
        (0x80, "RuntimeStatic"),
        (0x100, "NoExport"),
        (0x200, "NoUserCreate"),
        (0x400, "PerObjectConfig"),
        (0x800, "NativeReplication"),
    ];
}
