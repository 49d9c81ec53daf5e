//! The GPU moves vertices as the CPU does.

use crate::kit::device::*;
use bonebox::{
    gpu::{ContextOptions, SceneRenderer, read_skinned},
    scene::{Frame, Model, Morph, MorphDelta, Run},
};
use glam::{Quat, Vec3};
use std::sync::Arc;

/// A tentacle whose points have 0 to 11 influences on 12 joints, and two morphs; a second mesh without a skin, and a third
/// with one, so that offsets between meshes matter.
fn model() -> Model {
    let mut model = tentacle(12, 40, 30);
    let mesh = &mut model.meshes[0];
    let lists: Vec<Vec<(u32, f32)>> = (0..mesh.points.len())
        .map(|index| {
            let count = index as u32 % 12;
            let weights: Vec<f32> = (0..count).map(|i| 1.0 + ((index as u32 * 7 + i * 5) % 9) as f32).collect();
            let sum: f32 = weights.iter().sum();
            weights.iter().zip(0..).map(|(w, i)| ((index as u32 + i * 5) % 12, w / sum)).collect()
        })
        .collect();
    mesh.skin = Some(skin(&lists));
    let deltas = |every: usize, size: f32| -> Vec<MorphDelta> {
        let indices = (0..mesh.points.len()).step_by(every);
        let wave = |i: usize| Vec3::new((i as f32).sin(), (i as f32 * 0.7).cos(), (i as f32 * 0.3).sin()) * size;
        indices.map(|i| MorphDelta { point: i as u32, position: wave(i), normal: wave(i + 1) }).collect()
    };
    mesh.morphs = vec![
        Morph { name: "swell".into(), deltas: deltas(1, 0.2) },
        Morph { name: "dent".into(), deltas: deltas(3, 0.4) },
    ];
    let second = square(0.3, 0);
    let mut third = tentacle(12, 9, 7).meshes.remove(0);
    third.morphs =
        vec![Morph { name: "dent".into(), deltas: vec![MorphDelta { point: 5, position: Vec3::X, normal: Vec3::Y }] }];
    model.meshes.extend([second, third]);
    model
}

fn pose(model: &Model, morph_weights: &[f32]) -> Frame {
    let mut frame = bent(model, Quat::from_rotation_z(0.4) * Quat::from_rotation_x(-0.25));
    frame.morph_weights = morph_weights.to_vec();
    frame
}

#[test]
fn skinned_vertices_are_those_of_the_cpu() {
    let Some(context) = context() else { return };
    assert!(context.skins_on_gpu(), "this device has no storage buffers in the vertex stage");
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = Arc::new(model());
    let tolerance = model.bounds().diagonal() * 1e-4;
    let uploaded = renderer.upload(&model).unwrap();
    let mut results = Vec::new();
    for weights in [[0.0, 0.0], [1.0, 0.0], [0.35, -0.8], [0.35, -0.8], [0.0, 0.0]] {
        let frame = pose(&model, &weights);
        let gpu = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
        let distance = distance_from_cpu(&model, &frame, &gpu);
        assert!(distance <= tolerance, "{weights:?}: {distance} > {tolerance}");
        results.push(gpu);
    }
    assert_ne!(results[0], results[1], "morphs move something");
    assert_eq!(results[2], results[3], "offsets that were not uploaded again are those of before");
    assert_eq!(results[0], results[4]);
    let unposed = read_skinned(&context, &mut renderer, &uploaded, &Frame::bind(&model)).unwrap();
    assert_ne!(unposed, results[0], "joints move something");
}

#[test]
fn skinned_vertices_are_right_where_the_cpu_skins() {
    let Some(context) = open(ContextOptions { software: true, skin_on_cpu: true }) else { return };
    assert!(!context.skins_on_gpu());
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = Arc::new(model());
    let uploaded = renderer.upload(&model).unwrap();
    let frame = pose(&model, &[0.4, 0.9]);
    let posed = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
    assert!(distance_from_cpu(&model, &frame, &posed) <= model.bounds().diagonal() * 1e-6);
}

#[test]
fn influences_that_lead_nowhere_are_left_out_as_on_the_cpu() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = model();
    let skin = model.meshes[0].skin.as_mut().unwrap();
    skin.influences[10].joint = 4_000_000_000;
    skin.influences[40].joint = 12;
    skin.influences[80].weight = 0.0;
    skin.runs[20] = Run { first: u32::MAX, count: 3 };
    skin.runs[21] = Run { first: 0, count: u32::MAX };
    let short = skin.runs.len() - 5;
    skin.runs.truncate(short);
    model.meshes[0].vertex_points[33] = 9_999_999;
    let model = Arc::new(model);
    let uploaded = renderer.upload(&model).unwrap();
    let frame = pose(&model, &[0.5, 0.5]);
    let gpu = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
    // A vertex whose point does not exist lies at the origin in both.
    let distance = distance_from_cpu(&model, &frame, &gpu);
    assert!(distance <= model.bounds().diagonal() * 1e-4, "{distance}");
    assert_eq!(context.take_errors(), Vec::<String>::new());
}
