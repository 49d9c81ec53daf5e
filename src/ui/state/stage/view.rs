//! How the content of a stage is drawn.

use crate::{
    scene::{
        Map, Material, Model, TerrainView,
        camera::{FlyCamera, OrbitCamera, Steer},
    },
    ui::{
        place::DrawerPage,
        query::Filter,
        saved_view::ViewOptions,
        settings::Settings,
        state::stage::top_down::{Tilt, Tween},
    },
};
use glam::Vec3;

/// Camera and switches of the viewport.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The camera, for orbiting and for flying.
    pub camera: OrbitCamera,
    /// Present if the camera flies.
    pub fly: Option<FlyCamera>,
    /// True if the user moved the camera. It is then not moved automatically.
    pub camera_touched: bool,
    pub options: ViewOptions,
    /// True if the user turned the bones on. They are then shown for other models too.
    pub skeleton_asked: bool,
    /// Speed of flying through levels, in units of the level per second.
    pub level_speed: f32,
    /// How a landscape is drawn.
    pub terrain: TerrainView,
    /// Present if a landscape is shown as a map, from above with north at the top.
    pub top_down: Option<Tilt>,
    /// The transition into or out of the map.
    pub tween: Option<Tween>,
    /// Names of the selected objects of a landscape are drawn.
    pub prop_names: bool,
    /// True if the legend of a landscape's colours is shown.
    pub terrain_legend: bool,
    /// True if a landscape is mirrored, with south in the place of north.
    pub flipped: bool,
}

/// Lights and fog in the GX materials of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GxTraits {
    pub has_lamps: bool,
    pub has_fog: bool,
}

impl GxTraits {
    /// `None` for a model without such materials.
    pub fn of(model: &Model) -> Option<Self> {
        let mut materials = model.materials.iter().filter_map(Material::tev).peekable();
        materials.peek()?;
        let none = Self { has_lamps: false, has_fog: false };
        Some(materials.fold(none, |all, material| Self {
            has_lamps: all.has_lamps || material.lights.iter().any(Option::is_some),
            has_fog: all.has_fog || material.fog.kind != 0,
        }))
    }
}

impl View {
    /// The view of a new stage.
    pub(crate) fn new(settings: &Settings) -> Self {
        let options = ViewOptions { grid: settings.grid, ..ViewOptions::default() };
        Self { options, level_speed: settings.fly_speed, ..Self::default() }
    }
}

impl Default for View {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::default(),
            fly: None,
            camera_touched: false,
            options: ViewOptions::default(),
            skeleton_asked: false,
            level_speed: Map::WALK_SPEED,
            terrain: TerrainView::default(),
            top_down: None,
            tween: None,
            prop_names: true,
            terrain_legend: true,
            flipped: false,
        }
    }
}

/// Data that a stage and its panel exchange about the image.
pub struct Viewport {
    /// The direction in which keys steer the fly camera.
    pub steer: Steer,
    /// The joint that the camera follows, and its last position in the world.
    pub(crate) follows: Option<(u32, Vec3)>,
    /// Frames per second during animation; 0 otherwise.
    pub fps: f32,
    /// The reason for which the image is missing.
    pub failure: Option<String>,
    /// Width divided by height of the image, for framing.
    pub aspect: f32,
    /// Filter of the clip list.
    pub clip_filter: Filter,
    /// The page of the drawer that is open.
    pub drawer: Option<DrawerPage>,
    /// True if the panel was drawn in the last frame. Hidden stages are not animated.
    pub is_seen: bool,
}

impl Default for Viewport {
    fn default() -> Self {
        Self {
            steer: Steer::default(),
            follows: None,
            fps: 0.0,
            failure: None,
            aspect: 1.5,
            clip_filter: Filter::default(),
            drawer: None,
            is_seen: true,
        }
    }
}
