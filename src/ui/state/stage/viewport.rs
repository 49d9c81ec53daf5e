//! The picture of a stage, as its panel draws it.

use crate::{scene::camera::Steer, ui::subject::DrawerPage};
use glam::Vec3;

/// What the panel of a stage and its data tell each other about the picture.
pub struct Viewport {
    /// The direction in which keys steer the fly camera.
    pub steer: Steer,
    /// The joint that the camera moves with, and its last place in the world.
    pub(crate) follows: Option<(u32, Vec3)>,
    /// Pictures per second while something moves; 0 if nothing does.
    pub fps: f32,
    /// The reason for which there is no picture.
    pub failure: Option<String>,
    /// Width divided by height of the picture, for framing.
    pub aspect: f32,
    /// The page of the drawer that is open.
    pub drawer: Option<DrawerPage>,
    /// The panel was drawn in the last frame. Nothing moves on a stage whose panel is hidden.
    pub is_seen: bool,
}

impl Default for Viewport {
    fn default() -> Self {
        Self {
            steer: Steer::default(),
            follows: None,
            fps: 0.0,
            failure: None,
            aspect: 1.5,
            drawer: None,
            is_seen: true,
        }
    }
}
