//! File space and Unreal space to scene space (formats/actorx.md §4).
//!
//! The file is right-handed with Z up as a rule; the scene has Y up: file `(x, y, z)` is scene `(x, z, −y)`, a rotation by
//! which neither handedness nor winding changes. Unreal space mirrors the file's Y.

use crate::scene::exact;
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

pub fn point(file: [f32; 3]) -> Vec3 {
    let [x, y, z] = file;
    Vec3::new(x, z, -y)
}

/// A true rotation, x, y, z, w.
pub fn rotation(file: [f32; 4]) -> Quat {
    let [x, y, z, w] = file;
    Quat::from_xyzw(x, z, -y, w)
}

/// Factors along the axes.
pub fn scale(file: [f32; 3]) -> Vec3 {
    let [x, y, z] = file;
    Vec3::new(x, z, y)
}

/// The other way round: rotation for keys and bones besides the first, whose stored quaternion is the inverse.
pub fn inverse(file: [f32; 4]) -> [f32; 4] {
    let [x, y, z, w] = file;
    [-x, -y, -z, w]
}

/// Unreal's `(x, y, z)` is the file's `(x, −y, z)`.
pub fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -y, z]
}

/// An Unreal rotator (pitch, yaw, roll in degrees) as a true rotation in file space: x, y, z, w.
pub fn rotator(degrees: [f32; 3]) -> [f32; 4] {
    let [(sp, cp), (sy, cy), (sr, cr)] = degrees.map(|d| exact::sin_cos(d.to_radians() * 0.5));
    let x = cr * sp * sy - sr * cp * cy;
    let y = -cr * sp * cy - sr * cp * sy;
    let z = cr * cp * sy - sr * sp * cy;
    let w = cr * cp * cy + sr * sp * sy;
    [-x, y, -z, w]
}

/// The inverse of [`point`].
pub fn file_from_scene() -> Affine3A {
    Affine3A::from_mat3_translation(
        Mat3A::from_cols(Vec3A::X, Vec3A::new(0.0, 0.0, 1.0), Vec3A::new(0.0, -1.0, 0.0)).into(),
        Vec3::ZERO,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_undoes_the_way_in() {
        let file = [1.5, -2.0, 7.25];
        assert_eq!(file_from_scene().transform_point3(point(file)).to_array(), file);
    }

    #[test]
    fn rotations_turn_points_alike_in_both_spaces() {
        // 90° about the file's Z takes X to Y.
        let turn = rotation([0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2]);
        assert!((turn * point([1.0, 0.0, 0.0])).distance(point([0.0, 1.0, 0.0])) < 1e-6);
    }

    #[test]
    fn a_yaw_of_90_degrees_turns_unreal_x_to_unreal_y() {
        // In the file Unreal's Y is −Y.
        let turn = rotation(rotator([0.0, 90.0, 0.0]));
        assert!((turn * point([1.0, 0.0, 0.0])).distance(point([0.0, -1.0, 0.0])) < 1e-6);
        // A pitch of 90° lifts X up.
        let pitch = rotation(rotator([90.0, 0.0, 0.0]));
        assert!((pitch * point([1.0, 0.0, 0.0])).distance(point([0.0, 0.0, 1.0])) < 1e-6);
    }
}
