//! TEX and TPL: textures as Sluggers and as the SDK store them (formats/charpipe.md §9).

use super::bytes::{Bytes, Slot, count16, count32};
use crate::formats::gx::encode::{TextureFormat, encode_levels, encode_palette, encode_paletted};

const TPL_VERSION: u32 = 2_142_000;

/// A picture and how it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Rows from the top.
    pub rgba: Vec<u8>,
    /// Format of the stored pixels.
    pub format: TextureFormat,
    /// Levels of detail, one at least.
    pub levels: u8,
    /// 0 IA8, 1 RGB565, 2 RGB5A3.
    pub palette_format: u8,
    /// 0 clamp, 1 repeat, 2 mirror: the SDK's alone.
    pub wrap: [u8; 2],
    /// 0 near, 1 linear, 2 to 5 with mips.
    pub min_filter: u8,
    /// 0 near, 1 linear.
    pub mag_filter: u8,
    /// Level-of-detail bias, as stored.
    pub lod_bias: f32,
}

impl Texture {
    /// One level, repeated and smooth.
    pub fn new(format: TextureFormat, width: u16, height: u16, rgba: Vec<u8>) -> Self {
        Self {
            width,
            height,
            rgba,
            format,
            levels: 1,
            palette_format: 2,
            wrap: [1; 2],
            min_filter: 1,
            mag_filter: 1,
            lod_bias: 0.0,
        }
    }

    /// Texels, and the palette with the number of its colours.
    fn data(&self) -> (Vec<u8>, Option<(Vec<u8>, usize)>) {
        match self.format {
            TextureFormat::C4 | TextureFormat::C8 | TextureFormat::C14x2 => {
                let made = encode_paletted(self.format, self.width, self.height, self.levels, &self.rgba);
                let count = made.colors.len();
                (made.data, Some((encode_palette(self.palette_format, &made.colors), count)))
            }
            format => (encode_levels(format, self.width, self.height, self.levels, &self.rgba), None),
        }
    }

    fn max_lod(&self) -> u8 {
        self.levels.saturating_sub(1)
    }
}

/// Payloads start at multiples of 32.
fn payload(out: &mut Bytes, slot: Slot, bytes: &[u8]) {
    out.align(32);
    out.fill(slot);
    out.bytes(bytes);
}

/// Sluggers' section.
pub fn encode_tex(textures: &[Texture]) -> Vec<u8> {
    let data: Vec<_> = textures.iter().map(Texture::data).collect();
    let palettes = data.iter().filter(|(_, palette)| palette.is_some()).count();
    let mut out = Bytes::default();
    out.u16s([count16(textures.len()), count16(palettes)]);
    let mut slots = Vec::new();
    for (texture, (_, palette)) in textures.iter().zip(&data) {
        slots.push([out.slot(), out.slot()]);
        out.u16s([texture.height, texture.width]);
        out.bytes(&[0, 0, if texture.levels > 1 { 5 } else { 1 }, 0]);
        out.f32s([texture.lod_bias]);
        out.u16(0);
        out.bytes(&[texture.max_lod(), texture.format.code()]);
        out.u16(palette.as_ref().map_or(0, |(_, count)| count16(*count)));
        out.u8(if palette.is_some() { texture.palette_format } else { 0 });
        out.zeros(5);
    }
    for ((texels, palette), [texels_at, palette_at]) in data.iter().zip(slots) {
        payload(&mut out, texels_at, texels);
        if let Some((colors, _)) = palette {
            payload(&mut out, palette_at, colors);
        }
    }
    out.align(32);
    out.bytes
}

/// The SDK's file.
pub fn encode_tpl(textures: &[Texture]) -> Vec<u8> {
    let data: Vec<_> = textures.iter().map(Texture::data).collect();
    let mut out = Bytes::default();
    out.u32(TPL_VERSION);
    out.u32(count32(textures.len()));
    let table = out.slot();
    out.fill(table);
    let entries: Vec<_> = textures.iter().map(|_| [out.slot(), out.slot()]).collect();
    let mut slots = Vec::new();
    for ((texture, (_, palette)), [header, clut]) in textures.iter().zip(&data).zip(entries) {
        let palette_at = palette.as_ref().map(|(_, count)| {
            out.fill(clut);
            out.u16(count16(*count));
            out.bytes(&[0, 0]);
            out.u32(u32::from(texture.palette_format));
            out.slot()
        });
        out.fill(header);
        out.u16s([texture.height, texture.width]);
        out.u32(u32::from(texture.format.code()));
        slots.push((out.slot(), palette_at));
        let [s, t] = texture.wrap;
        [s, t, texture.min_filter, texture.mag_filter].into_iter().for_each(|word| out.u32(u32::from(word)));
        out.f32s([texture.lod_bias]);
        out.bytes(&[0, 0, texture.max_lod(), 0]);
    }
    for ((texels, palette), (texels_at, palette_at)) in data.iter().zip(slots) {
        payload(&mut out, texels_at, texels);
        if let (Some((colors, _)), Some(slot)) = (palette, palette_at) {
            payload(&mut out, slot, colors);
        }
    }
    out.align(32);
    out.bytes
}
