//! How large models are written, and which axis of the file is up.

use crate::formats::{FormatInfo, METRES_PER_UNREAL_UNIT};
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
    /// All choices.
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
    /// The axis of the written file that points up.
    pub up: ExportUp,
}

impl Default for ExportSpace {
    /// Sizes as they are, Y up.
    fn default() -> Self {
        Self { scale: 1.0, up: ExportUp::Y }
    }
}

impl ExportSpace {
    /// The space that files of a format are written in by default: in metres, Y up.
    pub fn of(info: &FormatInfo) -> Self {
        Self { scale: info.metres, up: ExportUp::Y }
    }

    /// Places in the file from places in the scene.
    pub fn file_from_scene(self) -> Affine3A {
        let turn = match self.up {
            ExportUp::Y => Mat3A::IDENTITY,
            ExportUp::Z => Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::NEG_Y),
        };
        Affine3A::from_scale(Vec3::splat(self.scale)) * Affine3A { matrix3: turn, translation: Vec3A::ZERO }
    }

    /// The scale as text, with a fraction for the unit of the Unreal engine: `0.01`, `1/52.5`.
    pub fn scale_text(self) -> String {
        if self.scale == METRES_PER_UNREAL_UNIT { "1/52.5".to_owned() } else { self.scale.to_string() }
    }

    /// The scale as a number whose digits are those that were asked for.
    pub fn decimal_scale(self) -> f64 {
        self.scale.to_string().parse().unwrap_or(f64::from(self.scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::FORMATS;

    #[test]
    fn up_becomes_the_axis_that_was_asked_for() {
        assert_eq!(ExportSpace::default().file_from_scene(), Affine3A::IDENTITY);
        let space = ExportSpace { scale: 0.5, up: ExportUp::Z };
        let place = space.file_from_scene().transform_point3(Vec3::new(2.0, 4.0, 6.0));
        assert_eq!(place, Vec3::new(1.0, -3.0, 2.0));
        assert!(space.file_from_scene().matrix3.determinant() > 0.0);
        assert_eq!(ExportSpace { scale: 0.01, ..space }.decimal_scale(), 0.01);
        let texts = [0.01, 1.0, 1.0 / 52.5].map(|scale| ExportSpace { scale, ..space }.scale_text());
        assert_eq!(texts, ["0.01", "1", "1/52.5"]);
    }

    /// 52.5 units of Unreal Engine 1 are a metre; no other format has a unit that is not a metre or unknown.
    #[test]
    fn only_formats_of_the_unreal_engine_have_a_scale_of_their_own() {
        let scaled: Vec<_> = FORMATS
            .iter()
            .map(|format| format.info())
            .filter(|info| ExportSpace::of(info) != ExportSpace::default())
            .collect();
        assert_eq!(scaled.iter().map(|info| info.id).collect::<Vec<_>>(), ["psk", "psa", "unreal", "mesh3d"]);
        for info in scaled {
            let ExportSpace { scale, up } = ExportSpace::of(info);
            assert_eq!((scale * 52.5, up), (1.0, ExportUp::Y), "{}", info.id);
        }
    }
}
