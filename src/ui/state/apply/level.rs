//! The level on the stage.

use crate::ui::{
    command::LevelCommand,
    map_overlays::MapOverlays,
    state::{
        core::Core,
        stage::{Stage, level_tools::TypedPlace, view::held_gamma},
    },
};

impl Stage {
    pub(crate) fn apply_level(&mut self, core: &mut Core, command: LevelCommand) {
        use LevelCommand as C;
        let layers = &mut self.view.layers;
        let Some(shown) = self.content.level_mut() else { return };
        let tools = &mut shown.tools;
        match command {
            C::ToggleMeshes => layers.meshes = !layers.meshes,
            C::ToggleSprites => layers.sprites = !layers.sprites,
            C::ToggleBrushes => layers.brushes = !layers.brushes,
            C::ToggleCoronas => layers.coronas = !layers.coronas,
            C::ToggleWindows => layers.windows = !layers.windows,
            C::TogglePlay => self.toggle_level_play(),
            C::SetMover { mover, position } => self.set_mover(mover, position),
            C::RunMover(mover) => self.run_mover(mover),
            C::SetGamma(gamma) => self.view.gamma = held_gamma(gamma),
            C::GoToStart(index) => {
                self.leave_map();
                self.go_to_start(index);
            }
            C::ToggleOverlay(overlay) => self.view.overlays.toggle(overlay),
            C::ClearOverlays => self.view.overlays = MapOverlays::default(),
            C::StepStart(step) => self.step_start(step),
            C::SetFlySpeed(speed) => self.set_fly_speed(core, speed),
            C::AskPlace(asks) => tools.asks_place = asks,
            C::GoTo(place, turn) => self.go_to_place(TypedPlace { place, turn }),
            C::CopyPlace => self.copy_place(core),
            C::ToggleMeasure => tools.toggle_measure(),
            C::Measure { place, snap } => self.measure_in_level(place, snap),
            C::ClearMeasure => tools.clear_measure(),
            C::ToggleAlike => self.toggle_alike(),
            C::AddBookmark(name) => self.add_bookmark(core, &name),
            C::GoToBookmark(index) => self.go_to_bookmark(core, index),
            C::StepBookmark(step) => self.step_bookmark(core, step),
            C::RemoveBookmark(index) => self.remove_bookmark(core, index),
            C::Pick(place) => self.pick_in_map(core, place),
            C::Focus(place) => self.focus_in_map(core, place),
            C::SelectActor(actor) => self.select_actor(core, actor),
        }
    }
}
