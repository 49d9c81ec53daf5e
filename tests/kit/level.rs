//! A level made in code: two rooms side by side with a portal between them, a lift, a lamp and a brush.

use super::device;
use bonebox::scene::{
    BasicMaterial, Blend, Image, Map, MapActor, MapCard, MapItem, MapItemKind, MapLight, MapMover, MapPath, MapStart,
    MapSurface, MapValue, Material, Mesh, Model, MoverKey, SourceEntry, Surface, SurfaceRole,
};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::sync::Arc;

/// Materials of the walls' model.
pub const WALL: u32 = 0;
pub const PORTAL: u32 = 1;
pub const SKY: u32 = 2;

/// Colour of the walls' picture, and light of the first and of the second room.
pub const STONE: [u8; 4] = [100, 80, 60, 255];
pub const BRIGHT: [u8; 4] = [150, 140, 120, 255];
pub const DIM: [u8; 4] = [64, 64, 80, 255];

fn image(name: &str, width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Arc<Image> {
    Arc::new(Image { name: name.into(), ..Image::clone(&device::image(width, height, texel)) })
}

fn material(name: &str, basic: BasicMaterial) -> Material {
    Material { name: name.into(), ..device::material(basic) }
}

/// Squares with one normal each, collected by material.
#[derive(Default)]
struct Squares {
    mesh: Mesh,
    faces: Vec<(u32, [u32; 6], u32)>,
}

impl Squares {
    /// A face from a corner along two edges; `right × up` looks out of it.
    fn add(&mut self, corner: Vec3, right: Vec3, up: Vec3, material: u32, zone: u8, light: Vec2) {
        let first = self.mesh.points.len() as u32;
        let source = self.faces.len() as u32;
        self.mesh.points.extend([corner, corner + right, corner + right + up, corner + up]);
        self.mesh.vertex_points.extend(first..first + 4);
        self.mesh.normals.extend([right.cross(up).normalize_or_zero(); 4]);
        self.mesh.vertex_zones.extend([zone; 4]);
        if self.mesh.uv_sets.is_empty() {
            self.mesh.uv_sets = vec![Vec::new(), Vec::new()];
        }
        let (width, height) = (right.length() / 2.0, up.length() / 2.0);
        self.mesh.uv_sets[0].extend([
            Vec2::new(0.0, height),
            Vec2::new(width, height),
            Vec2::new(width, 0.0),
            Vec2::ZERO,
        ]);
        self.mesh.uv_sets[1].extend([light; 4]);
        self.faces.push((material, [0, 1, 2, 0, 2, 3].map(|i| first + i), source));
    }

    fn finish(mut self) -> Mesh {
        self.faces.sort_by_key(|(material, ..)| *material);
        for (material, indices, source) in self.faces {
            let first_index = self.mesh.indices.len() as u32;
            self.mesh.indices.extend(indices);
            self.mesh.triangle_sources.extend([source; 2]);
            match self.mesh.surfaces.last_mut().filter(|s| s.material == material) {
                Some(surface) => surface.index_count += 6,
                None => self.mesh.surfaces.push(Surface { first_index, index_count: 6, material }),
            }
        }
        self.mesh
    }
}

/// Two rooms of 8 × 4 × 8: zone 1 from x −8 to 0, zone 2 from x 0 to 8, the portal at x = 0, the sky above zone 2.
fn walls() -> Model {
    let mut squares = Squares::default();
    let (x, y, z) = (Vec3::X * 8.0, Vec3::Y * 4.0, Vec3::Z * 8.0);
    // Middles of the two texels of the light's picture.
    let lights = [Vec2::new(0.25, 0.5), Vec2::new(0.75, 0.5)];
    for (zone, (left, light)) in (1_u8..).zip([(-8.0, lights[0]), (0.0, lights[1])]) {
        let corner = Vec3::new(left, 0.0, -4.0);
        // Floor, back, front; then the ceiling.
        squares.add(corner + z, x, -z, WALL, zone, light);
        squares.add(corner, x, y, WALL, zone, light);
        squares.add(corner + x + z, -x, y, WALL, zone, light);
        squares.add(corner + y, x, z, if zone == 1 { WALL } else { SKY }, zone, light);
    }
    squares.add(Vec3::new(-8.0, 0.0, 4.0), -z, y, WALL, 1, lights[0]);
    squares.add(Vec3::new(8.0, 0.0, -4.0), z, y, WALL, 2, lights[1]);
    squares.add(Vec3::new(0.0, 0.0, -4.0), z, y, PORTAL, 1, lights[0]);
    let hidden = |role| BasicMaterial { hidden: true, role, two_sided: true, ..BasicMaterial::default() };
    Model {
        meshes: vec![squares.finish()],
        materials: vec![
            material("Stone", BasicMaterial { image: Some(0), lightmap: Some(1), ..BasicMaterial::default() }),
            material("Portal", hidden(SurfaceRole::Portal)),
            material("Sky", hidden(SurfaceRole::Backdrop)),
        ],
        images: vec![
            image("Stone", 8, 8, |_, _| STONE),
            image("light", 2, 1, |x, _| if x == 0 { BRIGHT } else { DIM }),
        ],
        ..Model::empty("Level")
    }
}

/// A block of 2 × 1 × 2 around its origin.
fn lift() -> Model {
    let mut squares = Squares::default();
    let (x, y, z) = (Vec3::X * 2.0, Vec3::Y, Vec3::Z * 2.0);
    let low = Vec3::new(-1.0, -0.5, -1.0);
    squares.add(low + z, x, y, 0, 0, Vec2::ZERO);
    squares.add(low + x, -x, y, 0, 0, Vec2::ZERO);
    squares.add(low, z, y, 0, 0, Vec2::ZERO);
    squares.add(low + x + z, -z, y, 0, 0, Vec2::ZERO);
    squares.add(low + y + z, x, -z, 0, 0, Vec2::ZERO);
    squares.add(low, x, z, 0, 0, Vec2::ZERO);
    let mut mesh = squares.finish();
    mesh.triangle_sources.clear();
    mesh.vertex_zones.clear();
    Model {
        meshes: vec![mesh],
        materials: vec![material("Metal", BasicMaterial { image: Some(0), ..BasicMaterial::default() })],
        images: vec![image(
            "Metal",
            8,
            8,
            |x, y| if (x + y) % 4 == 0 { [70, 76, 90, 255] } else { [130, 138, 150, 255] },
        )],
        ..Model::empty("Lift")
    }
}

/// A disc on a square of 1 × 1, the corners cut out.
fn lamp() -> Model {
    let mut squares = Squares::default();
    squares.add(Vec3::new(-0.5, -0.5, 0.0), Vec3::X, Vec3::Y, 0, 0, Vec2::ZERO);
    let mut mesh = squares.finish();
    mesh.uv_sets = vec![vec![Vec2::new(0.0, 1.0), Vec2::ONE, Vec2::new(1.0, 0.0), Vec2::ZERO]];
    mesh.triangle_sources.clear();
    mesh.vertex_zones.clear();
    let basic = BasicMaterial {
        image: Some(0),
        blend: Blend::Masked,
        unlit: true,
        two_sided: true,
        nearest: true,
        ..BasicMaterial::default()
    };
    let disc = |x: u32, y: u32| {
        let away = Vec2::new(x as f32 - 15.5, y as f32 - 15.5).length();
        if away < 15.0 { [255, 220, 90, 255] } else { [0; 4] }
    };
    Model {
        meshes: vec![mesh],
        materials: vec![material("Lamp", basic)],
        images: vec![image("Lamp", 32, 32, disc)],
        ..Model::empty("Lamp")
    }
}

/// The edges of a box from −1 to 1.
fn brush() -> Model {
    let corner = |i: u32| {
        let side = |bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        Vec3::new(side(1), side(2), side(4))
    };
    let edges = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7)];
    let mesh = Mesh {
        points: (0..8).map(corner).collect(),
        vertex_points: (0..8).collect(),
        colors: vec![[110, 150, 255, 255]; 8],
        lines: edges.map(|(a, b)| [a, b]).to_vec(),
        ..Mesh::default()
    };
    Model { meshes: vec![mesh], ..Model::empty("Brush") }
}

/// Places of its actors.
pub const LIFT_AT: Vec3 = Vec3::new(-4.0, 0.5, -1.0);
pub const LAMP_AT: Vec3 = Vec3::new(3.0, 2.5, 0.0);
pub const BRUSH_AT: Vec3 = Vec3::new(4.0, 1.0, -2.0);

/// The level. Actor `n` is made from entry `first_source + n`, the walls from entry 0.
pub fn rooms(first_source: u32) -> Map {
    let at = |model, kind, place: Vec3, actor: Option<u32>| MapItem {
        model,
        world_from_model: Affine3A::from_translation(place),
        kind,
        source: SourceEntry(actor.map_or(0, |a| first_source + a)),
        actor,
        hidden_in_game: false,
        sky: None,
    };
    let actor = |name: &str, class: &str, location, index| MapActor {
        name: name.into(),
        class: class.into(),
        location,
        rotation: Quat::from_rotation_y(0.5 * index as f32),
        properties: vec![
            ("Tag".into(), MapValue::Text(format!("{class}Tag"))),
            ("Index".into(), MapValue::Int(index as i32)),
        ],
        source: SourceEntry(first_source + index),
        ..MapActor::default()
    };
    let surface = |number| MapSurface { number, texture: "Stone".into(), zone: 1, ..MapSurface::default() };
    Map {
        name: "Rooms".into(),
        models: vec![walls(), lift(), lamp(), brush()].into_iter().map(Arc::new).collect(),
        items: vec![
            at(0, MapItemKind::World, Vec3::ZERO, None),
            at(1, MapItemKind::Mover, LIFT_AT, Some(0)),
            at(2, MapItemKind::Sprite, LAMP_AT, Some(1)),
            at(3, MapItemKind::Brush, BRUSH_AT, Some(2)),
        ],
        surfaces: (0..11).map(surface).collect(),
        actors: vec![
            actor("Lift0", "Mover", LIFT_AT, 0),
            actor("Light7", "Light", LAMP_AT, 1),
            actor("Brush3", "Brush", BRUSH_AT, 2),
        ],
        lights: vec![MapLight { actor: 1, color: Vec3::new(0.8, 0.4, 0.0), radius: 5.0, spot: None }],
        starts: vec![MapStart { location: Vec3::new(6.0, 1.6, 2.5), yaw: -1.75 }],
        card: MapCard {
            title: "Two Rooms".into(),
            author: "Bonebox".into(),
            facts: vec![("Players".into(), "1".into()), ("Song".into(), "none".into())],
            screenshot: Some(image("Screenshot", 64, 64, |x, y| [x as u8 * 3, y as u8 * 3, 90, 255])),
        },
        ..Map::default()
    }
}

/// Actors of the level with links, beside the first three.
pub const TRIGGER: u32 = 3;
pub const NODES: [u32; 2] = [4, 5];
pub const SOUND: u32 = 6;
pub const TORCH: u32 = 7;
pub const TRIGGER_AT: Vec3 = Vec3::new(2.0, 0.75, 1.0);
pub const NODES_AT: [Vec3; 2] = [Vec3::new(-6.0, 0.5, 2.0), Vec3::new(-2.0, 0.5, 3.0)];
/// Where the lift's second key is.
pub const LIFT_TO: Vec3 = Vec3::new(-4.0, 2.5, -1.0);

/// The level with what links its actors: a trigger that sets the lift off, two navigation points with paths between them, a sound,
/// a spotlight and a second start. In the file's space Y and Z are swapped.
pub fn linked(first_source: u32) -> Map {
    let mut map = rooms(first_source);
    map.file_from_scene = Affine3A::from_mat3(glam::Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::Y));
    let bases = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Arc<[String]>>();
    let of_first = [bases(&["Actor", "Brush"]), bases(&["Actor"]), bases(&["Actor"])];
    for (actor, bases) in map.actors.iter_mut().zip(of_first) {
        actor.bases = bases;
    }
    map.actors[0].tag = "LiftUp".into();
    let added = [
        ("Trigger5", "Trigger", bases(&["Actor", "Triggers"]), TRIGGER_AT),
        ("PathNode1", "PathNode", bases(&["Actor", "NavigationPoint"]), NODES_AT[0]),
        ("PathNode2", "PathNode", bases(&["Actor", "NavigationPoint"]), NODES_AT[1]),
        ("AmbientSound0", "AmbientSound", bases(&["Actor", "Keypoint"]), Vec3::new(-3.0, 1.0, 1.0)),
        ("TorchLight9", "TorchLight", bases(&["Actor", "Light"]), Vec3::new(-6.0, 3.0, -2.0)),
    ];
    for (index, (name, class, bases, location)) in (3_u32..).zip(added) {
        map.actors.push(MapActor {
            name: name.into(),
            class: class.into(),
            bases,
            location,
            source: SourceEntry(first_source + index),
            ..MapActor::default()
        });
    }
    let trigger = &mut map.actors[TRIGGER as usize];
    (trigger.event, trigger.collision) = ("liftup".into(), Some([0.5, 0.75]));
    map.actors[NODES[0] as usize].next = vec![("Nextpatrol".into(), NODES[1])];
    map.actors[SOUND as usize].sound_radius = Some(2.0);
    let spot = Some((Vec3::NEG_Y, 0.5));
    map.lights.push(MapLight { actor: TORCH, color: Vec3::new(0.5, 0.5, 0.25), radius: 3.0, spot });
    let path = MapPath { start: NODES[0], end: NODES[1], radius: 0.5, height: 0.75, flags: 1, pruned: false };
    map.paths = vec![path, MapPath { start: NODES[1], end: NODES[0], flags: 8, pruned: true, ..path }];
    map.movers = vec![MapMover {
        item: 1,
        keys: [LIFT_AT, LIFT_TO].map(|location| MoverKey { location, ..MoverKey::default() }).to_vec(),
        seconds: 2.0,
        ..MapMover::default()
    }];
    map.starts.push(MapStart { location: Vec3::new(-6.0, 1.6, 0.0), yaw: 0.0 });
    map
}
