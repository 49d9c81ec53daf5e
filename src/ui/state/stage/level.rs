//! The level on a stage.

use crate::{
    scene::{Aabb, Map, MapMoment, MapPicker, picking::Hit},
    ui::{place::Place, state::stage::level_tools::LevelTools},
};
use glam::Vec3;
use std::sync::{Arc, OnceLock};

/// A level in the viewport, in the place of a model.
#[derive(Debug)]
pub struct LevelStage {
    pub place: Place,
    pub map: Arc<Map>,
    /// Where its triangles lie, once that is worked out.
    pub(crate) picker: Arc<OnceLock<MapPicker>>,
    /// Changes whenever another one is shown.
    pub generation: u64,
    /// Of all that is drawn but sprites and brushes.
    pub bounds: Aabb,
    pub triangles: usize,
    /// The surface that was clicked on.
    pub picked: Option<PickedSurface>,
    pub moment: MapMoment,
    /// Its time goes on.
    pub plays: bool,
    /// Movers that are under way.
    pub runs: Vec<MoverRun>,
    pub tools: LevelTools,
}

/// A mover under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoverRun {
    /// Into [`Map::movers`].
    pub mover: u32,
    /// To its first key.
    pub back: bool,
}

/// A surface of the level.
#[derive(Clone, Debug)]
pub struct PickedSurface {
    pub hit: Hit,
    /// Into [`Map::surfaces`].
    pub surface: Option<u32>,
    /// Its edges, in the space of its item.
    pub outline: Vec<[Vec3; 2]>,
}

impl LevelStage {
    /// Whether a surface of the level itself was clicked on, and not of one of its actors.
    pub fn picks_wall(&self) -> bool {
        let item = self.picked.as_ref().and_then(|picked| self.map.items.get(picked.hit.item as usize));
        item.is_some_and(|item| item.actor.is_none())
    }

    /// The edges of the surface that was clicked on, in the world as it is now.
    pub fn picked_outline(&self) -> Vec<[Vec3; 2]> {
        let Some(picked) = &self.picked else { return Vec::new() };
        let place = self.map.place_at(picked.hit.item, &self.moment).unwrap_or_default();
        picked.outline.iter().map(|ends| ends.map(|end| place.transform_point3(end))).collect()
    }
}
