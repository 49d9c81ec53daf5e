//! FIGURES.md P9: 1,000 characters of 64 joints and 3,000 vertices: posing on one thread, and handing the work to the device.
//! Prints medians; the device is whatever adapter is there (named).

#[path = "made/mod.rs"]
mod made;

use bonebox::{
    bytes::Source,
    gpu::{GpuContext, Item, RenderTarget, SceneRenderer, ViewSettings},
    scene::{
        Binding, BindingOptions, Frame, Layer,
        camera::{OrbitCamera, ViewDirection},
        evaluate,
    },
};
use glam::{Affine3A, Vec3};
use std::time::Instant;

const CHARACTERS: usize = 1_000;
const JOINTS: usize = 64;
const VERTICES: usize = 3_000;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(9);
    let model = made::model(made::open("made.psk", &Source::from(made::psk(VERTICES, JOINTS))).as_ref());
    let clip = made::clip(made::open("made.psa", &Source::from(made::psa(JOINTS, &[60]))).as_ref());
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    let mut frames: Vec<Frame> = (0..CHARACTERS).map(|_| Frame::bind(&model)).collect();
    let pose = |frames: &mut [Frame], time: f32| {
        let start = Instant::now();
        for (index, frame) in frames.iter_mut().enumerate() {
            let layer =
                Layer { clip: &clip, binding: &binding, frame: (time + index as f32 * 0.7) % 60.0, looping: true };
            evaluate(&model, &[layer], &[], frame);
        }
        start.elapsed().as_secs_f64() * 1e3
    };
    let posing = median((0..rounds).map(|round| pose(&mut frames, round as f32 * 0.5)).collect());
    let joints = (CHARACTERS * JOINTS) as f64;
    println!("posing {CHARACTERS} × {JOINTS} joints: {posing:.3} ms a frame ({:.1} ns a joint)", posing * 1e6 / joints);

    let context = match GpuContext::headless() {
        Ok(context) => context,
        Err(error) => return println!("no picture: {error}"),
    };
    println!("adapter: {} ({})", context.adapter_name(), context.backend_name());
    let mut renderer = SceneRenderer::new(context.clone()).expect("a renderer");
    let uploaded = renderer.upload(&model).expect("a made model fits");
    let mut target = RenderTarget::new(&context, 640, 360, context.default_samples()).expect("a target");
    let bounds = model.bounds();
    let mut camera = OrbitCamera::framing(&bounds, ViewDirection::Iso, 16.0 / 9.0);
    camera.zoom(30.0);
    let view = ViewSettings { camera, ..ViewSettings::default() };
    let (mut submissions, mut wholes) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        // As in a window: posed, then handed over.
        pose(&mut frames, round as f32 * 0.5);
        let items: Vec<Item<'_>> = frames
            .iter()
            .enumerate()
            .map(|(index, frame)| Item {
                model: &uploaded,
                frame,
                world_from_model: Affine3A::from_translation(
                    Vec3::new((index % 32) as f32 - 16.0, 0.0, (index / 32) as f32 - 16.0) * bounds.diagonal(),
                ),
            })
            .collect();
        let start = Instant::now();
        renderer.render(&mut target, &view, &items).expect("a frame");
        submissions.push(start.elapsed().as_secs_f64() * 1e3);
        target.read().expect("a picture");
        wholes.push(start.elapsed().as_secs_f64() * 1e3);
    }
    println!("encoding and submission: {:.3} ms a frame", median(submissions));
    println!("with the device's own work and read-back: {:.1} ms a frame", median(wholes));
}
