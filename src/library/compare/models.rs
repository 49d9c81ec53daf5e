use super::parts::Parts;
use crate::scene::{Mesh, Model};

/// Two models: how much they have of what, and how far their points are apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelDifference {
    /// Of the left and of the right.
    pub meshes: [usize; 2],
    pub points: [usize; 2],
    pub triangles: [usize; 2],
    /// By name.
    pub joints: Parts,
    /// Points that are not where those of their numbers are, in meshes of equal numbers with as many points.
    pub moved_points: usize,
    /// How far the farthest of them is, in the scene's units.
    pub largest_distance: f32,
}

impl ModelDifference {
    pub fn of(left: &Model, right: &Model) -> Self {
        let points = |model: &Model| model.meshes.iter().map(|mesh| mesh.points.len()).sum();
        let joints = |model: &Model| -> Vec<String> {
            let joints = model.skeleton.as_ref().map(|skeleton| skeleton.joints()).unwrap_or_default();
            joints.iter().map(|joint| joint.name.clone()).collect()
        };
        let mut found = Self {
            meshes: [left.meshes.len(), right.meshes.len()],
            points: [points(left), points(right)],
            triangles: [left.triangle_count(), right.triangle_count()],
            joints: Parts::of(&joints(left), &joints(right)),
            ..Self::default()
        };
        for (a, b) in left.meshes.iter().zip(&right.meshes) {
            found.mesh(a, b);
        }
        found
    }

    fn mesh(&mut self, left: &Mesh, right: &Mesh) {
        if left.points.len() != right.points.len() {
            return;
        }
        for (a, b) in left.points.iter().zip(&right.points) {
            let bits = |point: &glam::Vec3| point.to_array().map(f32::to_bits);
            if bits(a) != bits(b) {
                self.moved_points += 1;
                let distance = a.distance(*b);
                // What is no number is no distance; it counts as moved.
                if distance > self.largest_distance {
                    self.largest_distance = distance;
                }
            }
        }
    }

    pub fn is_same(&self) -> bool {
        let equal = |[left, right]: [usize; 2]| left == right;
        equal(self.meshes)
            && equal(self.points)
            && equal(self.triangles)
            && self.joints.is_same()
            && self.moved_points == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn model(points: &[Vec3]) -> Model {
        let mesh = Mesh { points: points.to_vec(), ..Mesh::default() };
        Model { meshes: vec![mesh], ..Model::empty("m") }
    }

    #[test]
    fn points_of_equal_numbers_are_held_against_each_other() {
        let left = model(&[Vec3::ZERO, Vec3::X, Vec3::Y]);
        let found = ModelDifference::of(&left, &model(&[Vec3::ZERO, Vec3::X * 4.0, Vec3::new(f32::NAN, 0.0, 0.0)]));
        assert_eq!((found.moved_points, found.largest_distance), (2, 3.0));
        assert!(ModelDifference::of(&left, &left).is_same());
        let found = ModelDifference::of(&left, &model(&[Vec3::X]));
        assert_eq!((found.points, found.moved_points), ([3, 1], 0));
        assert!(!found.is_same());
    }
}
