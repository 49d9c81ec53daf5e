//! TEX1 and BTI: textures (formats/j3d.md §9).

use super::file::{Chunk, count16, count32, name_table};
use crate::formats::gx::encode::{TextureFormat, encode_levels, encode_palette, encode_paletted};

/// A texture with its data already in the chip's form.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Name in the name table of TEX1; names may repeat. A BTI file has no name.
    pub name: String,
    /// The chip's code ([`TextureFormat`]).
    pub format: u8,
    /// 0 opaque, else it has transparent texels.
    pub alpha: u8,
    /// Width of the largest level, in texels.
    pub width: u16,
    /// Height of the largest level, in texels.
    pub height: u16,
    /// 0 clamp, 1 repeat, 2 mirror.
    pub wrap: [u8; 2],
    /// 0 near, 1 linear, 2 to 5 with mips.
    pub min_filter: u8,
    /// Magnification filter: 0 near, 1 linear.
    pub mag_filter: u8,
    /// Smallest level of detail, kept in eighths.
    pub min_lod: f32,
    /// Largest level of detail, kept in eighths.
    pub max_lod: f32,
    /// Number that is added to the level of detail, kept in hundredths.
    pub lod_bias: f32,
    /// True to set the edge LOD flag.
    pub edge_lod: bool,
    /// True to set the bias clamp flag.
    pub bias_clamp: bool,
    /// 0, 1, 2 for 1, 2, 4.
    pub max_anisotropy: u8,
    /// Levels that the data holds.
    pub levels: u8,
    /// 0 IA8, 1 RGB565, 2 RGB5A3.
    pub palette_format: u8,
    /// Two bytes a colour; empty for none.
    pub palette: Vec<u8>,
    /// All levels; empty for a texture without data.
    pub data: Vec<u8>,
}

impl Default for Texture {
    fn default() -> Self {
        Self {
            name: String::new(),
            format: 0,
            alpha: 0,
            width: 0,
            height: 0,
            wrap: [1; 2],
            min_filter: 1,
            mag_filter: 1,
            min_lod: 0.0,
            max_lod: 0.0,
            lod_bias: 0.0,
            edge_lod: false,
            bias_clamp: false,
            max_anisotropy: 0,
            levels: 1,
            palette_format: 0,
            palette: Vec::new(),
            data: Vec::new(),
        }
    }
}

impl Texture {
    /// A picture in a format; RGBA rows from the top, four bytes a texel. `levels` above 1 makes mips, each the mean of four
    /// texels, and a filter that mixes them. Formats with palettes get the colours that serve the picture best.
    pub fn of_rgba(name: &str, format: TextureFormat, size: [u16; 2], levels: u8, rgba: &[u8]) -> Self {
        let [width, height] = size;
        let levels = levels.max(1);
        let alpha = u8::from(rgba.iter().skip(3).step_by(4).any(|alpha| *alpha < 255));
        let palette_format = if alpha == 0 { 1 } else { 2 };
        let (palette, data) = match format {
            TextureFormat::C4 | TextureFormat::C8 | TextureFormat::C14x2 => {
                let made = encode_paletted(format, width, height, levels, rgba);
                (encode_palette(palette_format, &made.colors), made.data)
            }
            _ => (Vec::new(), encode_levels(format, width, height, levels, rgba)),
        };
        Self {
            name: name.to_owned(),
            format: format.code(),
            alpha,
            width,
            height,
            min_filter: if levels > 1 { 5 } else { 1 },
            max_lod: f32::from(levels.saturating_sub(1)),
            levels,
            palette_format: if palette.is_empty() { 0 } else { palette_format },
            palette,
            data,
            ..Self::default()
        }
    }

    /// The header: offsets of palette and data count from its start.
    fn header(&self, palette: usize, data: usize) -> Vec<u8> {
        let mut out = vec![self.format, self.alpha];
        let word = |out: &mut Vec<u8>, value: u16| out.extend_from_slice(&value.to_be_bytes());
        word(&mut out, self.width);
        word(&mut out, self.height);
        out.extend_from_slice(&self.wrap);
        out.extend_from_slice(&[u8::from(!self.palette.is_empty()), self.palette_format]);
        word(&mut out, count16(self.palette.len() / 2));
        let present = |offset: usize, bytes: &[u8]| if bytes.is_empty() { 0 } else { count32(offset) };
        out.extend_from_slice(&present(palette, &self.palette).to_be_bytes());
        let eighths = |lod: f32| ((lod * 8.0).round() as i8).cast_unsigned();
        out.extend_from_slice(&[
            u8::from(self.levels > 1),
            u8::from(self.edge_lod),
            u8::from(self.bias_clamp),
            self.max_anisotropy,
            self.min_filter,
            self.mag_filter,
            eighths(self.min_lod),
            eighths(self.max_lod),
            self.levels,
            0,
        ]);
        out.extend_from_slice(&((self.lod_bias * 100.0).round() as i16).to_be_bytes());
        out.extend_from_slice(&present(data, &self.data).to_be_bytes());
        out
    }
}

/// A texture as a file of its own: header, palette, data.
pub fn encode_bti(texture: &Texture) -> Vec<u8> {
    let up = |size: usize| size.checked_next_multiple_of(32).unwrap_or(size);
    let data_at = up(texture.palette.len()).saturating_add(0x20);
    let mut out = texture.header(0x20, data_at);
    out.extend_from_slice(&texture.palette);
    out.resize(data_at, 0);
    out.extend_from_slice(&texture.data);
    out
}

/// All textures; equal palettes and equal data are stored once.
pub(super) fn tex1(textures: &[Texture]) -> Vec<u8> {
    let mut out = Chunk::new(b"TEX1");
    out.u16(count16(textures.len()));
    out.u16(0xFFFF);
    let [headers, names] = out.slots();
    out.align(32);
    out.fill(headers);
    let start = out.offset();
    let mut blocks: Vec<(&[u8], usize)> = Vec::new();
    let mut next = textures.len().saturating_mul(0x20).saturating_add(start);
    let mut places = Vec::new();
    for texture in textures {
        let place = [&texture.palette, &texture.data].map(|bytes| {
            let known = blocks.iter().find(|(b, _)| *b == bytes.as_slice()).map(|(_, at)| *at);
            known.unwrap_or_else(|| {
                let at = next;
                if !bytes.is_empty() {
                    blocks.push((bytes, at));
                    let end = next.saturating_add(bytes.len());
                    next = end.checked_next_multiple_of(32).unwrap_or(end);
                }
                at
            })
        });
        places.push(place);
    }
    for (texture, [palette, data]) in textures.iter().zip(places) {
        let here = out.offset();
        out.bytes(&texture.header(palette.saturating_sub(here), data.saturating_sub(here)));
    }
    for (bytes, _) in blocks {
        out.bytes(bytes);
        out.align(32);
    }
    out.fill(names);
    name_table(&mut out, textures.iter().map(|texture| texture.name.as_str()));
    out.finish()
}
