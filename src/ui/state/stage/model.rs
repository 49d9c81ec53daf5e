//! The model on a stage.

use crate::{
    scene::{Aabb, JointIndex, MeshIndex, Model, ModelPart},
    ui::place::Place,
};
use std::sync::Arc;

/// The model in the viewport.
#[derive(Clone)]
pub struct ModelStage {
    pub place: Place,
    pub model: Arc<Model>,
    /// At rest, in scene space.
    pub bounds: Aabb,
    /// [`Model::list_counts`].
    pub list_counts: Option<[usize; 5]>,
    /// The same in bind pose, if that is another pose ([`Model::pose_difference`]).
    pub bind_bounds: Option<Aabb>,
    /// Changes whenever another model is shown: what was built for the last one is of no use.
    pub generation: u64,
}

impl ModelStage {
    /// The joints that move a vertex of a mesh, with their shares, the largest first.
    pub fn vertex_joints(&self, mesh: MeshIndex, vertex: u32) -> Vec<(JointIndex, f32)> {
        let Some(mesh) = self.model.meshes.get(mesh.as_usize()) else { return Vec::new() };
        let point = mesh.vertex_points.get(vertex as usize);
        point.map(|point| mesh.joints_of_point(&self.model, *point as usize)).unwrap_or_default()
    }

    /// Sets of texture coordinates that the mesh with the most of them has.
    pub fn uv_set_count(&self) -> u32 {
        self.model.meshes.iter().map(|m| m.uv_sets.len() as u32).max().unwrap_or(0)
    }
}

/// What is selected of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelSelection {
    pub joint: Option<u32>,
    /// Surfaces; an outline marks them.
    pub part: Option<ModelPart>,
    pub socket: Option<u32>,
    /// A mesh and one of its vertices, whose weights are listed.
    pub vertex: Option<(MeshIndex, u32)>,
}
