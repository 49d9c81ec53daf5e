//! A model of 1,000 shapes with materials of the GameCube's chip, each with a state of its own: what a picture costs the
//! processor. Prints medians; the device is whatever adapter is there (named).

use bonebox::{
    gpu::{GpuContext, Item, RenderTarget, SceneRenderer, ViewSettings},
    scene::{
        Frame, Material, MaterialKind, Mesh, Model, Surface,
        camera::{OrbitCamera, ViewDirection},
        gx::{Combiner, MaterialState, TevMaterial, TevStage},
    },
};
use glam::{Affine3A, Vec3};
use std::{sync::Arc, time::Instant};

const SHAPES: u32 = 1_000;
/// Different shaders among them.
const PROGRAMS: u32 = 10;

fn shape(index: u32) -> Mesh {
    let corner = Vec3::new((index % 40) as f32, (index / 40) as f32, 0.0);
    let at = |x: f32, y: f32| corner + Vec3::new(x, y, 0.0) * 0.9;
    Mesh {
        points: vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)],
        vertex_points: vec![0, 1, 2, 3],
        normals: vec![Vec3::Z; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        surfaces: vec![Surface { first_index: 0, index_count: 6, material: index }],
        ..Mesh::default()
    }
}

fn material(index: u32) -> Material {
    let stage = TevStage {
        color: Combiner::adding([15, 15, 15, 14]),
        alpha: Combiner::adding([7, 7, 7, 6]),
        ..TevStage::default()
    };
    let stages = vec![stage; 1 + (index % PROGRAMS) as usize];
    let tev = TevMaterial { stages, konst: [[index as u8, 90, 160, 255]; 4], ..TevMaterial::default() };
    Material { name: format!("material {index}"), kind: MaterialKind::Tev(Box::new(tev)) }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(21);
    let context = match GpuContext::headless() {
        Ok(context) => context,
        Err(error) => return println!("no picture: {error}"),
    };
    println!("adapter: {} ({})", context.adapter_name(), context.backend_name());
    let model = Arc::new(Model {
        meshes: (0..SHAPES).map(shape).collect(),
        materials: (0..SHAPES).map(material).collect(),
        ..Model::empty("shapes")
    });
    let mut renderer = SceneRenderer::new(context.clone()).expect("a renderer");
    let uploaded = renderer.upload(&model).expect("a made model fits");
    let mut target = RenderTarget::new(&context, 1280, 720, context.default_samples()).expect("a target");
    let camera = OrbitCamera::framing(&model.bounds(), ViewDirection::Front, 16.0 / 9.0);
    let view = ViewSettings { camera, ..ViewSettings::default() };
    let mut frame = Frame::bind(&model);
    let (mut handed_over, mut seen) = (Vec::new(), Vec::new());
    for round in 0..rounds + 1 {
        // Every material changes in every picture.
        let states = model.materials.iter().map(|material| {
            let mut state = MaterialState::of(material.tev()?);
            state.konst[0][1] = round as f32;
            Some(state)
        });
        frame.materials = states.collect();
        let start = Instant::now();
        let item = Item { model: &uploaded, frame: &frame, world_from_model: Affine3A::IDENTITY };
        renderer.render(&mut target, &view, &[item]).expect("a picture");
        // The first picture builds the pipelines.
        if round > 0 {
            handed_over.push(start.elapsed().as_secs_f64() * 1e3);
        }
        target.read().expect("a picture");
        if round > 0 {
            seen.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    println!(
        "{SHAPES} shapes, {PROGRAMS} shaders: {:.2} ms to hand a picture over, {:.2} ms until it is read back",
        median(handed_over),
        median(seen)
    );
}
