//! What is seen through a window: another place, put before the eye.

use crate::scene::{ModelPart, camera::OrbitCamera};
use glam::{Affine3A, Vec4};

/// How surfaces are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Shading {
    /// Materials with the lights of the view, or with their own baked light.
    #[default]
    Lit,
    /// Materials without light.
    Unlit,
    /// Lit, each triangle by its own plane.
    Flat,
    /// World-space normals as colours.
    Normals,
    /// A checker over texture coordinates.
    Uv,
    /// Colours of vertices alone, or one of their channels: [`ViewSettings::channel`].
    VertexColors,
    /// One colour a material.
    MaterialId,
    /// One colour a mesh.
    PartId,
    /// Influence of [`ViewSettings::selected_joint`], dark to bright.
    Weights,
    /// One colour a zone of a level; what belongs to none is lit.
    Zones,
    /// Which kinds of lists write each vertex ([`crate::scene::ListUse`]), in [`LIST_COLORS`]; models without lists are lit.
    ListKinds,
    /// Baked light without textures; what has none is evenly grey.
    Light,
    /// The brighter, the more surfaces lie behind each other.
    Overdraw,
}

/// Which channel of colours of vertices is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ColorChannel {
    /// Red, green and blue as a colour.
    #[default]
    All,
    /// Red as grey.
    Red,
    /// Green as grey.
    Green,
    /// Blue as grey.
    Blue,
    /// Alpha as grey.
    Alpha,
}

impl ColorChannel {
    /// All channels.
    pub const ALL: [Self; 5] = [Self::All, Self::Red, Self::Green, Self::Blue, Self::Alpha];

    /// What each channel counts in a grey; nothing for a colour.
    pub(super) fn shares(self) -> [f32; 4] {
        match self {
            Self::All => [0.0; 4],
            Self::Red => [1.0, 0.0, 0.0, 0.0],
            Self::Green => [0.0, 1.0, 0.0, 0.0],
            Self::Blue => [0.0, 0.0, 1.0, 0.0],
            Self::Alpha => [0.0, 0.0, 0.0, 1.0],
        }
    }
}

/// Colours of a file's X, Y and Z wherever its axes are drawn, gamma-space.
pub const AXIS_COLORS: [[u8; 3]; 3] = [[0xe0, 0x6c, 0x75], [0x86, 0xc0, 0x76], [0x6a, 0xa2, 0xe6]];

/// Colours of [`Shading::ListKinds`], in the order of [`crate::scene::ListUse::ALL`]: by M. Okabe and K. Ito (2008), chosen so that
/// no two are alike under any of the common kinds of colour blindness. Mirrored in `shaders/surface.wgsl`.
pub const LIST_COLORS: [[u8; 3]; 5] = [[165, 168, 173], [0, 114, 178], [240, 228, 66], [230, 159, 0], [213, 94, 0]];

impl Shading {
    /// All modes.
    pub const ALL: [Self; 13] = [
        Self::Lit,
        Self::Unlit,
        Self::Flat,
        Self::Normals,
        Self::Uv,
        Self::VertexColors,
        Self::MaterialId,
        Self::PartId,
        Self::Weights,
        Self::ListKinds,
        Self::Zones,
        Self::Light,
        Self::Overdraw,
    ];
}

/// What lies behind everything; colours are gamma-space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Background {
    /// A vertical gradient.
    Gradient {
        /// Colour at the top, gamma-space.
        top: [u8; 3],
        /// Colour at the bottom, gamma-space.
        bottom: [u8; 3],
    },
    /// One colour, gamma-space.
    Color([u8; 3]),
    /// Nothing: the picture has an alpha channel.
    Transparent,
}

impl Background {
    /// For dark surroundings.
    pub const fn dark() -> Self {
        Self::Gradient { top: [47, 51, 59], bottom: [66, 71, 79] }
    }

    /// For light surroundings.
    pub const fn light() -> Self {
        Self::Gradient { top: [244, 246, 249], bottom: [198, 204, 212] }
    }
}

impl Default for Background {
    fn default() -> Self {
        Self::dark()
    }
}

/// The three lights. They turn with the camera, so that what is looked at is always lit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightSettings {
    /// Turn of the key light about the vertical from where the camera looks, in radians; positive is to the right.
    pub yaw: f32,
    /// Height of the key light, in radians.
    pub pitch: f32,
    /// Strength of key, fill and rim light; 1 is as designed.
    pub intensity: f32,
    /// Strength of the light from all around; 1 is as designed.
    pub ambient: f32,
    /// Strength of fill and rim light beside the key light; 1 is as designed.
    pub others: f32,
    /// How far the lights follow the camera's pitch: 1 is all the way.
    pub follows: f32,
    /// The key light comes from all around the camera: what faces it is bright, edges are dark.
    pub ring: bool,
}

impl Default for LightSettings {
    fn default() -> Self {
        // The top of things stays brighter than their underside.
        Self { yaw: -0.65, pitch: 0.75, intensity: 1.0, ambient: 1.0, others: 1.0, follows: 0.5, ring: false }
    }
}

/// Which lamps shine on materials of the GameCube's chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum GxLights {
    /// None: everything is as bright as its textures and colours, without highlights.
    Off,
    /// One lamp that turns with the camera, in the place of those that games set.
    #[default]
    Key,
    /// The file's own, where it has any.
    File,
}

impl GxLights {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Off, Self::Key, Self::File];
}

/// What games set for materials of the GameCube's chip and files leave out (formats/j3d-materials.md §8.1b, §8.7). The light from
/// all around is the file's.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GxSettings {
    /// The lamps that shine on the materials.
    pub lights: GxLights,
    /// Turn of the key lamp about the vertical from where the camera looks, in radians; positive is to the right.
    pub key_yaw: f32,
    /// Its height, in radians.
    pub key_pitch: f32,
    /// Each material's own fog.
    pub fog: bool,
}

impl Default for GxSettings {
    fn default() -> Self {
        // From the upper left: (−0.3, 0.7, 0.65).
        Self { lights: GxLights::Key, key_yaw: -0.432_4, key_pitch: 0.774_1, fog: false }
    }
}

/// What a picture shows and from where.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewSettings {
    /// The camera.
    pub camera: OrbitCamera,
    /// The shading mode.
    pub shading: Shading,
    /// For [`Shading::VertexColors`].
    pub channel: ColorChannel,
    /// A line along the normal of every vertex.
    pub normal_lines: bool,
    /// True if the edges of triangles are drawn.
    pub wireframe: bool,
    /// True if the joints and bones are drawn.
    pub skeleton: bool,
    /// Highlighted in the skeleton; what [`Shading::Weights`] shows.
    pub selected_joint: Option<u32>,
    /// Surfaces that an outline marks, of every model.
    pub outlined: Option<ModelPart>,
    /// True if a grid is drawn on the floor.
    pub grid: bool,
    /// Which axes of the file run along the world's X and Z: those lines of the floor have their colours of [`AXIS_COLORS`].
    pub floor_axes: [usize; 2],
    /// A soft shadow where the model stands.
    pub shadow: bool,
    /// The background of the picture.
    pub background: Background,
    /// Where grid and shadow lie, in scene units.
    pub floor_y: f32,
    /// Draw surfaces whose material is hidden too.
    pub show_hidden: bool,
    /// True if surfaces have their textures.
    pub textures: bool,
    /// True if surfaces have the colours of their vertices.
    pub vertex_colors: bool,
    /// Leave out the far sides of surfaces that have one side only.
    pub backface_culling: bool,
    /// Sample every texture without filtering.
    pub nearest_filter: bool,
    /// Which of a mesh's sets of texture coordinates is used; the first where it has none such.
    pub uv_set: u32,
    /// Colour of the selected bone and of outlines, gamma-space.
    pub accent: [u8; 3],
    /// The three lights around the model.
    pub light: LightSettings,
    /// For materials of the GameCube's chip.
    pub gx: GxSettings,
    /// Brightness of textured surfaces: their colours are raised to the power of one over it. 1 leaves them alone.
    pub gamma: f32,
    /// The place that is seen, where it is not the camera's own.
    pub through: Through,
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::default(),
            shading: Shading::Lit,
            channel: ColorChannel::All,
            normal_lines: false,
            wireframe: false,
            skeleton: false,
            selected_joint: None,
            outlined: None,
            grid: true,
            floor_axes: [0, 2],
            shadow: true,
            background: Background::default(),
            floor_y: 0.0,
            show_hidden: false,
            textures: true,
            vertex_colors: true,
            backface_culling: true,
            nearest_filter: false,
            uv_set: 0,
            accent: [86, 156, 255],
            light: LightSettings::default(),
            gx: GxSettings::default(),
            gamma: 1.0,
            through: Through::default(),
        }
    }
}

/// Another place in the place of the one that the camera stands in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Through {
    /// Puts what is seen where it is seen.
    pub here_from_there: Affine3A,
    /// A plane in the place that is seen, normal and distance from the origin: only what lies on the side that the normal points
    /// to is drawn. For cameras with perspective.
    pub clip: Option<Vec4>,
}

impl Default for Through {
    fn default() -> Self {
        Self { here_from_there: Affine3A::IDENTITY, clip: None }
    }
}

impl Through {
    /// Whether what is seen is mirrored.
    pub fn is_mirrored(&self) -> bool {
        self.here_from_there.matrix3.determinant() < 0.0
    }
}
