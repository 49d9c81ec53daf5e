//! The tokens of bytecode: their names and what follows each (formats/unreal.md §11).

/// What follows a token's byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Byte(&'static str),
    Word(&'static str),
    Int(&'static str),
    Float,
    Name(&'static str),
    Object(&'static str),
    /// Bytes up to a NUL.
    Text,
    /// UTF-16 up to a NUL.
    WideText,
    Vector,
    Rotator,
    /// One more token with all that belongs to it.
    Expression,
    /// Tokens up to the one that ends them.
    Parameters,
    /// The word of a case; a value follows unless it is 0xFFFF.
    CaseValue,
    /// Names and offsets, up to the name “None”.
    Labels,
    /// Pairs of a size and an out flag, up to a size of 0.
    ParameterSizes,
    /// A count and as many pairs of name and value.
    NamedValues,
}

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opcode {
    pub name: &'static str,
    pub parts: &'static [Part],
}

pub const LOCAL_VARIABLE: u8 = 0x00;
pub const INSTANCE_VARIABLE: u8 = 0x01;
pub const DEFAULT_VARIABLE: u8 = 0x02;
pub const RETURN: u8 = 0x04;
pub const SWITCH: u8 = 0x05;
pub const JUMP: u8 = 0x06;
pub const JUMP_IF_NOT: u8 = 0x07;
pub const STOP: u8 = 0x08;
pub const ASSERT: u8 = 0x09;
pub const CASE: u8 = 0x0A;
pub const NOTHING: u8 = 0x0B;
pub const LABEL_TABLE: u8 = 0x0C;
pub const GOTO_LABEL: u8 = 0x0D;
pub const EAT_STRING: u8 = 0x0E;
pub const LET: u8 = 0x0F;
pub const DYNAMIC_ARRAY_ELEMENT: u8 = 0x10;
pub const NEW: u8 = 0x11;
pub const CLASS_CONTEXT: u8 = 0x12;
pub const META_CAST: u8 = 0x13;
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
pub const ROTATOR: u8 = 0x22;
pub const VECTOR: u8 = 0x23;
pub const BYTE: u8 = 0x24;
pub const INT_ZERO: u8 = 0x25;
pub const INT_ONE: u8 = 0x26;
pub const TRUE: u8 = 0x27;
pub const FALSE: u8 = 0x28;
pub const NATIVE_PARAMETER: u8 = 0x29;
pub const NO_OBJECT: u8 = 0x2A;
pub const STRING_SIZE: u8 = 0x2B;
pub const INT_BYTE: u8 = 0x2C;
pub const BOOL_VARIABLE: u8 = 0x2D;
pub const DYNAMIC_CAST: u8 = 0x2E;
pub const ITERATOR: u8 = 0x2F;
pub const ITERATOR_POP: u8 = 0x30;
pub const ITERATOR_NEXT: u8 = 0x31;
pub const STRUCT_EQUAL: u8 = 0x32;
pub const STRUCT_NOT_EQUAL: u8 = 0x33;
pub const WIDE_STRING: u8 = 0x34;
pub const STRUCT_MEMBER: u8 = 0x36;
pub const CONSTRUCT: u8 = 0x37;
pub const GLOBAL_FUNCTION: u8 = 0x38;
/// From here on a token is a conversion, up to [`LAST_CONVERSION`].
pub const FIRST_CONVERSION: u8 = 0x39;
pub const LAST_CONVERSION: u8 = 0x5A;
/// From here on a token is a native function of more than 255, with a byte behind it.
pub const EXTENDED_NATIVE: u8 = 0x60;
/// From here on a token is a native function.
pub const FIRST_NATIVE: u8 = 0x70;

/// What a token is in a package of this version; `None` for one that is not known.
pub fn opcode(token: u8, version: u16, licensee: u16) -> Option<Opcode> {
    use Part::{
        Byte, CaseValue, Expression, Float, Int, Labels, Name, NamedValues, Object, ParameterSizes, Parameters,
        Rotator, Text, Vector, WideText, Word,
    };
    let (name, parts): (&'static str, &'static [Part]) = match token {
        LOCAL_VARIABLE => ("LocalVariable", &[Object("Property")]),
        INSTANCE_VARIABLE => ("InstanceVariable", &[Object("Property")]),
        DEFAULT_VARIABLE => ("DefaultVariable", &[Object("Property")]),
        RETURN if version <= 61 => ("Return", &[]),
        RETURN => ("Return", &[Expression]),
        SWITCH => ("Switch", &[Byte("Size"), Expression]),
        JUMP => ("Jump", &[Word("Target")]),
        JUMP_IF_NOT => ("JumpIfNot", &[Word("Target"), Expression]),
        STOP => ("Stop", &[]),
        ASSERT => ("Assert", &[Word("Line"), Expression]),
        CASE => ("Case", &[CaseValue]),
        NOTHING => ("Nothing", &[]),
        LABEL_TABLE => ("LabelTable", &[Labels]),
        GOTO_LABEL => ("GotoLabel", &[Expression]),
        EAT_STRING => ("EatString", &[Expression]),
        LET => ("Let", &[Expression, Expression]),
        DYNAMIC_ARRAY_ELEMENT => ("DynArrayElement", &[Expression, Expression]),
        NEW => ("New", &[Expression, Expression, Expression, Expression]),
        CLASS_CONTEXT => ("ClassContext", &[Expression, Word("SkipSize"), Byte("Size"), Expression]),
        META_CAST => ("MetaCast", &[Object("Class"), Expression]),
        LET_BOOL if version <= 63 => ("ParameterSizes", &[ParameterSizes]),
        LET_BOOL => ("LetBool", &[Expression, Expression]),
        0x15 => ("EndOfParameter", &[]),
        END_PARAMETERS => ("EndFunctionParms", &[]),
        SELF => ("Self", &[]),
        SKIP => ("Skip", &[Word("SkipSize"), Expression]),
        CONTEXT => ("Context", &[Expression, Word("SkipSize"), Byte("Size"), Expression]),
        ARRAY_ELEMENT => ("ArrayElement", &[Expression, Expression]),
        VIRTUAL_FUNCTION => ("VirtualFunction", &[Name("Function"), Parameters]),
        FINAL_FUNCTION => ("FinalFunction", &[Object("Function"), Parameters]),
        INT => ("IntConst", &[Int("Value")]),
        FLOAT => ("FloatConst", &[Float]),
        STRING => ("StringConst", &[Text]),
        OBJECT => ("ObjectConst", &[Object("Value")]),
        NAME => ("NameConst", &[Name("Value")]),
        ROTATOR => ("RotationConst", &[Rotator]),
        VECTOR => ("VectorConst", &[Vector]),
        BYTE => ("ByteConst", &[Byte("Value")]),
        INT_ZERO => ("IntZero", &[]),
        INT_ONE => ("IntOne", &[]),
        TRUE => ("True", &[]),
        FALSE => ("False", &[]),
        NATIVE_PARAMETER => ("NativeParm", &[Object("Property")]),
        NO_OBJECT => ("NoObject", &[]),
        STRING_SIZE => ("ResizeString", &[Byte("Size"), Expression]),
        INT_BYTE => ("IntConstByte", &[Byte("Value")]),
        BOOL_VARIABLE => ("BoolVariable", &[Expression]),
        DYNAMIC_CAST => ("DynamicCast", &[Object("Class"), Expression]),
        ITERATOR => ("Iterator", &[Expression, Word("End")]),
        ITERATOR_POP => ("IteratorPop", &[]),
        ITERATOR_NEXT => ("IteratorNext", &[]),
        STRUCT_EQUAL => ("StructCmpEq", &[Object("Struct"), Expression, Expression]),
        STRUCT_NOT_EQUAL => ("StructCmpNe", &[Object("Struct"), Expression, Expression]),
        WIDE_STRING => ("UnicodeStringConst", &[WideText]),
        STRUCT_MEMBER => ("StructMember", &[Object("Property"), Expression]),
        CONSTRUCT if licensee == 227 => ("Construct", &[Name("Struct"), NamedValues]),
        GLOBAL_FUNCTION => ("GlobalFunction", &[Name("Function"), Parameters]),
        FIRST_CONVERSION..=LAST_CONVERSION => (conversion(token).0, &[Expression]),
        EXTENDED_NATIVE..FIRST_NATIVE => ("NativeFunction", &[Byte("Number"), Parameters]),
        FIRST_NATIVE..=u8::MAX => ("NativeFunction", &[Parameters]),
        _ => return None,
    };
    Some(Opcode { name, parts })
}

/// A conversion's name, and the type that it makes as scripts write it.
pub fn conversion(token: u8) -> (&'static str, &'static str) {
    match token {
        0x39 => ("RotatorToVector", "vector"),
        0x3A => ("ByteToInt", "int"),
        0x3B => ("ByteToBool", "bool"),
        0x3C => ("ByteToFloat", "float"),
        0x3D => ("IntToByte", "byte"),
        0x3E => ("IntToBool", "bool"),
        0x3F => ("IntToFloat", "float"),
        0x40 => ("BoolToByte", "byte"),
        0x41 => ("BoolToInt", "int"),
        0x42 => ("BoolToFloat", "float"),
        0x43 => ("FloatToByte", "byte"),
        0x44 => ("FloatToInt", "int"),
        0x45 => ("FloatToBool", "bool"),
        0x46 => ("StringToName", "name"),
        0x47 => ("ObjectToBool", "bool"),
        0x48 => ("NameToBool", "bool"),
        0x49 => ("StringToByte", "byte"),
        0x4A => ("StringToInt", "int"),
        0x4B => ("StringToBool", "bool"),
        0x4C => ("StringToFloat", "float"),
        0x4D => ("StringToVector", "vector"),
        0x4E => ("StringToRotator", "rotator"),
        0x4F => ("VectorToBool", "bool"),
        0x50 => ("VectorToRotator", "rotator"),
        0x51 => ("RotatorToBool", "bool"),
        0x52 => ("ByteToString", "string"),
        0x53 => ("IntToString", "string"),
        0x54 => ("BoolToString", "string"),
        0x55 => ("FloatToString", "string"),
        0x56 => ("ObjectToString", "string"),
        0x57 => ("NameToString", "string"),
        0x58 => ("VectorToString", "string"),
        0x59 => ("RotatorToString", "string"),
        _ => ("Conversion", "convert"),
    }
}

/// The number of a native function's token with the byte behind it.
pub fn native_number(token: u8, next: Option<u8>) -> Option<u16> {
    match (token, next) {
        (EXTENDED_NATIVE..FIRST_NATIVE, Some(next)) => {
            let high = u16::from(token.saturating_sub(EXTENDED_NATIVE));
            Some(high << 8 | u16::from(next))
        }
        (FIRST_NATIVE..=u8::MAX, _) => Some(u16::from(token)),
        _ => None,
    }
}
