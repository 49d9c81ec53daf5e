//! Posed points and bones against reference values, in file space.

mod actorx_corpus;

use actorx_corpus::{clip_of, corpus, model_of, own};
use bonebox::{
    formats::LoadOptions,
    scene::{Binding, BindingOptions, Clip, Frame, Layer, Model, evaluate, skinning::skinned_points},
};
use glam::Vec3;
use serde_json::Value;
use std::{fs, path::Path};

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

/// Compares every pose of one file of references; returns how many numbers it compared.
fn compare(folder: &Path, expected: &Path) -> usize {
    let expected: Value = serde_json::from_slice(&fs::read(expected).unwrap()).unwrap();
    let file = |key: &str| Path::new(expected[key].as_str().unwrap()).file_name().unwrap().to_str().unwrap().to_owned();
    let (psk, psa) = (file("psk"), file("psa"));
    let (model, _) = model_of(&psk, fs::read(folder.join(&psk)).unwrap(), LoadOptions::default());
    let bytes = fs::read(folder.join(&psa)).unwrap();
    let sequence = expected["sequence"].as_str().unwrap();
    let count = actorx_corpus::open_bytes(&psa, bytes.clone()).unwrap().0;
    let count = count.outline().with_content(bonebox::formats::Content::Clip).count();
    let clip = (0..count).map(|i| clip_of(&psa, bytes.clone(), i, folder).0).find(|c| c.name == sequence).unwrap();
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
            assert!(found.distance(*wanted) <= 1e-4 * diagonal, "{psa} {what} {index}: {found}, {wanted} expected");
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
        let frame = pose(&model, &clip, number);
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
    let Some(folder) = corpus() else { return };
    assert!(compare(&folder, &folder.join("expected/c4.json")) > 900);
}
