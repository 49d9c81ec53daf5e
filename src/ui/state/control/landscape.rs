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
        let generation = self.core.works.fresh_id();
        let same = self.stages.front.landscape().is_some_and(|shown| shown.place == place);
        if !same {
            let name = self.core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
            for missing in &terrain.missing {
                self.core.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
        }
        let (bounds, range) = (terrain.bounds(), terrain.grid.range());
        let picker = Arc::new(TerrainPicker::new(&terrain));
        let shown = ShownTerrain { place, terrain, generation, bounds, range, picker };
        self.take_stage(StageContent::Landscape(shown));
        self.stages.front.view.terrain.selected = Arc::default();
        if !same {
            self.stages.front.view.terrain.hidden_kinds = Arc::default();
            self.stages.front.view.top_down = None;
            self.stages.front.reset_view();
            self.stages.front.look_as_before();
        }
    }
}
