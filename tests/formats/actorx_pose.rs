//! Posed points and bones against reference values, in file space.

use crate::kit::{
    self,
    actorx::{bytes, clips_of, model_of, own},
    near::{assert_close, reference},
};
use bonebox::{
    formats::{
        LoadOptions, RootConjugate,
        actorx::{AnimInfo, AnimKey, Bone, Face, Matt, MorphData, MorphInfo, Psa, Psk, Wedge, encode_psa, encode_psk},
    },
    scene::{Binding, BindingOptions, Clip, Frame, Layer, Model, evaluate, skinning::skinned_points},
};
use glam::Vec3;
use serde_json::Value;
use std::{fs, path::Path, sync::Arc};

fn vectors(value: &Value) -> Vec<Vec3> {
    let numbers = |v: &Value| Vec3::from_array(std::array::from_fn(|i| v[i].as_f64().unwrap() as f32));
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn pose(model: &Model, clip: &Clip, frame: f32) -> Frame {
    let binding = Binding::new(clip, model, BindingOptions::default());
    let mut out = Frame::default();
    // As the command line: held at the last frame.
    let frame = frame.min(clip.last_frame());
    evaluate(model, &[Layer { clip, binding: &binding, frame, looping: false }], &[], &mut out);
    out
}

fn file_points(model: &Model, frame: &Frame) -> Vec<Vec3> {
    let points = skinned_points(model, &model.meshes[0], frame);
    points.iter().map(|p| model.file_from_scene.transform_point3(*p)).collect()
}

fn file_bones(model: &Model, frame: &Frame) -> Vec<Vec3> {
    frame.world_from_joint.iter().map(|m| model.file_from_scene.transform_point3(m.translation.into())).collect()
}

/// Compares every pose of one file of references; returns how many points it compared.
fn compare(folder: &Path, expected: &Path) -> usize {
    let expected = reference(expected);
    let file = |key: &str| Path::new(expected[key].as_str().unwrap()).file_name().unwrap().to_str().unwrap().to_owned();
    let (psk, psa) = (file("psk"), file("psa"));
    let model = model_of(&psk, fs::read(folder.join(&psk)).unwrap(), LoadOptions::default());
    let sequence = expected["sequence"].as_str().unwrap();
    let clips = clips_of(&psa, fs::read(folder.join(&psa)).unwrap(), folder);
    let clip = clips.iter().find(|c| c.name == sequence).unwrap();
    assert_eq!(clip.frame_count, expected["frames_in_sequence"].as_u64().unwrap() as u32);
    assert_eq!(f64::from(clip.rate_hz), expected["rate"].as_f64().unwrap());
    let names: Vec<&str> = model.skeleton.as_ref().unwrap().joints().iter().map(|j| j.name.as_str()).collect();
    let bone_names: Vec<&str> =
        expected["bone_names"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
    assert_eq!(names, bone_names);
    let indices: Vec<usize> =
        expected["sample_point_indices"].as_array().unwrap().iter().map(|i| i.as_u64().unwrap() as usize).collect();
    let mut compared = 0;
    let mut close = |found: Vec<Vec3>, wanted: Vec<Vec3>, diagonal: f32, what: &str| {
        assert_eq!(found.len(), wanted.len(), "{what}");
        for (index, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert_close(found, wanted, 1e-4 * f64::from(diagonal), format_args!("{psa} {what} {index}"));
            compared += 1;
        }
    };
    let sampled = |points: Vec<Vec3>| indices.iter().map(|i| points[*i]).collect::<Vec<_>>();
    let bind = Frame::bind(&model);
    let diagonal = model.bounds().diagonal();
    let has = |key: &str| expected.get(key).is_some();
    assert!(has("bind_points") && has("bind_bone_world_pos"));
    let points = model.meshes[0].points.iter().map(|p| model.file_from_scene.transform_point3(*p)).collect();
    close(sampled(points), vectors(&expected["bind_points"]), diagonal, "bind point");
    close(file_bones(&model, &bind), vectors(&expected["bind_bone_world_pos"]), diagonal, "bind bone");
    for wanted in expected["poses"].as_array().unwrap() {
        let number = wanted["frame"].as_f64().unwrap() as f32;
        let frame = pose(&model, clip, number);
        let corners = vectors(&wanted["bbox"]);
        let diagonal = corners[0].distance(corners[1]);
        let what = format!("{sequence} frame {number}");
        close(sampled(file_points(&model, &frame)), vectors(&wanted["points"]), diagonal, &format!("{what} point"));
        if let Some(bones) = wanted.get("bone_world_pos") {
            close(file_bones(&model, &frame), vectors(bones), diagonal, &format!("{what} bone"));
        }
    }
    compared
}

#[test]
fn own_files_pose_as_the_references_say() {
    let mut files = 0;
    for entry in fs::read_dir(own().join("expected")).unwrap() {
        let path = entry.unwrap().path();
        let compared = compare(&own(), &path);
        assert!(compared > 60, "{} compared {compared}", path.display());
        files += 1;
    }
    assert_eq!(files, 12);
}

#[test]
fn a_real_pair_poses_as_the_references_say() {
    let Some(folder) = kit::corpus().map(|corpus| corpus.join("actorx")) else { return };
    assert!(compare(&folder, &folder.join("expected/c4.json")) > 900);
}

fn own_model(file: &str, options: LoadOptions) -> Arc<Model> {
    model_of(file, bytes(file), options)
}

/// The first clip of one of the project's files.
fn own_clip(file: &str) -> Arc<Clip> {
    clips_of(file, bytes(file), &own()).remove(0)
}

#[track_caller]
fn near(found: Vec3, wanted: [f64; 3]) {
    assert_close(&found, &wanted, 2e-5, "a point");
}

/// The worked example of formats/actorx.md §5.
#[test]
fn the_worked_example_comes_out() {
    let model = own_model("syn_arm.psk", LoadOptions::default());
    let clip = own_clip("syn_arm.psa");
    let bind = file_bones(&model, &Frame::bind(&model));
    near(bind[1], [0.0, 10.0, 5.0]);
    near(bind[2], [20.0, 10.0, 5.0]);
    let frame = pose(&model, &clip, 2.5);
    let bones = file_bones(&model, &frame);
    near(bones[0], [0.0, 0.0, 1.25]);
    near(bones[1], [0.0, 10.0, 6.25]);
    near(bones[2], [12.855752, 25.320889, 6.25]);
    let file_from_joint = model.file_from_scene * frame.world_from_joint[2] * model.file_from_scene.inverse();
    near(file_from_joint.transform_vector3(Vec3::X), [0.413176, 0.492404, -0.766044]);
    near(file_from_joint.transform_vector3(Vec3::Y), [-0.766044, 0.642788, 0.0]);
    near(file_from_joint.transform_vector3(Vec3::Z), [0.492404, 0.586824, 0.642788]);
    let points = file_points(&model, &frame);
    near(points[0], [1.532089, 8.714425, 4.25]);
    near(points[6], [5.419737, 19.855156, 9.782749]);
    near(points[10], [11.223504, 27.056533, 7.485277]);
    near(points[18], [26.80072, 32.4225, 2.633221]);
    near(points[19], [40.0, 8.0, 8.25]);
}

#[test]
fn morphs_move_points_before_the_skin_does() {
    let model = own_model("syn_ext.psk", LoadOptions::default());
    assert_eq!(model.morph_names(), ["Fat", "Tip"]);
    let mut frame = Frame::default();
    // Fat stores (0, 1, 0.5), whose Y is mirrored; Tip (3, 0, 0).
    evaluate(&model, &[], &[0.5, 0.25], &mut frame);
    let points = file_points(&model, &frame);
    near(points[10], [20.0, 11.5, 7.25]);
    near(points[16], [40.75, 8.0, 3.0]);
    near(points[0], [0.0, 8.0, 3.0]);
    evaluate(&model, &[], &[1.0, -1.0], &mut frame);
    let points = file_points(&model, &frame);
    near(points[10], [20.0, 11.0, 7.5]);
    near(points[16], [37.0, 8.0, 3.0]);
    // In the pose of the worked example: half of each of the two bones' matrices on (20, 11, 7.5).
    let clip = own_clip("syn_arm.psa");
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    let layer = Layer { clip: &clip, binding: &binding, frame: 2.5, looping: false };
    evaluate(&model, &[layer], &[1.0, 0.0], &mut frame);
    near(file_points(&model, &frame)[10], [12.072192, 26.810906, 8.035141]);
}

#[test]
fn curves_drive_morphs_of_their_name() {
    let clip = own_clip("syn_arm_curves.psa");
    let curve = clip.channels.last().unwrap();
    assert!(matches!(&curve.target, bonebox::scene::Target::MorphWeight(_)), "{:?}", curve.target);
    assert_eq!(curve.sampler.keys.len(), 5);
}

#[test]
fn the_socket_stands_where_unreal_space_says() {
    let model = own_model("syn_ext.psk", LoadOptions::default());
    let socket = &model.skeleton.as_ref().unwrap().sockets[0];
    assert_eq!((socket.name.as_str(), socket.joint), ("Grip", Some(2)));
    // (5, 1, 0) in Unreal space; a yaw of 90° turns X to Unreal's Y, the file's −Y.
    near(model.file_from_scene.transform_point3(socket.transform.translation), [5.0, -1.0, 0.0]);
    near(model.file_from_scene.transform_vector3(socket.transform.rotation * Vec3::X), [0.0, -1.0, 0.0]);
}

/// Four triangles around (0, 0, 0) with areas (as vectors) (0,0,1), (0,2,0), (2,0,0), (0,0,1).
fn corner(groups: [u32; 4]) -> Psk {
    let face = |wedges, smoothing_groups| Face { wedges, smoothing_groups, ..Face::default() };
    Psk {
        points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
        wedges: (0..6).map(|point| Wedge { point, ..Wedge::default() }).collect(),
        faces: vec![
            face([0, 2, 1], groups[0]),
            face([0, 1, 3], groups[1]),
            face([0, 3, 2], groups[2]),
            face([0, 5, 4], groups[3]),
        ],
        ..Psk::default()
    }
}

/// Normals of a mesh's triangles in file space, in the order that they are drawn.
fn drawn_normals(psk: &Psk) -> (Vec<Vec3>, usize) {
    let model = model_of("a.psk", encode_psk(psk), LoadOptions::default());
    let mesh = &model.meshes[0];
    let normals = mesh.indices.iter().map(|v| model.file_from_scene.transform_vector3(mesh.normals[*v as usize]));
    (normals.collect(), mesh.vertex_count())
}

#[test]
fn smoothing_groups_split_normals_where_no_group_is_shared() {
    let (normals, vertices) = drawn_normals(&corner([1, 3, 2, 0]));
    let (first_two, last_two) = ([0.0, 0.8944272, 0.4472136], [0.70710677, 0.70710677, 0.0]);
    // The stored order is turned round: 0, 1, 2; 0, 3, 1; 0, 2, 3; 0, 4, 5.
    let expected = [
        first_two,
        first_two,
        [0.0, 0.0, 1.0],
        [0.6666667, 0.6666667, 0.33333334],
        last_two,
        first_two,
        last_two,
        [1.0, 0.0, 0.0],
        last_two,
        [0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0],
    ];
    assert_eq!(normals.len(), 12);
    for (found, wanted) in normals.iter().zip(expected) {
        near(*found, wanted);
    }
    // The wedge at the corner has four normals, the one at point 2 two, every other one.
    assert_eq!(vertices, 4 + 2 + 4);
}

#[test]
fn equal_groups_smooth_everything_whatever_their_number() {
    for group in [0, 1, 7] {
        let (normals, vertices) = drawn_normals(&corner([group; 4]));
        near(normals[0], [0.57735026; 3]);
        near(normals[9], [0.57735026; 3]);
        assert_eq!(vertices, 6);
    }
}

#[test]
fn stored_normals_win_a_point_or_a_wedge_each() {
    let mut psk = corner([1, 2, 4, 8]);
    psk.normals = vec![[0.0, 0.0, -3.0]; 6];
    assert_eq!(drawn_normals(&psk).0[4], Vec3::new(0.0, 0.0, -1.0));
    // One more wedge than points: a normal each.
    psk.wedges.push(Wedge { point: 0, ..Wedge::default() });
    psk.faces[0].wedges[0] = 6;
    psk.normals.push([1.0, 0.0, 0.0]);
    let (normals, _) = drawn_normals(&psk);
    assert_eq!((normals[0], normals[3]), (Vec3::X, -Vec3::Z));
    // A broken one is worked out: the corner of a face that shares its group with none.
    psk.normals[6] = [f32::NAN, 0.0, 0.0];
    near(drawn_normals(&psk).0[0], [0.0, 0.0, 1.0]);
}

#[test]
fn triangles_of_real_meshes_turn_counter_clockwise_seen_from_outside() {
    let Some(folder) = kit::corpus().map(|corpus| corpus.join("actorx")) else { return };
    for file in ["C4.psk", "Skull.psk", "SmoothedSkull.psk", "Suzanne.psk"] {
        let model = model_of(file, fs::read(folder.join(file)).unwrap(), LoadOptions::default());
        let mesh = &model.meshes[0];
        let centre = model.bounds().center();
        let corners = |t: &[u32]| [0, 1, 2].map(|i| mesh.position(t[i] as usize) - centre);
        let triangles = || mesh.indices.chunks_exact(3);
        let volume: f32 = triangles().map(corners).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
        assert!(volume > 0.0, "{file}: {volume}");
        let agree = triangles().filter(|t| {
            let [a, b, c] = corners(t);
            // A sharp corner's own normal may lean far over: the three together say where outside is.
            let outside: Vec3 = t.iter().map(|vertex| mesh.normals[*vertex as usize]).sum();
            (b - a).cross(c - a).dot(outside) >= 0.0
        });
        let share = agree.count() as f32 / mesh.triangle_count() as f32;
        assert!(share > 0.98, "{file}: normals agree with {share} of the triangles");
    }
}

#[test]
fn a_stored_triangle_is_turned_round() {
    let model = model_of("a.psk", encode_psk(&corner([1; 4])), LoadOptions::default());
    let mesh = &model.meshes[0];
    let sources: Vec<u32> = mesh.indices.iter().map(|v| mesh.vertex_sources[*v as usize]).collect();
    assert_eq!(sources[..6], [0, 1, 2, 0, 3, 1]);
}

/// One point in thousands of triangles, each with a mask of its own, must not take the square of their number.
#[test]
fn many_masks_on_one_point_are_smoothed_together() {
    let faces = (0..80_000_u32).map(|i| Face {
        wedges: [0, 2, 1],
        smoothing_groups: i.wrapping_mul(0x9E37_79B1),
        ..Face::default()
    });
    let psk = Psk { faces: faces.collect(), ..corner([1; 4]) };
    let (normals, _) = drawn_normals(&psk);
    assert!(normals.iter().all(|n| n.distance(Vec3::Z) < 1e-3));
}

#[test]
fn switches_change_what_they_name() {
    let plain = own_model("syn_ext.psk", LoadOptions::default());
    let swapped = own_model("syn_ext.psk", LoadOptions { swap_red_blue: true, ..LoadOptions::default() });
    let [r, g, b, a] = plain.meshes[0].colors[0];
    assert_ne!(r, b);
    assert_eq!(swapped.meshes[0].colors[0], [b, g, r, a]);
    let turned = LoadOptions { root_conjugate: RootConjugate::On, ..LoadOptions::default() };
    let turned = own_model("syn_ext.psk", turned);
    let root = |m: &Model| m.skeleton.as_ref().unwrap().joints()[0].bind.rotation;
    assert!(root(&turned).angle_between(root(&plain).conjugate()) < 1e-6);
    let other = |m: &Model| m.skeleton.as_ref().unwrap().joints()[2].bind.rotation;
    assert_eq!(other(&turned), other(&plain));
}

#[test]
fn a_morph_is_given_to_the_twins_of_its_points_when_asked() {
    let mut psk = corner([1; 4]);
    psk.points.push(psk.points[1]);
    psk.morphs = vec![MorphInfo {
        name: "M".into(),
        count: 1,
        data: vec![MorphData { position: [1.0, 2.0, 3.0], point: 1, ..MorphData::default() }],
    }];
    for (repair_morphs, count) in [(false, 1), (true, 2)] {
        let options = LoadOptions { repair_morphs, ..LoadOptions::default() };
        let model = model_of("a.psk", encode_psk(&psk), options);
        let deltas = &model.meshes[0].morphs[0].deltas;
        assert_eq!(deltas.len(), count);
        assert!(deltas.iter().all(|d| d.position == deltas[0].position));
        assert_eq!(deltas.last().unwrap().point, if repair_morphs { 6 } else { 1 });
    }
}

#[test]
fn triangles_of_missing_materials_get_a_placeholder_each() {
    let mut psk = corner([1; 4]);
    psk.materials = vec![Matt { name: "Skin".into(), ..Matt::default() }];
    (psk.faces[1].material, psk.faces[3].material) = (7, 3);
    let model = model_of("a.psk", encode_psk(&psk), LoadOptions::default());
    let names: Vec<&str> = model.materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["Skin", "missing material 3", "missing material 7"]);
    let surfaces: Vec<(u32, u32, u32)> =
        model.meshes[0].surfaces.iter().map(|s| (s.first_index, s.index_count, s.material)).collect();
    assert_eq!(surfaces, [(0, 6, 0), (6, 3, 1), (9, 3, 2)]);
}

#[test]
fn an_animation_with_a_hierarchy_shows_as_a_skeleton() {
    let bone = |name: &str, parent| Bone { name: name.into(), parent, ..Bone::default() };
    let key = |x| AnimKey { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0 };
    let psa = Psa {
        bones: vec![bone("Root", -1), bone("A", 0), bone("B", 1)],
        sequences: vec![AnimInfo {
            name: "S".into(),
            total_bones: 3,
            rate_hz: 1.0,
            raw_frames: 1,
            ..AnimInfo::default()
        }],
        keys: vec![key(1.0), key(2.0), key(4.0)],
        ..Psa::default()
    };
    let model = model_of("a.psa", encode_psa(&psa), LoadOptions::default());
    assert_eq!(file_bones(&model, &Frame::bind(&model))[2], Vec3::new(7.0, 0.0, 0.0));
    assert!(model.meshes.is_empty());
}
