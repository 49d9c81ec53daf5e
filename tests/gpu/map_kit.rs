//! Levels of a few coloured walls, and pictures of them.

use crate::kit::device::{context, image, material};
use bonebox::{
    gpu::{Background, GpuContext, GpuMap, Line, MapLayers, MapView, RenderTarget, SceneRenderer, ViewSettings},
    scene::{
        Aabb, BasicMaterial, Image, Map, MapItem, MapItemKind, MapMoment, Mesh, Model, SourceEntry, Surface,
        camera::{FlyCamera, OrbitCamera},
    },
};
use glam::{Affine3A, Vec2, Vec3};
use std::{collections::BTreeSet, sync::Arc};

pub const SIDE: u32 = 64;
pub const BLACK: [u8; 4] = [0, 0, 0, 255];
pub const RED: [u8; 4] = [220, 20, 10, 255];
pub const GREEN: [u8; 4] = [20, 200, 30, 255];
pub const BLUE: [u8; 4] = [30, 40, 210, 255];
pub const YELLOW: [u8; 4] = [230, 220, 20, 255];
pub const GREY: [u8; 4] = [120, 120, 120, 255];

/// A wall: an item with a model of its own.
pub struct Wall {
    corners: [Vec3; 4],
    pub basic: BasicMaterial,
    pub picture: Arc<Image>,
    pub sky: Option<u32>,
}

/// From a corner along two edges; `right × up` looks out of it. Unlit, of one colour.
pub fn wall(corner: Vec3, right: Vec3, up: Vec3, color: [u8; 4]) -> Wall {
    Wall {
        corners: [corner, corner + right, corner + right + up, corner + up],
        basic: BasicMaterial { image: Some(0), unlit: true, nearest: true, ..BasicMaterial::default() },
        picture: image(1, 1, |_, _| color),
        sky: None,
    }
}

impl Wall {
    /// It shows one of the level's windows.
    pub fn window(mut self, window: u32) -> Self {
        self.basic.window = Some(window);
        self
    }

    pub fn in_sky(mut self, sky: u32) -> Self {
        self.sky = Some(sky);
        self
    }

    fn model(&self) -> Model {
        let [corner, right, _, up] = self.corners;
        let out = (right - corner).cross(up - corner).normalize_or_zero();
        let mesh = Mesh {
            points: self.corners.to_vec(),
            vertex_points: vec![0, 1, 2, 3],
            normals: vec![out; 4],
            uv_sets: vec![vec![Vec2::new(0.0, 1.0), Vec2::ONE, Vec2::new(1.0, 0.0), Vec2::ZERO]],
            indices: vec![0, 1, 2, 0, 2, 3],
            surfaces: vec![Surface { first_index: 0, index_count: 6, material: 0 }],
            ..Mesh::default()
        };
        let (materials, images) = (vec![material(self.basic)], vec![self.picture.clone()]);
        Model { meshes: vec![mesh], materials, images, ..Model::empty("wall") }
    }
}

/// A level of walls.
pub fn level(walls: &[Wall]) -> Map {
    let item = |(model, wall): (u32, &Wall)| MapItem {
        model,
        world_from_model: Affine3A::IDENTITY,
        kind: MapItemKind::World,
        source: SourceEntry(0),
        actor: None,
        hidden_in_game: false,
        sky: wall.sky,
    };
    Map {
        models: walls.iter().map(|wall| Arc::new(wall.model())).collect(),
        items: (0..).zip(walls).map(item).collect(),
        ..Map::default()
    }
}

/// From `eye` along the world's −Z, turned left by `yaw`.
pub fn looking(eye: Vec3, yaw: f32) -> OrbitCamera {
    FlyCamera::new(eye, yaw, &Aabb { min: Vec3::splat(-8.0), max: Vec3::splat(8.0) }).orbit()
}

pub fn view(camera: OrbitCamera) -> ViewSettings {
    ViewSettings {
        camera,
        grid: false,
        shadow: false,
        backface_culling: true,
        background: Background::Color([0, 0, 0]),
        ..ViewSettings::default()
    }
}

/// A square of two by two at z = 0 that a camera sees from edge to edge.
pub fn square(picture: Arc<Image>) -> Wall {
    let mut square = wall(Vec3::new(-1.0, -1.0, 0.0), Vec3::X * 2.0, Vec3::Y * 2.0, GREY);
    square.picture = picture;
    square
}

/// The camera that does.
pub fn before_it() -> ViewSettings {
    let away = 1.0 / (looking(Vec3::ZERO, 0.0).fov_y * 0.5).tan();
    view(looking(Vec3::Z * away, 0.0))
}

/// A device with a level on it.
pub struct Studio {
    context: Arc<GpuContext>,
    renderer: SceneRenderer,
    map: GpuMap,
}

impl Studio {
    pub fn open(map: Map) -> Option<Self> {
        let context = context()?;
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let map = renderer.upload_map(&Arc::new(map)).unwrap();
        Some(Self { context, renderer, map })
    }

    /// A picture of this width and height and so many samples a pixel.
    pub fn shot(&mut self, view: &ViewSettings, how: &MapView<'_>, (width, height, samples): (u32, u32, u32)) -> Image {
        let mut target = RenderTarget::new(&self.context, width, height, samples).unwrap();
        self.renderer.render_map(&mut target, view, &mut self.map, how).unwrap();
        let picture = target.read().unwrap();
        assert_eq!(self.context.take_errors(), Vec::<String>::new());
        picture
    }

    pub fn picture_of(&mut self, view: &ViewSettings, layers: MapLayers, moment: &MapMoment) -> Image {
        let how = MapView { layers, hidden: &BTreeSet::new(), moment, lines: &[], overlay: &[], exact: true };
        self.shot(view, &how, (SIDE, SIDE, 1))
    }

    /// Of another size than the usual one.
    pub fn sized(&mut self, view: &ViewSettings, size: (u32, u32, u32)) -> Image {
        let (layers, moment) = (MapLayers::default(), MapMoment::default());
        let how = MapView { layers, hidden: &BTreeSet::new(), moment: &moment, lines: &[], overlay: &[], exact: true };
        self.shot(view, &how, size)
    }

    /// As a window draws it: waits for nothing.
    pub fn window_with(&mut self, view: &ViewSettings, layers: MapLayers, seconds: f64) -> Image {
        let (hidden, moment) = (BTreeSet::new(), MapMoment { seconds, ..MapMoment::default() });
        let how = MapView { layers, hidden: &hidden, moment: &moment, lines: &[], overlay: &[], exact: false };
        self.shot(view, &how, (SIDE, SIDE, 1))
    }

    pub fn in_a_window(&mut self, view: &ViewSettings, seconds: f64) -> Image {
        self.window_with(view, MapLayers::default(), seconds)
    }

    pub fn with_lines(&mut self, view: &ViewSettings, lines: &[Line], overlay: &[Arc<[Line]>]) -> Image {
        let (layers, hidden, moment) = (MapLayers::default(), BTreeSet::new(), MapMoment::default());
        let how = MapView { layers, hidden: &hidden, moment: &moment, lines, overlay, exact: true };
        self.shot(view, &how, (SIDE, SIDE, 1))
    }

    /// Whether a window's picture of this moment cannot be drawn.
    pub fn is_refused(&mut self, view: &ViewSettings, seconds: f64) -> bool {
        let (layers, hidden) = (MapLayers::default(), BTreeSet::new());
        let moment = MapMoment { seconds, ..MapMoment::default() };
        let how = MapView { layers, hidden: &hidden, moment: &moment, lines: &[], overlay: &[], exact: false };
        let mut target = RenderTarget::new(&self.context, SIDE, SIDE, 1).unwrap();
        self.renderer.render_map(&mut target, view, &mut self.map, &how).is_err()
    }

    /// Shows another level, put on the device with the same renderer; the one before it is handed back.
    pub fn swap(&mut self, map: GpuMap) -> GpuMap {
        std::mem::replace(&mut self.map, map)
    }

    pub fn upload(&mut self, map: Map) -> GpuMap {
        self.renderer.upload_map(&Arc::new(map)).unwrap()
    }

    pub fn map(&self) -> &GpuMap {
        &self.map
    }

    pub fn picture(&mut self, view: &ViewSettings) -> Image {
        self.picture_of(view, MapLayers::default(), &MapMoment::default())
    }

    /// At a time of the level.
    pub fn at(&mut self, view: &ViewSettings, seconds: f64) -> Image {
        self.picture_of(view, MapLayers::default(), &MapMoment { seconds, ..MapMoment::default() })
    }
}
