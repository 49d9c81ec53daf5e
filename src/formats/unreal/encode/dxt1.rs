//! A plain DXT1 encoder: the ends of a block are the extremes along its axis of greatest spread.

/// Compresses RGBA rows (four bytes a pixel, top first) without transparency; a short picture counts as black.
pub fn encode_dxt1(width: u32, height: u32, rgba: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for block_y in 0..height.div_ceil(4) {
        for block_x in 0..width.div_ceil(4) {
            let texels: Vec<[f32; 3]> = (0..16u32)
                .map(|texel| {
                    let x = block_x.saturating_mul(4).saturating_add(texel & 3).min(width.saturating_sub(1));
                    let y = block_y.saturating_mul(4).saturating_add(texel >> 2).min(height.saturating_sub(1));
                    pixel(rgba, width, x, y)
                })
                .collect();
            out.extend_from_slice(&block(&texels));
        }
    }
    out
}

fn pixel(rgba: &[u8], width: u32, x: u32, y: u32) -> [f32; 3] {
    let at = u64::from(y).saturating_mul(u64::from(width)).saturating_add(u64::from(x)).saturating_mul(4);
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    let channel = |c: usize| f32::from(rgba.get(at.saturating_add(c)).copied().unwrap_or(0));
    [channel(0), channel(1), channel(2)]
}

fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

fn minus([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a - x, b - y, c - z]
}

/// The direction in which the texels differ most, by a few steps of power iteration.
fn axis(texels: &[[f32; 3]], mean: [f32; 3]) -> [f32; 3] {
    let mut axis = [0.299, 0.587, 0.114];
    for _ in 0..6 {
        let mut next = [0.0f32; 3];
        for texel in texels {
            let off = minus(*texel, mean);
            let along = dot(off, axis);
            for (sum, value) in next.iter_mut().zip(off) {
                *sum += value * along;
            }
        }
        let length = dot(next, next).sqrt();
        if length < 1e-6 {
            return axis;
        }
        axis = next.map(|value| value / length);
    }
    axis
}

fn block(texels: &[[f32; 3]]) -> [u8; 8] {
    let mut mean = [0.0f32; 3];
    for texel in texels {
        for (sum, value) in mean.iter_mut().zip(texel) {
            *sum += value / 16.0;
        }
    }
    let axis = axis(texels, mean);
    let places = texels.iter().map(|texel| dot(minus(*texel, mean), axis));
    let (low, high) = places.fold((0.0f32, 0.0f32), |(low, high), place| (low.min(place), high.max(place)));
    // The two middle colours do most of the work: drawing the ends in a little serves them.
    let inset = (high - low) / 16.0;
    let end = |place: f32| {
        let [r, g, b] = [0.0f32, 1.0, 2.0].map(|_| place);
        let [x, y, z] = axis;
        let [mr, mg, mb] = mean;
        pack([mr + x * r, mg + y * g, mb + z * b])
    };
    let (first, second) = (end(high - inset), end(low + inset));
    // The greater one first: four colours, none of them transparent.
    let (first, second) = (first.max(second), first.min(second));
    let (a, b) = (unpack(first), unpack(second));
    let mixed = |s: f32| {
        let [ar, ag, ab] = a;
        let [br, bg, bb] = b;
        [ar + (br - ar) * s, ag + (bg - ag) * s, ab + (bb - ab) * s]
    };
    let colors = [a, b, mixed(1.0 / 3.0), mixed(2.0 / 3.0)];
    let mut bits = 0u32;
    for (texel, color) in texels.iter().enumerate() {
        let nearest = colors
            .iter()
            .enumerate()
            .map(|(index, candidate)| {
                let off = minus(*color, *candidate);
                (dot(off, off), index)
            })
            .fold((f32::MAX, 0usize), |best, next| if next.0 < best.0 { next } else { best });
        // Equal ends mean three colours and a hole: only the first may be used.
        let index = if first == second { 0 } else { u32::try_from(nearest.1).unwrap_or(0) };
        bits |= index << u32::try_from(texel).unwrap_or(0).saturating_mul(2).min(30);
    }
    let ([a0, a1], [b0, b1], [c0, c1, c2, c3]) = (first.to_le_bytes(), second.to_le_bytes(), bits.to_le_bytes());
    [a0, a1, b0, b1, c0, c1, c2, c3]
}

fn pack([r, g, b]: [f32; 3]) -> u16 {
    let part = |value: f32, steps: f32| (value.clamp(0.0, 255.0) / 255.0 * steps).round() as u16;
    part(r, 31.0) << 11 | part(g, 63.0) << 5 | part(b, 31.0)
}

fn unpack(packed: u16) -> [f32; 3] {
    let part = |value: u16, steps: f32| f32::from(value) / steps * 255.0;
    [part(packed >> 11, 31.0), part(packed >> 5 & 63, 63.0), part(packed & 31, 31.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compressed_looks_like_what_was() {
        let (width, height) = (16u32, 8u32);
        let rgba: Vec<u8> = (0..width * height)
            .flat_map(|i| {
                let (x, y) = (i % width, i / width);
                [(x * 16) as u8, (x * 16) as u8, (y * 30) as u8, 255]
            })
            .collect();
        let packed = encode_dxt1(width, height, &rgba);
        assert_eq!(packed.len(), 4 * 2 * 8);
        let mut worst = 0i32;
        for (block, bytes) in packed.chunks(8).enumerate() {
            let mut texels = [0u8; 64];
            bcdec_rs::bc1(bytes, &mut texels, 16);
            for texel in 0..16 {
                let (x, y) = (block % 4 * 4 + texel % 4, block / 4 * 4 + texel / 4);
                for c in 0..3 {
                    let was = i32::from(rgba[(y * width as usize + x) * 4 + c]);
                    worst = worst.max((was - i32::from(texels[texel * 4 + c])).abs());
                }
                assert_eq!(texels[texel * 4 + 3], 255);
            }
        }
        assert!(worst < 60, "{worst}");
    }

    #[test]
    fn one_colour_stays_opaque_and_small_pictures_fill_a_block() {
        let packed = encode_dxt1(1, 1, &[255, 0, 0, 255]);
        assert_eq!(packed, [0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0]);
    }
}
