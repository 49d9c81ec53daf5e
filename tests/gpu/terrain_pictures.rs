//! Pictures of landscapes: each draws without complaint, shows something, and is like no other. `BONEBOX_LOOK=folder` keeps
//! them for eyes.

use crate::kit::{
    app::look_folder,
    device::{context, differing, look},
    island::*,
};
use bonebox::{
    gpu::{Background, RenderTarget, SceneRenderer, ViewSettings},
    scene::{
        Image, PropColors, TerrainTint, TerrainView,
        camera::{OrbitCamera, ViewDirection},
    },
};
use glam::Vec3;
use std::sync::Arc;

#[test]
fn landscapes_are_drawn_from_everywhere() {
    let Some(context) = context() else { return };
    // For eyes larger and slower.
    let (size, side, count, samples) =
        if look_folder().is_some() { ((1280, 800), 513, 12_000, 4) } else { ((160, 100), 129, 800, 1) };
    let terrain = Arc::new(inhabited(side, 5130.0 / side as f32, count));
    let bounds = terrain.bounds();
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut uploaded = renderer.upload_terrain(&terrain).unwrap();
    let aspect = size.0 as f32 / size.1 as f32;
    let mut iso = OrbitCamera::framing(&bounds, ViewDirection::Iso, aspect);
    (iso.pitch, iso.distance) = (0.6, iso.distance * 0.62);
    let top = OrbitCamera::framing(&bounds, ViewDirection::Top, aspect);
    let at = |east: f32, north: f32, distance: f32, yaw: f32, pitch: f32| OrbitCamera {
        focus: Vec3::new(east, terrain.grid.ground_at(east, north).unwrap_or(0.0), -north),
        distance,
        yaw,
        pitch,
        ..iso
    };
    let how = TerrainView::default();
    let some: Arc<[u32]> = (0..terrain.props.len() as u32).step_by(97).collect();
    let shots = [
        ("iso", iso, how.clone()),
        ("iso_far", OrbitCamera { distance: iso.distance * 6.0, ..iso }, how.clone()),
        ("top", top, how.clone()),
        ("top_ortho", OrbitCamera { orthographic: true, ..top }, TerrainView { grid: true, ..how.clone() }),
        ("grazing", at(2600.0, 2600.0, 2500.0, 0.4, 0.09), how.clone()),
        ("shore", at(1400.0, 2000.0, 500.0, 0.9, 0.35), how.clone()),
        ("near", at(2200.0, 2150.0, 120.0, -0.6, 0.4), how.clone()),
        ("wire", at(2200.0, 2150.0, 400.0, -0.6, 0.5), TerrainView { wireframe: true, ..how.clone() }),
        ("wire_far", iso, TerrainView { wireframe: true, ..how.clone() }),
        ("exaggerated", iso, TerrainView { exaggeration: 5.0, ..how.clone() }),
        ("slope", iso, TerrainView { tint: TerrainTint::Slope, props: false, ..how.clone() }),
        (
            "plain",
            iso,
            TerrainView { tint: TerrainTint::Plain, contours: false, prop_colors: PropColors::Kind, ..how.clone() },
        ),
        ("dry", iso, TerrainView { water: false, props: false, ..how.clone() }),
        ("selected", at(2200.0, 2150.0, 500.0, 0.6, 0.4), TerrainView { selected: some, ..how.clone() }),
        ("below", OrbitCamera { pitch: -0.35, ..iso }, how.clone()),
        ("edge", at(0.0, 2500.0, 900.0, -0.9, 0.12), how.clone()),
        ("corner", at(5100.0, 20.0, 600.0, 0.7, 0.25), how.clone()),
    ];
    let mut target = RenderTarget::new(&context, size.0, size.1, samples).unwrap();
    let mut drawn: Vec<(&str, Image)> = Vec::new();
    for (name, camera, how) in shots {
        let background = if name == "plain" { Background::light() } else { Background::dark() };
        let view = ViewSettings { camera, background, grid: false, shadow: false, ..ViewSettings::default() };
        renderer.render_terrain(&mut target, &view, &mut uploaded, &how, &[]).unwrap();
        let picture = target.read().unwrap();
        assert_eq!(context.take_errors(), Vec::<String>::new(), "{name}");
        look(&picture, &format!("terrain_{name}"));
        let first = &picture.rgba[..3];
        assert!(picture.rgba.chunks_exact(4).any(|p| p[1].abs_diff(first[1]) > 40), "{name} shows nothing");
        for (other, like) in &drawn {
            let differ = differing(&picture, like, 2);
            assert!(differ > 1000, "{name} is {other} but for {differ} pixels");
        }
        drawn.push((name, picture));
    }
}
