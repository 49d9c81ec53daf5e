//! Models of the character pipeline on the device: every point is where the CPU has it, in bind pose and in every clip.

use crate::kit::device::*;
use crate::kit::made;
use crate::kit::made_charpipe;
use bonebox::{
    bytes::Source,
    formats::Content,
    gpu::{LIST_COLORS, SceneRenderer, Shading, ViewSettings, read_skinned},
    scene::{Binding, BindingOptions, Clip, Frame, Layer, ListUse, Mesh, Model, evaluate, skinning},
};
use glam::Vec3;
use std::{fs, path::Path, sync::Arc};

/// A file of the tests, of one model or of clips.
fn file(name: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/charpipe").join(name);
    Source::from(fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn clips(name: &str, source: &Source) -> Vec<Arc<Clip>> {
    let document = made::open(name, source);
    let entries: Vec<_> = document.outline().with_content(Content::Clip).map(|e| e.id).collect();
    entries.into_iter().map(|entry| made::clip_of(document.as_ref(), entry)).collect()
}

/// The largest distance of a vertex on the device from where the CPU has it, as a share of the model's size.
fn distance(model: &Model, frame: &Frame, vertices: &[Vec3]) -> f32 {
    assert_eq!(vertices.len(), model.meshes.iter().map(Mesh::vertex_count).sum::<usize>());
    let expected = model.meshes.iter().flat_map(|mesh| {
        let points = skinning::skinned_points(model, mesh, frame);
        mesh.vertex_points.iter().map(move |p| points[*p as usize]).collect::<Vec<_>>()
    });
    let largest = vertices.iter().zip(expected).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
    largest / model.bounds().diagonal()
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
    let mut results: Vec<Vec<Vec3>> = Vec::new();
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
        let model = made::model(made::open(&name, &file(&name)).as_ref());
        assert!(model.meshes.iter().any(|m| m.skin.as_ref().is_some_and(|s| s.has_sources())), "{name}");
        let clips = bank.map(|bank| clips(bank, &file(bank))).unwrap_or_default();
        assert_eq!(clips.is_empty(), bank.is_none());
        assert!(hold(&name, &model, &clips) > clips.len() * 5);
    }
}

/// The snail has faces: morphs over sources.
#[test]
fn the_sample_moves_and_smiles_as_on_the_cpu() {
    let sample = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples").join(name);
        Source::from(fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
    };
    let model = made::model(made::open("Helix.model", &sample("Helix.model")).as_ref());
    hold("Helix", &model, &clips("Helix.anm", &sample("Helix.anm")));
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
    let block = Source::from(made_charpipe::block(made_charpipe::BONES, made_charpipe::SLOTS));
    let model = made::model(made::open("made.dat", &block).as_ref());
    assert_eq!(model.joint_count(), made_charpipe::BONES);
    let mesh = &model.meshes[0];
    assert!(mesh.points.len() >= made_charpipe::SLOTS && mesh.fixed_skin.is_some());
    let all: Vec<Arc<Clip>> = [false, true]
        .into_iter()
        .flat_map(|curved| clips("made.anm", &Source::from(made_charpipe::bank(made_charpipe::BONES, 12, curved))))
        .collect();
    hold("made", &model, &all);
}

#[test]
fn an_arm_shows_the_kinds_of_its_lists() {
    let model = made::model(made::open("arm_full.model", &file("arm_full.model")).as_ref());
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
        let pixels = image.rgba.chunks_exact(4).filter(|p| of(p)).count();
        assert!(pixels > 20, "{}: {pixels} pixels", used.name());
    }
}
