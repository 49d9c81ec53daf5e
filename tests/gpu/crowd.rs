//! A thousand animated characters: what drawing them costs the CPU.

use crate::kit::device::*;
use bonebox::{
    gpu::{Item, RenderTarget, SceneRenderer, ViewSettings},
    scene::Frame,
};
use glam::{Affine3A, Quat, Vec3};
use std::{sync::Arc, time::Instant};

/// 1,000 copies of 64 joints and 3,000 vertices, each in a pose of its own, are a handful of draws; `--nocapture` prints
/// what `render` takes. Times are not held here: they depend on what else the machine does.
#[test]
fn a_thousand_characters_are_drawn_at_once() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = Arc::new(tentacle(64, 99, 29));
    assert_eq!((model.meshes[0].vertex_count(), model.joint_count()), (3000, 64));
    let uploaded = renderer.upload(&model).unwrap();
    let frames: Vec<Frame> =
        (0..1000).map(|i| bent(&model, Quat::from_rotation_z((i as f32 * 0.37).sin() * 0.03))).collect();
    let place = |i: usize| Affine3A::from_translation(Vec3::new((i % 40) as f32, 0.0, (i / 40) as f32) * 1.5);
    let items: Vec<Item<'_>> = frames
        .iter()
        .enumerate()
        .map(|(i, frame)| Item { model: &uploaded, frame, world_from_model: place(i) })
        .collect();
    let mut view = ViewSettings::default();
    view.camera.focus = Vec3::new(30.0, 0.0, 18.0);
    view.camera.distance = 70.0;
    let mut target = RenderTarget::new(&context, 320, 200, 1).unwrap();
    let mut times = Vec::new();
    for _ in 0..4 {
        let start = Instant::now();
        renderer.render(&mut target, &view, &items).unwrap();
        times.push(start.elapsed().as_secs_f64() * 1e3);
        let shown = target.read().unwrap();
        let lit = count(&shown, |p| p[0] > p[2].saturating_add(30));
        assert!(lit > 1000, "{lit} pixels of characters");
    }
    println!("render() of 1,000 characters: {times:.2?} ms");
    assert_eq!(renderer.pipeline_count(), 3, "background, grid, one surface state");
    assert_eq!(context.take_errors(), Vec::<String>::new());
}
