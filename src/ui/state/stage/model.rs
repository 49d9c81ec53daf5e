//! The model on a stage.

use crate::{
    scene::{Aabb, Model},
    ui::place::Place,
};
use std::sync::Arc;

/// The model in the viewport.
#[derive(Clone)]
pub struct Shown {
    pub place: Place,
    pub model: Arc<Model>,
    /// In bind pose, in scene space.
    pub bounds: Aabb,
    /// [`Model::list_counts`].
    pub list_counts: Option<[usize; 5]>,
    /// Changes whenever another model is shown: what was built for the last one is of no use.
    pub generation: u64,
}

impl Shown {
    /// Sets of texture coordinates that the mesh with the most of them has.
    pub fn uv_set_count(&self) -> u32 {
        self.model.meshes.iter().map(|m| m.uv_sets.len() as u32).max().unwrap_or(0)
    }
}
