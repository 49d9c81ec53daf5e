//! The image of a stage.

use crate::{
    scene::camera::Steer,
    ui::{query::Filter, subject::DrawerPage},
};
use glam::Vec3;

/// Data that a stage and its panel exchange about the image.
pub struct Viewport {
    /// The direction in which keys steer the fly camera.
    pub steer: Steer,
    /// The joint that the camera follows, and its last position in the world.
    pub(crate) follows: Option<(u32, Vec3)>,
    /// Frames per second during animation; 0 otherwise.
    pub fps: f32,
    /// The reason for which the image is missing.
    pub failure: Option<String>,
    /// Width divided by height of the image, for framing.
    pub aspect: f32,
    /// Filter of the clip list.
    pub clip_filter: Filter,
    /// The page of the drawer that is open.
    pub drawer: Option<DrawerPage>,
    /// True if the panel was drawn in the last frame. Hidden stages are not animated.
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
            clip_filter: Filter::default(),
            drawer: None,
            is_seen: true,
        }
    }
}
