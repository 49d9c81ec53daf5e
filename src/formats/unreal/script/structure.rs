//! The structures of script classes, field by field (formats/unreal.md §10), and bytecode as rows of the inspector, one
//! for each token.

use super::{
    bytecode::{Operand, Piece, Script},
    natives::native,
    opcode::native_number,
    remembered::{FunctionFacts, Remembered},
    value_text::operand_text,
};
use crate::formats::{
    Field, Table, Value,
    unreal::{
        class_fields::{self, behind_header, children, read_struct_head},
        definitions::Definitions,
        object::{Fault, ObjectReader, reference},
        package::Package,
        properties::PropertyList,
        tables::ObjectRef,
    },
};
use std::sync::{Arc, PoisonError};

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
    let flags = reader.flags("FunctionFlags", class_fields::function::NAMES)?;
    if flags & class_fields::function::NET != 0 {
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
    let flags = reader.flags("StateFlags", class_fields::state::NAMES)?;
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
    let class_flags = reader.flags("ClassFlags", class_fields::class::NAMES)?;
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

/// What a function is, here or in another package; worked out once. Only operators are called otherwise than by name, and are
/// looked at.
pub fn function_facts(package: &Arc<Package>, object: ObjectRef) -> Option<Arc<FunctionFacts>> {
    let remembered = package.memory.of::<Remembered>();
    let kept = || remembered.functions.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept().get(&object.0) {
        return known.clone();
    }
    let facts = read_facts(package, object).map(Arc::new);
    kept().insert(object.0, facts.clone());
    facts
}

fn read_facts(package: &Arc<Package>, object: ObjectRef) -> Option<FunctionFacts> {
    let found = package.resolve(object)?;
    if !found.package.class_name(ObjectRef::export(found.export)).eq_ignore_ascii_case("Function") {
        return None;
    }
    let name = found.package.object_name(ObjectRef::export(found.export))?;
    let mut reader = behind_header(&found.package, found.export).ok()?;
    let start = reader.offset();
    let head = read_struct_head(&mut reader).ok()?;
    if head.friendly_name.eq_ignore_ascii_case(name) {
        return Some(FunctionFacts { friendly_name: head.friendly_name, ..FunctionFacts::default() });
    }
    reader.seek(start).ok()?;
    read_function(&mut reader).ok()?.1
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

/// The tokens of a script, each with its place in memory.
#[derive(Debug)]
pub struct TokenTable {
    script: Arc<Script>,
}

impl TokenTable {
    pub fn new(script: Arc<Script>) -> Self {
        Self { script }
    }
}

impl Table for TokenTable {
    fn len(&self) -> usize {
        self.script.tokens.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let token = self.script.tokens.get(index)?;
        let package = self.script.package();
        let at = |offset: u32| self.script.offset.saturating_add(u64::from(offset));
        let pieces = self.script.pieces(index);
        let mut fields = vec![Field::new(
            "Token",
            "u8",
            Value::Enum { value: i64::from(token.opcode), name: self.script.operation(token).into() },
            at(token.offset),
            1,
        )];
        let mut texts = Vec::new();
        for piece in &pieces {
            let Piece::Value { name, operand, offset, size } = piece else { continue };
            let (kind, value) = match operand {
                Operand::Byte(value) => ("u8", Value::UInt(u64::from(*value))),
                Operand::Word(value) => ("u16", Value::UInt(u64::from(*value))),
                Operand::Int(value) => ("i32", Value::Int(i64::from(*value))),
                Operand::Count(value) => ("index", Value::Int(i64::from(*value))),
                Operand::Float(value) => ("f32", Value::Float(*value)),
                Operand::Name(_) => ("name", Value::Text(operand_text(package, operand))),
                Operand::Object(object) => ("object", reference(package, *object)),
                Operand::Text(text) => ("text", Value::Text(text.clone())),
                Operand::Vector(vector) => ("Vector", Value::Floats(vector.to_vec())),
                Operand::Rotator(rotator) => ("Rotator", Value::Ints(rotator.iter().map(|v| i64::from(*v)).collect())),
                Operand::LabelOffset(offset) => ("u32", Value::UInt(u64::from(*offset))),
            };
            texts.push(match operand {
                Operand::Word(value) => format!("0x{value:04X}"),
                _ => operand_text(package, operand),
            });
            fields.push(Field::new(*name, kind, value, at(*offset), u64::from(*size)));
        }
        let number = match pieces.first() {
            Some(Piece::Value { operand: Operand::Byte(next), .. }) => native_number(token.opcode, Some(*next)),
            _ => native_number(token.opcode, None),
        };
        if let Some(number) = number {
            texts = vec![native(number).map_or_else(|| format!("native_0x{number:03X}"), |(name, _)| name.to_owned())];
        }
        let mut row = Field::group(
            index.to_string(),
            "token",
            at(token.offset),
            u64::from(token.end.saturating_sub(token.offset)),
            fields,
        );
        // Where it is in memory, how deep, what it does with what.
        let deep = "· ".repeat(usize::from(token.depth.min(32)));
        row.value = Value::Text(
            format!("{:04X} {deep}{} {}", token.memory, self.script.operation(token), texts.join(" "))
                .trim_end()
                .to_owned(),
        );
        Some(row)
    }
}
