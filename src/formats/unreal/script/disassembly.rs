//! Bytecode as lines: where, what, with what.

use super::{
    bytecode::{Operand, Piece, Script},
    expression::text_of,
    opcode,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

/// Characters that the disassembly of one entry takes at most.
pub const LONGEST: usize = 8 << 20;

/// Writes a script's statements behind `indent`, with labels where jumps lead.
pub fn disassemble(script: &Script, indent: &str, out: &mut String) {
    let marks = Marks::of(script);
    let jump = |target: u16| format!("L_{target:04X}");
    for statement in script.statements() {
        let Some(token) = script.tokens.get(statement) else { break };
        if out.len() > LONGEST {
            let _ = writeln!(out, "{indent}// the rest is left out");
            return;
        }
        marks.write(token.memory, indent, out);
        let text = text_of(script, statement, &jump);
        let line = format!("{:04X}  {:<15}  {text}", token.memory, script.operation(token));
        let _ = writeln!(out, "{indent}  {}", line.trim_end());
    }
    marks.write(script.memory, indent, out);
}

/// What leads where.
#[derive(Default)]
struct Marks {
    targets: BTreeSet<u32>,
    labels: BTreeMap<u32, Vec<String>>,
}

impl Marks {
    fn of(script: &Script) -> Self {
        let mut marks = Self::default();
        for statement in script.statements() {
            let Some(token) = script.tokens.get(statement) else { break };
            let pieces = script.pieces(statement);
            let values = pieces.iter().filter_map(|piece| match piece {
                Piece::Value { operand, .. } => Some(operand),
                Piece::Token(_) => None,
            });
            match token.opcode {
                opcode::JUMP | opcode::JUMP_IF_NOT | opcode::CASE | opcode::ITERATOR => {
                    for value in values {
                        if let Operand::Word(target) = value
                            && (token.opcode != opcode::CASE || *target != 0xFFFF)
                        {
                            marks.targets.insert(u32::from(*target));
                        }
                    }
                }
                opcode::LABEL_TABLE => {
                    let values: Vec<&Operand> = values.collect();
                    for pair in values.chunks(2) {
                        if let [Operand::Name(name), Operand::LabelOffset(offset)] = pair
                            && let Some(name) = script.package().name(*name)
                            && !name.eq_ignore_ascii_case("None")
                        {
                            marks.labels.entry(*offset).or_default().push(name.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
        marks
    }

    fn write(&self, memory: u32, indent: &str, out: &mut String) {
        for label in self.labels.get(&memory).into_iter().flatten() {
            let _ = writeln!(out, "{indent}{label}:");
        }
        if self.targets.contains(&memory) {
            let _ = writeln!(out, "{indent}L_{memory:04X}:");
        }
    }
}
