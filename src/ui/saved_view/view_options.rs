//! Options of how a stage is drawn, and their form in a saved view.

use crate::{
    gpu::{ColorChannel, GxLights, GxSettings, LightSettings, MapLayers, Shading},
    scene::{PropColors, TerrainTint, TerrainView},
    ui::map_overlays::MapOverlays,
};
use glam::{Affine3A, Quat};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::ops::RangeInclusive;

/// Range of [`ViewOptions::gamma`].
pub const GAMMAS: RangeInclusive<f32> = 0.5..=3.0;

/// Clamps a gamma to [`GAMMAS`]. Returns 1 if it is not finite.
pub fn held_gamma(gamma: f32) -> f32 {
    if gamma.is_finite() { gamma.clamp(*GAMMAS.start(), *GAMMAS.end()) } else { 1.0 }
}

/// Options of how a model, level or landscape is drawn. Saved views and sessions contain them as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewOptions {
    /// How surfaces are coloured.
    #[serde(deserialize_with = "or_default")]
    pub shading: Shading,
    /// Set of texture coordinates that surfaces are drawn with.
    #[serde(deserialize_with = "or_default")]
    pub uv_set: u32,
    /// Level of detail of the model: 0 is full detail.
    #[serde(deserialize_with = "or_default")]
    pub level: u32,
    #[serde(deserialize_with = "or_default")]
    pub wireframe: bool,
    #[serde(deserialize_with = "or_default")]
    pub skeleton: bool,
    #[serde(deserialize_with = "or_default")]
    pub bone_names: bool,
    /// Places where other things are attached.
    #[serde(deserialize_with = "or_default")]
    pub sockets: bool,
    /// A box around the model, or around the selected part of it.
    #[serde(deserialize_with = "or_default")]
    pub bounds: bool,
    /// Channel of the vertex colours, if these are shown alone.
    #[serde(deserialize_with = "or_default")]
    pub channel: ColorChannel,
    /// A line along the normal of each vertex.
    #[serde(deserialize_with = "or_default")]
    pub normal_lines: bool,
    /// The triangles of the selected part, in texture coordinates.
    #[serde(deserialize_with = "or_default")]
    pub uv_layout: bool,
    /// A soft shadow below the model.
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
    /// Lights and fog of GX materials.
    #[serde(deserialize_with = "or_default")]
    pub gx: GxSettings,
    /// Background colour; `None` for that of the theme.
    #[serde(deserialize_with = "or_default")]
    pub background: Option<[u8; 3]>,
    /// Kinds of things of a level that are drawn.
    #[serde(deserialize_with = "or_default")]
    pub layers: MapLayers,
    /// What is drawn over a level.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub overlays: MapOverlays,
    /// Brightness of the surfaces of a level, in the range [`GAMMAS`]: one divided by the exponent of their colours.
    #[serde(deserialize_with = "gamma_or_default", skip_serializing_if = "is_neutral")]
    pub gamma: f32,
    #[serde(deserialize_with = "or_default")]
    pub up_axis: UpAxis,
}

impl Default for ViewOptions {
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
            gamma: 1.0,
            up_axis: UpAxis::default(),
        }
    }
}

macro_rules! toggles {
    ($($toggle:ident $field:ident;)*) => {
        /// An option of [`ViewOptions`] that is on or off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ViewToggle {
            $(
                #[doc = concat!("[`ViewOptions::", stringify!($field), "`].")]
                $toggle,
            )*
        }

        impl ViewToggle {
            /// All options, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$toggle),*];
        }

        impl ViewOptions {
            pub fn is_on(&self, toggle: ViewToggle) -> bool {
                match toggle {
                    $(ViewToggle::$toggle => self.$field,)*
                }
            }

            /// Turns an option on or off, and returns its new value.
            pub fn toggle(&mut self, toggle: ViewToggle) -> bool {
                let option = match toggle {
                    $(ViewToggle::$toggle => &mut self.$field,)*
                };
                *option = !*option;
                *option
            }
        }
    };
}

toggles! {
    Wireframe wireframe;
    NormalLines normal_lines;
    UvLayout uv_layout;
    Shadow shadow;
    Skeleton skeleton;
    BoneNames bone_names;
    Sockets sockets;
    Bounds bounds;
    VertexColors vertex_colors;
    Textures textures;
    Grid grid;
    Culling backface_culling;
    Nearest nearest_filter;
    Hidden show_hidden;
}

fn gamma_or_default<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let gamma: Option<f32> = or_default(from)?;
    Ok(held_gamma(gamma.unwrap_or(1.0)))
}

fn is_neutral(gamma: &f32) -> bool {
    *gamma == 1.0
}

/// How a saved stage is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Modes {
    #[serde(flatten)]
    pub options: ViewOptions,
    /// Present if the stage shows a landscape.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub terrain: Option<TerrainModes>,
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

/// Where the light comes from. It turns with the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum LightPreset {
    /// Three lamps, the brightest from the upper left.
    #[default]
    Studio,
    /// From the camera.
    Camera,
    Left,
    Right,
    Above,
    ThreeQuarter,
    Behind,
    /// From all around the camera.
    Ring,
}

impl LightPreset {
    pub const ALL: [Self; 8] = [
        Self::Studio,
        Self::Camera,
        Self::Left,
        Self::Right,
        Self::Above,
        Self::ThreeQuarter,
        Self::Behind,
        Self::Ring,
    ];

    /// What menus call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Studio => "Studio light",
            Self::Camera => "Headlight",
            Self::Left => "Light from the left",
            Self::Right => "Light from the right",
            Self::Above => "Light from above",
            Self::ThreeQuarter => "Three-quarter light",
            Self::Behind => "Light from behind",
            Self::Ring => "Ring light",
        }
    }

    /// Turn about the vertical and height of the brightest lamp, in radians.
    fn direction(self) -> (f32, f32) {
        let studio = LightSettings::default();
        match self {
            Self::Studio => (studio.yaw, studio.pitch),
            Self::Camera | Self::Ring => (0.0, 0.0),
            Self::Left => (-1.4, 0.2),
            Self::Right => (1.4, 0.2),
            Self::Above => (0.0, 1.45),
            Self::ThreeQuarter => (0.8, 0.6),
            Self::Behind => (2.6, 0.5),
        }
    }

    pub fn settings(self) -> LightSettings {
        let studio = LightSettings::default();
        let (yaw, pitch) = self.direction();
        let one = LightSettings { yaw, pitch, intensity: 1.35, ambient: 0.55, others: 0.25, ..studio };
        match self {
            Self::Studio => studio,
            Self::Camera => LightSettings { follows: 1.0, ..one },
            Self::Ring => LightSettings { follows: 1.0, others: 0.0, ambient: 0.4, ring: true, ..one },
            Self::Left | Self::Right | Self::Above | Self::ThreeQuarter | Self::Behind => one,
        }
    }

    /// The same for materials of the GameCube's chip, which have one lamp.
    pub fn lamp(self, gx: GxSettings) -> GxSettings {
        let own = GxSettings::default();
        let (key_yaw, key_pitch) = match self {
            Self::Studio => (own.key_yaw, own.key_pitch),
            other => other.direction(),
        };
        GxSettings { lights: GxLights::Key, key_yaw, key_pitch, ..gx }
    }
}

/// Which axis points up in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum UpAxis {
    /// As the games of these formats have it.
    #[default]
    Z,
    Y,
}

impl UpAxis {
    pub fn is_turned(self) -> bool {
        self == Self::Y
    }

    /// Models come with the file's Z turned upwards; for the other axis that turn is taken back.
    pub fn world_from_model(self) -> Affine3A {
        match self {
            Self::Z => Affine3A::IDENTITY,
            Self::Y => Affine3A::from_quat(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)),
        }
    }
}

/// For fields that most stages have as by default.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The default for what cannot be read.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(from: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_toggle_changes_one_option_and_is_saved() {
        let saved = |options: &ViewOptions| serde_json::to_value(options).unwrap();
        let mut changed = Vec::new();
        for toggle in ViewToggle::ALL {
            let before = ViewOptions::default();
            let mut after = before.clone();
            assert_eq!(after.toggle(*toggle), !before.is_on(*toggle));
            let (Value::Object(one), Value::Object(other)) = (saved(&before), saved(&after)) else { panic!() };
            let keys: Vec<String> = one.keys().filter(|key| one.get(*key) != other.get(*key)).cloned().collect();
            assert_eq!(keys.len(), 1, "{toggle:?}: {keys:?}");
            changed.extend(keys);
            assert_eq!(serde_json::from_value::<ViewOptions>(Value::Object(other)).unwrap(), after);
        }
        changed.sort();
        changed.dedup();
        assert_eq!(changed.len(), ViewToggle::ALL.len());
    }

    #[test]
    fn options_that_cannot_be_read_have_their_defaults() {
        let read = |value: Value| serde_json::from_value::<Modes>(value).unwrap();
        assert_eq!(read(json!({})), Modes::default());
        let modes = read(json!({ "wireframe": 7, "gamma": "bright", "skeleton": true, "terrain": 3, "unknown": 1 }));
        assert_eq!(modes, Modes { options: ViewOptions { skeleton: true, ..ViewOptions::default() }, terrain: None });
        assert_eq!(read(json!({ "gamma": 9.0 })).options.gamma, *GAMMAS.end());
        assert_eq!(read(json!({ "gamma": null })).options.gamma, 1.0);
        assert_eq!(serde_json::to_value(Modes::default()).unwrap().get("gamma"), None);
    }
}
