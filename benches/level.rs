//! A made level of 20,000 surfaces, 500 actors and 60 pictures that change: what a frame costs the processor, at most 6 ms. Prints
//! medians; the device is whatever adapter is there (named).

use bonebox::{
    gpu::{GpuContext, MapLayers, MapView, RenderTarget, SceneRenderer, ViewSettings},
    scene::{
        Aabb, BasicMaterial, FlipBook, Image, LiveKind, LivePicture, Map, MapItem, MapItemKind, MapMoment, MapSky,
        MapWindow, Material, MaterialKind, Mesh, Model, Palette, SourceEntry, Surface, TextureMotion,
        camera::FlyCamera,
        procedural::{Fire, Procedural, Program, Spark},
    },
};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::{collections::BTreeSet, sync::Arc, time::Instant};

const SURFACES: u32 = 20_000;
const ACTORS: u32 = 500;
const LIVE: u32 = 60;
/// Materials of the walls.
const MATERIALS: u32 = 200;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn image(number: u32, side: u32) -> Arc<Image> {
    let texel = |x: u32, y: u32| [(x * 3) as u8, (y * 5) as u8, number as u8, 255];
    let rgba: Vec<u8> = (0..side).flat_map(|y| (0..side).flat_map(move |x| texel(x, y))).collect();
    let (name, stored_as) = (format!("picture {number}"), "made".into());
    Arc::new(Image { name, width: side, height: side, rgba: rgba.into(), stored_as })
}

fn square(mesh: &mut Mesh, at: Vec3, size: f32) {
    let first = mesh.points.len() as u32;
    let (right, up) = (Vec3::X * size, Vec3::Y * size);
    mesh.points.extend([at, at + right, at + right + up, at + up]);
    mesh.vertex_points.extend(first..first + 4);
    if mesh.uv_sets.is_empty() {
        mesh.uv_sets.push(Vec::new());
    }
    mesh.uv_sets[0].extend([Vec2::new(0.0, 1.0), Vec2::ONE, Vec2::new(1.0, 0.0), Vec2::ZERO]);
    mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
}

/// Squares in layers behind each other, as many of each material; the first of them change or move.
fn walls(pictures: &[Arc<Image>]) -> Model {
    let mut mesh = Mesh::default();
    let each = SURFACES / MATERIALS;
    for material in 0..MATERIALS {
        let first_index = mesh.indices.len() as u32;
        for number in 0..each {
            let place = material * each + number;
            let at = Vec3::new((place % 100) as f32, (place / 100 % 20) as f32, -((place / 2_000) as f32) * 8.0);
            square(&mut mesh, at * Vec3::new(64.0, 64.0, 64.0), 60.0);
        }
        mesh.surfaces.push(Surface { first_index, index_count: each * 6, material });
    }
    let motion = TextureMotion { pan: Vec2::new(35.0, 0.0), wavy: true, size: Vec2::splat(64.0) };
    let basic = |number: u32| BasicMaterial {
        image: Some(number % pictures.len() as u32),
        unlit: true,
        motion: (number % 10 == 9).then_some(motion),
        window: (number == MATERIALS - 1).then_some(0),
        ..BasicMaterial::default()
    };
    let material = |number| Material { name: format!("{number}"), kind: MaterialKind::Basic(basic(number)) };
    let materials = (0..MATERIALS).map(material).collect();
    Model { meshes: vec![mesh], materials, images: pictures.to_vec(), ..Model::empty("walls") }
}

fn live(number: u32, still: &Arc<Image>) -> LivePicture {
    let kind = if number.is_multiple_of(2) {
        let frames = std::iter::once(still.clone()).chain((1..8).map(|frame| image(number * 8 + frame, 128)));
        LiveKind::FlipBook(FlipBook { frames: frames.collect(), rate_hz: 15.0 })
    } else {
        let spark = Spark::from_bytes([13, 255, 20, 20, 255, 0, 30, 0]).expect("a spark");
        let fire = Fire { sparks: Arc::new([spark]), render_heat: 220, rising: true, most_sparks: 100 };
        let colors = (0..=255).map(|i| [i, i, 255 - i, 255]).collect();
        LiveKind::Computed(Arc::new(Procedural {
            name: format!("fire {number}"),
            width: 128,
            height: 128,
            palette: Arc::new(Palette { name: String::new(), colors }),
            masked: false,
            program: Program::Fire(fire),
            prime_frames: 0,
            rate_hz: 30.0,
            facts: Vec::new(),
        }))
    };
    LivePicture { still: still.clone(), kind }
}

fn level() -> Map {
    let pictures: Vec<Arc<Image>> = (0..100).map(|number| image(number, 128)).collect();
    let mut thing = Mesh::default();
    (0..6).for_each(|side| square(&mut thing, Vec3::Z * side as f32 * 8.0, 40.0));
    thing.surfaces.push(Surface { first_index: 0, index_count: thing.indices.len() as u32, material: 0 });
    let things = (0..20).map(|number| Model {
        meshes: vec![thing.clone()],
        materials: vec![Material {
            name: "thing".into(),
            kind: MaterialKind::Basic(BasicMaterial { image: Some(0), ..BasicMaterial::default() }),
        }],
        images: vec![pictures[number].clone()],
        ..Model::empty("thing")
    });
    let item = |model, kind, place: Vec3, sky| MapItem {
        model,
        world_from_model: Affine3A::from_translation(place),
        kind,
        source: SourceEntry(0),
        actor: None,
        hidden_in_game: false,
        sky,
    };
    let actors = (0..ACTORS).map(|number| {
        let at = Vec3::new((number % 50) as f32 * 128.0, (number / 50) as f32 * 100.0, 200.0);
        item(1 + number % 20, MapItemKind::Mesh, at, None)
    });
    let room = item(1, MapItemKind::Mesh, Vec3::new(0.0, 9_000.0, -100.0), Some(0));
    let location = Vec3::new(0.0, 9_000.0, 0.0);
    Map {
        models: std::iter::once(walls(&pictures)).chain(things).map(Arc::new).collect(),
        items: std::iter::once(item(0, MapItemKind::World, Vec3::ZERO, None)).chain(actors).chain([room]).collect(),
        live: (0..LIVE).map(|number| live(number, &pictures[number as usize])).collect(),
        skies: vec![MapSky { actor: 0, location, rotation: Quat::IDENTITY, zone: 0 }],
        windows: vec![MapWindow::Sky(0)],
        ..Map::default()
    }
}

fn main() {
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(120);
    let context = match GpuContext::headless() {
        Ok(context) => context,
        Err(error) => return println!("no picture: {error}"),
    };
    println!("adapter: {} ({})", context.adapter_name(), context.backend_name());
    let mut renderer = SceneRenderer::new(context.clone()).expect("a renderer");
    let mut map = renderer.upload_map(&Arc::new(level())).expect("a made level fits");
    let mut target = RenderTarget::new(&context, 320, 180, 1).expect("a target");
    let bounds = Aabb { min: Vec3::ZERO, max: Vec3::splat(6_400.0) };
    let camera = FlyCamera::new(Vec3::new(3_200.0, 640.0, 1_500.0), 0.0, &bounds).orbit();
    let view = ViewSettings { camera, grid: false, shadow: false, backface_culling: true, ..ViewSettings::default() };
    for windows in [false, true] {
        let layers = MapLayers { windows, ..MapLayers::default() };
        let (mut handed, mut wholes) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            let moment = MapMoment { seconds: round as f64 / 60.0, ..MapMoment::default() };
            let how =
                MapView { layers, hidden: &BTreeSet::new(), moment: &moment, lines: &[], overlay: &[], exact: false };
            let start = Instant::now();
            renderer.render_map(&mut target, &view, &mut map, &how).expect("a frame");
            handed.push(start.elapsed().as_secs_f64() * 1e3);
            target.read().expect("a picture");
            wholes.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let most = handed.iter().skip(10).fold(0.0, |a: f64, b| a.max(*b));
        let windows = if windows { "with" } else { "without" };
        println!(
            "{windows} windows: {:.3} ms of the processor a frame, {most:.3} at most; {:.3} ms until it is there",
            median(handed),
            median(wholes)
        );
    }
}
