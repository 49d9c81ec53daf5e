//! Bounding boxes of points and models, and the view frustum.

use super::{Frame, Model, skinning};
use glam::{Affine3A, Mat4, Vec3, Vec4};

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Corner with the smallest coordinates.
    pub min: Vec3,
    /// Corner with the largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box of the finite points; `None` when there is none.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        points.into_iter().filter(|p| p.is_finite()).fold(None, |bounds: Option<Self>, p| {
            Some(match bounds {
                Some(b) => Self { min: b.min.min(p), max: b.max.max(p) },
                None => Self { min: p, max: p },
            })
        })
    }

    /// Returns the smallest box that contains both boxes.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        let pick = |corner: usize, bit: usize, low: f32, high: f32| if corner & bit == 0 { low } else { high };
        std::array::from_fn(|i| {
            Vec3::new(
                pick(i, 1, self.min.x, self.max.x),
                pick(i, 2, self.min.y, self.max.y),
                pick(i, 4, self.min.z, self.max.z),
            )
        })
    }

    /// The box around this one after a transform; this one where that leads nowhere.
    pub fn transformed(&self, transform: &Affine3A) -> Self {
        Self::of(self.corners().map(|corner| transform.transform_point3(corner))).unwrap_or(*self)
    }

    /// Returns the centre of the box.
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Length of the diagonal.
    pub fn diagonal(&self) -> f32 {
        (self.max - self.min).length()
    }
}

impl Model {
    /// Bind-pose box of points and joints; a unit box for a model with neither.
    pub fn bounds(&self) -> Aabb {
        // Where matrices are blended first, points are stored in the spaces of their joints.
        let blended = self.skeleton.as_ref().is_some_and(|s| !s.draw_matrices.is_empty());
        let bind = blended.then(|| Frame::bind(self));
        let points = self.meshes.iter().flat_map(|mesh| match &bind {
            Some(bind) => skinning::skinned_points(self, mesh, bind),
            None => mesh.counted_points().map(|(_, point)| point).collect(),
        });
        let joints = self.skeleton.iter().flat_map(|s| s.world_from_joint_bind().iter().map(|m| m.translation.into()));
        let bounds = Aabb::of(points).or_else(|| Aabb::of(joints));
        bounds.unwrap_or(Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) })
    }
}

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
