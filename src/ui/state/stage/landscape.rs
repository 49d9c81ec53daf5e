//! The landscape on a stage.

use crate::{
    scene::{Aabb, HeightRange, Terrain, TerrainPicker, TerrainStatistics},
    ui::{place::Place, state::stage::survey::Survey},
};
use std::sync::Arc;

/// A landscape in the viewport, in the place of a model.
#[derive(Debug)]
pub struct LandscapeStage {
    pub place: Place,
    pub terrain: Arc<Terrain>,
    /// Changes whenever another one is shown.
    pub generation: u64,
    /// Of the ground and what stands on it.
    pub bounds: Aabb,
    pub range: Option<HeightRange>,
    /// For pointing at it.
    pub picker: Arc<TerrainPicker>,
    pub survey: Survey,
    /// Numbers of the landscape, once they were asked for.
    pub statistics: Option<ShownStatistics>,
}

/// Numbers of a landscape; `None` while they are counted.
pub type ShownStatistics = Option<Arc<TerrainStatistics>>;
