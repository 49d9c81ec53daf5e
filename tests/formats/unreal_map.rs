//! Brushes and levels: the corpus's map against what an independent decoder read of it, and a room made by hand.

use crate::kit::{
    Noise,
    open::{self, Opened, codes, model_in, open_whole},
    samples,
    unreal::{damaged, open_file, package, quiet_asset},
};
use bonebox::{
    formats::{
        Asset, Children, Diagnostic, Field, Table, Value,
        coverage::coverage,
        unreal::encode::{
            BspNode, BspSurface, ClassData, Export, LevelData, LightMap, MeshData, Mip, ModelData, ObjectWriter,
            PackageWriter, Poly, Properties, Ref, StateData, StructData, TextureData, Tri, Value as Property, Vertices,
            Zone, pack_vertex, write_class, write_level, write_mesh, write_model, write_palette, write_polys,
            write_properties, write_texture,
        },
    },
    scene::{Map, MapItemKind, MaterialKind, Mesh, Model, SurfaceRole},
};
use glam::Vec3;
use std::{collections::BTreeSet, sync::Arc};

fn open(bytes: Vec<u8>) -> Opened {
    open::open("Room.unr", bytes)
}

fn map(file: &Opened) -> (Arc<Map>, Vec<Diagnostic>) {
    match file.load(file.entry("MyLevel")) {
        (Ok(Asset::Map(map)), found) => (map, found),
        (other, _) => panic!("{other:?}"),
    }
}

fn model(file: &Opened, path: &str) -> Arc<Model> {
    model_in(quiet_asset(file, file.entry(path)))
}

/// A table among the fields of an entry.
fn table(file: &Opened, path: &str, name: &str) -> Option<Arc<dyn Table>> {
    let fields = file.document.fields(file.entry(path)).unwrap().fields;
    fields.iter().find(|f| f.name == name).map(|field| match &field.children {
        Children::Table(table) => table.clone(),
        _ => panic!("{name} is no table"),
    })
}

fn value(row: &Field, name: &str) -> i64 {
    let Children::Fields(fields) = &row.children else { panic!("{name}") };
    match &fields.iter().find(|f| f.name == name).unwrap().value {
        Value::Int(value) => *value,
        Value::UInt(value) | Value::Flags { value, .. } => *value as i64,
        other => panic!("{name}: {other:?}"),
    }
}

/// How many polygons a mesh has: they are fans around a vertex of their own.
fn polygons(mesh: &Mesh, counts: impl Fn(u32) -> bool) -> usize {
    let mut fans = BTreeSet::new();
    for surface in mesh.surfaces.iter().filter(|s| counts(s.material)) {
        let range = surface.first_index as usize..(surface.first_index + surface.index_count) as usize;
        fans.extend(mesh.indices[range].chunks_exact(3).map(|triangle| triangle[0]));
    }
    fans.len()
}

fn basic(model: &Model, material: u32) -> &bonebox::scene::BasicMaterial {
    match &model.materials[material as usize].kind {
        MaterialKind::Basic(basic) => basic,
        other => panic!("{other:?}"),
    }
}

fn world(map: &Map) -> &Model {
    let item = map.items.iter().find(|i| i.kind == MapItemKind::World).unwrap();
    &map.models[item.model as usize]
}

#[test]
fn the_corpus_map_has_the_expected_models_polygons_and_actors() {
    let Some((file, expected)) = package("SCR-CityStreet.unr") else { return };
    let mut compared = [0; 3];
    for export in expected["exports"].as_array().unwrap() {
        let path = export["path"].as_str().unwrap();
        let rows = |name: &str| table(&file, path, name).map_or(0, |t| t.len()) as u64;
        if let Some(model) = export.get("model") {
            let tables = [("vectors", "Vectors"), ("points", "Points"), ("nodes", "Nodes"), ("surfs", "Surfs")];
            for (name, field) in tables {
                assert_eq!(rows(field), model[name].as_u64().unwrap(), "{path} {name}");
            }
            compared[0] += 1;
        } else if let Some(polys) = export.get("polys") {
            assert_eq!(rows("Polys"), polys.as_u64().unwrap(), "{path}");
            compared[1] += 1;
        } else if let Some(actors) = export.get("actors") {
            assert_eq!(rows("Actors"), actors.as_u64().unwrap(), "{path}");
            compared[2] += 1;
        }
    }
    assert_eq!(compared, [101, 101, 1]);
    let read = coverage(file.document.as_ref());
    let kinds = ["Model", "Polys", "Level"];
    let is_of_kind = |entry| file.document.outline().get(entry).is_some_and(|e| kinds.contains(&&*e.class));
    assert_eq!(read.unread.iter().filter(|span| is_of_kind(span.entry)).count(), 0);
    assert_eq!(read.doubled.iter().filter(|overlap| is_of_kind(overlap.entry)).count(), 0);
}

#[test]
fn the_corpus_map_draws_every_node_but_the_hidden_ones() {
    let Some((file, _)) = package("SCR-CityStreet.unr") else { return };
    let (map, found) = map(&file);
    assert_eq!(found, []);

    let level = world(&map);
    let (nodes, surfs) = (table(&file, "Model1", "Nodes").unwrap(), table(&file, "Model1", "Surfs").unwrap());
    const INVISIBLE_PORTAL: i64 = 0x0400_0001;
    const BACKDROP: i64 = 0x80;
    let sky = map.skies[0].zone;
    let flags = |node: &Field| value(&surfs.row(value(node, "iSurf") as usize).unwrap(), "PolyFlags");
    let rows = || (0..nodes.len()).map(|n| nodes.row(n).unwrap());
    assert_eq!(rows().filter(|node| flags(node) & (INVISIBLE_PORTAL | BACKDROP) != 0).count(), 33);
    // The sky does not see itself.
    let is_hidden = |node: &Field| {
        let hides =
            if value(node, "iZone1") == i64::from(sky) { INVISIBLE_PORTAL } else { INVISIBLE_PORTAL | BACKDROP };
        flags(node) & hides != 0
    };
    let hidden = rows().filter(is_hidden).count();
    let worlds = map.items.iter().filter(|i| i.kind == MapItemKind::World).map(|i| &*map.models[i.model as usize]);
    let count = |is_hidden: bool| -> usize {
        let of_model =
            |model: &Model| polygons(&model.meshes[0], |material| basic(model, material).hidden == is_hidden);
        worlds.clone().map(of_model).sum()
    };
    assert_eq!((count(false), count(true)), (nodes.len() - hidden, hidden));
    let mesh = &level.meshes[0];
    let roles: BTreeSet<_> = worlds
        .clone()
        .flat_map(|model| &model.materials)
        .map(|m| match &m.kind {
            MaterialKind::Basic(b) => format!("{:?}", b.role),
            _ => "?".into(),
        })
        .collect();
    assert_eq!(roles.into_iter().collect::<Vec<_>>(), ["Backdrop", "Invisible", "Ordinary", "Portal"]);

    // Each triangle knows its surface, and faces where its normal does.
    assert_eq!(mesh.triangle_sources.len(), mesh.triangle_count());
    assert!(mesh.triangle_sources.iter().all(|s| (*s as usize) < map.surfaces.len()));
    for triangle in mesh.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| mesh.position(triangle[i] as usize));
        let cross = (b - a).cross(c - a);
        // Corners about in one line, which the tree's polygons have, may bend a little either way.
        let sine = cross.dot(mesh.normals[triangle[0] as usize]) / ((b - a).length() * (c - a).length());
        assert!(sine > -0.01, "{triangle:?}: {sine}");
    }
    // Lit: every surface with a light map has its place on a page, and none looks past its edge.
    let lit = level.materials.iter().filter(|m| match &m.kind {
        MaterialKind::Basic(b) => b.lightmap.is_some(),
        _ => false,
    });
    assert!(lit.count() > 10);
    assert!(mesh.uv_sets[1].iter().all(|uv| uv.min_element() >= 0.0 && uv.max_element() <= 1.0));

    let count = |kind| map.items.iter().filter(|i| i.kind == kind).count();
    assert_eq!(map.actors.len(), 228);
    // The level and its sky.
    assert_eq!((count(MapItemKind::World), count(MapItemKind::Mover)), (2, 0));
    assert_eq!(count(MapItemKind::Brush), 100);
    assert_eq!(map.starts.len(), 12);
    assert_eq!((map.card.title.as_str(), map.card.author.as_str()), ("City Street", "Kenneth \"Shrimp\" Watson"));
    assert!(!map.missing.is_empty());
}

/// The room: a floor at z = 0 and a ceiling at z = 800 that is a sky, one light, a mover and a start.
pub struct Room {
    pub model: ModelData,
    light: Properties,
    /// The light is of a class of the file itself, which has a mesh and says what it is like.
    torch: Option<Properties>,
    /// Whose picture the light has.
    sign: Option<Sign>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    OfClass,
    OfActor,
}

impl Room {
    pub fn new() -> Self {
        let surface = |flags, base, normal, light_map| BspSurface {
            texture: Ref(0),
            flags,
            base,
            normal,
            texture_u: 1,
            texture_v: 2,
            light_map,
            brush_poly: 0,
            pan: [0, 0],
            actor: Ref(0),
        };
        let node = |surface, vertex_pool, plane| BspNode {
            plane,
            vertex_pool,
            surface,
            zones: [0, 1],
            vertex_count: 4,
            ..BspNode::default()
        };
        let model = ModelData {
            vectors: vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
            points: vec![
                [0.0, 0.0, 0.0],
                [96.0, 0.0, 0.0],
                [96.0, 96.0, 0.0],
                [0.0, 96.0, 0.0],
                [0.0, 0.0, 800.0],
                [0.0, 96.0, 800.0],
                [96.0, 96.0, 800.0],
                [96.0, 0.0, 800.0],
            ],
            nodes: vec![node(0, 0, [0.0, 0.0, 1.0, 0.0]), node(1, 4, [0.0, 0.0, -1.0, -800.0])],
            surfaces: vec![surface(0, 0, 0, 0), surface(0x80, 4, 3, -1)],
            vertices: (0..8).map(|point| [point, -1]).collect(),
            zones: vec![
                Zone { actor: Ref(0), connectivity: 1, visibility: u64::MAX },
                Zone { actor: Ref(0), connectivity: 2, visibility: u64::MAX },
            ],
            light_maps: vec![LightMap {
                data_offset: 0,
                pan: [0.0; 3],
                clamp: [4, 4],
                scale: [32.0; 2],
                light_actors: 0,
            }],
            light_bits: vec![0xF; 4],
            ..ModelData::default()
        };
        let light = Properties::new()
            .byte("LightBrightness", 255)
            .byte("LightSaturation", 255)
            .byte("LightRadius", 63)
            .with("Location", Property::vector(32.0, 32.0, 800.0));
        Self { model, light, torch: None, sign: None }
    }

    pub fn bytes(mut self) -> Vec<u8> {
        let mut package = PackageWriter::new(69, 0);
        let mut class = |name: &str| package.class("Engine", name);
        let [level, model, polys, light, info, mover, start] =
            ["Level", "Model", "Polys", "Light", "LevelInfo", "Mover", "PlayerStart"].map(&mut class);
        let mut export = |class, name: &str| package.export(&Export::new(class, name));
        let level = export(level, "MyLevel");
        let tree = export(model, "Model0");
        let shape = export(model, "Model1");
        let polys = export(polys, "Polys0");
        let torch = package.export(&Export::new(Ref(0), "Torch").extends(light));
        let mesh_class = package.class("Engine", "Mesh");
        let mesh = package.export(&Export::new(mesh_class, "TorchMesh"));
        let sign = self.sign.map(|_| {
            let [palette, texture] = ["Palette", "Texture"].map(|name| package.class("Engine", name));
            let palette = package.add(&Export::new(palette, "SignPal"), |out| write_palette(out, &[[9; 3]; 256]));
            let mips = vec![Mip { width: 2, height: 4, bytes: vec![1; 8] }];
            let data = TextureData { palette, mips, ..TextureData::default() };
            package.add(&Export::new(texture, "Sign"), |out| write_texture(out, &data))
        });
        let sign_of = |of, properties: Properties| match sign {
            Some(sign) if self.sign == Some(of) => properties.object("Texture", sign),
            _ => properties,
        };
        let mut export = |class, name: &str| package.export(&Export::new(class, name));
        let light = export(if self.torch.is_some() { torch } else { light }, "Light0");
        let info = export(info, "LevelInfo0");
        let mover = export(mover, "Mover0");
        let start = export(start, "PlayerStart0");
        self.model.lights = vec![light, Ref(0)];
        package.write(torch, |out| {
            let defaults = sign_of(Sign::OfClass, self.torch.clone().unwrap_or_default()).object("Mesh", mesh);
            let class = ClassData { defaults, config_name: "None".to_owned(), ..ClassData::default() };
            let data = StructData { friendly_name: "Torch".to_owned(), ..StructData::default() };
            write_class(out, &data, &StateData::default(), &class);
        });
        package.write(mesh, |out| {
            let corners = [[8, 0, 0], [0, 8, 0], [0, 0, 8]];
            let mesh = MeshData {
                vertices: Vertices::Packed(corners.map(pack_vertex).to_vec()),
                triangles: vec![Tri { vertices: [0, 1, 2], ..Tri::default() }],
                frame_vertices: 3,
                frames: 1,
                scale: [1.0; 3],
                ..MeshData::default()
            };
            write_mesh(out, &mesh);
        });
        package.write(level, |out| {
            let actors = vec![info, Ref(0), light, mover, start, light];
            write_level(out, &LevelData { actors, model: tree, ..LevelData::default() });
        });
        package.write(tree, |out| write_model(out, &self.model));
        package.write(shape, |out| write_model(out, &ModelData { polys, root_outside: true, ..ModelData::default() }));
        package.write(polys, |out| {
            let poly = Poly {
                normal: [0.0, 0.0, 1.0],
                texture_u: [1.0, 0.0, 0.0],
                texture_v: [0.0, 1.0, 0.0],
                vertices: vec![[15.0, 6.0, 7.0], [15.0, 16.0, 7.0], [25.0, 16.0, 7.0]],
                flags: 0x100,
                item: "Sheet".to_owned(),
                ..Poly::default()
            };
            write_polys(out, &[poly]);
        });
        let own = sign_of(Sign::OfActor, self.light.clone());
        package.write(light, |out| write_properties(out, &own));
        package.write(info, |out| write_properties(out, &Properties::new().string("Title", "A Room")));
        package.write(mover, |out| {
            let properties = Properties::new()
                .object("Brush", shape)
                .with("MainScale", Property::scale(2.0, 1.0, 1.0))
                .with("PostScale", Property::scale(1.0, 3.0, 1.0))
                .with("PrePivot", Property::vector(5.0, 6.0, 7.0))
                .with("Rotation", Property::rotator(0, 16384, 0))
                .with("Location", Property::vector(100.0, 200.0, 300.0));
            write_properties(out, &properties);
        });
        package.write(start, |out| {
            let properties = Properties::new()
                .with("Location", Property::vector(10.0, 20.0, 30.0))
                .with("Rotation", Property::rotator(0, 16384, 0));
            write_properties(out, &properties);
        });
        package.finish()
    }
}

/// The texel that a corner of a floor reads, between texels as the renderer does.
fn light_at(map: &Map, corner: Vec3) -> [u8; 3] {
    let model = world(map);
    let mesh = &model.meshes[0];
    let at_corner = |v: &usize| mesh.position(*v) == corner && mesh.normals[*v] == Vec3::Y;
    let vertex = (0..mesh.vertex_count()).find(at_corner).unwrap();
    let page = model.images.iter().find(|i| i.stored_as == "light maps").unwrap();
    let uv = mesh.uv_sets[1][vertex];
    let (x, y) = (uv.x * page.width as f32 - 0.5, uv.y * page.height as f32 - 0.5);
    assert!((x - x.round()).abs() < 1e-3 && (y - y.round()).abs() < 1e-3, "{x} {y}");
    let at = ((y.round() as u32 * page.width + x.round() as u32) * 4) as usize;
    [page.rgba[at], page.rgba[at + 1], page.rgba[at + 2]]
}

#[test]
fn a_texel_of_the_rooms_light_map_is_as_worked_out_by_hand() {
    let file = open(Room::new().bytes());
    let (map, found) = map(&file);
    assert_eq!(found, []);
    // White of brightness 255: 1.4 × 0.7 / (0.01 + √1.4) = 0.82131. Radius 25 × 64 = 1600.
    // At the corner (0, 0, 0): distance √(32² + 32² + 800²) = 801.28; nearness 0.49920; falloff 0.49920² × (3 − 2 × 0.49920)
    // = 0.49880; incidence 800 / 801.28 = 0.99840; 0.82131 × 0.49880 × 0.99840 × 255 = 104.30.
    assert_eq!(light_at(&map, Vec3::new(0.0, 0.0, 0.0)), [104; 3]);
    // At (96, 0, 96): distance √(64² + 64² + 800²) = 805.1; nearness 0.49681; falloff 0.49522; incidence 0.99366; 103.06.
    assert_eq!(light_at(&map, Vec3::new(96.0, 0.0, 96.0)), [103; 3]);
    assert_eq!(map.card.title, "A Room");
}

#[test]
fn a_texel_of_the_sample_maps_light_is_as_worked_out_by_hand() {
    let file = open_file(&samples().join("BoneRoom.unr"));
    let (map, found) = map(&file);
    assert_eq!(found, []);
    // The end of a beam's upper face, at (−16, 314, 208) of the file, which Light0 alone reaches with all its bits around it.
    // The zone has no ZoneInfo, so the LevelInfo's ambient light counts: brightness 22 is 0.120784 × 0.7 / 0.357540 = 0.236474,
    // hue 170 is blue, 190 / 255 of the way to white: (0.176197, 0.176197, 0.236474).
    // Light0 is at (−64, 0, 232), 318.553 away, with a radius of 25 × 29 = 725: nearness 0.560616, falloff 0.314290 × 1.878768
    // = 0.590478, incidence 24 / 318.553 = 0.075341; in all 0.044487.
    // Its brightness of 210 is 1.152941 × 0.7 / 1.083751 = 0.744690; hue 28 is (0.670588, 0.329412, 0), 150 / 255 of the way to
    // white (0.864360, 0.723875, 0.588235); together (0.643680, 0.539063, 0.438053).
    // (0.176197 + 0.028636, 0.176197 + 0.023982, 0.236474 + 0.019488) × 255 = (52.23, 51.05, 65.27).
    assert_eq!(light_at(&map, Vec3::new(-16.0, 208.0, 314.0)), [52, 51, 65]);
}

#[test]
fn a_backdrop_without_a_sky_is_a_surface_as_any_other() {
    let file = open(Room::new().bytes());
    let (map, _) = map(&file);
    let model = world(&map);
    let mesh = &model.meshes[0];
    let is_seen = |m| basic(model, m).role == SurfaceRole::Ordinary && !basic(model, m).hidden;
    assert_eq!(polygons(mesh, is_seen), 2);
    assert_eq!(map.surfaces[1].traits, "fake-backdrop");
    assert!(mesh.vertex_zones.iter().all(|zone| *zone == 1));
    // Texels over an unknown picture's 256: the far corner lies at 96.
    let far = (0..mesh.vertex_count()).find(|v| mesh.position(*v) == Vec3::new(96.0, 0.0, 96.0)).unwrap();
    assert_eq!(mesh.uv_sets[0][far].to_array(), [0.375, 0.375]);
}

#[test]
fn a_mover_and_a_start_stand_where_hand_arithmetic_puts_them() {
    let file = open(Room::new().bytes());
    let (map, _) = map(&file);
    let mover = map.items.iter().find(|i| i.kind == MapItemKind::Mover).unwrap();
    let mesh = &map.models[mover.model as usize].meshes[0];
    // (15, 6, 7) − PrePivot = (10, 0, 0); × MainScale = (20, 0, 0); turned by 90° = (0, 20, 0); × PostScale = (0, 60, 0);
    // + Location = (100, 260, 300): in the scene (100, 300, 260).
    let corner = mover.world_from_model.transform_point3(mesh.points[0]);
    assert!(corner.distance(Vec3::new(100.0, 300.0, 260.0)) < 1e-3, "{corner}");
    assert_eq!(map.actors[mover.actor.unwrap() as usize].name, "Mover0");
    let surface = &map.surfaces[mesh.triangle_sources[0] as usize];
    assert_eq!((surface.brush, surface.traits.as_str()), (mover.actor, "two-sided"));

    // The start looks along Unreal's Y, which is the scene's Z.
    assert_eq!(map.starts.len(), 1);
    assert!(map.starts[0].yaw.abs() < 1e-5);
    assert_eq!(map.starts[0].location, Vec3::new(10.0, 30.0 + 39.0, 20.0));
    // The light is there twice in the level's list, and once in the map.
    assert_eq!(map.actors.iter().filter(|a| a.name == "Light0").count(), 1);
}

#[test]
fn what_an_actor_does_not_say_its_class_says() {
    let mut room = Room::new();
    room.light = Properties::new()
        .with("Location", Property::vector(32.0, 32.0, 800.0))
        .with("Rotation", Property::rotator(0, 16384, 0));
    let defaults = Properties::new()
        .byte("DrawType", 2)
        .float("DrawScale", 2.0)
        .byte("LightBrightness", 255)
        .byte("LightSaturation", 0)
        .byte("LightRadius", 63);
    room.torch = Some(defaults);
    let file = open(room.bytes());
    let (map, found) = map(&file);
    assert_eq!(found, []);
    // As bright as before, and red.
    assert_eq!(light_at(&map, Vec3::ZERO), [104, 0, 0]);
    // Its mesh: (8, 0, 0) × 2 = (16, 0, 0), turned by 90° = (0, 16, 0), there (32, 48, 800): in the scene (32, 800, 48).
    let item = map.items.iter().find(|i| i.kind == MapItemKind::Mesh).unwrap();
    let mesh = &map.models[item.model as usize].meshes[0];
    let placed: Vec<Vec3> = mesh.points.iter().map(|p| item.world_from_model.transform_point3(*p)).collect();
    let expected = Vec3::new(32.0, 800.0, 48.0);
    assert!(placed.iter().any(|p| p.distance(expected) < 1e-3), "{placed:?}");
    assert!(!map.items.iter().any(|i| i.kind == MapItemKind::Sprite && i.actor == item.actor));
}

#[test]
fn pictures_that_the_game_shows_are_told_from_signs_of_the_editor() {
    let sprite = |sign, torch: Properties, own: Properties| {
        let mut room = Room::new();
        (room.sign, room.torch) = (sign, Some(torch.byte("DrawType", 1)));
        room.light = room.light.and(own);
        let (map, found) = map(&open(room.bytes()));
        assert_eq!(found, []);
        let is_torch = |actor: Option<u32>| actor.is_some_and(|actor| map.actors[actor as usize].class == "Torch");
        let item = map.items.iter().find(|i| i.kind == MapItemKind::Sprite && is_torch(i.actor)).unwrap();
        (map.models[item.model as usize].images[0].name.clone(), item.hidden_in_game)
    };
    let (none, hidden, seen) =
        (Properties::new, || Properties::new().bool("bHidden", true), || Properties::new().bool("bHidden", false));
    let sign = |hidden| ("Sign".to_owned(), hidden);
    // Light, which Torch extends, is nowhere: what the class has may be its sign, what the actor has is meant.
    assert_eq!(sprite(Some(Sign::OfClass), none(), none()), sign(true));
    assert_eq!(sprite(Some(Sign::OfActor), none(), none()), sign(false));
    // Where it is said, by the actor or by its class, that counts.
    assert_eq!(sprite(Some(Sign::OfClass), seen(), none()), sign(false));
    assert_eq!(sprite(Some(Sign::OfClass), none(), seen()), sign(false));
    assert_eq!(sprite(Some(Sign::OfActor), hidden(), none()), sign(true));
    assert_eq!(sprite(Some(Sign::OfActor), seen(), hidden()), sign(true));
    // A marker is no picture of the game's.
    assert_eq!(sprite(None, seen(), none()), ("marker: light".to_owned(), true));
}

#[test]
fn up_to_version_61_the_parts_of_a_model_are_objects_of_their_own() {
    let mut package = PackageWriter::new(61, 0);
    let names = ["Model", "Vectors", "Points", "BspNodes", "BspSurfs", "Verts"];
    let exports = names.map(|name| {
        // The two lists of vectors are of two classes.
        let class = package.class("Engine", name);
        package.export(&Export::new(class, &format!("{name}0")))
    });
    let [whole, vectors, points, nodes, surfs, verts] = exports;
    let list = |out: &mut ObjectWriter<'_>, vectors: &[[f32; 3]]| {
        write_properties(out, &Properties::new());
        out.i32s(&[vectors.len() as i32, 99]);
        vectors.iter().for_each(|vector| out.f32s(vector));
    };
    package.write(vectors, |out| list(out, &[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]));
    package.write(points, |out| list(out, &[[0.0; 3], [0.0, 64.0, 0.0], [64.0, 64.0, 0.0]]));
    package.write(nodes, |out| {
        write_properties(out, &Properties::new());
        out.i32s(&[1, 1]);
        out.f32s(&[0.0, 0.0, 1.0, 0.0]);
        out.u64(0);
        out.u8(0);
        // Vertices, surface, back, front, plane, bounds, and zones: the polygon is in zone 3.
        [0, 0, -1, -1, -1, -1, -1, 0, 3].iter().for_each(|index| out.index(*index));
        out.u8(3);
        out.i32s(&[-1, -1]);
        out.count(1);
        out.object(Ref(0));
        out.u64(1);
        out.u64(1);
    });
    package.write(surfs, |out| {
        write_properties(out, &Properties::new());
        out.i32s(&[1, 1]);
        out.object(Ref(0));
        out.u32(0x100);
        [0, 0, 1, 2, -1, 0].iter().for_each(|index| out.index(*index));
        out.i16(0);
        out.i16(0);
        out.object(Ref(0));
    });
    package.write(verts, |out| {
        write_properties(out, &Properties::new());
        out.i32s(&[3, 3]);
        [0, -1, 1, -1, 2, -1, 7].iter().for_each(|index| out.index(*index));
    });
    package.write(whole, |out| {
        write_properties(out, &Properties::new());
        out.bounding_box([0.0; 3], [64.0; 3], true);
        out.f32s(&[0.0; 3]);
        [vectors, points, nodes, surfs, verts].iter().for_each(|part| out.object(*part));
        // No Polys; no light maps, bits, bounds, hulls, leaves, lights; two objects more; not outside, not linked.
        out.object(Ref(0));
        (0..6).for_each(|_| out.count(0));
        out.object(Ref(0));
        out.object(Ref(0));
        out.u32(0);
        out.u32(0);
    });
    let file = open_whole("Room.unr", package.finish());
    assert_eq!(file.codes(), [""; 0]);
    let model = model(&file, "Model0");
    assert_eq!(model.triangle_count(), 1);
    assert!(basic(&model, 0).two_sided);
    assert_eq!(model.meshes[0].vertex_zones, [3; 3]);
    assert_eq!(model.meshes[0].points[2], Vec3::new(64.0, 0.0, 64.0));
}

#[test]
fn a_brush_alone_is_a_model() {
    let file = open(Room::new().bytes());
    for path in ["Polys0", "Model1"] {
        let model = model(&file, path);
        assert_eq!(model.triangle_count(), 1, "{path}");
        assert!(basic(&model, 0).two_sided);
        let mesh = &model.meshes[0];
        assert_eq!(mesh.normals[0], Vec3::Y);
    }
    assert_eq!(model(&file, "Model0").triangle_count(), 4);
}

#[test]
fn indices_that_lead_nowhere_and_numbers_that_are_none_are_left_out() {
    type Damage = fn(&mut ModelData);
    let damages: [(&str, Damage); 7] = [
        ("unreal.bad-map-index", |m| m.nodes[1].surface = 99),
        ("unreal.bad-map-index", |m| m.nodes[1].vertex_pool = -5),
        ("unreal.bad-map-index", |m| m.vertices[6] = [1000, 0]),
        ("unreal.bad-map-index", |m| m.surfaces[1].base = -1),
        ("unreal.bad-map-index", |m| m.surfaces[1].texture_u = i32::MAX),
        ("unreal.not-finite", |m| m.points[5] = [f32::NAN, 0.0, 0.0]),
        ("", |m| {
            m.surfaces[0].light_map = 77;
            m.light_maps[0].clamp = [i32::MAX, i32::MAX];
            m.nodes[0].plane = [f32::NAN; 4];
            m.nodes[0].back = 1;
            m.nodes[1].back = 0;
        }),
    ];
    for (number, (code, damage)) in damages.into_iter().enumerate() {
        let mut room = Room::new();
        damage(&mut room.model);
        let file = open(room.bytes());
        let (map, found) = map(&file);
        let wanted: Vec<&str> = if code.is_empty() { vec![] } else { vec![code] };
        assert_eq!(codes(&found), wanted, "{number}");
        let left = polygons(&world(&map).meshes[0], |_| true);
        assert_eq!(left, if code.is_empty() { 2 } else { 1 }, "{number}");
    }
}

#[test]
fn each_reason_for_skipped_nodes_names_its_own_first_node() {
    let mut room = Room::new();
    room.model.nodes[0].surface = 99;
    // The second node has points 4 to 7.
    room.model.points[5] = [f32::NAN, 0.0, 0.0];
    let (_, found) = map(&open(room.bytes()));
    assert_eq!(
        found.iter().map(|found| (found.code, found.message.as_str())).collect::<Vec<_>>(),
        [
            (
                "unreal.bad-map-index",
                "1 BSP node skipped because of missing surfaces, vertices or points (first skipped node: 0)"
            ),
            ("unreal.not-finite", "1 BSP node skipped because of points that are not finite (first skipped node: 1)"),
        ]
    );
}

#[test]
fn damaged_levels_never_panic() {
    let whole_room = Room::new().bytes();
    let wanted = map(&open(whole_room.clone())).0.models.len();
    let (mut maps, mut whole) = (0, 0);
    let mut noise = Noise::new(9);
    for _ in 0..2000 {
        let mut bytes = whole_room.clone();
        for _ in 0..1 + noise.below(8) {
            let at = noise.below(bytes.len());
            bytes[at] = noise.next() as u8;
        }
        let Some(left) = damaged("Room.unr", &bytes) else { continue };
        for (_, asset) in &left.shown {
            let Asset::Map(map) = asset else { continue };
            maps += 1;
            check_map(map);
            // Of the same actors: the list of a level names none twice.
            whole += usize::from(map.actors.len() == 5 && map.models.len() == wanted);
        }
    }
    assert!(maps > 1000 && whole <= maps, "{whole} of {maps} levels are whole");
}

/// What is placed, and where its surfaces and actors are, is there.
fn check_map(map: &Map) {
    for item in &map.items {
        assert!((item.model as usize) < map.models.len(), "{item:?}");
        assert!(item.actor.is_none_or(|actor| (actor as usize) < map.actors.len()), "{item:?}");
        assert!(item.world_from_model.is_finite(), "{item:?}");
    }
    let sources = map.models.iter().flat_map(|model| &model.meshes).flat_map(|mesh| &mesh.triangle_sources);
    assert!(sources.into_iter().all(|surface| (*surface as usize) < map.surfaces.len()));
}

/// A polygon read back from the editor's text.
#[derive(Debug, Default, PartialEq)]
struct Read {
    texture: String,
    flags: u32,
    base: [f32; 3],
    normal: [f32; 3],
    pan: [i32; 2],
    vertices: Vec<[f32; 3]>,
}

/// Reads the polygons of T3D text by its own rules: words, and numbers parted by commas.
fn polygons_of_text(text: &str) -> Vec<Read> {
    let mut polygons = Vec::new();
    let mut current = Read::default();
    for line in text.lines().map(str::trim) {
        let mut words = line.split_whitespace();
        let numbers = |word: Option<&str>| -> [f32; 3] {
            let numbers: Vec<f32> = word.unwrap().split(',').map(|n| n.parse().unwrap()).collect();
            numbers.try_into().unwrap()
        };
        match words.next() {
            Some("Begin") if words.next() == Some("Polygon") => {
                current = Read::default();
                for (key, value) in words.filter_map(|word| word.split_once('=')) {
                    match key {
                        "Texture" => current.texture = value.to_owned(),
                        "Flags" => current.flags = value.parse().unwrap(),
                        _ => {}
                    }
                }
            }
            Some("Origin") => current.base = numbers(words.next()),
            Some("Normal") => current.normal = numbers(words.next()),
            Some("Pan") => {
                let pan: Vec<i32> = words.map(|word| word[2..].parse().unwrap()).collect();
                current.pan = [pan[0], pan[1]];
            }
            Some("Vertex") => current.vertices.push(numbers(words.next())),
            Some("End") if words.next() == Some("Polygon") => polygons.push(std::mem::take(&mut current)),
            _ => {}
        }
    }
    polygons
}

fn t3d(file: &Opened, path: &str) -> String {
    let entry = file.entry(path);
    assert!(file.document.has(entry, |can, entry| Some(can.editor?.has_t3d(entry))), "{path}");
    file.document.ask(entry, |can, entry| can.editor?.t3d(entry)).unwrap().unwrap()
}

#[test]
fn a_brush_of_the_corpus_map_reads_back_from_its_text() {
    let Some((file, _)) = package("SCR-CityStreet.unr") else { return };
    let text = t3d(&file, "Brush68");
    let read = polygons_of_text(&text);
    // The same polygons, as the fields of the brush's Polys have them.
    let (map, _) = map(&file);
    let brush = map.actors.iter().position(|a| a.name == "Brush68").unwrap() as u32;
    let item = map.items.iter().find(|i| i.kind == MapItemKind::Brush && i.actor == Some(brush)).unwrap();
    let points = &map.models[item.model as usize].meshes[0].points;
    assert!(read.len() >= 4, "{text}");
    for polygon in &read {
        assert!(polygon.vertices.len() >= 3 && !polygon.texture.is_empty(), "{polygon:?}");
        for [x, y, z] in &polygon.vertices {
            let found = points.iter().any(|p| p.distance(Vec3::new(*x, *z, *y)) < 1e-4);
            assert!(found, "{x} {y} {z}");
        }
    }
    for wanted in [
        "Begin Map\r\nBegin Actor Class=Brush Name=Brush68\r\n    CsgOper=CSG_Add\r\n",
        "\r\n    MainScale=(SheerAxis=SHEER_ZX)\r\n",
        "\r\n    Location=(X=544.000000,Y=-816.000000)\r\n",
        "\r\n    Rotation=(Pitch=49152,Yaw=32768)\r\n",
        "\r\n    Begin Brush Name=Model69\r\n       Begin PolyList\r\n          Begin Polygon ",
        "\r\n    End Brush\r\n    Brush=Model'MyLevel.Model69'\r\n",
        "\r\n    Name=Brush68\r\nEnd Actor\r\nEnd Map\r\n",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    let level = t3d(&file, "MyLevel");
    assert_eq!(level.matches("Begin Actor ").count(), 228);
    assert_eq!(level.matches("Begin Actor ").count(), level.matches("End Actor\r\n").count());
    assert_eq!(level.matches("Begin Brush ").count(), 100);
    assert!(level.contains("    Title=\"City Street\"\r\n"));
    assert!(level.to_ascii_lowercase().contains("    upstreampaths(1)=27\r\n"));
}

#[test]
fn a_polygon_by_hand_is_written_to_the_letter() {
    let file = open(Room::new().bytes());
    let text = t3d(&file, "Polys0");
    let wanted = "Begin PolyList\r\n   Begin Polygon Item=Sheet Flags=256 Link=0\r\n      \
                  Origin   +00000.000000,+00000.000000,+00000.000000\r\n      \
                  Normal   +00000.000000,+00000.000000,+00001.000000\r\n      \
                  TextureU +00001.000000,+00000.000000,+00000.000000\r\n      \
                  TextureV +00000.000000,+00001.000000,+00000.000000\r\n      \
                  Vertex   +00015.000000,+00006.000000,+00007.000000\r\n      \
                  Vertex   +00015.000000,+00016.000000,+00007.000000\r\n      \
                  Vertex   +00025.000000,+00016.000000,+00007.000000\r\n   End Polygon\r\nEnd PolyList\r\n";
    assert_eq!(text, wanted);
    let read = polygons_of_text(&text);
    assert_eq!(read[0].flags, 256);
    assert_eq!(read[0].vertices[2], [25.0, 16.0, 7.0]);
    // A level is written with the shape of its mover, and with an actor that is in its list twice once.
    let level = t3d(&file, "MyLevel");
    assert!(level.contains("    Begin Brush Name=Model1\r\n"), "{level}");
    assert_eq!(level.matches("Name=Light0\r\n    Light").count(), 1);
}
