//! Colours between the gamma space of the scene and the linear numbers of glTF (the transfer function of sRGB).

use crate::scene::exact;

/// How much lighter colours between vertices may be, of 255, before their triangles are divided or a note states it.
pub const MAX_LIGHTENING: f32 = 4.0;

/// A gamma-space number as a linear one, both 0 to 1.
pub fn linear(gamma: f32) -> f32 {
    if gamma <= 0.040_45 { gamma / 12.92 } else { exact::powf((gamma + 0.055) / 1.055, 2.4) }
}

/// A linear number as a gamma-space one, both 0 to 1.
pub fn gamma(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * exact::powf(linear, 1.0 / 2.4) - 0.055 }
}

/// The linear number of each gamma-space byte as 16 bits, where `full` counts as 1.
pub fn linear_shorts(full: u8) -> [u16; 256] {
    let full = if full == 0 { 255.0 } else { f32::from(full) };
    std::array::from_fn(|byte| (linear((byte as f32 / full).min(1.0)) * 65_535.0).round() as u16)
}

/// The most by which the colours between two are lighter where they are mixed in linear light than where they are mixed as stored,
/// in steps of 255. Colours are relative to `full`, as in [`linear_shorts`].
pub fn lightening(a: u8, b: u8, full: u8) -> f32 {
    const STEPS: u8 = 16;
    let full = if full == 0 { 255.0 } else { f32::from(full) };
    let [a, b] = [a, b].map(|byte| (f32::from(byte) / full).min(1.0));
    let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
    let at = |share: f32| gamma(mix(linear(a), linear(b), share)) - mix(a, b, share);
    (1..STEPS).map(|step| at(f32::from(step) / f32::from(STEPS))).fold(0.0, f32::max) * 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_of_srgb() {
        // IEC 61966-2-1: half of linear light is 188 of 255; 128 of 255 is 0.2158605.
        assert!((gamma(0.5) * 255.0 - 187.516).abs() < 1e-2);
        assert!((linear(128.0 / 255.0) - 0.215_860_5).abs() < 1e-6);
        assert_eq!((linear(0.0), linear(1.0), gamma(0.0)), (0.0, 1.0, 0.0));
        for byte in 0..=255 {
            let value = byte as f32 / 255.0;
            assert!((gamma(linear(value)) - value).abs() < 1e-5);
        }
    }

    #[test]
    fn gradients_are_lighter_in_linear_light() {
        // Half way from black to white is 187.516 instead of 127.5, 60.016 lighter. The most is nearer to black: at a
        // quarter it is 1.055 · 0.25^(1/2.4) − 0.055 = 0.53710, which is 0.28710 above 0.25.
        assert!((lightening(0, 255, 255) - 0.287_1 * 255.0).abs() < 0.1, "{}", lightening(0, 255, 255));
        assert!(lightening(90, 90, 255) < 1e-2 && lightening(128, 255, 64) < 1e-2);
        assert!((lightening(200, 20, 255) - lightening(20, 200, 255)).abs() < 1e-2);
        assert!(lightening(120, 100, 255) < 1.0);
    }

    #[test]
    fn dark_bytes_keep_their_steps() {
        let table = linear_shorts(255);
        assert!(table.windows(2).all(|pair| pair[1] >= pair[0] + 19), "{table:?}");
        assert_eq!((table[0], table[1], table[255]), (0, 20, 65_535));
        assert_eq!((linear_shorts(128)[128], linear_shorts(128)[200], linear_shorts(0)[255]), (65_535, 65_535, 65_535));
    }
}
