//! Parts of a model, for what is selected, outlined or left out.

use super::{JointIndex, MaterialIndex, MeshIndex};

/// Surfaces of a model: those of a mesh, those of a material, or what both have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct ModelPart {
    /// `None`: of every mesh.
    pub mesh: Option<MeshIndex>,
    /// `None`: of every material.
    pub material: Option<MaterialIndex>,
}

impl ModelPart {
    /// Whether the surface of a mesh with this material is one of them.
    pub fn has(&self, mesh: MeshIndex, material: MaterialIndex) -> bool {
        self.mesh.is_none_or(|own| own == mesh) && self.material.is_none_or(|own| own == material)
    }
}

/// A piece of a model that can be left out: surfaces, or a joint with what hangs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ModelPiece {
    /// The surfaces of a mesh, of a material, or of one mesh with one material.
    Surfaces(ModelPart),
    /// The joint and all below it: triangles that one of them moves most.
    Joint(JointIndex),
}
