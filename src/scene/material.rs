/// What a surface looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    pub name: String,
    pub kind: MaterialKind,
}

/// Families of materials; each knows how it is drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MaterialKind {
    Basic(BasicMaterial),
}

/// How a surface combines with what lies behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blend {
    #[default]
    Opaque,
    /// Drawn where the texture's alpha is at least one half.
    Masked,
    /// `source × alpha + behind × (1 − alpha)`.
    Alpha,
    /// Unreal's translucent: `source + behind × (1 − source)`.
    Translucent,
    /// Unreal's modulated: `2 × source × behind`.
    Modulated,
}

/// What a surface is there for, where that is not to be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SurfaceRole {
    #[default]
    Ordinary,
    /// Stops things or light, but is not seen.
    Invisible,
    /// Parts two zones.
    Portal,
    /// The sky is seen in its place.
    Backdrop,
}

/// One texture, lit or not.
#[derive(Clone, Debug, PartialEq)]
pub struct BasicMaterial {
    /// Index into [`super::Model::images`].
    pub image: Option<u32>,
    pub blend: Blend,
    pub two_sided: bool,
    pub unlit: bool,
    /// Texture coordinates come from the reflected view.
    pub environment: bool,
    /// Sampled without filtering.
    pub nearest: bool,
    /// Drawn on demand only (placeholders such as weapon triangles, invisible walls, portals of a level).
    pub hidden: bool,
    /// Surfaces that are hidden and not ordinary are shown, on demand, as a tint in a colour for each role.
    pub role: SurfaceRole,
    /// Index into [`super::Model::images`]: baked light, read with the second set of texture coordinates, between texels but from
    /// the full-size picture only (an atlas needs a border of one texel around each patch). A surface's colour is
    /// `texture × light × 2`, in gamma space, held below one: light of 128 leaves the texture about as it is
    /// (128 / 255 × 2 = 1.004). A surface with baked light takes no other.
    pub lightmap: Option<u32>,
}

impl Default for BasicMaterial {
    fn default() -> Self {
        Self {
            image: None,
            blend: Blend::Opaque,
            two_sided: false,
            unlit: false,
            environment: false,
            nearest: false,
            hidden: false,
            role: SurfaceRole::Ordinary,
            lightmap: None,
        }
    }
}
