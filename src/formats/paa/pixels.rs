//! Pixels as RGBA (formats/containers.md §7.1).

use super::layout::PixelKind;
use crate::formats::picture::decode_blocks;

/// Colours of a palette that stand for nothing: red and blue, green and blue.
const TRANSPARENT: [[u8; 3]; 2] = [[0xFF, 0, 0xFF], [0, 0xFF, 0xFF]];

/// A palette's colours with their alpha.
pub fn colors(palette: &[[u8; 3]]) -> Vec<[u8; 4]> {
    let alpha = |color: &[u8; 3]| if TRANSPARENT.contains(color) { 0 } else { 255 };
    palette.iter().map(|color| [color[0], color[1], color[2], alpha(color)]).collect()
}

/// Unpacked pixels as rows of RGBA from the top. What the palette does not have is transparent black.
pub fn rgba(kind: PixelKind, width: u32, height: u32, pixels: &[u8], palette: &[[u8; 4]]) -> Vec<u8> {
    match kind {
        PixelKind::Argb4444 => words(pixels, |word| {
            let [b, g, r, a] = [0, 4, 8, 12].map(|shift| ((word >> shift & 15) as u8).wrapping_mul(17));
            [r, g, b, a]
        }),
        PixelKind::Argb1555 => words(pixels, |word| {
            let [b, g, r] = [0, 5, 10].map(|shift| (word >> shift & 31) as u8);
            let wide = |v: u8| v << 3 | v >> 2;
            [wide(r), wide(g), wide(b), if word & 0x8000 != 0 { 255 } else { 0 }]
        }),
        PixelKind::Ai88 => words(pixels, |word| {
            let [intensity, alpha] = word.to_le_bytes();
            [intensity, intensity, intensity, alpha]
        }),
        PixelKind::Argb8888 => pixels.as_chunks().0.iter().flat_map(|[b, g, r, a]| [*r, *g, *b, *a]).collect(),
        PixelKind::Palette => {
            let color = |index: &u8| palette.get(usize::from(*index)).copied().unwrap_or_default();
            pixels.iter().flat_map(color).collect()
        }
        _ => {
            let Some(blocks) = kind.blocks() else { return Vec::new() };
            let mut rgba = decode_blocks(blocks, width, height, pixels);
            if kind.is_premultiplied() {
                rgba.as_chunks_mut().0.iter_mut().for_each(divide);
            }
            rgba
        }
    }
}

fn words(pixels: &[u8], color: impl Fn(u16) -> [u8; 4]) -> Vec<u8> {
    pixels.as_chunks().0.iter().flat_map(|word| color(u16::from_le_bytes(*word))).collect()
}

/// Takes the alpha out of colours that are multiplied with it.
fn divide([r, g, b, a]: &mut [u8; 4]) {
    for value in [r, g, b] {
        let plain = u32::from(*value).saturating_mul(255).saturating_add(u32::from(*a) / 2).checked_div(u32::from(*a));
        *value = u8::try_from(plain.unwrap_or(0)).unwrap_or(255);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_gives_its_colours() {
        let one = |kind, pixels: &[u8]| rgba(kind, 1, 1, pixels, &[]);
        // Alpha in the highest bits, then red, green, blue.
        assert_eq!(one(PixelKind::Argb4444, &0x1234_u16.to_le_bytes()), [0x22, 0x33, 0x44, 0x11]);
        assert_eq!(one(PixelKind::Argb1555, &0b1_00001_10000_11111_u16.to_le_bytes()), [8, 132, 255, 255]);
        assert_eq!(one(PixelKind::Argb1555, &[0, 0]), [0, 0, 0, 0]);
        assert_eq!(one(PixelKind::Ai88, &[7, 200]), [7, 7, 7, 200]);
        assert_eq!(one(PixelKind::Argb8888, &[1, 2, 3, 4]), [3, 2, 1, 4]);
        let palette = colors(&[[1, 2, 3], [255, 0, 255], [0, 255, 255]]);
        assert_eq!(
            rgba(PixelKind::Palette, 2, 2, &[0, 1, 2, 3], &palette),
            [1, 2, 3, 255, 255, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0]
        );
    }

    #[test]
    fn blocks_have_alpha_by_their_kind() {
        // Two equal colours: the third is transparent black in DXT1 alone.
        let color = [0, 0xF8, 0, 0xF8, 0b11, 0, 0, 0];
        assert_eq!(rgba(PixelKind::Dxt1, 4, 4, &color, &[])[..8], [0, 0, 0, 0, 255, 0, 0, 255]);
        let half = [[0x88; 8], color].concat();
        assert_eq!(rgba(PixelKind::Dxt3, 4, 4, &half, &[])[..8], [255, 0, 0, 136, 255, 0, 0, 136]);
        // Multiplied: 136 is the most that a colour can have.
        let dark = [[0x88; 8], [0, 0x80, 0, 0x80, 0, 0, 0, 0]].concat();
        assert_eq!(rgba(PixelKind::Dxt3, 4, 4, &dark, &[])[..4], [132, 0, 0, 136]);
        assert_eq!(rgba(PixelKind::Dxt2, 4, 4, &dark, &[])[..4], [248, 0, 0, 136]);
        let between = [[255, 0, 0, 0, 0, 0, 0, 0], color].concat();
        assert_eq!(rgba(PixelKind::Dxt5, 4, 4, &between, &[])[..4], [255, 0, 0, 255]);
        assert_eq!(rgba(PixelKind::Dxt4, 4, 4, &[[0; 8], [0; 8]].concat(), &[])[..4], [0; 4]);
    }
}
