//! What moves in a level and what leads where: zones, skies, windows, movers, live pictures, actors that name others.

mod actors;
mod moving;
mod whole;
mod zones;

use crate::kit::{
    Noise,
    open::{self, Loading, Opened, codes},
    samples,
    unreal::{damaged, open_file, package},
};
use bonebox::{
    bytes::Limits,
    formats::{
        Asset, Diagnostic, LoadOptions,
        unreal::encode::{
            BspNode, BspSurface, ClassData, Export, LevelData, Mip, ModelData, PackageWriter, Poly, Properties,
            ReachSpec, Ref, Spark, StateData, StructData, TextureData, Value, Zone, write_class, write_level,
            write_model, write_palette, write_polys, write_properties, write_sparks, write_texture,
        },
    },
    scene::{
        BasicMaterial, Blend, LiveKind, Map, MapActor, MapItem, MapItemKind, MapPath, MapSky, MapWindow, MaterialKind,
        Model, SurfaceRole, TextureMotion,
        procedural::{COMPUTED_SEED, Simulation},
    },
};
use glam::{Quat, Vec2, Vec3, Vec4};
use std::{f32::consts::TAU, sync::Arc};

const INVISIBLE: u32 = 0x1;
const BACKDROP: u32 = 0x80;
const PAN_U: u32 = 0x200;
const PAN_V: u32 = 0x400;
const WAVY: u32 = 0x2000;
const PORTAL: u32 = 0x400_0000;
const MIRRORED: u32 = 0x800_0000;
const QUARTER: i32 = 16_384;

/// A level under construction, in the file's own space.
struct Made {
    package: PackageWriter,
    level: Ref,
    tree: Ref,
    info: Ref,
    model: ModelData,
    actors: Vec<(Ref, Properties)>,
    ways: Vec<ReachSpec>,
}

fn at(x: f32, y: f32, z: f32) -> Properties {
    Properties::new().with("Location", Value::vector(x, y, z))
}

impl Made {
    fn new() -> Self {
        let mut package = PackageWriter::new(69, 0);
        let [level, tree, info] =
            [("Level", "MyLevel"), ("Model", "Model0"), ("LevelInfo", "LevelInfo0")].map(|(class, name)| {
                let class = package.class("Engine", class);
                package.export(&Export::new(class, name))
            });
        let zone = Zone { actor: Ref(0), connectivity: 0, visibility: u64::MAX };
        let model =
            ModelData { vectors: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], zones: vec![zone], ..ModelData::default() };
        Self { package, level, tree, info, model, actors: vec![(info, Properties::new())], ways: Vec::new() }
    }

    fn actor(&mut self, class: &str, name: &str, own: Properties) -> Ref {
        let class = self.package.class("Engine", class);
        let actor = self.package.export(&Export::new(class, name));
        self.actors.push((actor, own));
        actor
    }

    fn say(&mut self, actor: Ref, more: Properties) {
        let own = self.actors.iter_mut().find(|(known, _)| *known == actor).unwrap();
        own.1 = own.1.clone().and(more);
    }

    fn zone(&mut self, actor: Ref) {
        self.model.zones.push(Zone { actor, connectivity: 0, visibility: u64::MAX });
    }

    /// A square of 64 around a place, whose normal is an axis, and its node.
    fn wall(&mut self, (flags, texture): (u32, Ref), middle: [f32; 3], normal: [f32; 3], zones: [i32; 2]) -> i32 {
        let (place, out) = (Vec3::from(middle), Vec3::from(normal));
        let right = if out.z.abs() > 0.5 { Vec3::X } else { Vec3::Z.cross(out) } * 32.0;
        // Clockwise as one looks at it.
        let down = out.cross(right).normalize_or_zero() * 32.0;
        let first = self.model.points.len() as i32;
        let corners = [place - right - down, place + right - down, place + right + down, place - right + down];
        self.model.points.extend(corners.map(|corner| corner.to_array()));
        let vertex_pool = self.model.vertices.len() as i32;
        self.model.vertices.extend((first..first + 4).map(|point| [point, -1]));
        self.model.vectors.push(normal);
        let surface = self.model.surfaces.len() as i32;
        self.model.surfaces.push(BspSurface {
            texture,
            flags,
            base: first,
            normal: self.model.vectors.len() as i32 - 1,
            texture_u: 0,
            texture_v: 1,
            light_map: -1,
            brush_poly: 0,
            pan: [0, 0],
            actor: Ref(0),
        });
        self.model.nodes.push(BspNode {
            plane: [normal[0], normal[1], normal[2], out.dot(place)],
            vertex_pool,
            surface,
            zones,
            vertex_count: 4,
            ..BspNode::default()
        });
        self.model.nodes.len() as i32 - 1
    }

    fn children(&mut self, node: i32, back: i32, front: i32) {
        let node = &mut self.model.nodes[node as usize];
        (node.back, node.front) = (back, front);
    }

    /// A texture of one colour, 64 texels wide and 32 high.
    fn texture(&mut self, name: &str, color: [u8; 3], properties: Properties) -> Ref {
        let [palette, texture] = ["Palette", "Texture"].map(|class| self.package.class("Engine", class));
        let palette = Export::new(palette, &format!("{name}Pal"));
        let palette = self.package.add(&palette, |out| write_palette(out, &[color; 256]));
        let mips = vec![Mip { width: 64, height: 32, bytes: vec![1; 64 * 32] }];
        let data = TextureData { palette, mips, properties, ..TextureData::default() };
        self.package.add(&Export::new(texture, name), |out| write_texture(out, &data))
    }

    fn bytes(mut self) -> Vec<u8> {
        let Self { package, level, tree, model, actors, ways, .. } = &mut self;
        for (actor, own) in actors.iter() {
            package.write(*actor, |out| write_properties(out, own));
        }
        package.write(*tree, |out| write_model(out, model));
        let data = LevelData {
            actors: actors.iter().map(|(actor, _)| *actor).collect(),
            model: *tree,
            reach_specs: ways.clone(),
            ..LevelData::default()
        };
        package.write(*level, |out| write_level(out, &data));
        self.package.finish()
    }

    #[track_caller]
    fn map(self) -> Arc<Map> {
        let (map, found) = read(&open::open("Yard.unr", self.bytes()));
        assert_eq!(found, []);
        check(&map);
        map
    }
}

fn read(file: &Opened) -> (Arc<Map>, Vec<Diagnostic>) {
    match file.load(file.entry("MyLevel")) {
        (Ok(Asset::Map(map)), found) => (map, found),
        (other, _) => panic!("{other:?}"),
    }
}

/// All that a map refers to is there, and every number in it is sound.
fn check(map: &Map) {
    let is_actor = |actor: u32| (actor as usize) < map.actors.len();
    for node in &map.tree.nodes {
        assert!(node.plane.is_finite(), "{node:?}");
        assert!(node.children.iter().flatten().all(|child| (*child as usize) < map.tree.nodes.len()), "{node:?}");
    }
    for zone in &map.zones {
        assert!(zone.actor.is_none_or(is_actor) && zone.sky.is_none_or(|sky| (sky as usize) < map.skies.len()));
        assert!(zone.view_fog.is_finite() && zone.view_flash.is_finite() && zone.view_flash.min_element() >= 0.0);
    }
    assert!(map.skies.iter().all(|sky| is_actor(sky.actor) && sky.zone != 0 && sky.location.is_finite()));
    for window in &map.windows {
        match window {
            MapWindow::Sky(sky) => assert!((*sky as usize) < map.skies.len()),
            MapWindow::Mirror(plane) => assert!(plane.is_finite() && (plane.truncate().length() - 1.0).abs() < 1e-3),
            MapWindow::Warp { here_from_there, there } => assert!(here_from_there.is_finite() && there.is_finite()),
        }
    }
    for material in map.models.iter().flat_map(|model| &model.materials) {
        let MaterialKind::Basic(basic) = &material.kind else { continue };
        assert!(basic.window.is_none_or(|window| (window as usize) < map.windows.len()), "{material:?}");
        assert!(basic.motion.is_none_or(|m| m.pan.is_finite() && m.size.min_element() >= 1.0), "{material:?}");
    }
    for mover in &map.movers {
        let item = &map.items[mover.item as usize];
        assert_eq!((item.kind, item.actor), (MapItemKind::Mover, Some(mover.actor)));
        assert_eq!(item.world_from_model, mover.world_from_model(mover.start as f32));
        assert!((0..mover.keys.len()).all(|key| mover.world_from_model(key as f32).is_finite()), "{mover:?}");
        assert!((mover.start as usize) < mover.keys.len() && mover.seconds >= 0.0 && mover.seconds.is_finite());
    }
    assert!(map.items.iter().all(|item| item.sky.is_none_or(|sky| (sky as usize) < map.skies.len())));
    assert!(map.paths.iter().all(|path| is_actor(path.start) && is_actor(path.end)));
    assert!(map.actors.iter().flat_map(|actor| &actor.next).all(|(_, other)| is_actor(*other)));
}

#[track_caller]
fn actor<'a>(map: &'a Map, name: &str) -> &'a MapActor {
    map.actors.iter().find(|actor| actor.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn number(map: &Map, name: &str) -> u32 {
    map.actors.iter().position(|actor| actor.name == name).unwrap() as u32
}

/// The items of a kind, with their models.
fn items(map: &Map, kind: MapItemKind) -> Vec<(&MapItem, &Model)> {
    let of_kind = map.items.iter().filter(|item| item.kind == kind);
    of_kind.map(|item| (item, &*map.models[item.model as usize])).collect()
}

fn basic(model: &Model, material: u32) -> &BasicMaterial {
    match &model.materials[material as usize].kind {
        MaterialKind::Basic(basic) => basic,
        other => panic!("{other:?}"),
    }
}

/// The material of the surface with this number of the level's model.
#[track_caller]
fn surface(map: &Map, number: u32) -> &BasicMaterial {
    for (_, model) in items(map, MapItemKind::World) {
        for surface in &model.meshes[0].surfaces {
            let (first, count) = (surface.first_index as usize / 3, surface.index_count as usize / 3);
            if model.meshes[0].triangle_sources[first..first + count].contains(&number) {
                return basic(model, surface.material);
            }
        }
    }
    panic!("no surface {number}");
}

/// A yard, x below 1000, and the room of its sky beyond a sheet there.
fn yard(sky: Properties) -> Made {
    let mut made = Made::new();
    let none = Ref(0);
    let sheet = made.wall((PORTAL | INVISIBLE, none), [1000.0, 0.0, 32.0], [1.0, 0.0, 0.0], [1, 2]);
    let floor = made.wall((0, none), [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0, 1]);
    let ceiling = made.wall((BACKDROP, none), [0.0, 0.0, 800.0], [0.0, 0.0, -1.0], [0, 1]);
    let ground = made.wall((PAN_U, none), [2000.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0, 2]);
    let above = made.wall((BACKDROP, none), [2000.0, 0.0, 300.0], [0.0, 0.0, -1.0], [0, 2]);
    let unseen = made.wall((BACKDROP | INVISIBLE, none), [64.0, 0.0, 800.0], [0.0, 0.0, -1.0], [0, 1]);
    made.children(sheet, floor, ground);
    made.children(floor, -1, ceiling);
    made.children(ground, -1, above);
    assert_eq!(unseen, 5);
    let yard = Properties::new()
        .string("ZoneName", "The Yard")
        .bool("bWaterZone", true)
        .float("TexUPanSpeed", 2.0)
        .float("TexVPanSpeed", -0.5)
        .with("ViewFog", Value::vector(0.1, 0.2, 0.3))
        .with("ViewFlash", Value::vector(-0.25, 0.0, -3.0));
    let zone = made.actor("ZoneInfo", "ZoneInfo0", at(0.0, 0.0, 40.0).and(yard));
    let sky = made.actor("SkyZoneInfo", "SkyZoneInfo0", at(2000.0, 0.0, 100.0).and(sky));
    made.zone(zone);
    made.zone(sky);
    made.actor("PlayerStart", "PlayerStart0", at(10.0, 0.0, 20.0));
    made
}
