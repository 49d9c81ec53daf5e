use super::GpuModel;
use crate::scene::Frame;
use glam::Affine3A;

/// One thing to draw: a model, its pose and its place.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    pub model: &'a GpuModel,
    pub frame: &'a Frame,
    pub world_from_model: Affine3A,
}
