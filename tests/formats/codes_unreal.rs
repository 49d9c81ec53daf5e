//! R12: a file for each diagnostic code of Unreal packages.

use crate::{
    kit::{
        codes::{Trigger, assert_table, with},
        sounds,
    },
    unreal_hostile,
    unreal_map::Room,
    unreal_textures::{add, p8, writer},
};
use bonebox::formats::unreal::encode::{
    Export, Mip, ObjectWriter, PackageWriter, Properties, Ref, TextureData, write_sound, write_text_buffer,
};

fn trigger(code: &'static str, bytes: Vec<u8>) -> Trigger {
    Trigger::new(code, "made.u", bytes)
}

/// A package with one object.
fn object(class: (&str, &str), name: &str, write: impl FnOnce(&mut ObjectWriter<'_>)) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class(class.0, class.1);
    package.add(&Export::new(class, name), write);
    package.finish()
}

fn text(name: &str) -> Vec<u8> {
    object(("Core", "TextBuffer"), name, |out| write_text_buffer(out, "text"))
}

/// Other bytes in the only entry of the export table, counted from the end of the file: class and super of a byte each, outer of
/// four, name of one, flags of four, size of one, offset of two.
fn export(code: &'static str, from_end: usize, bytes: &[u8]) -> Trigger {
    let text = text("Text");
    trigger(code, with(text.clone(), text.len() - from_end, bytes))
}

fn picture(code: &'static str, change: impl FnOnce(&mut TextureData)) -> Trigger {
    let (mut package, palette) = writer(69);
    let mut texture = p8(4, 4, palette);
    change(&mut texture);
    add(&mut package, "Wall", &texture);
    trigger(code, package.finish())
}

fn pictures() -> Vec<Trigger> {
    let mip = |width, height| vec![Mip { width, height, bytes: vec![1; 20] }];
    let mut book = PackageWriter::new(69, 0);
    let next = book.external(("Engine", "Texture"), "Elsewhere", &["Next"]);
    let frame = TextureData { properties: Properties::new().object("AnimNext", next), ..p8(4, 4, Ref::NULL) };
    add(&mut book, "Frame", &frame);
    vec![
        picture("unreal.missing-palette", |texture| texture.palette = Ref::NULL),
        picture("unreal.short-pixels", |texture| texture.mips = mip(8, 8)),
        picture("unreal.picture-too-large", |texture| texture.mips = mip(16_384, 16_384)),
        picture("unreal.unknown-pixel-format", |texture| texture.format = 19),
        trigger("unreal.unresolved-reference", book.finish()),
    ]
}

pub fn triggers() -> Vec<Trigger> {
    let room = |change: fn(&mut Room)| {
        let mut room = Room::new();
        change(&mut room);
        room.bytes()
    };
    let far = u32::MAX.to_le_bytes();
    let cut = &sounds::looped_wav()[..400];
    let sound = object(("Engine", "Sound"), "Cut", |out| write_sound(out, &Properties::new(), "WAV", cut));
    let mut triggers = vec![
        // Where names, exports and imports are.
        trigger("unreal.truncated-table", with(text("Text"), 16, &far)),
        trigger("unreal.truncated-table", with(text("Text"), 24, &far)),
        trigger("unreal.truncated-table", with(text("Text"), 32, &far)),
        export("unreal.export-outside-file", 1, &[0x7F]),
        trigger("unreal.shared-bytes", unreal_hostile::repeated()),
        export("unreal.bad-name-index", 8, &[0x3F]),
        export("unreal.bad-reference", 14, &[0x3F]),
        export("unreal.outer-cycle", 12, &1_u32.to_le_bytes()),
        trigger("unreal.long-name", text(&"N".repeat(100))),
        trigger("unreal.bad-object", object(("Core", "TextBuffer"), "Text", |out| out.u8(0))),
        trigger(
            "unreal.left-over",
            object(("Core", "TextBuffer"), "Text", |out| {
                write_text_buffer(out, "text");
                out.u32(7);
            }),
        ),
        trigger("unreal.unread-class", object(("Engine", "StaticMesh"), "Rock", |out| out.bytes(&[0; 9]))),
        trigger("unreal.newer-engine", with(text("Text"), 4, &[128])),
        trigger("unreal.unknown-version", with(text("Text"), 4, &[200])),
        trigger("unreal.bad-sound", sound),
        trigger("unreal.bad-map-index", room(|room| room.model.nodes[1].surface = 99)),
        trigger("unreal.not-finite", room(|room| room.model.points[5] = [f32::NAN, 0.0, 0.0])),
    ];
    triggers.extend(pictures());
    triggers
}

#[test]
fn every_code_is_raised_by_a_file() {
    assert_table("unreal.", &triggers());
}
