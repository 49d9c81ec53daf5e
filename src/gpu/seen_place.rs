//! What of a view hangs on the place that is seen.

use super::view::ViewSettings;
use glam::{Affine3A, Mat3A, Mat4, Vec3, Vec3A, Vec4};

impl ViewSettings {
    /// Clip space from the place that is seen; depth is reversed.
    pub(super) fn clip_from_world(&self, aspect: f32) -> Mat4 {
        let seen = self.camera.clip_from_world(aspect) * Mat4::from(self.through.here_from_there);
        match self.through.clip {
            Some(plane) if !self.camera.orthographic => clipped(seen, self.corners(aspect), plane),
            _ => seen,
        }
    }

    /// The eye, in the place that is seen.
    pub(super) fn eye(&self) -> Vec3 {
        self.there_from_here().transform_point3(self.camera.eye())
    }

    /// Where the camera looks, a unit vector in the place that is seen.
    pub(super) fn forward(&self) -> Vec3 {
        let (right, up) = self.camera.right_up();
        self.turned(up.cross(right))
    }

    /// Turns the camera's own directions into those of the place that is seen; mirrors, where that does.
    pub(super) fn directions(&self) -> Mat3A {
        self.there_from_here().matrix3 * Mat3A::from_quat(self.camera.rotation())
    }

    /// A unit direction as the camera's place has it, in the place that is seen.
    pub(super) fn turned(&self, direction: Vec3) -> Vec3 {
        if self.through.here_from_there == Affine3A::IDENTITY {
            return direction;
        }
        self.there_from_here().transform_vector3(direction).normalize_or(direction)
    }

    fn there_from_here(&self) -> Affine3A {
        self.through.here_from_there.inverse()
    }

    /// Directions to the picture's corners, in the place that is seen; each a length of one deep.
    fn corners(&self, aspect: f32) -> [Vec3; 4] {
        let up = (self.camera.fov_y * 0.5).tan();
        let across = up * if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        let turn = self.directions();
        [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]
            .map(|(x, y): (f32, f32)| (turn * Vec3A::new(x * across, y * up, -1.0)).into())
    }
}

/// Makes a plane the near one: what lies behind it is cut off. The far end comes to lie where the corner that looks most along
/// the plane's normal ends.
fn clipped(clip_from_world: Mat4, corners: [Vec3; 4], plane: Vec4) -> Mat4 {
    let normal = plane.truncate();
    let most = corners.into_iter().map(|corner| corner.dot(normal)).fold(0.0, f32::max);
    let scale = 1.0 / most.max(1e-3);
    // Depth is z / w, 1 at the near plane: w − z grows with the distance from the plane.
    let depth = clip_from_world.row(3) - scale * normal.extend(-plane.w);
    let [x, y, w] = [0, 1, 3].map(|row| clip_from_world.row(row));
    Mat4::from_cols(x, y, depth, w).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Through;
    use crate::scene::{camera::OrbitCamera, mirrored};

    #[test]
    fn through_a_mirror_things_are_seen_where_their_images_are() {
        // At z = 2, seen from z = 5: what lies at z = 3 is seen at z = 1.
        let plane = Vec4::new(0.0, 0.0, 1.0, 2.0);
        let camera = OrbitCamera { focus: Vec3::ZERO, yaw: 0.0, pitch: 0.0, distance: 5.0, ..OrbitCamera::default() };
        let through = Through { here_from_there: mirrored(plane), clip: Some(plane) };
        let view = ViewSettings { camera, through, ..ViewSettings::default() };
        assert!(through.is_mirrored() && !Through::default().is_mirrored());
        assert!(view.eye().distance(Vec3::new(0.0, 0.0, -1.0)) < 1e-5);
        assert!(view.forward().distance(Vec3::Z) < 1e-6);
        let seen = |point: Vec3| {
            let clip = view.clip_from_world(1.0) * point.extend(1.0);
            (clip.truncate() / clip.w, clip.w)
        };
        let plain = ViewSettings { camera, ..ViewSettings::default() }.clip_from_world(1.0);
        let image = plain * Vec3::new(0.4, 0.3, 1.0).extend(1.0);
        let (place, w) = seen(Vec3::new(0.4, 0.3, 3.0));
        assert!((place.truncate() - image.truncate().truncate() / image.w).length() < 1e-5 && w > 0.0);
        // On the plane it is nearest, farther away it is less near, and behind the plane it is cut off.
        assert!((seen(Vec3::new(0.1, 0.1, 2.0)).0.z - 1.0).abs() < 1e-5);
        let (near, far) = (seen(Vec3::new(0.1, 0.1, 3.0)).0.z, seen(Vec3::new(30.0, 30.0, 100.0)).0.z);
        assert!(1.0 > near && near > far && far >= 0.0, "{near} {far}");
        assert!(seen(Vec3::new(0.0, 0.0, 1.5)).0.z > 1.0);
    }
}
