//! What pictures of a level show, held against values worked out by hand.

use crate::kit::{
    device::{context, near, pixel},
    level::*,
};
use bonebox::{
    gpu::{Background, GpuContext, GpuMap, Line, MapLayers, RenderTarget, SceneRenderer, Shading, ViewSettings},
    scene::{
        Aabb, Image, MapItemKind,
        camera::{FlyCamera, OrbitCamera},
    },
};
use glam::Vec3;
use std::{collections::BTreeSet, sync::Arc};

const SIDE: u32 = 64;
const ALL: MapLayers = MapLayers { meshes: true, sprites: true, brushes: true, coronas: true, windows: false };
const WALLS: MapLayers = MapLayers { meshes: false, sprites: false, brushes: false, coronas: false, windows: false };
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// From `eye` along the world's −Z, turned left by `yaw`.
fn looking(eye: Vec3, yaw: f32) -> OrbitCamera {
    let bounds = Aabb { min: Vec3::new(-8.0, 0.0, -4.0), max: Vec3::new(8.0, 4.0, 4.0) };
    FlyCamera::new(eye, yaw, &bounds).orbit()
}

fn view(camera: OrbitCamera) -> ViewSettings {
    ViewSettings {
        camera,
        grid: false,
        shadow: false,
        backface_culling: true,
        background: Background::Color([0, 0, 0]),
        ..ViewSettings::default()
    }
}

struct Studio {
    context: Arc<GpuContext>,
    renderer: SceneRenderer,
    map: GpuMap,
}

impl Studio {
    fn open() -> Option<Self> {
        let context = context()?;
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let map = renderer.upload_map(&Arc::new(rooms(1))).unwrap();
        Some(Self { context, renderer, map })
    }

    fn picture(&mut self, view: &ViewSettings, layers: MapLayers) -> Image {
        let mut target = RenderTarget::new(&self.context, SIDE, SIDE, 1).unwrap();
        let items = self.map.items(view, layers, 1.0);
        self.renderer.render_with_lines(&mut target, view, &items, self.map.lines(layers)).unwrap();
        let picture = target.read().unwrap();
        assert_eq!(self.context.take_errors(), Vec::<String>::new());
        picture
    }

    fn middle(&mut self, view: &ViewSettings, layers: MapLayers) -> [u8; 4] {
        pixel(&self.picture(view, layers), SIDE / 2, SIDE / 2)
    }
}

/// `texture × light × 2`, held below one.
fn lit(light: [u8; 4]) -> [u8; 4] {
    let channel = |i: usize| (f32::from(STONE[i]) / 255.0) * (f32::from(light[i]) / 255.0) * 2.0;
    let [r, g, b] = [0, 1, 2].map(|i| (channel(i).min(1.0) * 255.0).round() as u8);
    [r, g, b, 255]
}

#[test]
fn baked_light_times_texture_is_the_value_worked_out_by_hand() {
    let Some(mut studio) = Studio::open() else { return };
    // 100 × 150 × 2 / 255 = 117.6, and so on.
    assert_eq!((lit(BRIGHT), lit(DIM)), ([118, 88, 56, 255], [50, 40, 38, 255]));
    for (x, light) in [(-5.0, BRIGHT), (5.0, DIM)] {
        let mut view = view(looking(Vec3::new(x, 3.0, 0.0), 0.0));
        let found = studio.middle(&view, WALLS);
        assert!(near(found, lit(light), 1), "{found:?}, not {:?}", lit(light));
        view.shading = Shading::Unlit;
        assert_eq!(studio.middle(&view, WALLS), STONE);
    }
}

#[test]
fn hidden_surfaces_are_not_drawn_unless_asked_for() {
    let Some(mut studio) = Studio::open() else { return };
    // Through the portal onto the wall at the end of the second room.
    let mut through = view(looking(Vec3::new(-2.0, 2.0, 3.0), -std::f32::consts::FRAC_PI_2));
    let plain = studio.middle(&through, WALLS);
    assert!(near(plain, lit(DIM), 1), "{plain:?}");
    // Up to where the sky is, from the second room.
    let mut above = FlyCamera::new(Vec3::new(4.0, 1.0, 0.0), 0.0, &Aabb { min: Vec3::ZERO, max: Vec3::splat(9.0) });
    above.turn(glam::Vec2::new(0.0, 1.3));
    let mut above = view(above.orbit());
    assert_eq!(studio.middle(&above, WALLS), BLACK);
    (through.show_hidden, above.show_hidden) = (true, true);
    let tinted = studio.middle(&through, WALLS);
    assert!(tinted[2] > plain[2] + 40, "the portal is blue: {tinted:?}");
    assert!(studio.middle(&above, WALLS)[2] > 20);
}

#[test]
fn zones_have_a_colour_each() {
    let Some(mut studio) = Studio::open() else { return };
    let mut shown = |x: f32| {
        let mut view = view(looking(Vec3::new(x, 3.0, 0.0), 0.0));
        view.shading = Shading::Zones;
        let picture = studio.picture(&view, WALLS);
        [12, 32, 52].map(|x| pixel(&picture, x, SIDE / 2))
    };
    let (first, second) = (shown(-4.5), shown(4.5));
    let apart = |a: [u8; 4], b: [u8; 4]| (0..3).map(|i| u32::from(a[i].abs_diff(b[i]))).sum::<u32>();
    assert!(apart(first[1], second[1]) > 100, "{first:?} {second:?}");
    assert!(apart(first[0], first[2]) < 30 && apart(second[0], second[2]) < 30, "{first:?} {second:?}");
}

#[test]
fn sprites_face_the_camera_with_their_corners_cut_out() {
    let Some(mut studio) = Studio::open() else { return };
    for yaw in [0.0, 0.9, 2.5] {
        let back = glam::Quat::from_rotation_y(yaw) * Vec3::Z * 1.5;
        let view = view(looking(LAMP_AT + back, yaw));
        let picture = studio.picture(&view, ALL);
        assert_eq!(pixel(&picture, SIDE / 2, SIDE / 2), [255, 220, 90, 255], "{yaw}");
        // Half a unit in 1.5 away is 32 × (0.5 / 1.5) / tan(1.15 / 2) = 16.5 pixels: the disc reaches 15 / 16 of that to the
        // sides, but not into the corners.
        assert_eq!(pixel(&picture, SIDE / 2 + 13, SIDE / 2), [255, 220, 90, 255], "{yaw}");
        assert_ne!(pixel(&picture, SIDE / 2 + 13, SIDE / 2 + 13), [255, 220, 90, 255], "{yaw}");
        assert_ne!(pixel(&picture, SIDE / 2 + 18, SIDE / 2), [255, 220, 90, 255], "{yaw}");
        let without = studio.picture(&view, MapLayers { sprites: false, ..ALL });
        assert_ne!(pixel(&without, SIDE / 2, SIDE / 2), [255, 220, 90, 255], "{yaw}");
    }
}

#[test]
fn brushes_are_lines_that_walls_hide() {
    let Some(mut studio) = Studio::open() else { return };
    let mut drawn = |view: &ViewSettings| {
        let (with, without) = (studio.picture(view, ALL), studio.picture(view, MapLayers { brushes: false, ..ALL }));
        let pairs = with.rgba.chunks_exact(4).zip(without.rgba.chunks_exact(4));
        pairs.filter(|(a, b)| a[2] > b[2] + 30).count()
    };
    let inside = drawn(&view(looking(BRUSH_AT + Vec3::Z * 4.0, 0.0)));
    assert!(inside > 80, "{inside}");
    // Behind the back wall, looking at its far side, which is not drawn as it has one side only: they are seen. With both
    // sides drawn they are not.
    let mut outside = self::view(looking(BRUSH_AT - Vec3::Z * 6.0, std::f32::consts::PI));
    assert!(drawn(&outside) > 60);
    outside.backface_culling = false;
    assert_eq!(drawn(&outside), 0);
}

#[test]
fn lines_are_as_wide_as_asked_and_lie_over_everything_if_wanted() {
    let Some(mut studio) = Studio::open() else { return };
    let view = view(looking(Vec3::new(-5.0, 3.0, 3.0), 0.0));
    let mut target = RenderTarget::new(&studio.context, SIDE, SIDE, 1).unwrap();
    let mut column = |line: Line| {
        let items = studio.map.items(&view, WALLS, 1.0);
        studio.renderer.render_with_lines(&mut target, &view, &items, &[line]).unwrap();
        let picture = target.read().unwrap();
        (0..SIDE).filter(|y| pixel(&picture, SIDE / 2, *y) == [255, 0, 0, 255]).count()
    };
    let at = |z: f32| [Vec3::new(-50.0, 3.0, z), Vec3::new(50.0, 3.0, z)];
    let red = Line { ends: at(0.0), color: [255, 0, 0, 255], width_px: 4.0, over: false };
    assert_eq!(column(red), 4);
    assert_eq!(column(Line { ends: at(-5.0), ..red }), 0, "behind the wall");
    assert_eq!(column(Line { ends: at(-5.0), over: true, ..red }), 4);
    // From behind the eye to before it: what is before the eye is drawn.
    let through = [Vec3::new(-5.0, 2.9, 9.0), Vec3::new(-5.0, 2.9, 0.0)];
    assert!(column(Line { ends: through, ..red }) > 8);
    assert_eq!(column(Line { ends: [Vec3::new(-5.0, 3.0, 9.0), Vec3::new(-4.0, 3.0, 8.0)], ..red }), 0);
}

#[test]
fn what_is_out_of_sight_is_left_out() {
    let Some(studio) = Studio::open() else { return };
    let count = |eye: Vec3, yaw: f32, layers: MapLayers| studio.map.items(&view(looking(eye, yaw)), layers, 1.0).len();
    // The walls are around the eye; the lift lies ahead, the lamp behind.
    assert_eq!(count(LIFT_AT + Vec3::X * 3.0, std::f32::consts::FRAC_PI_2, ALL), 2);
    assert_eq!(count(LIFT_AT + Vec3::X * 3.0, -std::f32::consts::FRAC_PI_2, ALL), 2);
    assert_eq!(count(LIFT_AT + Vec3::X * 3.0, -std::f32::consts::FRAC_PI_2, WALLS), 1);
    let kinds = [MapItemKind::World, MapItemKind::Mover, MapItemKind::Mesh, MapItemKind::Sprite, MapItemKind::Brush];
    assert_eq!(kinds.map(|kind| WALLS.shows(kind)), [true, true, false, false, false]);
}

#[test]
fn hidden_actors_are_left_out() {
    let Some(studio) = Studio::open() else { return };
    let view = view(looking(LIFT_AT + Vec3::X * 3.0, std::f32::consts::FRAC_PI_2));
    let all = studio.map.items(&view, ALL, 1.0).len();
    let owners: BTreeSet<Option<u32>> = studio.map.map().items.iter().map(|item| item.actor).collect();
    assert!(owners.len() > 1);
    let count = |hidden: &BTreeSet<Option<u32>>| studio.map.items_without(&view, ALL, 1.0, hidden).len();
    assert_eq!((count(&BTreeSet::new()), count(&owners)), (all, 0));
    let walls = BTreeSet::from([None]);
    assert!(count(&walls) < all);
    let lines = |hidden: &BTreeSet<Option<u32>>| studio.map.lines_without(ALL, hidden).count();
    assert_eq!((lines(&BTreeSet::new()), lines(&owners)), (studio.map.lines(ALL).len(), 0));
}
