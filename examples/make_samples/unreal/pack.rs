//! `BonePack.umod`: a mod for the game's installer with a mesh in one package, its textures in another, and a tune with the
//! compression of servers.

use bonebox::formats::{
    containers::encode::{umod, uz},
    unreal::encode::{Export, PackageWriter, write_lod_mesh},
};

use super::{flag, textures};

/// The package of the mod's textures, as its other one imports it.
const TEXTURES: &str = "BonePackFX";

const INI: &str = "[Setup]\r\nProduct=BonePack\r\nVersion=1\r\nArchive=BonePack.umod\r\nGroup=SetupGroup\r\nGroup=PackGroup\r\n\r\n\
    [SetupGroup]\r\nCopy=(Src=System\\Manifest.ini,Master=System\\Manifest.ini,Flags=3)\r\n\
    Copy=(Src=System\\Manifest.int,Master=System\\Manifest.int,Flags=3)\r\n\r\n\
    [PackGroup]\r\nFile=(Src=System\\BonePack.u)\r\nFile=(Src=Textures\\BonePackFX.utx)\r\nFile=(Src=Music\\BoneTune.umx.uz)\r\n\
    File=(Src=Help\\BonePack.txt)\r\n";
const INT: &str = "[Setup]\r\nLocalProduct=The bone pack\r\nDeveloper=Bonebox\r\nReadMe=Help\\BonePack.txt\r\n";
const README: &str = "The bone pack: a banner, whose textures lie in a package beside its own, and a tune.\r\nIt is a sample of Bonebox.\r\n";
/// Of members that are not installed.
const SETUP_ONLY: u32 = 3;

pub fn installer() -> Vec<u8> {
    let (system, pictures, tune) = (package(), textures::banner(), uz("BoneTune.umx", &super::music(), false));
    umod(&[
        ("System\\Manifest.ini", INI.as_bytes(), SETUP_ONLY),
        ("System\\Manifest.int", INT.as_bytes(), SETUP_ONLY),
        ("System\\BonePack.u", &system, 0),
        ("Textures\\BonePackFX.utx", &pictures, 0),
        ("Music\\BoneTune.umx.uz", &tune, 0),
        ("Help\\BonePack.txt", README.as_bytes(), 0),
    ])
}

fn package() -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let import = |package: &mut PackageWriter, path| package.external(("Engine", "Texture"), TEXTURES, path);
    let cloth = import(&mut package, &textures::BANNER);
    let pole = import(&mut package, &textures::BANNER_POLE);
    let (mesh, lod) = flag::mesh(cloth, pole);
    let class = package.class("Engine", "LodMesh");
    package.add(&Export::new(class, "BannerMesh"), |out| write_lod_mesh(out, &mesh, &lod));
    package.finish()
}
