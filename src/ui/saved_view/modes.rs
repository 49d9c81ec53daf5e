//! How what is on a stage is drawn.

use crate::ui::saved_view::value::{is_default, or_default};
use crate::{
    gpu::{ColorChannel, GxSettings, MapLayers, Shading},
    scene::{PropColors, TerrainTint, TerrainView},
    ui::{light_preset::LightPreset, map_overlays::MapOverlays, up_axis::UpAxis},
};
use serde::{Deserialize, Serialize};

/// How things are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Modes {
    #[serde(deserialize_with = "or_default")]
    pub shading: Shading,
    #[serde(deserialize_with = "or_default")]
    pub uv_set: u32,
    #[serde(deserialize_with = "or_default")]
    pub level: u32,
    #[serde(deserialize_with = "or_default")]
    pub wireframe: bool,
    #[serde(deserialize_with = "or_default")]
    pub skeleton: bool,
    #[serde(deserialize_with = "or_default")]
    pub bone_names: bool,
    #[serde(deserialize_with = "or_default")]
    pub sockets: bool,
    #[serde(deserialize_with = "or_default")]
    pub bounds: bool,
    #[serde(deserialize_with = "or_default")]
    pub channel: ColorChannel,
    #[serde(deserialize_with = "or_default")]
    pub normal_lines: bool,
    #[serde(deserialize_with = "or_default")]
    pub uv_layout: bool,
    #[serde(deserialize_with = "or_default")]
    pub shadow: bool,
    #[serde(deserialize_with = "or_default")]
    pub light: LightPreset,
    #[serde(deserialize_with = "or_default")]
    pub grid: bool,
    #[serde(deserialize_with = "or_default")]
    pub textures: bool,
    #[serde(deserialize_with = "or_default")]
    pub vertex_colors: bool,
    #[serde(deserialize_with = "or_default")]
    pub backface_culling: bool,
    #[serde(deserialize_with = "or_default")]
    pub nearest_filter: bool,
    #[serde(deserialize_with = "or_default")]
    pub show_hidden: bool,
    #[serde(deserialize_with = "or_default")]
    pub gx: GxSettings,
    #[serde(deserialize_with = "or_default")]
    pub background: Option<[u8; 3]>,
    #[serde(deserialize_with = "or_default")]
    pub layers: MapLayers,
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub overlays: MapOverlays,
    /// How bright surfaces of a level are; `None`: as they are.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub gamma: Option<f32>,
    #[serde(deserialize_with = "or_default")]
    pub up_axis: UpAxis,
    /// Only of a landscape.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub terrain: Option<TerrainModes>,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            shading: Shading::default(),
            uv_set: 0,
            level: 0,
            wireframe: false,
            skeleton: false,
            bone_names: false,
            sockets: false,
            bounds: false,
            channel: ColorChannel::All,
            normal_lines: false,
            uv_layout: false,
            shadow: true,
            light: LightPreset::Studio,
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
            gamma: None,
            up_axis: UpAxis::default(),
            terrain: None,
        }
    }
}

/// How a landscape is drawn, and what of it is selected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TerrainModes {
    pub tint: TerrainTint,
    pub contours: bool,
    pub contour_step: f32,
    pub water: bool,
    pub exaggeration: f32,
    pub wireframe: bool,
    pub grid: bool,
    pub props: bool,
    pub bodies: bool,
    pub prop_colors: PropColors,
    pub zones: bool,
    pub pictures: bool,
    pub prop_names: bool,
    pub legend: bool,
    /// Seen as in a mirror: south where north is.
    pub flipped: bool,
    /// Names of types.
    pub hidden: Vec<String>,
    /// Places in the file's list of objects.
    pub selected: Vec<u32>,
}

impl Default for TerrainModes {
    fn default() -> Self {
        let view = TerrainView::default();
        Self {
            tint: view.tint,
            contours: view.contours,
            contour_step: view.contour_step,
            water: view.water,
            exaggeration: view.exaggeration,
            wireframe: view.wireframe,
            grid: view.grid,
            props: view.props,
            bodies: view.bodies,
            prop_colors: view.prop_colors,
            zones: view.zones,
            pictures: view.pictures,
            prop_names: true,
            legend: true,
            flipped: false,
            hidden: Vec::new(),
            selected: Vec::new(),
        }
    }
}
