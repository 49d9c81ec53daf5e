//! Colours of the ground, as a picture of four rows that shaders read.

use crate::scene::{HEIGHT_RAMP, RampStop, SLOPE_RAMP, ramp_color};

/// Texels of a row.
pub(super) const WIDTH: u32 = 512;
/// Below the sea, above it, by slope, plain; mirrored in `shaders/terrain.wgsl`.
pub(super) const ROWS: u32 = 4;

const PLAIN: [RampStop; 1] = [(0.0, [198, 194, 184])];

/// Rows of RGBA.
pub(super) fn picture() -> Vec<u8> {
    let rows: [&[RampStop]; 4] = [&HEIGHT_RAMP.below, &HEIGHT_RAMP.above, &SLOPE_RAMP, &PLAIN];
    let mut out = Vec::with_capacity((WIDTH * ROWS * 4) as usize);
    for stops in rows {
        for texel in 0..WIDTH {
            let [r, g, b] = ramp_color(stops, texel as f32 / (WIDTH - 1) as f32);
            out.extend([r, g, b, 255]);
        }
    }
    out
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
