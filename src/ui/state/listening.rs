//! Who has the keyboard.

use super::State;
use crate::ui::command::{Command, Listening, WindowCommand};

impl State {
    /// Which commands keys give. Behind a dialog nothing listens.
    pub fn listening(&self) -> Listening {
        let closes = |command| Listening::To(Command::Window(command));
        if self.file_dialog.is_some()
            || self.key_change.is_some()
            || self.export.is_some()
            || self.large_export.is_some()
            || self.asked_view.is_some()
            || self.picture_export.is_some()
            || self.chooses_texture()
            || self.asks_place()
        {
            Listening::ToNone
        } else if self.show_palette {
            closes(WindowCommand::TogglePalette)
        } else if self.jump.is_some() {
            closes(WindowCommand::ToggleJump)
        } else if self.show_keys {
            closes(WindowCommand::ToggleKeys)
        } else if self.show_about {
            closes(WindowCommand::ToggleAbout)
        } else if self.show_settings {
            closes(WindowCommand::ToggleSettings)
        } else {
            Listening::ToAll
        }
    }

    /// Whether a material of the model that is shown waits for a texture.
    fn chooses_texture(&self) -> bool {
        let material = self.stage.textures.choosing.map(|index| index.as_usize());
        material.is_some_and(|index| self.stage.model().is_some_and(|shown| index < shown.model.materials.len()))
    }

    /// Whether a landscape or a level is shown and asks where to go.
    fn asks_place(&self) -> bool {
        let stage = &self.stage;
        stage.survey.asks_place && stage.landscape().is_some() || stage.tools.asks_place && stage.level().is_some()
    }
}
