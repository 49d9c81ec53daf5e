//! The sample level where much moves, against kept pictures: sky, mirror, water, fire, lift, and surfaces of every kind.

use crate::kit::{
    self,
    device::{context, look},
};
use bonebox::{
    bytes::Cancel,
    formats::{Asset, Content, LoadOptions},
    gpu::{Background, GpuContext, GpuMap, MapLayers, MapView, RenderTarget, SceneRenderer, ViewSettings},
    library::OpenOptions,
    scene::{
        Image, Map, MapMoment, MaterialKind,
        camera::{FlyCamera, OrbitCamera},
    },
};
use glam::Vec3;
use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

const WIDTH: u32 = 240;
const HEIGHT: u32 = 160;

/// A picture: its name, where the eye is and what it looks at in the file's units, the time and where the lift is.
struct Shot {
    name: &'static str,
    eye: [f32; 3],
    at: [f32; 3],
    seconds: f64,
    lift: f32,
}

const fn shot(name: &'static str, eye: [f32; 3], at: [f32; 3]) -> Shot {
    Shot { name, eye, at, seconds: 0.0, lift: 0.0 }
}

const SHOTS: &[Shot] = &[
    // Sky over the walls, the fire, and the fence whose gaps show the wall behind it.
    shot("start", [-60.0, -280.0, 86.0], [120.0, 60.0, 110.0]),
    Shot { seconds: 1.5, ..shot("start_later", [-60.0, -280.0, 86.0], [120.0, 60.0, 110.0]) },
    // The fire and the sign on the wall behind the eye, seen in the mirror.
    shot("mirror", [40.0, 150.0, 92.0], [0.0, 368.0, 92.0]),
    // The sign that runs along.
    shot("sign", [0.0, -230.0, 80.0], [0.0, -372.0, 80.0]),
    Shot { seconds: 1.0, ..shot("sign_later", [0.0, -230.0, 80.0], [0.0, -372.0, 80.0]) },
    // The bottom of the pond waves below its face.
    shot("pond", [-190.0, 0.0, 100.0], [-330.0, 0.0, -40.0]),
    Shot { seconds: 1.2, ..shot("pond_later", [-190.0, 0.0, 100.0], [-330.0, 0.0, -40.0]) },
    // Below the face the picture has the water's tint.
    shot("under_water", [-240.0, 0.0, -40.0], [-400.0, 20.0, -60.0]),
    // The pane in front of the wall, and the shed whose texture nobody has; the stain on the wall.
    shot("pane", [-200.0, 120.0, 70.0], [-232.0, 256.0, 64.0]),
    shot("missing", [240.0, 120.0, 90.0], [376.0, 280.0, 70.0]),
    shot("stain", [330.0, 20.0, 90.0], [480.0, 32.0, 104.0]),
    // The lift at its first place and on the ledge.
    shot("lift", [-150.0, -180.0, 120.0], [-310.0, -320.0, 60.0]),
    Shot { lift: 2.0, ..shot("lift_up", [-150.0, -180.0, 120.0], [-310.0, -320.0, 60.0]) },
];

/// Scene space, of a point in the file's.
fn scene([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, y)
}

fn looking(map: &Map, eye: [f32; 3], at: [f32; 3]) -> OrbitCamera {
    let (eye, at) = (scene(eye), scene(at));
    let way = (at - eye).normalize_or(Vec3::X);
    let mut camera = FlyCamera::new(eye, (-way.x).atan2(-way.z), &map.bounds());
    camera.pitch = way.y.asin();
    camera.orbit()
}

struct Yard {
    context: Arc<GpuContext>,
    renderer: SceneRenderer,
    on_device: GpuMap,
    map: Arc<Map>,
}

/// The sample's level. `None` without a device.
fn map() -> Option<Arc<Map>> {
    context()?;
    let file = OpenOptions::new().open(kit::samples().join("BoneYard.unr")).unwrap();
    let level = file.entries_with(Content::Map)[0];
    let loaded = file.load(level, LoadOptions::default(), Cancel::never()).unwrap();
    let Asset::Map(map) = loaded.asset else { panic!("no level") };
    Some(map)
}

impl Yard {
    fn of(map: Arc<Map>) -> Self {
        let context = context().expect("there was one before");
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let on_device = renderer.upload_map(&map).unwrap();
        Self { context, renderer, on_device, map }
    }

    fn picture(&mut self, shot: &Shot, layers: MapLayers) -> Image {
        let view = ViewSettings {
            camera: looking(&self.map, shot.eye, shot.at),
            grid: false,
            shadow: false,
            vertex_colors: false,
            background: Background::Color([40, 0, 60]),
            ..ViewSettings::default()
        };
        let moment = MapMoment { seconds: shot.seconds, movers: vec![shot.lift] };
        let mut target = RenderTarget::new(&self.context, WIDTH, HEIGHT, 4).unwrap();
        let how = MapView { layers, hidden: &BTreeSet::new(), moment: &moment, lines: &[], overlay: &[], exact: true };
        self.renderer.render_map(&mut target, &view, &mut self.on_device, &how).unwrap();
        let picture = target.read().unwrap();
        assert_eq!(self.context.take_errors(), Vec::<String>::new());
        picture
    }
}

/// As the game shows it: no signs of the editor.
fn layers() -> MapLayers {
    MapLayers { sprites: false, ..MapLayers::default() }
}

fn kept(name: &str) -> PathBuf {
    kit::data().join("unreal").join("yard").join(format!("{name}.png"))
}

/// Pixels of a tile each way.
const TILE: u32 = 20;

/// Of the tiles of two pictures the one that differs most: the mean difference of its colours, of 255.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let across = WIDTH / TILE;
    let mut sums = vec![0_u64; (across * (HEIGHT / TILE)) as usize];
    for (index, (a, b)) in (0_u32..).zip(a.chunks_exact(4).zip(b.chunks_exact(4))) {
        let (x, y) = (index % WIDTH, index / WIDTH);
        let sum = &mut sums[(y / TILE * across + x / TILE) as usize];
        *sum += (0..3).map(|channel| u64::from(a[channel].abs_diff(b[channel]))).sum::<u64>();
    }
    let most = sums.into_iter().max().unwrap();
    most as f64 / f64::from(TILE * TILE * 3)
}

/// Drivers differ in edges and in filters: by less than this in any tile, and what is not drawn or has not moved by more.
const MOST: f64 = 5.0;

#[test]
fn the_yard_looks_as_it_was_kept() {
    let Some(map) = map() else { return };
    let mut yard = Yard::of(map);
    let keep = std::env::var_os("BONEBOX_KEEP").is_some();
    let mut wrong = Vec::new();
    for shot in SHOTS {
        let picture = yard.picture(shot, layers());
        look(&picture, &format!("yard_{}", shot.name));
        let path = kept(shot.name);
        if keep {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            image::save_buffer(&path, &picture.rgba, WIDTH, HEIGHT, image::ColorType::Rgba8).unwrap();
        }
        let expected = image::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).to_rgba8();
        let found = difference(&picture.rgba, &expected);
        if found > MOST {
            wrong.push(format!("{}: {found:.2}", shot.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The level without the surfaces of a texture.
fn without(map: &Arc<Map>, texture: &str) -> Arc<Map> {
    let mut map = Map::clone(map);
    let mut left_out = 0;
    for model in &mut map.models {
        for material in &mut Arc::make_mut(model).materials {
            if let MaterialKind::Basic(basic) = &mut material.kind
                && material.name == texture
            {
                basic.hidden = true;
                left_out += 1;
            }
        }
    }
    assert!(left_out > 0, "{texture}");
    Arc::new(map)
}

/// What the comparison with kept pictures would not let pass: each is changed in one thing.
#[test]
fn what_is_missing_or_stands_still_is_more_than_drivers_differ() {
    let Some(map) = map() else { return };
    let find = |name: &str| SHOTS.iter().find(|shot| shot.name == name).unwrap();
    let mut yard = Yard::of(map.clone());
    let mut picture = |name: &str| yard.picture(find(name), layers()).rgba.to_vec();
    let mut found: Vec<(String, f64)> =
        [["start", "start_later"], ["sign", "sign_later"], ["pond", "pond_later"], ["lift", "lift_up"]]
            .map(|[first, second]| (second.to_owned(), difference(&picture(first), &picture(second))))
            .to_vec();
    let no_windows = MapLayers { windows: false, ..layers() };
    for name in ["start", "mirror"] {
        let with = picture(name);
        let plain = Yard::of(map.clone()).picture(find(name), no_windows);
        found.push((format!("{name} without windows"), difference(&with, &plain.rgba)));
    }
    let mut dry = Map::clone(&map);
    dry.zones.iter_mut().for_each(|zone| (zone.view_flash, zone.view_fog) = (Vec3::ONE, Vec3::ZERO));
    let mut changed = vec![("under_water", Arc::new(dry))];
    for (name, texture) in [
        ("pane", "Pane"),
        ("stain", "Stain"),
        ("missing", "Gone"),
        ("start", "Grate"),
        ("start_later", "Campfire"),
        ("pond", "Pond"),
    ] {
        changed.push((name, without(&map, texture)));
    }
    for (name, map) in changed {
        let other = Yard::of(map).picture(find(name), layers());
        found.push((format!("{name} changed"), difference(&picture(name), &other.rgba)));
    }
    let small: Vec<_> = found.iter().filter(|(_, found)| *found <= 1.5 * MOST).collect();
    assert!(small.is_empty(), "{small:?} of {found:?}");
}
