//! Pictures into the chip's texture formats (formats/j3d.md §9): samples, tests and benches write through this. Made from
//! that document alone.

mod cmpr;
mod palette;

pub(crate) use cmpr::rgb565;
pub use palette::{Paletted, encode_palette, encode_paletted};

use cmpr::{luma, rgb5a3, to_bits};

/// How texels are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureFormat {
    /// 4 bits of intensity, which is also alpha.
    I4,
    /// 8 bits of intensity, which is also alpha.
    I8,
    /// 4 bits of alpha, 4 of intensity.
    Ia4,
    /// 8 bits of alpha, 8 of intensity.
    Ia8,
    /// 5 bits of red, 6 of green, 5 of blue; opaque.
    Rgb565,
    /// 5 bits of each colour and opaque, or 4 bits of each colour with 3 of alpha, selected by the highest bit.
    Rgb5a3,
    /// 8 bits each of red, green, blue and alpha.
    Rgba8,
    /// 4 bits of palette index.
    C4,
    /// 8 bits of palette index.
    C8,
    /// 14 bits of palette index.
    C14x2,
    /// Blocks of 4 × 4 texels between two colours.
    Cmpr,
}

impl TextureFormat {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::I4,
        Self::I8,
        Self::Ia4,
        Self::Ia8,
        Self::Rgb565,
        Self::Rgb5a3,
        Self::Rgba8,
        Self::C4,
        Self::C8,
        Self::C14x2,
        Self::Cmpr,
    ];

    /// The chip's code.
    pub fn code(self) -> u8 {
        match self {
            Self::I4 => 0,
            Self::I8 => 1,
            Self::Ia4 => 2,
            Self::Ia8 => 3,
            Self::Rgb565 => 4,
            Self::Rgb5a3 => 5,
            Self::Rgba8 => 6,
            Self::C4 => 8,
            Self::C8 => 9,
            Self::C14x2 => 10,
            Self::Cmpr => 14,
        }
    }

    /// Width and height of a block in texels.
    pub fn block(self) -> [u16; 2] {
        match self {
            Self::I4 | Self::C4 | Self::Cmpr => [8, 8],
            Self::I8 | Self::Ia4 | Self::C8 => [8, 4],
            Self::Ia8 | Self::Rgb565 | Self::Rgb5a3 | Self::Rgba8 | Self::C14x2 => [4, 4],
        }
    }
}

/// Rows of RGBA texels from the top; outside, the nearest texel is read.
#[derive(Clone)]
struct Picture {
    width: u16,
    height: u16,
    texels: Vec<[u8; 4]>,
}

impl Picture {
    fn new(width: u16, height: u16, rgba: &[u8]) -> Self {
        Self { width, height, texels: rgba.as_chunks::<4>().0.to_vec() }
    }

    fn at(&self, x: u16, y: u16) -> [u8; 4] {
        let (x, y) = (x.min(self.width.saturating_sub(1)), y.min(self.height.saturating_sub(1)));
        let index = usize::from(y).saturating_mul(usize::from(self.width)).saturating_add(usize::from(x));
        self.texels.get(index).copied().unwrap_or_default()
    }

    /// Half as large: the mean of four texels each.
    fn half(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut texels = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let (left, top) = (x.saturating_mul(2), y.saturating_mul(2));
                let (right, bottom) = (left.saturating_add(1), top.saturating_add(1));
                let four = [self.at(left, top), self.at(right, top), self.at(left, bottom), self.at(right, bottom)];
                let mut mean = [0_u16; 4];
                for texel in four {
                    for (sum, part) in mean.iter_mut().zip(texel) {
                        *sum = sum.saturating_add(u16::from(part));
                    }
                }
                texels.push(mean.map(|sum| (sum.saturating_add(2) / 4) as u8));
            }
        }
        Self { width, height, texels }
    }

    /// Itself and its mips.
    fn levels(self, count: u8) -> Vec<Self> {
        let mut levels = vec![self];
        for _ in 1..count {
            let Some(last) = levels.last() else { break };
            if last.width <= 1 && last.height <= 1 {
                break;
            }
            let half = last.half();
            levels.push(half);
        }
        levels
    }

    /// The texels of each block, left to right and top to bottom.
    fn blocks(&self, [width, height]: [u16; 2]) -> Vec<Vec<[u8; 4]>> {
        let mut blocks = Vec::new();
        for top in (0..self.height).step_by(usize::from(height)) {
            for left in (0..self.width).step_by(usize::from(width)) {
                let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
                blocks.push(rows.map(|(x, y)| self.at(left.saturating_add(x), top.saturating_add(y))).collect());
            }
        }
        blocks
    }
}

/// A picture and its mips in a format without a palette; RGBA rows from the top, four bytes a texel. Intensities are the luma
/// of the colours. Formats with palettes give nothing: see [`encode_paletted`].
pub fn encode_levels(format: TextureFormat, width: u16, height: u16, levels: u8, rgba: &[u8]) -> Vec<u8> {
    let pictures = Picture::new(width, height, rgba).levels(levels);
    let blocks = pictures.iter().flat_map(|picture| picture.blocks(format.block()));
    blocks.flat_map(|texels| encode_block(format, &texels)).collect()
}

fn encode_block(format: TextureFormat, texels: &[[u8; 4]]) -> Vec<u8> {
    match format {
        TextureFormat::I4 => nibbles(texels.iter().map(|texel| to_bits(luma(*texel), 4))),
        TextureFormat::I8 => texels.iter().map(|texel| luma(*texel)).collect(),
        TextureFormat::Ia4 => texels.iter().map(|texel| to_bits(texel[3], 4) << 4 | to_bits(luma(*texel), 4)).collect(),
        TextureFormat::Ia8 => texels.iter().flat_map(|texel| [texel[3], luma(*texel)]).collect(),
        TextureFormat::Rgb565 => texels.iter().flat_map(|texel| rgb565(*texel).to_be_bytes()).collect(),
        TextureFormat::Rgb5a3 => texels.iter().flat_map(|texel| rgb5a3(*texel).to_be_bytes()).collect(),
        TextureFormat::Rgba8 => {
            let first = texels.iter().flat_map(|[r, _, _, a]| [*a, *r]);
            first.chain(texels.iter().flat_map(|[_, g, b, _]| [*g, *b])).collect()
        }
        TextureFormat::Cmpr => cmpr::encode_block(texels),
        TextureFormat::C4 | TextureFormat::C8 | TextureFormat::C14x2 => Vec::new(),
    }
}

/// Pairs of four bits, the first in the upper half.
fn nibbles(values: impl Iterator<Item = u8>) -> Vec<u8> {
    let values: Vec<u8> = values.collect();
    values.as_chunks::<2>().0.iter().map(|[high, low]| high << 4 | low & 15).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_in_every_plain_format() {
        let one = |format, texel: [u8; 4]| encode_levels(format, 1, 1, 1, &texel);
        let white = [255; 4];
        assert_eq!(one(TextureFormat::I4, white), [0xFF; 32]);
        assert_eq!(one(TextureFormat::I8, [128, 128, 128, 0]), [128; 32]);
        assert_eq!(one(TextureFormat::Ia4, [255, 255, 255, 0]), [0x0F; 32]);
        assert_eq!(one(TextureFormat::Ia8, [255, 255, 255, 9])[..4], [9, 255, 9, 255]);
        assert_eq!(one(TextureFormat::Rgb565, [255, 0, 0, 0])[..2], [0xF8, 0]);
        assert_eq!(one(TextureFormat::Rgb5a3, [255, 0, 255, 255])[..2], [0xFC, 0x1F]);
        assert_eq!(one(TextureFormat::Rgb5a3, [255, 0, 255, 0])[..2], [0x0F, 0x0F]);
        let rgba = one(TextureFormat::Rgba8, [1, 2, 3, 4]);
        assert_eq!((rgba.len(), &rgba[..2], &rgba[32..34]), (64, &[4, 1][..], &[2, 3][..]));
    }

    #[test]
    fn blocks_go_across_before_they_go_down_and_mips_follow() {
        // 16 × 8 texels whose intensity says which block they are in, 8 × 4 each.
        let rgba: Vec<u8> = (0..16 * 8_u16)
            .flat_map(|i| {
                let block = (i / 16 / 4 * 2 + i % 16 / 8) as u8;
                [block * 10; 4]
            })
            .collect();
        let data = encode_levels(TextureFormat::I8, 16, 8, 3, &rgba);
        assert_eq!(data.len(), 32 * 4 + 32 + 32);
        for block in 0..4 {
            assert_eq!(data[block * 32..][..32], [block as u8 * 10; 32]);
        }
        assert_eq!(data[128..136], [0, 0, 0, 0, 10, 10, 10, 10]);
    }
}
