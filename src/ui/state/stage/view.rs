//! How the content of a stage is drawn.

use crate::{
    scene::{
        Map, Material, Model, TerrainView,
        camera::{FlyCamera, OrbitCamera},
    },
    ui::{
        saved_view::ViewOptions,
        settings::Settings,
        state::stage::top_down::{Tilt, Tween},
    },
};

/// Camera and switches of the viewport.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// What is seen through, whichever way it is moved.
    pub camera: OrbitCamera,
    /// Moves the camera, when it flies.
    pub fly: Option<FlyCamera>,
    /// The user has pointed the camera at something: nothing else moves it.
    pub camera_touched: bool,
    pub options: ViewOptions,
    /// The user wants bones, whatever the model.
    pub skeleton_asked: bool,
    /// How fast one flies through levels, in their units a second.
    pub level_speed: f32,
    /// How a landscape is drawn.
    pub terrain: TerrainView,
    /// A landscape is seen as a map: from above, north at the top.
    pub top_down: Option<Tilt>,
    /// The camera is on its way into the map or out of it.
    pub tween: Option<Tween>,
    /// Names of the selected objects of a landscape are drawn.
    pub prop_names: bool,
    /// What the colours of a landscape mean is told.
    pub terrain_legend: bool,
    /// A landscape is seen as in a mirror: south where north is.
    pub flipped: bool,
}

/// What the materials of the GameCube's chip in a model bring of a scene.
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
