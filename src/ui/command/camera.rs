//! How what is on the stage is looked at.

use crate::scene::camera::{Steer, ViewDirection};
use glam::Vec2;

/// One move of the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraCommand {
    Orbit(Vec2),
    Pan(Vec2),
    Zoom(f32),
    /// Brings what is shown or selected, as it stands, into view.
    Frame,
    /// Brings a joint of the shown model and the joints next to it into view.
    FocusJoint(u32),
    Reset,
    LookFrom(ViewDirection),
    ToggleOrtho,
    /// Changes between flying and turning about a point.
    ToggleFly,
    /// Which way the fly camera goes from now on.
    Steer(Steer),
    /// Turns the fly camera by radians, to the right and upwards.
    Look(Vec2),
    ChangeFlySpeed(f32),
}
