//! Texture, Palette and FireTexture (formats/unreal.md §5).

use super::object::ObjectWriter;
use super::properties::{Properties, Value, write_properties};
use super::{Ref, encode_dxt1};

/// One size of a picture, in the bytes of its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mip {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Pixels in the format of the texture, top row first; empty for a picture that is computed.
    pub bytes: Vec<u8>,
}

/// The second list of a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressedMips {
    /// Section 5.2: 3 is DXT1.
    pub format: u8,
    /// Mips in `format`, the largest first.
    pub mips: Vec<Mip>,
}

impl CompressedMips {
    /// Compresses RGBA mips as DXT1.
    pub fn dxt1(rgba: &[Mip]) -> Self {
        let mips = rgba
            .iter()
            .map(|mip| Mip { bytes: encode_dxt1(mip.width, mip.height, &mip.bytes), ..mip.clone() })
            .collect();
        Self { format: 3, mips }
    }
}

/// What a texture is made of; [`write_texture`] adds the properties that follow from it.
#[derive(Clone, Debug, Default)]
pub struct TextureData {
    /// Section 5.2: 0 is P8.
    pub format: u8,
    /// Palette of a P8 texture; if null, the property `Palette` is omitted.
    pub palette: Ref,
    /// The largest first. One of no bytes says the size of a picture that is computed.
    pub mips: Vec<Mip>,
    /// Compressed mips, written after `mips`; `None` if the texture has no second list.
    pub compressed: Option<CompressedMips>,
    /// Further properties.
    pub properties: Properties,
}

/// Width and height of each size down to 1 × 1.
pub fn mip_sizes(width: u32, height: u32) -> Vec<(u32, u32)> {
    let mut sizes = vec![(width.max(1), height.max(1))];
    while let Some((w, h)) = sizes.last().copied().filter(|size| *size != (1, 1)) {
        sizes.push(((w >> 1).max(1), (h >> 1).max(1)));
    }
    sizes
}

/// A Texture or one of its children without data of its own: properties, mips, compressed mips.
pub fn write_texture(out: &mut ObjectWriter<'_>, texture: &TextureData) {
    write_properties(out, &properties(texture));
    write_mips(out, &texture.mips);
    if let Some(compressed) = &texture.compressed {
        write_mips(out, &compressed.mips);
    }
}

fn properties(texture: &TextureData) -> Properties {
    let mut properties = Properties::new();
    if let Some(compressed) = &texture.compressed {
        properties = properties.bool("bHasComp", true).byte("CompFormat", compressed.format);
    }
    if texture.format != 0 {
        properties = properties.byte("Format", texture.format);
    }
    if texture.palette != Ref::NULL {
        properties = properties.object("Palette", texture.palette);
    }
    let first = texture.mips.first().or_else(|| texture.compressed.as_ref().and_then(|c| c.mips.first()));
    if let Some(mip) = first {
        let [width, height] = [mip.width, mip.height].map(|size| i32::try_from(size).unwrap_or(i32::MAX));
        let color = |rgba: [u8; 4]| Value::color(rgba);
        properties = properties
            .byte("UBits", bits(mip.width))
            .byte("VBits", bits(mip.height))
            .int("USize", width)
            .int("VSize", height)
            .int("UClamp", width)
            .int("VClamp", height)
            .with("MipZero", color([128, 128, 128, 0]))
            .with("MaxColor", color([255, 255, 255, 255]));
    }
    properties.and(texture.properties.clone())
}

fn write_mips(out: &mut ObjectWriter<'_>, mips: &[Mip]) {
    out.u8(u8::try_from(mips.len()).unwrap_or(u8::MAX));
    for mip in mips.iter().take(usize::from(u8::MAX)) {
        out.lazy_bytes(&mip.bytes);
        out.u32(mip.width);
        out.u32(mip.height);
        out.u8(bits(mip.width));
        out.u8(bits(mip.height));
    }
}

/// The logarithm of a power of two.
fn bits(size: u32) -> u8 {
    u8::try_from(size.max(1).ilog2()).unwrap_or(0)
}

/// Section 5.4; alpha is written as 255, for the engine ignores it.
pub fn write_palette(out: &mut ObjectWriter<'_>, colors: &[[u8; 3]]) {
    write_properties(out, &Properties::new());
    out.array(colors, |out, [r, g, b]| out.bytes(&[*r, *g, *b, 255]));
}

/// One spark of a FireTexture (section 5.5), eight bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spark {
    /// Type, from 0 (Burn) to 28 (Sprinkler).
    pub kind: u8,
    /// Heat; its exact meaning depends on `kind`.
    pub heat: u8,
    /// Column, in pixels from the left.
    pub x: u8,
    /// Row, in pixels from the top.
    pub y: u8,
    /// First parameter; its meaning depends on `kind` (section 5.5).
    pub a: u8,
    /// Second parameter; its meaning depends on `kind` (section 5.5).
    pub b: u8,
    /// Third parameter; its meaning depends on `kind` (section 5.5).
    pub c: u8,
    /// Fourth parameter; its meaning depends on `kind` (section 5.5).
    pub d: u8,
}

/// What a FireTexture has after the texture.
pub fn write_sparks(out: &mut ObjectWriter<'_>, sparks: &[Spark]) {
    out.array(sparks, |out, s| out.bytes(&[s.kind, s.heat, s.x, s.y, s.a, s.b, s.c, s.d]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mips_halve_down_to_one() {
        assert_eq!(mip_sizes(8, 2), [(8, 2), (4, 1), (2, 1), (1, 1)]);
        assert_eq!(mip_sizes(1, 1), [(1, 1)]);
    }
}
