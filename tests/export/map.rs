//! A level as GLB, read back.

use crate::kit::level::*;
use bonebox::{
    bytes::Limits,
    export::glb::{Room, map_glb},
    formats::{Asset, Content, LoadOptions},
    library::open_path,
    scene::{Map, MapItemKind},
};
use glam::{Affine3A, Mat3A, Quat, Vec3};
use std::sync::atomic::AtomicBool;

fn exported(map: &Map) -> (gltf::Document, Vec<String>) {
    let glb = map_glb(map, Room::all()).unwrap();
    let document = gltf::Gltf::from_slice(&glb.bytes).unwrap().document;
    assert_eq!(document.images().count(), 2, "the pictures of walls and lift");
    if let Some(folder) = std::env::var_os("GLB_OUT") {
        std::fs::write(std::path::Path::new(&folder).join("rooms.glb"), &glb.bytes).unwrap();
    }
    (document, glb.notes)
}

#[test]
fn walls_and_movers_stand_where_they_do_under_their_names() {
    let mut map = rooms(1);
    let turn = Affine3A::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_y(0.5), LIFT_AT);
    map.items[1].world_from_model = turn;
    // A second lift shares the first one's mesh.
    let mut second = map.items[1].clone();
    (second.actor, second.world_from_model) = (None, Affine3A::from_translation(Vec3::X));
    map.items.push(second);
    let (document, notes) = exported(&map);
    let scene = document.default_scene().unwrap();
    assert_eq!(scene.name(), Some("Rooms"));
    let nodes: Vec<_> = scene.nodes().collect();
    assert_eq!(nodes.iter().map(|n| n.name().unwrap()).collect::<Vec<_>>(), ["Level", "Lift0", "Lift"]);
    assert_eq!(document.meshes().count(), 2);
    assert_eq!(nodes[1].mesh().unwrap().index(), nodes[2].mesh().unwrap().index());
    let found = glam::Mat4::from_cols_array_2d(&nodes[1].transform().matrix());
    assert!(found.abs_diff_eq(glam::Mat4::from(turn), 1e-4), "{found}");
    // Portal and sky are not there: of 11 faces 9 are left.
    let walls = nodes[0].mesh().unwrap();
    let triangles: usize = walls.primitives().map(|p| p.indices().unwrap().count() / 3).sum();
    assert_eq!((walls.primitives().len(), triangles), (1, 18));
    assert_eq!(document.materials().count(), 2);
    let set = walls.primitives().next().unwrap().get(&gltf::Semantic::TexCoords(1));
    assert!(set.is_some(), "where the light lay can still be told");
    for word in ["baked light", "portals", "1 sprites and 1 brushes"] {
        assert!(notes.iter().any(|note| note.contains(word)), "{word}: {notes:?}");
    }
}

#[test]
fn a_level_without_its_light_gives_the_same_file() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/BoneRoom.unr");
    let file = open_path(&path, Limits::default()).unwrap();
    let level = file.entries_with(Content::Map)[0];
    let written = |without_light| {
        let options = LoadOptions { without_light, ..LoadOptions::default() };
        let Asset::Map(map) = file.load(level, options, &AtomicBool::new(false)).unwrap().asset else { panic!() };
        let lights = map.models.iter().flat_map(|model| &model.images).filter(|image| image.stored_as == "light maps");
        let pixels: usize = lights.map(|image| image.rgba.len()).sum();
        (map_glb(&map, Room::all()).unwrap().bytes, pixels)
    };
    let ((lit, pixels), (unlit, none)) = (written(false), written(true));
    assert!(pixels > 0 && none == 0 && lit == unlit, "{pixels} {none}");
}

#[test]
fn skewed_placements_are_told_of_and_mirrored_ones_are_kept() {
    let mut map = rooms(1);
    map.items[1].world_from_model.matrix3 =
        Mat3A::from_cols(Vec3::X.into(), Vec3::new(0.5, 1.0, 0.0).into(), Vec3::Z.into());
    assert!(exported(&map).1.iter().any(|note| note.starts_with("1 skewed")));
    let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    map.items[1].world_from_model = mirrored;
    let (document, notes) = exported(&map);
    assert!(!notes.iter().any(|note| note.contains("skewed")), "{notes:?}");
    let node = document.nodes().find(|n| n.name() == Some("Lift0")).unwrap();
    let found = glam::Mat4::from_cols_array_2d(&node.transform().matrix());
    assert!(found.abs_diff_eq(glam::Mat4::from(mirrored), 1e-5), "{found}");
}

#[test]
fn a_level_of_nothing_is_a_file_of_nothing() {
    let mut map = rooms(1);
    map.items.retain(|item| matches!(item.kind, MapItemKind::Sprite | MapItemKind::Brush));
    let glb = map_glb(&map, Room::all()).unwrap();
    assert!(gltf::Gltf::from_slice(&glb.bytes).unwrap().scenes().next().is_none());
}
