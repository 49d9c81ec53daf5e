//! A small assembler of bytecode (formats/unreal.md §11).

use super::object::ObjectWriter;
use super::package::Ref;

/// The tokens that the assembler has no method of its own for; conversions and natives are plain numbers.
pub mod token {
    /// LocalVariable: a reference to the property follows.
    pub const LOCAL_VARIABLE: u8 = 0x00;
    /// InstanceVariable: a reference to the property follows.
    pub const INSTANCE_VARIABLE: u8 = 0x01;
    /// DefaultVariable: a reference to the property follows.
    pub const DEFAULT_VARIABLE: u8 = 0x02;
    /// Return: an expression follows from version 62 on, nothing before.
    pub const RETURN: u8 = 0x04;
    /// Switch: a byte and an expression follow.
    pub const SWITCH: u8 = 0x05;
    /// Jump: the offset of the target in memory follows, two bytes.
    pub const JUMP: u8 = 0x06;
    /// JumpIfNot: the offset of the target in memory and the condition follow.
    pub const JUMP_IF_NOT: u8 = 0x07;
    /// Stop: no operands.
    pub const STOP: u8 = 0x08;
    /// Case: the offset of the next case, two bytes, and an expression follow; the default has 0xFFFF and no expression.
    pub const CASE: u8 = 0x0A;
    /// Nothing: no operands.
    pub const NOTHING: u8 = 0x0B;
    /// LabelTable: pairs of a name and an offset of four bytes follow, up to the name `None`.
    pub const LABEL_TABLE: u8 = 0x0C;
    /// Goto: an expression follows, the label.
    pub const GOTO_LABEL: u8 = 0x0D;
    /// Let: two expressions follow, the variable and its value.
    pub const LET: u8 = 0x0F;
    /// DynArrayElement: two expressions follow, the index and the array.
    pub const DYNAMIC_ARRAY_ELEMENT: u8 = 0x10;
    /// LetBool: two expressions follow, the variable and its value. Up to version 63 the token lists parameter sizes.
    pub const LET_BOOL: u8 = 0x14;
    /// EndParms: ends the parameters of a call.
    pub const END_PARAMETERS: u8 = 0x16;
    /// Self: no operands.
    pub const SELF: u8 = 0x17;
    /// Skip: the size of the following expression in memory, two bytes, and the expression follow.
    pub const SKIP: u8 = 0x18;
    /// Context: an object, the size of the member expression in memory, the size of its value and the member expression follow.
    pub const CONTEXT: u8 = 0x19;
    /// ArrayElement: two expressions follow, the index and the array.
    pub const ARRAY_ELEMENT: u8 = 0x1A;
    /// VirtualFunction: the function's name, its parameters and [`END_PARAMETERS`] follow.
    pub const VIRTUAL_FUNCTION: u8 = 0x1B;
    /// FinalFunction: a reference to the function, its parameters and [`END_PARAMETERS`] follow.
    pub const FINAL_FUNCTION: u8 = 0x1C;
    /// Integer constant: four bytes follow.
    pub const INT: u8 = 0x1D;
    /// Float constant: four bytes follow.
    pub const FLOAT: u8 = 0x1E;
    /// String constant: windows-1252 text up to a NUL follows.
    pub const STRING: u8 = 0x1F;
    /// Object constant: an object reference follows.
    pub const OBJECT: u8 = 0x20;
    /// Name constant: a name follows.
    pub const NAME: u8 = 0x21;
    /// Rotator constant: three integers follow, pitch, yaw and roll.
    pub const ROTATION: u8 = 0x22;
    /// Vector constant: three floats follow, X, Y and Z.
    pub const VECTOR: u8 = 0x23;
    /// Byte constant: one byte follows.
    pub const BYTE: u8 = 0x24;
    /// Integer constant 0: no operands.
    pub const ZERO: u8 = 0x25;
    /// Integer constant 1: no operands.
    pub const ONE: u8 = 0x26;
    /// Boolean constant true: no operands.
    pub const TRUE: u8 = 0x27;
    /// Boolean constant false: no operands.
    pub const FALSE: u8 = 0x28;
    /// NoObject, the null reference: no operands.
    pub const NO_OBJECT: u8 = 0x2A;
    /// Integer constant of one byte, which follows.
    pub const SMALL_INT: u8 = 0x2C;
    /// BoolVariable: an expression follows, the variable.
    pub const BOOL_VARIABLE: u8 = 0x2D;
    /// Iterator: an expression and the offset of the loop's end, two bytes, follow.
    pub const ITERATOR: u8 = 0x2F;
    /// IteratorPop: no operands.
    pub const ITERATOR_POP: u8 = 0x30;
    /// IteratorNext: no operands.
    pub const ITERATOR_NEXT: u8 = 0x31;
    /// StructMember: a reference to the member and an expression, the struct, follow.
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
    /// Writes the byte of a [`token`]; its operands are to follow.
    pub fn token(&mut self, token: u8) -> &mut Self {
        self.out.u8(token);
        self
    }

    /// Writes one byte.
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.out.u8(value);
        self
    }

    /// Writes two bytes, the low one first.
    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.out.u16(value);
        self
    }

    /// Writes four bytes, the lowest first.
    pub fn i32(&mut self, value: i32) -> &mut Self {
        self.out.i32(value);
        self
    }

    /// Writes a name without a token: an index in the file, four bytes in memory.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.out.name(name);
        self
    }

    /// Writes an object reference without a token: an index in the file, four bytes in memory.
    pub fn object(&mut self, object: Ref) -> &mut Self {
        self.out.object(object);
        self
    }

    /// Writes a local variable.
    pub fn local(&mut self, property: Ref) -> &mut Self {
        self.token(token::LOCAL_VARIABLE).object(property)
    }

    /// Writes a variable of the object that runs the code.
    pub fn instance(&mut self, property: Ref) -> &mut Self {
        self.token(token::INSTANCE_VARIABLE).object(property)
    }

    /// Writes an integer constant of four bytes.
    pub fn int(&mut self, value: i32) -> &mut Self {
        self.token(token::INT).i32(value)
    }

    /// Writes a byte constant.
    pub fn byte(&mut self, value: u8) -> &mut Self {
        self.token(token::BYTE).u8(value)
    }

    /// Writes a float constant.
    pub fn float(&mut self, value: f32) -> &mut Self {
        self.token(token::FLOAT);
        self.out.f32(value);
        self
    }

    /// Writes a vector constant: X, Y, Z.
    pub fn vector(&mut self, value: [f32; 3]) -> &mut Self {
        self.token(token::VECTOR);
        self.out.f32s(&value);
        self
    }

    /// Writes a rotator constant: pitch, yaw, roll, 65536 a turn.
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

    /// Writes a name constant.
    pub fn name_constant(&mut self, name: &str) -> &mut Self {
        self.token(token::NAME).name(name)
    }

    /// Writes an object constant.
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

    /// Writes a jump to a label.
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
