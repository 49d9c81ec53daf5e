use super::Aabb;
use glam::{Mat4, Vec3, Vec4};

/// What a camera sees, as half-spaces: for leaving out what is certainly out of sight.
#[derive(Clone, Copy, Debug)]
pub struct Frustum {
    /// Inside is where `plane · (x, y, z, 1) ≥ 0`.
    planes: [Vec4; 5],
}

impl Frustum {
    /// From a projection of either kind with reversed depth; nothing is too far away.
    pub fn new(clip_from_world: Mat4) -> Self {
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
        Self { planes: [w + x, w - x, w + y, w - y, w - z] }
    }

    /// Whether any of a box may be seen; errs to the safe side near corners.
    pub fn may_see(&self, bounds: &Aabb) -> bool {
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            // The corner that lies farthest along the plane's normal.
            let corner = Vec3::select(normal.cmpge(Vec3::ZERO), bounds.max, bounds.min);
            // What is not a number is seen: it was not proven to be out of sight.
            let side = normal.dot(corner) + plane.w;
            side >= 0.0 || side.is_nan()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::camera::{OrbitCamera, ViewDirection};

    #[test]
    fn boxes_out_of_sight_are_told_from_those_in_it() {
        for orthographic in [false, true] {
            let room = Aabb { min: Vec3::splat(-1.0), max: Vec3::ONE };
            let mut camera = OrbitCamera { orthographic, ..OrbitCamera::framing(&room, ViewDirection::Front, 1.0) };
            camera.extent = 2.0;
            let frustum = Frustum::new(camera.clip_from_world(1.0));
            let at = |center: Vec3, half: f32| Aabb { min: center - half, max: center + half };
            for (bounds, seen) in [
                (room, true),
                (at(Vec3::new(0.0, 0.0, -15.0), 0.5), true),
                (at(Vec3::new(30.0, 0.0, 0.0), 1.0), false),
                (at(Vec3::new(0.0, -30.0, 0.0), 1.0), false),
                (at(camera.eye() + Vec3::Z * 90.0, 1.0), false),
                // Larger than all that is seen, and around the eye.
                (at(camera.eye(), 100.0), true),
                (at(Vec3::NAN, 1.0), true),
            ] {
                assert_eq!(frustum.may_see(&bounds), seen, "{orthographic} {bounds:?}");
            }
        }
    }
}
