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
    /// Bounds of the rest pose, in scene space.
    pub bounds: Aabb,
    /// [`Model::list_counts`].
    pub list_counts: Option<[usize; 5]>,
    /// Bounds of the bind pose, if it differs from the rest pose ([`Model::pose_difference`]).
    pub bind_bounds: Option<Aabb>,
    /// Changes with each model, so that cached data of the previous model is not used.
    pub generation: u64,
}

impl ModelStage {
    /// Joints and weights of a vertex of a mesh, the largest weight first.
    pub fn vertex_joints(&self, mesh: MeshIndex, vertex: u32) -> Vec<(JointIndex, f32)> {
        let Some(mesh) = self.model.meshes.get(mesh.as_usize()) else { return Vec::new() };
        let point = mesh.vertex_points.get(vertex as usize);
        point.map(|point| mesh.joints_of_point(&self.model, *point as usize)).unwrap_or_default()
    }

    /// Maximum number of texture coordinate sets of a mesh.
    pub fn uv_set_count(&self) -> u32 {
        self.model.meshes.iter().map(|m| m.uv_sets.len() as u32).max().unwrap_or(0)
    }
}

/// The selection within a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelSelection {
    pub joint: Option<u32>,
    /// Surfaces, marked by an outline.
    pub part: Option<ModelPart>,
    pub socket: Option<u32>,
    /// A mesh, and a vertex of it with a list of weights.
    pub vertex: Option<(MeshIndex, u32)>,
}
