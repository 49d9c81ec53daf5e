//! Sample levels: actors, brushes, and the model of all walls.

use bonebox::formats::unreal::encode::{
    Bounds, BspSurface, Export, Leaf, LevelData, ModelData, PackageWriter, Poly, Properties, ReachSpec, Ref,
    StateFrame, TextureData, Value, Zone, flags, write_level, write_model, write_palette, write_polys,
    write_properties, write_state_frame, write_texture,
};
use glam::Vec3;

use super::blocks::{Block, Face, Place, Surface, across};
use super::lights::{Lamp, extent, light};
use super::picture::Paletted;
use super::textures;
use super::tree::Tree;

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

/// A level under construction.
pub struct Maker {
    pub package: PackageWriter,
    pub level: Ref,
    pub info: Ref,
    info_class: Ref,
    pub actors: Vec<Ref>,
    /// Textures of the level itself, by name.
    pub own: Vec<(&'static str, Ref)>,
}

/// Groups of textures that are no groups of the package of pictures: those of the level itself, and one of a package that is
/// nowhere.
pub const OWN: &str = "Own";
pub const LOST: &str = "Lost";

impl Maker {
    /// A level and its info, which is still to be said.
    pub fn new() -> Self {
        let mut package = PackageWriter::new(69, 0);
        let class = package.class("Engine", "Level");
        let level = package.export(&Export::new(class, "MyLevel"));
        let info_class = package.class("Engine", "LevelInfo");
        let info = package.export(&Export::new(info_class, "LevelInfo0").flagged(flags::ACTOR));
        Self { package, level, info, info_class, actors: vec![info], own: Vec::new() }
    }

    /// What the level says of itself.
    pub fn say(&mut self, own: &Properties) {
        let class = self.info_class;
        self.package.write(self.info, |out| {
            write_state_frame(out, &StateFrame::idle(class));
            write_properties(out, own);
        });
    }

    /// A picture of the level's own, with further properties.
    pub fn picture(&mut self, name: &'static str, made: &Paletted, properties: Properties) {
        let (palette_class, texture_class) = (self.engine("Palette"), self.engine("Texture"));
        let palette = Export::new(palette_class, &format!("{name}Pal"));
        let palette = self.package.add(&palette, |out| write_palette(out, &made.palette));
        let data = TextureData { palette, mips: made.mips.clone(), properties, ..TextureData::default() };
        let texture = self.package.add(&Export::new(texture_class, name), |out| write_texture(out, &data));
        self.own.push((name, texture));
    }

    /// The level itself: its model, the ways through it, and all that stands in it.
    pub fn finish(mut self, file: &str, model: ModelData, reach_specs: Vec<ReachSpec>, time_secs: f32) -> Vec<u8> {
        let (polys_class, model_class) = (self.engine("Polys"), self.engine("Model"));
        let polys = self.package.add(&Export::new(polys_class, "Polys0"), |out| write_polys(out, &[]));
        let data = ModelData { polys, ..model };
        let model = self.package.add(&Export::new(model_class, "Model0"), |out| write_model(out, &data));
        let data = LevelData {
            actors: self.actors.clone(),
            protocol: "unreal".to_owned(),
            map: file.to_owned(),
            port: 7777,
            model,
            reach_specs,
            time_secs,
            ..LevelData::default()
        };
        self.package.write(self.level, |out| write_level(out, &data));
        self.package.finish()
    }

    pub fn engine(&mut self, class: &str) -> Ref {
        self.package.class("Engine", class)
    }

    pub fn texture(&mut self, path: [&str; 2]) -> Ref {
        if path[0] == OWN {
            return self.own.iter().find(|(name, _)| *name == path[1]).expect("a picture of the level").1;
        }
        if path[0] == LOST {
            return self.package.external(("Engine", "Texture"), "BoneLost", &["Walls", path[1]]);
        }
        match path[1] {
            "Campfire" => self.package.external(("Fire", "FireTexture"), textures::PACKAGE, &path),
            "Pond" => self.package.external(("Fire", "WaveTexture"), textures::PACKAGE, &path),
            _ => textures::import(&mut self.package, path),
        }
    }

    /// An actor of the level: what every actor has, then its own.
    pub fn actor(&mut self, class: Ref, name: &str, zone: usize, own: Properties) -> Ref {
        let class_name = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let region = Value::point_region(self.info, zone as i32 - 1, zone as u8);
        let mut common = Properties::new().object("Level", self.info).with("Region", region);
        if !own.0.iter().any(|(name, ..)| name == "Tag") {
            common = common.name("Tag", &class_name);
        }
        let actor = self.package.export(&Export::new(class, name).flagged(flags::ACTOR));
        self.package.write(actor, |out| {
            write_state_frame(out, &StateFrame::idle(class));
            write_properties(out, &common.and(own));
        });
        self.actors.push(actor);
        actor
    }

    /// A piece that moves when something sets it off; its shape is around its own middle.
    pub fn mover(&mut self, number: usize, shape: &Block, own: Properties) {
        let class = self.engine("Mover");
        let actor = self.package.export(&Export::new(class, &format!("Mover{number}")).flagged(flags::ACTOR));
        let model = self.brush_model(&format!("MoverModel{number}"), shape, actor);
        let node = self.package.import("Engine", "State", class, "TriggerToggle");
        let own = own.object("Level", self.info).object("Brush", model);
        self.package.write(actor, |out| {
            let probe_mask = 0x8000_0000_0000_0001;
            write_state_frame(out, &StateFrame { node, state_node: node, probe_mask, latent_action: 0, offset: 0 });
            write_properties(out, &own);
        });
        self.actors.push(actor);
    }

    /// A box as the editor keeps it: polygons, and a model that names them.
    pub fn brush_model(&mut self, name: &str, block: &Block, actor: Ref) -> Ref {
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
    pub fn brush(&mut self, number: usize, block: &Block) -> Ref {
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

pub fn at(place: Vec3) -> Properties {
    Properties::new().with("Location", Value::vector(place.x, place.y, place.z))
}

/// A level's own model: the tree of faces, and the light on them. `zones` are the actors of zones 1 and on.
pub fn level_model(
    maker: &mut Maker,
    place: &Place,
    (surfaces, faces): (&[Surface], &[Face]),
    (brushes, lamps, sources): (&[Ref], &[Ref], &[Lamp]),
    zones: &[Ref],
) -> ModelData {
    let lit = light(surfaces, faces, sources);
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
    let all = (2 << zones.len()) - 2;
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
        zones: std::iter::once(&Ref::NULL).chain(zones).map(|actor| zone(*actor)).collect(),
        light_maps: lit.maps,
        light_bits: lit.bits,
        leaves: tree.leaf_zones.iter().map(leaf).collect(),
        lights: lit.lists.iter().map(|lamp| lamp.map_or(Ref::NULL, |lamp| lamps[lamp])).collect(),
        ..ModelData::default()
    }
}
