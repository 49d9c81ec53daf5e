use super::{
    TextureMotion,
    gx::{BlendFactor, BlendKind, CullMode, TevMaterial},
};

/// What a surface looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name of the material; can be empty.
    pub name: String,
    /// Family of the material, with its parameters.
    pub kind: MaterialKind,
}

/// Families of materials; each knows how it is drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MaterialKind {
    /// One texture with a blend mode, lit or not.
    Basic(BasicMaterial),
    /// The full state of the GameCube's combiner.
    Tev(Box<TevMaterial>),
}

impl Material {
    /// The material as one texture, lit or not: itself where it is one, otherwise the nearest to it (what exports can say).
    pub fn basic(&self) -> BasicMaterial {
        match &self.kind {
            MaterialKind::Basic(basic) => *basic,
            MaterialKind::Tev(tev) => approximate(tev),
        }
    }

    /// Returns the state of the GameCube's combiner; `None` for a basic material.
    pub fn tev(&self) -> Option<&TevMaterial> {
        match &self.kind {
            MaterialKind::Tev(tev) => Some(tev),
            MaterialKind::Basic(_) => None,
        }
    }
}

/// The texture that a material mostly looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct MainTexture {
    /// Texture-map slot.
    pub slot: u8,
    /// Into [`super::Model::textures`].
    texture: u32,
    /// Its coordinates come from positions or normals.
    environment: bool,
}

impl TevMaterial {
    /// The first texture that is read with plain texture coordinates, else the first.
    pub(super) fn main_texture(&self) -> Option<MainTexture> {
        let texture_of = |plain: bool| {
            self.stages.iter().find_map(|stage| {
                let texgen = self.texgens.get(usize::from(stage.tex_coord?))?;
                let is_plain = texgen.kind <= 1 && (4..=11).contains(&texgen.source);
                let slot = stage.texture?;
                let texture = self.textures.get(usize::from(slot)).copied().flatten()?;
                let environment = matches!(texgen.source, 0 | 1);
                (is_plain == plain).then_some(MainTexture { slot, texture, environment })
            })
        };
        texture_of(true).or_else(|| texture_of(false))
    }
}

/// The first texture that is read with plain texture coordinates, and how the result is blended. Images stand at the places of
/// the textures they belong to ([`super::Model::textures`]).
fn approximate(tev: &TevMaterial) -> BasicMaterial {
    let found = tev.main_texture();
    let blend = match tev.blend.kind {
        BlendKind::Blend
            if tev.translucent
                && (tev.blend.source, tev.blend.destination) != (BlendFactor::One, BlendFactor::Zero) =>
        {
            Blend::Alpha
        }
        _ if !tev.alpha_compare.always_passes() => Blend::Masked,
        _ => Blend::Opaque,
    };
    BasicMaterial {
        image: found.map(|found| found.texture),
        blend,
        two_sided: tev.cull == CullMode::None,
        unlit: tev.channels.first().is_none_or(|c| !c.lit),
        environment: found.is_some_and(|found| found.environment),
        ..BasicMaterial::default()
    }
}

/// How a surface combines with what lies behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blend {
    /// Drawn without blending and without an alpha test.
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
    /// A surface without a special role.
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BasicMaterial {
    /// Index into [`super::Model::images`].
    pub image: Option<u32>,
    /// Blend mode of the surface.
    pub blend: Blend,
    /// True if both sides of the triangles are drawn.
    pub two_sided: bool,
    /// True if lights do not affect the surface.
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
    /// How the picture moves over the surface with time.
    pub motion: Option<TextureMotion>,
    /// Into [`super::Map::windows`]: what is seen in place of the surface. What is not [`BasicMaterial::hidden`] and blends lies
    /// over that as a pane.
    pub window: Option<u32>,
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
            motion: None,
            window: None,
        }
    }
}
