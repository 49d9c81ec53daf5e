//! From the twelve numbers of an object to its place in the scene (formats/visitor.md §1.5); worlds of the games use it too.
//!
//! Files are left-handed: X east, Y up, Z north. The scene has −Z for north, so both the world's and the object's Z are negated.

use crate::scene::exact;
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// How the twelve numbers of a transform lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TransformOrder {
    /// Three rows of four: each has a component of aside, up, dir and position.
    #[default]
    Row3x4,
    /// Aside, up, dir and position, of three components each.
    Cols4x3,
}

impl TransformOrder {
    pub const ALL: [Self; 2] = [Self::Row3x4, Self::Cols4x3];

    /// As JSON says it, and as an override names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Row3x4 => "row3x4",
            Self::Cols4x3 => "cols4x3",
        }
    }
}

/// Where something is and how it is turned, in the file's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// To its right, unit length times scale; so are the next two.
    pub aside: Vec3,
    pub up: Vec3,
    /// Ahead of it.
    pub dir: Vec3,
    /// East, up and north, in metres.
    pub position: Vec3,
}

impl Placement {
    pub fn of(numbers: [f32; 12], order: TransformOrder) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = numbers;
        match order {
            TransformOrder::Row3x4 => Self {
                aside: Vec3::new(a, e, i),
                up: Vec3::new(b, f, j),
                dir: Vec3::new(c, g, k),
                position: Vec3::new(d, h, l),
            },
            TransformOrder::Cols4x3 => Self {
                aside: Vec3::new(a, b, c),
                up: Vec3::new(d, e, f),
                dir: Vec3::new(g, h, i),
                position: Vec3::new(j, k, l),
            },
        }
    }

    pub fn is_finite(&self) -> bool {
        self.aside.is_finite() && self.up.is_finite() && self.dir.is_finite() && self.position.is_finite()
    }

    /// How far the axes are from being square to each other and equally long: 0 for a turned and scaled one.
    pub fn skew(&self) -> f32 {
        let [a, u, d] = [self.aside.length(), self.up.length(), self.dir.length()];
        let skew = self.aside.dot(self.up).abs()
            + self.up.dot(self.dir).abs()
            + self.dir.dot(self.aside).abs()
            + (a - u).abs()
            + (u - d).abs();
        if skew.is_finite() { skew } else { f32::INFINITY }
    }

    /// Whether the axes are what a turned and scaled thing has, roughly.
    pub fn is_upright_box(&self) -> bool {
        let scale = self.scale();
        (1e-3..=1e3).contains(&scale) && self.skew() <= 0.25 * scale.max(scale * scale)
    }

    /// How long the axes are.
    pub fn scale(&self) -> f32 {
        (self.aside.length() + self.up.length() + self.dir.length()) / 3.0
    }

    /// Radians clockwise from north.
    pub fn heading(&self) -> f32 {
        exact::atan2(self.dir.x, self.dir.z)
    }

    /// What puts a thing there, in the scene: its axes turn and shear as they are, `scale` is all there is of scaling, and it
    /// stands at the height `floor`. `None` without a finite extent.
    pub fn world_from_prop(&self, scale: f32, floor: f32) -> Option<Affine3A> {
        let own = self.scale();
        let factor = scale / own;
        if !self.is_finite() || !floor.is_finite() || own <= 1e-6 || !factor.is_finite() {
            return None;
        }
        let mirrored = |v: Vec3| Vec3A::new(v.x, v.y, -v.z) * factor;
        let matrix3 = Mat3A::from_cols(mirrored(self.aside), mirrored(self.up), -mirrored(self.dir));
        let translation = crate::scene::scene_from_ground(self.position.x, floor, self.position.z).into();
        Some(Affine3A { matrix3, translation })
    }
}

/// All that an object is scaled by. `relative` is its relative size, with 1 for the model's own: it is left out where the axes
/// have it already.
pub fn whole_scale(axes: f32, relative: f32) -> f32 {
    let has_it = (axes - relative).abs() <= 0.01 * relative.abs() && (relative - 1.0).abs() > 0.01;
    if has_it { relative.abs() } else { axes * relative.abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heading in degrees, as rows of four.
    fn rows(heading: f32, scale: f32, [x, y, z]: [f32; 3]) -> [f32; 12] {
        let (sin, cos) = heading.to_radians().sin_cos();
        let [s, c] = [sin * scale, cos * scale];
        [c, 0.0, s, x, 0.0, scale, 0.0, y, -s, 0.0, c, z]
    }

    #[test]
    fn a_heading_of_ninety_degrees_looks_east() {
        let placement = Placement::of(rows(90.0, 1.0, [100.0, 5.0, 200.0]), TransformOrder::Row3x4);
        assert!((placement.heading().to_degrees() - 90.0).abs() < 1e-4);
        let world = placement.world_from_prop(2.0, 5.0).unwrap();
        // What is ahead in the scene is −Z, what is right is +X.
        let ahead = world.transform_vector3(Vec3::NEG_Z);
        assert!((ahead - Vec3::X * 2.0).length() < 1e-5, "{ahead}");
        // To the right of east is south.
        let right = world.transform_vector3(Vec3::X);
        assert!((right - Vec3::Z * 2.0).length() < 1e-5, "{right}");
        assert!((world.transform_vector3(Vec3::Y) - Vec3::Y * 2.0).length() < 1e-5);
        assert_eq!(Vec3::from(world.translation), Vec3::new(100.0, 5.0, -200.0));
        // Nothing is mirrored.
        assert!((world.matrix3.determinant() - 8.0).abs() < 1e-4);
    }

    #[test]
    fn the_wrong_order_of_numbers_is_skewed() {
        let rows = rows(0.0, 1.0, [500.0, 20.0, 300.0]);
        assert_eq!(Placement::of(rows, TransformOrder::Row3x4).skew(), 0.0);
        assert!(Placement::of(rows, TransformOrder::Cols4x3).skew() > 100.0);
        let columns = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 500.0, 20.0, 300.0];
        assert_eq!(Placement::of(columns, TransformOrder::Cols4x3).skew(), 0.0);
        assert!(Placement::of(columns, TransformOrder::Row3x4).skew() > 100.0);
    }

    #[test]
    fn sizes_are_applied_once() {
        assert_eq!(whole_scale(1.0, 1.25), 1.25);
        assert_eq!(whole_scale(1.25, 1.25), 1.25);
        assert_eq!(whole_scale(1.25, 1.0), 1.25);
        assert_eq!(whole_scale(2.0, 1.5), 3.0);
    }

    #[test]
    fn what_is_nowhere_has_no_place() {
        let mut numbers = rows(0.0, 1.0, [0.0; 3]);
        numbers[3] = f32::NAN;
        assert_eq!(Placement::of(numbers, TransformOrder::Row3x4).world_from_prop(1.0, 0.0), None);
        assert_eq!(Placement::of([0.0; 12], TransformOrder::Row3x4).world_from_prop(1.0, 0.0), None);
    }
}
