//! Walking bytecode (formats/unreal.md §11): its size is stated in memory, so every token has to be read to find its end.

use super::opcode::{self, Opcode, Part, opcode};
use crate::{
    bytes::{Endian, OutOfBytes, Reader, numbers::grouped, text::windows_1252},
    formats::{
        compact,
        unreal::{
            object::{Fault, ObjectReader},
            package::Package,
            tables::{ObjectRef, Pointee},
        },
    },
};
use std::sync::Arc;

/// How deep tokens may nest.
const DEEPEST_TOKEN: usize = 256;
/// Tokens of one script: jumps reach 65,536 bytes far.
const MAX_TOKENS: usize = 1 << 19;

/// A token; those that belong to it follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where its byte lies, in bytes from the start of the script.
    pub offset: u32,
    /// Where its last byte ends, with all that belongs to it.
    pub end: u32,
    /// Where it lies in memory: what jumps mean.
    pub memory: u32,
    /// The first token that does not belong to it.
    pub next: u32,
    pub depth: u16,
    pub opcode: u8,
}

/// A script's tokens.
#[derive(Debug)]
pub struct Script {
    package: Arc<Package>,
    /// The export that it belongs to.
    pub owner: usize,
    /// Where it lies, in bytes from the start of the file.
    pub offset: u64,
    /// Bytes of it that were read.
    pub size: u32,
    /// Bytes in memory that were read.
    pub memory: u32,
    pub tokens: Vec<Token>,
}

/// A value of a token, without the tokens that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    Byte(u8),
    Word(u16),
    Int(i32),
    Float(f32),
    /// An index into the name table.
    Name(u32),
    Object(ObjectRef),
    Text(String),
    Vector([f32; 3]),
    Rotator([i32; 3]),
    /// An offset in memory that belongs to the label before it.
    LabelOffset(u32),
    Count(i32),
}

/// A piece of a token in the order of its bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Value {
        name: &'static str,
        operand: Operand,
        /// Bytes from the start of the script.
        offset: u32,
        size: u32,
    },
    /// A token, by its place in the list.
    Token(usize),
}

/// Where the walk is in a token.
struct Open {
    token: usize,
    parts: &'static [Part],
    /// Values that are still to come, of [`Part::NamedValues`].
    values: u32,
}

impl Script {
    /// Reads tokens until they fill `memory_size` bytes of memory. What was read before a fault is kept.
    pub fn read(reader: &mut ObjectReader<'_>, memory_size: u32) -> (Self, Option<Fault>) {
        let mut script = Self {
            package: reader.package().clone(),
            owner: reader.export(),
            offset: reader.offset(),
            size: 0,
            memory: 0,
            tokens: Vec::new(),
        };
        let fault = script.walk(reader.raw(), memory_size).err();
        if fault.is_some() {
            script.drop_unfinished();
            let _ = reader.seek(script.offset.saturating_add(u64::from(script.size)));
        }
        (script, fault)
    }

    /// Of a statement that cannot be read to its end nothing is kept.
    fn drop_unfinished(&mut self) {
        let last = self.tokens.iter().rposition(|token| token.depth == 0);
        let unfinished = last.and_then(|at| Some((at, *self.tokens.get(at)?))).filter(|(_, token)| token.next == 0);
        if let Some((at, token)) = unfinished {
            self.size = token.offset;
            self.memory = token.memory;
            self.tokens.truncate(at);
        }
    }

    fn walk(&mut self, reader: &mut Reader<'_>, memory_size: u32) -> Result<(), Fault> {
        let mut open: Vec<Open> = Vec::new();
        while !open.is_empty() || self.memory < memory_size {
            if open.is_empty() {
                self.begin(reader, &mut open)?;
                continue;
            }
            let Some(top) = open.last_mut() else { break };
            let Some((part, rest)) = top.parts.split_first() else {
                let token = top.token;
                open.pop();
                self.close(reader, token);
                continue;
            };
            let at = reader.offset();
            let size;
            match part {
                Part::Expression => {
                    top.parts = rest;
                    self.begin(reader, &mut open)?;
                    continue;
                }
                Part::Parameters => {
                    // The token that ends them is the last one.
                    if reader.clone().u8()? == opcode::END_PARAMETERS {
                        top.parts = rest;
                    }
                    self.begin(reader, &mut open)?;
                    continue;
                }
                Part::NamedValues if top.values == 0 => {
                    let count = compact::read_index(reader)?;
                    top.parts = rest;
                    top.values = reader.check_count(u64::try_from(count).unwrap_or(u64::MAX), 2)? as u32;
                    if top.values > 0 {
                        top.parts = NAMED_VALUE;
                    }
                    size = 4;
                }
                Part::NamedValues => {
                    // The name of one value; the value itself follows.
                    top.values = top.values.saturating_sub(1);
                    top.parts = if top.values > 0 { VALUE_AND_MORE } else { LAST_VALUE };
                    self.name(reader)?;
                    size = 4;
                }
                Part::CaseValue => {
                    top.parts = rest;
                    size = 2;
                    if reader.u16()? != 0xFFFF {
                        top.parts = LAST_VALUE;
                    }
                }
                leaf => {
                    top.parts = rest;
                    size = self.skip_leaf(*leaf, reader).map_err(|error| match error {
                        Some(error) => error,
                        None => Fault::new(at, "a value cannot be read"),
                    })?;
                }
            }
            self.memory = self.memory.saturating_add(size);
        }
        Ok(())
    }

    /// Reads a token's byte.
    fn begin(&mut self, reader: &mut Reader<'_>, open: &mut Vec<Open>) -> Result<(), Fault> {
        let at = reader.offset();
        if open.len() >= DEEPEST_TOKEN {
            let message = format!("tokens are nested more than {DEEPEST_TOKEN} levels deep");
            return Err(Fault::new(at, message));
        }
        if self.tokens.len() >= MAX_TOKENS {
            let message = format!("the bytecode has more than {} tokens", grouped(MAX_TOKENS));
            return Err(Fault::new(at, message));
        }
        let byte = reader.u8()?;
        let Some(known) = self.opcode(byte) else {
            return Err(Fault::new(at, format!("unknown bytecode token 0x{byte:02X}")));
        };
        let token = self.tokens.len();
        let offset = u32::try_from(at.saturating_sub(self.offset)).unwrap_or(u32::MAX);
        let depth = u16::try_from(open.len()).unwrap_or(u16::MAX);
        self.tokens.push(Token { offset, end: offset, memory: self.memory, next: 0, depth, opcode: byte });
        self.memory = self.memory.saturating_add(1);
        open.push(Open { token, parts: known.parts, values: 0 });
        Ok(())
    }

    fn close(&mut self, reader: &Reader<'_>, token: usize) {
        let next = u32::try_from(self.tokens.len()).unwrap_or(u32::MAX);
        let end = u32::try_from(reader.offset().saturating_sub(self.offset)).unwrap_or(u32::MAX);
        if let Some(token) = self.tokens.get_mut(token) {
            token.next = next;
            token.end = end;
        }
        self.size = self.size.max(end);
    }

    fn opcode(&self, byte: u8) -> Option<Opcode> {
        opcode(byte, self.package.version(), self.package.licensee())
    }

    fn name(&self, reader: &mut Reader<'_>) -> Result<u32, Fault> {
        let at = reader.offset();
        let index = compact::read_unsigned(reader)?;
        match self.package.name(index) {
            Some(_) => Ok(index),
            None => Err(Fault::new(at, format!("name {index} does not exist"))),
        }
    }

    fn object(&self, reader: &mut Reader<'_>) -> Result<ObjectRef, Fault> {
        let at = reader.offset();
        let object = ObjectRef(compact::read_index(reader)?);
        let exists = match object.pointee() {
            Pointee::None => true,
            Pointee::Export(index) => self.package.export(index).is_some(),
            Pointee::Import(index) => self.package.import(index).is_some(),
        };
        if exists { Ok(object) } else { Err(Fault::new(at, format!("object {} does not exist", object.0))) }
    }

    /// Reads over a value; gives its size in memory.
    fn skip_leaf(&self, part: Part, reader: &mut Reader<'_>) -> Result<u32, Option<Fault>> {
        let fault = |error: OutOfBytes| Some(Fault::from(error));
        match part {
            Part::Byte(_) => reader.skip(1).map(|()| 1).map_err(fault),
            Part::Word(_) => reader.skip(2).map(|()| 2).map_err(fault),
            Part::Int(_) | Part::Float => reader.skip(4).map(|()| 4).map_err(fault),
            Part::Name(_) => self.name(reader).map(|_| 4).map_err(Some),
            Part::Object(_) => self.object(reader).map(|_| 4).map_err(Some),
            Part::Vector | Part::Rotator => reader.skip(12).map(|()| 12).map_err(fault),
            Part::Text => {
                let mut size = 1_u32;
                while reader.u8().map_err(fault)? != 0 {
                    size = size.saturating_add(1);
                }
                Ok(size)
            }
            Part::WideText => {
                let mut size = 2_u32;
                while reader.u16().map_err(fault)? != 0 {
                    size = size.saturating_add(2);
                }
                Ok(size)
            }
            Part::Labels => {
                let mut size = 0_u32;
                loop {
                    let name = self.name(reader).map_err(Some)?;
                    reader.skip(4).map_err(fault)?;
                    size = size.saturating_add(8);
                    if self.package.name(name).is_some_and(|name| name.eq_ignore_ascii_case("None")) {
                        return Ok(size);
                    }
                }
            }
            Part::ParameterSizes => {
                let mut size = 1_u32;
                while reader.u8().map_err(fault)? != 0 {
                    reader.skip(1).map_err(fault)?;
                    size = size.saturating_add(2);
                }
                Ok(size)
            }
            Part::Expression | Part::Parameters | Part::NamedValues | Part::CaseValue => Err(None),
        }
    }

    pub fn package(&self) -> &Arc<Package> {
        &self.package
    }

    /// A token's name: `Let`.
    pub fn operation(&self, token: &Token) -> &'static str {
        self.opcode(token.opcode).map_or("?", |known| known.name)
    }

    /// The statements: tokens that belong to no other.
    pub fn statements(&self) -> impl Iterator<Item = usize> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let token = self.tokens.get(at)?;
            let here = at;
            at = (token.next as usize).max(at.saturating_add(1));
            Some(here)
        })
    }

    /// What a token is made of, in the order of its bytes.
    pub fn pieces(&self, token: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        // It was read once without a fault.
        let _ = self.read_pieces(token, &mut pieces);
        pieces
    }

    fn read_pieces(&self, token: usize, pieces: &mut Vec<Piece>) -> Option<()> {
        let own = *self.tokens.get(token)?;
        let start = self.offset.checked_add(u64::from(own.offset))?;
        let end = self.offset.checked_add(u64::from(own.end))?;
        let bytes = self.package.source.part(start..end);
        let mut reader = Reader::new(bytes, u64::from(own.offset), Endian::Little);
        reader.u8().ok()?;
        let mut child = token.checked_add(1)?;
        let past = own.next as usize;
        for part in self.opcode(own.opcode)?.parts {
            match part {
                Part::Expression => self.take_token(&mut child, past, &mut reader, pieces)?,
                Part::Parameters => {
                    while child < past {
                        self.take_token(&mut child, past, &mut reader, pieces)?;
                    }
                }
                Part::CaseValue => {
                    let at = reader.offset();
                    let word = reader.u16().ok()?;
                    pieces.push(value("Next", Operand::Word(word), at, &reader));
                    if word != 0xFFFF {
                        self.take_token(&mut child, past, &mut reader, pieces)?;
                    }
                }
                Part::NamedValues => {
                    let at = reader.offset();
                    let count = compact::read_index(&mut reader).ok()?;
                    pieces.push(value("Count", Operand::Count(count), at, &reader));
                    for _ in 0..count {
                        let at = reader.offset();
                        let name = compact::read_unsigned(&mut reader).ok()?;
                        pieces.push(value("Member", Operand::Name(name), at, &reader));
                        self.take_token(&mut child, past, &mut reader, pieces)?;
                    }
                }
                Part::Labels => loop {
                    let at = reader.offset();
                    let name = compact::read_unsigned(&mut reader).ok()?;
                    pieces.push(value("Label", Operand::Name(name), at, &reader));
                    let at = reader.offset();
                    let offset = reader.u32().ok()?;
                    pieces.push(value("Offset", Operand::LabelOffset(offset), at, &reader));
                    if self.package.name(name)?.eq_ignore_ascii_case("None") {
                        break;
                    }
                },
                Part::ParameterSizes => loop {
                    let at = reader.offset();
                    let size = reader.u8().ok()?;
                    pieces.push(value("Size", Operand::Byte(size), at, &reader));
                    if size == 0 {
                        break;
                    }
                    let at = reader.offset();
                    let out = reader.u8().ok()?;
                    pieces.push(value("IsOut", Operand::Byte(out), at, &reader));
                },
                leaf => {
                    let at = reader.offset();
                    let (name, operand) = leaf_value(*leaf, &mut reader)?;
                    pieces.push(value(name, operand, at, &reader));
                }
            }
        }
        Some(())
    }

    fn take_token(
        &self,
        child: &mut usize,
        past: usize,
        reader: &mut Reader<'_>,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        let token = self.tokens.get(*child).filter(|_| *child < past)?;
        pieces.push(Piece::Token(*child));
        *child = token.next as usize;
        reader.seek(u64::from(token.end)).ok()
    }
}

/// After the count of named values: the names and values themselves.
const NAMED_VALUE: &[Part] = &[Part::NamedValues];
const VALUE_AND_MORE: &[Part] = &[Part::Expression, Part::NamedValues];
const LAST_VALUE: &[Part] = &[Part::Expression];

fn value(name: &'static str, operand: Operand, at: u64, reader: &Reader<'_>) -> Piece {
    let size = u32::try_from(reader.offset().saturating_sub(at)).unwrap_or(u32::MAX);
    Piece::Value { name, operand, offset: u32::try_from(at).unwrap_or(u32::MAX), size }
}

fn leaf_value(part: Part, reader: &mut Reader<'_>) -> Option<(&'static str, Operand)> {
    Some(match part {
        Part::Byte(name) => (name, Operand::Byte(reader.u8().ok()?)),
        Part::Word(name) => (name, Operand::Word(reader.u16().ok()?)),
        Part::Int(name) => (name, Operand::Int(reader.i32().ok()?)),
        Part::Float => ("Value", Operand::Float(reader.f32().ok()?)),
        Part::Name(name) => (name, Operand::Name(compact::read_unsigned(reader).ok()?)),
        Part::Object(name) => (name, Operand::Object(ObjectRef(compact::read_index(reader).ok()?))),
        Part::Vector => ("Value", Operand::Vector(reader.f32s::<3>().ok()?)),
        Part::Rotator => ("Value", Operand::Rotator([reader.i32().ok()?, reader.i32().ok()?, reader.i32().ok()?])),
        Part::Text => {
            let mut bytes = Vec::new();
            while let byte @ 1.. = reader.u8().ok()? {
                bytes.push(byte);
            }
            ("Value", Operand::Text(windows_1252(&bytes)))
        }
        Part::WideText => {
            let mut units = Vec::new();
            while let unit @ 1.. = reader.u16().ok()? {
                units.push(unit);
            }
            ("Value", Operand::Text(String::from_utf16_lossy(&units)))
        }
        _ => return None,
    })
}
