use super::KeyRule;
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// Converts numbers of the scene to a file's own axes. The commands, the window's numbers and the colours of its axes all use it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileAxes(pub Affine3A);

impl FileAxes {
    /// A matrix between two spaces of the scene, between the same two in the file's axes.
    pub fn matrix(self, matrix: Affine3A) -> Affine3A {
        self.0 * matrix * self.0.inverse()
    }

    /// Converts a direction of the scene; a translation has no effect.
    pub fn vector(self, vector: Vec3) -> Vec3 {
        self.0.transform_vector3(vector)
    }

    /// The same turn about the file's axes.
    pub fn rotation(self, rotation: Quat) -> Quat {
        let axes = self.0.matrix3;
        let vector = axes * Vec3A::new(rotation.x, rotation.y, rotation.z) * axes.determinant();
        Quat::from_xyzw(vector.x, vector.y, vector.z, rotation.w)
    }

    /// A key's rotation as the file stores it.
    pub fn stored_rotation(self, rule: KeyRule, rotation: Quat) -> Quat {
        match rule {
            KeyRule::Plain => self.rotation(rotation),
            KeyRule::InverseOnFirstJoint => self.rotation(rotation).conjugate(),
        }
    }

    /// Scales change axes but not sign.
    pub fn scale(self, scale: Vec3) -> Vec3 {
        let Mat3A { x_axis, y_axis, z_axis } = self.0.matrix3;
        Vec3::from(x_axis.abs() * scale.x + y_axis.abs() * scale.y + z_axis.abs() * scale.z)
    }

    /// Which of the file's axes runs along a direction of the scene, either way: 0, 1 or 2.
    pub fn along(self, direction: Vec3) -> usize {
        self.vector(direction).abs().max_position()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (x, y, z) of the file is (x, z, −y) of the scene.
    const Z_UP: FileAxes = FileAxes(Affine3A {
        matrix3: Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::new(0.0, -1.0, 0.0)),
        translation: Vec3A::ZERO,
    });

    #[test]
    fn rotations_and_scales_change_axes_as_matrices_do() {
        let mirrored = FileAxes(Affine3A::from_scale(Vec3::new(1.0, -1.0, 1.0)) * Z_UP.0);
        let rotation = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
        let scale = Vec3::new(2.0, 3.0, 5.0);
        for axes in [FileAxes::default(), Z_UP, mirrored] {
            let expected = axes.matrix(Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::ZERO));
            let turned = axes.rotation(rotation);
            let found = Affine3A::from_scale_rotation_translation(axes.scale(scale), turned, Vec3::ZERO);
            assert!(found.abs_diff_eq(expected, 1e-6), "{axes:?}: {found:?} for {expected:?}");
            assert_eq!(axes.stored_rotation(KeyRule::InverseOnFirstJoint, rotation), turned.conjugate());
        }
    }

    #[test]
    fn a_file_with_z_up_has_its_own_numbers() {
        // The file's (1, 2, 3): 3 upwards, which is the scene's Y; 2 away from its Z.
        let place = Vec3::new(1.0, 3.0, -2.0);
        assert_eq!(Z_UP.vector(place), Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(Z_UP.matrix(Affine3A::from_translation(place)).translation, Vec3A::new(1.0, 2.0, 3.0));
        assert_eq!(Z_UP.scale(Vec3::new(4.0, 6.0, 5.0)), Vec3::new(4.0, 5.0, 6.0));
        // A turn about what points up is one about Z.
        let turned = Z_UP.rotation(Quat::from_xyzw(0.0, 0.6, 0.0, 0.8));
        assert_eq!(turned, Quat::from_xyzw(0.0, 0.0, 0.6, 0.8));
        assert_eq!([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Z_UP.along(axis)), [0, 2, 1]);
        assert_eq!([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| FileAxes::default().along(axis)), [0, 1, 2]);
    }
}
