//! How what is on the stage is looked at.

use crate::ui::{command::CameraCommand, state::State};

impl State {
    pub(crate) fn apply_camera(&mut self, command: CameraCommand) {
        use CameraCommand as C;
        if self.comparing.compares_models(&self.stages.front) {
            return self.comparing.turn_compared(command);
        }
        match command {
            C::Orbit(_) | C::LookFrom(_) | C::ToggleOrtho | C::ToggleFly => self.stages.front.leave_map(),
            C::Pan(_) | C::Zoom(_) | C::Frame | C::Reset => self.stages.front.finish_tween(),
            C::FocusJoint(_) | C::Steer(_) | C::Look(_) | C::ChangeFlySpeed(_) => {}
        }
        if matches!(command, C::Orbit(_) | C::Pan(_) | C::Zoom(_)) {
            self.stages.front.turn_about_the_ground();
        }
        if self.stages.front.apply_flying(&mut self.core, command) {
            return;
        }
        let view = &mut self.stages.front.view;
        view.camera_touched |=
            matches!(command, C::Orbit(_) | C::Pan(_) | C::Zoom(_) | C::LookFrom(_) | C::Frame | C::FocusJoint(_));
        match command {
            C::Orbit(delta) => view.camera.orbit(delta),
            C::Pan(delta) => view.camera.pan(delta),
            C::Zoom(factor) => view.camera.zoom(factor),
            C::Frame => self.stages.front.frame_pose(&mut self.core),
            C::FocusJoint(joint) => self.stages.front.focus_joint(joint),
            C::Reset => self.stages.front.reset_view(),
            C::LookFrom(direction) => view.camera.look_from(direction),
            C::ToggleOrtho => view.camera.orthographic = !view.camera.orthographic,
            C::ToggleFly => self.stages.front.toggle_fly(),
            C::Steer(steer) => self.stages.front.viewport.steer = steer,
            C::Look(delta) => self.stages.front.look(delta),
            C::ChangeFlySpeed(factor) => {
                self.stages.front.change_fly_speed(factor);
                self.stages.front.keep_fly_speed(&mut self.core);
            }
        }
    }
}
