//! Facial poses of whole blocks: as morphs of the skinned mesh, posed, and in GLB files.

use crate::kit::{
    self, charpipe,
    near::assert_close,
    open::{codes, model_in, open},
};
use bonebox::{
    export::glb::glb,
    formats::{
        EntryId,
        charpipe::encode::{Face, FaceKind, FaceRecord, encode_faces},
    },
    scene::{Frame, Mesh, skinning},
};
use glam::{Affine3A, Vec3};

/// Numbers of the arm's skinned mesh are 2048ths.
const UNIT: f32 = 1.0 / 2048.0;
const NAME: &str = "arm_full.model";

fn arm() -> Vec<u8> {
    std::fs::read(kit::data().join("charpipe").join(NAME)).unwrap()
}

/// The arm with a section of faces.
fn with_faces(faces: &[Face]) -> Vec<u8> {
    let mut block = arm();
    block.resize(block.len().next_multiple_of(32), 0);
    let start = block.len() as u32;
    block[0x18..0x1C].copy_from_slice(&start.to_be_bytes());
    block.extend(encode_faces(faces));
    block
}

fn skinned(meshes: &[Mesh]) -> &Mesh {
    meshes.iter().find(|mesh| mesh.skin.as_ref().is_some_and(|skin| skin.has_sources())).expect("a skinned mesh")
}

/// What the file has for a point: position and normal.
fn stored(mesh: &Mesh, point: usize) -> Vec<i16> {
    let source = mesh.skin.as_ref().unwrap().sources_of(point)[0];
    let numbers = source.position.to_array().into_iter().chain(source.normal.to_array());
    numbers.map(|number| (number / UNIT).round() as i16).collect()
}

/// A point that two joints or more move.
fn between(mesh: &Mesh) -> usize {
    let skin = mesh.skin.as_ref().unwrap();
    (0..mesh.points.len()).find(|point| skin.influences_of(*point).len() > 1).unwrap()
}

fn face(point: usize, base: Vec<i16>, delta: [i16; 6]) -> Face {
    let runs = vec![[point as u16, 1]];
    let poses = vec![base, delta.to_vec()];
    Face { records: vec![FaceRecord { mesh: 0, kind: FaceKind::Position, components: 6, runs, poses }] }
}

#[test]
fn a_pose_moves_what_every_list_adds_to_a_slot() {
    let plain = charpipe::model(NAME, &arm());
    let mesh = skinned(&plain.meshes);
    let point = between(mesh);
    let block = with_faces(&[face(point, stored(mesh, point), [0, 1024, 0, 0, 0, 0])]);
    // Nothing is said: the first pose is the shape.
    let model = charpipe::model(NAME, &block);
    assert_eq!(model.morph_names(), ["pose 1"]);
    let mut frame = Frame::bind(&model);
    // The second of the point's joints moves by 8 along X: the pose comes on top, whole.
    let influence = mesh.skin.as_ref().unwrap().influences_of(point)[1];
    frame.world_from_bind[influence.joint as usize] = Affine3A::from_translation(Vec3::new(8.0, 0.0, 0.0));
    let mesh = skinned(&model.meshes);
    let before = skinning::skinned_points(&model, mesh, &frame)[point];
    frame.morph_weights = vec![0.5];
    let after = skinning::skinned_points(&model, mesh, &frame);
    assert_close(&(after[point] - before), &[0.0, 0.25, 0.0], 1e-5, "half of the pose");
    let moved = mesh.skin.as_ref().unwrap().influences_of(point)[1].weight * 8.0;
    let bind = skinning::skinned_points(&model, mesh, &Frame::bind(&model))[point];
    assert_close(&(before - bind), &[moved, 0.0, 0.0], 1e-4, "the share of the joint");
}

#[test]
fn a_first_pose_that_is_not_the_shape_is_said() {
    let plain = charpipe::model(NAME, &arm());
    let mesh = skinned(&plain.meshes);
    let point = between(mesh);
    let mut base = stored(mesh, point);
    base[2] += 3;
    let block = with_faces(&[face(point, base, [0, 1024, 0, 0, 0, 0])]);
    let (asset, found) = open(NAME, block).load(EntryId::FILE);
    assert_eq!(codes(&found), ["charpipe.faces-misfit"]);
    assert_eq!(model_in(asset.unwrap()).morph_names(), ["pose 1"]);
}

#[test]
fn poses_are_morph_targets_of_a_glb() {
    let plain = charpipe::model(NAME, &arm());
    let mesh = skinned(&plain.meshes);
    let point = between(mesh);
    let model = charpipe::model(NAME, &with_faces(&[face(point, stored(mesh, point), [0, 1024, 0, 0, 0, 0])]));
    let bytes = glb(&model, &[]).unwrap().bytes;
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&bytes).unwrap();
    let with_targets: Vec<_> =
        document.meshes().filter(|mesh| mesh.primitives().any(|p| p.morph_targets().len() == 1)).collect();
    assert_eq!(with_targets.len(), 1);
    let deltas: Vec<[f32; 3]> = with_targets[0]
        .primitives()
        .flat_map(|primitive| {
            let reader = primitive.reader(|_| blob.as_deref());
            let targets: Vec<_> = reader.read_morph_targets().collect();
            targets.into_iter().flat_map(|(positions, _, _)| positions.into_iter().flatten()).collect::<Vec<_>>()
        })
        .filter(|delta| *delta != [0.0; 3])
        .collect();
    assert!(!deltas.is_empty() && deltas.iter().all(|delta| *delta == [0.0, 0.5, 0.0]), "{deltas:?}");
}
