//! `BoneRoom.unr`: two rooms with light and shadow, a door that slides, and whom the bone box belongs to.

use bonebox::formats::unreal::encode::{
    Bounds, BspSurface, Export, Leaf, LevelData, ModelData, PackageWriter, Poly, Properties, ReachSpec, Ref,
    StateFrame, TextureData, Value, Zone, flags, write_level, write_model, write_palette, write_polys,
    write_properties, write_state_frame, write_texture,
};
use glam::Vec3;

use super::blocks::{Block, Face, Place, Surface, across, door};
use super::lights::{LAMPS, extent, light};
use super::tree::Tree;
use super::{creatures, screenshot, textures};

/// Where the visitor starts, and how far turned.
pub const START: Vec3 = Vec3::new(-404.0, -60.0, 47.0);
pub const START_YAW: i32 = 1_820;

/// Where the door hangs: drawn up most of the way.
const DOOR: Vec3 = Vec3::new(288.0, 0.0, 188.0);

/// Vectors and points, each once.
#[derive(Default)]
struct Pool(Vec<[f32; 3]>);

impl Pool {
    fn index(&mut self, value: Vec3) -> i32 {
        // Adding zero turns −0 into 0.
        let value = (value + Vec3::ZERO).to_array();
        let known = self.0.iter().position(|known| *known == value);
        known.unwrap_or_else(|| {
            self.0.push(value);
            self.0.len() - 1
        }) as i32
    }
}

struct Maker {
    package: PackageWriter,
    info: Ref,
    actors: Vec<Ref>,
}

impl Maker {
    fn engine(&mut self, class: &str) -> Ref {
        self.package.class("Engine", class)
    }

    fn texture(&mut self, path: [&str; 2]) -> Ref {
        match path[1] {
            "Campfire" => self.package.external(("Fire", "FireTexture"), textures::PACKAGE, &path),
            "Pond" => self.package.external(("Fire", "WaveTexture"), textures::PACKAGE, &path),
            _ => textures::import(&mut self.package, path),
        }
    }

    /// An actor of the level: what every actor has, then its own.
    fn actor(&mut self, class: Ref, name: &str, zone: usize, own: Properties) -> Ref {
        let class_name = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let region = Value::point_region(self.info, zone as i32 - 1, zone as u8);
        let common = Properties::new().object("Level", self.info).name("Tag", &class_name).with("Region", region);
        let actor = self.package.export(&Export::new(class, name).flagged(flags::ACTOR));
        self.package.write(actor, |out| {
            write_state_frame(out, &StateFrame::idle(class));
            write_properties(out, &common.and(own));
        });
        self.actors.push(actor);
        actor
    }

    /// A box as the editor keeps it: polygons, and a model that names them.
    fn brush_model(&mut self, name: &str, block: &Block, actor: Ref) -> Ref {
        let mut polys = Vec::new();
        for side in 0..6 {
            let (axis, positive) = (side / 2, side % 2 == 1);
            let [right, down] = across(axis, positive);
            let size = block.high - block.low;
            let (width, height) = (size.dot(right.abs()), size.dot(down.abs()));
            let middle = (block.low + block.high) * 0.5 + right.cross(down) * size[axis] * 0.5;
            let corner = middle - right * width * 0.5 - down * height * 0.5 + Vec3::ZERO;
            let corners =
                [corner, corner + right * width, corner + right * width + down * height, corner + down * height];
            let skin = block.skins[side];
            polys.push(Poly {
                base: corner.to_array(),
                normal: right.cross(down).to_array(),
                texture_u: (right * skin.scale[0]).to_array(),
                texture_v: (down * skin.scale[1]).to_array(),
                vertices: corners.map(|at| at.to_array()).to_vec(),
                flags: skin.flags,
                brush: actor,
                texture: self.texture(skin.texture),
                item: ["West", "East", "North", "South", "Bottom", "Top"][side].to_owned(),
                link: side as i32,
                brush_poly: side as i32,
                pan: [0; 2],
            });
        }
        let (model_class, polys_class) = (self.engine("Model"), self.engine("Polys"));
        let data =
            self.package.export(&Export::new(polys_class, &name.replace("Model", "Polys")).flagged(flags::RESOURCE));
        self.package.write(data, |out| write_polys(out, &polys));
        let model = ModelData {
            bounds: Bounds { min: block.low.to_array(), max: block.high.to_array() },
            polys: data,
            root_outside: true,
            ..ModelData::default()
        };
        self.package.add(&Export::new(model_class, name).flagged(flags::RESOURCE), |out| write_model(out, &model))
    }

    /// Brushes stand where their middle is.
    fn brush(&mut self, number: usize, block: &Block) -> Ref {
        const SUBTRACT: u8 = 2;
        const ADD: u8 = 1;
        let middle = (block.low + block.high) * 0.5;
        let local = Block { low: block.low - middle, high: block.high - middle, name: block.name, ..*block };
        let class = self.engine("Brush");
        let actor = self.package.export(&Export::new(class, &format!("Brush{number}")).flagged(flags::ACTOR));
        let model = self.brush_model(&format!("Model{}", number + 1), &local, actor);
        let own = Properties::new()
            .byte("CsgOper", if block.cut { SUBTRACT } else { ADD })
            .with("MainScale", Value::scale(1.0, 1.0, 1.0))
            .with("PostScale", Value::scale(1.0, 1.0, 1.0))
            .with("TempScale", Value::scale(1.0, 1.0, 1.0))
            .object("Level", self.info)
            .name("Tag", "Brush")
            .string("Group", block.name)
            .with("Location", Value::vector(middle.x, middle.y, middle.z))
            .object("Brush", model);
        self.package.write(actor, |out| {
            write_state_frame(out, &StateFrame::idle(class));
            write_properties(out, &own);
        });
        self.actors.push(actor);
        actor
    }
}

fn at(place: Vec3) -> Properties {
    Properties::new().with("Location", Value::vector(place.x, place.y, place.z))
}

pub fn package() -> Vec<u8> {
    let place = Place::new();
    let (surfaces, faces) = place.faces();
    let mut maker = Maker { package: PackageWriter::new(69, 0), info: Ref::NULL, actors: Vec::new() };
    let level_class = maker.engine("Level");
    let level = maker.package.export(&Export::new(level_class, "MyLevel"));

    let info_class = maker.engine("LevelInfo");
    maker.info = maker.package.export(&Export::new(info_class, "LevelInfo0").flagged(flags::ACTOR));
    maker.actors.push(maker.info);
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
    let target = maker.info;
    maker.package.write(target, |out| {
        write_state_frame(out, &StateFrame::idle(info_class));
        write_properties(out, &info);
    });

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

    let model = level_model(&mut maker, &place, (&surfaces, &faces), (&brushes, &lamps), zone);
    let polys_class = maker.engine("Polys");
    let model_class = maker.engine("Model");
    let polys = maker.package.add(&Export::new(polys_class, "Polys0"), |out| write_polys(out, &[]));
    let data = ModelData { polys, ..model };
    let model = maker.package.add(&Export::new(model_class, "Model0"), |out| write_model(out, &data));
    let way =
        |start: Ref, end: Ref| ReachSpec { distance: 912, start, end, radius: 40, height: 40, flags: 1, pruned: false };
    let data = LevelData {
        actors: maker.actors.clone(),
        protocol: "unreal".to_owned(),
        map: "BoneRoom.unr".to_owned(),
        port: 7777,
        model,
        reach_specs: vec![way(ends[0], ends[1]), way(ends[1], ends[0])],
        time_secs: 12.5,
        ..LevelData::default()
    };
    maker.package.write(level, |out| write_level(out, &data));
    maker.package.finish()
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
    let mover = maker.engine("Mover");
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

    let panel = door();
    let actor = maker.package.export(&Export::new(mover, "Mover0").flagged(flags::ACTOR));
    let model = maker.brush_model("MoverModel0", &panel, actor);
    let state = maker.package.import("Engine", "State", mover, "TriggerToggle");
    let own = at(DOOR)
        .and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 0.0, -108.0)))
        .byte("KeyNum", 0)
        .float("MoveTime", 1.4)
        .with("BasePos", Value::vector(DOOR.x, DOOR.y, DOOR.z))
        .object("Level", maker.info)
        .name("Tag", "Door")
        .object("Brush", model);
    maker.package.write(actor, |out| {
        write_state_frame(
            out,
            &StateFrame {
                node: state,
                state_node: state,
                probe_mask: 0x8000_0000_0000_0001,
                latent_action: 0,
                offset: 0,
            },
        );
        write_properties(out, &own);
    });
    maker.actors.push(actor);
    [start, path]
}

/// The rooms' own model: the tree of faces, and the light on them.
fn level_model(
    maker: &mut Maker,
    place: &Place,
    (surfaces, faces): (&[Surface], &[Face]),
    (brushes, lamps): (&[Ref], &[Ref]),
    nook: Ref,
) -> ModelData {
    let lit = light(surfaces, faces);
    let mut tree = Tree::new(place, faces.to_vec());
    let (mut vectors, mut points) = (Pool::default(), Pool::default());
    let surfaces: Vec<BspSurface> = surfaces
        .iter()
        .enumerate()
        .map(|(index, surface)| {
            let [right, down] = across(surface.axis, surface.positive);
            let (corner, ..) = extent(index, surfaces, faces);
            let skin = surface.skin;
            BspSurface {
                texture: maker.texture(skin.texture),
                flags: skin.flags,
                base: points.index(corner),
                normal: vectors.index(right.cross(down)),
                texture_u: vectors.index(right * skin.scale[0]),
                texture_v: vectors.index(down * skin.scale[1]),
                light_map: lit.of_surface[index].map_or(-1, |map| map as i32),
                brush_poly: (surface.axis * 2 + usize::from(surface.positive)) as i32,
                pan: [0; 2],
                actor: surface.block.map_or(Ref::NULL, |block| brushes[block]),
            }
        })
        .collect();
    let mut vertices = Vec::new();
    for (node, face) in tree.nodes.iter_mut().zip(&tree.faces) {
        node.vertex_pool = vertices.len() as i32;
        let [right, down] = across(face.axis, face.positive);
        let size = face.high - face.low;
        let (width, height) = (size.dot(right.abs()), size.dot(down.abs()));
        let corner = face.middle() - right * width * 0.5 - down * height * 0.5;
        for at in [corner, corner + right * width, corner + right * width + down * height, corner + down * height] {
            vertices.push([points.index(at), -1]);
        }
    }
    let all = 0b110;
    let zone = |actor: Ref| Zone { actor, connectivity: all, visibility: all };
    let leaf = |zone: &usize| Leaf { zone: *zone as i32, permeating: -1, volumetric: -1, visible_zones: all };
    ModelData {
        bounds: Bounds::of(points.0.iter().copied()),
        vectors: vectors.0,
        points: points.0,
        nodes: tree.nodes,
        surfaces,
        vertices,
        shared_sides: 4,
        // The hall has no actor of its own: it is as the level is.
        zones: vec![zone(Ref::NULL), zone(Ref::NULL), zone(nook)],
        light_maps: lit.maps,
        light_bits: lit.bits,
        leaves: tree.leaf_zones.iter().map(leaf).collect(),
        lights: lit.lists.iter().map(|lamp| lamp.map_or(Ref::NULL, |lamp| lamps[lamp])).collect(),
        ..ModelData::default()
    }
}
