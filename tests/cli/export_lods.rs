//! `--lods`: the levels of detail of a model in one file.

use crate::kit::{
    p3d::{MadeLevel, made_box, made_memory, model_bytes},
    program::{export, stderr, text},
    read_back::{ReadBack, khronos_validate},
};
use bonebox::{
    bytes::Cancel,
    formats::unreal::encode::{
        Export, LodData, LodFace, LodMaterial, LodWedge, MeshData, PackageWriter, Ref, Sequence, Vertices, pack_vertex,
        write_lod_mesh,
    },
    library::OpenOptions,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn read(path: &Path, arguments: &[&str]) -> ReadBack {
    let done = export(arguments);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let read = ReadBack::new(&std::fs::read(path).unwrap());
    read.assert_sound();
    read
}

/// Name and triangles of each node with a mesh; and whether it is in the scene.
fn nodes(file: &ReadBack) -> Vec<(String, usize, bool)> {
    let scene: Vec<usize> = file.document.default_scene().unwrap().nodes().map(|node| node.index()).collect();
    let nodes = file.document.nodes().filter_map(|node| Some((node.clone(), node.mesh()?)));
    nodes
        .map(|(node, mesh)| {
            let count = mesh.primitives().map(|primitive| primitive.indices().unwrap().count() / 3).sum();
            (node.name().unwrap().to_owned(), count, scene.contains(&node.index()))
        })
        .collect()
}

fn named(nodes: &[(&str, usize, bool)]) -> Vec<(String, usize, bool)> {
    nodes.iter().map(|(name, count, is_shown)| ((*name).to_owned(), *count, *is_shown)).collect()
}

/// A house with three visual levels of 12, 8 and 2 triangles, in another order, and others.
fn house(folder: &Path) -> PathBuf {
    let with_faces = |resolution: f32, faces: usize| {
        let mut level: MadeLevel = made_box(resolution, false);
        level.faces.truncate(faces);
        level
    };
    let levels = [with_faces(4.0, 1), made_box(1.0, false), made_box(1e13, false), with_faces(2.0, 4), made_memory()];
    let source = folder.join("house.p3d");
    std::fs::write(&source, model_bytes(&levels)).unwrap();
    source
}

/// Triangles of entries of a file, by name.
fn triangles(source: &Path) -> Vec<(String, usize)> {
    let file = OpenOptions::new().open(source).unwrap();
    let never = Cancel::new();
    let entries = file.document.outline().entries().iter();
    let models = entries.filter_map(|entry| match file.load(entry.id, Default::default(), &never).ok()?.asset {
        bonebox::formats::Asset::Model(model) => Some((entry.name.to_string(), model.triangle_count())),
        _ => None,
    });
    models.collect()
}

#[test]
fn levels_that_are_models_stand_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let source = house(folder.path());
    let of_file = triangles(&source);
    for (name, count) in [("Visual 1", 12), ("Visual 2", 8), ("Visual 4", 2)] {
        assert!(of_file.contains(&(name.to_owned(), count)), "{of_file:?}");
    }
    let at = |name: &str| folder.path().join(name);
    let plain = read(&at("plain.glb"), &[text(&source), "-o", text(&at("plain.glb"))]);
    assert_eq!(nodes(&plain), named(&[("house", 12, true)]));

    let msft = read(&at("msft.glb"), &[text(&source), "--lods", "msft", "-o", text(&at("msft.glb"))]);
    let wanted = [("house", 12, true), ("house_LOD1", 8, false), ("house_LOD2", 2, false)];
    assert_eq!(nodes(&msft), named(&wanted));
    let node = &msft.json["nodes"][0];
    assert_eq!(node["extensions"]["MSFT_lod"]["ids"], json!([1, 2]));
    assert_eq!(node["extras"]["MSFT_screencoverage"], json!([0.3333, 0.0833, 0.0]));
    assert_eq!(msft.json["extensionsUsed"], json!(["MSFT_lod"]));
    assert_eq!(msft.json.get("extensionsRequired"), None);
    let levels: Vec<&Value> = (1..3).map(|node| &msft.json["nodes"][node]["extras"]["level"]).collect();
    assert_eq!(levels, [&json!("Visual 2"), &json!("Visual 4")]);
    // Two textures on three levels.
    assert_eq!(msft.document.materials().count(), 2);

    let siblings = read(&at("nodes.glb"), &[text(&source), "--lods", "nodes", "-o", text(&at("nodes.glb"))]);
    let wanted = [("house_LOD0", 12, true), ("house_LOD1", 8, true), ("house_LOD2", 2, true)];
    assert_eq!(nodes(&siblings), named(&wanted));
    assert_eq!(siblings.json.get("extensionsUsed"), None);

    // A level is what it is alone; a level that is not the finest has no levels.
    let alone = ["house.p3d", "alone.glb"].map(at);
    let coarse = read(&alone[1], &[text(&alone[0]), "Visual 2", "--lods", "msft", "-o", text(&alone[1])]);
    assert_eq!(nodes(&coarse), named(&[("house", 8, true)]));
    let scaled = read(
        &at("up.gltf.glb"),
        &[text(&source), "--lods", "msft", "--scale", "2", "--up", "z", "-o", text(&at("up.gltf.glb"))],
    );
    assert_eq!(scaled.json["nodes"][0]["extensions"]["MSFT_lod"]["ids"], json!([1, 2]));
    khronos_validate(&["plain.glb", "nodes.glb", "msft.glb", "up.gltf.glb"].map(at));

    let refused = export(&[text(&source), "--lods", "msft", "-o", text(&at("no.obj"))]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--lods"), "{}", stderr(&refused));
}

#[test]
fn levels_in_the_file_of_their_model_are_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let source = house(folder.path());
    let written = |to: &str, more: &[&str]| {
        let target = folder.path().join(to);
        let done = export(&[&[text(&source), "--all", "--only", "model", "-o", text(&target)], more].concat());
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        let files = std::fs::read_dir(target).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = files.filter(|name| name.ends_with(".glb")).collect();
        names.sort();
        names
    };
    assert_eq!(written("each", &[]), ["Geometry.glb", "Visual 2.glb", "Visual 4.glb", "house.glb"]);
    assert_eq!(written("one", &["--lods", "nodes"]), ["Geometry.glb", "house.glb"]);
}

/// A strip of two squares whose far edge goes first and which is lifted in its second frame.
fn strip(folder: &Path) -> PathBuf {
    let places = |up: i32| [[0, 0, up], [0, 10, up], [10, 0, up], [10, 10, up], [20, 0, up], [20, 10, up]];
    let mesh = MeshData {
        vertices: Vertices::Packed(places(0).into_iter().chain(places(5)).map(pack_vertex).collect()),
        textures: vec![Ref::NULL],
        frame_vertices: 6,
        frames: 2,
        scale: [1.0; 3],
        sequences: vec![Sequence {
            name: "Lift".to_owned(),
            group: "None".to_owned(),
            start_frame: 0,
            frame_count: 2,
            rate_hz: 10.0,
            ..Sequence::default()
        }],
        ..MeshData::default()
    };
    let face = |wedges| LodFace { wedges, material: 0 };
    let lod = LodData {
        collapse_points: vec![0, 1, 2, 3, 2, 3],
        face_levels: vec![0, 0, 5, 6],
        faces: [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]].map(face).to_vec(),
        collapse_wedges: vec![0, 1, 2, 3, 2, 3],
        wedges: (0..6).map(|vertex| LodWedge { vertex, uv: [0, 0] }).collect(),
        materials: vec![LodMaterial { poly_flags: 0, texture: 0 }],
        model_vertices: 6,
        min_vertices: 4,
        old_frame_vertices: 6,
        ..LodData::default()
    };
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "LodMesh");
    package.add(&Export::new(class, "Strip"), |out| write_lod_mesh(out, &mesh, &lod));
    let source = folder.join("Strip.u");
    std::fs::write(&source, package.finish()).unwrap();
    source
}

#[test]
fn levels_of_a_mesh_share_its_vertices_and_its_clips() {
    let folder = tempfile::tempdir().unwrap();
    let source = strip(folder.path());
    let at = |name: &str| folder.path().join(name);
    let plain = read(&at("plain.glb"), &[text(&source), "-o", text(&at("plain.glb"))]);
    assert_eq!(nodes(&plain), named(&[("Strip", 4, true)]));
    let msft = read(&at("msft.glb"), &[text(&source), "--lods", "msft", "-o", text(&at("msft.glb"))]);
    assert_eq!(nodes(&msft), named(&[("Strip", 4, true), ("Strip_LOD1", 2, false)]));
    let siblings = read(&at("nodes.glb"), &[text(&source), "--lods", "nodes", "-o", text(&at("nodes.glb"))]);
    assert_eq!(nodes(&siblings), named(&[("Strip_LOD0", 4, true), ("Strip_LOD1", 2, true)]));
    for file in [&msft, &siblings] {
        let primitive = |mesh: usize| &file.json["meshes"][mesh]["primitives"][0];
        assert_eq!(primitive(0)["attributes"], primitive(1)["attributes"]);
        assert_eq!(primitive(0)["targets"], primitive(1)["targets"]);
        let channels = file.json["animations"][0]["channels"].as_array().unwrap();
        let moved: Vec<&Value> = channels.iter().map(|channel| &channel["target"]["node"]).collect();
        assert_eq!(moved, [&json!(0), &json!(1)]);
    }
    // As each level stands at the second frame.
    let posed = siblings.pose(Some((0, 0.1)));
    assert_eq!((posed.len(), &posed[0].positions), (2, &posed[1].positions));
    assert_ne!(posed[0].positions, siblings.pose(None)[0].positions);
    khronos_validate(&["plain.glb", "msft.glb", "nodes.glb"].map(at));
}
