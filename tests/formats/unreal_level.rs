//! What moves in a level and what leads where: zones, skies, windows, movers, live pictures, actors that name others.

use crate::kit::{
    Noise,
    open::{self, Opened, codes},
    samples,
    unreal::{damaged, open_file, package},
};
use bonebox::{
    formats::{
        Asset, Diagnostic,
        unreal::encode::{
            BspNode, BspSurface, ClassData, Export, LevelData, Mip, ModelData, PackageWriter, Poly, Properties,
            ReachSpec, Ref, StateData, StructData, TextureData, Value, Zone, write_class, write_level, write_model,
            write_palette, write_polys, write_properties, write_texture,
        },
    },
    scene::{
        BasicMaterial, Blend, LiveKind, Map, MapActor, MapItem, MapItemKind, MapPath, MapSky, MapWindow, MaterialKind,
        Model, SurfaceRole, TextureMotion,
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
            zone_mask: 0,
            flags: 0,
            vertex_pool,
            surface,
            back: -1,
            front: -1,
            coplanar: -1,
            collision_bound: -1,
            render_bound: -1,
            zones,
            vertex_count: 4,
            leaves: [-1, -1],
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

#[test]
fn zones_are_parted_by_the_tree_and_known_by_their_infos() {
    let map = yard(Properties::new()).map();
    // The scene's Y is the file's Z.
    for (point, zone) in [
        ([0.0, 10.0, 0.0], 1),
        ([0.0, -5.0, 0.0], 0),
        ([0.0, 900.0, 0.0], 0),
        ([999.0, 10.0, 50.0], 1),
        ([1001.0, 10.0, 50.0], 2),
        ([1001.0, 400.0, 50.0], 0),
    ] {
        assert_eq!(map.tree.zone_at(Vec3::from(point)), zone, "{point:?}");
    }
    assert_eq!(map.tree.nodes[0].plane, Vec4::new(1.0, 0.0, 0.0, 1000.0));
    assert_eq!(map.tree.nodes[1].plane, Vec4::new(0.0, 1.0, 0.0, 0.0));
    assert_eq!((map.tree.nodes[0].children, map.tree.nodes[0].zones), ([Some(1), Some(3)], [1, 2]));
    let [none, yard, sky] = map.zones.as_slice() else { panic!("{:?}", map.zones) };
    assert_eq!((none.name.as_str(), none.actor, none.is_water), ("", None, false));
    assert_eq!((none.view_flash, none.view_fog), (Vec3::ONE, Vec3::ZERO));
    assert_eq!((yard.name.as_str(), yard.actor, yard.is_water), ("The Yard", Some(number(&map, "ZoneInfo0")), true));
    assert_eq!((yard.view_flash, yard.view_fog), (Vec3::new(0.75, 1.0, 0.0), Vec3::new(0.1, 0.2, 0.3)));
    assert_eq!((sky.name.as_str(), sky.is_water), ("SkyZoneInfo0", false));
    // Where the actors stand, since none says it.
    assert_eq!(["PlayerStart0", "SkyZoneInfo0", "ZoneInfo0"].map(|name| actor(&map, name).zone), [1, 2, 1]);
}

#[test]
fn an_actors_own_word_on_its_zone_counts() {
    let mut made = yard(Properties::new());
    let region = Value::point_region(made.info, 0, 2);
    made.actor("Light", "Light0", at(10.0, 0.0, 20.0).with("Region", region));
    let map = made.map();
    assert_eq!(actor(&map, "Light0").zone, 2);
    let light = map.items.iter().find(|item| item.actor == Some(number(&map, "Light0"))).unwrap();
    assert_eq!(light.sky, Some(0));
}

#[test]
fn the_sky_is_a_room_of_its_own_seen_through_windows() {
    let map = yard(Properties::new().with("Rotation", Value::rotator(0, QUARTER, 0))).map();
    let [sky] = map.skies.as_slice() else { panic!("{:?}", map.skies) };
    // A yaw turns the file's X towards its Y, which is the scene's Z: about the scene's −Y.
    let turn = Quat::from_rotation_y(-TAU / 4.0);
    assert!(sky.rotation.angle_between(turn) < 1e-3, "{sky:?}");
    let expected =
        MapSky { actor: number(&map, "SkyZoneInfo0"), location: Vec3::new(2000.0, 100.0, 0.0), zone: 2, ..*sky };
    assert_eq!(*sky, expected);
    assert_eq!(map.zones.iter().map(|zone| zone.sky).collect::<Vec<_>>(), [Some(0), Some(0), None]);
    assert_eq!(map.windows, [MapWindow::Sky(0)]);

    let worlds = items(&map, MapItemKind::World);
    let sources = |model: &Model| {
        let mut sources = model.meshes[0].triangle_sources.clone();
        sources.sort_unstable();
        sources.dedup();
        sources
    };
    let found: Vec<_> = worlds.iter().map(|(item, model)| (item.sky, sources(model))).collect();
    // The sheet looks into the sky's room.
    assert_eq!(found, [(None, vec![1, 2, 5]), (Some(0), vec![0, 3, 4])]);

    let look = |number| {
        let basic = surface(&map, number);
        (basic.role, basic.hidden, basic.window)
    };
    assert_eq!(look(2), (SurfaceRole::Backdrop, true, Some(0)));
    assert_eq!(look(5), (SurfaceRole::Backdrop, true, None));
    assert_eq!(look(1), (SurfaceRole::Ordinary, false, None));
    // The room does not see itself.
    assert_eq!(look(4), (SurfaceRole::Ordinary, false, None));
    // It pans at the sky's own speed.
    let motion = TextureMotion { pan: Vec2::new(35.0, 0.0), wavy: false, size: Vec2::splat(256.0) };
    assert_eq!(surface(&map, 3).motion, Some(motion));
    let of_actor = |name: &str| {
        let actor = number(&map, name);
        map.items.iter().find(|item| item.actor == Some(actor)).unwrap().sky
    };
    assert_eq!(["SkyZoneInfo0", "PlayerStart0", "ZoneInfo0"].map(of_actor), [Some(0), None, None]);
}

#[test]
fn zones_see_the_sky_that_they_name_or_the_fine_one() {
    // What each zone sees of two skies, after something more was said of the zone's, the first's and the second's infos.
    let seen = |more: fn(&mut Made, [Ref; 3])| {
        let mut made = yard(Properties::new());
        let region = Value::point_region(made.info, 0, 3);
        let second = made.actor("SkyZoneInfo", "SkyZoneInfo1", at(0.0, 0.0, 9000.0).with("Region", region));
        made.zone(second);
        let infos = [made.actors[1].0, made.actors[2].0, second];
        more(&mut made, infos);
        made.map().zones.iter().map(|zone| zone.sky).collect::<Vec<_>>()
    };
    // Neither is for high detail: the last, but not for its own room.
    assert_eq!(seen(|_, _| ()), [Some(1), Some(1), Some(1), None]);
    let first_is_fine =
        |made: &mut Made, [_, first, _]: [Ref; 3]| made.say(first, Properties::new().bool("bHighDetail", true));
    assert_eq!(seen(first_is_fine), [Some(0), Some(0), None, Some(0)]);
    let yard_names_first =
        |made: &mut Made, [yard, first, _]: [Ref; 3]| made.say(yard, Properties::new().object("SkyZone", first));
    assert_eq!(seen(yard_names_first), [Some(1), Some(0), Some(1), None]);
}

#[test]
fn a_level_without_a_sky_is_one_item_and_its_backdrops_are_walls() {
    let mut made = Made::new();
    made.wall((BACKDROP, Ref(0)), [0.0; 3], [0.0, 0.0, 1.0], [0, 1]);
    let zone = made.actor("ZoneInfo", "ZoneInfo0", at(0.0, 0.0, 9.0));
    made.zone(zone);
    // One in whose zone players start is no sky, nor is one outside all zones.
    made.actor("SkyZoneInfo", "SkyZoneInfo0", at(0.0, 0.0, 10.0));
    made.actor("SkyZoneInfo", "SkyZoneInfo1", at(0.0, 0.0, -10.0));
    made.actor("PlayerStart", "PlayerStart0", at(5.0, 0.0, 10.0));
    let map = made.map();
    assert_eq!((map.skies.len(), map.windows.len(), items(&map, MapItemKind::World).len()), (0, 0, 1));
    let wall = surface(&map, 0);
    assert_eq!((wall.role, wall.hidden, wall.window), (SurfaceRole::Ordinary, false, None));
    assert!(map.items.iter().all(|item| item.sky.is_none()));
}

#[test]
fn pictures_move_as_their_flags_and_their_zone_say() {
    let mut made = yard(Properties::new());
    let own = made.texture("Own", [9; 3], Properties::new().bool("bAutoVPan", true));
    let up = [0.0, 0.0, 1.0];
    let still = made.wall((0, Ref(0)), [0.0, 0.0, 1.0], up, [0, 1]);
    let pans = made.wall((PAN_U | PAN_V, own), [0.0, 0.0, 2.0], up, [0, 1]);
    let by_texture = made.wall((WAVY, own), [0.0, 0.0, 3.0], up, [0, 1]);
    // In front lies no zone with an info: what lies behind counts; where neither has one, the level.
    let behind = made.wall((PAN_U, own), [0.0, 0.0, 4.0], up, [1, 0]);
    let level = made.wall((PAN_U, own), [0.0, 0.0, 5.0], up, [0, 0]);
    made.say(made.info, Properties::new().float("TexUPanSpeed", 3.0));
    let map = made.map();
    let motion =
        |number: i32| surface(&map, number as u32).motion.map(|m| (m.pan.to_array(), m.wavy, m.size.to_array()));
    let size = [64.0, 32.0];
    assert_eq!(motion(still), None);
    assert_eq!(motion(pans), Some(([70.0, -17.5], false, size)));
    assert_eq!(motion(by_texture), Some(([0.0, -17.5], true, size)));
    // The texture's own flag pans along V too.
    assert_eq!(motion(behind), Some(([70.0, -17.5], false, size)));
    assert_eq!(motion(level), Some(([105.0, 35.0], false, size)));
    assert!(map.moves());
    assert_eq!(map.surfaces[pans as usize].texture_path, "Yard.Own");
}

#[test]
fn surfaces_of_one_plane_are_one_mirror() {
    let mut made = Made::new();
    let up = [0.0, 0.0, 1.0];
    let (a, b) = ([0.0, 0.0, 10.0], [200.0, 0.0, 10.0]);
    let first = made.wall((MIRRORED | 0x4, Ref(0)), a, up, [0, 1]);
    made.wall((MIRRORED | 0x4, Ref(0)), b, up, [0, 1]);
    let below = made.wall((MIRRORED, Ref(0)), [0.0, 0.0, 20.0], [0.0, 0.0, -1.0], [0, 1]);
    let hidden = made.wall((MIRRORED | INVISIBLE, Ref(0)), [0.0, 0.0, 30.0], up, [0, 1]);
    let map = made.map();
    let planes = [Vec4::new(0.0, 1.0, 0.0, 10.0), Vec4::new(0.0, -1.0, 0.0, -20.0)];
    let found = [first, below].map(|wall| {
        let basic = surface(&map, wall as u32);
        assert!(!basic.hidden);
        match map.windows[basic.window.unwrap() as usize] {
            MapWindow::Mirror(plane) => plane,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!((found, map.windows.len()), (planes, 2));
    assert_eq!(surface(&map, first as u32).blend, Blend::Translucent);
    assert_eq!(surface(&map, hidden as u32).window, None);
}

#[test]
fn there_are_no_more_windows_than_can_be_drawn() {
    let mut made = Made::new();
    for step in 0..400 {
        made.wall((MIRRORED, Ref(0)), [0.0, 0.0, step as f32 * 3.0], [0.0, 0.0, 1.0], [0, 1]);
    }
    let map = made.map();
    assert_eq!(map.windows.len(), 256);
    let model = items(&map, MapItemKind::World)[0].1;
    let without = model.materials.iter().filter(|m| matches!(&m.kind, MaterialKind::Basic(b) if b.window.is_none()));
    assert_eq!(without.count(), 1);
}

/// Two rooms with a portal each to a warp zone behind it. The second's faces into its warp zone, and its actor looks there by
/// `yaw`.
fn warp(yaw: i32) -> (Arc<Map>, [u32; 2]) {
    let mut made = Made::new();
    let portal = (PORTAL | INVISIBLE, Ref(0));
    let first = made.wall(portal, [500.0, 0.0, 50.0], [-1.0, 0.0, 0.0], [2, 1]);
    let second = made.wall(portal, [0.0, -300.0, 50.0], [0.0, -1.0, 0.0], [1, 3]);
    made.zone(Ref(0));
    let info = made.info;
    for (zone, name, tag, other, place, yaw) in [
        (2, "WarpZoneInfo0", "Here", "THERE", at(500.0, 0.0, 50.0), 0),
        (3, "WarpZoneInfo1", "There", "here", at(0.0, -300.0, 50.0), yaw),
    ] {
        let own = place
            .name("ThisTag", tag)
            .string("OtherSideURL", other)
            .with("Rotation", Value::rotator(0, yaw, 0))
            .with("Region", Value::point_region(info, 0, zone));
        let actor = made.actor("WarpZoneInfo", name, own);
        made.zone(actor);
    }
    (made.map(), [first as u32, second as u32])
}

#[test]
fn one_goes_into_a_warp_zone_and_comes_out_of_the_other() {
    // The two actors look the same way through their portals, in and out, or both look in.
    for yaw in [QUARTER, -QUARTER] {
        let (map, portals) = warp(yaw);
        assert_eq!(map.windows.len(), 2, "{yaw}");
        let [there, back] = portals.map(|wall| {
            let basic = surface(&map, wall);
            assert_eq!((basic.role, basic.hidden), (SurfaceRole::Portal, true));
            match map.windows[basic.window.unwrap() as usize] {
                MapWindow::Warp { here_from_there, there } => (here_from_there, there),
                other => panic!("{other:?}"),
            }
        });
        // Ten units out of the second portal lie ten units behind the first, and what is to the right there is so here.
        let placed = there.0.transform_point3(Vec3::new(30.0, 50.0, -290.0));
        assert!(placed.distance(Vec3::new(510.0, 50.0, -30.0)) < 1e-2, "{yaw}: {placed}");
        assert_eq!(there.1, Vec4::new(0.0, 0.0, 1.0, -300.0));
        // And the other way round: out of the first is towards −X, which lies behind the second, towards −Z.
        let placed = back.0.transform_point3(Vec3::new(490.0, 50.0, -30.0));
        assert!(placed.distance(Vec3::new(30.0, 50.0, -310.0)) < 1e-2, "{yaw}: {placed}");
        assert_eq!(back.1, Vec4::new(-1.0, 0.0, 0.0, -500.0));
        // A portal is seen from outside its warp zone.
        let mesh = &items(&map, MapItemKind::World)[0].1.meshes[0];
        for (vertex, source) in mesh.vertex_sources.iter().enumerate().filter(|(_, source)| **source == portals[1]) {
            assert_eq!((mesh.normals[vertex], mesh.vertex_zones[vertex]), (Vec3::Z, 1), "{source}");
        }
    }
}

/// A warp zone whose other side is not there, or has no portal, is a portal as any other.
#[test]
fn a_warp_zone_alone_shows_nothing() {
    let mut made = Made::new();
    let wall = made.wall((PORTAL | INVISIBLE, Ref(0)), [0.0; 3], [0.0, 0.0, 1.0], [1, 2]);
    let region = Value::point_region(made.info, 0, 1);
    let own = at(0.0, 0.0, -9.0).name("ThisTag", "A").string("OtherSideURL", "B").with("Region", region);
    made.actor("WarpZoneInfo", "WarpZoneInfo0", own);
    let region = Value::point_region(made.info, 0, 3);
    made.actor("WarpZoneInfo", "WarpZoneInfo1", at(0.0, 0.0, 9.0).name("ThisTag", "B").with("Region", region));
    let map = made.map();
    assert_eq!((map.windows.len(), surface(&map, wall as u32).window), (0, None));
}

/// A level with a mover of one triangle.
fn moving(own: Properties) -> Made {
    let mut made = Made::new();
    let [model, polys] = ["Model", "Polys"].map(|class| made.package.class("Engine", class));
    let poly = Poly {
        normal: [0.0, 0.0, 1.0],
        texture_u: [1.0, 0.0, 0.0],
        texture_v: [0.0, 1.0, 0.0],
        vertices: vec![[15.0, 6.0, 7.0], [15.0, 16.0, 7.0], [25.0, 16.0, 7.0]],
        flags: WAVY,
        item: "Sheet".to_owned(),
        ..Poly::default()
    };
    let polys = made.package.add(&Export::new(polys, "Polys0"), |out| write_polys(out, &[poly]));
    let data = ModelData { polys, root_outside: true, ..ModelData::default() };
    let shape = made.package.add(&Export::new(model, "Model1"), |out| write_model(out, &data));
    made.actor("Mover", "Mover0", own.object("Brush", shape));
    made
}

#[test]
fn a_mover_goes_through_its_keys() {
    let own = at(100.0, 200.0, 350.0)
        .and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 0.0, 50.0)))
        .and(Properties::new().with_element("KeyPos", 2, Value::vector(10.0, 0.0, 50.0)))
        .and(Properties::new().with_element("KeyPos", 3, Value::vector(f32::NAN, 0.0, 0.0)))
        .and(Properties::new().with_element("KeyRot", 2, Value::rotator(0, 65_536 + QUARTER, 0)))
        .byte("KeyNum", 1)
        .byte("NumKeys", 4)
        .float("MoveTime", 2.5)
        .byte("MoverGlideType", 0)
        .with("BasePos", Value::vector(100.0, 200.0, 300.0))
        .with("BaseRot", Value::rotator(0, QUARTER, 0))
        .with("MainScale", Value::scale(2.0, 1.0, 1.0))
        .with("PostScale", Value::scale(1.0, 3.0, 1.0))
        .with("PrePivot", Value::vector(5.0, 6.0, 7.0))
        .with("Rotation", Value::rotator(0, QUARTER, 0))
        .name("Tag", "Lift")
        .name("Event", "Bell");
    let map = moving(own).map();
    let [mover] = map.movers.as_slice() else { panic!("{:?}", map.movers) };
    assert_eq!((mover.keys.len(), mover.start, mover.seconds, mover.glides), (4, 1, 2.5, false));
    let places: Vec<_> = mover.keys.iter().map(|key| key.location.to_array()).collect();
    // A key that is none is the base.
    assert_eq!(places, [[100.0, 300.0, 200.0], [100.0, 350.0, 200.0], [110.0, 350.0, 200.0], [100.0, 300.0, 200.0]]);
    assert!((mover.keys[0].turn[1] - TAU / 4.0).abs() < 1e-5);
    assert!((mover.keys[2].turn[1] - 1.5 * TAU).abs() < 1e-4, "{:?}", mover.keys[2]);
    // (15, 6, 7) − PrePivot = (10, 0, 0); × 2 = (20, 0, 0); a quarter turn makes it (0, 20, 0); × 3 = (0, 60, 0); at key 1, from
    // (100, 200, 350), it is (100, 260, 350): in the scene (100, 350, 260).
    let corner = Vec3::new(15.0, 7.0, 6.0);
    let placed = |key: f32| mover.world_from_model(key).transform_point3(corner);
    assert!(placed(1.0).distance(Vec3::new(100.0, 350.0, 260.0)) < 1e-3, "{}", placed(1.0));
    // At key 2 it has turned by another quarter, to (−20, 0, 0), and stands at (110, 200, 350).
    assert!(placed(2.0).distance(Vec3::new(90.0, 350.0, 200.0)) < 1e-2, "{}", placed(2.0));
    let item = &map.items[mover.item as usize];
    assert_eq!((item.kind, item.world_from_model), (MapItemKind::Mover, mover.world_from_model(1.0)));
    let outline = map.items.iter().find(|i| i.kind == MapItemKind::Brush).unwrap();
    assert_eq!(outline.world_from_model, item.world_from_model);
    let door = actor(&map, "Mover0");
    assert_eq!((door.tag.as_str(), door.event.as_str()), ("Lift", "Bell"));
    let model = &map.models[item.model as usize];
    assert!(basic(model, 0).motion.is_some_and(|motion| motion.wavy && motion.pan == Vec2::ZERO));
}

#[test]
fn a_mover_that_says_little_stands_where_it_is() {
    let map =
        moving(at(1.0, 2.0, 3.0).and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 9.0, 0.0)))).map();
    let mover = &map.movers[0];
    // As the class has it: two keys, a second, gliding.
    assert_eq!((mover.keys.len(), mover.start, mover.seconds, mover.glides), (2, 0, 1.0, true));
    assert_eq!(mover.keys[0].location, Vec3::new(1.0, 3.0, 2.0));
    assert_eq!(mover.keys[1].location, Vec3::new(1.0, 3.0, 11.0));
    // One that stands at another key now started elsewhere.
    let own = at(1.0, 2.0, 3.0).byte("KeyNum", 1).with("Rotation", Value::rotator(0, QUARTER, 0));
    let own = own
        .and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 9.0, 0.0)))
        .and(Properties::new().with_element("KeyRot", 1, Value::rotator(0, QUARTER, 0)));
    let map = moving(own).map();
    let mover = &map.movers[0];
    assert_eq!((mover.start, mover.keys[0].location), (1, Vec3::new(1.0, 3.0, -7.0)));
    assert_eq!(mover.keys[0].turn, [0.0; 3]);
}

#[test]
fn movers_that_are_nowhere_are_left_out() {
    for own in [at(f32::NAN, 0.0, 0.0), at(0.0, 0.0, 0.0).with("PrePivot", Value::vector(f32::INFINITY, 0.0, 0.0))] {
        let (map, found) = read(&open::open("Yard.unr", moving(own).bytes()));
        check(&map);
        assert_eq!((map.movers.len(), codes(&found)), (0, vec!["unreal.bad-object"]));
    }
    // Counts that are too large are held.
    let map = moving(at(0.0, 0.0, 0.0).int("NumKeys", i32::MAX).int("KeyNum", i32::MAX)).map();
    assert_eq!((map.movers[0].keys.len(), map.movers[0].start), (24, 23));
}

#[test]
fn pictures_that_change_are_known_by_the_still_that_models_hold() {
    let mut made = Made::new();
    let second = made.texture("Flag1", [20, 0, 0], Properties::new());
    let first =
        made.texture("Flag0", [10, 0, 0], Properties::new().object("AnimNext", second).float("MaxFrameRate", 8.0));
    let alone = made.texture("Alone", [30, 0, 0], Properties::new());
    let up = [0.0, 0.0, 1.0];
    for texture in [first, alone, first] {
        made.wall((0, texture), [0.0; 3], up, [0, 1]);
    }
    made.actor("Decoration", "Decoration0", at(0.0, 0.0, 9.0).object("Texture", first));
    let map = made.map();
    let [live] = map.live.as_slice() else { panic!("{:?}", map.live) };
    let LiveKind::FlipBook(book) = &live.kind else { panic!("{live:?}") };
    assert_eq!((book.frames.len(), book.rate_hz), (2, 8.0));
    assert!(Arc::ptr_eq(&book.frames[0], &live.still));
    assert_eq!([&book.frames[0], &book.frames[1]].map(|frame| frame.rgba[0]), [10, 20]);
    let holders = map.models.iter().filter(|model| model.images.iter().any(|image| Arc::ptr_eq(image, &live.still)));
    assert_eq!(holders.count(), 2, "the walls and the sprite");
    assert!(map.moves());
}

#[test]
fn computed_pictures_of_a_level_are_live() {
    let (map, found) = read(&open_file(&samples().join("BoneRoom.unr")));
    assert_eq!(found, []);
    check(&map);
    let mut names = Vec::new();
    for live in &map.live {
        let LiveKind::Computed(program) = &live.kind else { panic!("{live:?}") };
        assert_eq!((live.still.width, live.still.height), (program.width, program.height));
        assert!(map.models.iter().any(|model| model.images.iter().any(|image| Arc::ptr_eq(image, &live.still))));
        names.push(program.name.as_str());
    }
    names.sort_unstable();
    assert_eq!(names, ["Campfire", "Pond"]);
    // The door, the way through the rooms, the zones.
    assert_eq!((map.movers.len(), map.paths.len(), map.zones.len()), (1, 2, 3));
    let door = &map.movers[0];
    assert_eq!(door.keys.iter().map(|key| key.location.y).collect::<Vec<_>>(), [188.0, 80.0]);
    assert_eq!((door.seconds, actor(&map, "Mover0").tag.as_str()), (1.4, "Door"));
    assert_eq!(map.zones[2].name, "The Nook");
    for name in ["PlayerStart0", "PathNode0", "AmbientSound0"] {
        let actor = actor(&map, name);
        assert_eq!(map.tree.zone_at(actor.location), actor.zone, "{name}");
    }
    assert_eq!(actor(&map, "AmbientSound0").sound_radius, Some(25.0 * 21.0));
    assert!(map.surfaces.iter().any(|surface| surface.texture_path == "BoneboxFX.Rooms.Planks"));
}

#[test]
fn actors_name_what_comes_next() {
    let mut made = Made::new();
    let next = |name: &str| Properties::new().name("Nextpatrol", name);
    let first = made.actor("PatrolPoint", "PatrolPoint0", at(0.0, 0.0, 0.0).name("Tag", "One").and(next("Two")));
    let second = made.actor("PatrolPoint", "PatrolPoint1", at(9.0, 0.0, 0.0).name("Tag", "Two").and(next("Nobody")));
    let gate = made.actor("Teleporter", "Teleporter0", at(0.0, 9.0, 0.0).string("URL", "exit"));
    made.actor("Teleporter", "Teleporter1", at(0.0, 99.0, 0.0).name("Tag", "Exit").string("URL", "Other.unr#x"));
    let keeper = made.actor("Keeper", "Keeper0", at(1.0, 0.0, 0.0).object("Gate", gate).object("Base", first));
    made.say(keeper, Properties::new().object("Level", made.info).object("Self", keeper));
    let way = |start, end, pruned| ReachSpec { distance: 9, start, end, radius: 40, height: 35, flags: 17, pruned };
    made.ways = vec![
        way(first, second, false),
        way(second, first, true),
        way(first, Ref(0), false),
        way(Ref(-1), first, false),
    ];
    let map = made.map();
    let next = |name: &str| actor(&map, name).next.clone();
    let to = |property: &str, name: &str| vec![(property.to_owned(), number(&map, name))];
    assert_eq!(next("PatrolPoint0"), to("Nextpatrol", "PatrolPoint1"));
    assert_eq!(next("PatrolPoint1"), []);
    assert_eq!(next("Teleporter0"), to("URL", "Teleporter1"));
    assert_eq!(next("Teleporter1"), []);
    assert_eq!(next("Keeper0"), to("Gate", "Teleporter0"));
    // Its class where it says none.
    assert_eq!((actor(&map, "Keeper0").tag.as_str(), actor(&map, "Keeper0").event.as_str()), ("Keeper", ""));
    let (start, end) = (number(&map, "PatrolPoint0"), number(&map, "PatrolPoint1"));
    let path = MapPath { start, end, radius: 40.0, height: 35.0, flags: 17, pruned: false };
    assert_eq!(map.paths, [path, MapPath { start: end, end: start, pruned: true, ..path }]);
}

#[test]
fn what_actors_reach_and_are_made_from_is_known_from_their_classes() {
    let mut made = Made::new();
    let mut class = |name: &str, parent: Ref, defaults: Properties| {
        made.package.add(&Export::new(Ref(0), name).extends(parent), |out| {
            let class = ClassData { defaults, config_name: "None".to_owned(), ..ClassData::default() };
            let data = StructData { friendly_name: name.to_owned(), ..StructData::default() };
            write_class(out, &data, &StateData::default(), &class);
        })
    };
    let actor_class =
        class("Actor", Ref(0), Properties::new().float("CollisionRadius", 22.0).float("CollisionHeight", 20.0));
    let pillar = class("Pillar", actor_class, Properties::new().bool("bCollideActors", true).byte("SoundRadius", 9));
    let trigger = class("Gate", pillar, Properties::new().float("CollisionRadius", 30.0));
    let sound = made.package.external(("Engine", "Sound"), "Nowhere", &["Hum"]);
    for (class, name, own) in [
        (actor_class, "Actor0", Properties::new().object("AmbientSound", sound)),
        (pillar, "Pillar0", Properties::new().float("CollisionHeight", 64.0)),
        (trigger, "Gate0", Properties::new().object("AmbientSound", sound)),
    ] {
        let actor = made.package.export(&Export::new(class, name));
        made.actors.push((actor, at(0.0, 0.0, 0.0).and(own)));
    }
    made.actor("Stone", "Stone0", at(0.0, 0.0, 0.0).float("CollisionRadius", 5.0));
    made.actor("Air", "Air0", at(0.0, 0.0, 0.0));
    let map = made.map();
    let facts = |name: &str| {
        let actor = actor(&map, name);
        (actor.bases.join(" "), actor.collision, actor.sound_radius)
    };
    // What does not collide has a radius too, which says nothing.
    assert_eq!(facts("Actor0"), (String::new(), None, Some(25.0 * 33.0)));
    assert_eq!(facts("Pillar0"), ("Actor".to_owned(), Some([22.0, 64.0]), None));
    assert_eq!(facts("Gate0"), ("Actor Pillar".to_owned(), Some([30.0, 20.0]), Some(250.0)));
    assert_eq!(facts("Stone0"), (String::new(), Some([5.0, 22.0]), None));
    assert_eq!(facts("Air0"), (String::new(), None, None));
}

#[test]
fn lights_with_a_glow_have_a_corona() {
    let mut made = Made::new();
    let glow = made.texture("Glow", [200, 150, 90], Properties::new());
    let lost = made.package.external(("Engine", "Texture"), "Nowhere", &["Glow"]);
    let own = |place: f32, skin: Ref| at(place, 2.0, 3.0).bool("bCorona", true).object("Skin", skin);
    made.actor("Light", "Light0", own(1.0, glow).float("DrawScale", 3.0));
    made.actor("Light", "Light1", own(2.0, lost));
    made.actor("Light", "Light2", own(3.0, glow).bool("bCorona", false));
    let map = made.map();
    let found = items(&map, MapItemKind::Corona);
    let [(item, model)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((item.actor, item.hidden_in_game), (Some(number(&map, "Light0")), false));
    assert_eq!(Vec3::from(item.world_from_model.translation), Vec3::new(1.0, 3.0, 2.0));
    let corner = model.meshes[0].points.iter().copied().reduce(Vec3::max).unwrap();
    assert!(corner.distance(Vec3::new(0.15, 0.15, 0.0)) < 1e-6, "{corner}");
    assert_eq!((basic(model, 0).blend, basic(model, 0).unlit), (Blend::Translucent, true));
    assert_eq!(model.images[0].name, "Glow");
}

#[test]
fn a_texture_that_is_not_there_is_plain_to_see() {
    let mut made = Made::new();
    let lost = made.package.external(("Engine", "Texture"), "Nowhere", &["Walls", "Brick"]);
    made.wall((0, lost), [0.0; 3], [0.0, 0.0, 1.0], [0, 1]);
    let map = made.map();
    assert_eq!(map.missing, ["1 texture of Nowhere was not found"]);
    assert_eq!(
        (map.surfaces[0].texture.as_str(), map.surfaces[0].texture_path.as_str()),
        ("Brick", "Nowhere.Walls.Brick")
    );
    let image = &items(&map, MapItemKind::World)[0].1.images[0];
    assert_eq!((image.name.as_str(), image.width, image.height), ("texture not found", 64, 64));
    let pixels: Vec<[u8; 4]> = image.rgba.chunks_exact(4).map(|p| p.try_into().unwrap()).collect();
    let count = |color: [u8; 4]| pixels.iter().filter(|pixel| **pixel == color).count();
    let [magenta, dark, white] = [[214, 36, 190, 255], [48, 48, 52, 255], [255; 4]].map(count);
    // Half of it, and two question marks of 37 bits, four pixels each.
    let bits = [0x3Cu8, 0x7E, 0x66, 0x66, 0x06, 0x0E, 0x1C, 0x18, 0x18, 0x00, 0x18, 0x18].map(u8::count_ones);
    let glyph = bits.iter().sum::<u32>() as usize * 4;
    assert_eq!((magenta, dark, white), (2048, 2048 - 2 * glyph, 2 * glyph));
}

#[test]
fn trees_that_bite_their_tails_and_planes_that_are_none_end() {
    let mut made = yard(Properties::new());
    made.children(0, 0, 3);
    made.children(1, 2, 2);
    made.children(3, -7, 1_000_000);
    made.model.nodes[4].plane = [f32::NAN; 4];
    let map = made.map();
    let children: Vec<_> = map.tree.nodes.iter().take(4).map(|node| node.children).collect();
    assert_eq!(children, [[None, Some(3)], [None, None], [None, None], [None, None]]);
    assert_eq!(map.tree.nodes[4].plane, Vec4::ZERO);
    assert_eq!(map.tree.zone_at(Vec3::new(0.0, 10.0, 0.0)), 1);
}

#[test]
fn damage_leaves_sound_levels() {
    let mut made = yard(Properties::new());
    made.wall((MIRRORED | PAN_V, Ref(0)), [0.0, 0.0, 9.0], [0.0, 0.0, 1.0], [0, 1]);
    let [first, second] = ["PathNode0", "PathNode1"].map(|name| made.actor("PathNode", name, at(0.0, 0.0, 9.0)));
    made.ways.push(ReachSpec {
        distance: 9,
        start: first,
        end: second,
        radius: 40,
        height: 35,
        flags: 1,
        pruned: false,
    });
    let whole = made.bytes();
    let mut noise = Noise::new(23);
    let mut maps = 0;
    for _ in 0..1500 {
        let mut bytes = whole.clone();
        for _ in 0..1 + noise.below(8) {
            let place = noise.below(bytes.len());
            bytes[place] = noise.next() as u8;
        }
        let Some(left) = damaged("Yard.unr", &bytes) else { continue };
        for (_, asset) in &left.shown {
            let Asset::Map(map) = asset else { continue };
            check(map);
            maps += 1;
        }
    }
    assert!(maps > 700, "{maps}");
}

#[test]
fn the_corpus_map_has_sound_numbers() {
    let Some((file, _)) = package("SCR-CityStreet.unr") else { return };
    let (map, found) = read(&file);
    assert_eq!(found, []);
    check(&map);
    assert!(map.zones.len() > 1 && !map.tree.nodes.is_empty());
    // What the editor wrote down of where actors stand is what the tree says.
    let placed = map.actors.iter().filter(|actor| actor.zone != 0 && actor.class != "Brush");
    let (mut same, mut all) = (0, 0);
    for actor in placed {
        all += 1;
        same += usize::from(map.tree.zone_at(actor.location) == actor.zone);
    }
    assert!(all > 50 && same * 20 >= all * 19, "{same} of {all}");
    let starts: Vec<&MapActor> = map.actors.iter().filter(|actor| actor.class == "PlayerStart").collect();
    assert_eq!(starts.len(), 12);
    assert!(starts.iter().all(|start| start.zone != 0), "{starts:?}");
    assert!(!map.paths.is_empty() && map.paths.iter().all(|path| path.radius > 0.0 && path.height > 0.0));
    assert!(map.actors.iter().all(|actor| !actor.tag.is_empty()));
    // Its sky is a room that none of the starts is in.
    assert!(map.skies.iter().all(|sky| starts.iter().all(|start| start.zone != sky.zone)));
    assert_eq!(items(&map, MapItemKind::World).len(), 1 + map.skies.len());
}

#[test]
fn the_yard_has_all_that_moves() {
    let (map, found) = read(&open_file(&samples().join("BoneYard.unr")));
    assert_eq!(found, []);
    check(&map);
    assert_eq!(map.missing, ["1 texture of BoneLost was not found"]);
    let zones: Vec<_> = map.zones.iter().map(|zone| (zone.name.as_str(), zone.sky, zone.is_water)).collect();
    let wanted =
        [("", Some(0), false), ("The Yard", Some(0), false), ("The Pond", Some(0), true), ("The Sky", None, false)];
    assert_eq!(zones, wanted);
    assert_eq!(map.zones[2].view_fog, Vec3::new(0.02, 0.12, 0.13));
    for actor in map.actors.iter().filter(|actor| !["Brush", "LevelInfo"].contains(&actor.class.as_str())) {
        assert_eq!(map.tree.zone_at(actor.location), actor.zone, "{}", actor.name);
    }
    assert_eq!((map.skies.len(), map.skies[0].location), (1, Vec3::new(1856.0, 80.0, 0.0)));
    assert_eq!(map.windows.len(), 2);
    assert!(map.windows.contains(&MapWindow::Sky(0)));
    assert!(map.windows.contains(&MapWindow::Mirror(Vec4::new(0.0, 0.0, -1.0, -368.0))));
    assert_eq!(items(&map, MapItemKind::World).iter().map(|(item, _)| item.sky).collect::<Vec<_>>(), [None, Some(0)]);

    let mover = &map.movers[0];
    let places: Vec<_> = mover.keys.iter().map(|key| (key.location - mover.keys[0].location).to_array()).collect();
    assert_eq!(places, [[0.0; 3], [0.0, 96.0, 0.0], [0.0, 96.0, 72.0]]);
    assert_eq!(actor(&map, "Trigger0").event, actor(&map, "Mover0").tag);
    assert_eq!(actor(&map, "Trigger0").collision, Some([48.0, 40.0]));
    let mut live: Vec<&str> = map.live.iter().map(|live| live.still.name.as_str()).collect();
    live.sort_unstable();
    assert_eq!(live, ["Campfire", "Pond", "Spin_A00"]);
    assert_eq!((items(&map, MapItemKind::Corona).len(), map.starts.len()), (1, 2));
    assert_eq!((map.paths.len(), map.paths.iter().filter(|path| path.pruned).count()), (11, 1));
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let next = &actor(&map, &format!("PatrolPoint{from}")).next;
        assert_eq!(*next, [("Nextpatrol".to_owned(), number(&map, &format!("PatrolPoint{to}")))]);
    }
    let looks: Vec<&BasicMaterial> = items(&map, MapItemKind::World)
        .into_iter()
        .flat_map(|(_, model)| (0..model.materials.len()).map(|material| basic(model, material as u32)))
        .collect();
    for blend in [Blend::Opaque, Blend::Masked, Blend::Translucent, Blend::Modulated] {
        assert!(looks.iter().any(|look| look.blend == blend && !look.hidden), "{blend:?}");
    }
    let pans: Vec<[f32; 2]> = looks.iter().filter_map(|look| look.motion).map(|motion| motion.pan.to_array()).collect();
    // The sign, the clouds at a quarter and a tenth of it, and the bottom of the pond, which waves alone.
    assert!(pans.contains(&[35.0, 0.0]) && pans.contains(&[8.75, 3.5]) && pans.contains(&[0.0; 2]), "{pans:?}");
    assert!(looks.iter().any(|look| look.motion.is_some_and(|motion| motion.wavy)));
}
