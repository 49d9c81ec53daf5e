use super::Billboard;
use glam::{Affine3A, Mat3A, Vec3A};

impl Billboard {
    /// A matrix that keeps its place and its sizes and faces the camera (formats/j3d.md §6.7).
    pub fn turned(self, matrix: Affine3A, view_from_model: &Affine3A) -> Affine3A {
        let seen = *view_from_model * matrix;
        let [x, y, z] = [seen.matrix3.x_axis, seen.matrix3.y_axis, seen.matrix3.z_axis].map(Vec3A::length);
        let up = match self {
            Self::None => return matrix,
            Self::Full => Vec3A::Y,
            Self::UprightY => seen.matrix3.y_axis.normalize_or(Vec3A::Y),
        };
        let ahead = Vec3A::X.cross(up).normalize_or(Vec3A::Z);
        let matrix3 = Mat3A::from_cols(Vec3A::X * x, up * y, ahead * z);
        view_from_model.inverse() * Affine3A { matrix3, translation: seen.translation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    #[test]
    fn a_billboard_keeps_place_and_size_and_faces_the_camera() {
        let view = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(1.0, 2.0, -9.0));
        let matrix = Affine3A::from_scale_rotation_translation(
            Vec3::new(1.0, 2.0, 3.0),
            Quat::from_rotation_x(0.4),
            Vec3::new(5.0, 6.0, 7.0),
        );
        let seen = view * Billboard::Full.turned(matrix, &view);
        let expected = Mat3A::from_diagonal(Vec3::new(1.0, 2.0, 3.0));
        assert!(seen.matrix3.abs_diff_eq(expected, 1e-5), "{seen:?}");
        assert!(seen.translation.abs_diff_eq((view * matrix).translation, 1e-4));
    }

    #[test]
    fn an_upright_one_turns_about_its_own_axis() {
        let view = Affine3A::from_translation(Vec3::new(0.0, 0.0, -9.0));
        let matrix = Affine3A::from_rotation_y(1.2) * Affine3A::from_rotation_z(0.3);
        let seen = view * Billboard::UprightY.turned(matrix, &view);
        let own = (view * matrix).matrix3.y_axis;
        assert!(seen.matrix3.y_axis.abs_diff_eq(own, 1e-5));
        assert!(seen.matrix3.x_axis.abs_diff_eq(Vec3A::X, 1e-5));
        assert!(seen.matrix3.z_axis.dot(own).abs() < 1e-5);
    }
}
