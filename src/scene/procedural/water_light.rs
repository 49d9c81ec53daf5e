//! How water looks: lit by a palette, or as what lies under it.

use super::{turn, water::Moving};

/// How steep the steepest shown slope is, in levels over four pixels, for a wave amplitude of 128.
const STEEPEST: f32 = 96.0;
/// Levels over four pixels that bend the view by a pixel, for a wave amplitude of 128.
const LEVELS_A_PIXEL: f32 = 4.0;

/// Light on water.
///
/// # The law
///
/// Water tilts by `tilt`, −¼ to ¼ turn, where it rises to the right. It is lit as `cos(tilt + light)`, where `light` is
/// −¼ to ¼ turn from the zenith, and shines as `1 − ((tilt − view) / width)²`. Palette indices below `255 − range` show the
/// light, `range` is added where it shines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaterLight {
    /// Where the light comes from: 128 from above, 0 along the water onto slopes that rise to the right, 255 onto the others.
    pub light: u8,
    /// The tilt that shines: 128 for level water.
    pub view: u8,
    /// Palette indices that shining has for itself.
    pub range: u8,
    /// How wide the tilts that shine are: 255 for half a turn each way.
    pub size: u8,
}

impl WaterLight {
    /// Palette indices for slopes from the steepest down to the right to the steepest up to the right.
    pub(super) fn indices(&self) -> Vec<u8> {
        let angle = |byte: u8| (f32::from(byte) - 128.0) / 512.0;
        let (light, view) = (angle(self.light), angle(self.view));
        let width = (f32::from(self.size) + 1.0) / 512.0;
        let range = f32::from(self.range);
        let index = |i: u8| {
            let tilt = angle(i);
            let lit = turn::cosine(tilt + light).max(0.0);
            let off = (tilt - view) / width;
            let shine = (1.0 - off * off).max(0.0);
            (lit * (255.0 - range) + shine * range) as u8
        };
        (0..=u8::MAX).map(index).collect()
    }
}

/// Factor that turns slopes in levels over four pixels into steps of [`WaterLight::indices`] about its middle.
pub(super) fn steps_a_level(wave_amplitude: u8) -> f32 {
    f32::from(wave_amplitude) / STEEPEST
}

/// Factor that turns slopes in levels over four pixels into pixels that the view is bent by.
pub(super) fn pixels_a_level(wave_amplitude: u8) -> f32 {
    f32::from(wave_amplitude) / 128.0 / LEVELS_A_PIXEL
}

/// The slopes to the right of water, for each row of pixels: levels over four pixels, positive where it rises.
pub(super) fn each_row_of_slopes(water: &Moving, height: usize, mut take: impl FnMut(usize, &[f32])) {
    let mut here = Vec::new();
    let mut below = Vec::new();
    let mut between = Vec::new();
    slopes(water.row(0), &mut below);
    for y in 0..height.div_ceil(2) {
        std::mem::swap(&mut here, &mut below);
        slopes(water.row(y.saturating_add(1)), &mut below);
        between.clear();
        between.extend(here.iter().zip(&below).map(|(a, b)| (a + b) / 2.0));
        let even = y.saturating_mul(2);
        take(even, &here);
        if even.saturating_add(1) < height {
            take(even.saturating_add(1), &between);
        }
    }
}

/// Slopes of a row of cells, two for each cell.
fn slopes(row: &[f32], fine: &mut Vec<f32>) {
    let width = row.len();
    let right = row.iter().cycle().skip(1);
    let left = row.iter().cycle().skip(width.saturating_sub(1));
    let coarse: Vec<f32> = left.zip(right).map(|(l, r)| r - l).take(width).collect();
    fine.clear();
    for (own, next) in coarse.iter().zip(coarse.iter().cycle().skip(1)) {
        fine.extend([*own, (own + next) / 2.0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_water_is_lit_by_the_angle_of_the_light() {
        let flat = |light: WaterLight| light.indices()[128];
        // Light from above, a highlight elsewhere: all of what shining leaves.
        assert_eq!(flat(WaterLight { light: 128, view: 255, range: 55, size: 8 }), 200);
        // A third of the way down, 85 of 128 of a quarter turn: cos(59.8°) = 0.503.
        assert_eq!(flat(WaterLight { light: 43, view: 255, range: 55, size: 8 }), 100);
        // Along the water: dark.
        assert_eq!(flat(WaterLight { light: 0, view: 255, range: 55, size: 8 }), 0);
        // The view is that of level water: it shines.
        assert_eq!(flat(WaterLight { light: 128, view: 128, range: 55, size: 8 }), 255);
    }

    #[test]
    fn a_larger_highlight_is_on_more_slopes() {
        let shining = |size: u8| {
            let all = WaterLight { light: 0, view: 128, range: 255, size }.indices();
            all.iter().filter(|i| **i > 0).count()
        };
        assert!(shining(16) < shining(64) && shining(64) < shining(255), "{} {}", shining(16), shining(64));
    }
}
