//! CMPR: four blocks of 4 × 4 texels, each with two colours and what lies between (formats/j3d.md §9).

/// Rec. 601.
pub fn luma([r, g, b, _]: [u8; 4]) -> u8 {
    (0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b)).round() as u8
}

/// The nearest of `2ᵇⁱᵗˢ` steps.
pub fn to_bits(value: u8, bits: u32) -> u8 {
    let most = f32::from(u8::MAX >> 8_u32.saturating_sub(bits));
    (f32::from(value) / 255.0 * most).round() as u8
}

pub fn rgb565([r, g, b, _]: [u8; 4]) -> u16 {
    u16::from(to_bits(r, 5)) << 11 | u16::from(to_bits(g, 6)) << 5 | u16::from(to_bits(b, 5))
}

pub fn rgb5a3([r, g, b, a]: [u8; 4]) -> u16 {
    let part = |value, bits| u16::from(to_bits(value, bits));
    match part(a, 3) {
        7 => 0x8000 | part(r, 5) << 10 | part(g, 5) << 5 | part(b, 5),
        alpha => alpha << 12 | part(r, 4) << 8 | part(g, 4) << 4 | part(b, 4),
    }
}

/// Below it a texel is a hole.
const OPAQUE: u8 = 128;

/// A block of 8 × 8 texels.
pub(super) fn encode_block(texels: &[[u8; 4]]) -> Vec<u8> {
    let quarter = |left: usize, top: usize| {
        let rows = texels.chunks(8).skip(top).take(4);
        rows.flat_map(|row| row.iter().skip(left).take(4).copied()).collect::<Vec<[u8; 4]>>()
    };
    [quarter(0, 0), quarter(4, 0), quarter(0, 4), quarter(4, 4)]
        .iter()
        .flat_map(|texels| quarter_block(texels))
        .collect()
}

type Color = [f32; 3];

/// 16 texels: the pair of colours, of those along the axis of greatest spread and nearby, that serves them best.
fn quarter_block(texels: &[[u8; 4]]) -> [u8; 8] {
    let has_holes = texels.iter().any(|[.., a]| *a < OPAQUE);
    let colors: Vec<Color> =
        texels.iter().filter(|[.., a]| *a >= OPAQUE).map(|[r, g, b, _]| [*r, *g, *b].map(f32::from)).collect();
    if colors.is_empty() {
        // Equal ends: three colours and a hole.
        return [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF];
    }
    let (low, high) = ends(&colors);
    let mut best: Option<(f32, [u8; 8])> = None;
    for inset in [0.0, 1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0] {
        let (a, b) = (mix(low, high, inset), mix(low, high, 1.0 - inset));
        let (error, block) = with_ends(texels, pack(a), pack(b), has_holes);
        if best.as_ref().is_none_or(|(least, _)| error < *least) {
            best = Some((error, block));
        }
    }
    best.map_or([0; 8], |(_, block)| block)
}

fn dot([a, b, c]: Color, [x, y, z]: Color) -> f32 {
    a * x + b * y + c * z
}

fn minus([a, b, c]: Color, [x, y, z]: Color) -> Color {
    [a - x, b - y, c - z]
}

fn mix([a, b, c]: Color, [x, y, z]: Color, part: f32) -> Color {
    [a + (x - a) * part, b + (y - b) * part, c + (z - c) * part]
}

/// The extremes along the direction in which colours differ most.
fn ends(colors: &[Color]) -> (Color, Color) {
    let mut mean = [0.0; 3];
    for color in colors {
        for (sum, value) in mean.iter_mut().zip(color) {
            *sum += value / colors.len() as f32;
        }
    }
    // Power iteration, from the colour farthest from the mean.
    let away = |color: &Color| dot(minus(*color, mean), minus(*color, mean));
    let mut axis =
        colors.iter().max_by(|a, b| away(a).total_cmp(&away(b))).map_or([1.0; 3], |color| minus(*color, mean));
    for _ in 0..8 {
        let mut next = [0.0; 3];
        for color in colors {
            let off = minus(*color, mean);
            let along = dot(off, axis);
            for (sum, value) in next.iter_mut().zip(off) {
                *sum += value * along;
            }
        }
        let length = dot(next, next).sqrt();
        if length < 1e-6 {
            break;
        }
        axis = next.map(|value| value / length);
    }
    let length = dot(axis, axis).sqrt();
    if length < 1e-6 {
        return (mean, mean);
    }
    let axis = axis.map(|value| value / length);
    let places = || colors.iter().map(|color| dot(minus(*color, mean), axis));
    let (low, high) = (places().fold(0.0, f32::min), places().fold(0.0, f32::max));
    let at = |place: f32| {
        let ([x, y, z], [r, g, b]) = (axis, mean);
        [r + x * place, g + y * place, b + z * place]
    };
    (at(low), at(high))
}

fn pack(color: Color) -> u16 {
    let [r, g, b] = color.map(|value| value.round().clamp(0.0, 255.0) as u8);
    rgb565([r, g, b, 255])
}

fn unpack(packed: u16) -> Color {
    let part = |value: u16, bits: u32| {
        let value = u32::from(value);
        (value << 8_u32.saturating_sub(bits) | value >> bits.saturating_mul(2).saturating_sub(8)) as f32
    };
    [part(packed >> 11, 5), part(packed >> 5 & 63, 6), part(packed & 31, 5)]
}

/// The block with these ends and how far it is from the texels.
fn with_ends(texels: &[[u8; 4]], a: u16, b: u16, has_holes: bool) -> (f32, [u8; 8]) {
    // The greater one first gives four colours, else the fourth is a hole.
    let (first, second) = if has_holes { (a.min(b), a.max(b)) } else { (a.max(b), a.min(b)) };
    let (c0, c1) = (unpack(first), unpack(second));
    let choices: Vec<Color> = if first > second {
        vec![c0, c1, mix(c0, c1, 3.0 / 8.0), mix(c0, c1, 5.0 / 8.0)]
    } else {
        vec![c0, c1, mix(c0, c1, 0.5)]
    };
    let (mut bits, mut error) = (0_u32, 0.0_f32);
    for [r, g, b, alpha] in texels {
        let index = if *alpha < OPAQUE {
            3
        } else {
            let color = [*r, *g, *b].map(f32::from);
            let distance = |choice: &Color| dot(minus(color, *choice), minus(color, *choice));
            let nearest = choices.iter().map(distance).enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
            let (index, distance) = nearest.unwrap_or((0, 0.0));
            error += distance;
            index as u32
        };
        bits = bits << 2 | index;
    }
    let ([a0, a1], [b0, b1], [i0, i1, i2, i3]) = (first.to_be_bytes(), second.to_be_bytes(), bits.to_be_bytes());
    (error, [a0, a1, b0, b1, i0, i1, i2, i3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_colour_two_colours_and_holes() {
        let red = quarter_block(&[[255, 0, 0, 255]; 16]);
        assert_eq!(red, [0xF8, 0, 0xF8, 0, 0, 0, 0, 0]);
        let mut texels = [[0, 0, 0, 255]; 16];
        texels[0] = [255; 4];
        // White is the greater end, so the first texel is 0 and all others are 1.
        assert_eq!(quarter_block(&texels), [0xFF, 0xFF, 0, 0, 0x15, 0x55, 0x55, 0x55]);
        texels[15] = [0; 4];
        assert_eq!(quarter_block(&texels), [0, 0, 0xFF, 0xFF, 0x40, 0, 0, 3]);
        assert_eq!(quarter_block(&[[0; 4]; 16]), [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
    }

    #[test]
    fn quarters_go_left_right_then_down() {
        let texels: Vec<[u8; 4]> = (0..64)
            .map(|i| {
                let (x, y) = (i % 8 / 4, i / 8 / 4);
                if (x, y) == (1, 0) { [255; 4] } else { [0, 0, 0, 255] }
            })
            .collect();
        let block = encode_block(&texels);
        assert_eq!((&block[..2], &block[8..10], &block[16..18]), (&[0, 0][..], &[0xFF, 0xFF][..], &[0, 0][..]));
    }
}
