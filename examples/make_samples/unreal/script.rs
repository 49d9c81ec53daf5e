//! Script classes, as source text and as bytecode.

use bonebox::formats::unreal::encode::{
    ClassData, Code, CodeWriter, Dependency, Export, FieldLinks, FunctionData, PackageWriter, Properties, PropertyData,
    PropertyKind, Ref, StateData, StructData, Value, assemble, flags, function_flags, property_flags, token,
    write_class, write_const, write_enum, write_function, write_property, write_state, write_struct, write_text_buffer,
};

const CREATURE_SOURCE: &str = include_str!("BoneCreature.uc");
const OSSIE_SOURCE: &str = include_str!("OssieBox.uc");
const FLAG_SOURCE: &str = include_str!("BoneFlag.uc");

/// Flags of script objects.
const SCRIPT: u32 = flags::PUBLIC | flags::LOAD_FOR_CLIENT | flags::LOAD_FOR_SERVER | flags::LOAD_FOR_EDIT;

/// Natives that the script calls or its operators are, by their numbers.
mod native {
    pub const GOTO_STATE: u16 = 113;
    pub const ADD_INT: u16 = 146;
    pub const GREATER_EQUAL_INT: u16 = 153;
    pub const EQUAL_INT: u16 = 154;
    pub const MULTIPLY_FLOAT: u16 = 171;
    pub const SLEEP: u16 = 256;
    pub const PLAY_ANIM: u16 = 259;
    pub const LOOP_ANIM: u16 = 260;
    pub const FINISH_ANIM: u16 = 261;
    pub const PLAY_SOUND: u16 = 264;
}

/// The token that makes an int of a byte.
const BYTE_TO_INT: u8 = 0x3A;

/// What the classes show and play.
pub struct Content {
    pub bark: Ref,
    pub bell: Ref,
    pub ossie: Ref,
    pub flag: Ref,
}

/// A field of a struct: its export, and what writes it once its neighbour is known.
type Field = (Ref, Box<dyn FnOnce(&mut PackageWriter, Ref, FieldLinks)>);

struct Maker<'a> {
    package: &'a mut PackageWriter,
}

/// Where a declaration is in the text: line from 1, offset.
fn place(source: &str, declaration: &str) -> (u32, u32) {
    let at = source.find(declaration).expect("the text has what is made from it");
    (source[..at].lines().count() as u32 + 1, at as u32)
}

impl Maker<'_> {
    fn core(&mut self, class: &str) -> Ref {
        self.package.class("Core", class)
    }

    fn declare(&mut self, class: &str, name: &str, outer: Ref) -> Ref {
        let class = self.core(class);
        self.package.export(&Export::new(class, name).inside(outer).flagged(SCRIPT))
    }

    fn property(
        &mut self,
        outer: Ref,
        name: &str,
        kind: PropertyKind,
        flags: u32,
        category: &str,
        count: i32,
    ) -> Field {
        let id = self.declare(kind.class_name(), name, outer);
        let data = PropertyData {
            links: FieldLinks::default(),
            array_dim: count,
            flags,
            category: category.to_owned(),
            replication_offset: 0,
            kind,
        };
        let write = move |package: &mut PackageWriter, id: Ref, links: FieldLinks| {
            package.write(id, |out| write_property(out, &PropertyData { links, ..data }));
        };
        (id, Box::new(write))
    }

    /// Links fields to each other in their order and writes them; returns the first.
    fn chain(&mut self, fields: Vec<Field>) -> Ref {
        let ids: Vec<Ref> = fields.iter().map(|field| field.0).collect();
        for (index, (id, write)) in fields.into_iter().enumerate() {
            let next = ids.get(index + 1).copied().unwrap_or_default();
            write(self.package, id, FieldLinks { super_field: Ref::NULL, next });
        }
        ids.first().copied().unwrap_or_default()
    }

    fn text(&mut self, outer: Ref, source: &str) -> Ref {
        let class = self.package.class("Core", "TextBuffer");
        let text = source.replace("\r\n", "\n").replace('\n', "\r\n");
        let export = Export::new(class, "ScriptText").inside(outer).flagged(flags::LOAD_FOR_EDIT);
        self.package.add(&export, |out| write_text_buffer(out, &text))
    }

    fn code(&mut self, id: Ref, write: impl FnOnce(&mut CodeWriter<'_, '_>)) -> Code {
        let mut code = Code::default();
        self.package.write(id, |out| code = assemble(out, write));
        code
    }
}

/// Everything that a function is: its parameters (and locals), and its code.
#[expect(clippy::too_many_arguments)]
fn function(
    maker: &mut Maker<'_>,
    id: Ref,
    name: &'static str,
    source: &str,
    declaration: &str,
    fields: Vec<Field>,
    flags: u32,
    write: impl FnOnce(&mut CodeWriter<'_, '_>),
) -> Field {
    let children = maker.chain(fields);
    let code = maker.code(id, write);
    let (line, text_position) = place(source, declaration);
    let data =
        StructData { children, friendly_name: name.to_owned(), line, text_position, code, ..StructData::default() };
    let function = FunctionData { flags: flags | function_flags::DEFINED, ..FunctionData::default() };
    (
        id,
        Box::new(move |package, id, links| {
            package.write(id, |out| write_function(out, &StructData { links, ..data }, &function))
        }),
    )
}

pub fn classes(package: &mut PackageWriter, content: &Content) {
    let mut maker = Maker { package };
    let creature = creature(&mut maker, content);
    let trick = |name: &str, seconds: f32, applause: i32| {
        Value::Struct(
            "Trick".to_owned(),
            vec![Value::Name(name.to_owned()), Value::Float(seconds), Value::Int(applause)],
        )
    };
    let defaults = Properties::new()
        .byte("Mood", 1)
        .with_element("Tricks", 0, trick("Cheer", 1.5, 3))
        .with_element("Tricks", 1, trick("Walk", 0.8, 1))
        .float("WagSpeed", 2.5)
        .bool("bHasBone", true)
        .byte("DrawType", 2)
        .object("Mesh", content.ossie)
        .float("CollisionRadius", 30.0)
        .float("CollisionHeight", 38.0);
    simple(&mut maker, "OssieBox", creature, OSSIE_SOURCE, defaults);
    let decoration = maker.package.class("Engine", "Decoration");
    let defaults = Properties::new()
        .byte("DrawType", 2)
        .object("Mesh", content.flag)
        .float("DrawScale", 1.5)
        .name("AnimSequence", "Breeze");
    simple(&mut maker, "BoneFlag", decoration, FLAG_SOURCE, defaults);
}

/// A class of defaults alone.
fn simple(maker: &mut Maker<'_>, name: &str, parent: Ref, source: &str, defaults: Properties) {
    let id = maker.package.export(&Export::new(Ref::NULL, name).extends(parent).flagged(SCRIPT | flags::STANDALONE));
    let script_text = maker.text(id, source);
    let data = StructData {
        links: FieldLinks { super_field: parent, next: Ref::NULL },
        script_text,
        friendly_name: name.to_owned(),
        ..StructData::default()
    };
    write(maker, id, &data, parent, defaults);
}

fn write(maker: &mut Maker<'_>, id: Ref, data: &StructData, parent: Ref, defaults: Properties) {
    let within = maker.package.class("Core", "Object");
    let class = ClassData {
        flags: 0x12,
        guid: *b"Bonebox's class.",
        dependencies: vec![
            Dependency { class: id, deep: 1, source_crc: 0x0B0E_B0C5 },
            Dependency { class: parent, deep: 1, source_crc: 0 },
        ],
        package_imports: vec!["Core".to_owned(), "Engine".to_owned()],
        within,
        config_name: "System".to_owned(),
        defaults,
    };
    maker.package.write(id, |out| write_class(out, data, &StateData::default(), &class));
}

fn creature(maker: &mut Maker<'_>, content: &Content) -> Ref {
    use property_flags::{EDIT, OUT, PARAMETER, RETURN};
    const NAME: &str = "BoneCreature";
    let source = &CREATURE_SOURCE.replace("\r\n", "\n").replace('\n', "\r\n");
    let parent = maker.package.class("Engine", "Decoration");
    let (actor, sound) = (maker.package.class("Engine", "Actor"), maker.package.class("Engine", "Sound"));
    let class = maker.package.export(&Export::new(Ref::NULL, NAME).extends(parent).flagged(SCRIPT | flags::STANDALONE));
    let script_text = maker.text(class, CREATURE_SOURCE);

    let constant = |maker: &mut Maker<'_>, name: &str, value: &'static str| -> Field {
        let id = maker.declare("Const", name, class);
        (id, Box::new(move |package, id, links| package.write(id, |out| write_const(out, links, value))))
    };
    let max_tricks = constant(maker, "MaxTricks", "4");
    let greeting = constant(maker, "Greeting", "\"Woof!\"");

    let mood_enum = maker.declare("Enum", "EMood", class);
    let moods = ["MOOD_Calm", "MOOD_Curious", "MOOD_Happy"];
    let mood_field: Field =
        (mood_enum, Box::new(move |package, id, links| package.write(id, |out| write_enum(out, links, &moods))));

    let trick = maker.declare("Struct", "Trick", class);
    let sequence = maker.property(trick, "Sequence", PropertyKind::Name, EDIT, "Trick", 1);
    let seconds = maker.property(trick, "Seconds", PropertyKind::Float, EDIT, "Trick", 1);
    let applause = maker.property(trick, "Applause", PropertyKind::Int, 0, "None", 1);
    let (sequence_id, seconds_id) = (sequence.0, seconds.0);
    let children = maker.chain(vec![sequence, seconds, applause]);
    let (line, text_position) = place(source, "struct Trick");
    let data = StructData { children, friendly_name: "Trick".to_owned(), line, text_position, ..StructData::default() };
    let trick_field: Field = (
        trick,
        Box::new(move |package, id, links| package.write(id, |out| write_struct(out, &StructData { links, ..data }))),
    );

    let mood = maker.property(class, "Mood", PropertyKind::Byte(mood_enum), EDIT, NAME, 1);
    let tricks = maker.property(class, "Tricks", PropertyKind::Struct(trick), EDIT, NAME, 4);
    let bark = maker.property(class, "Bark", PropertyKind::Object(sound), EDIT, "Sounds", 1);
    let wag_speed = maker.property(class, "WagSpeed", PropertyKind::Float, EDIT, "Movement", 1);
    let has_bone = maker.property(class, "bHasBone", PropertyKind::Bool, 0, "None", 1);
    let barks = maker.property(class, "Barks", PropertyKind::Int, 0, "None", 1);
    let (mood_id, tricks_id, bark_id, wag_id, bone_id, barks_id) =
        (mood.0, tricks.0, bark.0, wag_speed.0, has_bone.0, barks.0);

    let tail_speed = maker.declare("Function", "TailSpeed", class);
    let in_mood = maker.property(tail_speed, "InMood", PropertyKind::Byte(mood_enum), PARAMETER, "None", 1);
    let result = maker.property(tail_speed, "ReturnValue", PropertyKind::Float, PARAMETER | OUT | RETURN, "None", 1);
    let in_mood_id = in_mood.0;
    let tail_speed = function(
        maker,
        tail_speed,
        "TailSpeed",
        source,
        "function float TailSpeed",
        vec![in_mood, result],
        0,
        |code| {
            let calm = code.label();
            code.jump_if_not(calm).native(native::EQUAL_INT).token(BYTE_TO_INT).local(in_mood_id);
            code.token(BYTE_TO_INT).byte(2).end();
            code.token(token::RETURN).native(native::MULTIPLY_FLOAT).instance(wag_id).float(2.0).end();
            code.place(calm).token(token::RETURN).instance(wag_id).return_nothing();
        },
    );

    let perform = maker.declare("Function", "Perform", class);
    let index = maker.property(perform, "Index", PropertyKind::Int, PARAMETER, "None", 1);
    let index_id = index.0;
    let perform = function(maker, perform, "Perform", source, "function Perform", vec![index], 0, |code| {
        let go = code.label();
        let element = |code: &mut CodeWriter<'_, '_>, member: Ref| {
            code.token(token::STRUCT_MEMBER).object(member);
            code.token(token::ARRAY_ELEMENT).local(index_id).instance(tricks_id);
        };
        code.jump_if_not(go).native(native::GREATER_EQUAL_INT).local(index_id).token(token::SMALL_INT).u8(4).end();
        code.return_nothing().place(go).native(native::PLAY_ANIM);
        element(code, sequence_id);
        element(code, seconds_id);
        code.end();
        code.token(token::LET).instance(barks_id);
        code.native(native::ADD_INT).instance(barks_id).token(token::ONE).end();
        code.return_nothing();
    });

    let bump = maker.declare("Function", "Bump", class);
    let other = maker.property(bump, "Other", PropertyKind::Object(actor), PARAMETER, "None", 1);
    let bump = function(maker, bump, "Bump", source, "event Bump", vec![other], function_flags::EVENT, |code| {
        let silent = code.label();
        code.token(token::LET).instance(mood_id).byte(2);
        code.jump_if_not(silent).token(token::BOOL_VARIABLE).instance(bone_id);
        code.native(native::PLAY_SOUND).instance(bark_id).end();
        code.place(silent).native(native::GOTO_STATE).name_constant("Happy").end().return_nothing();
    });

    let calm = maker.declare("State", "Calm", class);
    let code = maker.code(calm, |code| {
        let begin = code.label();
        code.place(begin).native(native::LOOP_ANIM).name_constant("Walk");
        code.call("TailSpeed").instance(mood_id).end().end();
        code.native(native::SLEEP).float(4.0).end();
        code.token(token::GOTO_LABEL).name_constant("Begin").token(token::STOP);
        code.label_table(&[("Begin", begin)]);
    });
    let calm =
        state(source, calm, "Calm", "auto state Calm", Ref::NULL, code, StateData { flags: 2, ..StateData::default() });

    let happy = maker.declare("State", "Happy", class);
    let ignored = maker.declare("Function", "Bump", happy);
    let other = maker.property(ignored, "Other", PropertyKind::Object(actor), PARAMETER, "None", 1);
    let ignored = function(
        maker,
        ignored,
        "Bump",
        source,
        "event Bump( Actor Other ) {}",
        vec![other],
        function_flags::EVENT,
        |code| {
            code.return_nothing();
        },
    );
    let children = maker.chain(vec![ignored]);
    let code = maker.code(happy, |code| {
        let begin = code.label();
        code.place(begin).call("Perform").token(token::ZERO).end();
        code.native(native::FINISH_ANIM).end();
        code.token(token::LET).instance(mood_id).byte(0);
        code.native(native::GOTO_STATE).name_constant("Calm").end().token(token::STOP);
        code.label_table(&[("Begin", begin)]);
    });
    let happy = state(source, happy, "Happy", "state Happy", children, code, StateData::default());

    let children = maker.chain(vec![
        max_tricks,
        greeting,
        mood_field,
        trick_field,
        mood,
        tricks,
        bark,
        wag_speed,
        has_bone,
        barks,
        tail_speed,
        perform,
        bump,
        calm,
        happy,
    ]);
    let (line, text_position) = place(source, "class BoneCreature");
    let data = StructData {
        links: FieldLinks { super_field: parent, next: Ref::NULL },
        script_text,
        children,
        friendly_name: NAME.to_owned(),
        line,
        text_position,
        code: Code::default(),
    };
    let defaults = Properties::new()
        .object("Bark", content.bark)
        .float("WagSpeed", 1.0)
        .bool("bStatic", false)
        .object("AmbientSound", content.bell)
        .byte("SoundRadius", 24);
    write(maker, class, &data, parent, defaults);
    class
}

fn state(
    source: &str,
    id: Ref,
    name: &'static str,
    declaration: &str,
    children: Ref,
    code: Code,
    state: StateData,
) -> Field {
    let (line, text_position) = place(source, declaration);
    let data =
        StructData { children, friendly_name: name.to_owned(), line, text_position, code, ..StructData::default() };
    (
        id,
        Box::new(move |package, id, links| {
            package.write(id, |out| write_state(out, &StructData { links, ..data }, &state))
        }),
    )
}
