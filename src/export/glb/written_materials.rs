//! What is known of the materials in a file: what the meshes need of it, and what an animation of a material may change.

use super::{
    base_color::{BaseColor, DirectTexture, FactorSources, VertexColorSet, VertexColors},
    tev::Front,
};
use gltf_json::{self as json, Index};
use std::sync::Arc;

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
    /// Gives `COLOR_0` in their place.
    pub front: Option<Arc<Front>>,
    /// Its triangles are seen from inside: they are written the other way round.
    pub inside_out: bool,
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
    /// How the colours of vertices with this material, or with none, become `COLOR_0`.
    pub fn vertex_colors_of(material: Option<&Self>) -> VertexColors {
        let first = Some(VertexColorSet::First);
        material.map_or(VertexColors { color: first, alpha: first, full: 255 }, |material| material.vertex_colors)
    }

    /// How many sets of texture coordinates its meshes need.
    pub fn uv_sets(&self) -> u32 {
        match self.base {
            BaseColor::Factor => 0,
            BaseColor::Direct(DirectTexture { uv_set, .. }) | BaseColor::Baked { uv_set, .. } => {
                uv_set.saturating_add(1)
            }
        }
    }
}
