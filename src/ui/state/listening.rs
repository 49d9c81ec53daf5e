//! Who has the keyboard.

use super::State;
use crate::ui::command::Listening;

impl State {
    /// Which commands keys give. Behind a dialog nothing listens.
    pub fn listening(&self) -> Listening {
        if self.chooses_texture() || self.asks_place() { Listening::ToNone } else { self.dialogs.listening() }
    }

    /// Whether a material of the model that is shown waits for a texture.
    fn chooses_texture(&self) -> bool {
        let material = self.stages.front.textures.choosing.map(|index| index.as_usize());
        material.is_some_and(|index| self.stages.front.model().is_some_and(|shown| index < shown.model.materials.len()))
    }

    /// Whether a landscape or a level is shown and asks where to go.
    fn asks_place(&self) -> bool {
        let stage = &self.stages.front;
        stage.survey.asks_place && stage.landscape().is_some() || stage.tools.asks_place && stage.level().is_some()
    }
}
