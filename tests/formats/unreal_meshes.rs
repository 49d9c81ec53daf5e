//! Meshes of packages: those of the corpus against what is known of them, and ones made for the purpose.

use crate::kit::{
    Noise,
    open::{Opened, clip_in, model_in, open, open_whole},
    remains::shape,
    unreal::{Whole, entry_of, package, quiet_asset},
};
use bonebox::{
    formats::{
        Asset, Children, Content, EntryId, Field, Value,
        unreal::encode::{
            AnimationBone, BoneWeight, BoneWeightIndex, Export, ExtWedge, LodData, LodFace, LodMaterial, LodWedge,
            MeshData, Move, PackageWriter, Ref, Sequence, SkeletalData, SkeletonBone, Track, Tri, Vertices,
            pack_vertex, write_animation, write_lod_mesh, write_mesh, write_skeletal_mesh,
        },
    },
    scene::{
        Blend, Clip, Frame, Layer, MaterialIndex, MaterialKind, Mesh, MissingTexture, Model, Target, evaluate, skinning,
    },
};
use glam::Vec3;
use serde_json::Value as Json;
use std::{collections::BTreeSet, sync::Arc};

fn model(file: &Opened, entry: EntryId) -> Arc<Model> {
    model_in(quiet_asset(file, entry))
}

fn clips(file: &Opened, mesh: EntryId) -> Vec<Arc<Clip>> {
    let clips = file.document.outline().with_content(Content::Clip).filter(|e| e.parent == Some(mesh));
    clips.map(|entry| clip_in(quiet_asset(file, entry.id))).collect()
}

fn field<'a>(fields: &'a [Field], name: &str) -> &'a Field {
    fields.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no field {name}"))
}

fn rows(field: &Field) -> usize {
    match &field.children {
        Children::Table(table) => table.len(),
        _ => 0,
    }
}

fn check_fields(file: &Opened, entry: EntryId, wanted: &Json) {
    let tree = file.document.fields(entry).unwrap();
    let fields = &tree.fields;
    let table = |name: &str| fields.iter().find(|f| f.name == name && f.kind != "index").map_or(0, rows);
    assert_eq!(table("Verts") as u64, wanted["vertices_packed"].as_u64().unwrap());
    assert_eq!(table("Tris") as u64, wanted["triangles"].as_u64().unwrap());
    let int = |name: &str| field(fields, name).value.clone();
    assert_eq!(int("FrameVerts"), Value::Int(wanted["frame_vertices"].as_i64().unwrap()));
    assert_eq!(int("AnimFrames"), Value::Int(wanted["frames"].as_i64().unwrap()));
    let Children::Fields(bounds) = &field(fields, "BoundingBox").children else { panic!("the box has no fields") };
    let corner = |name: &str| match &field(bounds, name).value {
        Value::Floats(v) => v.iter().map(|v| f64::from(*v)).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let numbers: Vec<f64> = wanted["bounds"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    assert_eq!([corner("Min"), corner("Max")].concat(), numbers);
    let textures = fields.iter().find(|f| f.name == "Textures").unwrap();
    let Children::Table(list) = &textures.children else { panic!("no textures") };
    let found: Vec<Option<String>> = (0..list.len())
        .map(|row| match list.row(row).unwrap().value {
            Value::Reference(reference) => (!reference.path.is_empty()).then_some(reference.path),
            other => panic!("{other:?}"),
        })
        .collect();
    let named: Vec<Option<String>> =
        wanted["textures"].as_array().unwrap().iter().map(|t| t.as_str().map(str::to_owned)).collect();
    assert_eq!(found, named);
}

fn check_model(file: &Opened, entry: EntryId, wanted: &Json) {
    let model = model(file, entry);
    let mesh = &model.meshes[0];
    let frames = mesh.vertex_frames.as_ref().unwrap();
    assert_eq!(u64::from(frames.point_count()), wanted["frame_vertices"].as_u64().unwrap());
    assert_eq!(u64::from(frames.frame_count()), wanted["frames"].as_u64().unwrap());
    assert_eq!(frames.positions(0), mesh.points, "the mesh rests in its first frame");
    for (frame, vertices) in wanted["first_vertices"].as_object().unwrap() {
        let frame: u32 = frame.parse().unwrap();
        for (vertex, place) in vertices.as_array().unwrap().iter().enumerate() {
            let number = |axis: usize| place[axis].as_f64().unwrap() as f32;
            let stored = model.file_from_scene.transform_point3(frames.positions(frame)[vertex]);
            let wanted = Vec3::new(number(0), number(1), number(2));
            assert!(stored.distance(wanted) < 1e-2, "frame {frame}, vertex {vertex}: {stored}, wanted {wanted}");
        }
    }
    let sequences = wanted["sequences"].as_array().unwrap();
    let clips = clips(file, entry);
    assert_eq!(clips.len(), sequences.len());
    for (clip, wanted) in clips.iter().zip(sequences) {
        assert_eq!(clip.name, wanted["name"].as_str().unwrap());
        assert_eq!(u64::from(clip.frame_count), wanted["frames"].as_u64().unwrap());
        assert_eq!(f64::from(clip.rate_hz), wanted["rate"].as_f64().unwrap());
        assert_eq!(clip.markers.len(), wanted["notifies"].as_array().unwrap().len());
        let first = wanted["start"].as_u64().unwrap() as u32;
        assert_eq!(
            clip.channels[0].target,
            Target::VertexFrames { mesh: mesh.name.as_str().into(), first, count: clip.frame_count }
        );
    }
}

#[test]
fn meshes_of_the_corpus_are_as_expected() {
    for (name, meshes) in [("BaseCylinder.u", 1), ("GL3RD.u", 1), ("KillConfirmed.u", 1)] {
        let Some((file, expected)) = package(name) else { return };
        let mut seen = 0;
        for wanted in expected["exports"].as_array().unwrap().iter().filter(|e| e["mesh"].is_object()) {
            check_fields(&file, entry_of(wanted), &wanted["mesh"]);
            check_model(&file, entry_of(wanted), &wanted["mesh"]);
            seen += 1;
        }
        assert!(seen >= meshes, "{name}: {seen}");
    }
}

/// Six times the volume that triangles enclose: positive when they face outwards.
fn volume(mesh: &Mesh) -> f32 {
    let corner = |v: u32| mesh.position(v as usize);
    let triangles = mesh.indices.chunks_exact(3);
    triangles.map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2])))).sum()
}

#[test]
fn closed_meshes_of_the_corpus_face_outwards() {
    for (name, path) in [("BaseCylinder.u", "BaseCylinder"), ("GL3RD.u", "GLpickup"), ("KillConfirmed.u", "dogTag")] {
        let Some((file, _)) = package(name) else { return };
        let entries = file.document.outline().with_content(Content::Model).find(|e| e.name == path).unwrap();
        let model = model(&file, entries.id);
        let mesh = &model.meshes[0];
        assert!(volume(mesh) > 0.0, "{name}: {}", volume(mesh));
        let point = |v: u32| mesh.vertex_points[v as usize] as usize;
        let agree = mesh.indices.chunks_exact(3).filter(|t| {
            let [a, b, c] = [t[0], t[1], t[2]].map(|v| mesh.position(v as usize));
            (b - a).cross(c - a).dot(mesh.point_normals[point(t[0])]) > 0.0
        });
        assert!(agree.count() * 10 > mesh.triangle_count() * 8, "{name}: normals point inwards");
    }
}

#[test]
fn levels_of_detail_only_lose_triangles() {
    let Some((file, _)) = package("KillConfirmed.u") else { return };
    let entry = file.document.outline().with_content(Content::Model).find(|e| e.name == "dogTag").unwrap();
    let model = model(&file, entry.id);
    assert!(model.level_count() > 0);
    let mut before = model.triangle_count();
    for level in 1..=model.level_count() {
        let coarse = model.at_level(level);
        assert!(coarse.triangle_count() < before && coarse.triangle_count() > 0, "level {level}");
        before = coarse.triangle_count();
        let vertices = coarse.meshes[0].vertex_count() as u32;
        assert!(coarse.meshes[0].indices.iter().all(|v| *v < vertices));
    }
    assert_eq!(model.at_level(99).triangle_count(), before, "past the last level the last one stays");
}

#[test]
fn textures_lie_on_the_surfaces_that_name_them() {
    let Some((file, _)) = package("GL3RD.u") else { return };
    let entry = file.document.outline().with_content(Content::Model).next().unwrap();
    let model = model(&file, entry.id);
    let textured: Vec<(&str, Blend)> = model
        .materials
        .iter()
        .filter_map(|m| match &m.kind {
            MaterialKind::Basic(basic) if basic.image.is_some() => Some((m.name.as_str(), basic.blend)),
            _ => None,
        })
        .collect();
    // Two slots with one texture. It says bMasked, the mesh does not: skins are drawn whole.
    assert_eq!(textured, [("JGLpickup1", Blend::Opaque), ("JGLpickup1", Blend::Opaque)]);
    assert_eq!(model.images.len(), 1);
}

/// Three frames of a tetrahedron that grows.
pub fn tetrahedron() -> MeshData {
    let corners = [[0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10]];
    let vertices = (1..=3).flat_map(|size| corners.map(|c| pack_vertex(c.map(|v| v * size)))).collect();
    let tri = |vertices| Tri { vertices, uvs: [[0, 0], [255, 0], [0, 255]], poly_flags: 0x102, texture: 0 };
    MeshData {
        vertices: Vertices::Packed(vertices),
        // Counter-clockwise from outside by Unreal's numbers taken as right-handed, as in every mesh of the games.
        triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]].map(tri).to_vec(),
        sequences: vec![Sequence {
            name: "Grow".into(),
            group: "None".into(),
            start_frame: 1,
            frame_count: 2,
            notifications: vec![(0.5, "Pop".into()), (0.25, "Crack".into())],
            rate_hz: 12.0,
        }],
        textures: vec![Ref::NULL],
        frame_vertices: 4,
        frames: 3,
        scale: [1.0, 1.0, 2.0],
        origin: [1.0, 0.0, 0.0],
        rotation_origin: [0, 16384, 0],
        ..MeshData::default()
    }
}

fn package_of(version: u16, mesh: &MeshData) -> PackageWriter {
    let mut package = PackageWriter::new(version, 0);
    let class = package.class("Engine", "Mesh");
    package.add(&Export::new(class, "Tetra"), |out| write_mesh(out, mesh));
    package
}

/// The entry of the first model.
fn first_model(file: &Opened) -> EntryId {
    file.first(Content::Model)
}

#[test]
fn a_made_mesh_moves_as_hand_arithmetic_says() {
    for version in [61, 63, 65, 68, 69] {
        let file = open("Made.u", package_of(version, &tetrahedron()).finish());
        let entry = first_model(&file);
        let model = model(&file, entry);
        assert!(volume(&model.meshes[0]) > 0.0, "faces outwards");
        let clip = clips(&file, entry).remove(0);
        assert_eq!((clip.name.as_str(), clip.frame_count, clip.rate_hz), ("Grow", 2, 12.0));
        let markers: Vec<(f32, &str)> = clip.markers.iter().map(|m| (m.frame, m.name.as_str())).collect();
        assert_eq!(markers, [(0.5, "Crack"), (1.0, "Pop")]);
        let binding = bonebox::scene::Binding::new(&clip, &model, Default::default());
        let mut frame = Frame::default();
        let mut point = |number: f32, looping: bool| {
            evaluate(&model, &[Layer { clip: &clip, binding: &binding, frame: number, looping }], &[], &mut frame);
            skinning::skinned_points(&model, &model.meshes[0], &frame)[3]
        };
        // Vertex 3 of frame 1 is (0, 0, 20): less the origin (−1, 0, 20), scaled (−1, 0, 40), turned (0, −1, 40), and the
        // scene's Y is Unreal's Z.
        assert!(point(0.0, true).distance(Vec3::new(0.0, 40.0, -1.0)) < 1e-4, "{version}");
        assert!(point(0.5, true).distance(Vec3::new(0.0, 50.0, -1.0)) < 1e-4);
        assert!(point(1.75, true).distance(Vec3::new(0.0, 45.0, -1.0)) < 1e-4, "over the seam to the first");
        assert!(point(1.75, false).distance(Vec3::new(0.0, 60.0, -1.0)) < 1e-4);
        let MaterialKind::Basic(basic) = &model.materials[0].kind else { panic!("no plain material") };
        assert_eq!((basic.blend, basic.two_sided, basic.image), (Blend::Masked, true, None));
        assert_eq!(model.missing, ["texture slot 0 is empty: the actor provides the texture"]);
    }
}

#[test]
fn a_texture_of_a_package_that_is_not_there_is_named_with_it() {
    let mut package = PackageWriter::new(68, 0);
    let texture = package.external(("Engine", "Texture"), "Lamps", &["Street", "Glow"]);
    let mesh = MeshData { textures: vec![texture], ..tetrahedron() };
    let class = package.class("Engine", "Mesh");
    package.add(&Export::new(class, "Tetra"), |out| write_mesh(out, &mesh));
    let file = open("Made.u", package.finish());
    let model = model(&file, first_model(&file));
    let missing = MissingTexture {
        material: MaterialIndex(0),
        object: "Lamps.Street.Glow".into(),
        package: Some("Lamps".into()),
        near: String::new(),
    };
    assert_eq!(model.missing_textures, [missing]);
    assert_eq!(model.materials_without_texture(), [MaterialIndex(0)]);
    assert_eq!(
        model.missing_textures[0].sentence("Lamps.Street.Glow"),
        "the texture Lamps.Street.Glow of the material “Lamps.Street.Glow” is missing. Open the package Lamps or \
         add its folder as a search folder"
    );
}

#[test]
fn vertices_of_eight_bytes_are_told_by_the_offset_behind_them() {
    let mut mesh = tetrahedron();
    let places = [[0, 0, 0], [3000, 0, 0], [0, -3000, 0], [0, 0, 3000]];
    mesh.vertices = Vertices::Wide([places, places, places].concat());
    let file = open("Wide.u", package_of(68, &mesh).finish());
    let model = model(&file, first_model(&file));
    let stored = model.file_from_scene.transform_point3(model.meshes[0].points[2]);
    assert!(stored.distance(Vec3::new(0.0, -3000.0, 0.0)) < 1e-2, "{stored}");
    assert_eq!(model.vertex_frame_count(), 3);
    assert_eq!(clips(&file, first_model(&file))[0].name, "Grow");
}

/// A strip of two squares whose far edge goes first, with an attachment triangle in front of its vertices.
fn strip() -> (MeshData, LodData) {
    let special = [[0, 0, 50], [1, 0, 50], [0, 1, 50]];
    let places = [[0, 0, 0], [0, 10, 0], [10, 0, 0], [10, 10, 0], [20, 0, 0], [20, 10, 0]];
    let frame: Vec<u32> = special.iter().chain(&places).map(|p| pack_vertex(*p)).collect();
    let mesh = MeshData {
        vertices: Vertices::Packed([frame.clone(), frame].concat()),
        textures: vec![Ref::NULL],
        frame_vertices: 9,
        frames: 2,
        scale: [1.0; 3],
        ..MeshData::default()
    };
    let face = |wedges| LodFace { wedges, material: 0 };
    let lod = LodData {
        collapse_points: vec![0, 1, 2, 3, 4, 5, 6, 5, 6],
        face_levels: vec![0, 0, 5, 6],
        faces: [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]].map(face).to_vec(),
        collapse_wedges: vec![0, 1, 2, 3, 2, 3],
        wedges: (0..6).map(|vertex| LodWedge { vertex, uv: [0, 0] }).collect(),
        materials: vec![LodMaterial { poly_flags: 0, texture: 0 }],
        special_faces: vec![face([0, 1, 2])],
        model_vertices: 6,
        special_vertices: 3,
        min_vertices: 4,
        old_frame_vertices: 9,
        ..LodData::default()
    };
    (mesh, lod)
}

#[test]
fn a_made_lod_mesh_loses_its_far_edge_and_keeps_its_attachment_triangle() {
    let (mesh, lod) = strip();
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "LodMesh");
    package.add(&Export::new(class, "Strip"), |out| write_lod_mesh(out, &mesh, &lod));
    let file = open("Strip.u", package.finish());
    let model = model(&file, first_model(&file));
    let made = &model.meshes[0];
    assert_eq!(made.points.len(), 9);
    assert_eq!(made.vertex_points[..6], [3, 4, 5, 6, 7, 8], "the attachment triangle's vertices come first");
    assert_eq!(made.triangle_count(), 5);
    let hidden = |m: &bonebox::scene::Material| matches!(&m.kind, MaterialKind::Basic(b) if b.hidden);
    assert_eq!(model.materials.iter().filter(|m| hidden(m)).count(), 1);
    assert_eq!(model.level_count(), 1);
    let coarse = model.at_level(1);
    assert_eq!(coarse.meshes[0].triangle_count(), 2);
    assert!(coarse.meshes[0].indices.iter().all(|v| *v < 4));
}

/// Two bones in a row along X; the second one bends about Z over three frames.
fn skeletal() -> PackageWriter {
    let mut package = PackageWriter::new(69, 0);
    let (meshes, animations) = (package.class("Engine", "SkeletalMesh"), package.class("Engine", "Animation"));
    let bones = ["Root", "Tip"].map(|name| AnimationBone { name: name.into(), parent: 0 });
    let half = std::f32::consts::FRAC_PI_8;
    // Stored quaternions are inverses: this one bends the bone by −φ.
    let bend = |k: f32| [0.0, 0.0, -(half * k).sin(), (half * k).cos()];
    let still = Track { rotations: vec![[0.0, 0.0, 0.0, 1.0]], positions: vec![[0.0; 3]], times: vec![0.0] };
    let bending =
        Track { rotations: [0.0, 2.0].map(bend).to_vec(), positions: vec![[10.0, 0.0, 0.0]], times: vec![0.0, 2.0] };
    let motion = Move { track_time: 4.0, bone_indices: vec![1, 0], tracks: vec![bending, still], ..Move::default() };
    let sequence =
        Sequence { name: "Bend".into(), group: "None".into(), frame_count: 4, rate_hz: 10.0, ..Sequence::default() };
    let animation =
        package.add(&Export::new(animations, "Anim"), |out| write_animation(out, &bones, &[motion], &[sequence]));
    let bone = |name: &str, x: f32| SkeletonBone {
        name: name.into(),
        orientation: [0.0, 0.0, 0.0, 1.0],
        position: [x, 0.0, 0.0],
        ..SkeletonBone::default()
    };
    let skeletal = SkeletalData {
        wedges: (0..3).map(|vertex| ExtWedge { vertex, uv: [0.5, 0.25] }).collect(),
        points: vec![[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [10.0, 0.0, 5.0]],
        skeleton: vec![bone("Root", 0.0), bone("Tip", 10.0)],
        weight_indices: vec![
            BoneWeightIndex { first: 0, count: 2, ..BoneWeightIndex::default() },
            BoneWeightIndex { first: 2, count: 2, ..BoneWeightIndex::default() },
        ],
        weights: [(0, 65535), (2, 32768), (2, 32768), (1, 65535)]
            .map(|(point, weight)| BoneWeight { point, weight })
            .to_vec(),
        default_animation: animation,
        weapon_bone: 1,
        ..SkeletalData::default()
    };
    let lod = LodData {
        faces: vec![LodFace { wedges: [0, 1, 2], material: 0 }],
        materials: vec![LodMaterial { poly_flags: 4, texture: 0 }],
        ..LodData::default()
    };
    let mesh = MeshData { scale: [1.0; 3], ..MeshData::default() };
    package.add(&Export::new(meshes, "Arm"), |out| write_skeletal_mesh(out, &mesh, &lod, &skeletal));
    package
}

#[test]
fn a_made_skeletal_mesh_is_moved_by_its_animation() {
    let file = open("Arm.u", skeletal().finish());
    let entry = first_model(&file);
    let model = model(&file, entry);
    let clip = clip_in(quiet_asset(&file, file.entry("Anim/Bend")));
    assert_eq!((clip.frame_count, clip.joints.len()), (4, 2));
    let binding = bonebox::scene::Binding::new(&clip, &model, Default::default());
    assert_eq!(binding.fit.matched, 2);
    let mut frame = Frame::default();
    let mut tip = |number: f32| {
        evaluate(&model, &[Layer { clip: &clip, binding: &binding, frame: number, looping: false }], &[], &mut frame);
        let posed = skinning::skinned_points(&model, &model.meshes[0], &frame);
        model.file_from_scene.transform_point3(posed[1])
    };
    assert!(tip(0.0).distance(Vec3::new(20.0, 0.0, 0.0)) < 1e-4);
    // Half of two eighths of a turn at frame 1, all of them at frame 2: from (10, 0) outwards, 10 long.
    let at = |angle: f32| Vec3::new(10.0 + 10.0 * angle.cos(), 10.0 * angle.sin(), 0.0);
    let quarter = std::f32::consts::FRAC_PI_4;
    assert!(tip(1.0).distance(at(quarter)) < 1e-3, "{}", tip(1.0));
    assert!(tip(2.0).distance(at(2.0 * quarter)) < 1e-3, "{}", tip(2.0));
    assert_eq!(model.skeleton.as_ref().unwrap().sockets[0].joint, Some(1));
    let skin = model.meshes[0].skin.as_ref().unwrap();
    assert_eq!(skin.influences_of(2).len(), 2);
    assert!((skin.influences_of(2)[0].weight - 0.5).abs() < 1e-4);
}

#[test]
fn made_objects_are_read_to_their_last_byte() {
    let (mesh, lod) = strip();
    for version in [61, 62, 63, 65, 66, 69] {
        let mut package = package_of(version, &tetrahedron());
        let class = package.class("Engine", "LodMesh");
        package.add(&Export::new(class, "Strip"), |out| write_lod_mesh(out, &mesh, &lod));
        let file = open_whole("Bytes.u", package.finish());
        assert_eq!(file.codes(), [""; 0], "version {version}");
    }
    assert_eq!(open_whole("Arm.u", skeletal().finish()).codes(), [""; 0]);
}

#[test]
fn damaged_meshes_give_a_model_or_an_error() {
    let (mesh, lod) = strip();
    let mut lod_package = package_of(69, &tetrahedron());
    let class = lod_package.class("Engine", "LodMesh");
    lod_package.add(&Export::new(class, "Strip"), |out| write_lod_mesh(out, &mesh, &lod));
    let mut noise = Noise::new(3);
    for (whole, needs) in [(lod_package.finish(), &[][..]), (skeletal().finish(), &[("Anim", "Arm"), ("Arm", "Anim")])]
    {
        let whole = Whole::of("damaged.u", whole, needs);
        let (mut opened, mut models, mut seen) = (0, 0, BTreeSet::new());
        for round in 0..600 {
            let mut bytes = whole.bytes().to_vec();
            for _ in 0..=noise.below(4) {
                let at = noise.below(bytes.len());
                bytes[at] = [0, 1, 0x7F, 0x80, 0xFF, noise.below(256) as u8][noise.below(6)];
            }
            if round % 5 == 0 {
                bytes.truncate(noise.below(bytes.len()));
            }
            let is_same = |was: &Asset, is: &Asset| match (was, is) {
                (Asset::Model(was), Asset::Model(is)) => shape(was) == shape(is),
                (Asset::Clip(was), Asset::Clip(is)) => was.channels.len() == is.channels.len(),
                _ => false,
            };
            let Some(left) = whole.hold(&bytes, is_same) else { continue };
            for model in left.models() {
                // The least that a point, and a corner of a triangle, takes in the file.
                let (points, corners) =
                    model.meshes.iter().fold((0, 0), |(p, c), mesh| (p + mesh.points.len(), c + mesh.indices.len()));
                assert!(
                    points * 4 <= bytes.len() && corners * 2 <= bytes.len(),
                    "round {round}: {points} points, {corners} corners"
                );
            }
            if round % 8 == 0 {
                left.assert_exports();
            }
            opened += 1;
            models += usize::from(left.models().count() > 0);
            seen.extend(left.codes());
        }
        assert!(opened > 500 && models > 300, "{opened} of 600 open, {models} with a model");
        let wanted =
            ["unreal.bad-object", "unreal.bad-reference", "unreal.export-outside-file", "unreal.truncated-table"];
        assert!(wanted.iter().all(|code| seen.contains(code)), "{seen:?}");
    }
}
