use super::{parts::Parts, values::are_equal};
use crate::scene::{Mesh, Model};
use glam::Vec2;

/// Two models: how much they have of what, and how far their points are apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelDifference {
    /// Number of meshes, left and right.
    pub meshes: [usize; 2],
    /// Number of points, left and right.
    pub points: [usize; 2],
    /// Number of triangles, left and right.
    pub triangles: [usize; 2],
    /// By name.
    pub joints: Parts,
    /// Points that are not where those of their numbers are, in meshes of equal numbers with as many points.
    pub moved_points: usize,
    /// How far the farthest of them is, in the scene's units.
    pub largest_distance: f32,
    /// Points of equal numbers that other joints move, or by other weights.
    pub weighted_points: usize,
    /// Vertices of equal numbers with other normals, texture coordinates or colours.
    pub other_vertices: usize,
    /// Triangles of equal numbers between other vertices.
    pub other_triangles: usize,
    /// By name.
    pub materials: Parts,
}

impl ModelDifference {
    /// Compares two models. Numbers that differ by `tolerance` or less are equal; without it their bits are compared.
    pub fn of(left: &Model, right: &Model, tolerance: Option<f32>) -> Self {
        let points = |model: &Model| model.meshes.iter().map(|mesh| mesh.points.len()).sum();
        let joints = |model: &Model| -> Vec<String> {
            let joints = model.skeleton.as_ref().map(|skeleton| skeleton.joints()).unwrap_or_default();
            joints.iter().map(|joint| joint.name.clone()).collect()
        };
        let materials =
            |model: &Model| -> Vec<String> { model.materials.iter().map(|material| material.name.clone()).collect() };
        let mut found = Self {
            meshes: [left.meshes.len(), right.meshes.len()],
            points: [points(left), points(right)],
            triangles: [left.triangle_count(), right.triangle_count()],
            joints: Parts::of(&joints(left), &joints(right)),
            materials: Parts::of(&materials(left), &materials(right)),
            ..Self::default()
        };
        for (a, b) in left.meshes.iter().zip(&right.meshes) {
            found.mesh(a, b, tolerance);
        }
        found
    }

    fn mesh(&mut self, left: &Mesh, right: &Mesh, tolerance: Option<f32>) {
        let triangles = left.indices.chunks_exact(3).zip(right.indices.chunks_exact(3));
        self.other_triangles += triangles.filter(|(a, b)| a != b).count();
        self.other_vertices += other_vertices(left, right, tolerance);
        if left.points.len() != right.points.len() {
            return;
        }
        self.weighted_points += weighted_points(left, right, tolerance);
        for (a, b) in left.points.iter().zip(&right.points) {
            if !are_equal(&a.to_array(), &b.to_array(), tolerance) {
                self.moved_points += 1;
                let distance = a.distance(*b);
                // What is no number is no distance; it counts as moved.
                if distance > self.largest_distance {
                    self.largest_distance = distance;
                }
            }
        }
    }

    /// Returns `true` if all counts are equal, and no joint, material, point, vertex or triangle differs.
    pub fn is_same(&self) -> bool {
        let equal = |[left, right]: [usize; 2]| left == right;
        equal(self.meshes)
            && equal(self.points)
            && equal(self.triangles)
            && self.joints.is_same()
            && self.materials.is_same()
            && self.moved_points + self.weighted_points + self.other_vertices + self.other_triangles == 0
    }
}

fn other_vertices(left: &Mesh, right: &Mesh, tolerance: Option<f32>) -> usize {
    let count = left.vertex_points.len();
    if count != right.vertex_points.len() {
        return 0;
    }
    let normal = |mesh: &Mesh, at: usize| mesh.normals.get(at).map(|v| v.to_array().map(f32::to_bits));
    let uv = |of: &[Vec2], at: usize| of.get(at).map_or(Vec::new(), |v| v.to_array().to_vec());
    let differs = |at: usize| {
        // Computed normals of narrow triangles change much if their points barely move. Stored ones are fields too.
        tolerance.is_none() && normal(left, at) != normal(right, at)
            || left.colors.get(at) != right.colors.get(at)
            || left.second_colors.get(at) != right.second_colors.get(at)
            || left.uv_sets.len() != right.uv_sets.len()
            || left.uv_sets.iter().zip(&right.uv_sets).any(|(a, b)| !are_equal(&uv(a, at), &uv(b, at), tolerance))
    };
    (0..count).filter(|at| differs(*at)).count()
}

fn weighted_points(left: &Mesh, right: &Mesh, tolerance: Option<f32>) -> usize {
    let influences = |mesh: &'_ Mesh, point: usize| -> (Vec<u32>, Vec<f32>) {
        let of = mesh.skin.as_ref().map(|skin| skin.influences_of(point)).unwrap_or_default();
        of.iter().map(|influence| (influence.joint, influence.weight)).unzip()
    };
    let differs = |point: usize| {
        let ((joints, weights), (others, other_weights)) = (influences(left, point), influences(right, point));
        joints != others || !are_equal(&weights, &other_weights, tolerance)
    };
    (0..left.points.len()).filter(|point| differs(*point)).count()
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
        let found =
            ModelDifference::of(&left, &model(&[Vec3::ZERO, Vec3::X * 4.0, Vec3::new(f32::NAN, 0.0, 0.0)]), None);
        assert_eq!((found.moved_points, found.largest_distance), (2, 3.0));
        let near = model(&[Vec3::ZERO, Vec3::X * 1.25, Vec3::Y]);
        assert!(ModelDifference::of(&left, &near, Some(0.25)).is_same());
        assert_eq!(ModelDifference::of(&left, &near, Some(0.125)).moved_points, 1);
        assert!(ModelDifference::of(&left, &left, None).is_same());
        let found = ModelDifference::of(&left, &model(&[Vec3::X]), None);
        assert_eq!((found.points, found.moved_points), ([3, 1], 0));
        assert!(!found.is_same());
    }

    #[test]
    fn what_is_seen_counts_besides_the_points() {
        let left = model(&[Vec3::ZERO, Vec3::X, Vec3::Y]);
        let change = |how: &dyn Fn(&mut Mesh)| {
            let mut other = left.clone();
            how(&mut other.meshes[0]);
            other
        };
        let with = |mesh: &mut Mesh| {
            mesh.vertex_points = vec![0, 1, 2];
            mesh.indices = vec![0, 1, 2];
            mesh.uv_sets = vec![vec![Vec2::ZERO; 3]];
        };
        let left = change(&with);
        let right = change(&|mesh| {
            with(mesh);
            mesh.uv_sets[0][1] = Vec2::X;
            mesh.indices = vec![0, 2, 1];
        });
        let found = ModelDifference::of(&left, &right, None);
        assert_eq!((found.other_vertices, found.other_triangles, found.moved_points), (1, 1, 0));
        assert!(!found.is_same());
        assert!(ModelDifference::of(&left, &left, None).is_same());
    }
}
