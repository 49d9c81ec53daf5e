//! Where the base colour of a material and the colours of its vertices come from.

/// Where the base colour of a material comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseColor {
    /// There is no texture: `baseColorFactor` alone.
    Factor,
    /// One texture of the model as it is, through its texture matrix as `KHR_texture_transform`.
    Direct(DirectTexture),
    /// A picture of what the whole material makes of the texture coordinates `uv_set`: it shows the material at rest.
    /// The matrix of a picture that takes the place of the only texture may be animated.
    Baked { uv_set: u32, matrix_slot: Option<u8> },
}

impl BaseColor {
    /// The texture-matrix slot that `KHR_texture_transform` shows.
    pub fn matrix_slot(self) -> Option<u8> {
        match self {
            Self::Direct(DirectTexture { matrix_slot, .. }) | Self::Baked { matrix_slot, .. } => matrix_slot,
            Self::Factor => None,
        }
    }
}

/// A texture of the model that is a material's base colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectTexture {
    /// Texture-map slot of the material; 0 for materials of one texture.
    pub slot: u8,
    /// The texture generator that reads it; `None` for materials without generators.
    pub texgen: Option<u8>,
    /// The texture-matrix slot that the generator goes through, which a clip may animate; `None` for none.
    pub matrix_slot: Option<u8>,
    /// The set of texture coordinates (`texCoord`).
    pub uv_set: u32,
}

/// Constants of a material that are a plain factor of its base colour: the colour (or alpha) at a constant of `c` is that at 255
/// times `c / 255`, in gamma space. A factor that several constants make lists all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactorSources {
    pub color: Vec<FactorSource>,
    pub alpha: Vec<FactorSource>,
}

/// A constant of a material ([`crate::scene::gx::MaterialState`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorSource {
    /// C0 to C2.
    Register(u8),
    /// K0 to K3.
    Konst(u8),
    /// The colour of a channel.
    MaterialColor(u8),
}

/// How the colours of vertices become `COLOR_0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct VertexColors {
    /// Which of the two colours gives red, green and blue; `None` for white.
    pub color: Option<VertexColorSet>,
    /// Which gives alpha; `None` for opaque.
    pub alpha: Option<VertexColorSet>,
    /// What stands for 1 of red, green and blue, 1 to 255; 0 counts as 255.
    pub full: u8,
}

impl VertexColors {
    /// The factor that the two colours of a vertex make, in gamma space.
    pub fn factor(&self, colors: &[[u8; 4]; 2]) -> [f32; 4] {
        let of = |set: VertexColorSet| colors[usize::from(set == VertexColorSet::Second)];
        let full = if self.full == 0 { 255.0 } else { f32::from(self.full) };
        let color = |part: usize| self.color.map_or(1.0, |set| (f32::from(of(set)[part]) / full).min(1.0));
        [color(0), color(1), color(2), self.alpha.map_or(1.0, |set| f32::from(of(set)[3]) / 255.0)]
    }
}

/// One of a vertex's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VertexColorSet {
    /// [`crate::scene::Mesh::colors`].
    First,
    /// [`crate::scene::Mesh::second_colors`], the first ones for a mesh without.
    Second,
}
