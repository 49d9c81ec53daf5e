//! `BoneRoom.unr`: two rooms with light and shadow, a sliding door, and the owner of the bone box.

use bonebox::formats::unreal::encode::{
    Export, Properties, ReachSpec, Ref, TextureData, Value, write_palette, write_properties, write_texture,
};
use glam::Vec3;

use super::blocks::{Face, Place, Surface, door};
use super::level::{Maker, at, level_model};
use super::lights::LAMPS;
use super::{creatures, screenshot};

/// Where the visitor starts, and how far turned.
pub const START: Vec3 = Vec3::new(-404.0, -60.0, 47.0);
pub const START_YAW: i32 = 1_820;

/// Where the door hangs: drawn up most of the way.
const DOOR: Vec3 = Vec3::new(288.0, 0.0, 188.0);

pub fn package() -> Vec<u8> {
    let place = Place::room();
    let (surfaces, faces) = place.faces();
    let mut maker = Maker::new();
    let screenshot = picture(&mut maker, &surfaces, &faces);
    let card = card(&mut maker, screenshot);
    let summary = maker.engine("LevelSummary");
    maker.package.add(&Export::new(summary, "LevelSummary"), |out| write_properties(out, &card));
    let info = card
        .string("LevelEnterText", "Mind the bone.")
        .byte("AmbientBrightness", 22)
        .byte("AmbientHue", 170)
        .byte("AmbientSaturation", 190)
        .float("TimeSeconds", 12.5);
    maker.say(&info);

    let brushes: Vec<Ref> = place.blocks.iter().enumerate().map(|(index, block)| maker.brush(index, block)).collect();
    let zone_class = maker.engine("ZoneInfo");
    let zone = maker.actor(
        zone_class,
        "ZoneInfo0",
        2,
        at(Vec3::new(544.0, 120.0, 40.0))
            .string("ZoneName", "The Nook")
            .byte("AmbientBrightness", 18)
            .byte("AmbientHue", 16)
            .byte("AmbientSaturation", 150),
    );
    let light_class = maker.engine("Light");
    let glow = maker.texture(["Effects", "Glow"]);
    let mut lamps = Vec::new();
    for (number, lamp) in LAMPS.iter().enumerate() {
        let own = at(lamp.at).byte("Style", 3).object("Texture", glow).and(lamp.properties());
        let zone = place.zone(lamp.at);
        lamps.push(maker.actor(light_class, &format!("Light{number}"), zone, own));
    }
    let ends = things(&mut maker);

    // The hall has no actor of its own: it is as the level is.
    let model = level_model(&mut maker, &place, (&surfaces, &faces), (&brushes, &lamps, &LAMPS), &[Ref::NULL, zone]);
    let way =
        |start: Ref, end: Ref| ReachSpec { distance: 912, start, end, radius: 40, height: 40, flags: 1, pruned: false };
    maker.finish("BoneRoom.unr", model, vec![way(ends[0], ends[1]), way(ends[1], ends[0])], 12.5)
}

fn card(maker: &mut Maker, screenshot: Ref) -> Properties {
    let song = maker.package.external(("Engine", "Music"), "BoneTune", &["BoneTune"]);
    Properties::new()
        .string("Title", "The Bone Box's Room")
        .string("Author", "Bonebox")
        .string("IdealPlayerCount", "1 box, 1 friend")
        .object("Song", song)
        .object("Screenshot", screenshot)
}

/// A picture of the room as its start sees it.
fn picture(maker: &mut Maker, surfaces: &[Surface], faces: &[Face]) -> Ref {
    let made = screenshot::screenshot(surfaces, faces).paletted();
    let (palette_class, texture_class) = (maker.engine("Palette"), maker.engine("Texture"));
    let palette =
        maker.package.add(&Export::new(palette_class, "ScreenshotPal"), |out| write_palette(out, &made.palette));
    let data = TextureData { palette, mips: vec![made.mips[0].clone()], ..TextureData::default() };
    maker.package.add(&Export::new(texture_class, "Screenshot"), |out| write_texture(out, &data))
}

/// Whom and what one meets; returns the two ends of the way through the rooms.
fn things(maker: &mut Maker) -> [Ref; 2] {
    let start = maker.engine("PlayerStart");
    let path = maker.engine("PathNode");
    let sound = maker.engine("AmbientSound");
    let turned = |yaw: i32| Value::rotator(0, yaw, 0);
    let start = maker.actor(start, "PlayerStart0", 1, at(START).with("Rotation", turned(START_YAW)));
    let path = maker.actor(path, "PathNode0", 2, at(Vec3::new(512.0, 0.0, 47.0)));
    let bell = maker.package.external(("Engine", "Sound"), creatures::PACKAGE, &["Sounds", "Hum"]);
    let hum =
        at(Vec3::new(780.0, 0.0, 40.0)).object("AmbientSound", bell).byte("SoundRadius", 20).byte("SoundVolume", 90);
    maker.actor(sound, "AmbientSound0", 2, hum);

    let ossie = maker.package.class(creatures::PACKAGE, "OssieBox");
    let mesh = maker.package.external(("Engine", "SkeletalMesh"), creatures::PACKAGE, &["OssieMesh"]);
    let own = at(Vec3::new(-64.0, 0.0, 32.0))
        .with("Rotation", turned(32_768 + START_YAW))
        .byte("DrawType", 2)
        .object("Mesh", mesh)
        .name("AnimSequence", "Walk");
    maker.actor(ossie, "OssieBox0", 1, own);
    let flag = maker.package.class(creatures::PACKAGE, "BoneFlag");
    let mesh = maker.package.external(("Engine", "LodMesh"), creatures::PACKAGE, &["FlagMesh"]);
    for (number, side) in [-1.0f32, 1.0].into_iter().enumerate() {
        let own = at(Vec3::new(232.0, 88.0 * side, 90.0))
            .with("Rotation", turned(16_384 * side as i32))
            .byte("DrawType", 2)
            .object("Mesh", mesh)
            .float("DrawScale", 1.5)
            .name("AnimSequence", "Breeze");
        maker.actor(flag, &format!("BoneFlag{number}"), 1, own);
    }

    let own = at(DOOR)
        .and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 0.0, -108.0)))
        .byte("KeyNum", 0)
        .float("MoveTime", 1.4)
        .with("BasePos", Value::vector(DOOR.x, DOOR.y, DOOR.z))
        .name("Tag", "Door");
    maker.mover(0, &door(), own);
    [start, path]
}
