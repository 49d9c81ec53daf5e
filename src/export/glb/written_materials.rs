//! What is known of the materials in a file: what the meshes need of it, and what an animation of a material may change.

use gltf_json::{self as json, Index};

/// A model's materials in the file, in their own order.
#[derive(Default)]
pub struct WrittenMaterials {
    pub materials: Vec<WrittenMaterial>,
    /// The same materials in each variant of the file ([`super::variants`]).
    pub variants: Vec<WrittenMaterials>,
}

/// A material in the file.
#[derive(Clone, Debug)]
pub struct WrittenMaterial {
    /// Into the file's materials.
    pub index: Index<json::Material>,
    /// Where its base colour comes from.
    pub base: BaseColor,
    /// What of the material's state its `baseColorFactor` follows. At rest the factor is as near as a product in linear light comes
    /// to the chip's, so that a moving one is `factor at rest × linear(now) / linear(at rest)` of each component.
    pub factor: FactorSources,
    /// How its vertices' colours become `COLOR_0`.
    pub vertex_colors: VertexColors,
    /// Its triangles are seen from inside: they are written the other way round.
    pub inside_out: bool,
}

/// Where the base colour of a material comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseColor {
    /// There is no texture: `baseColorFactor` alone.
    Factor,
    /// One texture of the model as it is, through its texture matrix as `KHR_texture_transform`.
    Direct(DirectTexture),
    /// A picture of what the whole material makes of the texture coordinates `uv_set`: it shows the material at rest.
    Baked { uv_set: u32 },
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

/// One of a vertex's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VertexColorSet {
    /// [`crate::scene::Mesh::colors`].
    First,
    /// [`crate::scene::Mesh::second_colors`], the first ones for a mesh without.
    Second,
}

impl WrittenMaterials {
    pub fn get(&self, material: u32) -> Option<&WrittenMaterial> {
        self.materials.get(material as usize)
    }

    /// How many sets of texture coordinates a material needs, in any variant.
    pub fn uv_sets(&self, material: u32) -> u32 {
        let own = self.get(material).map_or(0, WrittenMaterial::uv_sets);
        self.variants.iter().map(|variant| variant.uv_sets(material)).fold(own, u32::max)
    }
}

impl WrittenMaterial {
    /// How many sets of texture coordinates its meshes need.
    pub fn uv_sets(&self) -> u32 {
        match self.base {
            BaseColor::Factor => 0,
            BaseColor::Direct(DirectTexture { uv_set, .. }) | BaseColor::Baked { uv_set } => uv_set.saturating_add(1),
        }
    }
}
