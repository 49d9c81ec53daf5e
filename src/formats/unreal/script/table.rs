//! Bytecode as rows of the inspector: one a token.

use super::{
    bytecode::{Operand, Piece, Script},
    natives::native,
    opcode::native_number,
    value_text::operand_text,
};
use crate::formats::{Field, Table, Value, unreal::object::reference};
use std::sync::Arc;

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
