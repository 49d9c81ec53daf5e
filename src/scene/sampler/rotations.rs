//! Rotations between two keys (formats/charpipe.md §8). `blend` goes from 0 at the earlier key to 1 at the later one.

use super::{SquadKey, vectors::eased};
use crate::scene::exact;
use glam::{Quat, Vec3};

/// Cosines nearer to 1 or −1 than this are taken for them.
const NEAR: f32 = 1e-6;

/// From one rotation to the next as they stand, without turning to the shorter arc; not of unit length where the keys are not.
/// Rotations that are nearly equal are blended in a line; towards one that is opposite, the way goes a quarter turn to one that
/// is perpendicular to it, as the library's own does.
pub fn slerp(from: Quat, to: Quat, blend: f32) -> Quat {
    let cosine = from.dot(to);
    if 1.0 + cosine > NEAR {
        if 1.0 - cosine <= NEAR {
            return from * (1.0 - blend) + to * blend;
        }
        let angle = exact::acos(cosine);
        let share = exact::sin(angle).recip();
        return from * (exact::sin(angle - blend * angle) * share) + to * (exact::sin(blend * angle) * share);
    }
    let across = Quat::from_xyzw(-to.y, to.x, -to.w, to.z);
    let angle = blend * std::f32::consts::FRAC_PI_2;
    let (sine, cosine) = exact::sin_cos(angle);
    from * cosine + across * sine
}

/// Between two rotations by their control rotations; the way along is eased first.
pub fn squad(from: &SquadKey, to: &SquadKey, blend: f32) -> Quat {
    if blend <= 0.0 {
        return from.value;
    }
    let u = eased(blend, from.ease_out, to.ease_in);
    let outer = slerp(from.value, to.value, u);
    let inner = slerp(from.control_out, to.control_in, u);
    slerp(outer, inner, 2.0 * u * (1.0 - u))
}

/// Degrees between two keys, each angle on its short way.
pub fn short_way(from: Vec3, to: Vec3, blend: f32) -> Vec3 {
    let mut out = Vec3::ZERO;
    for axis in 0..3 {
        let (mut a, mut b) = (from[axis], to[axis]);
        if a - b > 180.0 {
            a -= 360.0;
        } else if a - b < -180.0 {
            b -= 360.0;
        }
        out[axis] = a * (1.0 - blend) + b * blend;
    }
    out
}

/// `Rz · Ry · Rx`; nothing for angles that are none.
pub fn of_degrees(angles: Vec3) -> Quat {
    let radians = angles * std::f32::consts::PI / 180.0;
    if radians.is_finite() { exact::rotation_zyx(radians.z, radians.y, radians.x) } else { Quat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(degrees: f32) -> Quat {
        Quat::from_rotation_z(degrees.to_radians())
    }

    #[track_caller]
    fn is_near(found: Quat, wanted: Quat) {
        assert!(found.abs_diff_eq(wanted, 1e-6), "{found} for {wanted}");
    }

    #[test]
    fn arcs_are_gone_at_constant_speed_and_never_turned_over() {
        is_near(slerp(turned(0.0), turned(90.0), 1.0 / 3.0), turned(30.0));
        // The same rotation with the other sign is the long way round: 270 degrees backwards.
        is_near(slerp(turned(0.0), -turned(90.0), 1.0 / 3.0), turned(-90.0));
        is_near(slerp(turned(0.0), turned(270.0), 1.0 / 3.0), turned(90.0));
    }

    #[test]
    fn equal_rotations_blend_in_a_line_and_opposite_ones_leave_by_a_quarter() {
        let near = Quat::from_xyzw(0.0, 0.0, 0.0004, 1.0);
        assert_eq!(slerp(Quat::IDENTITY, near, 0.5), Quat::from_xyzw(0.0, 0.0, 0.0002, 1.0));
        // Opposite to (0, 0, 0, 1): its perpendicular is (0, 0, 1, 0), that is (−y, x, −w, z) of (0, 0, 0, −1).
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let found = [0.0, 0.5, 1.0].map(|u| slerp(Quat::IDENTITY, -Quat::IDENTITY, u));
        for (found, wanted) in found.into_iter().zip([[0.0, 1.0], [half, half], [1.0, 0.0]]) {
            is_near(found, Quat::from_xyzw(0.0, 0.0, wanted[0], wanted[1]));
        }
        let (a, b) = (Quat::from_xyzw(0.5, 0.5, 0.5, 0.5), Quat::from_xyzw(-0.5, -0.5, -0.5, -0.5));
        is_near(slerp(a, b, 1.0), Quat::from_xyzw(0.5, -0.5, 0.5, -0.5));
    }

    fn key(value: f32, control_in: f32, control_out: f32) -> SquadKey {
        SquadKey {
            value: turned(value),
            control_in: turned(control_in),
            control_out: turned(control_out),
            ..SquadKey::default()
        }
    }

    #[test]
    fn control_rotations_pull_the_way_aside() {
        let (from, to) = (key(0.0, 77.0, 40.0), key(90.0, 70.0, 77.0));
        // About one axis angles add up. At 1/2: 45 and 55, half of the way between. At 1/4: 22.5 and 47.5, 3/8 of the way.
        is_near(squad(&from, &to, 0.5), turned(50.0));
        is_near(squad(&from, &to, 0.25), turned(22.5 + 25.0 * 0.375));
        is_near(squad(&from, &to, 0.0), turned(0.0));
        is_near(squad(&from, &to, 1.0), turned(90.0));
    }

    #[test]
    fn the_way_between_rotations_can_be_eased() {
        let from = SquadKey { ease_in: 0.9, ease_out: 0.5, ..key(0.0, 0.0, 0.0) };
        let to = SquadKey { ease_in: 0.5, ease_out: 0.9, ..key(64.0, 64.0, 64.0) };
        // An eighth of the way after a quarter of the time; both arcs are the same one.
        is_near(squad(&from, &to, 0.25), turned(8.0));
    }

    #[test]
    fn angles_go_the_short_way_round() {
        let way = |a: f32, b: f32, u| short_way(Vec3::splat(a), Vec3::splat(b), u).y;
        assert_eq!([0.0, 0.25, 0.75, 1.0].map(|u| way(350.0, 30.0, u)), [-10.0, 0.0, 20.0, 30.0]);
        assert_eq!([0.0, 0.5, 1.0].map(|u| way(30.0, 350.0, u)), [30.0, 10.0, -10.0]);
        assert_eq!(way(0.0, 180.0, 0.5), 90.0, "half a turn is short enough");
        let mixed = short_way(Vec3::new(10.0, 350.0, 0.0), Vec3::new(20.0, 10.0, -90.0), 0.5);
        assert_eq!(mixed, Vec3::new(15.0, 0.0, -45.0), "angle by angle");
    }

    #[test]
    fn x_turns_first_and_z_last() {
        let found = of_degrees(Vec3::new(90.0, 0.0, 90.0)) * Vec3::Y;
        assert!(found.abs_diff_eq(Vec3::Z, 1e-6), "{found}");
        assert_eq!(of_degrees(Vec3::splat(f32::NAN)), Quat::IDENTITY);
    }
}
