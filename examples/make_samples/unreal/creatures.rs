//! `Bonebox.u`: classes with their scripts, meshes and sounds.

use bonebox::formats::{
    actorx::{Psa, Psk},
    unreal::encode::{
        Export, PackageWriter, Properties, Ref, write_animation, write_lod_mesh, write_skeletal_mesh, write_sound,
        write_text_buffer,
    },
};

use super::{flag, ossie, script, sounds, textures};

/// The package's name, as other packages import it.
pub const PACKAGE: &str = "Bonebox";

const README: &str = "The bone box's own package.\r\n\r\nOssieBox is a creature with a skeleton and two animations, \
    BoneFlag a mesh whose vertices move, and both are classes with a script. Their textures are in BoneboxFX.utx, \
    the room where they live is BoneRoom.unr, and the tune that plays there is BoneTune.umx.\r\n";

pub fn package(psk: &Psk, psa: &Psa) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let texts = package.class("Core", "TextBuffer");
    package.add(&Export::new(texts, "ReadMe"), |out| write_text_buffer(out, README));

    let group = package.group("Sounds");
    let sound = package.class("Engine", "Sound");
    let add = |package: &mut PackageWriter, name: &str, file: &[u8]| {
        let export = Export::new(sound, name).inside(group);
        package.add(&export, |out| write_sound(out, &Properties::new(), "WAV", file))
    };
    let bark = add(&mut package, "Bark", &sounds::wav(&sounds::bark(), 16, None));
    let bell = add(&mut package, "Bell", &sounds::wav(&sounds::bell(), 8, None));
    let (hum, repeat) = sounds::hum();
    add(&mut package, "Hum", &sounds::wav(&hum, 8, Some(repeat)));

    let ossie = creature(&mut package, psk, psa);
    let (cloth, pole) =
        (textures::import(&mut package, textures::FLAG), textures::import(&mut package, textures::POLE));
    let (mesh, lod) = flag::mesh(cloth, pole);
    let class = package.class("Engine", "LodMesh");
    let flag = package.add(&Export::new(class, "FlagMesh"), |out| write_lod_mesh(out, &mesh, &lod));
    script::classes(&mut package, &script::Content { bark, bell, ossie, flag });
    package.finish()
}

fn creature(package: &mut PackageWriter, psk: &Psk, psa: &Psa) -> Ref {
    let (skeletal_class, animation_class) =
        (package.class("Engine", "SkeletalMesh"), package.class("Engine", "Animation"));
    let (bones, moves, sequences) = ossie::animation(psa);
    let animation =
        package.add(&Export::new(animation_class, "OssieAnim"), |out| write_animation(out, &bones, &moves, &sequences));
    let (coat, eyes) = (textures::import(package, textures::SKIN), textures::import(package, textures::EYES));
    let (mesh, lod, skeletal) = ossie::mesh(psk, coat, eyes, animation);
    package.add(&Export::new(skeletal_class, "OssieMesh"), |out| write_skeletal_mesh(out, &mesh, &lod, &skeletal))
}
