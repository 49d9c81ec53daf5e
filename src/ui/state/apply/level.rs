//! The level on the stage.

use crate::ui::{
    command::LevelCommand,
    map_overlays::MapOverlays,
    state::{
        State,
        stage::{level_tools::TypedPlace, view::held_gamma},
    },
};

impl State {
    pub(in crate::ui::state) fn apply_level(&mut self, command: LevelCommand) {
        use LevelCommand as C;
        let layers = &mut self.stages.front.view.layers;
        let tools = &mut self.stages.front.tools;
        match command {
            C::ToggleMeshes => layers.meshes = !layers.meshes,
            C::ToggleSprites => layers.sprites = !layers.sprites,
            C::ToggleBrushes => layers.brushes = !layers.brushes,
            C::ToggleCoronas => layers.coronas = !layers.coronas,
            C::ToggleWindows => layers.windows = !layers.windows,
            C::TogglePlay => self.stages.front.toggle_level_play(),
            C::SetMover { mover, position } => self.stages.front.set_mover(mover, position),
            C::RunMover(mover) => self.stages.front.run_mover(mover),
            C::SetGamma(gamma) => self.stages.front.view.gamma = held_gamma(gamma),
            C::GoToStart(index) => {
                self.stages.front.leave_map();
                self.stages.front.go_to_start(index);
            }
            C::ToggleOverlay(overlay) => self.stages.front.view.overlays.toggle(overlay),
            C::ClearOverlays => self.stages.front.view.overlays = MapOverlays::default(),
            C::StepStart(step) => self.stages.front.step_start(step),
            C::SetFlySpeed(speed) => self.set_fly_speed(speed),
            C::AskPlace(asks) => tools.asks_place = asks,
            C::GoTo(place, turn) => self.stages.front.go_to_place(TypedPlace { place, turn }),
            C::CopyPlace => self.copy_place(),
            C::ToggleMeasure => tools.toggle_measure(),
            C::Measure { place, snap } => self.stages.front.measure_in_level(place, snap),
            C::ClearMeasure => tools.clear_measure(),
            C::ToggleAlike => self.toggle_alike(),
            C::AddBookmark(name) => self.add_bookmark(&name),
            C::GoToBookmark(index) => self.go_to_bookmark(index),
            C::StepBookmark(step) => self.step_bookmark(step),
            C::RemoveBookmark(index) => self.remove_bookmark(index),
            C::Pick(place) => self.pick_in_map(place),
            C::Focus(place) => self.focus_in_map(place),
            C::SelectActor(actor) => self.select_actor(actor),
        }
    }
}
