//! Formats of pixels by their numbers (§5.2), and how each is turned into red, green, blue and alpha.

use crate::{formats::picture::decode_blocks, scene::BlockKind};

/// How the bytes of pixels are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Numbers into a palette.
    Indices,
    /// Blue, green, red and alpha of seven bits each.
    Bgra7,
    /// Five, six and five bits of a 16-bit number.
    Rgb565,
    Rgb8,
    Bgra8,
    /// 8-bit grey.
    Grey8,
    /// 16-bit grey.
    Grey16,
    /// Four 16-bit numbers.
    Rgba16,
    /// Four 32-bit numbers.
    Rgba32,
    Blocks(BlockKind),
}

/// A format of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelFormat {
    pub name: &'static str,
    pub layout: Layout,
    /// Its alpha is stored to be used.
    pub has_alpha: bool,
}

const fn format(name: &'static str, layout: Layout, has_alpha: bool) -> PixelFormat {
    PixelFormat { name, layout, has_alpha }
}

const P8: PixelFormat = format("P8", Layout::Indices, false);
const DXT1: PixelFormat = format("DXT1", Layout::Blocks(BlockKind::Bc1), false);
const DXT3: PixelFormat = format("DXT3", Layout::Blocks(BlockKind::Bc2), true);
const DXT5: PixelFormat = format("DXT5", Layout::Blocks(BlockKind::Bc3), true);

/// The format that a number stands for in a package of this version; `None` for those without a decoder.
pub fn pixel_format(version: u16, number: i32) -> Option<PixelFormat> {
    let second_engine = version >= 99;
    Some(match number {
        0 => P8,
        1 => format("RGBA7", Layout::Bgra7, false),
        2 => format("RGB16", Layout::Rgb565, false),
        3 => DXT1,
        4 => format("RGB8", Layout::Rgb8, false),
        5 => format("RGBA8", Layout::Bgra8, true),
        7 if second_engine => DXT3,
        8 if second_engine => DXT5,
        9 if second_engine => format("L8", Layout::Grey8, false),
        10 if second_engine => format("G16", Layout::Grey16, false),
        _ if second_engine => return None,
        6 => DXT3,
        7 => DXT5,
        8 => format("BC4", Layout::Blocks(BlockKind::Bc4), false),
        9 => format("BC4 signed", Layout::Blocks(BlockKind::Bc4Signed), false),
        10 => format("BC5", Layout::Blocks(BlockKind::Bc5), false),
        11 => format("BC5 signed", Layout::Blocks(BlockKind::Bc5Signed), false),
        12 => format("BC7", Layout::Blocks(BlockKind::Bc7), true),
        13 => format("BC6H signed", Layout::Blocks(BlockKind::Bc6hSigned), false),
        14 => format("BC6H", Layout::Blocks(BlockKind::Bc6h), false),
        15 => format("RGBA16", Layout::Rgba16, true),
        17 => format("RGBA32", Layout::Rgba32, true),
        26 => format("BC1 with alpha", Layout::Blocks(BlockKind::Bc1), true),
        27 => format("R8", Layout::Grey8, false),
        _ => return None,
    })
}

/// The number of a format as people know it.
pub fn format_name(version: u16, number: i32) -> String {
    pixel_format(version, number).map_or_else(|| format!("format {number}"), |format| format.name.to_owned())
}

impl Layout {
    /// Bytes of a picture of this size; `None` when the number overflows.
    pub fn size_of(self, width: u32, height: u32) -> Option<usize> {
        let pixel = match self {
            Self::Blocks(kind) => return kind.size_of(width, height),
            Self::Indices | Self::Grey8 => 1,
            Self::Rgb565 | Self::Grey16 => 2,
            Self::Rgb8 => 3,
            Self::Bgra7 | Self::Bgra8 => 4,
            Self::Rgba16 => 8,
            Self::Rgba32 => 16,
        };
        (width as usize).checked_mul(height as usize)?.checked_mul(pixel)
    }

    /// RGBA rows from the top; pixels without data stay transparent black. The caller has checked the size.
    pub fn decode(self, width: u32, height: u32, data: &[u8], palette: &[[u8; 4]]) -> Vec<u8> {
        if let Self::Blocks(kind) = self {
            return decode_blocks(kind, width, height, data);
        }
        let mut rgba = vec![0; (width as usize).saturating_mul(height as usize).saturating_mul(4)];
        let (out, _) = rgba.as_chunks_mut::<4>();
        match self {
            Self::Indices => {
                let table = table(palette);
                for (to, index) in out.iter_mut().zip(data) {
                    *to = table.get(usize::from(*index)).copied().unwrap_or_default();
                }
            }
            Self::Bgra7 => each(out, data, |[b, g, r, _]: [u8; 4]| [twice(r), twice(g), twice(b), 255]),
            Self::Rgb565 => each(out, data, |bytes: [u8; 2]| {
                let value = u16::from_le_bytes(bytes);
                [five(value >> 11), six(value >> 5), five(value), 255]
            }),
            Self::Rgb8 => each(out, data, |[r, g, b]: [u8; 3]| [r, g, b, 255]),
            Self::Bgra8 => each(out, data, |[b, g, r, a]: [u8; 4]| [r, g, b, a]),
            Self::Grey8 => each(out, data, |[v]: [u8; 1]| [v, v, v, 255]),
            Self::Grey16 => each(out, data, |[_, v]: [u8; 2]| [v, v, v, 255]),
            // The upper byte of each number is what eight bits can hold of it.
            Self::Rgba16 => each(out, data, |[_, r, _, g, _, b, _, a]: [u8; 8]| [r, g, b, a]),
            Self::Rgba32 => each(out, data, |p: [u8; 16]| {
                let [_, _, _, r, _, _, _, g, _, _, _, b, _, _, _, a] = p;
                [r, g, b, a]
            }),
            Self::Blocks(_) => {}
        }
        rgba
    }
}

fn each<const N: usize>(out: &mut [[u8; 4]], data: &[u8], color: impl Fn([u8; N]) -> [u8; 4]) {
    for (to, pixel) in out.iter_mut().zip(data.as_chunks::<N>().0) {
        *to = color(*pixel);
    }
}

/// The colour of each number: number 0 is cut out where the surface is masked, so it has no opacity (§5.3); numbers past the
/// palette are black.
fn table(palette: &[[u8; 4]]) -> [[u8; 4]; 256] {
    let mut table = [[0, 0, 0, 255]; 256];
    for (to, [r, g, b, _]) in table.iter_mut().zip(palette) {
        *to = [*r, *g, *b, 255];
    }
    if let Some([_, _, _, alpha]) = table.first_mut() {
        *alpha = 0;
    }
    table
}

fn twice(value: u8) -> u8 {
    value.saturating_mul(2)
}

/// The lowest five bits, stretched to eight.
fn five(value: u16) -> u8 {
    let bits = (value & 0x1F) as u8;
    bits << 3 | bits >> 2
}

/// The lowest six bits, stretched to eight.
fn six(value: u16) -> u8 {
    let bits = (value & 0x3F) as u8;
    bits << 2 | bits >> 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_layout_gives_its_colours() {
        let palette = [[1, 2, 3, 9], [4, 5, 6, 9]];
        let decode = |layout: Layout, data: &[u8]| layout.decode(1, 1, data, &palette);
        assert_eq!(decode(Layout::Indices, &[0]), [1, 2, 3, 0]);
        assert_eq!(decode(Layout::Indices, &[1]), [4, 5, 6, 255]);
        assert_eq!(decode(Layout::Indices, &[2]), [0, 0, 0, 255]);
        assert_eq!(decode(Layout::Bgra7, &[1, 64, 127, 0]), [254, 128, 2, 255]);
        assert_eq!(decode(Layout::Rgb565, &[0x00, 0xF8]), [255, 0, 0, 255]);
        assert_eq!(decode(Layout::Rgb565, &[0xE0, 0x07]), [0, 255, 0, 255]);
        assert_eq!(decode(Layout::Rgb565, &[0x1F, 0x00]), [0, 0, 255, 255]);
        assert_eq!(decode(Layout::Rgb8, &[1, 2, 3]), [1, 2, 3, 255]);
        assert_eq!(decode(Layout::Bgra8, &[1, 2, 3, 4]), [3, 2, 1, 4]);
        assert_eq!(decode(Layout::Grey8, &[7]), [7, 7, 7, 255]);
        assert_eq!(decode(Layout::Grey16, &[7, 8]), [8, 8, 8, 255]);
        assert_eq!(decode(Layout::Rgba16, &[0, 1, 0, 2, 0, 3, 0, 4]), [1, 2, 3, 4]);
        assert_eq!(decode(Layout::Rgba32, &[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]), [1, 2, 3, 4]);
    }

    #[test]
    fn short_data_leaves_the_rest_empty() {
        assert_eq!(Layout::Grey8.decode(2, 2, &[9, 9, 9], &[])[8..], [9, 9, 9, 255, 0, 0, 0, 0]);
        assert_eq!(Layout::Rgb8.decode(2, 1, &[1, 2, 3, 4], &[])[4..], [0; 4]);
    }

    #[test]
    fn the_two_engines_number_their_formats_differently() {
        assert_eq!(pixel_format(69, 6), Some(DXT3));
        assert_eq!(pixel_format(69, 7), Some(DXT5));
        assert_eq!(pixel_format(128, 7), Some(DXT3));
        assert_eq!(pixel_format(128, 8), Some(DXT5));
        assert_eq!(pixel_format(128, 6), None);
        assert_eq!(pixel_format(69, 19), None);
        assert_eq!(format_name(69, 19), "format 19");
        for version in [69, 128] {
            for number in 0..40 {
                let Some(format) = pixel_format(version, number) else { continue };
                let size = format.layout.size_of(5, 3).unwrap();
                assert_eq!(format.layout.decode(5, 3, &vec![255; size], &[]).len(), 60, "{}", format.name);
            }
        }
    }
}
