//! DDS: DXT1, DXT3, DXT5 and uncompressed pictures, the first mip of the first surface.

use super::{
    blocks::decode_blocks,
    error::{PictureError, check_size},
};
use crate::{
    bytes::{Limits, Reader},
    scene::{BlockKind, Image},
};

/// Magic and header.
const HEADER_SIZE: u64 = 128;
/// DDPF_FOURCC of the pixel format's flags.
const FOUR_CC: u32 = 0x4;

pub fn decode(name: &str, bytes: &[u8], limits: &Limits) -> Result<Image, PictureError> {
    let header = header(bytes).map_err(|e| PictureError(format!("the DDS ends in its header: {e}")))?;
    check_size(header.width, header.height, limits)?;
    let data = bytes.get(HEADER_SIZE as usize..).unwrap_or_default();
    let (rgba, stored_as) = if header.flags & FOUR_CC != 0 { blocks(&header, data)? } else { masks(&header, data)? };
    Ok(Image { name: name.to_owned(), width: header.width, height: header.height, rgba: rgba.into(), stored_as })
}

struct Header {
    width: u32,
    height: u32,
    flags: u32,
    four_cc: [u8; 4],
    bits: u32,
    /// Red, green, blue, alpha (or luminance in the first).
    masks: [u32; 4],
}

fn header(bytes: &[u8]) -> Result<Header, crate::bytes::OutOfBytes> {
    let mut reader = Reader::little(bytes);
    reader.skip(12)?;
    let (height, width) = (reader.u32()?, reader.u32()?);
    reader.seek(80)?;
    let flags = reader.u32()?;
    let four_cc = reader.array()?;
    let bits = reader.u32()?;
    let masks = [reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?];
    reader.seek(HEADER_SIZE)?;
    Ok(Header { width, height, flags, four_cc, bits, masks })
}

fn too_short(wanted: u64, left: usize) -> PictureError {
    PictureError(format!("the DDS has {left} bytes of pixels, {wanted} are needed"))
}

/// Compressed blocks of 4 × 4 pixels.
fn blocks(header: &Header, data: &[u8]) -> Result<(Vec<u8>, String), PictureError> {
    let kind = match &header.four_cc {
        b"DXT1" => BlockKind::Bc1,
        b"DXT3" | b"DXT2" => BlockKind::Bc2,
        b"DXT5" | b"DXT4" => BlockKind::Bc3,
        other => return Err(PictureError(format!("the DDS is of the unknown kind {}", other.escape_ascii()))),
    };
    let wanted = kind.size_of(header.width, header.height).unwrap_or(usize::MAX);
    let data = data.get(..wanted).ok_or_else(|| too_short(wanted as u64, data.len()))?;
    let rgba = decode_blocks(kind, header.width, header.height, data);
    Ok((rgba, String::from_utf8_lossy(&header.four_cc).into_owned()))
}

/// Plain pixels whose channels are bit masks.
fn masks(header: &Header, data: &[u8]) -> Result<(Vec<u8>, String), PictureError> {
    /// DDPF_ALPHAPIXELS, DDPF_RGB, DDPF_LUMINANCE.
    const ALPHA: u32 = 0x1;
    const RGB: u32 = 0x40;
    const LUMINANCE: u32 = 0x2_0000;
    if header.flags & (RGB | LUMINANCE) == 0 || !matches!(header.bits, 8 | 16 | 24 | 32) {
        return Err(PictureError(format!("DDS pixels of {} bits are of an unknown kind", header.bits)));
    }
    let [red, green, blue, alpha] = header.masks;
    let (green, blue) = if header.flags & LUMINANCE != 0 { (red, red) } else { (green, blue) };
    let alpha = if header.flags & ALPHA != 0 { alpha } else { 0 };
    let pixel_size = (header.bits as usize).div_ceil(8);
    let count = (header.width as usize).saturating_mul(header.height as usize);
    let wanted = count.saturating_mul(pixel_size);
    let data = data.get(..wanted).ok_or_else(|| too_short(wanted as u64, data.len()))?;
    let mut rgba = Vec::with_capacity(count.saturating_mul(4));
    for pixel in data.chunks_exact(pixel_size) {
        let value = pixel.iter().rev().fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
        rgba.extend([channel(value, red, 0), channel(value, green, 0), channel(value, blue, 0)]);
        rgba.push(channel(value, alpha, 255));
    }
    Ok((rgba, format!("DDS {} bits", header.bits)))
}

/// The bits under a mask, stretched to 0..255.
fn channel(value: u32, mask: u32, without: u8) -> u8 {
    let Some(most) = mask.checked_shr(mask.trailing_zeros()).map(u64::from) else { return without };
    let bits = u64::from(value & mask).checked_shr(mask.trailing_zeros()).unwrap_or(0);
    let rounded = bits.saturating_mul(255).saturating_add(most / 2).checked_div(most).unwrap_or(0);
    u8::try_from(rounded).unwrap_or(255)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(
        width: u32,
        height: u32,
        flags: u32,
        four_cc: &[u8; 4],
        bits: u32,
        masks: [u32; 4],
        data: &[u8],
    ) -> Vec<u8> {
        let mut bytes = vec![0_u8; HEADER_SIZE as usize];
        bytes[..4].copy_from_slice(b"DDS ");
        bytes[12..16].copy_from_slice(&height.to_le_bytes());
        bytes[16..20].copy_from_slice(&width.to_le_bytes());
        bytes[80..84].copy_from_slice(&flags.to_le_bytes());
        bytes[84..88].copy_from_slice(four_cc);
        bytes[88..92].copy_from_slice(&bits.to_le_bytes());
        for (i, mask) in masks.iter().enumerate() {
            bytes[92 + i * 4..96 + i * 4].copy_from_slice(&mask.to_le_bytes());
        }
        bytes.extend_from_slice(data);
        bytes
    }

    #[test]
    fn a_dxt1_block_cut_by_the_edge_gives_its_colours() {
        // Two end points, red and blue; every pixel takes the first, the last row the second.
        let block = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0b0101_0101];
        let image = decode("x", &file(3, 4, FOUR_CC, b"DXT1", 0, [0; 4], &block), &Limits::default()).unwrap();
        assert_eq!(image.rgba.len(), 3 * 4 * 4);
        assert_eq!(&image.rgba[..4], [255, 0, 0, 255]);
        assert_eq!(&image.rgba[3 * 3 * 4..][..4], [0, 0, 255, 255]);
        assert_eq!(image.stored_as, "DXT1");
    }

    #[test]
    fn dxt3_and_dxt5_carry_alpha() {
        let color = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
        let explicit = [[0x0F; 8], color].concat();
        let image = decode("x", &file(4, 4, FOUR_CC, b"DXT3", 0, [0; 4], &explicit), &Limits::default()).unwrap();
        assert_eq!(&image.rgba[..8], [255, 255, 255, 255, 255, 255, 255, 0]);
        let between = [[128, 0, 0, 0, 0, 0, 0, 0], color].concat();
        let image = decode("x", &file(4, 4, FOUR_CC, b"DXT5", 0, [0; 4], &between), &Limits::default()).unwrap();
        assert_eq!(&image.rgba[..4], [255, 255, 255, 128]);
    }

    #[test]
    fn masks_of_any_width_are_stretched() {
        let masks = [0xF800, 0x07E0, 0x001F, 0];
        let data = [0x00, 0xF8, 0xE0, 0x07];
        let image = decode("x", &file(2, 1, 0x40, &[0; 4], 16, masks, &data), &Limits::default()).unwrap();
        assert_eq!(&*image.rgba, [255, 0, 0, 255, 0, 255, 0, 255]);
        let masks = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000];
        let image = decode("x", &file(1, 1, 0x41, &[0; 4], 32, masks, &[1, 2, 3, 4]), &Limits::default()).unwrap();
        assert_eq!(&*image.rgba, [3, 2, 1, 4]);
    }

    #[test]
    fn short_unknown_and_huge_files_are_refused() {
        let limits = Limits::default();
        assert!(decode("x", &file(4, 4, FOUR_CC, b"DXT1", 0, [0; 4], &[0; 7]), &limits).is_err());
        assert!(decode("x", &file(4, 4, FOUR_CC, b"WHAT", 0, [0; 4], &[0; 64]), &limits).is_err());
        assert!(decode("x", &file(u32::MAX, u32::MAX, FOUR_CC, b"DXT1", 0, [0; 4], &[0; 8]), &limits).is_err());
        assert!(decode("x", &file(0, 4, FOUR_CC, b"DXT1", 0, [0; 4], &[0; 8]), &limits).is_err());
        assert!(decode("x", b"DDS ", &limits).is_err());
    }
}
