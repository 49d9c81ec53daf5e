//! Putting landscapes on the stage.

use crate::{
    formats::Severity,
    scene::{Terrain, TerrainPicker},
    ui::{
        place::Place,
        state::{
            core::Core,
            log::LogEntry,
            stage::{Stage, StageContent, landscape::LandscapeStage},
        },
    },
};
use std::sync::Arc;

impl Stage {
    /// Puts a landscape in the place of what is in the viewport.
    pub fn show_terrain(&mut self, core: &mut Core, place: Place, terrain: Arc<Terrain>) {
        let generation = core.works.fresh_id();
        let same = self.landscape().is_some_and(|shown| shown.place == place);
        if !same {
            let name = core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
            for missing in &terrain.missing {
                core.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
        }
        let (bounds, range) = (terrain.bounds(), terrain.grid.range());
        let picker = Arc::new(TerrainPicker::new(&terrain));
        let survey = self.content.landscape_mut().filter(|_| same).map(|shown| std::mem::take(&mut shown.survey));
        let survey = survey.unwrap_or_default();
        let shown = LandscapeStage { place, terrain, generation, bounds, range, picker, survey, statistics: None };
        self.take_stage(core, StageContent::Landscape(shown));
        self.view.terrain.selected = Arc::default();
        if !same {
            self.view.terrain.hidden_kinds = Arc::default();
            self.view.top_down = None;
            self.reset_view();
            self.look_as_before();
        }
    }
}
