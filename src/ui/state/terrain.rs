//! The landscape on show, and what of it is selected.

use super::{LogEntry, Place, StageContent, State};
use crate::{
    formats::Severity,
    scene::{Aabb, HeightRange, Terrain, TerrainPicker},
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

impl State {
    /// Puts a landscape in the place of what is in the viewport.
    pub fn show_terrain(&mut self, place: Place, terrain: Arc<Terrain>) {
        let generation = self.fresh_id();
        let same = self.stage.landscape().is_some_and(|shown| shown.place == place);
        if !same {
            let name = self.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
            for missing in &terrain.missing {
                self.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
        }
        let (bounds, range) = (terrain.bounds(), terrain.grid.range());
        let picker = Arc::new(TerrainPicker::new(&terrain));
        let shown = ShownTerrain { place, terrain, generation, bounds, range, picker };
        self.take_stage(StageContent::Landscape(shown));
        self.stage.view.terrain.selected = Arc::default();
        if !same {
            self.stage.view.terrain.hidden_kinds = Arc::default();
            self.stage.view.map = None;
            self.stage.reset_view();
            self.stage.look_as_before();
        }
    }
}
