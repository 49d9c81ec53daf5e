//! Shapes of lines in a level: circles, spheres, cones, cylinders, arrows.

use crate::gpu::Line;
use glam::Vec3;
use std::f32::consts::TAU;

/// How lines are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub color: [u8; 4],
    pub width_px: f32,
    pub over: bool,
}

impl Pen {
    pub(super) fn line(&self, from: Vec3, to: Vec3) -> Line {
        Line { ends: [from, to], color: self.color, width_px: self.width_px, over: self.over }
    }

    /// A circle about a point: `a` and `b` are two of its radii, at right angles.
    pub(super) fn circle(&self, middle: Vec3, a: Vec3, b: Vec3, segments: u32) -> Vec<Line> {
        let at = |index: u32| {
            let angle = TAU * index as f32 / segments.max(1) as f32;
            middle + a * angle.cos() + b * angle.sin()
        };
        (0..segments).map(|index| self.line(at(index), at(index + 1))).collect()
    }

    /// Three circles, one in each plane.
    pub(super) fn sphere(&self, middle: Vec3, radius: f32, segments: u32) -> Vec<Line> {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * radius);
        [(x, z), (x, y), (y, z)].into_iter().flat_map(|(a, b)| self.circle(middle, a, b, segments)).collect()
    }

    /// A cone from its tip, by half its angle, that ends where a sphere of this radius does: four lines and the rim.
    pub(super) fn cone(&self, tip: Vec3, along: Vec3, half_angle: f32, reach: f32, segments: u32) -> Vec<Line> {
        let along = along.normalize_or(Vec3::NEG_Y);
        let (a, b) = along.any_orthonormal_pair();
        let half_angle = half_angle.clamp(0.0, std::f32::consts::PI);
        let (middle, radius) = (tip + along * (reach * half_angle.cos()), reach * half_angle.sin());
        let sides = [a, b, -a, -b].map(|side| self.line(tip, middle + side * radius));
        sides.into_iter().chain(self.circle(middle, a * radius, b * radius, segments)).collect()
    }

    /// An upright cylinder: both ends and four lines between them.
    pub(super) fn cylinder(&self, middle: Vec3, radius: f32, half_height: f32, segments: u32) -> Vec<Line> {
        let (x, z, up) = (Vec3::X * radius, Vec3::Z * radius, Vec3::Y * half_height);
        let sides = [x, z, -x, -z].map(|side| self.line(middle + side - up, middle + side + up));
        let ends = [middle - up, middle + up].into_iter().flat_map(|end| self.circle(end, x, z, segments));
        sides.into_iter().chain(ends).collect()
    }

    /// A line with two barbs at its end, which are no longer than `barb`.
    pub(super) fn arrow(&self, from: Vec3, to: Vec3, barb: f32) -> [Line; 3] {
        let way = to - from;
        let along = way.normalize_or_zero();
        let side = along.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let length = barb.min(way.length() * 0.3);
        let tail = |side: Vec3| to - along * length + side * (length * 0.5);
        [self.line(from, to), self.line(to, tail(side)), self.line(to, tail(-side))]
    }

    /// Three lines through a point, along the axes.
    pub(super) fn cross(&self, at: Vec3, reach: f32) -> [Line; 3] {
        [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| self.line(at - axis * reach, at + axis * reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_PI_6;

    const PEN: Pen = Pen { color: [1, 2, 3, 4], width_px: 2.0, over: true };

    fn near(a: Vec3, b: Vec3) -> bool {
        a.distance(b) < 1e-4
    }

    #[test]
    fn round_shapes_close_and_keep_their_distance() {
        let middle = Vec3::new(1.0, 2.0, 3.0);
        let sphere = PEN.sphere(middle, 5.0, 16);
        assert_eq!(sphere.len(), 48);
        assert!(sphere.iter().flat_map(|line| line.ends).all(|end| (end.distance(middle) - 5.0).abs() < 1e-4));
        for circle in sphere.chunks(16) {
            assert!(circle.iter().zip(circle.iter().cycle().skip(1)).all(|(a, b)| near(a.ends[1], b.ends[0])));
        }
        assert_eq!((sphere[0].color, sphere[0].width_px, sphere[0].over), ([1, 2, 3, 4], 2.0, true));
        let cylinder = PEN.cylinder(middle, 2.0, 4.0, 8);
        assert_eq!(cylinder.len(), 20);
        assert!(cylinder.iter().flat_map(|line| line.ends).all(|end| {
            let away = end - middle;
            (away.y.abs() - 4.0).abs() < 1e-4 && (away.with_y(0.0).length() - 2.0).abs() < 1e-4
        }));
    }

    #[test]
    fn a_cone_ends_at_its_reach_within_its_angle() {
        let cone = PEN.cone(Vec3::ZERO, Vec3::Z * 9.0, FRAC_PI_6, 10.0, 12);
        assert_eq!(cone.len(), 16);
        for line in &cone {
            let end = line.ends[1];
            assert!((end.length() - 10.0).abs() < 1e-3 && (end.angle_between(Vec3::Z) - FRAC_PI_6).abs() < 1e-3);
        }
        assert!(PEN.cone(Vec3::ZERO, Vec3::ZERO, 9.0, 1.0, 4).iter().all(|l| l.ends.iter().all(|e| e.is_finite())));
    }

    #[test]
    fn an_arrow_ends_where_it_points_to() {
        let arrow = PEN.arrow(Vec3::ZERO, Vec3::X * 10.0, 2.0);
        assert_eq!(arrow[0].ends, [Vec3::ZERO, Vec3::X * 10.0]);
        assert!(near(arrow[1].ends[1], Vec3::new(8.0, 0.0, 1.0)) && near(arrow[2].ends[1], Vec3::new(8.0, 0.0, -1.0)));
        // Straight up, and to itself.
        assert!(PEN.arrow(Vec3::ZERO, Vec3::Y, 2.0).iter().all(|l| l.ends.iter().all(|e| e.is_finite())));
        assert!(PEN.arrow(Vec3::X, Vec3::X, 2.0).iter().all(|l| l.ends == [Vec3::X; 2]));
    }
}
