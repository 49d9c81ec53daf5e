//! Unreal sample packages: textures, a creature with its script, a tune, and levels.

mod blocks;
mod creatures;
mod flag;
mod font;
mod level;
mod lights;
mod ossie;
mod pack;
mod pennant;
mod picture;
mod room;
mod screenshot;
mod script;
pub mod sounds;
mod textures;
mod tree;
pub mod tune;
mod walls;
mod yard;
mod yard_pictures;
mod yard_place;

use bonebox::formats::unreal::encode::{Export, PackageWriter, Properties, write_music};

use super::SampleFile;

pub fn files() -> Vec<SampleFile> {
    let (psk, psa) = super::ossie_model();
    let mut files = vec![
        SampleFile { name: "Bonebox.u", bytes: creatures::package(&psk, &psa) },
        SampleFile { name: "BoneRoom.unr", bytes: room::package() },
        SampleFile { name: "BoneYard.unr", bytes: yard::package() },
        SampleFile { name: "BoneboxFX.utx", bytes: textures::package() },
        SampleFile { name: "BoneTune.umx", bytes: music() },
        SampleFile { name: "BonePack.umod", bytes: pack::installer() },
    ];
    files.extend(pennant::files());
    files
}

fn music() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Music");
    package.add(&Export::new(class, "BoneTune"), |out| write_music(out, &Properties::new(), "mod", &tune::module()));
    package.finish()
}
