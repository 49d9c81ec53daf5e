//! The level on the stage.

use crate::ui::{
    command::LevelCommand,
    state::{State, stage::view::held_gamma},
};

impl State {
    pub(in crate::ui::state) fn apply_level(&mut self, command: LevelCommand) {
        use LevelCommand as C;
        let layers = &mut self.stage.view.layers;
        match command {
            C::ToggleMeshes => layers.meshes = !layers.meshes,
            C::ToggleSprites => layers.sprites = !layers.sprites,
            C::ToggleBrushes => layers.brushes = !layers.brushes,
            C::ToggleCoronas => layers.coronas = !layers.coronas,
            C::ToggleWindows => layers.windows = !layers.windows,
            C::TogglePlay => self.stage.toggle_level_play(),
            C::SetMover { mover, position } => self.stage.set_mover(mover, position),
            C::RunMover(mover) => self.stage.run_mover(mover),
            C::SetGamma(gamma) => self.stage.view.gamma = held_gamma(gamma),
            C::GoToStart(index) => {
                self.stage.leave_map();
                self.stage.go_to_start(index);
            }
            C::Pick(place) => self.pick_in_map(place),
            C::Focus(place) => self.focus_in_map(place),
            C::SelectActor(actor) => self.select_actor(actor),
        }
    }
}
