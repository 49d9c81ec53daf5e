//! Character-pipeline blocks, banks and textures of valid shape, spoilt.
#![no_main]

#[path = "../../benches/made_charpipe/mod.rs"]
#[allow(dead_code)]
mod made_charpipe;
#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::{
    charpipe::encode::{Texture, encode_archive, encode_tpl},
    gx::encode::TextureFormat,
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

#[derive(Debug, Arbitrary)]
struct File {
    kind: u8,
    bones: u8,
    rings: u8,
    keys: u8,
    is_curved: bool,
    textures: Vec<(u8, u8, u8)>,
}

fn block(file: &File) -> Vec<u8> {
    let bones = usize::from(file.bones % 24).max(1);
    made_charpipe::block(bones, 20 * usize::from(file.rings % 6).max(2))
}

libfuzzer_sys::fuzz_target!(|input: shape::Input<File>| {
    shape::run(input, |file| match file.kind % 4 {
        0 => ("fuzz.model", block(file)),
        1 => ("fuzz.model", encode_archive(&[block(file), block(file)])),
        2 => {
            let (bones, keys) = (usize::from(file.bones % 24).max(1), usize::from(file.keys % 12).max(1));
            ("fuzz.anm", made_charpipe::bank(bones, keys, file.is_curved))
        }
        _ => {
            let texture = |(format, width, height): &(u8, u8, u8)| {
                let format = TextureFormat::ALL[usize::from(*format) % TextureFormat::ALL.len()];
                let (width, height) = (u16::from(width % 16).max(1), u16::from(height % 16).max(1));
                Texture::new(format, width, height, vec![0x80; usize::from(width) * usize::from(height) * 4])
            };
            ("fuzz.tpl", encode_tpl(&file.textures.iter().take(6).map(texture).collect::<Vec<_>>()))
        }
    });
});
