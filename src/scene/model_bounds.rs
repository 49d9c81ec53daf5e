use super::{Aabb, Frame, Model, skinning};
use glam::Vec3;

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
