//! Packages of other engines and licensees: what is like the first engine is read, and the rest is named, once for each class
//! (formats/unreal.md §8.7, §12, §13, §16.2).

use crate::{
    kit::{
        open::{Opened, codes, open, open_whole, picture_in},
        sounds,
        unreal::quiet_asset,
    },
    unreal_made::find,
    unreal_textures::{add, p8, writer},
};
use bonebox::formats::{
    Asset, Content, Field, Severity, Value,
    unreal::encode::{
        CompressedMips, Export, Mip, ObjectWriter, PackageWriter, Properties, Ref, StateFrame, TextureData, flags,
        write_properties, write_sound, write_state_frame, write_text_buffer, write_texture,
    },
};

fn fields(file: &Opened, path: &str) -> Vec<Field> {
    file.document.fields(file.entry(path)).unwrap().fields
}

fn value(file: &Opened, path: &str, name: &str) -> Value {
    find(&fields(file, path), name).unwrap_or_else(|| panic!("{path} has no {name}")).value
}

/// The value and the size of the field that stands for bytes which are not read.
fn opaque(file: &Opened, path: &str, name: &str) -> Option<(Value, u64)> {
    find(&fields(file, path), name).map(|field| (field.value, field.size))
}

fn messages(file: &Opened) -> Vec<&str> {
    file.diagnostics.iter().map(|found| found.message.as_str()).collect()
}

/// Objects of a class whose bytes are read by nobody here, each with a property.
fn unknown(package: &mut PackageWriter, class: &str, count: usize) {
    let class_ref = package.class("Engine", class);
    for number in 0..count {
        package.add(&Export::new(class_ref, &format!("{class}{number}")), |out| {
            write_properties(out, &Properties::new().int("Version", 11));
            out.bytes(&[0xFB; 30]);
        });
    }
}

#[test]
fn classes_of_a_newer_engine_are_one_finding_each() {
    let (mut package, palette) = writer(128);
    unknown(&mut package, "StaticMesh", 214);
    unknown(&mut package, "SkeletalMesh", 3);
    unknown(&mut package, "Model", 1);
    unknown(&mut package, "Function", 40);
    add(&mut package, "Wall", &p8(8, 8, palette));
    let sound = package.class("Engine", "Sound");
    package.add(&Export::new(sound, "Bell"), |out| {
        write_sound(out, &Properties::new(), "WAV", &sounds::looped_wav());
    });
    let shader = package.class("Engine", "Shader");
    package.add(&Export::new(shader, "Shine"), |out| {
        write_properties(out, &Properties::new().bool("TwoSided", true));
    });
    let file = open_whole("Made.usx", package.finish());
    assert_eq!(
        messages(&file)[1..],
        [
            "StaticMesh: 214 objects are not read completely (class from a newer engine)",
            "SkeletalMesh: 3 objects are not read completely (class from a newer engine)",
            "Model: 1 object is not read completely (class from a newer engine)",
            "Function: 40 objects are not read completely (class from a newer engine)",
        ]
    );
    assert_eq!(file.codes()[..2], ["unreal.newer-engine", "unreal.unread-class"]);
    assert!(file.diagnostics.iter().all(|found| found.severity == Severity::Info && found.entry.is_none()));
    // Nothing tries to show them; their properties and bytes are there.
    for path in ["StaticMesh7", "SkeletalMesh2", "Model0", "Function5"] {
        let entry = file.entry(path);
        assert_eq!(file.document.outline().get(entry).unwrap().content, Content::None, "{path}");
        assert_eq!(value(&file, path, "Version"), Value::Int(11), "{path}");
        assert_eq!(opaque(&file, path, "Unread data"), Some((Value::Opaque("class data"), 30)), "{path}");
    }
    let error = file.load(file.entry("SkeletalMesh0")).0.unwrap_err().to_string();
    assert!(error.contains("class SkeletalMesh"), "{error}");
    assert!(!file.document.has(file.entry("SkeletalMesh0"), |can, entry| Some(can.editor?.has_vertex_mesh(entry))));
    // What both engines have alike is shown, and nothing is said of it.
    assert!(matches!(quiet_asset(&file, file.entry("Wall")), Asset::Picture(_)));
    assert!(matches!(quiet_asset(&file, file.entry("Bell")), Asset::Sound(_)));
    assert_eq!(value(&file, "Shine", "TwoSided"), Value::Bool(true));
}

#[test]
fn a_damaged_texture_of_a_newer_engine_is_an_error_and_a_class_of_them_is_not() {
    let broken = |out: &mut ObjectWriter<'_>| {
        write_properties(out, &Properties::new());
        out.u8(200);
        out.u32(0);
    };
    let (mut package, palette) = writer(128);
    let class = package.class("Engine", "Texture");
    add(&mut package, "Whole", &p8(8, 8, palette));
    package.add(&Export::new(class, "Broken"), broken);
    let file = open("Made.utx", package.finish()).checked();
    assert_eq!(file.codes(), ["unreal.newer-engine", "unreal.bad-object"]);
    assert_eq!(file.diagnostics[1].entry, Some(file.entry("Broken")));
    assert_eq!(file.diagnostics[1].severity, Severity::Error);

    let mut package = PackageWriter::new(128, 0);
    let class = package.class("Engine", "Texture");
    for name in ["A", "B", "C"] {
        package.add(&Export::new(class, name), broken);
    }
    let file = open_whole("Made.utx", package.finish());
    assert_eq!(messages(&file)[1..], ["Texture: 3 objects are not read completely (class from a newer engine)"]);
    assert_eq!(file.document.outline().with_content(Content::Image).count(), 0);
}

#[test]
fn a_class_of_a_newer_engine_shows_its_source() {
    let mut package = PackageWriter::new(128, 0);
    let class = package.export(&Export::new(Ref::NULL, "Torch"));
    let buffer = package.class("Core", "TextBuffer");
    let source = package.add(&Export::new(buffer, "ScriptText").inside(class), |out| {
        write_text_buffer(out, "class Torch extends Light;");
    });
    package.write(class, |out| {
        out.object(Ref::NULL);
        out.object(Ref::NULL);
        out.object(source);
        out.object(Ref::NULL);
        out.name("Torch");
        (0..3).for_each(|_| out.u32(0));
        out.bytes(&[1, 2, 3]);
    });
    let file = open_whole("Made.u", package.finish());
    assert_eq!(messages(&file)[1..], ["Class: 1 object is not read completely (class from a newer engine)"]);
    let Asset::Text(text) = quiet_asset(&file, file.entry("Torch")) else { panic!("no text") };
    assert_eq!(&*text.parts[0].text, "class Torch extends Light;");
    assert_eq!(text.parts.len(), 1, "where its defaults and its code lie is not known");
    // What all engines have alike is a field each; the three numbers behind it and what follows are not.
    assert_eq!(opaque(&file, "Torch", "Unread data"), Some((Value::Opaque("class data"), 15)));
    assert_eq!(value(&file, "Torch", "FriendlyName"), Value::Text("Torch".to_owned()));
}

#[test]
fn static_meshes_of_227_are_one_finding_of_a_package_that_opens() {
    let mut package = PackageWriter::new(69, 227);
    unknown(&mut package, "StaticMesh", 2);
    unknown(&mut package, "SkelModel", 1);
    let file = open_whole("Rocks.usm", package.finish());
    assert_eq!(file.document.format().id, "unreal");
    assert!(file.document.format().extensions.contains(&"usm"));
    assert_eq!(
        messages(&file),
        [
            "StaticMesh: 2 objects are not read completely (unknown layout)",
            "SkelModel: 1 object is not read completely (unknown layout)",
        ]
    );
    assert_eq!(value(&file, "StaticMesh1", "Version"), Value::Int(11));
    assert_eq!(opaque(&file, "StaticMesh1", "Unread data"), Some((Value::Opaque("class data"), 30)));
}

/// A package of SWAT 4 with objects that begin with these bytes.
fn led(lead: &[u8]) -> Vec<u8> {
    let mut package = PackageWriter::new(129, 27);
    let class = package.class("Engine", "Palette");
    let palette = package.add(&Export::new(class, "Grey"), |out| {
        out.bytes(lead);
        write_properties(out, &Properties::new().int("Kept", 1));
        out.array(&(0..=255).collect::<Vec<u8>>(), |out, grey| out.bytes(&[*grey; 4]));
    });
    let texture = package.class("Engine", "Texture");
    package.add(&Export::new(texture, "Wall"), |out| {
        out.bytes(lead);
        write_texture(out, &p8(8, 8, palette));
    });
    let actor = package.class("Engine", "Light");
    package.add(&Export::new(actor, "Lamp").flagged(flags::RESOURCE | flags::HAS_STACK), |out| {
        out.bytes(lead);
        write_state_frame(out, &StateFrame::idle(actor));
        write_properties(out, &Properties::new().int("Hue", 40).name("Event", "Lamp"));
    });
    let plain = package.class("Engine", "Shader");
    package.add(&Export::new(plain, "Empty"), |out| {
        out.bytes(lead);
        write_properties(out, &Properties::new());
    });
    package.finish()
}

#[test]
fn what_stands_in_front_of_the_objects_of_swat_4_is_passed_over() {
    let numbers = |list: &[u32]| list.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    for lead in [vec![], numbers(&[3, 1, 0]), numbers(&[3, 2, 1, 9]), numbers(&[4, 1])] {
        let file = open_whole("Made.utx", led(&lead));
        assert_eq!(file.codes(), ["unreal.newer-engine"], "{lead:?}");
        assert!(matches!(quiet_asset(&file, file.entry("Wall")), Asset::Picture(_)), "{lead:?}");
        assert_eq!(value(&file, "Lamp", "Hue"), Value::Int(40), "{lead:?}");
        let size = lead.len() as u64;
        let wanted = (size > 0).then_some((Value::Opaque("object header"), size));
        for path in ["Wall", "Lamp", "Empty"] {
            assert_eq!(opaque(&file, path, "Header"), wanted, "{path} {lead:?}");
        }
    }
}

#[test]
fn a_lead_of_unknown_numbers_is_found_by_the_properties_behind_it() {
    let lead = [0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE];
    let file = open("Made.utx", led(&lead)).checked();
    for path in ["Wall", "Lamp"] {
        assert_eq!(opaque(&file, path, "Header"), Some((Value::Opaque("object header"), 7)), "{path}");
    }
    assert!(matches!(quiet_asset(&file, file.entry("Wall")), Asset::Picture(_)));
    assert_eq!(value(&file, "Lamp", "Event"), Value::Text("Lamp".to_owned()));
    // Where no property follows, nothing tells where the list begins.
    assert_eq!(messages(&file)[1..], ["Shader: 1 object is not read completely (class from a newer engine)"]);
}

/// A texture with a list of compressed mips, which its properties state.
fn both(palette: Ref) -> TextureData {
    let rgba: Vec<Mip> = [(8_u32, 8_u32), (4, 4)]
        .map(|(width, height)| Mip { width, height, bytes: [200, 40, 40, 255].repeat((width * height) as usize) })
        .to_vec();
    TextureData { compressed: Some(CompressedMips::dxt1(&rgba)), ..p8(8, 8, palette) }
}

#[test]
fn compressed_mips_of_later_versions_are_read_where_they_are() {
    for version in [83, 84, 106, 107] {
        let (mut package, palette) = writer(version);
        add(&mut package, "Both", &both(palette));
        let file = open_whole("Made.utx", package.finish());
        let picture = picture_in(quiet_asset(&file, file.entry("Both")));
        let forms: Vec<(&str, usize)> = picture.forms.iter().map(|form| (&*form.name, form.mips.len())).collect();
        assert_eq!(forms, [("P8", 4), ("DXT1", 2)], "version {version}");
        let color = &picture.forms[1].mips[0].rgba[..3];
        assert!(color.iter().zip([200, 40, 40]).all(|(is, was)| is.abs_diff(was) < 8), "version {version}: {color:?}");
    }
}

#[test]
fn bytes_behind_the_mips_that_are_no_list_cost_the_picture_nothing() {
    for (rest, unread) in [(&[][..], None), (&[3, 9, 9, 9, 9, 9, 9, 9, 9][..], Some(9))] {
        let (mut package, palette) = writer(106);
        let class = package.class("Engine", "Texture");
        let said = TextureData { properties: Properties::new().bool("bHasComp", true), ..p8(8, 8, palette) };
        package.add(&Export::new(class, "Wall"), |out| {
            write_texture(out, &said);
            out.bytes(rest);
        });
        let file = open_whole("Made.utx", package.finish());
        assert_eq!(file.codes(), ["unreal.newer-engine"]);
        let picture = picture_in(quiet_asset(&file, file.entry("Wall")));
        assert_eq!(picture.forms.iter().map(|form| &*form.name).collect::<Vec<_>>(), ["P8"]);
        let wanted = unread.map(|size| (Value::Opaque("class data"), size));
        assert_eq!(opaque(&file, "Wall", "Unread data"), wanted);
    }
    // Undying's textures have none from version 84 on, whatever they say.
    let (mut package, palette) = writer(85);
    let said = TextureData { properties: Properties::new().bool("bHasComp", true), ..p8(8, 8, palette) };
    add(&mut package, "Wall", &said);
    let file = open_whole("Made.utx", package.finish());
    assert_eq!(codes(&file.diagnostics), [""; 0]);
    let picture = picture_in(quiet_asset(&file, file.entry("Wall")));
    assert_eq!(picture.forms.len(), 1);
}
