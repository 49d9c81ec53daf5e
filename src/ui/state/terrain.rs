//! The landscape on show, and what of it is selected.

use super::{LogEntry, Place, State};
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
        let same = self.terrain.as_ref().is_some_and(|shown| shown.place == place);
        if !same {
            let name = self.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
            for missing in &terrain.missing {
                self.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
        }
        self.shown = None;
        self.map = None;
        self.playback.forget_model(0);
        self.playback.wanted_model = None;
        self.selected_joint = None;
        let (bounds, range) = (terrain.bounds(), terrain.grid.range());
        let picker = Arc::new(TerrainPicker::new(&terrain));
        self.terrain = Some(ShownTerrain { place, terrain, generation, bounds, range, picker });
        self.view.terrain.selected = Arc::default();
        if !same {
            self.view.terrain.hidden_kinds = Arc::default();
            self.view.map = None;
            self.reset_view();
        }
    }
}
