use super::{
    AlphaInput, AlphaOp, Attenuation, BlendFactor, BlendKind, ColorInput, CombineBias, CombineOp, CombineScale,
    Compare, CullMode, Diffuse, LogicOp, MapMode, Register,
};
use crate::scene::exact;

/// The scale, rotation and translation of a texture matrix as a 2 × 3 matrix, row by row; the third column translates.
pub type TextureSrt = [f32; 6];

/// A material in full: every state of the chip that decides a pixel (formats/j3d-materials.md §7.0a). Numbers are the chip's
/// codes ([`super::names`]); what a file leaves out has the runtime's default here.
#[derive(Clone, Debug, PartialEq)]
pub struct TevMaterial {
    /// Drawn after everything opaque, the last shape first.
    pub translucent: bool,
    /// Faces that are not drawn.
    pub cull: CullMode,
    /// 0 to 2.
    pub channel_count: u8,
    /// Colour 0, alpha 0, colour 1, alpha 1.
    pub channels: [ChannelControl; 4],
    /// Material colour 0 and 1, RGBA.
    pub material_colors: [[u8; 4]; 2],
    /// Ambient colour 0 and 1, RGBA.
    pub ambient_colors: [[u8; 4]; 2],
    /// The file's own lights, by bit of the light mask; not used unless the user asks.
    pub lights: [Option<Light>; 8],
    /// As many as are active, at most 8.
    pub texgens: Vec<TexGen>,
    /// Texture matrices by slot; `None` for a slot without one.
    pub texture_matrices: [Option<TextureMatrix>; 10],
    /// By texture-map slot, into [`crate::scene::Model::textures`].
    pub textures: [Option<u32>; 8],
    /// K0 to K3.
    pub konst: [[u8; 4]; 4],
    /// C0, C1, C2 (−1024..1023); PREV starts as 0.
    pub registers: [[i16; 4]; 3],
    /// As many as are active, at most 16; none passes the raster colour.
    pub stages: Vec<TevStage>,
    /// Source channel (0 red … 3 alpha) of red, green, blue, alpha.
    pub swap_tables: [[u8; 4]; 4],
    /// At most 4; empty for none.
    pub indirect_orders: Vec<IndirectOrder>,
    /// Indirect matrices 0 to 2.
    pub indirect_matrices: [IndirectMatrix; 3],
    /// Alpha test of a pixel.
    pub alpha_compare: AlphaCompare,
    /// How a pixel is combined with the pixel behind it.
    pub blend: BlendMode,
    /// Depth test and depth write.
    pub z_mode: ZMode,
    /// Depth is tested and written before texturing; kept for display (formats/j3d-materials.md §8.4b).
    pub z_before_texture: bool,
    /// Fog parameters.
    pub fog: Fog,
    /// Columns of the normal matrix are multiplied by it for shapes with binormals and tangents.
    pub nbt_scale: Option<[f32; 3]>,
}

/// Whether and how a colour channel is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelControl {
    /// True if lights are evaluated; otherwise the material's colour is used as it is.
    pub lit: bool,
    /// The material's colour comes from the vertex instead of the register.
    pub material_from_vertex: bool,
    /// True if the ambient colour comes from the vertex instead of the register.
    pub ambient_from_vertex: bool,
    /// Bit i is light i.
    pub light_mask: u8,
    /// Diffuse function.
    pub diffuse: Diffuse,
    /// Attenuation function.
    pub attenuation: Attenuation,
}

impl ChannelControl {
    /// Returns the control as pictures without light and base colours have it: at full light, with its ambient light alone if its
    /// attenuation is specular. The lamps of such a control only add highlights.
    pub fn without_lamps(self) -> Self {
        match self.attenuation {
            Attenuation::Specular => Self { light_mask: 0, ..self },
            Attenuation::None | Attenuation::Spot | Attenuation::SpotAgain | Attenuation::Unknown(_) => {
                Self { lit: false, ..self }
            }
        }
    }

    /// True if lamps shade what has this control, instead of only adding highlights.
    pub fn is_shaded(self) -> bool {
        self.lit && self.attenuation != Attenuation::Specular
    }
}

/// A lamp in view space, as the chip takes it (formats/j3d-materials.md §7.1a).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Position, in view space.
    pub position: [f32; 3],
    /// From the lit area back towards the lamp; the half vector of a specular light.
    pub direction: [f32; 3],
    /// Colour, RGBA.
    pub color: [u8; 4],
    /// Coefficients a0, a1, a2 of the attenuation by angle.
    pub angle_attenuation: [f32; 3],
    /// Coefficients k0, k1, k2 of the attenuation by distance.
    pub distance_attenuation: [f32; 3],
}

/// How a texture coordinate comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TexGen {
    /// 0 three rows, 1 two rows, 2–9 bump by light, 10 from a colour.
    pub kind: u8,
    /// Code of the source: 0 position, 1 normal, 4–11 texture coordinates and so on (formats/j3d-materials.md §8.2a).
    pub source: u8,
    /// 30 + 3k: texture matrix k; 60: identity.
    pub matrix: u8,
}

/// A texture matrix before it is put together with the view (formats/j3d.md §8.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureMatrix {
    /// Three rows count (projection); two otherwise.
    pub projects: bool,
    /// How the matrix is put together with the view.
    pub map_mode: MapMode,
    /// True if scale, rotation and translation are put together as in Maya ([`srt`]).
    pub maya: bool,
    /// Centre of scale and rotation: S, T and Q.
    pub center: [f32; 3],
    /// Scale along S and T.
    pub scale: [f32; 2],
    /// Radians.
    pub rotation: f32,
    /// Translation along S and T.
    pub translation: [f32; 2],
    /// Rows.
    pub effect: [[f32; 4]; 4],
}

impl Default for TextureMatrix {
    /// What animating a slot without a matrix starts from: mode 0, nothing moved.
    fn default() -> Self {
        let mut effect = [[0.0; 4]; 4];
        for (index, row) in effect.iter_mut().enumerate() {
            if let Some(one) = row.get_mut(index) {
                *one = 1.0;
            }
        }
        Self {
            projects: false,
            map_mode: MapMode::None,
            maya: false,
            center: [0.5; 3],
            scale: [1.0; 2],
            rotation: 0.0,
            translation: [0.0; 2],
            effect,
        }
    }
}

impl TextureMatrix {
    /// The 2 × 3 matrix of its scale, rotation and translation.
    pub fn srt(&self) -> TextureSrt {
        let [s, t, _] = self.center;
        srt(self.maya, [s, t], self.scale, self.rotation, self.translation)
    }
}

/// Scale, rotation (radians) and translation of a texture as a matrix (formats/j3d.md §4).
pub fn srt(maya: bool, center: [f32; 2], scale: [f32; 2], rotation: f32, translation: [f32; 2]) -> TextureSrt {
    let (sin, cos) = exact::sin_cos(rotation);
    let ([scale_s, scale_t], [move_s, move_t]) = (scale, translation);
    if maya {
        let (s, t) = (move_s - 0.5, move_t - 0.5 + scale_t);
        [scale_s * cos, scale_t * sin, s * cos - sin * t + 0.5, -scale_s * sin, scale_t * cos, -s * sin - cos * t + 0.5]
    } else {
        let [s, t] = center;
        let (m00, m01, m10, m11) = (scale_s * cos, -scale_s * sin, scale_t * sin, scale_t * cos);
        [m00, m01, move_s + s - (m00 * s + m01 * t), m10, m11, move_t + t - (m10 * s + m11 * t)]
    }
}

/// Colour or alpha side of a stage, by what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Combiner<I> {
    /// A, B, C, D.
    pub inputs: [I; 4],
    /// Operation on the inputs.
    pub op: CombineOp,
    /// Number that is added to D.
    pub bias: CombineBias,
    /// Factor of the result.
    pub scale: CombineScale,
    /// True if the result is clamped to 0..255; otherwise to −1024..1023.
    pub clamp: bool,
    /// Register that the result is written to.
    pub destination: Register,
}

/// Colour side of a stage.
pub type ColorCombiner = Combiner<ColorInput>;

/// Alpha side of a stage.
pub type AlphaCombiner = Combiner<AlphaInput>;

impl<I: From<u8>> Combiner<I> {
    /// The side with these codes: inputs; operation, bias and scale; clamp; destination.
    pub fn of_codes(inputs: [u8; 4], [op, bias, scale]: [u8; 3], clamp: bool, destination: u8) -> Self {
        let inputs = inputs.map(I::from);
        Self { inputs, op: op.into(), bias: bias.into(), scale: scale.into(), clamp, destination: destination.into() }
    }

    /// `D + mix(A, B, C)` of the inputs with these codes, clamped, into PREV.
    pub fn adding(inputs: [u8; 4]) -> Self {
        Self::of_codes(inputs, [0; 3], true, 0)
    }
}

/// One combiner stage with all that feeds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TevStage {
    /// Colour side of the stage.
    pub color: ColorCombiner,
    /// Alpha side of the stage.
    pub alpha: AlphaCombiner,
    /// Into [`TevMaterial::texgens`].
    pub tex_coord: Option<u8>,
    /// Texture-map slot.
    pub texture: Option<u8>,
    /// What the rasteriser hands over; 0xFF for nothing.
    pub channel: u8,
    /// Index into [`TevMaterial::swap_tables`] for the raster colour.
    pub raster_swap: u8,
    /// Index into [`TevMaterial::swap_tables`] for the texel.
    pub texture_swap: u8,
    /// Constant selector of the colour side (formats/j3d.md §8.4).
    pub konst_color: u8,
    /// Constant selector of the alpha side (formats/j3d.md §8.4).
    pub konst_alpha: u8,
    /// Lookup in an indirect texture that moves the texture coordinate.
    pub indirect: IndirectStage,
}

/// What a lookup in an indirect texture does to a stage's coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct IndirectStage {
    /// Into [`TevMaterial::indirect_orders`].
    pub stage: u8,
    /// Number of low bits that are used: 0, 1, 2, 3 for 8, 5, 4, 3 bits (formats/j3d-materials.md §8.5a).
    pub format: u8,
    /// Components that the bias is added to: bit 0 s, bit 1 t, bit 2 u.
    pub bias: u8,
    /// Matrix selector: 0 off, 1–3 matrix 0–2, 5–7 and 9–11 the coordinate times s or t.
    pub matrix: u8,
    /// Wrap of the coordinate along S: 0 off, 1–5 modulo 256, 128, 64, 32, 16 texels, 6 zero.
    pub wrap_s: u8,
    /// Wrap of the coordinate along T, with the codes of `wrap_s`.
    pub wrap_t: u8,
    /// True if the coordinate of the previous stage is added.
    pub add_previous: bool,
    /// True if the level of detail comes from the coordinate before it is moved.
    pub original_lod: bool,
    /// Component for bump alpha: 0 off, 1 s, 2 t, 3 u (formats/j3d-materials.md §8.4a).
    pub alpha: u8,
}

/// Where an indirect texture is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IndirectOrder {
    /// Index into [`TevMaterial::texgens`].
    pub tex_coord: u8,
    /// Texture-map slot of the indirect texture.
    pub texture: u8,
    /// Exponent for S: the coordinate is divided by two to the power of it.
    pub scale_s: u8,
    /// Exponent for T, with the same meaning.
    pub scale_t: u8,
}

/// Turns what an indirect texture holds into an offset in texels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IndirectMatrix {
    /// The 2 × 3 matrix, row by row.
    pub rows: [[f32; 3]; 2],
    /// Times two to the power of it.
    pub exponent: i8,
}

/// `compare0(alpha, reference0) op compare1(alpha, reference1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlphaCompare {
    /// First comparison.
    pub compare0: Compare,
    /// Reference of the first comparison, 0..255.
    pub reference0: u8,
    /// How the two results are combined.
    pub op: AlphaOp,
    /// Second comparison.
    pub compare1: Compare,
    /// Reference of the second comparison, 0..255.
    pub reference1: u8,
}

impl AlphaCompare {
    /// Whether a final alpha passes.
    pub fn passes(&self, alpha: u8) -> bool {
        let holds = |compare: Compare, reference: u8| match compare {
            Compare::Never => false,
            Compare::Less => alpha < reference,
            Compare::Equal => alpha == reference,
            Compare::LessOrEqual => alpha <= reference,
            Compare::Greater => alpha > reference,
            Compare::NotEqual => alpha != reference,
            Compare::GreaterOrEqual => alpha >= reference,
            Compare::Always | Compare::Unknown(_) => true,
        };
        let (a, b) = (holds(self.compare0, self.reference0), holds(self.compare1, self.reference1));
        match self.op {
            AlphaOp::And => a && b,
            AlphaOp::Or => a || b,
            AlphaOp::Xor => a != b,
            AlphaOp::Xnor | AlphaOp::Unknown(_) => a == b,
        }
    }

    /// It lets every alpha pass.
    pub fn always_passes(&self) -> bool {
        (0..=255).all(|alpha| self.passes(alpha))
    }
}

/// How a pixel combines with what lies behind it (formats/j3d-materials.md §8.6a).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlendMode {
    /// Kind of blending.
    pub kind: BlendKind,
    /// Factor of the source; used by [`BlendKind::Blend`] only.
    pub source: BlendFactor,
    /// Factor of the destination; used by [`BlendKind::Blend`] only.
    pub destination: BlendFactor,
    /// Logic operation; used by [`BlendKind::Logic`] only.
    pub logic: LogicOp,
}

/// Depth test and depth write of a material (formats/j3d.md §7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZMode {
    /// True if depth is tested.
    pub test: bool,
    /// Comparison of a pixel's depth with the stored one, 0 near and 1 far.
    pub compare: Compare,
    /// Without a test the chip does not write either.
    pub write: bool,
}

/// Off unless the user switches it on (formats/j3d-materials.md §7.1c, §8.7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// Type of the curve: 0 none, 2 linear, 4 exponential and so on (formats/j3d-materials.md §7.1c).
    pub kind: u8,
    /// True if the depth is corrected for the horizontal distance from `center`.
    pub adjusts_range: bool,
    /// Pixels of a 640 wide picture.
    pub center: u16,
    /// Distance at which the curve starts, in view space and in the file's units.
    pub start: f32,
    /// Distance at which the curve ends, in view space and in the file's units.
    pub end: f32,
    /// Near plane of the game's camera.
    pub near: f32,
    /// Far plane of the game's camera.
    pub far: f32,
    /// Colour, RGBA; alpha is ignored.
    pub color: [u8; 4],
    /// Range table: 256 times the ratio of distance to depth, in steps of 32 pixels from `center`.
    pub range: [u16; 10],
}

impl Default for ChannelControl {
    fn default() -> Self {
        Self {
            lit: false,
            material_from_vertex: false,
            ambient_from_vertex: false,
            light_mask: 0,
            diffuse: Diffuse::Clamped,
            attenuation: Attenuation::None,
        }
    }
}

impl Default for AlphaCompare {
    fn default() -> Self {
        Self { compare0: Compare::Always, reference0: 0, op: AlphaOp::And, compare1: Compare::Always, reference1: 0 }
    }
}

impl Default for BlendMode {
    fn default() -> Self {
        Self {
            kind: BlendKind::Blend,
            source: BlendFactor::SourceAlpha,
            destination: BlendFactor::InverseSourceAlpha,
            logic: LogicOp::Noop,
        }
    }
}

impl Default for ZMode {
    fn default() -> Self {
        Self { test: true, compare: Compare::LessOrEqual, write: true }
    }
}

impl Default for Fog {
    fn default() -> Self {
        Self {
            kind: 0,
            adjusts_range: false,
            center: 0x140,
            start: 0.0,
            end: 0.0,
            near: 0.1,
            far: 10_000.0,
            color: [255; 4],
            range: [0; 10],
        }
    }
}

impl Default for TevStage {
    /// Previous plus raster colour: what the runtime has where a file leaves a stage out.
    fn default() -> Self {
        Self {
            color: Combiner::adding([10, 15, 15, 0]),
            alpha: Combiner::adding([5, 7, 7, 0]),
            tex_coord: None,
            texture: None,
            channel: 0xFF,
            raster_swap: 0,
            texture_swap: 0,
            konst_color: 0x0C,
            konst_alpha: 0x1C,
            indirect: IndirectStage::default(),
        }
    }
}

impl Default for TevMaterial {
    /// Every default of formats/j3d-materials.md §7.0a.
    fn default() -> Self {
        Self {
            translucent: false,
            cull: CullMode::Back,
            channel_count: 0,
            channels: [ChannelControl::default(); 4],
            material_colors: [[255; 4]; 2],
            ambient_colors: [[0x32; 4]; 2],
            lights: [None; 8],
            texgens: Vec::new(),
            texture_matrices: [None; 10],
            textures: [None; 8],
            konst: [[255; 4]; 4],
            registers: [[0; 4]; 3],
            stages: Vec::new(),
            swap_tables: [[0, 1, 2, 3]; 4],
            indirect_orders: Vec::new(),
            indirect_matrices: [IndirectMatrix::default(); 3],
            alpha_compare: AlphaCompare::default(),
            blend: BlendMode::default(),
            z_mode: ZMode::default(),
            z_before_texture: false,
            fog: Fog::default(),
            nbt_scale: None,
        }
    }
}
