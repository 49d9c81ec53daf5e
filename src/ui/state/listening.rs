//! Who has the keyboard.

use super::State;
use crate::ui::{command::Listening, state::stage::Stage};

impl State {
    /// Which commands keys give. Behind a dialog nothing listens.
    pub fn listening(&self) -> Listening {
        let front = &self.stages.front;
        match self.exports.is_open() || front.chooses_texture() || front.asks_place() {
            true => Listening::ToNone,
            false => self.dialogs.listening(),
        }
    }
}

impl Stage {
    /// Whether a material of the model that is shown waits for a texture.
    fn chooses_texture(&self) -> bool {
        let material = self.textures.choosing.map(|index| index.as_usize());
        material.is_some_and(|index| self.model().is_some_and(|shown| index < shown.model.materials.len()))
    }

    /// Whether a landscape or a level is shown and asks where to go.
    fn asks_place(&self) -> bool {
        self.landscape().is_some_and(|shown| shown.survey.asks_place)
            || self.level().is_some_and(|shown| shown.tools.asks_place)
    }
}
