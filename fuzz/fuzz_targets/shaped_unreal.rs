//! Packages of valid shape, spoilt: groups in groups, exports that refer to each other, structs in structs, arrays, textures with mips.
#![no_main]

#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::unreal::encode::{
    Export, Mip, PackageWriter, Properties, Ref, TextureData, Value, mip_sizes, write_palette, write_properties,
    write_sound, write_text_buffer, write_texture,
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

#[derive(Debug, Arbitrary)]
struct File {
    version: u8,
    objects: Vec<Object>,
}

#[derive(Debug, Arbitrary)]
struct Object {
    kind: u8,
    /// Of an object before, which this one lies in.
    outer: u8,
    /// Of an object before, which this one refers to.
    link: u8,
    name: u8,
    number: u8,
    depth: u8,
}

/// Properties in a struct in a struct: vectors, which games' own structs have in lists of tags too.
fn nested(depth: u8, at: Ref) -> Value {
    match depth % 12 {
        0 => Value::Object(at),
        1 => Value::vector(1.0, 2.0, 3.0),
        2 => Value::Name("Deep".to_owned()),
        depth => Value::Array(vec![nested(depth - 1, at); usize::from(depth % 3)]),
    }
}

fn package(file: &File) -> Vec<u8> {
    let version = [61, 62, 68, 69, 73, 83, 100][usize::from(file.version) % 7];
    let mut package = PackageWriter::new(version, 0);
    let class = |package: &mut PackageWriter, name: &str| package.class("Engine", name);
    let mut made = vec![Ref::NULL];
    for (index, object) in file.objects.iter().take(24).enumerate() {
        let pick = |which: u8| made[usize::from(which) % made.len()];
        let (outer, link) = (pick(object.outer), pick(object.link));
        // Names are shared by some, and long ones are cut.
        let name = format!("Object{}{}", object.name % 8, "x".repeat(usize::from(object.name / 2)));
        let name = if object.name % 3 == 0 { name } else { format!("{name}{index}") };
        let number = object.number;
        let added = match object.kind % 6 {
            0 => package.group(&name),
            1 => {
                let class = class(&mut package, "Light");
                let properties = Properties::new()
                    .byte("LightBrightness", number)
                    .object("Link", link)
                    .with("Inner", nested(object.depth, link))
                    .string("Title", &name);
                package.add(&Export::new(class, &name).inside(outer), |out| write_properties(out, &properties))
            }
            2 => {
                let class = class(&mut package, "Palette");
                let colors = vec![[number; 3]; 256];
                package.add(&Export::new(class, &name).inside(outer), |out| write_palette(out, &colors))
            }
            3 => {
                let class = class(&mut package, "Texture");
                let side = 1 << (number % 6);
                let mip =
                    |(width, height): (u32, u32)| Mip { width, height, bytes: vec![number; (width * height) as usize] };
                let data = TextureData {
                    palette: link,
                    mips: mip_sizes(side, side).into_iter().map(mip).collect(),
                    ..TextureData::default()
                };
                package.add(&Export::new(class, &name).inside(outer), |out| write_texture(out, &data))
            }
            4 => {
                let class = class(&mut package, "Sound");
                package.add(&Export::new(class, &name).inside(outer), |out| {
                    write_sound(out, &Properties::new(), "WAV", &[number; 60])
                })
            }
            _ => {
                let class = class(&mut package, "TextBuffer");
                package.add(&Export::new(class, &name).inside(outer), |out| {
                    write_text_buffer(out, &name.repeat(usize::from(number % 8)))
                })
            }
        };
        made.push(added);
    }
    package.finish()
}

libfuzzer_sys::fuzz_target!(|input: shape::Input<File>| {
    // Its own links may already be wrong: a texture whose palette is a light.
    shape::run_linked(
        input,
        |file| ("fuzz.u", package(file)),
        |file, read| {
            let entries = read.document.outline().entries().len();
            assert!(entries > file.objects.len().min(24), "{entries}");
        },
    );
});
