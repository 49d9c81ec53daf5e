//! Between the screen and the picture of a landscape, which may be turned over.

use crate::ui::{
    command::{CameraCommand, Command},
    state::State,
};
use egui::{Pos2, Rect, pos2, vec2};
use glam::Vec3;

/// A place in the picture, 0..1 from the top left.
pub fn place_in(rect: Rect, at: Pos2, state: &State) -> glam::Vec2 {
    let at = (at - rect.min) / rect.size().max(vec2(1.0, 1.0));
    state.stages.front.mirrored(glam::vec2(at.x, at.y))
}

/// Where a point of the scene is on the screen.
pub fn on_screen(rect: Rect, state: &State, point: Vec3) -> Option<Pos2> {
    let at = state.stages.front.view.camera.project(point, rect.width() / rect.height().max(1.0))?;
    let at = state.stages.front.mirrored(at);
    Some(pos2(rect.left() + at.x * rect.width(), rect.top() + at.y * rect.height()))
}

/// What the mouse does to the camera, where the picture is turned over.
pub fn mirrored(command: Command, state: &State) -> Command {
    let way = |way| state.stages.front.mirrored_way(way);
    use CameraCommand as C;
    let Command::Camera(camera) = command else { return command };
    Command::Camera(match camera {
        C::Pan(by) => C::Pan(way(by)),
        C::Orbit(by) => C::Orbit(way(by)),
        C::Look(by) => C::Look(way(by)),
        C::Zoom(_)
        | C::Frame
        | C::FocusJoint(_)
        | C::Reset
        | C::LookFrom(_)
        | C::ToggleOrtho
        | C::ToggleFly
        | C::Steer(_)
        | C::ChangeFlySpeed(_) => camera,
    })
}
