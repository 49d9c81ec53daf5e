//! How the content of a stage is drawn.

use crate::{
    gpu::{ColorChannel, GxSettings, MapLayers, Shading},
    scene::{
        Map, Material, Model, TerrainView,
        camera::{FlyCamera, OrbitCamera},
    },
    ui::{
        light_preset::LightPreset,
        map_overlays::MapOverlays,
        settings::Settings,
        state::stage::top_down::{Tilt, Tween},
        up_axis::UpAxis,
    },
};

/// What [`View::gamma`] may be.
pub const GAMMAS: std::ops::RangeInclusive<f32> = 0.5..=3.0;

/// A gamma within [`GAMMAS`]; 1 for what is no number.
pub fn held_gamma(gamma: f32) -> f32 {
    if gamma.is_finite() { gamma.clamp(*GAMMAS.start(), *GAMMAS.end()) } else { 1.0 }
}

/// Camera and switches of the viewport.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// What is seen through, whichever way it is moved.
    pub camera: OrbitCamera,
    /// Moves the camera, when it flies.
    pub fly: Option<FlyCamera>,
    /// The user has pointed the camera at something: nothing else moves it.
    pub camera_touched: bool,
    pub shading: Shading,
    /// Which set of texture coordinates surfaces are drawn with.
    pub uv_set: u32,
    /// Level of detail of the shown model: 0 is all of it.
    pub level: u32,
    pub wireframe: bool,
    /// Which channel of vertex colours is shown, where they are alone.
    pub channel: ColorChannel,
    /// A line along the normal of every vertex.
    pub normal_lines: bool,
    /// The triangles of what is selected, as they lie in its texture.
    pub uv_layout: bool,
    /// A soft shadow where the model stands.
    pub shadow: bool,
    pub light: LightPreset,
    pub skeleton: bool,
    /// The user wants bones, whatever the model.
    pub skeleton_asked: bool,
    pub bone_names: bool,
    /// Places where other things are attached are drawn.
    pub sockets: bool,
    /// A box is drawn around the model or what is selected of it.
    pub bounds: bool,
    pub grid: bool,
    pub textures: bool,
    pub vertex_colors: bool,
    pub backface_culling: bool,
    pub nearest_filter: bool,
    pub show_hidden: bool,
    /// Lamps and fog of materials of the GameCube's chip.
    pub gx: GxSettings,
    /// Behind everything; `None` for the theme's.
    pub background: Option<[u8; 3]>,
    /// Which things of a level are drawn.
    pub layers: MapLayers,
    /// What is drawn over a level.
    pub overlays: MapOverlays,
    /// How fast one flies through levels, in their units a second.
    pub level_speed: f32,
    /// How bright surfaces of a level are: one over the power that their colours are raised to, of [`GAMMAS`].
    pub gamma: f32,
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
    pub up_axis: UpAxis,
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
        Self { grid: settings.grid, level_speed: settings.fly_speed, ..Self::default() }
    }
}

impl Default for View {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::default(),
            fly: None,
            camera_touched: false,
            shading: Shading::Lit,
            uv_set: 0,
            level: 0,
            wireframe: false,
            channel: ColorChannel::All,
            normal_lines: false,
            uv_layout: false,
            shadow: true,
            light: LightPreset::Studio,
            skeleton: false,
            skeleton_asked: false,
            bone_names: false,
            sockets: false,
            bounds: false,
            grid: true,
            textures: true,
            vertex_colors: false,
            backface_culling: false,
            nearest_filter: false,
            show_hidden: false,
            gx: GxSettings::default(),
            background: None,
            layers: MapLayers::default(),
            overlays: MapOverlays::default(),
            level_speed: Map::WALK_SPEED,
            gamma: 1.0,
            terrain: TerrainView::default(),
            top_down: None,
            tween: None,
            prop_names: true,
            terrain_legend: true,
            flipped: false,
            up_axis: UpAxis::Z,
        }
    }
}
