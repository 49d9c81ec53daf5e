//! Models of the character pipeline on the device: every point is where the CPU has it, in bind pose and in every clip.

use crate::kit::{
    self,
    device::*,
    made_charpipe,
    open::{self, Opened},
};
use bonebox::{
    formats::{Asset, Content},
    gpu::{LIST_COLORS, SceneRenderer, Shading, ViewSettings, read_skinned},
    scene::{Binding, BindingOptions, Clip, Frame, Layer, ListUse, Model, evaluate},
};
use std::{fs, path::Path, sync::Arc};

/// A file of a folder, of one model or of clips.
fn file(folder: &Path, name: &str) -> Opened {
    open::open(name, fs::read(folder.join(name)).unwrap())
}

fn data(name: &str) -> Opened {
    file(&kit::data().join("charpipe"), name)
}

fn model(file: &Opened) -> Arc<Model> {
    let Asset::Model(model) = file.asset(file.first(Content::Model)) else { panic!("{} is no model", file.name) };
    model
}

fn clips(file: &Opened) -> Vec<Arc<Clip>> {
    let clip = |entry| match file.asset(entry) {
        Asset::Clip(clip) => clip,
        other => panic!("{}: {other:?} is no clip", file.name),
    };
    file.document.outline().with_content(Content::Clip).map(|e| clip(e.id)).collect()
}

/// As [`distance_from_cpu`], as a share of the model's size.
fn distance(model: &Model, frame: &Frame, vertices: &[glam::Vec3]) -> f32 {
    distance_from_cpu(model, frame, vertices) / model.bounds().diagonal()
}

/// Holds the device to the CPU over a model's clips, a few frames of each; how many poses that were.
fn hold(what: &str, model: &Arc<Model>, clips: &[Arc<Clip>]) -> usize {
    let Some(context) = context() else { return usize::MAX };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let uploaded = renderer.upload(model).unwrap();
    let mut poses = vec![Frame::bind(model)];
    for clip in clips {
        let binding = Binding::new(clip, model, BindingOptions::default());
        assert!(binding.fit.any(), "{what}: {}: {}", clip.name, binding.fit);
        for share in [0.0, 0.31, 0.5, 0.97, 1.2] {
            let layer = Layer { clip, binding: &binding, frame: clip.last_frame() * share, looping: true };
            let mut frame = Frame::default();
            evaluate(model, &[layer], &[], &mut frame);
            poses.push(frame);
        }
    }
    let mut results = Vec::new();
    for frame in &poses {
        let vertices = read_skinned(&context, &mut renderer, &uploaded, frame).unwrap();
        let distance = distance(model, frame, &vertices);
        assert!(distance < 1e-5, "{what}: {distance}");
        results.push(vertices);
    }
    results.dedup();
    assert!(clips.is_empty() || results.len() > 2, "{what} moves");
    assert_eq!(context.take_errors(), Vec::<String>::new());
    poses.len()
}

#[test]
fn the_arms_move_as_on_the_cpu() {
    for (name, bank) in [("arm_min", None), ("arm_full", Some("arm_full.anm")), ("arm_sdk", Some("arm_sdk.anm"))] {
        let name = format!("{name}.model");
        let model = model(&data(&name));
        assert!(model.meshes.iter().any(|m| m.skin.as_ref().is_some_and(|s| s.has_sources())), "{name}");
        let clips = bank.map(|bank| clips(&data(bank))).unwrap_or_default();
        assert_eq!(clips.is_empty(), bank.is_none());
        assert!(hold(&name, &model, &clips) > clips.len() * 5);
    }
}

/// The snail has faces: morphs over sources.
#[test]
fn the_sample_moves_and_smiles_as_on_the_cpu() {
    let model = model(&file(&kit::samples(), "Helix.model"));
    hold("Helix", &model, &clips(&file(&kit::samples(), "Helix.anm")));
    let names = model.morph_names().len();
    assert!(names > 0);
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let uploaded = renderer.upload(&model).unwrap();
    let rest = read_skinned(&context, &mut renderer, &uploaded, &Frame::bind(&model)).unwrap();
    for morph in 0..names {
        let mut frame = Frame::bind(&model);
        frame.morph_weights[morph] = 0.8;
        let vertices = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
        assert!(distance(&model, &frame, &vertices) < 1e-5);
        assert_ne!(vertices, rest, "a face moves something");
    }
}

#[test]
fn a_hundred_and_twenty_bones_move_five_thousand_slots_as_on_the_cpu() {
    let block = made_charpipe::block(made_charpipe::BONES, made_charpipe::SLOTS);
    let model = model(&open::open("made.dat", block));
    assert_eq!(model.joint_count(), made_charpipe::BONES);
    let mesh = &model.meshes[0];
    assert!(mesh.points.len() >= made_charpipe::SLOTS && mesh.fixed_skin.is_some());
    let all: Vec<Arc<Clip>> = [false, true]
        .into_iter()
        .flat_map(|curved| clips(&open::open("made.anm", made_charpipe::bank(made_charpipe::BONES, 12, curved))))
        .collect();
    hold("made", &model, &all);
}

#[test]
fn an_arm_shows_the_kinds_of_its_lists() {
    let model = model(&data("arm_full.model"));
    // Every kind is there, and the rigid mesh has none.
    let counts = model.list_counts().unwrap();
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut view = ViewSettings { shading: Shading::ListKinds, backface_culling: false, ..plain_view(&model) };
    view.camera.orthographic = true;
    let image = picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, (256, 256, 1));
    for (used, [r, g, b]) in ListUse::ALL.into_iter().zip(LIST_COLORS) {
        // Lit by how far it faces the camera: the colour's hue stays.
        let of = |p: &[u8]| {
            let light = p.iter().take(3).map(|v| u32::from(*v)).sum::<u32>() as f32
                / (u32::from(r) + u32::from(g) + u32::from(b)) as f32;
            (0.7..1.02).contains(&light)
                && p.iter().zip([r, g, b]).all(|(p, c)| (f32::from(*p) - f32::from(c) * light).abs() < 3.0)
        };
        let pixels = count(&image, of);
        assert!(pixels > 20, "{}: {pixels} pixels", used.name());
    }
}
