//! What the writer writes the reader reads: every family of classes in the layouts of four versions, and packages that lean
//! on each other. Both were made from the specification alone.

use super::samples::make_samples::unreal::{sounds, tune};
use crate::kit::{
    open::{Opened, codes, open},
    unreal::{open_file, quiet_asset},
};
use bonebox::formats::{
    Asset, Children, Content, Diagnostic, EntryId, Field, Reference, Value,
    unreal::encode::{
        AnimationBone, BoneWeight, BoneWeightIndex, Bounds, ClassData, CompressedMips, Dependency, Export, ExtWedge,
        FieldLinks, FontPage, FunctionData, LevelData, LodData, LodFace, LodMaterial, LodWedge, MeshData, Mip,
        ModelData, Move, PackageWriter, Poly, Properties, PropertyData, PropertyKind, ReachSpec, Ref, Sequence,
        SkeletalData, SkeletonBone, Spark, StateData, StateFrame, StructData, TextureData, Track, Tri,
        Value as Property, Vertices, assemble, flags, function_flags, mip_sizes, pack_vertex, property_flags, token,
        write_animation, write_class, write_const, write_enum, write_font, write_function, write_level, write_lod_mesh,
        write_mesh, write_model, write_music, write_old_font, write_palette, write_polys, write_properties,
        write_property, write_skeletal_mesh, write_sound, write_sparks, write_state, write_state_frame, write_struct,
        write_text_buffer, write_texture,
    },
};
use std::path::Path;

const VERSIONS: [u16; 4] = [61, 63, 68, 69];

/// A package of a version with everything in it, of which nothing is said.
fn opened(version: u16) -> Opened {
    let file = open(&format!("Made{version}.u"), everything(version));
    assert_eq!(file.diagnostics, [] as [Diagnostic; 0], "{}", file.name);
    file
}

fn load(file: &Opened, path: &str) -> Asset {
    quiet_asset(file, file.entry(path))
}

fn fields(file: &Opened, path: &str) -> Vec<Field> {
    file.document.fields(file.entry(path)).unwrap().fields
}

/// A field of this name, however deep.
pub fn find(fields: &[Field], name: &str) -> Option<Field> {
    fields.iter().find_map(|field| {
        let inside = match &field.children {
            Children::Fields(inside) => find(inside, name),
            _ => None,
        };
        if field.name == name { Some(field.clone()) } else { inside }
    })
}

fn number(fields: &[Field], name: &str) -> f64 {
    match find(fields, name).unwrap_or_else(|| panic!("no field {name}")).value {
        Value::Bool(value) => f64::from(u8::from(value)),
        Value::Int(value) | Value::Enum { value, .. } => value as f64,
        Value::UInt(value) | Value::Flags { value, .. } => value as f64,
        Value::Float(value) => f64::from(value),
        other => panic!("{name}: {other:?}"),
    }
}

fn text(fields: &[Field], name: &str) -> String {
    match find(fields, name).unwrap_or_else(|| panic!("no field {name}")).value {
        Value::Text(value) => value,
        other => panic!("{name}: {other:?}"),
    }
}

fn reference(fields: &[Field], name: &str) -> Reference {
    match find(fields, name).unwrap_or_else(|| panic!("no field {name}")).value {
        Value::Reference(value) => value,
        other => panic!("{name}: {other:?}"),
    }
}

fn p8(palette: Ref, width: u32, height: u32) -> TextureData {
    let mip = |(width, height): (u32, u32)| Mip {
        width,
        height,
        bytes: (0..width * height).map(|i| (i * 3 % 251) as u8).collect(),
    };
    TextureData { palette, mips: mip_sizes(width, height).into_iter().map(mip).collect(), ..TextureData::default() }
}

fn pictures(package: &mut PackageWriter) -> Ref {
    let class = |package: &mut PackageWriter, name| package.class("Engine", name);
    let palette = class(package, "Palette");
    let palette = package.add(&Export::new(palette, "Pal"), |out| {
        write_palette(out, &(0..=255).map(|i| [i, 255 - i, i / 2]).collect::<Vec<[u8; 3]>>());
    });
    let texture = class(package, "Texture");
    let picture = package.add(&Export::new(texture, "Picture"), |out| write_texture(out, &p8(palette, 16, 8)));
    let rgba: Vec<Mip> = [(8u32, 8u32), (4, 4)]
        .map(|(width, height)| Mip { width, height, bytes: [200, 40, 40, 255].repeat((width * height) as usize) })
        .to_vec();
    let both = TextureData { compressed: Some(CompressedMips::dxt1(&rgba)), ..p8(palette, 8, 8) };
    package.add(&Export::new(texture, "Both"), |out| write_texture(out, &both));
    let computed = |properties| TextureData {
        palette,
        mips: vec![Mip { width: 32, height: 32, bytes: Vec::new() }],
        properties,
        ..TextureData::default()
    };
    let fire = package.class("Fire", "FireTexture");
    package.add(&Export::new(fire, "Fire"), |out| {
        write_texture(out, &computed(Properties::new().byte("RenderHeat", 200)));
        let spark = |x| Spark { kind: 0, heat: 250, x, y: 30, ..Spark::default() };
        write_sparks(out, &[spark(3), spark(9)]);
    });
    let waves = package.class("Fire", "WaveTexture");
    let drop = Property::Struct("ADrop".to_owned(), [0, 200, 4, 4, 0, 0, 0, 0].map(Property::Byte).to_vec());
    package.add(&Export::new(waves, "Waves"), |out| {
        write_texture(out, &computed(Properties::new().int("NumDrops", 1).with("Drops", drop)));
    });
    let font = class(package, "Font");
    let glyphs = vec![[0, 0, 8, 8], [8, 0, 6, 8]];
    package.add(&Export::new(font, "Letters"), |out| {
        if out.version() < 64 {
            write_old_font(out, &p8(palette, 16, 8), &glyphs);
        } else {
            write_font(out, &[FontPage { texture: picture, glyphs }], 2);
        }
    });
    picture
}

fn media(package: &mut PackageWriter) {
    let (sound, music) = (package.class("Engine", "Sound"), package.class("Engine", "Music"));
    let text = package.class("Core", "TextBuffer");
    let wave = sounds::wav(&[0.0, 0.5, -0.5, 1.0], 16, None);
    package.add(&Export::new(sound, "Tick"), |out| write_sound(out, &Properties::new(), "WAV", &wave));
    package.add(&Export::new(music, "Tune"), |out| write_music(out, &Properties::new(), "mod", &tune::module()));
    package.add(&Export::new(text, "Words"), |out| write_text_buffer(out, WORDS));
    if package.version() >= 64 {
        package.add(&Export::new(text, "Greek"), |out| write_text_buffer(out, "\u{3b1}\u{3b2}\r\n"));
    }
}

const WORDS: &str = "First line\r\nSecond \u{e4}\r\n";

fn meshes(package: &mut PackageWriter, texture: Ref) {
    let classes = ["Mesh", "LodMesh", "SkeletalMesh", "Animation"].map(|name| package.class("Engine", name));
    let corners = [[0, 0, 0], [40, 0, 0], [0, 40, 0], [0, 0, 40]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let sequence = |name: &str| Sequence {
        name: name.to_owned(),
        group: "None".to_owned(),
        frame_count: 2,
        notifications: vec![(0.5, "Click".to_owned())],
        rate_hz: 10.0,
        ..Sequence::default()
    };
    let bounds = Bounds { min: [0.0; 3], max: [40.0; 3] };
    let mesh = MeshData {
        bounds,
        vertices: Vertices::Packed(
            [corners, corners.map(|[x, y, z]| [x, y, z * 2])].iter().flatten().map(|c| pack_vertex(*c)).collect(),
        ),
        triangles: faces.map(|vertices| Tri { vertices, uvs: [[0, 0], [255, 0], [0, 255]], ..Tri::default() }).to_vec(),
        sequences: vec![sequence("Grow")],
        connects: vec![[1, 0]; 4],
        vertex_links: vec![0, 1, 2, 3],
        textures: vec![texture],
        frame_bounds: vec![bounds; 2],
        frame_vertices: 4,
        frames: 2,
        scale: [1.0; 3],
        ..MeshData::default()
    };
    package.add(&Export::new(classes[0], "Plain"), |out| write_mesh(out, &mesh));
    let lod = LodData {
        collapse_points: vec![0, 0, 1, 2],
        face_levels: vec![3, 4, 4, 4],
        faces: faces.map(|wedges| LodFace { wedges, material: 0 }).to_vec(),
        collapse_wedges: vec![0, 0, 1, 2],
        wedges: (0..4).map(|vertex| LodWedge { vertex, uv: [0, 128] }).collect(),
        materials: vec![LodMaterial::default()],
        model_vertices: 4,
        mesh_scale_max: 1.0,
        strength: 1.0,
        min_vertices: 3,
        old_frame_vertices: 4,
        ..LodData::default()
    };
    package.add(&Export::new(classes[1], "Levels"), |out| write_lod_mesh(out, &mesh, &lod));
    if package.version() < 68 {
        return;
    }
    let bone = |name: &str, parent| SkeletonBone {
        name: name.to_owned(),
        orientation: [0.0, 0.0, 0.0, 1.0],
        position: [0.0, 0.0, 10.0],
        parent,
        ..SkeletonBone::default()
    };
    let animation = package.export(&Export::new(classes[3], "Moves"));
    let skeletal = SkeletalData {
        wedges: (0..4).map(|vertex| ExtWedge { vertex, uv: [0.0, 0.5] }).collect(),
        points: corners.map(|c| c.map(|v| v as f32)).to_vec(),
        skeleton: vec![bone("Root", 0), bone("Tip", 0)],
        weight_indices: vec![
            BoneWeightIndex { first: 0, count: 3, ..BoneWeightIndex::default() },
            BoneWeightIndex { first: 3, count: 1, ..BoneWeightIndex::default() },
        ],
        weights: (0..4).map(|point| BoneWeight { point, weight: 65_535 }).collect(),
        skeletal_depth: 2,
        default_animation: animation,
        weapon_bone: -1,
        ..SkeletalData::default()
    };
    let still =
        MeshData { vertices: Vertices::default(), triangles: Vec::new(), sequences: Vec::new(), frames: 1, ..mesh };
    package.add(&Export::new(classes[2], "Boned"), |out| write_skeletal_mesh(out, &still, &lod, &skeletal));
    let bones: Vec<AnimationBone> =
        [("Root", 0), ("Tip", 0)].map(|(name, parent)| AnimationBone { name: name.to_owned(), parent }).to_vec();
    let track = |z: f32| Track {
        rotations: vec![[0.0, 0.0, 0.0, 1.0]],
        positions: vec![[0.0, 0.0, 10.0], [0.0, 0.0, z]],
        times: vec![0.0, 1.0],
    };
    let motion =
        Move { track_time: 2.0, bone_indices: vec![0, 1], tracks: vec![track(12.0), track(14.0)], ..Move::default() };
    package.write(animation, |out| write_animation(out, &bones, &[motion], &[sequence("Nod")]));
}

fn script(package: &mut PackageWriter) {
    let parent = package.class("Engine", "Actor");
    let class = package.export(&Export::new(Ref::NULL, "Thing").extends(parent));
    let mut declare = |kind: &str, name: &str, outer: Ref| {
        let kind = package.class("Core", kind);
        package.export(&Export::new(kind, name).inside(outer))
    };
    let text = declare("TextBuffer", "ScriptText", class);
    let constant = declare("Const", "Most", class);
    let moods = declare("Enum", "EMood", class);
    let pair = declare("Struct", "Pair", class);
    let first = declare("IntProperty", "First", pair);
    let second = declare("FloatProperty", "Second", pair);
    let mood = declare("ByteProperty", "Mood", class);
    let pairs = declare("StructProperty", "Pairs", class);
    let sum = declare("Function", "Sum", class);
    let amount = declare("IntProperty", "Amount", sum);
    let asleep = declare("State", "Asleep", class);
    let links = |next: Ref| FieldLinks { super_field: Ref::NULL, next };
    package.write(text, |out| write_text_buffer(out, "class Thing expands Actor;\r\n"));
    package.write(constant, |out| write_const(out, links(moods), "12"));
    package.write(moods, |out| write_enum(out, links(pair), &["M_Good", "M_Bad"]));
    let named = |name: &str| StructData { friendly_name: name.to_owned(), ..StructData::default() };
    package.write(pair, |out| write_struct(out, &StructData { links: links(mood), children: first, ..named("Pair") }));
    let property = |next: Ref, kind: PropertyKind, array_dim: i32, flags: u32| PropertyData {
        links: links(next),
        array_dim,
        flags,
        category: "Thing".to_owned(),
        replication_offset: 7,
        kind,
    };
    let edit = property_flags::EDIT;
    package.write(first, |out| write_property(out, &property(second, PropertyKind::Int, 1, edit)));
    package.write(second, |out| write_property(out, &property(Ref::NULL, PropertyKind::Float, 1, edit)));
    package.write(mood, |out| {
        write_property(out, &property(pairs, PropertyKind::Byte(moods), 1, edit | property_flags::NET))
    });
    package.write(pairs, |out| write_property(out, &property(sum, PropertyKind::Struct(pair), 3, edit)));
    package.write(amount, |out| {
        write_property(out, &property(Ref::NULL, PropertyKind::Int, 1, property_flags::PARAMETER))
    });
    package.write(sum, |out| {
        let code = assemble(out, |code| {
            let end = code.label();
            code.jump_if_not(end).native(153).local(amount).token(token::SMALL_INT).u8(4).end();
            code.token(token::LET).instance(mood).byte(1).place(end).return_nothing();
        });
        let data = StructData { links: links(asleep), children: amount, code, ..named("Sum") };
        let function = FunctionData { flags: function_flags::DEFINED | function_flags::NET, ..FunctionData::default() };
        write_function(out, &data, &function);
    });
    package.write(asleep, |out| {
        let code = assemble(out, |code| {
            let begin = code.label();
            code.place(begin).native(256).float(2.0).end().token(token::STOP);
            code.label_table(&[("Begin", begin)]);
        });
        write_state(out, &StructData { code, ..named("Asleep") }, &StateData { flags: 2, ..StateData::default() });
    });
    let data = StructData {
        links: FieldLinks { super_field: parent, next: Ref::NULL },
        script_text: text,
        children: constant,
        ..named("Thing")
    };
    let pair_of = |a: i32, b: f32| Property::Struct("Pair".to_owned(), vec![Property::Int(a), Property::Float(b)]);
    let class_data = ClassData {
        flags: 0x12,
        dependencies: vec![Dependency { class: parent, deep: 1, source_crc: 5 }],
        package_imports: vec!["Engine".to_owned()],
        config_name: "System".to_owned(),
        defaults: Properties::new().byte("Mood", 1).with_element("Pairs", 2, pair_of(8, 0.25)),
        ..ClassData::default()
    };
    package.write(class, |out| write_class(out, &data, &StateData::default(), &class_data));
}

fn level(package: &mut PackageWriter, texture: Ref) {
    let classes = ["Polys", "Model", "Level", "LevelInfo", "Brush"].map(|name| package.class("Engine", name));
    let poly = Poly {
        normal: [0.0, 0.0, 1.0],
        texture_u: [1.0, 0.0, 0.0],
        texture_v: [0.0, 1.0, 0.0],
        vertices: vec![[0.0; 3], [8.0, 0.0, 0.0], [8.0, 8.0, 0.0]],
        texture,
        item: "Sheet".to_owned(),
        pan: [3, -4],
        ..Poly::default()
    };
    let polys = package.add(&Export::new(classes[0], "Polys0"), |out| write_polys(out, &[poly]));
    if package.version() < 62 {
        return;
    }
    let model = ModelData {
        polys,
        bounds: Bounds::of([[0.0; 3], [8.0, 8.0, 1.0]]),
        root_outside: true,
        ..ModelData::default()
    };
    let brush = package.add(&Export::new(classes[1], "Model0"), |out| write_model(out, &model));
    let info = package.add(&Export::new(classes[3], "LevelInfo0").flagged(flags::ACTOR), |out| {
        write_state_frame(out, &StateFrame { offset: 300, latent_action: 9, ..StateFrame::idle(classes[3]) });
        write_properties(out, &Properties::new().string("Title", "Made"));
    });
    let actor = package.add(&Export::new(classes[4], "Brush0").flagged(flags::ACTOR), |out| {
        write_state_frame(out, &StateFrame { node: Ref::NULL, ..StateFrame::idle(Ref::NULL) });
        write_properties(out, &Properties::new().object("Brush", brush));
    });
    let data = LevelData {
        actors: vec![info, Ref::NULL, actor],
        protocol: "unreal".to_owned(),
        map: "Made.unr".to_owned(),
        port: 7777,
        model: brush,
        reach_specs: vec![ReachSpec {
            distance: 5,
            start: info,
            end: actor,
            radius: 1,
            height: 2,
            flags: 3,
            pruned: true,
        }],
        travel_info: vec![("Who".to_owned(), "Nobody".to_owned())],
        ..LevelData::default()
    };
    package.add(&Export::new(classes[2], "MyLevel"), |out| write_level(out, &data));
}

/// All types of tags and all forms of array indices.
fn tagged(package: &mut PackageWriter) {
    let class = package.class("Engine", "Keypoint");
    let group = package.group("Places");
    let other = package.export(&Export::new(class, "Other").inside(group));
    package.write(other, |out| write_properties(out, &Properties::new()));
    let long = "x".repeat(300);
    let list = Properties::new()
        .byte("AByte", 200)
        .int("AnInt", -70_000)
        .bool("Yes", true)
        .bool("No", false)
        .float("AFloat", 0.125)
        .object("AnObject", other)
        .name("AName", "Something")
        .string("AText", "With a space")
        .string("ALongText", &long)
        .with("Place", Property::vector(1.0, -2.0, 3.5))
        .with("Turn", Property::rotator(1, -2, 65_536))
        .with("Tint", Property::color([1, 2, 3, 4]))
        .with("Size", Property::scale(1.0, 2.0, 3.0))
        .with("OldPlace", Property::Vector([4.0, 5.0, 6.0]))
        .with("OldText", Property::OldString(b"old\0junk".to_vec()))
        .with("AClass", Property::Class(class))
        .with("Fixed", Property::FixedArray(vec![1, 2, 3]))
        .with("AMap", Property::Map(vec![0]))
        .with_element("Many", 0, Property::Int(10))
        .with_element("Many", 1, Property::Int(11))
        .with_element("Many", 127, Property::Int(12))
        .with_element("Many", 128, Property::Int(13))
        .with_element("Many", 16_383, Property::Int(14))
        .with_element("Many", 16_384, Property::Int(15))
        .int("Last", 99);
    package.add(&Export::new(class, "Tagged"), |out| write_properties(out, &list));
}

fn everything(version: u16) -> Vec<u8> {
    let mut package = PackageWriter::new(version, 0);
    let texture = pictures(&mut package);
    media(&mut package);
    meshes(&mut package, texture);
    script(&mut package);
    level(&mut package, texture);
    tagged(&mut package);
    package.finish()
}

#[test]
fn every_family_is_read_to_the_byte_at_every_version() {
    for version in VERSIONS {
        let file = opened(version).checked();
        file.assert_sound();
        file.assert_read();
        let mut shown = 0;
        for entry in file.document.outline().entries().iter().skip(1) {
            if matches!(entry.content, Content::None | Content::Bytes | Content::Actor) {
                continue;
            }
            let (loaded, _) = file.load(entry.id);
            assert!(loaded.is_ok(), "version {version}, {}: {:?}", entry.path(), loaded.err());
            shown += 1;
        }
        assert!(shown >= 20, "version {version}: {shown} entries show something");
    }
}

#[test]
fn properties_come_back_with_their_values() {
    for version in VERSIONS {
        let file = opened(version);
        let read = fields(&file, "Tagged");
        for (name, value) in [
            ("AByte", 200.0),
            ("AnInt", -70_000.0),
            ("Yes", 1.0),
            ("No", 0.0),
            ("AFloat", 0.125),
            ("Many", 10.0),
            ("Many[1]", 11.0),
            ("Many[127]", 12.0),
            ("Many[128]", 13.0),
            ("Many[16383]", 14.0),
            ("Many[16384]", 15.0),
            ("Last", 99.0),
        ] {
            assert_eq!(number(&read, name), value, "version {version}, {name}");
        }
        assert_eq!(text(&read, "AName"), "Something");
        assert_eq!(text(&read, "AText"), "With a space");
        assert_eq!(text(&read, "ALongText").len(), 300);
        assert_eq!(text(&read, "OldText"), "old");
        assert_eq!(reference(&read, "AnObject").path, "Places.Other");
        assert_eq!(find(&read, "Place").unwrap().value, Value::Floats(vec![1.0, -2.0, 3.5]));
    }
}

#[test]
fn sounds_music_and_texts_come_back() {
    for version in VERSIONS {
        let file = opened(version);
        let Asset::Sound(sound) = load(&file, "Tick") else { panic!("version {version}") };
        assert_eq!(sound.pcm.as_ref().unwrap().samples, [0, 16_384, -16_384, 32_767]);
        let Asset::Music(music) = load(&file, "Tune") else { panic!("version {version}") };
        assert_eq!((&*music.bytes, music.encoding), (&*tune::module(), "MOD"));
        let whole = |path: &str| match load(&file, path) {
            Asset::Text(text) => text.parts[0].text.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(whole("Words").replace("\r\n", "\n"), WORDS.replace("\r\n", "\n"));
        if version >= 64 {
            assert_eq!(whole("Greek").trim_end(), "\u{3b1}\u{3b2}");
        }
    }
}

#[test]
fn texts_of_deus_ex_are_one_string_behind_the_properties() {
    let whole = |write: fn(&mut bonebox::formats::unreal::encode::ObjectWriter<'_>)| {
        let mut package = PackageWriter::new(68, 0);
        let class = package.class("Extension", "ExtString");
        package.add(&Export::new(class, "Book01"), |out| {
            write_properties(out, &Properties::new());
            write(out);
        });
        open("DeusExText.u", package.finish())
    };
    let file = whole(|out| out.string("Caf\u{e9}: the first line\r\nand the second"));
    let entry = file.entry("Book01");
    assert_eq!(file.document.outline().get(entry).unwrap().content, Content::Text);
    let Asset::Text(book) = quiet_asset(&file, entry) else { panic!("no text") };
    assert_eq!(&*book.parts[0].text, "Caf\u{e9}: the first line\nand the second");
    assert_eq!(text(&fields(&file, "Book01"), "Text"), "Caf\u{e9}: the first line\r\nand the second");
    file.assert_read();
    let short = whole(|out| out.bytes(b"\x20only a few"));
    let (loaded, found) = short.load(short.entry("Book01"));
    assert!(loaded.is_err() || codes(&found).contains(&"unreal.bad-object"), "{found:?}");
}

/// A package of a palette and a class, and one that leans on it.
fn leaning(on: &str) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let palette = package.external(("Engine", "Palette"), on, &["Pals", "Grey"]);
    let texture = package.class("Engine", "Texture");
    package.add(&Export::new(texture, "Painted"), |out| write_texture(out, &p8(palette, 8, 8)));
    let parent = package.class(on, "Parent");
    class(&mut package, "Child", parent, Properties::new().int("Health", 7));
    package.finish()
}

fn class(package: &mut PackageWriter, name: &str, parent: Ref, defaults: Properties) {
    let data = StructData {
        links: FieldLinks { super_field: parent, next: Ref::NULL },
        friendly_name: name.to_owned(),
        ..StructData::default()
    };
    let class = ClassData { config_name: "System".to_owned(), defaults, ..ClassData::default() };
    package.add(&Export::new(Ref::NULL, name).extends(parent), |out| {
        write_class(out, &data, &StateData::default(), &class);
    });
}

fn leaned_on() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let group = package.group("Pals");
    let palette = package.class("Engine", "Palette");
    package.add(&Export::new(palette, "Grey").inside(group), |out| {
        write_palette(out, &(0..=255).map(|i| [255 - i; 3]).collect::<Vec<[u8; 3]>>());
    });
    class(&mut package, "Parent", Ref::NULL, Properties::new().int("Health", 100).int("Legs", 4));
    package.finish()
}

#[test]
fn references_lead_into_another_package_and_missing_ones_say_where_they_led() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    };
    write("Textures/Base.utx", &leaned_on());
    let opened = |path: &Path| {
        let file = open_file(path);
        assert_eq!(file.diagnostics, [] as [Diagnostic; 0], "{}", file.name);
        file
    };
    let file = opened(&write("System/Leaning.u", &leaning("Base")));
    let followed = |path: &str, field: &str| {
        let reference = reference(&fields(&file, path), field);
        assert!(reference.resolved, "{path}: {reference:?}");
        let end = file.document.ask(EntryId::FILE, |can, _| can.links?.follow(&reference)).unwrap();
        let other = open_file(&end.file);
        (other.name.clone(), other.document.outline().get(end.entry).unwrap().path().into_owned())
    };
    assert_eq!(followed("Painted", "Palette"), ("Base.utx".to_owned(), "Pals.Grey".to_owned()));
    assert_eq!(followed("Child", "SuperField"), ("Base.utx".to_owned(), "Parent".to_owned()));
    let Asset::Picture(picture) = load(&file, "Painted") else { panic!("no picture") };
    // The second pixel is entry 3 of a palette that runs from white to black.
    assert_eq!(picture.forms[0].mips[0].rgba[4..7], [252; 3]);

    let file = opened(&write("System/Lost.u", &leaning("Gone")));
    for (path, field, led) in [("Painted", "Palette", "Gone.Pals.Grey"), ("Child", "SuperField", "Gone.Parent")] {
        let reference = reference(&fields(&file, path), field);
        assert_eq!((reference.path.as_str(), reference.resolved), (led, false));
        assert_eq!(file.document.ask(EntryId::FILE, |can, _| can.links?.follow(&reference)), None);
    }
    let (lost, found) = file.load(file.entry("Painted"));
    let Ok(Asset::Picture(lost)) = lost else { panic!("no picture") };
    assert_eq!(codes(&found), ["unreal.missing-palette"]);
    assert_eq!(lost.forms[0].mips[0].rgba[4..7], [3; 3], "greys stand in");
}

#[test]
fn entries_are_those_of_their_exports_also_between_holes() {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "Thing");
    for number in 0..10 {
        match [0, 1, 4, 5, 6, 9].contains(&number) {
            true => package.export(&Export::new(Ref::NULL, "None")),
            false => package.export(&Export::new(class, &format!("N{number}")).flagged(number)),
        };
    }
    let file = open("Holes.u", package.finish());
    let entries = file.document.outline().entries().iter().skip(1);
    let flagged = entries.map(|entry| match file.document.ask(entry.id, |can, entry| can.facts?.flags(entry)) {
        Some(Value::Flags { value, .. }) => (entry.name.to_string(), value),
        other => panic!("{other:?}"),
    });
    let expected = [2, 3, 7, 8].map(|number| (format!("N{number}"), number));
    assert_eq!(flagged.collect::<Vec<_>>(), expected);
}
