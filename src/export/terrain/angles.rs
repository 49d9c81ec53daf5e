use crate::scene::exact;
use glam::{Affine3A, Vec3};

/// How a thing on the ground is turned, in degrees, as Terrain Builder counts: first by `yaw`, then by `pitch` about the line to
/// the east, then by `roll` about the line to the north.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// Clockwise from north, seen from above; from 0 to below 360.
    pub yaw: f32,
    /// What points north goes up.
    pub pitch: f32,
    /// What points east goes down.
    pub roll: f32,
    /// It is also turned inside out, which no angle says.
    pub mirrored: bool,
}

/// What counts as straight up.
const STRAIGHT: f32 = 1.0 - 1e-6;

/// The turn of a placement in scene space; `None` for one that has none: it is flat or not finite.
pub fn angles(world_from_prop: &Affine3A) -> Option<Angles> {
    let matrix = &world_from_prop.matrix3;
    // East, up, north: north is −Z in the scene, and what a thing faces is its own −Z.
    let in_file = |v: glam::Vec3A| Vec3::new(v.x, v.y, -v.z).try_normalize();
    let (aside, up, facing) = (in_file(matrix.x_axis)?, in_file(matrix.y_axis)?, in_file(-matrix.z_axis)?);
    let determinant = matrix.determinant();
    if !determinant.is_finite() || determinant == 0.0 {
        return None;
    }
    let pitch = exact::asin((-up.z).clamp(-1.0, 1.0));
    let (yaw, pitch, roll) = if up.z.abs() > STRAIGHT {
        // Yaw and roll are one turn then.
        (exact::atan2(facing.x, aside.x), pitch, 0.0)
    } else {
        (exact::atan2(-aside.z, facing.z), pitch, exact::atan2(up.x, up.y))
    };
    let mirrored = determinant < 0.0;
    Some(Angles {
        yaw: compass(yaw.to_degrees()),
        pitch: no_sign(pitch.to_degrees()),
        roll: no_sign(roll.to_degrees()),
        mirrored,
    })
}

/// Degrees from 0 to below 360.
pub fn compass(degrees: f32) -> f32 {
    let turned = degrees.rem_euclid(360.0);
    // A tiny negative angle is rounded to the whole turn.
    if turned >= 360.0 { 0.0 } else { no_sign(turned) }
}

/// A zero without a sign.
fn no_sign(number: f32) -> f32 {
    number + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat3A, Quat, Vec3A};

    /// What the angles mean, in scene space: X east, Y up, −Z north.
    fn turned(yaw: f32, pitch: f32, roll: f32) -> Affine3A {
        let turn = |axis: Vec3, degrees: f32| Quat::from_axis_angle(axis, degrees.to_radians());
        // Clockwise from above; north goes up about the east; east goes down about the north.
        let q = turn(Vec3::NEG_Z, roll) * turn(Vec3::X, pitch) * turn(Vec3::NEG_Y, yaw);
        Affine3A::from_scale_rotation_translation(Vec3::splat(1.5), q, Vec3::new(5.0, 6.0, 7.0))
    }

    #[test]
    fn turns_are_found_again() {
        for (yaw, pitch, roll) in [(0.0, 0.0, 0.0), (90.0, 0.0, 0.0), (300.0, 20.0, -35.0), (181.0, -60.0, 120.0)] {
            let found = angles(&turned(yaw, pitch, roll)).unwrap();
            let near = |a: f32, b: f32| (a - b).abs() < 1e-3;
            assert!(near(found.yaw, yaw) && near(found.pitch, pitch) && near(found.roll, roll), "{found:?}");
            assert!(!found.mirrored);
        }
    }

    #[test]
    fn signs_are_those_of_the_axes() {
        // The north end of what is pitched is higher, the east end of what is rolled is lower.
        let north = turned(0.0, 30.0, 0.0).matrix3 * Vec3A::NEG_Z;
        assert!(north.y > 0.5 && angles(&turned(0.0, 30.0, 0.0)).unwrap().pitch > 29.9);
        let east = turned(0.0, 0.0, 30.0).matrix3 * Vec3A::X;
        assert!(east.y < -0.5 && angles(&turned(0.0, 0.0, 30.0)).unwrap().roll > 29.9);
        let facing = turned(90.0, 0.0, 0.0).matrix3 * Vec3A::NEG_Z;
        assert!(facing.x > 1.4, "faces east: {facing}");
    }

    #[test]
    fn what_stands_on_end_still_has_one_turn() {
        let place = turned(40.0, 90.0, 0.0);
        let found = angles(&place).unwrap();
        let again = turned(found.yaw, found.pitch, found.roll);
        let away = |a: Vec3A, b: Vec3A| (a - b).length();
        let (a, b): (Mat3A, Mat3A) = (place.matrix3, again.matrix3);
        assert!(away(a.x_axis, b.x_axis) + away(a.y_axis, b.y_axis) + away(a.z_axis, b.z_axis) < 1e-2, "{found:?}");
    }

    #[test]
    fn flat_and_mirrored_placements_are_told() {
        assert_eq!(angles(&Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0))), None);
        assert_eq!(angles(&Affine3A::from_scale(Vec3::splat(f32::NAN))), None);
        assert!(angles(&Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0))).unwrap().mirrored);
        assert_eq!((compass(-1e-9), compass(-90.0), compass(720.0)), (0.0, 270.0, 0.0));
    }
}
