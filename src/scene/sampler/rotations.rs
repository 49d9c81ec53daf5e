//! Vectors and rotations between two keys (formats/charpipe.md §8). `blend` goes from 0 at the earlier key to 1 at the
//! later one.

use super::{BezierKey, EasedKey, SquadKey};
use crate::scene::exact;
use glam::{Quat, Vec3};

/// A cubic over the keys and their control points.
pub fn bezier(from: &BezierKey, to: &BezierKey, blend: f32) -> Vec3 {
    if blend <= 0.0 {
        return from.value;
    }
    let (left, right) = (from.value + from.control_out, to.value + to.control_in);
    let rest = 1.0 - blend;
    from.value * (rest * rest * rest)
        + left * (3.0 * rest * rest * blend)
        + right * (3.0 * rest * blend * blend)
        + to.value * (blend * blend * blend)
}

/// A cubic with the keys' slopes; the way along it is eased first.
pub fn hermite(from: &EasedKey, to: &EasedKey, blend: f32) -> Vec3 {
    if blend <= 0.0 {
        return from.value;
    }
    let u = eased(blend, from.ease_out, to.ease_in);
    let (u2, u3) = (u * u, u * u * u);
    from.value * (2.0 * u3 - 3.0 * u2 + 1.0)
        + to.value * (3.0 * u2 - 2.0 * u3)
        + from.tangent_out * (u3 - 2.0 * u2 + u)
        + to.tangent_in * (u3 - u2)
}

/// How far along the way is after `u` of the time: it gathers speed over the first `start` of the time and slows down over the
/// last `end` of it. Shares that make more than the whole together are made smaller.
fn eased(u: f32, start: f32, end: f32) -> f32 {
    let (start, end) = (start.max(0.0), end.max(0.0));
    let sum = start + end;
    if sum <= 0.0 || sum.is_nan() {
        return u;
    }
    let shrink = if sum > 1.0 { sum.recip() } else { 1.0 };
    let (start, end) = (start * shrink, end * shrink);
    let speed = 1.0 / (2.0 - start - end);
    if u < start {
        speed / start * u * u
    } else if u < 1.0 - end || end <= 0.0 {
        speed * (2.0 * u - start)
    } else {
        1.0 - speed / end * (1.0 - u) * (1.0 - u)
    }
}

/// How fast an eased way begins, where 1 is the speed of one that is not eased; its end is the same the other way round.
pub fn speed_at_start(start: f32, end: f32) -> f32 {
    // At so small a share of the time the speed is still that of the start.
    const SOON: f32 = 1.0 / 1024.0;
    if start > 0.0 { 0.0 } else { eased(SOON, start, end) / SOON }
}

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

    #[test]
    fn a_cubic_over_control_points_is_bernsteins() {
        let key = |x, control_in, control_out| BezierKey {
            value: Vec3::X * x,
            control_in: Vec3::X * control_in,
            control_out: Vec3::X * control_out,
        };
        // Control points 0, 4, 2, 8: at 1/2 it is (0 + 3·4 + 3·2 + 8) / 8; at 1/4 (27·0 + 27·4 + 9·2 + 8) / 64.
        let (from, to) = (key(0.0, 99.0, 4.0), key(8.0, -6.0, 99.0));
        assert_eq!(bezier(&from, &to, 0.5).x, 3.25);
        assert_eq!(bezier(&from, &to, 0.25).x, 134.0 / 64.0);
        assert_eq!([0.0, 1.0].map(|u| bezier(&from, &to, u).x), [0.0, 8.0]);
    }

    #[test]
    fn slopes_count_for_a_segment_of_length_one() {
        let key = |x, tangent_in, tangent_out| EasedKey {
            value: Vec3::Y * x,
            tangent_in: Vec3::Y * tangent_in,
            tangent_out: Vec3::Y * tangent_out,
            ..EasedKey::default()
        };
        // At 1/2: 10/2 + 30/2 + 8/8 − 4/8; at 1/4: 27/32·10 + 5/32·30 + 9/64·8 − 3/64·4.
        let (from, to) = (key(10.0, 99.0, 8.0), key(30.0, 4.0, 99.0));
        assert_eq!(hermite(&from, &to, 0.5).y, 20.5);
        assert_eq!(hermite(&from, &to, 0.25).y, 8.4375 + 4.6875 + 1.125 - 0.1875);
        assert_eq!([0.0, 1.0].map(|u| hermite(&from, &to, u).y), [10.0, 30.0]);
    }

    #[test]
    fn eases_slow_down_what_they_are_told_to() {
        // Nothing to ease.
        assert_eq!(eased(0.3, 0.0, 0.0), 0.3);
        // Halves at both ends: k = 1, parabolas that meet in the middle.
        assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(|u| eased(u, 0.5, 0.5)), [0.0, 0.125, 0.5, 0.875, 1.0]);
        // A quarter at both ends: k = 2/3; at 1/8 it is k/a·u² = 8/3/64, at 1/2 k·(1 − 1/4), at 7/8 the mirror of 1/8.
        let found = [0.125, 0.5, 0.875].map(|u| eased(u, 0.25, 0.25));
        for (found, wanted) in found.into_iter().zip([1.0 / 24.0, 0.5, 23.0 / 24.0]) {
            assert!((found - wanted).abs() < 1e-6, "{found} for {wanted}");
        }
        // One end alone: k = 1/(2 − 1/2).
        assert!((eased(0.25, 0.5, 0.0) - (2.0 / 3.0) / 0.5 / 16.0).abs() < 1e-6);
        assert_eq!(eased(1.0, 0.5, 0.0), 1.0);
        assert!((eased(0.25, 0.0, 0.5) - (2.0 / 3.0) * 0.5).abs() < 1e-6);
        assert_eq!(eased(0.0, 0.0, 0.5), 0.0);
        // More than the whole is made the whole.
        assert_eq!(eased(0.25, 2.0, 2.0), 0.125);
        assert_eq!(eased(0.25, f32::NAN, f32::NAN), 0.25, "NaN is read as no easing");
    }

    #[test]
    fn the_way_out_of_the_earlier_key_and_into_the_later_one_is_eased() {
        let key = |x, ease_in, ease_out| EasedKey { value: Vec3::X * x, ease_in, ease_out, ..EasedKey::default() };
        // Half at both ends: at 1/4 of the time an eighth of the way, where 3u² − 2u³ = 3/64 − 2/512.
        let value = hermite(&key(0.0, 0.9, 0.5), &key(512.0, 0.5, 0.9), 0.25).x;
        assert_eq!(value, 22.0);
    }

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
