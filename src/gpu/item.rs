use super::GpuModel;
use crate::scene::Frame;
use glam::Affine3A;

/// One thing to draw: a model, its pose and its place.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// The model.
    pub model: &'a GpuModel,
    /// The pose of the model.
    pub frame: &'a Frame,
    /// Transform from model space to world space.
    pub world_from_model: Affine3A,
}
