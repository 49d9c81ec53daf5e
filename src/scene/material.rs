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
    /// Never drawn (placeholders such as weapon triangles).
    pub hidden: bool,
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
        }
    }
}
