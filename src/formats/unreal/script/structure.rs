//! The structures of script classes, field by field (formats/unreal.md §10).

use super::{bytecode::Script, flags, table::TokenTable};
use crate::formats::{
    Field, Value,
    unreal::{
        definitions::Definitions,
        object::{Fault, ObjectReader},
        package::Package,
        package_file::DEEPEST,
        properties::PropertyList,
        tables::ObjectRef,
    },
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

/// What Struct, Function, State and Class have in common (§10.3).
#[derive(Debug)]
pub struct StructFacts {
    pub script_text: ObjectRef,
    pub friendly_name: String,
    /// Where its first statement is in the source of its class, from 1.
    pub line: u32,
    pub script: Arc<Script>,
    /// Why the script cannot be read on; nothing behind it is known then.
    pub fault: Option<Fault>,
}

/// §10.4
#[derive(Clone, Debug, Default)]
pub struct FunctionFacts {
    pub friendly_name: String,
    pub native: u16,
    pub precedence: u8,
    pub flags: u32,
}

/// §10.4
#[derive(Clone, Copy, Debug, Default)]
pub struct StateFacts {
    pub flags: u32,
}

/// §10.5
#[derive(Clone, Debug, Default)]
pub struct ClassFacts {
    pub flags: u32,
    pub within: ObjectRef,
    /// The name of the ini file; empty before version 62.
    pub config: String,
    pub defaults: PropertyList,
}

/// Stands the reader behind an object's header; the properties of fields say nothing and are not decoded.
pub fn behind_header<'a>(package: &'a Arc<Package>, export: usize) -> Result<ObjectReader<'a>, Fault> {
    let mut reader = ObjectReader::of_export(package, export);
    if package.has_stack(export) {
        let node = reader.object("")?;
        reader.object("")?;
        reader.u64("")?;
        reader.u32("")?;
        if !node.is_none() {
            reader.index("")?;
        }
    }
    let is_class = package.export(export).is_none_or(|e| e.class.is_none());
    if !is_class {
        // Structs in it would ask for definitions again.
        reader.properties(&Definitions::new(package, ObjectRef::NONE).none())?;
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
    let flags = reader.flags("PropertyFlags", flags::property::NAMES)?;
    let category = reader.name("Category")?.to_owned();
    if flags & flags::property::NET != 0 {
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
struct StructHead {
    script_text: ObjectRef,
    children: ObjectRef,
    friendly_name: String,
    /// Where it begins in the source of its class.
    line: u32,
    script_size: u32,
}

fn read_struct_head(reader: &mut ObjectReader<'_>) -> Result<StructHead, Fault> {
    read_links(reader)?;
    let script_text = reader.object("ScriptText")?;
    let children = reader.object("Children")?;
    let friendly_name = reader.name("FriendlyName")?.to_owned();
    let line = reader.u32("Line")?;
    reader.u32("TextPos")?;
    let script_size = reader.u32("ScriptSize")?;
    Ok(StructHead { script_text, children, friendly_name, line, script_size })
}

/// # Errors
/// Where the part before the bytecode cannot be read; a fault in the bytecode is kept in the result.
pub fn read_struct(reader: &mut ObjectReader<'_>) -> Result<StructFacts, Fault> {
    let head = read_struct_head(reader)?;
    let at = reader.offset();
    let (script, fault) = Script::read(reader, head.script_size);
    let script = Arc::new(script);
    if !script.tokens.is_empty() {
        let table = Arc::new(TokenTable::new(script.clone()));
        reader.push(Field::table("Script", "bytecode", at, u64::from(script.size), table));
    }
    Ok(StructFacts { script_text: head.script_text, friendly_name: head.friendly_name, line: head.line, script, fault })
}

/// Reads a function to its end; without what follows the bytecode where that cannot be read.
pub fn read_function(reader: &mut ObjectReader<'_>) -> Result<(StructFacts, Option<FunctionFacts>), Fault> {
    let base = read_struct(reader)?;
    if base.fault.is_some() {
        return Ok((base, None));
    }
    let old = reader.version() <= 63;
    if old {
        reader.u16("ParmsSize")?;
    }
    let native = reader.u16("NativeIndex")?;
    if old {
        reader.u8("NumParms")?;
    }
    let precedence = reader.u8("OperatorPrecedence")?;
    if old {
        reader.u16("ReturnValueOffset")?;
    }
    let flags = reader.flags("FunctionFlags", flags::function::NAMES)?;
    if flags & flags::function::NET != 0 {
        reader.u16("RepOffset")?;
    }
    let facts = FunctionFacts { friendly_name: base.friendly_name.clone(), native, precedence, flags };
    Ok((base, Some(facts)))
}

/// Reads a state to its end, or to where its bytecode cannot be read on.
pub fn read_state(reader: &mut ObjectReader<'_>) -> Result<(StructFacts, Option<StateFacts>), Fault> {
    let base = read_struct(reader)?;
    if base.fault.is_some() {
        return Ok((base, None));
    }
    reader.u64("ProbeMask")?;
    reader.u64("IgnoreMask")?;
    reader.u16("LabelTableOffset")?;
    let flags = reader.flags("StateFlags", flags::state::NAMES)?;
    Ok((base, Some(StateFacts { flags })))
}

/// Reads export `export`, a class, to its end, or to where its bytecode cannot be read on.
pub fn read_class(reader: &mut ObjectReader<'_>, export: usize) -> Result<(StructFacts, Option<ClassFacts>), Fault> {
    let (base, state) = read_state(reader)?;
    if state.is_none() {
        return Ok((base, None));
    }
    let version = reader.version();
    if version <= 61 {
        reader.u32("OldRecordSize")?;
    }
    let class_flags = reader.flags("ClassFlags", flags::class::NAMES)?;
    reader.bytes("ClassGuid", "Guid", 16, Value::Raw)?;
    reader.array("Dependencies", "Dependency[]", 9, |r| {
        r.object("Class")?;
        r.u32("IsDeep")?;
        r.u32("ScriptTextCrc")
    })?;
    reader.array("PackageImports", "name[]", 1, |r| r.name("Package").map(str::to_owned))?;
    let (mut within, mut config) = (ObjectRef::NONE, String::new());
    if version >= 62 {
        within = reader.object("ClassWithin")?;
        config = reader.name("ClassConfigName")?.to_owned();
    }
    let definitions = Definitions::new(reader.package(), ObjectRef::export(export));
    let defaults = reader.properties(&definitions)?;
    Ok((base, Some(ClassFacts { flags: class_flags, within, config, defaults })))
}

impl FunctionFacts {
    /// What a function is, here or in another package. Only operators are called otherwise than by name, and are looked at.
    pub fn of(package: &Arc<Package>, object: ObjectRef) -> Option<Self> {
        let found = package.resolve(object)?;
        if !found.package.class_name(ObjectRef::export(found.export)).eq_ignore_ascii_case("Function") {
            return None;
        }
        let name = found.package.object_name(ObjectRef::export(found.export))?;
        let mut reader = behind_header(&found.package, found.export).ok()?;
        let start = reader.offset();
        let head = read_struct_head(&mut reader).ok()?;
        if head.friendly_name.eq_ignore_ascii_case(name) {
            return Some(Self { friendly_name: head.friendly_name, ..Self::default() });
        }
        reader.seek(start).ok()?;
        read_function(&mut reader).ok()?.1
    }
}

/// The fields of a struct, function, state or class in the order of their chain. They lie in what they belong to: a chain that
/// leaves it, or leads in a circle, is cut.
pub fn children(package: &Arc<Package>, owner: usize) -> Vec<usize> {
    use crate::formats::unreal::tables::Pointee;
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

/// The functions and states among the fields of a class or state, in the order of its source.
pub fn members_with_code(package: &Arc<Package>, owner: usize) -> Vec<usize> {
    let mut list: Vec<(u32, usize)> = Vec::new();
    for child in children(package, owner) {
        if matches!(package.class_name(ObjectRef::export(child)), "Function" | "State") {
            let head = behind_header(package, child).and_then(|mut reader| read_struct_head(&mut reader));
            list.push((head.map_or(u32::MAX, |head| head.line), child));
        }
    }
    // The chain has them in the opposite order; of those on one line the last one comes first.
    list.reverse();
    list.sort_by_key(|(line, _)| *line);
    list.into_iter().map(|(_, child)| child).collect()
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
