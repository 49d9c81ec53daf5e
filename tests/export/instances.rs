//! Things that stand in several places as one node each (`EXT_mesh_gpu_instancing`), read back.

use crate::{
    args,
    kit::{
        level::*,
        program::{bonebox, stderr},
        read_back::{ReadBack, khronos_validate},
        samples,
        terrain::*,
    },
};
use bonebox::{
    bytes::Cancel,
    export::{
        ExportJob, ExportSpace, ExportUp,
        glb::{GlbOptions, LevelLights, Lods, OptionNames, Output, Room, TextureSize, map_glb_with, terrain_glb_with},
    },
    scene::{Map, MapItemKind, Prop},
};
use glam::{Affine3A, Mat4, Quat, Vec3};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const EXTENSION: &str = "EXT_mesh_gpu_instancing";
const TOGETHER: GlbOptions = GlbOptions {
    rate_hz: None,
    assumed_rate_hz: None,
    instances: true,
    without_sprites: false,
    texture_size: TextureSize::Enlarged,
    lods: Lods::None,
    lights: LevelLights::Punctual,
    wears_set: false,
    plain_skeleton: false,
    bind_pose: false,
    names: OptionNames { bind_pose: "", baked_light: "", original_size: "" },
};

/// A node that stands for several: its number, and where it stands itself.
struct Instanced<'a> {
    node: &'a Value,
    places: Vec<Mat4>,
}

/// The nodes that stand for several, and where each stands in the scene.
fn instanced(file: &ReadBack) -> Vec<Instanced<'_>> {
    let world = file.world_at(None);
    let nodes = file.json["nodes"].as_array().unwrap().iter().zip(&world);
    let of_node = |(node, world): (&'_ Value, &Mat4)| {
        let attributes = node["extensions"][EXTENSION]["attributes"].as_object()?.clone();
        let numbers = |name: &str| attributes.get(name).map(|at| file.floats(at.as_u64().unwrap() as usize));
        let translations = numbers("TRANSLATION").unwrap();
        let (rotations, scales) = (numbers("ROTATION"), numbers("SCALE"));
        let place = |(index, translation): (usize, &Vec<f32>)| {
            let rotation = rotations.as_ref().map_or(Quat::IDENTITY, |of| Quat::from_slice(&of[index]));
            let scale = scales.as_ref().map_or(Vec3::ONE, |of| Vec3::from_slice(&of[index]));
            *world * Mat4::from_scale_rotation_translation(scale, rotation, Vec3::from_slice(translation))
        };
        Some(translations.iter().enumerate().map(place).collect::<Vec<_>>())
    };
    nodes.filter_map(|(node, world)| Some(Instanced { node, places: of_node((node, world))? })).collect()
}

/// The rooms with five crates that look like the lift: one of them mirrored, one skewed, and one that gives light.
fn crates() -> (Map, Vec<Affine3A>) {
    let mut map = rooms(1);
    let turned = |turn, at, scale: f32| {
        Affine3A::from_scale_rotation_translation(Vec3::new(scale, 1.0, 2.0), Quat::from_rotation_y(turn), at)
    };
    let plain = [turned(0.5, Vec3::X, 1.0), turned(-1.5, Vec3::new(0.0, 2.0, 3.0), 3.0)];
    let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let mut skewed = Affine3A::IDENTITY;
    skewed.matrix3.y_axis.x = 0.5;
    for (index, place) in plain.into_iter().chain([mirrored, skewed, plain[0]]).enumerate() {
        let mut item = map.items[1].clone();
        let mut actor = map.actors[0].clone();
        actor.name = format!("Crate{index}");
        actor.class = "Crate".to_owned();
        (item.kind, item.world_from_model, item.actor) = (MapItemKind::Mesh, place, Some(map.actors.len() as u32));
        map.items.push(item);
        map.actors.push(actor);
    }
    let mut light = map.lights[0].clone();
    light.actor = map.actors.len() as u32 - 1;
    map.lights.push(light);
    (map, plain.to_vec())
}

#[test]
fn equal_meshes_of_a_level_are_one_node_and_all_else_stays_as_it_is() {
    let (map, wanted) = crates();
    let glb = map_glb_with(&map, &TOGETHER, Room::all()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crates.glb");
    std::fs::write(&path, &glb.bytes).unwrap();
    khronos_validate(&[path]);
    let file = ReadBack::new(&glb.bytes);
    file.assert_sound();
    for list in ["extensionsUsed", "extensionsRequired"] {
        assert!(file.json[list].as_array().unwrap().contains(&EXTENSION.into()), "{list}");
    }
    let found = instanced(&file);
    let [crates] = found.as_slice() else { panic!("{} nodes", found.len()) };
    assert_eq!(crates.places.len(), wanted.len());
    for (found, wanted) in crates.places.iter().zip(&wanted) {
        assert!(found.abs_diff_eq(Mat4::from(*wanted), 1e-5), "{found} {wanted:?}");
    }
    let extras = &crates.node["extras"];
    assert_eq!((&extras["names"], &extras["classes"]), (&json!(["Crate0", "Crate1"]), &json!(["Crate", "Crate"])));
    assert_eq!(extras["properties"][1], json!({ "Tag": "MoverTag", "Index": 0 }));
    // The mover, the mirrored and the skewed one and the one that shines are nodes, on the same mesh.
    let names = |mesh: &Value| -> Vec<String> {
        let nodes = file.json["nodes"].as_array().unwrap().iter();
        nodes.filter(|node| &node["mesh"] == mesh).map(|node| node["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&crates.node["mesh"]), ["Lift0", "Crate2", "Crate3", "Crate4", "Lift"]);
    assert!(glb.notes.iter().any(|note| note.starts_with("2 mirrored or skewed")), "{:?}", glb.notes);
    let described = file.json["nodes"].as_array().unwrap().iter().filter(|node| node["extras"]["class"].is_string());
    assert_eq!(described.count() + 2, map.actors.len());
    // Without being asked for there is none of it.
    let plain = map_glb_with(&map, &GlbOptions::default(), Room::all()).unwrap();
    assert!(!String::from_utf8_lossy(&plain.bytes).contains(EXTENSION));
}

#[test]
fn instances_are_scaled_and_turned_with_the_rest() {
    let (map, wanted) = crates();
    let space = ExportSpace { scale: 0.25, up: ExportUp::Z };
    let glb = map_glb_with(&map, &TOGETHER, Output { space, ..Room::all().into() }).unwrap();
    let file = ReadBack::new(&glb.bytes);
    let found = instanced(&file);
    for (found, wanted) in found[0].places.iter().zip(&wanted) {
        // A corner of the lift, whose own numbers are scaled too.
        let corner = Vec3::new(1.0, 0.5, -1.0);
        let place = space.file_from_scene().transform_point3(wanted.transform_point3(corner));
        assert!(found.transform_point3(corner * space.scale).abs_diff_eq(place, 1e-5), "{found} {wanted:?}");
    }
}

#[test]
fn sprites_of_one_picture_are_one_node() {
    let mut map = rooms(1);
    map.lights.clear();
    for x in [1.0, 2.0] {
        let mut item = map.items[2].clone();
        (item.actor, item.world_from_model) = (None, Affine3A::from_translation(Vec3::X * x));
        map.items.push(item);
    }
    let file = ReadBack::new(&map_glb_with(&map, &TOGETHER, Room::all()).unwrap().bytes);
    let found = instanced(&file);
    let [sprites] = found.as_slice() else { panic!("{} nodes", found.len()) };
    assert_eq!((sprites.places.len(), &sprites.node["extras"]["sprite"]["facesViewer"]), (3, &json!(true)));
    assert_eq!(sprites.node["extras"]["names"], json!(["Light7", "Lamp", "Lamp"]));
}

#[test]
fn a_landscape_of_many_objects_has_few_nodes() {
    let mut terrain = village();
    let upright: Vec<Prop> =
        terrain.props.iter().filter(|prop| prop.world_from_prop.matrix3.determinant() > 0.0).cloned().collect();
    let shifted = |index: u32| {
        let mut prop = Prop { slot: index, ..upright[index as usize % upright.len()].clone() };
        prop.world_from_prop.translation.y += index as f32;
        prop
    };
    terrain.props = (0..20_005).map(shifted).collect();
    let job =
        ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force: false, max_output: None, resume: false };
    let glb = terrain_glb_with(&terrain, None, &TOGETHER, Room::all(), &job).unwrap();
    let file = ReadBack::new(&glb.bytes);
    file.assert_sound();
    assert!(file.document.nodes().count() < 20, "{}", file.document.nodes().count());
    let plain = terrain_glb_with(&terrain, None, &GlbOptions::default(), Room::all(), &job).unwrap();
    assert!(glb.bytes.len() * 2 < plain.bytes.len(), "{} of {}", glb.bytes.len(), plain.bytes.len());
    // Every object is there once, where it stands, with its numbers.
    let mut found = BTreeMap::new();
    for node in instanced(&file) {
        let extras = &node.node["extras"];
        for (index, place) in node.places.iter().enumerate() {
            let ids = ["slots", "ids", "typeIds"].map(|list| extras[list][index].as_i64().unwrap());
            let floor = extras["placing"]["floor"][index].as_f64().unwrap() as f32;
            assert!((floor - place.w_axis.y).abs() < 1e-3, "{ids:?}: {floor}");
            found.insert(ids[0], (*place, ids, extras["names"][index].as_str().map(str::to_owned)));
        }
    }
    assert_eq!(found.len(), terrain.props.len());
    for (prop, (place, ids, name)) in terrain.props.iter().zip(found.values()) {
        assert!(place.abs_diff_eq(Mat4::from(prop.world_from_prop), 2e-2), "{place} {prop:?}");
        assert_eq!(*ids, [i64::from(prop.slot), i64::from(prop.id), i64::from(prop.type_id)]);
        if !prop.name.is_empty() {
            assert_eq!(name.as_deref(), Some(prop.name.as_str()));
        }
    }
    // A mirrored one is a node.
    terrain.props[7].world_from_prop.matrix3.x_axis *= -1.0;
    let glb = terrain_glb_with(&terrain, None, &TOGETHER, Room::all(), &job).unwrap();
    let file = ReadBack::new(&glb.bytes);
    assert!(file.json["nodes"].as_array().unwrap().iter().any(|node| node["extras"]["slot"] == 7));
    assert!(glb.notes.iter().any(|note| note.starts_with("1 object with mirrored or skewed")), "{:?}", glb.notes);
}

#[test]
fn the_program_says_what_instances_go_with() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name);
    let (level, model) = (samples().join("BoneRoom.unr"), samples().join("Ossie.psk"));
    for (file, name, option) in [
        (&level, "a.obj", "--instances"),
        (&model, "a.glb", "--instances"),
        (&level, "a.obj", "--no-sprites"),
        (&model, "a.glb", "--no-sprites"),
    ] {
        let output = bonebox(args!["export", file, "-o", out(name), option]);
        assert_eq!(output.status.code(), Some(2), "{name} {option}: {}", stderr(&output));
        let said = stderr(&output);
        let names_both = said.contains(&format!("{option} applies only to levels")) && said.contains("as glb or gltf");
        assert!(names_both, "{said}");
    }
    let output = bonebox(args!["export", &level, "-o", out("a.glb"), "--no-sprites", "--instances"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let file = ReadBack::new(&std::fs::read(out("a.glb")).unwrap());
    assert!(!file.json.to_string().contains("facesViewer"));
}
