//! FIGURES.md P11: 2048 × 2048 heights with 100,000 objects: putting them on the device, and what the CPU does for a frame.
//! Prints medians; the device is whatever adapter is there (named).

use bonebox::{
    gpu::{GpuContext, RenderTarget, SceneRenderer, ViewSettings},
    scene::{
        HeightGrid, Prop, PropClass, PropKind, PropMarker, SizeSource, Terrain, TerrainView,
        camera::{OrbitCamera, ViewDirection},
        scene_from_ground,
    },
};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::{sync::Arc, time::Instant};

const SIDE: u32 = 2048;
const CELL: f32 = 10.0;
const PROPS: u32 = 100_000;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn height(x: f32, z: f32) -> f32 {
    let away = Vec2::new(x - 10_000.0, z - 10_000.0).length() / 9_000.0;
    let hills = (x * 0.0011).sin() * (z * 0.0013).cos() * 90.0 + (x * 0.007 + z * 0.003).sin() * 14.0;
    (1.0 - away) * 240.0 + hills
}

fn made() -> Terrain {
    let heights: Vec<f32> =
        (0..SIDE * SIDE).map(|i| height((i % SIDE) as f32 * CELL, (i / SIDE) as f32 * CELL)).collect();
    let grid = HeightGrid { columns: SIDE, rows: SIDE, cell: CELL, heights: heights.into() };
    let kind = |id: u32| PropKind {
        id,
        name: format!("kind {id}"),
        model: String::new(),
        class: if id.is_multiple_of(2) { PropClass::Natural } else { PropClass::Artificial },
        marker: if id.is_multiple_of(2) { PropMarker::Ellipse } else { PropMarker::Rectangle },
        outline: None,
        fill: None,
        size: Vec3::new(6.0, 8.0, 6.0),
        size_source: SizeSource::Class,
        source: None,
        body: None,
    };
    // Spread evenly, and the same every time.
    let prop = |index: u32| {
        let spread = |step: f64| (f64::from(index) * step).fract() as f32 * (SIDE as f32 - 2.0) * CELL;
        let (east, north) = (spread(0.754_877_666), spread(0.569_840_29));
        let up = height(east, north);
        let heading = index as f32 * 0.1;
        Prop {
            kind: index % 200,
            slot: index,
            id: index,
            type_id: index % 200,
            name: String::new(),
            world_from_prop: Affine3A::from_rotation_translation(
                Quat::from_rotation_y(-heading),
                scene_from_ground(east, up, north),
            ),
            file_position: Vec3::new(east, up, north),
            heading,
            scale: 1.0,
            above_ground: 0.0,
            outline: None,
            fill: None,
        }
    };
    Terrain {
        name: "made".into(),
        grid,
        kinds: (0..200).map(kind).collect(),
        props: (0..PROPS).map(prop).collect(),
        ..Terrain::default()
    }
}

fn main() {
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(31);
    let terrain = Arc::new(made());
    let context = match GpuContext::headless() {
        Ok(context) => context,
        Err(error) => return println!("no picture: {error}"),
    };
    println!("adapter: {} ({})", context.adapter_name(), context.backend_name());
    let mut renderer = SceneRenderer::new(context.clone()).expect("a renderer");
    let start = Instant::now();
    let mut uploaded = renderer.upload_terrain(&terrain).expect("a made landscape fits");
    println!("upload of {SIDE} × {SIDE} heights and {PROPS} objects: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let mut target = RenderTarget::new(&context, 1920, 1080, context.default_samples()).expect("a target");
    let mut camera = OrbitCamera::overlooking(&terrain.bounds(), ViewDirection::Iso, 16.0 / 9.0);
    for (name, zoom) in [("whole map", 1.0), ("near", 0.05)] {
        camera.zoom(zoom);
        // What is looked at lies on the ground, also from near.
        let ground = terrain.grid.ground_at(camera.focus.x, -camera.focus.z);
        camera.focus.y = ground.unwrap_or(camera.focus.y);
        let how = TerrainView::default();
        let (mut submissions, mut wholes) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            camera.orbit(Vec2::new(0.01, 0.0));
            let view = ViewSettings { camera, grid: false, shadow: false, ..ViewSettings::default() };
            let start = Instant::now();
            renderer.render_terrain(&mut target, &view, &mut uploaded, &how, &[]).expect("a frame");
            let submitted = start.elapsed().as_secs_f64() * 1e3;
            let _ = context.device().poll(wgpu::PollType::wait_indefinitely());
            // The first one builds shaders.
            if round > 0 {
                submissions.push(submitted);
                wholes.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        println!(
            "{name}: CPU {:.3} ms a frame, {:.2} ms until drawn; {} patches, {} calls",
            median(submissions),
            median(wholes),
            uploaded.patch_count(),
            uploaded.draw_calls()
        );
    }
}
