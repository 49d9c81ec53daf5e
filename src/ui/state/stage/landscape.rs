//! The landscape on a stage.

use crate::{
    scene::{Aabb, HeightRange, Terrain, TerrainPicker, TerrainStatistics},
    ui::place::Place,
};
use std::sync::Arc;

/// A landscape in the viewport, in the place of a model.
#[derive(Clone, Debug)]
pub struct ShownTerrain {
    pub place: Place,
    pub terrain: Arc<Terrain>,
    /// Changes whenever another one is shown.
    pub generation: u64,
    /// Of the ground and what stands on it.
    pub bounds: Aabb,
    pub range: Option<HeightRange>,
    /// For pointing at it.
    pub picker: Arc<TerrainPicker>,
}

/// Numbers of a landscape.
#[derive(Clone, Debug)]
pub struct ShownStatistics {
    /// [`super::ShownTerrain::generation`].
    pub generation: u64,
    /// `None` while they are counted.
    pub numbers: Option<Arc<TerrainStatistics>>,
}
