use super::layouts::LineData;
use crate::scene::Aabb;
use glam::Vec3;

/// A line over a picture's surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// In the world.
    pub ends: [Vec3; 2],
    /// Gamma-space RGBA.
    pub color: [u8; 4],
    /// Width in pixels.
    pub width_px: f32,
    /// Nothing hides it.
    pub over: bool,
}

impl Line {
    /// The edges of a box.
    pub fn around(bounds: &Aabb, like: Self) -> [Self; 12] {
        let corners = bounds.corners();
        // Corners that differ in one direction only.
        [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7)]
            .map(|(a, b)| Self { ends: [corners[a], corners[b]], ..like })
    }

    pub(super) fn data(&self) -> LineData {
        // What is nowhere is drawn as a point at the origin.
        let [from, to] = if self.ends.iter().all(|e| e.is_finite()) { self.ends } else { [Vec3::ZERO; 2] };
        LineData { from: from.to_array(), color: self.color, to: to.to_array(), width: self.width_px }
    }
}
