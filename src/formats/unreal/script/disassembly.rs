//! Bytecode as lines: where, what, with what.

use super::{
    bytecode::{Operand, Piece, Script},
    expression::text_of,
    opcode,
};
use crate::{formats::unreal::object::entry_of, scene::LineMark};
use std::collections::{BTreeMap, BTreeSet};

/// Characters that the disassembly of one entry takes at most.
const LONGEST: usize = 8 << 20;

/// A disassembly that is being written, with what its lines stand for.
#[derive(Default)]
pub struct Listing {
    pub text: String,
    pub marks: Vec<LineMark>,
    lines: u32,
}

impl Listing {
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        let breaks = line.bytes().filter(|byte| *byte == b'\n').count();
        self.lines = self.lines.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX)).saturating_add(1);
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.text.len() > LONGEST
    }
}

/// Writes a script's statements behind `indent`, with labels where jumps lead.
pub fn disassemble(script: &Script, indent: &str, out: &mut Listing) {
    let owner = entry_of(script.package(), script.owner);
    let marks = Marks::of(script);
    let jump = |target: u16| format!("L_{target:04X}");
    for statement in script.statements() {
        let Some(token) = script.tokens.get(statement) else { break };
        if out.is_full() {
            out.line(&format!("{indent}// the rest is omitted"));
            return;
        }
        marks.write(token.memory, indent, out);
        let text = text_of(script, statement, &jump);
        let line = format!("{:04X}  {:<15}  {text}", token.memory, script.operation(token));
        if let Some(owner) = owner {
            let at = |offset: u32| script.offset.saturating_add(u64::from(offset));
            out.marks.push(LineMark {
                line: out.lines,
                bytes: at(token.offset)..at(token.end),
                entry: owner.into(),
                source_lines: 0..0,
            });
        }
        out.line(&format!("{indent}  {}", line.trim_end()));
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

    fn write(&self, memory: u32, indent: &str, out: &mut Listing) {
        for label in self.labels.get(&memory).into_iter().flatten() {
            out.line(&format!("{indent}{label}:"));
        }
        if self.targets.contains(&memory) {
            out.line(&format!("{indent}L_{memory:04X}:"));
        }
    }
}
