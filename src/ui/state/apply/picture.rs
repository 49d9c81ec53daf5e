//! The picture on the stage.

use crate::ui::{command::PictureCommand, state::stage::Stage};

impl Stage {
    pub(in crate::ui) fn apply_picture(&mut self, command: PictureCommand) {
        use PictureCommand as C;
        match command {
            C::TogglePlay => self.toggle_picture(),
            C::Seek(frame) => self.seek_picture(frame),
            C::Step(frames) => self.step_picture(i64::from(frames)),
            C::Restart => self.restart_picture(),
            C::SetSpeed(speed) => self.set_picture_speed(speed),
        }
    }
}
