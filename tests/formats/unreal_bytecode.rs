//! Bytecode written by hand: what each kind of token reads as, and what damage does to it.

use crate::kit::{
    open::{Opened, open},
    unreal::damaged,
};
use bonebox::{
    formats::{
        Asset, ReadError,
        coverage::coverage,
        unreal::encode::{
            ClassData, Code, CodeWriter, Export, FieldLinks, FunctionData, PackageWriter, Properties, PropertyData,
            PropertyKind, Ref, StateData, StructData, Value, assemble, function_flags, property_flags, token,
            write_class, write_enum, write_function, write_property, write_state, write_struct, write_text_buffer,
        },
    },
    scene::Text,
};
use std::sync::Arc;

fn opened(bytes: Vec<u8>) -> Opened {
    open("Made.u", bytes)
}

fn try_text(file: &Opened, path: &str) -> Result<Arc<Text>, ReadError> {
    match file.load(file.entry(path)).0? {
        Asset::Text(text) => Ok(text),
        other => panic!("{other:?}"),
    }
}

fn part(file: &Opened, path: &str, title: &str) -> String {
    let text = try_text(file, path).unwrap();
    text.parts.iter().find(|p| p.title == title).unwrap_or_else(|| panic!("{path} has no {title}")).text.clone()
}

/// What the code of a function is made from.
struct Names {
    class: Ref,
    function: Ref,
    /// Local variables.
    count: Ref,
    other: Ref,
}

/// A package with one class and one function in it that has two local variables and this code.
fn package(version: u16, licensee: u16, write: impl FnOnce(&mut CodeWriter<'_, '_>, &Names)) -> Vec<u8> {
    let mut package = PackageWriter::new(version, licensee);
    let object = package.class("Core", "Object");
    let function_class = package.class("Core", "Function");
    let int_property = package.class("Core", "IntProperty");
    let object_property = package.class("Core", "ObjectProperty");
    let class = package.export(&Export::new(Ref::NULL, "Made").extends(object));
    let function = package.export(&Export::new(function_class, "Work").inside(class));
    let count = package.export(&Export::new(int_property, "Count").inside(function));
    let other = package.export(&Export::new(object_property, "Other").inside(function));
    let variable = |kind, next| PropertyData {
        links: FieldLinks { next, ..FieldLinks::default() },
        array_dim: 1,
        flags: 0,
        category: "None".into(),
        replication_offset: 0,
        kind,
    };
    package.write(count, |out| write_property(out, &variable(PropertyKind::Int, other)));
    package.write(other, |out| write_property(out, &variable(PropertyKind::Object(object), Ref::NULL)));
    package.write(function, |out| {
        let code = assemble(out, |code| write(code, &Names { class, function, count, other }));
        let base = StructData { children: count, friendly_name: "Work".into(), code, ..StructData::default() };
        write_function(out, &base, &FunctionData { flags: function_flags::DEFINED, ..FunctionData::default() });
    });
    package.write(class, |out| {
        let base = StructData { children: function, friendly_name: "Made".into(), ..StructData::default() };
        let class = ClassData { within: object, config_name: "System".into(), ..ClassData::default() };
        write_class(out, &base, &StateData::default(), &class);
    });
    package.finish()
}

/// The disassembly of a function's code, without offsets and operations.
fn lines(version: u16, write: impl FnOnce(&mut CodeWriter<'_, '_>, &Names)) -> Vec<String> {
    let file = opened(package(version, 0, write));
    file.assert_read();
    let code = part(&file, "Made.Work", "Disassembly");
    let (head, code) = code.split_once('\n').unwrap();
    assert_eq!(head, "function Work()");
    code.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn constants_are_written_as_in_a_script() {
    let found = lines(69, |code, names| {
        let mut set = |write: &dyn Fn(&mut CodeWriter<'_, '_>)| {
            code.token(token::LET).local(names.count);
            write(code);
        };
        set(&|c| {
            c.int(-7);
        });
        set(&|c| {
            c.float(0.5);
        });
        set(&|c| {
            c.float(2.0);
        });
        set(&|c| {
            c.string("a \"b\" \\ ä");
        });
        set(&|c| {
            c.name_constant("Tag");
        });
        set(&|c| {
            c.object_constant(names.class);
        });
        set(&|c| {
            c.object_constant(Ref::NULL);
        });
        set(&|c| {
            c.vector([1.0, -2.5, 0.0]);
        });
        set(&|c| {
            c.rotator([0, 16384, -1]);
        });
        set(&|c| {
            c.byte(200);
        });
        set(&|c| {
            c.token(token::SMALL_INT).u8(9);
        });
        set(&|c| {
            c.token(token::ZERO);
        });
        set(&|c| {
            c.token(token::ONE);
        });
        set(&|c| {
            c.token(token::TRUE);
        });
        set(&|c| {
            c.token(token::FALSE);
        });
        set(&|c| {
            c.token(token::NO_OBJECT);
        });
        set(&|c| {
            c.token(token::SELF);
        });
        // UTF-16 up to its NUL.
        set(&|c| {
            c.token(0x34).u16(0x624B).u16(0);
        });
    });
    let values: Vec<&str> = found.iter().map(|line| line.split_once("= ").unwrap().1).collect();
    assert_eq!(
        values,
        [
            "-7",
            "0.5",
            "2.0",
            r#""a \"b\" \\ ä""#,
            "'Tag'",
            "class'Made'",
            "none",
            "vect(1.0,-2.5,0.0)",
            "rot(0,16384,-1)",
            "200",
            "9",
            "0",
            "1",
            "true",
            "false",
            "none",
            "self",
            "\"手\""
        ]
    );
    // A Let, its variable and an IntConst take 1 + 5 + 5 bytes of memory.
    assert!(found[1].starts_with("000B Let Count"), "{}", found[1]);
}

#[test]
fn operators_stand_between_their_operands_and_brackets_keep_their_order() {
    let found = lines(69, |code, names| {
        // Count = (Count + 1) * 2 through the natives 146 and 144.
        code.token(token::LET).local(names.count);
        code.native(144).native(146).local(names.count).token(token::ONE).end().token(token::SMALL_INT).u8(2).end();
        // !Other && Rand(3) > 1, whose second half may be skipped.
        code.token(token::LET).local(names.count).native(130).native(129).local(names.other).end();
        code.skip(|c| {
            c.native(151).native(167).int(3).end().token(token::ONE).end();
        });
        code.end();
        code.native(165).local(names.count).end();
        code.native(163).local(names.count).end();
        // Numbers from 256 on take two bytes.
        code.native(278).object_constant(names.class).token(token::NOTHING).token(token::NOTHING).end();
        code.native(278).token(token::NOTHING).token(token::SELF).end();
        code.native(900).local(names.count).end();
    });
    assert_eq!(
        found,
        [
            "0000 Let Count = (Count + 1) * 2",
            "0012 Let Count = (!Other) && (Rand(3) > 1)",
            "002E NativeFunction Count++",
            "0035 NativeFunction ++Count",
            "003C NativeFunction Spawn(class'Made')",
            "0046 NativeFunction Spawn(, self)",
            "004B NativeFunction native_0x384(Count)",
        ]
    );
}

#[test]
fn jumps_lead_to_labels() {
    let found = lines(69, |code, names| {
        let (again, end) = (code.label(), code.label());
        code.place(again).jump_if_not(end).native(150).local(names.count).int(10).end();
        code.native(165).local(names.count).end();
        code.jump(again).place(end).return_nothing();
    });
    assert_eq!(
        found,
        [
            "L_0000:",
            "0000 JumpIfNot L_0019 Count < 10",
            "000F NativeFunction Count++",
            "0016 Jump L_0000",
            "L_0019:",
            "0019 Return"
        ]
    );
}

#[test]
fn a_switch_says_where_its_next_case_is() {
    let found = lines(69, |code, names| {
        let (second, last, end) = (code.label(), code.label(), code.label());
        code.token(token::SWITCH).u8(4).local(names.count);
        code.token(token::CASE).offset_of(second).token(token::ONE).jump(end);
        code.place(second).token(token::CASE).offset_of(last).byte(2).token(token::STOP);
        code.place(last).token(token::CASE).u16(0xFFFF).place(end).token(token::RETURN).local(names.count);
    });
    assert_eq!(
        found,
        [
            "0000 Switch Count",
            "0007 Case 1 next L_000E",
            "000B Jump L_0017",
            "L_000E:",
            "000E Case 2 next L_0014",
            "0013 Stop",
            "L_0014:",
            "0014 Case default",
            "L_0017:",
            "0017 Return Count",
        ]
    );
}

#[test]
fn calls_contexts_casts_and_elements_read_as_written() {
    let found = lines(69, |code, names| {
        code.context(
            |c| {
                c.local(names.other);
            },
            4,
            |c| {
                c.call("Tick").float(0.25).end();
            },
        );
        code.call_final(names.function).end();
        code.token(0x38).name("Timer").end();
        // Elements: the index comes first.
        code.token(token::LET).token(token::ARRAY_ELEMENT).token(token::ONE).local(names.count).int(4);
        code.token(token::LET).token(token::DYNAMIC_ARRAY_ELEMENT).int(3).local(names.other).token(token::ZERO);
        code.token(token::LET_BOOL).token(token::BOOL_VARIABLE).local(names.count).token(token::TRUE);
        // Class contexts: a default value and a static call.
        for is_default in [true, false] {
            code.token(0x0E).token(0x12).object_constant(names.class).u16(0).u8(0);
            if is_default {
                code.token(token::DEFAULT_VARIABLE).object(names.count);
            } else {
                code.call("Make").end();
            }
        }
        code.token(0x0E).token(0x2E).object(names.class).local(names.other);
        code.token(0x0E).token(0x13).object(names.class).local(names.other);
        // Conversions: a float to an int, an int to a string.
        code.token(0x0E).token(0x44).float(1.5);
        code.token(0x0E).token(0x53).local(names.count);
        code.token(0x0E).token(token::STRUCT_MEMBER).object(names.count).local(names.other);
        code.token(0x0E).token(0x32).object(names.class).local(names.other).local(names.count);
        code.token(0x0E).token(0x11).token(token::SELF).token(token::NOTHING).token(token::NOTHING);
        code.object_constant(names.class);
        code.token(token::GOTO_LABEL).name_constant("Begin");
        code.token(0x09).u16(12).token(token::TRUE);
        code.token(0x0E).token(0x2B).u8(32).string("x");
        code.token(0x0E).token(0x29).object(names.count);
        code.instance(names.count);
    });
    let written: Vec<&str> = found.iter().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(
        written,
        [
            "Context Other.Tick(0.25)",
            "FinalFunction Work()",
            "GlobalFunction global.Timer()",
            "Let Count[1] = 4",
            "Let Other[3] = 0",
            "LetBool Count = true",
            "EatString class'Made'.default.Count",
            "EatString class'Made'.static.Make()",
            "EatString Made(Other)",
            "EatString class<Made>(Other)",
            "EatString int(1.5)",
            "EatString string(Count)",
            "EatString Other.Count",
            "EatString Other == Count",
            "EatString new(self) class'Made'",
            "GotoLabel 'Begin'",
            "Assert true // line 12",
            "EatString \"x\"",
            "EatString Count",
            "InstanceVariable Count",
        ]
    );
}

#[test]
fn iterators_say_where_they_end() {
    let found = lines(69, |code, names| {
        let end = code.label();
        code.token(token::ITERATOR).native(304).object_constant(names.class).local(names.other).end().offset_of(end);
        code.token(token::ITERATOR_NEXT).place(end).token(token::ITERATOR_POP);
    });
    assert_eq!(
        found,
        [
            "0000 Iterator AllActors(class'Made', Other) until L_0011",
            "0010 IteratorNext",
            "L_0011:",
            "0011 IteratorPop"
        ]
    );
}

#[test]
fn old_versions_return_nothing_and_list_sizes_where_later_ones_assign() {
    let found = lines(61, |code, _| {
        code.token(token::RETURN).token(token::STOP);
    });
    assert_eq!(found, ["0000 Return", "0001 Stop"]);
    let found = lines(63, |code, names| {
        code.token(token::LET_BOOL).u8(4).u8(0).u8(12).u8(1).u8(0).token(token::RETURN).local(names.count);
    });
    assert_eq!(found, ["0000 ParameterSizes", "0006 Return Count"]);
}

#[test]
fn a_licensees_token_is_known_to_its_own_packages_alone() {
    let construct = |code: &mut CodeWriter<'_, '_>, names: &Names| {
        code.token(0x0E).token(0x37).name("Vector").u8(1).name("X").local(names.count);
    };
    let file = opened(package(69, 227, construct));
    let code = part(&file, "Made.Work", "Disassembly");
    assert!(code.contains("EatString        Vector(X=Count)"), "{code}");
    let file = opened(package(69, 0, construct));
    let code = part(&file, "Made.Work", "Disassembly");
    assert!(code.contains("unknown bytecode token 0x37"), "{code}");
}

#[test]
fn an_unknown_token_stops_the_walk_and_keeps_what_came_before() {
    let bytes = package(69, 0, |code, names| {
        code.token(token::LET).local(names.count).token(token::ONE).token(token::LET).token(0x5B);
    });
    let file = opened(bytes).checked();
    let code = part(&file, "Made.Work", "Disassembly");
    assert!(code.starts_with("function Work\n  0000  Let              Count = 1\n  // at offset "), "{code}");
    assert!(code.contains("unknown bytecode token 0x5B"), "{code}");
    // Nothing else is hurt.
    assert_eq!(file.codes(), ["unreal.bad-object"]);
    assert_eq!(file.diagnostics[0].entry, Some(file.entry("Made.Work")));
    assert!(part(&file, "Made", "Disassembly").contains("unknown bytecode token"));
}

#[test]
fn nesting_without_end_is_refused_on_a_small_stack() {
    let deep = |depth: usize| {
        package(69, 0, |code, names| {
            for _ in 0..depth {
                code.token(0x0E);
            }
            code.local(names.count);
        })
    };
    let worker = std::thread::Builder::new().stack_size(512 << 10).spawn(move || {
        let file = opened(deep(250));
        assert_eq!(part(&file, "Made.Work", "Disassembly"), "function Work()\n  0000  EatString        Count\n");
        for depth in [256, 100_000] {
            let file = opened(deep(depth));
            let code = part(&file, "Made.Work", "Disassembly");
            assert!(code.contains("nested more than 256 levels deep"), "{code}");
            let file = file.checked();
            assert_eq!(file.codes(), ["unreal.bad-object"], "{depth}");
            assert_eq!(coverage(&*file.document).doubled, [], "{depth}");
        }
    });
    worker.unwrap().join().unwrap();
}

#[test]
fn damaged_code_neither_panics_nor_hangs() {
    let whole = package(69, 227, |code, names| {
        let end = code.label();
        code.token(token::LET).local(names.count).native(146).local(names.count).int(70_000).end();
        code.jump_if_not(end).string("text").place(end).token(0x34).u16(65).u16(0);
        code.token(0x0E).token(0x37).name("Vector").u8(2).name("X").token(token::ONE).name("Y").token(token::ONE);
        code.token(token::CASE).u16(3).token(token::ONE).label_table(&[("Begin", end)]);
        code.vector([1.0; 3]).return_nothing();
    });
    let function = {
        let file = opened(whole.clone());
        let found = file.document.outline().find("Made.Work").unwrap();
        found.offset as usize..(found.offset + found.size) as usize
    };
    for at in function.clone() {
        for value in [0, 1, 0x0F, 0x16, 0x37, 0x40, 0x80, 0xFF, whole[at] ^ 0x10, whole[at].wrapping_add(1)] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let left = damaged("Made.u", &bytes).unwrap();
            let what = format!("{value:#x} at {at}: {:?}", left.file.diagnostics);
            // Whatever is wrong is wrong with the function, at a place inside of it.
            assert_eq!(left.paths(), ["", "Made", "Made.Work", "Made.Work.Count", "Made.Work.Other"], "{what}");
            let work = left.file.entry("Made.Work");
            for found in &left.file.diagnostics {
                assert_eq!(found.entry, Some(work), "{what}");
                assert!(
                    found.offset.is_some_and(|offset| (function.start..=function.end).contains(&(offset as usize))),
                    "{what}"
                );
            }
            let says = |code: &str| left.codes().contains(code);
            if let Some(Asset::Text(text)) = left.asset("Made.Work") {
                let code = &text.parts.last().unwrap().text;
                assert_eq!(code.contains("  // at offset "), says("unreal.bad-object"), "{what}: {code}");
                assert_eq!(left.shown.len(), 4, "{what}");
            } else {
                assert_eq!((left.shown.len(), left.refused.len()), (3, 1), "{what}");
                assert!(
                    left.refused[0].entry == "Made.Work" && says("unreal.bad-object"),
                    "{what}: {:?}",
                    left.refused
                );
            }
        }
    }
}

/// A class without its source: everything that it declares is written from its structures.
fn declared() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let object = package.class("Core", "Object");
    let [function_class, state_class, struct_class, enum_class, byte, int, float, text, array, structs] = [
        "Function",
        "State",
        "Struct",
        "Enum",
        "ByteProperty",
        "IntProperty",
        "FloatProperty",
        "StrProperty",
        "ArrayProperty",
        "StructProperty",
    ]
    .map(|name| package.class("Core", name));
    let base = package.export(&Export::new(Ref::NULL, "Base").extends(object));
    let base_health = package.export(&Export::new(int, "Health").inside(base));
    let class = package.export(&Export::new(Ref::NULL, "Guard").extends(base));
    let mood = package.export(&Export::new(enum_class, "EMood").inside(class));
    let pair = package.export(&Export::new(struct_class, "Pair").inside(class));
    let pair_a = package.export(&Export::new(int, "A").inside(pair));
    let pair_b = package.export(&Export::new(byte, "B").inside(pair));
    let mood_now = package.export(&Export::new(byte, "Mood").inside(class));
    let pairs = package.export(&Export::new(structs, "Pairs").inside(class));
    let list = package.export(&Export::new(array, "List").inside(class));
    let list_inner = package.export(&Export::new(float, "List").inside(list));
    let add = package.export(&Export::new(function_class, "Add_PairInt").inside(class));
    let add_a = package.export(&Export::new(structs, "A").inside(add));
    let add_b = package.export(&Export::new(int, "B").inside(add));
    let add_result = package.export(&Export::new(int, "ReturnValue").inside(add));
    let hear = package.export(&Export::new(function_class, "Hear").inside(class));
    let hear_out = package.export(&Export::new(int, "Volume").inside(hear));
    let hear_optional = package.export(&Export::new(text, "Words").inside(hear));
    let idle = package.export(&Export::new(state_class, "Idle").inside(class));

    let property = |flags, category: &str, next, array_dim, kind| PropertyData {
        links: FieldLinks { next, ..FieldLinks::default() },
        array_dim,
        flags,
        category: category.into(),
        replication_offset: 3,
        kind,
    };
    use PropertyKind as P;
    use property_flags as flag;
    let parameter = flag::PARAMETER;
    for (id, data) in [
        (base_health, property(0, "Base", Ref::NULL, 1, P::Int)),
        (pair_a, property(0, "Pair", pair_b, 1, P::Int)),
        (pair_b, property(0, "Pair", Ref::NULL, 2, P::Byte(Ref::NULL))),
        (mood_now, property(flag::EDIT | flag::CONFIG | flag::NET, "Display", pairs, 1, P::Byte(mood))),
        (pairs, property(flag::EDIT, "Guard", list, 3, P::Struct(pair))),
        (list, property(flag::LOCALIZED, "Guard", add, 1, P::Array(list_inner))),
        (list_inner, property(0, "Guard", Ref::NULL, 1, P::Float)),
        (add_a, property(parameter, "Guard", add_b, 1, P::Struct(pair))),
        (add_b, property(parameter, "Guard", add_result, 1, P::Int)),
        (add_result, property(parameter | flag::RETURN, "Guard", Ref::NULL, 1, P::Int)),
        (hear_out, property(parameter | flag::OUT, "Guard", hear_optional, 1, P::Int)),
        (hear_optional, property(parameter | flag::OPTIONAL | 0x800, "Guard", Ref::NULL, 1, P::Str)),
    ] {
        package.write(id, |out| write_property(out, &data));
    }
    let linked = |next, children, name: &str, line, code| StructData {
        links: FieldLinks { next, ..FieldLinks::default() },
        children,
        friendly_name: name.into(),
        line,
        code,
        ..StructData::default()
    };
    let next = |next| FieldLinks { next, ..FieldLinks::default() };
    package.write(mood, |out| write_enum(out, next(pair), &["MOOD_Calm", "MOOD_Cross"]));
    package.write(pair, |out| write_struct(out, &linked(mood_now, pair_a, "Pair", 0, Code::default())));
    package.write(add, |out| {
        let flags = function_flags::FINAL | function_flags::STATIC | function_flags::NATIVE | 0x1000;
        let function = FunctionData { native_index: 400, operator_precedence: 20, flags, ..FunctionData::default() };
        write_function(out, &linked(hear, add_a, "+", 9, Code::default()), &function);
    });
    package.write(hear, |out| {
        let code = assemble(out, |code| {
            // An operator of this package, called by itself.
            code.token(token::LET).local(hear_out).call_final(add).instance(pairs).local(hear_out).end();
            code.return_nothing();
        });
        let flags = function_flags::SIMULATED | function_flags::EVENT | function_flags::DEFINED;
        let function = FunctionData { flags, ..FunctionData::default() };
        write_function(out, &linked(idle, hear_out, "Hear", 12, code), &function);
    });
    package.write(idle, |out| {
        let code = assemble(out, |code| {
            let begin = code.label();
            code.place(begin).native(256).float(0.5).end().token(token::STOP).label_table(&[("Begin", begin)]);
        });
        write_state(
            out,
            &linked(Ref::NULL, Ref::NULL, "Idle", 20, code),
            &StateData { flags: 2, ..StateData::default() },
        );
    });
    package.write(base, |out| {
        let defaults = Properties::new().int("Health", 100).int("Level", 1);
        let data = ClassData { within: object, config_name: "System".into(), defaults, ..ClassData::default() };
        write_class(out, &linked(Ref::NULL, base_health, "Base", 0, Code::default()), &StateData::default(), &data);
    });
    package.write(class, |out| {
        let pair = |a, b, c| Value::Struct("Pair".into(), vec![Value::Int(a), Value::Byte(b), Value::Byte(c)]);
        let defaults = Properties::new()
            .byte("Mood", 1)
            .with("Pairs", pair(5, 6, 7))
            .with_element("Pairs", 2, pair(8, 9, 10))
            .with("List", Value::Array(vec![Value::Float(0.5), Value::Float(4.0)]))
            .int("Level", 7);
        let data =
            ClassData { flags: 1 | 4, within: object, config_name: "User".into(), defaults, ..ClassData::default() };
        write_class(out, &linked(Ref::NULL, mood, "Guard", 0, Code::default()), &StateData::default(), &data);
    });
    package.finish()
}

#[test]
fn a_class_without_source_is_declared_from_its_structures() {
    let file = opened(declared());
    file.assert_read();
    let wanted = "\
class Guard extends Base abstract config(User);

enum EMood
{
    MOOD_Calm,
    MOOD_Cross
};

struct Pair
{
    var int A;
    var byte B[2];
};

var(Display) config EMood Mood;
var() Pair Pairs[3];
var localized array<float> List;

native(400) static final operator(20) int +(Pair A, int B);

simulated event Hear(out int Volume, optional coerce string Words)
{
    //   0000  Let              Volume = Pairs + Volume
    //   0016  Return
}

auto state Idle
{
    // Begin:
    //   0000  NativeFunction   Sleep(0.5)
    //   0008  Stop
    //   0009  Nothing
    //   000A  Nothing
    //   000B  LabelTable       Begin 0000
}
";
    assert_eq!(part(&file, "Guard", "Declarations"), wanted);
    let wanted = "\
defaultproperties
{
    Mood=MOOD_Cross
    Pairs(0)=(A=5,B[0]=6,B[1]=7)
    Pairs(2)=(A=8,B[0]=9,B[1]=10)
    List(0)=0.5
    List(1)=4.0
    Level=7
}
";
    assert_eq!(part(&file, "Guard", "Default properties"), wanted);
    let all = part(&file, "Guard", "All defaults");
    assert!(all.contains("* Level=7\n") && all.contains("// from Base\n  Health=100\n"), "{all}");
    assert!(!all.contains("Level=1"), "{all}");
}

#[test]
fn chains_that_lead_in_a_circle_end() {
    let mut package = PackageWriter::new(69, 0);
    let object = package.class("Core", "Object");
    let int = package.class("Core", "IntProperty");
    let structs = package.class("Core", "StructProperty");
    let struct_class = package.class("Core", "Struct");
    // Two classes that extend each other, fields that follow themselves, a struct that holds itself.
    let one = package.export(&Export::new(Ref::NULL, "One"));
    let two = package.export(&Export::new(Ref::NULL, "Two").extends(one));
    let x = package.export(&Export::new(int, "X").inside(one));
    let own = package.export(&Export::new(struct_class, "Own").inside(one));
    let inner = package.export(&Export::new(structs, "Inner").inside(own));
    let held = package.export(&Export::new(structs, "Held").inside(one));
    let property = |next, kind| PropertyData {
        links: FieldLinks { next, super_field: next },
        array_dim: i32::MAX,
        flags: 1,
        category: "One".into(),
        replication_offset: 0,
        kind,
    };
    package.write(x, |out| write_property(out, &property(held, PropertyKind::Int)));
    package.write(held, |out| write_property(out, &property(own, PropertyKind::Struct(own))));
    package.write(inner, |out| write_property(out, &property(inner, PropertyKind::Struct(own))));
    package.write(own, |out| {
        let links = FieldLinks { next: x, super_field: own };
        write_struct(out, &StructData { links, children: inner, friendly_name: "Own".into(), ..StructData::default() });
    });
    for (class, children) in [(one, x), (two, two)] {
        package.write(class, |out| {
            let links = FieldLinks { next: class, super_field: class };
            let base = StructData { links, children, friendly_name: "C".into(), ..StructData::default() };
            let defaults = Properties::new()
                .with("Held", Value::Struct("Own".into(), vec![Value::Int(1), Value::Int(2)]))
                .with("X", Value::Array(vec![Value::Int(1)]));
            let data = ClassData { within: object, config_name: "None".into(), defaults, ..ClassData::default() };
            write_class(out, &base, &StateData::default(), &data);
        });
    }
    let file = opened(package.finish());
    let worker = std::thread::Builder::new().stack_size(512 << 10).spawn(move || {
        file.assert_read();
        let texts = file.document.outline().entries()[1..].iter().map(|entry| {
            let text = try_text(&file, &entry.path()).unwrap();
            (entry.path().into_owned(), text.parts.iter().map(|part| part.text.clone()).collect::<Vec<String>>())
        });
        texts.collect::<Vec<(String, Vec<String>)>>()
    });
    // Each is written once, and a value that can have no size as its bytes.
    let defaults =
        "defaultproperties\n{\n    Held=/* 8 bytes: 0100000002000000 */\n    X=/* 5 bytes: 0101000000 */\n}\n";
    let own = "struct Own\n{\n    var(One) Own Inner[2147483647];\n};";
    let (x, held) = ("var() int X[2147483647];", "var() Own Held[2147483647];");
    let one = format!("class One;\n\n{own}\n\n{x}\n{held}\n");
    let wanted = [
        ("One", vec![&*one, defaults]),
        ("Two", vec!["class Two extends One;\n", defaults]),
        ("One.X", vec![x]),
        ("One.Own", vec![own]),
        ("One.Own.Inner", vec!["var(One) Own Inner[2147483647];"]),
        ("One.Held", vec![held]),
    ];
    let found = worker.unwrap().join().unwrap();
    assert_eq!(found.len(), wanted.len());
    for ((path, texts), (wanted_path, wanted)) in found.iter().zip(&wanted) {
        assert_eq!((&**path, texts), (*wanted_path, &wanted.iter().map(|t| (*t).to_owned()).collect()));
    }
}

#[test]
fn texts_of_both_encodings_are_read_and_named_as_what_they_are() {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "TextBuffer");
    let plain = package.export(&Export::new(class, "Briefing"));
    let wide = package.export(&Export::new(class, "ScriptText"));
    package.write(plain, |out| write_text_buffer(out, "One\r\nTwo ä"));
    package.write(wide, |out| write_text_buffer(out, "// 手\r\n"));
    let file = opened(package.finish());
    assert_eq!(part(&file, "Briefing", "Text"), "One\nTwo ä");
    assert_eq!(part(&file, "ScriptText", "Text"), "// 手\n");
    let language = |path: &str| try_text(&file, path).unwrap().parts[0].language;
    assert_eq!(language("Briefing"), bonebox::scene::Language::Plain);
    assert_eq!(language("ScriptText"), bonebox::scene::Language::UnrealScript);
}
