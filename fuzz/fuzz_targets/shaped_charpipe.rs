//! Character-pipeline blocks, banks and textures of valid shape, spoilt.
#![no_main]

#[path = "../../benches/made_charpipe/mod.rs"]
#[allow(dead_code)]
mod made_charpipe;
#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::{
    Asset,
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

fn bones(file: &File) -> usize {
    usize::from(file.bones % 12).max(1)
}

fn block(file: &File) -> Vec<u8> {
    made_charpipe::block(bones(file), 20 * usize::from(file.rings % 4).max(2))
}

fn says(file: &File, read: &shape::Read) {
    let assets = || read.assets.iter().flatten();
    match file.kind % 4 {
        kind @ (0 | 1) => {
            let models =
                || assets().filter_map(|asset| if let Asset::Model(model) = asset { Some(model) } else { None });
            let has_all = |joints: usize| joints == bones(file);
            let whole = models()
                .filter(|model| model.skeleton.as_ref().is_some_and(|skeleton| has_all(skeleton.joints().len())));
            assert!(whole.count() > usize::from(kind), "{:?}", read.assets);
        }
        2 => assert!(assets().any(|asset| matches!(asset, Asset::Clip(_)))),
        _ => assert_eq!(assets().count(), file.textures.len().min(6)),
    }
}

libfuzzer_sys::fuzz_target!(|input: shape::Input<File>| {
    let write = |file: &File| match file.kind % 4 {
        0 => ("fuzz.model", block(file)),
        1 => ("fuzz.model", encode_archive(&[block(file), block(file)])),
        2 => {
            let keys = usize::from(file.keys % 8).max(1);
            ("fuzz.anm", made_charpipe::bank(bones(file), keys, file.is_curved))
        }
        _ => {
            let texture = |(format, width, height): &(u8, u8, u8)| {
                let format = TextureFormat::ALL[usize::from(*format) % TextureFormat::ALL.len()];
                let (width, height) = (u16::from(width % 16).max(1), u16::from(height % 16).max(1));
                Texture::new(format, width, height, vec![0x80; usize::from(width) * usize::from(height) * 4])
            };
            ("fuzz.tpl", encode_tpl(&file.textures.iter().take(6).map(texture).collect::<Vec<_>>()))
        }
    };
    shape::run(input, write, says);
});
