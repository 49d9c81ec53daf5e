//! A small assembler of bytecode (formats/unreal.md §11).

use super::object::ObjectWriter;
use super::primitives::Ref;

/// The tokens that the assembler has no method of its own for; conversions and natives are plain numbers.
pub mod token {
    pub const LOCAL_VARIABLE: u8 = 0x00;
    pub const INSTANCE_VARIABLE: u8 = 0x01;
    pub const DEFAULT_VARIABLE: u8 = 0x02;
    pub const RETURN: u8 = 0x04;
    pub const SWITCH: u8 = 0x05;
    pub const JUMP: u8 = 0x06;
    pub const JUMP_IF_NOT: u8 = 0x07;
    pub const STOP: u8 = 0x08;
    pub const CASE: u8 = 0x0A;
    pub const NOTHING: u8 = 0x0B;
    pub const LABEL_TABLE: u8 = 0x0C;
    pub const GOTO_LABEL: u8 = 0x0D;
    pub const LET: u8 = 0x0F;
    pub const DYNAMIC_ARRAY_ELEMENT: u8 = 0x10;
    pub const LET_BOOL: u8 = 0x14;
    pub const END_PARAMETERS: u8 = 0x16;
    pub const SELF: u8 = 0x17;
    pub const SKIP: u8 = 0x18;
    pub const CONTEXT: u8 = 0x19;
    pub const ARRAY_ELEMENT: u8 = 0x1A;
    pub const VIRTUAL_FUNCTION: u8 = 0x1B;
    pub const FINAL_FUNCTION: u8 = 0x1C;
    pub const INT: u8 = 0x1D;
    pub const FLOAT: u8 = 0x1E;
    pub const STRING: u8 = 0x1F;
    pub const OBJECT: u8 = 0x20;
    pub const NAME: u8 = 0x21;
    pub const ROTATION: u8 = 0x22;
    pub const VECTOR: u8 = 0x23;
    pub const BYTE: u8 = 0x24;
    pub const ZERO: u8 = 0x25;
    pub const ONE: u8 = 0x26;
    pub const TRUE: u8 = 0x27;
    pub const FALSE: u8 = 0x28;
    pub const NO_OBJECT: u8 = 0x2A;
    pub const SMALL_INT: u8 = 0x2C;
    pub const BOOL_VARIABLE: u8 = 0x2D;
    pub const ITERATOR: u8 = 0x2F;
    pub const ITERATOR_POP: u8 = 0x30;
    pub const ITERATOR_NEXT: u8 = 0x31;
    pub const STRUCT_MEMBER: u8 = 0x36;
}

/// A place in the code that a jump may name before it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// Assembled code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// As it lies in the file.
    pub bytes: Vec<u8>,
    /// `ScriptSize`: names and objects are four bytes each in memory.
    pub memory_size: usize,
    /// Where the label table begins in memory, if there is one.
    pub label_table: Option<usize>,
}

/// Writes code token by token; offsets are those in memory.
pub struct CodeWriter<'a, 'p> {
    out: &'a mut ObjectWriter<'p>,
    labels: Vec<usize>,
    /// Where in the file's bytes an offset stands, and whose.
    jumps: Vec<(usize, Label)>,
    label_table: Option<usize>,
}

impl CodeWriter<'_, '_> {
    pub fn token(&mut self, token: u8) -> &mut Self {
        self.out.u8(token);
        self
    }

    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.out.u8(value);
        self
    }

    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.out.u16(value);
        self
    }

    pub fn i32(&mut self, value: i32) -> &mut Self {
        self.out.i32(value);
        self
    }

    pub fn name(&mut self, name: &str) -> &mut Self {
        self.out.name(name);
        self
    }

    pub fn object(&mut self, object: Ref) -> &mut Self {
        self.out.object(object);
        self
    }

    pub fn local(&mut self, property: Ref) -> &mut Self {
        self.token(token::LOCAL_VARIABLE).object(property)
    }

    pub fn instance(&mut self, property: Ref) -> &mut Self {
        self.token(token::INSTANCE_VARIABLE).object(property)
    }

    pub fn int(&mut self, value: i32) -> &mut Self {
        self.token(token::INT).i32(value)
    }

    pub fn byte(&mut self, value: u8) -> &mut Self {
        self.token(token::BYTE).u8(value)
    }

    pub fn float(&mut self, value: f32) -> &mut Self {
        self.token(token::FLOAT);
        self.out.f32(value);
        self
    }

    pub fn vector(&mut self, value: [f32; 3]) -> &mut Self {
        self.token(token::VECTOR);
        self.out.f32s(&value);
        self
    }

    pub fn rotator(&mut self, value: [i32; 3]) -> &mut Self {
        self.token(token::ROTATION);
        self.out.i32s(&value);
        self
    }

    /// Text of windows-1252 up to its NUL.
    pub fn string(&mut self, text: &str) -> &mut Self {
        self.token(token::STRING);
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(text);
        self.out.bytes(&bytes);
        self.u8(0)
    }

    pub fn name_constant(&mut self, name: &str) -> &mut Self {
        self.token(token::NAME).name(name)
    }

    pub fn object_constant(&mut self, object: Ref) -> &mut Self {
        self.token(token::OBJECT).object(object)
    }

    /// Calls by name; parameters and [`Self::end`] follow.
    pub fn call(&mut self, function: &str) -> &mut Self {
        self.token(token::VIRTUAL_FUNCTION).name(function)
    }

    /// Calls a function itself; parameters and [`Self::end`] follow.
    pub fn call_final(&mut self, function: Ref) -> &mut Self {
        self.token(token::FINAL_FUNCTION).object(function)
    }

    /// Calls a native function by its number, at least 112; parameters and [`Self::end`] follow.
    pub fn native(&mut self, number: u16) -> &mut Self {
        let [high, low] = number.to_be_bytes();
        if high > 0 { self.token(0x60 | high & 0x0F).u8(low) } else { self.token(low) }
    }

    /// The end of a call's parameters.
    pub fn end(&mut self) -> &mut Self {
        self.token(token::END_PARAMETERS)
    }

    /// A place to be set with [`Self::place`].
    pub fn label(&mut self) -> Label {
        self.labels.push(0);
        Label(self.labels.len().saturating_sub(1))
    }

    /// Here is the place.
    pub fn place(&mut self, label: Label) -> &mut Self {
        let here = self.out.memory_size();
        if let Some(place) = self.labels.get_mut(label.0) {
            *place = here;
        }
        self
    }

    /// The offset of a place, two bytes.
    pub fn offset_of(&mut self, label: Label) -> &mut Self {
        self.jumps.push((self.out.len(), label));
        self.u16(0)
    }

    pub fn jump(&mut self, label: Label) -> &mut Self {
        self.token(token::JUMP).offset_of(label)
    }

    /// The condition follows.
    pub fn jump_if_not(&mut self, label: Label) -> &mut Self {
        self.token(token::JUMP_IF_NOT).offset_of(label)
    }

    /// `object.member`: the member's value takes `size` bytes.
    pub fn context(&mut self, object: impl FnOnce(&mut Self), size: u8, member: impl FnOnce(&mut Self)) -> &mut Self {
        self.token(token::CONTEXT);
        object(self);
        let at = self.out.len();
        self.u16(0).u8(size);
        self.measured(at, member)
    }

    /// An expression that may be passed over: the second operand of `&&` and `||`.
    pub fn skip(&mut self, expression: impl FnOnce(&mut Self)) -> &mut Self {
        let at = self.out.len().saturating_add(1);
        self.token(token::SKIP).u16(0);
        self.measured(at, expression)
    }

    /// Writes an expression and puts its size in memory at `at`.
    fn measured(&mut self, at: usize, expression: impl FnOnce(&mut Self)) -> &mut Self {
        let before = self.out.memory_size();
        expression(self);
        let size = self.out.memory_size().saturating_sub(before);
        self.out.patch_u16(at, u16::try_from(size).unwrap_or(u16::MAX));
        self
    }

    /// The names of a state's labels and where they are; the table begins at a multiple of four in memory.
    pub fn label_table(&mut self, labels: &[(&str, Label)]) -> &mut Self {
        while self.out.memory_size() & 3 != 3 {
            self.token(token::NOTHING);
        }
        self.token(token::LABEL_TABLE);
        self.label_table = Some(self.out.memory_size());
        for (name, label) in labels {
            let place = self.labels.get(label.0).copied().unwrap_or(0);
            self.name(name);
            self.out.u32(u32::try_from(place).unwrap_or(u32::MAX));
        }
        self.name("None");
        self.out.u32(0xFFFF);
        self
    }

    /// What a function returns; nothing follows before version 62.
    pub fn return_nothing(&mut self) -> &mut Self {
        self.token(token::RETURN);
        if self.out.version() > 61 {
            self.token(token::NOTHING);
        }
        self
    }
}

/// Assembles code for the package that `out` belongs to; nothing is written to `out`.
pub fn assemble(out: &mut ObjectWriter<'_>, write: impl FnOnce(&mut CodeWriter<'_, '_>)) -> Code {
    let mut label_table = None;
    let (bytes, memory_size) = out.apart(|out| {
        let mut code = CodeWriter { out, labels: Vec::new(), jumps: Vec::new(), label_table: None };
        write(&mut code);
        label_table = code.label_table;
        let CodeWriter { out, labels, jumps, .. } = code;
        for (at, label) in jumps {
            let place = labels.get(label.0).copied().unwrap_or(0);
            out.patch_u16(at, u16::try_from(place).unwrap_or(u16::MAX));
        }
    });
    Code { bytes, memory_size, label_table }
}

#[cfg(test)]
mod tests {
    use super::super::{Export, PackageWriter};
    use super::*;

    fn made(version: u16, write: impl FnOnce(&mut CodeWriter<'_, '_>)) -> Code {
        let mut package = PackageWriter::new(version, 0);
        let id = package.export(&Export::new(Ref::NULL, "X"));
        let mut code = Code::default();
        package.write(id, |out| code = assemble(out, write));
        code
    }

    #[test]
    fn names_and_objects_are_four_bytes_in_memory() {
        let code = made(69, |code| {
            code.local(Ref(1)).call("Go").end();
        });
        assert_eq!(code.bytes, [0x00, 1, 0x1B, 2, 0x16]);
        assert_eq!(code.memory_size, 5 + 5 + 1);
    }

    #[test]
    fn jumps_count_in_memory() {
        let code = made(69, |code| {
            let end = code.label();
            code.jump_if_not(end).local(Ref(1)).jump(end).place(end).return_nothing();
        });
        // 3 + 5 + 3 bytes lie before the end.
        assert_eq!(code.bytes, [0x07, 11, 0, 0x00, 1, 0x06, 11, 0, 0x04, 0x0B]);
        assert_eq!(
            made(61, |code| {
                code.return_nothing();
            })
            .bytes,
            [0x04]
        );
    }

    #[test]
    fn what_can_be_skipped_says_its_size() {
        let code = made(69, |code| {
            code.context(
                |code| {
                    code.local(Ref(1));
                },
                4,
                |code| {
                    code.instance(Ref(2));
                },
            );
        });
        assert_eq!(code.bytes, [0x19, 0x00, 1, 5, 0, 4, 0x01, 2]);
        let code = made(69, |code| {
            code.skip(|code| {
                code.float(1.0);
            });
        });
        assert_eq!(code.bytes, [0x18, 5, 0, 0x1E, 0, 0, 0x80, 0x3F]);
    }

    #[test]
    fn natives_are_one_byte_or_two() {
        assert_eq!(
            made(69, |code| {
                code.native(146);
            })
            .bytes,
            [146]
        );
        assert_eq!(
            made(69, |code| {
                code.native(256);
            })
            .bytes,
            [0x61, 0]
        );
        assert_eq!(
            made(69, |code| {
                code.native(0x105);
            })
            .bytes,
            [0x61, 5]
        );
    }
}
