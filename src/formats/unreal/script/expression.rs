//! Tokens as they would be written in a script. Worked from the last token to the first, so that nothing recurses.

use super::{
    bytecode::{Operand, Piece, Script},
    natives::{Call, native},
    opcode,
    remembered::Remembered,
    structure::function_facts,
    value_text::{LONGEST_NAME, LONGEST_TEXT, clipped, name_text, object_text, operand_text, quoted},
};
use crate::formats::unreal::{class_fields::function, tables::ObjectRef};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The text of a token, and whether it has to stand in brackets as a part of another.
#[derive(Clone, Debug, Default)]
struct Piecewise {
    text: String,
    is_operation: bool,
}

impl Piecewise {
    fn whole(text: String) -> Self {
        Self { text: clipped(text, LONGEST_TEXT), is_operation: false }
    }

    fn operation(text: String) -> Self {
        Self { text: clipped(text, LONGEST_TEXT), is_operation: true }
    }

    fn operand(self) -> String {
        if self.is_operation { format!("({})", self.text) } else { self.text }
    }
}

/// Writes the token at `index` with all that belongs to it. `jump` writes where a jump leads to.
pub fn text_of(script: &Script, index: usize, jump: &dyn Fn(u16) -> String) -> String {
    let Some(token) = script.tokens.get(index) else { return String::new() };
    let last = (token.next as usize).min(script.tokens.len());
    let mut done: Vec<Piecewise> = Vec::new();
    for at in (index..last).rev() {
        let pieces = script.pieces(at);
        let count = pieces.iter().filter(|piece| matches!(piece, Piece::Token(_))).count();
        // The first of its tokens was written last.
        let parts: Vec<Piecewise> = (0..count).map_while(|_| done.pop()).collect();
        let values: Vec<&Operand> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Value { operand, .. } => Some(operand),
                Piece::Token(_) => None,
            })
            .collect();
        done.push(written(script, at, &values, parts, jump));
    }
    done.pop().map(|piece| piece.text).unwrap_or_default()
}

fn written(
    script: &Script,
    index: usize,
    values: &[&Operand],
    parts: Vec<Piecewise>,
    jump: &dyn Fn(u16) -> String,
) -> Piecewise {
    let Some(token) = script.tokens.get(index) else { return Piecewise::default() };
    let package = script.package();
    let value = |at: usize| values.get(at).map(|v| operand_text(package, v)).unwrap_or_default();
    let target = |at: usize| match values.get(at) {
        Some(Operand::Word(word)) => jump(*word),
        _ => String::new(),
    };
    let mut parts = parts.into_iter();
    let mut part = || parts.next().unwrap_or_default();
    match token.opcode {
        opcode::LOCAL_VARIABLE | opcode::INSTANCE_VARIABLE | opcode::NATIVE_PARAMETER => Piecewise::whole(value(0)),
        opcode::DEFAULT_VARIABLE => Piecewise::whole(format!("default.{}", value(0))),
        opcode::RETURN => match part().text {
            text if text.is_empty() => Piecewise::whole(String::new()),
            text => Piecewise::whole(text),
        },
        opcode::SWITCH => Piecewise::whole(part().text),
        opcode::JUMP => Piecewise::whole(target(0)),
        opcode::JUMP_IF_NOT => Piecewise::whole(format!("{}  {}", target(0), part().text)),
        opcode::ASSERT => Piecewise::whole(format!("{}  // line {}", part().text, value(0))),
        opcode::CASE => match values.first() {
            Some(Operand::Word(0xFFFF)) => Piecewise::whole("default".into()),
            _ => Piecewise::whole(format!("{}  next {}", part().text, target(0))),
        },
        opcode::LABEL_TABLE => {
            let labels = values.chunks(2).filter_map(|pair| match pair {
                [Operand::Name(name), Operand::LabelOffset(offset)] if *offset != 0xFFFF => {
                    Some(format!("{} {offset:04X}", name_text(package, *name)))
                }
                _ => None,
            });
            Piecewise::whole(labels.collect::<Vec<_>>().join(", "))
        }
        opcode::LET | opcode::LET_BOOL if script.package().version() > 63 || token.opcode == opcode::LET => {
            let to = part().text;
            Piecewise::operation(format!("{to} = {}", part().text))
        }
        opcode::DYNAMIC_ARRAY_ELEMENT | opcode::ARRAY_ELEMENT => {
            let at = part().text;
            Piecewise::whole(format!("{}[{at}]", part().operand()))
        }
        opcode::NEW => {
            let [outer, name, flags, class] = [part(), part(), part(), part()].map(|p| p.text);
            let mut given = vec![outer, name, flags];
            while given.last().is_some_and(String::is_empty) {
                given.pop();
            }
            Piecewise::whole(if given.is_empty() {
                format!("new {class}")
            } else {
                format!("new({}) {class}", given.join(", "))
            })
        }
        opcode::CONTEXT => {
            let of = part().operand();
            Piecewise::whole(format!("{of}.{}", part().text))
        }
        opcode::CLASS_CONTEXT => {
            let of = part().operand();
            let member = part().text;
            let word = if member.starts_with("default.") { "" } else { "static." };
            Piecewise::whole(format!("{of}.{word}{member}"))
        }
        opcode::META_CAST => Piecewise::whole(format!("class<{}>({})", value(0), part().text)),
        opcode::DYNAMIC_CAST => Piecewise::whole(format!("{}({})", value(0), part().text)),
        opcode::END_PARAMETERS | opcode::NOTHING => Piecewise::default(),
        opcode::SELF => Piecewise::whole("self".into()),
        opcode::VIRTUAL_FUNCTION => call(&value(0), Call::Function, &mut parts),
        opcode::GLOBAL_FUNCTION => call(&format!("global.{}", value(0)), Call::Function, &mut parts),
        opcode::FINAL_FUNCTION => match values.first() {
            Some(Operand::Object(function)) => final_call(script, *function, &mut parts),
            _ => Piecewise::default(),
        },
        opcode::OBJECT => Piecewise::whole(match values.first() {
            Some(Operand::Object(object)) => object_text(package, *object),
            _ => String::new(),
        }),
        opcode::NAME => Piecewise::whole(format!("'{}'", value(0))),
        opcode::STRING | opcode::WIDE_STRING => Piecewise::whole(match values.first() {
            Some(Operand::Text(text)) => quoted(text),
            _ => String::new(),
        }),
        opcode::VECTOR => Piecewise::whole(format!("vect({})", value(0))),
        opcode::ROTATOR => Piecewise::whole(format!("rot({})", value(0))),
        opcode::INT | opcode::FLOAT | opcode::BYTE | opcode::INT_BYTE => Piecewise::whole(value(0)),
        opcode::INT_ZERO => Piecewise::whole("0".into()),
        opcode::INT_ONE => Piecewise::whole("1".into()),
        opcode::TRUE => Piecewise::whole("true".into()),
        opcode::FALSE => Piecewise::whole("false".into()),
        opcode::NO_OBJECT => Piecewise::whole("none".into()),
        opcode::EAT_STRING | opcode::SKIP | opcode::BOOL_VARIABLE | opcode::STRING_SIZE | opcode::GOTO_LABEL => part(),
        opcode::ITERATOR => {
            let over = part().text;
            Piecewise::whole(format!("{over}  until {}", target(0)))
        }
        opcode::STRUCT_EQUAL | opcode::STRUCT_NOT_EQUAL => {
            let sign = if token.opcode == opcode::STRUCT_EQUAL { "==" } else { "!=" };
            let left = part().operand();
            Piecewise::operation(format!("{left} {sign} {}", part().operand()))
        }
        opcode::STRUCT_MEMBER => Piecewise::whole(format!("{}.{}", part().operand(), value(0))),
        opcode::FIRST_CONVERSION..=opcode::LAST_CONVERSION => {
            Piecewise::whole(format!("{}({})", opcode::conversion(token.opcode).1, part().text))
        }
        opcode::EXTENDED_NATIVE..=u8::MAX => {
            let next = match values.first() {
                Some(Operand::Byte(next)) => Some(*next),
                _ => None,
            };
            let number = opcode::native_number(token.opcode, next).unwrap_or_default();
            match native(number) {
                Some((name, how)) => call(name, how, &mut parts),
                None => call(&format!("native_0x{number:03X}"), Call::Function, &mut parts),
            }
        }
        opcode::CONSTRUCT => {
            let mut members = Vec::new();
            for member in values.iter().skip(1) {
                if let Operand::Name(name) = member {
                    members.push(format!("{}={}", name_text(package, *name), part().text));
                }
            }
            Piecewise::whole(format!("{}({})", value(0), members.join(", ")))
        }
        _ => Piecewise::default(),
    }
}

/// A call with its arguments; the token that ends them writes nothing and comes last.
fn call(name: &str, how: Call, parts: &mut dyn Iterator<Item = Piecewise>) -> Piecewise {
    let mut arguments: Vec<Piecewise> = parts.collect();
    arguments.pop();
    let how = match (how, arguments.len()) {
        (Call::Infix, 2) | (Call::Prefix | Call::Postfix, 1) => how,
        _ => Call::Function,
    };
    let mut arguments = arguments.into_iter();
    let mut operand = || arguments.next().unwrap_or_default().operand();
    match how {
        Call::Infix => {
            let left = operand();
            Piecewise::operation(format!("{left} {name} {}", operand()))
        }
        Call::Prefix => Piecewise::operation(format!("{name}{}", operand())),
        Call::Postfix => Piecewise::operation(format!("{}{name}", operand())),
        Call::Function => {
            let mut given: Vec<String> = arguments.map(|argument| argument.text).collect();
            // Optional arguments at the end that are left out.
            while given.last().is_some_and(String::is_empty) {
                given.pop();
            }
            Piecewise::whole(format!("{name}({})", given.join(", ")))
        }
    }
}

fn final_call(script: &Script, object: ObjectRef, parts: &mut dyn Iterator<Item = Piecewise>) -> Piecewise {
    let package = script.package();
    if let Some(facts) = function_facts(package, object)
        && facts.flags & (function::OPERATOR | function::PRE_OPERATOR) != 0
    {
        let how = if facts.flags & function::PRE_OPERATOR != 0 {
            Call::Prefix
        } else if facts.precedence == 0 {
            Call::Postfix
        } else {
            Call::Infix
        };
        return call(&facts.friendly_name, how, parts);
    }
    let name = clipped(package.object_name(object).unwrap_or("?").to_owned(), LONGEST_NAME);
    let name = if is_of_super(script, object) { format!("Super.{name}") } else { name };
    call(&name, Call::Function, parts)
}

/// Whether a function is not the script's class's own, though that has one of the same name.
fn is_of_super(script: &Script, function: ObjectRef) -> bool {
    let package = script.package();
    let class_of = |object: ObjectRef| {
        package.outers(object).find(|outer| package.class_name(*outer).eq_ignore_ascii_case("Class"))
    };
    let own = class_of(ObjectRef::export(script.owner));
    let Some(name) = package.object_name(function).filter(|_| own.is_some() && class_of(function) != own) else {
        return false;
    };
    let remembered = package.memory.of::<Remembered>();
    let names = remembered.function_names.get_or_init(|| {
        let functions = (0..package.exports().len()).map(ObjectRef::export);
        let functions = functions.filter(|object| package.class_name(*object).eq_ignore_ascii_case("Function"));
        functions.filter_map(|object| Some((class_of(object)?, hash(package.object_name(object)?)))).collect()
    });
    own.is_some_and(|own| names.contains(&(own, hash(name))))
}

/// Of a name without regard to case.
fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.to_ascii_lowercase().hash(&mut hasher);
    hasher.finish()
}
