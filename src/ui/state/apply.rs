//! What each command does to the state, a file for each owner.

mod bytes;
mod camera;
mod export;
mod level;
mod library;
mod model;
mod parts;
mod scene;
mod selection;
mod stage;
mod terrain;
mod transport;
mod view;
mod window;

use crate::ui::{command::Command, state::State};

impl State {
    /// Does one thing. Nothing here blocks.
    pub fn apply(&mut self, command: Command) {
        match command {
            Command::Library(command) => self.apply_library(command),
            Command::Selection(command) => self.apply_selection(command),
            Command::Bytes(command) => self.lookups.apply_bytes(&mut self.core, &mut self.stages.front, command),
            Command::Stage(command) => self.apply_stage(command),
            Command::Transport(command) => self.stages.front.apply_transport(&mut self.core, command),
            Command::Camera(command) => self.apply_camera(command),
            Command::View(command) => self.stages.front.apply_view(&mut self.core, command),
            Command::Model(command) => self.apply_model(command),
            Command::Parts(command) => self.stages.front.apply_parts(&mut self.core, command),
            Command::Scene(command) => self.apply_scene(command),
            Command::Level(command) => self.stages.front.apply_level(&mut self.core, command),
            Command::Terrain(command) => self.stages.front.apply_terrain(&mut self.core, command),
            Command::Sound(command) => self.stages.front.apply_sound(&mut self.core, command),
            Command::Text(command) => self.stages.front.apply_text(&mut self.core, command),
            Command::Scripts(command) => self.apply_scripts(command),
            Command::Collection(command) => {
                self.collection.apply_collection(&mut self.core, &mut self.stages.front, command)
            }
            Command::Compare(command) => self.comparing.apply_compare(&mut self.core, &mut self.stages.front, command),
            Command::OnStage(id, command) => {
                self.on_stage(id, |state| state.apply(*command));
            }
            Command::Export(command) => self.exports.apply_export(&mut self.core, &mut self.stages.front, command),
            Command::Keys(command) => self.dialogs.apply_keys(command, &mut self.core.settings),
            Command::Window(command) => self.apply_window(command),
        }
    }
}
