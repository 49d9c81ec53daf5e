//! Putting landscapes on the stage.

use crate::{
    formats::Severity,
    scene::{Terrain, TerrainPicker},
    ui::{
        place::Place,
        state::{
            State,
            log::LogEntry,
            stage::{StageContent, landscape::ShownTerrain},
        },
    },
};
use std::sync::Arc;

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
            self.stage.view.top_down = None;
            self.stage.reset_view();
            self.stage.look_as_before();
        }
    }
}
