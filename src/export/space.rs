//! How large models are written, and which axis of the file is up.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Factors that sizes can be written with.
pub const SCALES: RangeInclusive<f32> = 1e-6..=1e6;

/// The axis of a written file that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportUp {
    /// As glTF has it, and the scene.
    #[default]
    Y,
    /// As most of the games have it. The file stays right-handed.
    Z,
}

impl ExportUp {
    pub const ALL: [Self; 2] = [Self::Y, Self::Z];

    /// As the command line names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Y => "y",
            Self::Z => "z",
        }
    }
}

/// The space that models, levels and landscapes are written in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportSpace {
    /// Units of the written file in a unit of the scene; one of [`SCALES`].
    pub scale: f32,
    pub up: ExportUp,
}

impl Default for ExportSpace {
    /// Sizes as they are, Y up.
    fn default() -> Self {
        Self { scale: 1.0, up: ExportUp::Y }
    }
}

impl ExportSpace {
    /// Places in the file from places in the scene.
    pub fn file_from_scene(self) -> Affine3A {
        let turn = match self.up {
            ExportUp::Y => Mat3A::IDENTITY,
            ExportUp::Z => Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::NEG_Y),
        };
        Affine3A::from_scale(Vec3::splat(self.scale)) * Affine3A { matrix3: turn, translation: Vec3A::ZERO }
    }

    /// The scale as a number whose digits are those that were asked for.
    pub fn decimal_scale(self) -> f64 {
        self.scale.to_string().parse().unwrap_or(f64::from(self.scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_becomes_the_axis_that_was_asked_for() {
        assert_eq!(ExportSpace::default().file_from_scene(), Affine3A::IDENTITY);
        let space = ExportSpace { scale: 0.5, up: ExportUp::Z };
        let place = space.file_from_scene().transform_point3(Vec3::new(2.0, 4.0, 6.0));
        assert_eq!(place, Vec3::new(1.0, -3.0, 2.0));
        assert!(space.file_from_scene().matrix3.determinant() > 0.0);
        assert_eq!(ExportSpace { scale: 0.01, ..space }.decimal_scale(), 0.01);
    }
}
