//! Colours of the ground, as a picture of four rows that shaders read.

use crate::scene::{HEIGHT_RAMP, RampStop};

/// Texels of a row.
pub(super) const WIDTH: u32 = 512;
/// Below the sea, above it, by slope, plain; mirrored in `shaders/terrain.wgsl`.
pub(super) const ROWS: u32 = 4;

/// From level ground to a slope of 60 degrees.
const SLOPE: [RampStop; 6] = [
    (0.0, [238, 235, 222]),
    (0.12, [206, 217, 164]),
    (0.3, [236, 212, 118]),
    (0.5, [230, 150, 72]),
    (0.72, [190, 70, 60]),
    (1.0, [104, 34, 74]),
];

const PLAIN: [RampStop; 1] = [(0.0, [198, 194, 184])];

/// Rows of RGBA.
pub(super) fn picture() -> Vec<u8> {
    let rows: [&[RampStop]; 4] = [&HEIGHT_RAMP.below, &HEIGHT_RAMP.above, &SLOPE, &PLAIN];
    let mut out = Vec::with_capacity((WIDTH * ROWS * 4) as usize);
    for stops in rows {
        for texel in 0..WIDTH {
            let [r, g, b] = mixed(stops, texel as f32 / (WIDTH - 1) as f32);
            out.extend([r, g, b, 255]);
        }
    }
    out
}

fn mixed(stops: &[RampStop], at: f32) -> [u8; 3] {
    let after = stops.iter().position(|stop| stop.0 >= at).unwrap_or(stops.len() - 1);
    let (low, high) = (stops[after.saturating_sub(1)], stops[after]);
    let share = if high.0 > low.0 { (at - low.0) / (high.0 - low.0) } else { 1.0 };
    [0, 1, 2].map(|i| (f32::from(low.1[i]) + (f32::from(high.1[i]) - f32::from(low.1[i])) * share).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::HeightRange;

    #[test]
    fn the_picture_has_the_legends_colours() {
        let picture = picture();
        let range = HeightRange { min: -511.0, max: 511.0, mean: 0.0, holes: 0 };
        let at = |row: u32, x: u32| {
            let start = ((row * WIDTH + x) * 4) as usize;
            [picture[start], picture[start + 1], picture[start + 2]]
        };
        for x in 0..WIDTH {
            assert_eq!(at(1, x), HEIGHT_RAMP.color(x as f32, &range));
            if x < WIDTH - 1 {
                assert_eq!(at(0, x), HEIGHT_RAMP.color(x as f32 - 511.0, &range));
            }
        }
        assert_eq!(at(3, 77), PLAIN[0].1);
        assert_eq!(picture.len(), (WIDTH * ROWS * 4) as usize);
    }
}
