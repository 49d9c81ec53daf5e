//! Frames of vertices are blended on the GPU as on the CPU, and surfaces use alpha only where they say so.

use crate::kit::device::*;
use bonebox::{
    gpu::{ContextOptions, SceneRenderer, Shading, ViewSettings, read_skinned},
    scene::{BasicMaterial, Blend, Frame, FramePair, Image, Mesh, Model, Morph, MorphDelta, VertexFrames},
};
use glam::Vec3;
use std::sync::Arc;

/// Turns a mesh's points about Y, more with every frame, and swells them.
fn with_frames(mut mesh: Mesh, count: u32) -> Mesh {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for frame in 0..count {
        let turn = glam::Quat::from_rotation_y(frame as f32 * 0.4);
        let swell = 1.0 + frame as f32 * 0.15;
        positions.extend(mesh.points.iter().map(|p| turn * *p * swell));
        normals.extend(mesh.point_normals.iter().map(|n| turn * *n));
    }
    mesh.vertex_frames = VertexFrames::new(mesh.points.len(), positions, normals);
    assert!(mesh.vertex_frames.is_some());
    mesh
}

/// A vase of seven frames, a square without any, and a second vase with fewer frames and a morph.
fn model() -> Model {
    let profile = [(0.2, -1.0), (0.9, -0.3), (0.5, 0.4), (0.7, 1.0)];
    let first = with_frames(lathe(&profile, 24, 0), 7);
    let mut last = with_frames(lathe(&[(0.1, 1.0), (0.4, 1.2), (0.2, 1.5)], 9, 0), 3);
    last.morphs =
        vec![Morph { name: "dent".into(), deltas: vec![MorphDelta { point: 5, position: Vec3::X, normal: Vec3::Y }] }];
    let mut model = Model::empty("vases");
    model.meshes = vec![first, square(0.3, 0), last];
    model.materials = vec![material(BasicMaterial { two_sided: true, ..BasicMaterial::default() })];
    model
}

fn frame(model: &Model, from: u32, to: u32, blend: f32) -> Frame {
    let mut frame = Frame::bind(model);
    frame.vertex_frames = Some(FramePair { from, to, blend });
    frame
}

#[test]
fn blended_vertices_are_those_of_the_cpu() {
    let Some(context) = context() else { return };
    assert!(context.skins_on_gpu());
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = Arc::new(model());
    let tolerance = model.bounds().diagonal() * 1e-4;
    let uploaded = renderer.upload(&model).unwrap();
    let mut before = Vec::new();
    for (from, to, blend) in [(0, 1, 0.0), (0, 1, 0.37), (5, 6, 1.0), (6, 0, 0.5), (2, 2, 0.0), (99, 100, 0.25)] {
        let mut frame = frame(&model, from, to, blend);
        frame.morph_weights = vec![0.6];
        let gpu = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
        let distance = distance_from_cpu(&model, &frame, &gpu);
        assert!(distance <= tolerance, "{from} {to} {blend}: {distance} > {tolerance}");
        assert_ne!(gpu, before, "{from} {to} {blend} moves nothing");
        before = gpu;
    }
    let unposed = read_skinned(&context, &mut renderer, &uploaded, &Frame::bind(&model)).unwrap();
    let rest: Vec<Vec3> =
        model.meshes.iter().flat_map(|m| m.vertex_points.iter().map(|p| m.points[*p as usize])).collect();
    assert_eq!(unposed, rest, "without frames points are where the mesh has them");
    assert_eq!(context.take_errors(), Vec::<String>::new());
}

#[test]
fn a_vertex_that_names_no_point_stays_at_the_origin() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = model();
    model.meshes[0].vertex_points[3] = 9_999_999;
    let model = Arc::new(model);
    let uploaded = renderer.upload(&model).unwrap();
    let frame = frame(&model, 1, 2, 0.5);
    let gpu = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
    assert_eq!(gpu[3], Vec3::ZERO);
    assert!(distance_from_cpu(&model, &frame, &gpu) < 1e-3);
}

/// Mean difference of two pictures, in steps of 8-bit colour.
fn difference(a: &Image, b: &Image) -> f64 {
    let sum: u64 = a.rgba.iter().zip(b.rgba.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.rgba.len() as f64
}

#[test]
fn normals_turn_with_the_vertices_and_the_cpu_draws_the_same() {
    let Some(context) = context() else { return };
    let Some(without) = open(ContextOptions { software: true, skin_on_cpu: true }) else { return };
    let model = model();
    let view = ViewSettings { shading: Shading::Normals, ..plain_view(&model) };
    let mut pictures = Vec::new();
    for (context, pair) in [(&context, (2, 3, 0.5)), (&without, (2, 3, 0.5)), (&context, (0, 0, 0.0))] {
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let frame = frame(&model, pair.0, pair.1, pair.2);
        pictures.push(picture(context, &mut renderer, &model, &frame, &view, (128, 128, 1)));
    }
    assert!(difference(&pictures[0], &pictures[1]) < 0.05, "{}", difference(&pictures[0], &pictures[1]));
    assert!(difference(&pictures[0], &pictures[2]) > 2.0, "frames move something");
}

/// The middle of a red, wholly transparent picture over a blue one, by the way it blends.
#[test]
fn alpha_counts_only_where_the_surface_says_so() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = Model::empty("squares");
    model.meshes = vec![square(0.0, 0), square(0.5, 1)];
    model.images = vec![image(1, 1, |_, _| [0, 0, 200, 255]), image(1, 1, |_, _| [120, 0, 0, 0])];
    let surface = |image, blend| {
        material(BasicMaterial { image: Some(image), blend, unlit: true, nearest: true, ..BasicMaterial::default() })
    };
    for (blend, wanted) in [
        (Blend::Opaque, [120, 0, 0]),
        (Blend::Masked, [0, 0, 200]),
        (Blend::Alpha, [0, 0, 200]),
        (Blend::Translucent, [120, 0, 200]),
        (Blend::Modulated, [0, 0, 0]),
    ] {
        model.materials = vec![surface(0, Blend::Opaque), surface(1, blend)];
        let view = plain_view(&model);
        let drawn = picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, (32, 32, 1));
        let found = pixel(&drawn, 16, 16);
        assert!(near(found, wanted, 1), "{blend:?}: {found:?}, wanted {wanted:?}");
    }
}
