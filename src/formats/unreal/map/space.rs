//! Unreal's space to scene space (formats/unreal.md §8.4, §9.4).
//!
//! Unreal is left-handed: X forward, Y right, Z up. The scene is right-handed with Y up: Unreal's `(x, y, z)` is the scene's
//! `(x, z, y)`. That is where ActorX models of the same game end up too, since their files mirror Y first. Swapping two axes
//! mirrors, so triangles that are clockwise in Unreal are counter-clockwise here.

use crate::{formats::unreal::properties::PropertyValue, scene::exact};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

/// A point or a direction.
pub fn point([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, y)
}

/// Its own inverse.
pub fn scene_from_unreal() -> Mat3A {
    Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::Y)
}

/// The inverse of [`point`] as a matrix.
pub fn file_from_scene() -> Affine3A {
    Affine3A { matrix3: scene_from_unreal(), translation: Vec3A::ZERO }
}

/// Radians of so many of a rotator's units, whole turns counted.
pub fn turns(units: i32) -> f32 {
    units as f32 * (std::f32::consts::TAU / 65536.0)
}

/// Radians of a rotator's unit.
fn radians(units: i32) -> f32 {
    // The low 16 bits are the angle; what is above counts whole turns.
    turns(units & 0xFFFF)
}

/// What a rotator (pitch, yaw, roll) does to vectors of Unreal space: it rolls about X, then pitches, then yaws about Z.
pub fn rotation([pitch, yaw, roll]: [i32; 3]) -> Mat3A {
    let [(sp, cp), (sy, cy), (sr, cr)] = [pitch, yaw, roll].map(|angle| exact::sin_cos(radians(angle)));
    Mat3A::from_cols(
        Vec3A::new(cp * cy, cp * sy, sp),
        Vec3A::new(sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp),
        Vec3A::new(-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp),
    )
}

/// As [`rotation`], of vectors of the scene.
pub fn scene_rotation(units: [i32; 3]) -> Quat {
    Quat::from_mat3a(&(scene_from_unreal() * rotation(units) * scene_from_unreal()))
}

/// The scene's yaw, from +Z towards +X, of an Unreal yaw, from X towards Y.
pub fn scene_yaw(units: i32) -> f32 {
    // Unreal's X is the scene's X, its Y the scene's Z.
    std::f32::consts::FRAC_PI_2 - radians(units)
}

/// Factors along the axes and a shear: what `Scale` properties hold.
pub fn scale(members: &[(String, PropertyValue)]) -> Mat3A {
    let find = |name: &str| members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    let factors = match find("Scale") {
        Some(PropertyValue::Vector(factors)) => *factors,
        _ => [1.0; 3],
    };
    let rate = match find("SheerRate") {
        Some(PropertyValue::Float(rate)) => *rate,
        _ => 0.0,
    };
    let axis = match find("SheerAxis") {
        Some(PropertyValue::Byte(axis)) => *axis,
        _ => 0,
    };
    // XY, XZ, YX, YZ, ZX, ZY: the first axis gains of the second.
    let mut sheer = Mat3A::IDENTITY;
    match axis {
        1 => sheer.y_axis.x = rate,
        2 => sheer.z_axis.x = rate,
        3 => sheer.x_axis.y = rate,
        4 => sheer.z_axis.y = rate,
        5 => sheer.x_axis.z = rate,
        6 => sheer.y_axis.z = rate,
        _ => {}
    }
    sheer * Mat3A::from_diagonal(Vec3::from(factors))
}

/// Where an actor with a brush puts it: `Location + PostScale(Rotation(MainScale(v − PrePivot)))`, in scene space on both
/// sides. `None` when a number in it is not finite.
pub fn world_from_brush(
    location: [f32; 3],
    post_scale: Mat3A,
    rotator: [i32; 3],
    main_scale: Mat3A,
    pre_pivot: [f32; 3],
) -> Option<Affine3A> {
    let matrix = post_scale * rotation(rotator) * main_scale;
    let translation = Vec3A::from(location) - matrix * Vec3A::from(pre_pivot);
    let swap = scene_from_unreal();
    let world = Affine3A { matrix3: swap * matrix * swap, translation: swap * translation };
    world.is_finite().then_some(world)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER: i32 = 16384;

    fn unreal(matrix: Mat3A, v: [f32; 3]) -> [f32; 3] {
        (matrix * Vec3A::from(v)).to_array().map(|x| (x * 1000.0).round() / 1000.0)
    }

    #[test]
    fn rotators_turn_the_axes_as_the_engine_does() {
        assert_eq!(unreal(rotation([0, QUARTER, 0]), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
        assert_eq!(unreal(rotation([QUARTER, 0, 0]), [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
        assert_eq!(unreal(rotation([0, 0, QUARTER]), [0.0, 1.0, 0.0]), [0.0, 0.0, -1.0]);
        // Pitch comes before yaw: X goes up and stays there.
        assert_eq!(unreal(rotation([QUARTER, QUARTER, 0]), [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
        assert_eq!(unreal(rotation([0, 65536 + QUARTER, 0]), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn a_mover_stands_where_hand_arithmetic_puts_it() {
        // v − PrePivot = (10, 0, 0); MainScale doubles X: (20, 0, 0); a yaw of 90° makes it (0, 20, 0); PostScale trebles Y:
        // (0, 60, 0); Location adds (100, 200, 300): (100, 260, 300), which in the scene is (100, 300, 260).
        let world = world_from_brush(
            [100.0, 200.0, 300.0],
            Mat3A::from_diagonal(Vec3::new(1.0, 3.0, 1.0)),
            [0, QUARTER, 0],
            Mat3A::from_diagonal(Vec3::new(2.0, 1.0, 1.0)),
            [5.0, 6.0, 7.0],
        )
        .unwrap();
        let placed = world.transform_point3(point([15.0, 6.0, 7.0]));
        assert!(placed.distance(Vec3::new(100.0, 300.0, 260.0)) < 1e-3, "{placed}");
    }

    #[test]
    fn a_yaw_faces_the_same_way_in_the_scene() {
        for yaw in [0, 8192, QUARTER, 40000] {
            let forward = point((rotation([0, yaw, 0]) * Vec3A::X).to_array());
            let (sin, cos) = scene_yaw(yaw).sin_cos();
            assert!(forward.distance(Vec3::new(sin, 0.0, cos)) < 1e-4, "{yaw}");
        }
    }

    #[test]
    fn both_families_put_a_point_at_the_same_place() {
        // An ActorX file has Unreal's (1, 2, 3) as (1, −2, 3), which its reader puts at (1, 3, 2).
        assert_eq!(point([1.0, 2.0, 3.0]), Vec3::new(1.0, 3.0, 2.0));
    }
}
