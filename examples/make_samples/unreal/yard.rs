//! `BoneYard.unr`: a yard in the evening with moving parts: a drifting sky, water, fire, a sign, a mirror, a lift.

use bonebox::formats::unreal::encode::{Properties, ReachSpec, Ref, Value};
use glam::Vec3;

use super::level::{Maker, at, level_model};
use super::lights::Lamp;
use super::yard_place::{POND, SKY, YARD, lift, place};
use super::{creatures, yard_pictures};

/// Where the lift waits, by its middle.
const LIFT: Vec3 = Vec3::new(-296.0, -320.0, 4.0);

const LAMPS: [Lamp; 5] = [
    // The last of the sun, over the wall.
    Lamp { at: Vec3::new(-420.0, 60.0, 330.0), hue: 18, saturation: 110, brightness: 200, radius: 40, kind: 1 },
    Lamp { at: Vec3::new(260.0, -40.0, 330.0), hue: 165, saturation: 170, brightness: 110, radius: 32, kind: 1 },
    Lamp { at: Vec3::new(0.0, 0.0, 112.0), hue: 16, saturation: 60, brightness: 230, radius: 16, kind: 4 },
    Lamp { at: Vec3::new(160.0, 104.0, 160.0), hue: 28, saturation: 120, brightness: 210, radius: 14, kind: 1 },
    Lamp { at: Vec3::new(1_856.0, 0.0, 120.0), hue: 12, saturation: 90, brightness: 160, radius: 20, kind: 1 },
];
/// The one at the top of its post.
const LANTERN: usize = 3;

/// Where those walk who know the yard; one goes from each to the next, and back.
const WAY: [Vec3; 5] = [
    Vec3::new(-140.0, -240.0, 47.0),
    Vec3::new(120.0, -200.0, 47.0),
    Vec3::new(140.0, 180.0, 47.0),
    Vec3::new(-120.0, 240.0, 47.0),
    Vec3::new(-140.0, 0.0, 47.0),
];

pub fn package() -> Vec<u8> {
    let place = place();
    let (surfaces, faces) = place.faces();
    let mut maker = Maker::new();
    pictures(&mut maker);
    let song = maker.package.external(("Engine", "Music"), "BoneTune", &["BoneTune"]);
    let info = Properties::new()
        .string("Title", "The Bone Box's Yard")
        .string("Author", "Bonebox")
        .string("IdealPlayerCount", "2 boxes")
        .string("LevelEnterText", "The lift comes when it is called.")
        .object("Song", song)
        .byte("AmbientBrightness", 40)
        .byte("AmbientHue", 170)
        .byte("AmbientSaturation", 170);
    maker.say(&info);
    let brushes: Vec<Ref> = place.blocks.iter().enumerate().map(|(index, block)| maker.brush(index, block)).collect();
    let zones = zones(&mut maker);
    let lamps = lamps(&mut maker, &|at| place.zone(at));
    let nodes = ways(&mut maker);
    things(&mut maker);
    let model = level_model(&mut maker, &place, (&surfaces, &faces), (&brushes, &lamps, &LAMPS), &zones);
    maker.finish("BoneYard.unr", model, reach_specs(&nodes), 0.0)
}

fn pictures(maker: &mut Maker) {
    let none = Properties::new;
    for (name, picture, properties) in [
        ("Clouds", yard_pictures::clouds(), none()),
        ("Dusk", yard_pictures::dusk(), none()),
        ("Pane", yard_pictures::pane(), none().bool("bTransparent", true)),
        ("Stain", yard_pictures::stain(), none().bool("bModulate", true)),
        ("Silver", yard_pictures::silver(), none()),
    ] {
        maker.picture(name, &picture.paletted(), properties);
    }
}

/// What each zone is like, from the first on.
fn zones(maker: &mut Maker) -> [Ref; 3] {
    let [zone, water, sky] = ["ZoneInfo", "WaterZone", "SkyZoneInfo"].map(|class| maker.engine(class));
    let ambient = |own: Properties, brightness: u8, hue: u8, saturation: u8| {
        own.byte("AmbientBrightness", brightness).byte("AmbientHue", hue).byte("AmbientSaturation", saturation)
    };
    let yard = at(Vec3::new(96.0, 0.0, 64.0)).string("ZoneName", "The Yard");
    let pond = at(Vec3::new(-320.0, 0.0, -48.0))
        .string("ZoneName", "The Pond")
        .bool("bWaterZone", true)
        .with("ViewFog", Value::vector(0.02, 0.12, 0.13))
        .with("ViewFlash", Value::vector(-0.25, -0.1, -0.08));
    let room = at(Vec3::new(1_856.0, 0.0, 80.0))
        .string("ZoneName", "The Sky")
        .float("TexUPanSpeed", 0.25)
        .float("TexVPanSpeed", 0.1);
    [
        maker.actor(zone, "ZoneInfo0", YARD, ambient(yard, 44, 176, 160)),
        maker.actor(water, "WaterZone0", POND, ambient(pond, 60, 128, 120)),
        maker.actor(sky, "SkyZoneInfo0", SKY, ambient(room, 90, 20, 140)),
    ]
}

fn lamps(maker: &mut Maker, zone: &dyn Fn(Vec3) -> usize) -> Vec<Ref> {
    let class = maker.engine("Light");
    let glow = maker.texture(["Effects", "Glow"]);
    let mut lamps = Vec::new();
    for (number, lamp) in LAMPS.iter().enumerate() {
        let mut own = at(lamp.at).byte("Style", 3).object("Texture", glow).and(lamp.properties());
        if number == LANTERN {
            own = own.bool("bCorona", true).object("Skin", glow).float("DrawScale", 2.0);
        }
        lamps.push(maker.actor(class, &format!("Light{number}"), zone(lamp.at), own));
    }
    lamps
}

/// Starts, and the points of the way; returns those.
fn ways(maker: &mut Maker) -> Vec<Ref> {
    let [start, node, patrol] = ["PlayerStart", "PathNode", "PatrolPoint"].map(|class| maker.engine(class));
    let turned = |place: Vec3, yaw: i32| at(place).with("Rotation", Value::rotator(0, yaw, 0));
    maker.actor(start, "PlayerStart0", YARD, turned(Vec3::new(-60.0, -280.0, 47.0), 15_000));
    maker.actor(start, "PlayerStart1", YARD, turned(Vec3::new(400.0, 120.0, 47.0), 34_000));
    for (number, place) in WAY.iter().enumerate().step_by(2) {
        let (own, next) = (format!("Round{number}"), format!("Round{}", (number + 2) % 6));
        let own = at(*place + Vec3::new(0.0, 24.0, 0.0)).name("Tag", &own).name("Nextpatrol", &next);
        maker.actor(patrol, &format!("PatrolPoint{}", number / 2), YARD, own);
    }
    let node = |(number, place): (usize, &Vec3)| maker.actor(node, &format!("PathNode{number}"), YARD, at(*place));
    WAY.iter().enumerate().map(node).collect()
}

fn reach_specs(nodes: &[Ref]) -> Vec<ReachSpec> {
    let way = |from: usize, to: usize, pruned: bool| ReachSpec {
        distance: WAY[from].distance(WAY[to]) as i32,
        start: nodes[from],
        end: nodes[to],
        radius: 40,
        height: 40,
        flags: 1,
        pruned,
    };
    let around = (0..WAY.len()).flat_map(|from| {
        let to = (from + 1) % WAY.len();
        [way(from, to, false), way(to, from, false)]
    });
    // Shorter ways lead there too.
    around.chain([way(0, 2, true)]).collect()
}

/// Whom and what one meets.
fn things(maker: &mut Maker) {
    let turned = |place: Vec3, yaw: i32| at(place).with("Rotation", Value::rotator(0, yaw, 0));
    let mesh = maker.package.external(("Engine", "SkeletalMesh"), creatures::PACKAGE, &["OssieMesh"]);
    let ossie = maker.package.class(creatures::PACKAGE, "OssieBox");
    let own = turned(Vec3::new(320.0, -230.0, 0.0), 25_000).byte("DrawType", 2).object("Mesh", mesh);
    maker.actor(ossie, "OssieBox0", YARD, own.name("AnimSequence", "Walk"));

    let mesh = maker.package.external(("Engine", "LodMesh"), creatures::PACKAGE, &["FlagMesh"]);
    let flag = maker.package.class(creatures::PACKAGE, "BoneFlag");
    for (number, side) in [-1.0f32, 1.0].into_iter().enumerate() {
        let own = turned(Vec3::new(-160.0 * side, 360.0, 90.0), 16_384 + 16_384 * side as i32)
            .byte("DrawType", 2)
            .object("Mesh", mesh)
            .float("DrawScale", 1.5)
            .name("AnimSequence", "Breeze");
        maker.actor(flag, &format!("BoneFlag{number}"), YARD, own);
    }

    let decoration = maker.engine("Decoration");
    let spin = maker.texture(["Effects", "Spin_A00"]);
    let own = at(Vec3::new(376.0, 280.0, 140.0)).bool("bHidden", false).byte("DrawType", 1).object("Texture", spin);
    maker.actor(decoration, "Decoration0", YARD, own.float("DrawScale", 1.25));

    let sound = maker.engine("AmbientSound");
    let hum = maker.package.external(("Engine", "Sound"), creatures::PACKAGE, &["Sounds", "Hum"]);
    let own = at(Vec3::new(0.0, 0.0, 60.0)).object("AmbientSound", hum).byte("SoundRadius", 12).byte("SoundVolume", 80);
    maker.actor(sound, "AmbientSound0", YARD, own);

    let trigger = maker.engine("Trigger");
    let own = at(Vec3::new(-200.0, -320.0, 40.0))
        .name("Event", "Lift")
        .float("CollisionRadius", 48.0)
        .float("CollisionHeight", 40.0);
    maker.actor(trigger, "Trigger0", YARD, own);
    // Up to the ledge, and along it.
    let own = at(LIFT)
        .and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 0.0, 96.0)))
        .and(Properties::new().with_element("KeyPos", 2, Value::vector(0.0, 72.0, 96.0)))
        .byte("KeyNum", 0)
        .byte("NumKeys", 3)
        .byte("MoverGlideType", 1)
        .float("MoveTime", 2.0)
        .with("BasePos", Value::vector(LIFT.x, LIFT.y, LIFT.z))
        .name("Tag", "Lift");
    maker.mover(0, &lift(), own);
}
