use crate::scene::{Aabb, Frustum, camera::OrbitCamera};
use glam::{Vec3, Vec4};

/// From where a landscape is looked at, and how large things are in the picture.
pub(super) struct Seen {
    pub frustum: Frustum,
    pub eye: Vec3,
    pub orthographic: bool,
    /// What projections divide by, of a point.
    depth: Vec4,
    /// Pixels of a metre: one metre away, or anywhere for an orthographic camera.
    pub pixels: f32,
    pub exaggeration: f32,
    /// Height of the foot of the walls at the map's edge, in the scene.
    pub base: f32,
}

impl Seen {
    pub fn new(camera: &OrbitCamera, (width, height): (u32, u32), exaggeration: f32, base: f32) -> Self {
        let aspect = width as f32 / height as f32;
        let scale = camera.clip_from_view(aspect).y_axis.y;
        Self {
            frustum: Frustum::new(camera.clip_from_world(aspect)),
            eye: camera.eye(),
            orthographic: camera.orthographic,
            depth: camera.clip_from_world(aspect).row(3),
            pixels: scale * height as f32 * 0.5,
            exaggeration,
            base,
        }
    }

    /// Pixels of a length, where the box is nearest to the eye.
    pub fn pixels_of(&self, length: f32, bounds: &Aabb) -> f32 {
        let nearest = self.eye.clamp(bounds.min.min(bounds.max), bounds.max.max(bounds.min));
        self.pixels_at(length, nearest)
    }

    /// Metres along the line of sight; 1 for an orthographic camera.
    pub fn depth_of(&self, point: Vec3) -> f32 {
        self.depth.dot(point.extend(1.0))
    }

    /// Pixels of a length at a point.
    pub fn pixels_at(&self, length: f32, point: Vec3) -> f32 {
        let away = if self.orthographic { 1.0 } else { (point - self.eye).length().max(1e-6) };
        length * self.pixels / away
    }
}
