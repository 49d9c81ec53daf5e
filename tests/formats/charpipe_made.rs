//! Character-pipeline files, written from plain descriptions and read back: skins of every shape pose as a computation in
//! double precision from the description says.

use crate::kit::{
    Noise,
    charpipe::{
        described::{Described, Wanted},
        model,
    },
    near::assert_close,
};
use bonebox::{
    formats::charpipe::encode::{Arrangement, Positions, SkinVertex, Width, arrange},
    scene::{Frame, Mesh, Model, skinning},
};
use glam::{Affine3A, DAffine3, DQuat, DVec3};

/// The model's pose when its joints are there.
fn frame(model: &Model, world: &[DAffine3]) -> Frame {
    let mut frame = Frame::bind(model);
    let narrow = |m: &DAffine3| Affine3A::from_cols_array(&m.to_cols_array().map(|v| v as f32));
    frame.world_from_joint = world.iter().map(narrow).collect();
    let bind = model.skeleton.as_ref().unwrap().joint_from_world_bind();
    frame.world_from_bind = frame.world_from_joint.iter().zip(bind).map(|(world, bind)| *world * *bind).collect();
    frame
}

fn assert_posed(what: &str, described: &Described, model: &Model, locals: &[DAffine3]) {
    let world = described.world(locals);
    let frame = frame(model, &world);
    let size = world.iter().map(|m| m.translation.length()).fold(1.0, f64::max);
    let mesh: &Mesh = model.meshes.iter().find(|mesh| mesh.fixed_skin.is_some()).expect("a mesh is skinned");
    let points = skinning::skinned_points(model, mesh, &frame);
    let normals = skinning::skinned_point_normals(model, mesh, &frame);
    let posed = described.posed(locals);
    let size = posed.iter().map(|[p, _]| p.length()).fold(size, f64::max);
    for (vertex, (slot, [position, normal])) in described.arranged.slots.iter().zip(&posed).enumerate() {
        let slot = usize::from(*slot);
        assert_close(&points[slot], position, 1e-4 * size, format_args!("{what} vertex {vertex} in slot {slot}"));
        assert_close(&normals[slot], normal, 1e-4 * size, format_args!("{what} normal {vertex} in slot {slot}"));
    }
}

fn assert_described(what: &str, described: &Described) {
    let model = model("made.model", &described.file());
    assert_eq!(model.joint_count(), described.actor.bones.len(), "{what}");
    let bind = described.bind_locals();
    for (joint, (got, wanted)) in Frame::bind(&model).world_from_joint.iter().zip(described.world(&bind)).enumerate() {
        let columns = [got.x_axis, got.y_axis, got.z_axis, got.translation];
        for (got, wanted) in columns.iter().zip([wanted.x_axis, wanted.y_axis, wanted.z_axis, wanted.translation]) {
            let size = wanted.length().max(1.0);
            assert_close(got, &wanted, 1e-4 * size, format_args!("{what} joint {joint}"));
        }
    }
    assert_posed(&format!("{what} bind"), described, &model, &bind);
    let mut noise = Noise::new(99);
    let moved: Vec<DAffine3> = (bind.iter())
        .map(|local| {
            let [x, y, z] = noise.vector().map(f64::from);
            let turn = DQuat::from_array(noise.quaternion().map(f64::from)).normalize();
            *local * DAffine3::from_rotation_translation(turn, DVec3::new(x, y, z) * 0.4)
        })
        .collect();
    assert_posed(&format!("{what} moved"), described, &model, &moved);
}

#[test]
fn skins_of_every_shape_pose_as_described() {
    for seed in 0..24 {
        let wanted = Wanted { bones: [1, 2, 5, 12, 40][seed as usize % 5], ..Wanted::new(seed) };
        assert_described(&format!("seed {seed}"), &Described::new(wanted));
    }
}

#[test]
fn every_fixed_point_is_read() {
    for shift in 1..=15 {
        let wanted = Wanted { shift, vertices: 60, ..Wanted::new(u64::from(shift)) };
        assert_described(&format!("shift {shift}"), &Described::new(wanted));
    }
}

#[test]
fn hundreds_of_bones_pose_as_described() {
    let wanted = Wanted { bones: 230, vertices: 1_500, wild: false, ..Wanted::new(5) };
    assert_described("230 bones", &Described::new(wanted));
}

#[test]
fn narrow_indices_and_counts_that_are_too_low_are_read() {
    let wanted = Wanted { width: Width::Index8, short: true, vertices: 90, ..Wanted::new(3) };
    assert_described("narrow", &Described::new(wanted));
}

#[test]
fn lists_as_long_as_a_block_copy_are_read() {
    let mut wanted = Wanted { bones: 2, vertices: 0, ..Wanted::new(1) };
    wanted.arrangement = Arrangement { spread: true, ..Arrangement::default() };
    let mut described = Described::new(wanted);
    let vertex = |bone: u16, i: usize| SkinVertex {
        position: [i as f32 / 64.0, 1.0, f32::from(bone)],
        normal: [0.0, 1.0, 0.0],
        weights: vec![(bone, 256)],
        accumulated: false,
    };
    described.vertices = (0..7).map(|i| vertex(0, i)).chain((0..400).map(|i| vertex(1, i))).collect();
    described.arranged = arrange(&described.vertices, wanted.arrangement);
    let slots = described.arranged.stored.clone();
    let count = slots.len() as u16;
    described.geometry.meshes[0].positions = Positions::Skinned { shift: 11, slots, count };
    // Seven vertices end at 84, an empty line follows: 128 = 8 modulo 12, so the first slot is at 132.
    let ones = &described.arranged.skin.ones;
    assert_eq!((ones[1].dst, ones[1].offset, ones[1].sources.len()), (128, 4, 341));
    assert_described("341 at 4", &described);
}

#[test]
fn skins_need_not_mirror_their_slots() {
    let described = Described::new(Wanted::new(8));
    let mut skin = described.arranged.skin.clone();
    skin.mirrored = false;
    skin.scratch = true;
    // What adds up may come in any order.
    skin.adds.reverse();
    let model = model("made.model", &described.file_with(&skin));
    assert_posed("as it comes", &described, &model, &described.bind_locals());
}

#[test]
fn blocks_without_parts_are_read() {
    let described = Described::new(Wanted::new(2));
    let mut no_lists = described.arranged.skin.clone();
    no_lists.ones.clear();
    no_lists.twos.clear();
    no_lists.adds.clear();
    no_lists.clear = [0; 2];
    no_lists.flush.clear();
    let model = model("made.model", &described.file_with(&no_lists));
    assert_eq!(model.joint_count(), described.actor.bones.len());
    // Its mesh is still skinned, and nothing writes to its slots.
    let [mesh] = model.meshes.as_slice() else { panic!() };
    let fixed = mesh.fixed_skin.as_ref().unwrap();
    assert_eq!((fixed.lists.len(), mesh.points.len()), (0, described.arranged.stored.len()));
    assert!(mesh.skin.as_ref().is_none_or(|skin| skin.influences.is_empty()));
}
