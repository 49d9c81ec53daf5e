//! Pictures beside models (PNG, TGA, BMP, DDS), decoded for every family that refers to them. DDS files contain
//! compressed blocks or plain pixels.

use crate::{
    bytes::{Limits, Reader},
    formats::ReadErrorKind,
    scene::{BlockKind, Image, Picture, PictureForm, StoredPixels},
};
use image::{ColorType, ImageDecoder, ImageFormat, ImageReader};
use std::{io::Cursor, sync::Arc};

/// Decodes a picture by its content, as [`decode`] does, with its mips and the pixels as they are stored; with `first_only` just
/// the largest image.
///
/// # Errors
/// When the content is damaged, of a kind that is not known, or larger than `limits`.
pub fn decode_all(name: &str, bytes: &[u8], limits: &Limits, first_only: bool) -> Result<Decoded, PictureError> {
    if bytes.starts_with(b"DDS ") {
        return decode_all_dds(name, bytes, limits, first_only);
    }
    let image = decode(name, bytes, limits)?;
    let form = PictureForm {
        name: image.stored_as.clone(),
        has_alpha: image.has_alpha(),
        mips: vec![Arc::new(image)],
        stored: StoredPixels::Decoded,
    };
    Ok(Decoded { picture: Picture { name: name.to_owned(), forms: vec![form], ..Picture::default() }, problem: None })
}

/// Decodes a picture by its content; what is no PNG, BMP or DDS is taken for a TGA, which has no mark at its start.
///
/// # Errors
/// When the content is damaged, of a kind that is not known, or larger than `limits`.
pub fn decode(name: &str, bytes: &[u8], limits: &Limits) -> Result<Image, PictureError> {
    if bytes.starts_with(b"DDS ") {
        return decode_dds(name, bytes, limits);
    }
    if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        return Err(PictureError::new("JPEG images are not supported. Save the image as PNG"));
    }
    let (format, label) = match bytes {
        [0x89, b'P', b'N', b'G', ..] => (ImageFormat::Png, "PNG"),
        [b'B', b'M', ..] => (ImageFormat::Bmp, "BMP"),
        _ => (ImageFormat::Tga, "TGA"),
    };
    let error = |e: image::ImageError| {
        let kind = match e {
            image::ImageError::Limits(_) => ReadErrorKind::TooLarge,
            _ => ReadErrorKind::Invalid,
        };
        PictureError::of_kind(kind, format!("the {label} cannot be decoded: {e}"))
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut bounds = image::Limits::default();
    bounds.max_image_width = Some(limits.image_side);
    bounds.max_image_height = Some(limits.image_side);
    bounds.max_alloc = Some(limits.decoded_bytes);
    reader.limits(bounds);
    let decoder = reader.into_decoder().map_err(error)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height, limits)?;
    let color = decoder.color_type();
    // A picture lies in memory twice for a moment: as it is stored, and as it is shown.
    let shown = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
    let bytes = shown.saturating_add(decoder.total_bytes().max(shown));
    if bytes > limits.decoded_bytes {
        let (takes, allowed) = (bytes >> 20, limits.decoded_bytes >> 20);
        let message =
            format!("decoding {width} × {height} pixels needs {takes} MiB of memory, but the limit is {allowed} MiB");
        return Err(PictureError::of_kind(ReadErrorKind::TooLarge, message));
    }
    let picture = image::DynamicImage::from_decoder(decoder).map_err(error)?;
    Ok(Image {
        name: name.to_owned(),
        width,
        height,
        rgba: picture.into_rgba8().into_raw().into(),
        stored_as: format!("{label} {}", color_name(color)),
    })
}

fn color_name(color: ColorType) -> String {
    let channels = match color.channel_count() {
        1 => "grey",
        2 => "grey + alpha",
        3 => "RGB",
        _ => "RGBA",
    };
    let bits = u32::from(color.bits_per_pixel()).checked_div(u32::from(color.channel_count())).unwrap_or(0);
    format!("{channels} {bits}")
}

/// A picture with all that its file keeps of it.
#[derive(Debug)]
pub struct Decoded {
    /// The decoded picture.
    pub picture: Picture,
    /// What of it is lost, in one sentence.
    pub problem: Option<String>,
}

/// A picture that cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PictureError {
    /// One sentence on the cause.
    pub message: String,
    /// The reason.
    pub kind: ReadErrorKind,
}

impl PictureError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: ReadErrorKind::Invalid }
    }

    fn of_kind(kind: ReadErrorKind, message: impl Into<String>) -> Self {
        Self { message: message.into(), kind }
    }
}

/// Refuses sides of nothing and sizes over the limits, before anything is allocated.
fn check_size(width: u32, height: u32, limits: &Limits) -> Result<(), PictureError> {
    if width == 0 || height == 0 {
        return Err(PictureError::new(format!("empty image ({width} × {height} pixels)")));
    }
    let bytes = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
    if width > limits.image_side || height > limits.image_side || bytes > limits.decoded_bytes {
        let message = format!("the image size of {width} × {height} pixels is over the limit");
        return Err(PictureError::of_kind(ReadErrorKind::TooLarge, message));
    }
    Ok(())
}

/// Decodes the blocks that are there into RGBA rows from the top; pixels of blocks that are missing stay transparent black.
/// One channel becomes grey, two red and green. The caller has checked the size.
pub fn decode_blocks(kind: BlockKind, width: u32, height: u32, data: &[u8]) -> Vec<u8> {
    let row_bytes = (width as usize).saturating_mul(4);
    let mut rgba = vec![0; row_bytes.saturating_mul(height as usize)];
    let row_of_blocks = (width.div_ceil(4) as usize).saturating_mul(kind.block_size());
    if row_bytes == 0 || row_of_blocks == 0 {
        return rgba;
    }
    for (rows, blocks) in rgba.chunks_mut(row_bytes.saturating_mul(4)).zip(data.chunks(row_of_blocks)) {
        let mut lines: Vec<&mut [u8]> = rows.chunks_exact_mut(row_bytes).collect();
        for (column, block) in blocks.chunks_exact(kind.block_size()).enumerate() {
            let mut pixels = [0_u8; 64];
            decode_block(kind, block, &mut pixels);
            let at = column.saturating_mul(16);
            for (line, pixels) in lines.iter_mut().zip(pixels.chunks_exact(16)) {
                let rest = line.get_mut(at..).unwrap_or_default();
                let count = rest.len().min(16);
                if let (Some(to), Some(from)) = (rest.get_mut(..count), pixels.get(..count)) {
                    to.copy_from_slice(from);
                }
            }
        }
    }
    rgba
}

/// One block of the right size into 16 RGBA pixels.
fn decode_block(kind: BlockKind, block: &[u8], pixels: &mut [u8; 64]) {
    match kind {
        BlockKind::Bc1 => bcdec_rs::bc1(block, pixels, 16),
        BlockKind::Bc2 => bcdec_rs::bc2(block, pixels, 16),
        BlockKind::Bc3 => bcdec_rs::bc3(block, pixels, 16),
        BlockKind::Bc7 => bcdec_rs::bc7(block, pixels, 16),
        BlockKind::Bc4 => {
            let mut grey = [0_u8; 16];
            bcdec_rs::bc4(block, &mut grey, 4, false);
            fill(pixels, grey.iter().map(|g| [*g, *g, *g]));
        }
        BlockKind::Bc4Signed => {
            let mut grey = [0_f32; 16];
            bcdec_rs::bc4_float(block, &mut grey, 4, true);
            fill(pixels, grey.iter().map(|g| [signed(*g); 3]));
        }
        BlockKind::Bc5 => {
            let mut pairs = [0_u8; 32];
            bcdec_rs::bc5(block, &mut pairs, 8, false);
            fill(pixels, pairs.as_chunks::<2>().0.iter().map(|[r, g]| [*r, *g, 0]));
        }
        BlockKind::Bc5Signed => {
            let mut pairs = [0_f32; 32];
            bcdec_rs::bc5_float(block, &mut pairs, 8, true);
            fill(pixels, pairs.as_chunks::<2>().0.iter().map(|[r, g]| [signed(*r), signed(*g), 0]));
        }
        BlockKind::Bc6h | BlockKind::Bc6hSigned => {
            let mut colors = [0_f32; 48];
            bcdec_rs::bc6h_float(block, &mut colors, 12, kind == BlockKind::Bc6hSigned);
            fill(
                pixels,
                colors.as_chunks::<3>().0.iter().map(|c| c.map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8)),
            );
        }
    }
}

fn fill(pixels: &mut [u8; 64], colors: impl Iterator<Item = [u8; 3]>) {
    for (to, [r, g, b]) in pixels.chunks_exact_mut(4).zip(colors) {
        to.copy_from_slice(&[r, g, b, 255]);
    }
}

/// −1 to 1 as 0 to 255.
fn signed(value: f32) -> u8 {
    ((value.clamp(-1.0, 1.0) * 0.5 + 0.5) * 255.0).round() as u8
}

/// Magic and header.
const HEADER_SIZE: u64 = 128;
/// The second header of newer kinds.
const SECOND_HEADER_SIZE: u64 = 20;
/// DDPF_FOURCC of the pixel format's flags.
const FOUR_CC: u32 = 0x4;
/// DDSCAPS2_CUBEMAP and DDSCAPS2_VOLUME.
const CUBE_MAP: u32 = 0x200;
const VOLUME: u32 = 0x20_0000;

/// The largest image.
fn decode_dds(name: &str, bytes: &[u8], limits: &Limits) -> Result<Image, PictureError> {
    let decoded = decode_all_dds(name, bytes, limits, true)?;
    let image = decoded.picture.image().ok_or_else(|| PictureError::new("the DDS file has no pixels"))?;
    Ok(Image::clone(image))
}

/// Every mip of the first surface, the largest first.
fn decode_all_dds(name: &str, bytes: &[u8], limits: &Limits, first_only: bool) -> Result<Decoded, PictureError> {
    let header = header(bytes).map_err(|e| PictureError::new(format!("the DDS header ends too early ({e})")))?;
    check_size(header.width, header.height, limits)?;
    let (kind, stored_as) = header.kind()?;
    let mut data = bytes.get(header.size as usize..).unwrap_or_default();
    // No picture can be halved more often.
    let count = if first_only || header.caps2 & VOLUME != 0 { 1 } else { header.mips.clamp(1, 32) };
    let (mut mips, mut blocks): (Vec<Arc<Image>>, Vec<Arc<[u8]>>) = (Vec::new(), Vec::new());
    let (mut width, mut height, mut left) = (header.width, header.height, limits.decoded_bytes);
    let mut problem = None;
    for level in 0..count {
        let wanted = kind.size_of(width, height);
        let shown = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
        let Some((own, rest)) = data.split_at_checked(wanted).filter(|_| shown <= left) else {
            let error = too_short(wanted as u64, data.len());
            if level == 0 {
                return Err(error);
            }
            problem = Some(format!("mip {level} of {count} is missing: {error}"));
            break;
        };
        let rgba = kind.decode(width, height, own);
        let stored_as = stored_as.clone();
        mips.push(Arc::new(Image { name: name.to_owned(), width, height, rgba: rgba.into(), stored_as }));
        if matches!(kind, Kind::Blocks(_)) && !first_only {
            blocks.push(own.into());
        }
        (data, left) = (rest, left.saturating_sub(shown));
        if (width, height) == (1, 1) {
            break;
        }
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
    }
    let has_alpha = mips.first().is_some_and(|image| image.has_alpha());
    let stored = match kind {
        Kind::Blocks(kind) if !first_only => StoredPixels::Blocks { kind, mips: blocks },
        Kind::Blocks(_) | Kind::Masks(_) => StoredPixels::Decoded,
    };
    let form = PictureForm { name: stored_as, mips, stored, has_alpha };
    let mut picture = Picture { name: name.to_owned(), forms: vec![form], ..Picture::default() };
    let surfaces =
        [(CUBE_MAP, "cube map (only the first face is shown)"), (VOLUME, "volume (only the first slice is shown)")];
    let told = surfaces.iter().filter(|(bit, _)| header.caps2 & bit != 0);
    picture.facts.extend(told.map(|(_, what)| ("Texture type".to_owned(), (*what).to_owned())));
    Ok(Decoded { picture, problem })
}

struct Header {
    width: u32,
    height: u32,
    mips: u32,
    flags: u32,
    four_cc: [u8; 4],
    bits: u32,
    /// Red, green, blue, alpha (or luminance in the first).
    masks: [u32; 4],
    caps2: u32,
    /// The kind of pixels by the second header.
    dxgi: Option<u32>,
    /// Bytes before the pixels.
    size: u64,
}

fn header(bytes: &[u8]) -> Result<Header, crate::bytes::OutOfBytes> {
    let mut reader = Reader::little(bytes);
    reader.skip(12)?;
    let (height, width) = (reader.u32()?, reader.u32()?);
    reader.skip(8)?;
    let mips = reader.u32()?;
    reader.seek(80)?;
    let flags = reader.u32()?;
    let four_cc = reader.array()?;
    let bits = reader.u32()?;
    let masks = [reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?];
    reader.skip(4)?;
    let caps2 = reader.u32()?;
    reader.seek(HEADER_SIZE)?;
    let has_second = flags & FOUR_CC != 0 && &four_cc == b"DX10";
    let dxgi = if has_second { Some(reader.u32()?) } else { None };
    let size = if has_second { HEADER_SIZE.saturating_add(SECOND_HEADER_SIZE) } else { HEADER_SIZE };
    reader.seek(size)?;
    Ok(Header { width, height, mips, flags, four_cc, bits, masks, caps2, dxgi, size })
}

fn too_short(wanted: u64, left: usize) -> PictureError {
    let message = format!("the pixels need {wanted} bytes, but the DDS file has only {left}");
    PictureError::of_kind(ReadErrorKind::Truncated, message)
}

/// How pixels are stored.
enum Kind {
    Blocks(BlockKind),
    Masks(Masks),
}

/// Plain pixels whose channels are bit masks.
struct Masks {
    /// Bytes of a pixel.
    size: usize,
    /// Red, green, blue, alpha.
    channels: [u32; 4],
}

impl Kind {
    fn size_of(&self, width: u32, height: u32) -> usize {
        match self {
            Self::Blocks(kind) => kind.size_of(width, height).unwrap_or(usize::MAX),
            Self::Masks(masks) => (width as usize).saturating_mul(height as usize).saturating_mul(masks.size),
        }
    }

    fn decode(&self, width: u32, height: u32, data: &[u8]) -> Vec<u8> {
        match self {
            Self::Blocks(kind) => decode_blocks(*kind, width, height, data),
            Self::Masks(masks) => masks.decode(data),
        }
    }
}

impl Header {
    /// How its pixels are stored, with a name for people.
    fn kind(&self) -> Result<(Kind, String), PictureError> {
        if self.flags & FOUR_CC == 0 {
            return Ok((Kind::Masks(self.masks()?), format!("DDS {}-bit", self.bits)));
        }
        let plain = |channels| Ok((Kind::Masks(Masks { size: 4, channels }), "DDS 32-bit".to_owned()));
        let kind = match (self.dxgi, &self.four_cc) {
            (Some(28 | 29), _) => return plain([0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]),
            (Some(87 | 91), _) => return plain([0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
            (Some(88 | 93), _) => return plain([0xFF_0000, 0xFF00, 0xFF, 0]),
            (Some(71 | 72), _) | (None, b"DXT1") => BlockKind::Bc1,
            (Some(74 | 75), _) | (None, b"DXT3" | b"DXT2") => BlockKind::Bc2,
            (Some(77 | 78), _) | (None, b"DXT5" | b"DXT4") => BlockKind::Bc3,
            (Some(80), _) | (None, b"ATI1" | b"BC4U") => BlockKind::Bc4,
            (Some(81), _) | (None, b"BC4S") => BlockKind::Bc4Signed,
            (Some(83), _) | (None, b"ATI2" | b"BC5U") => BlockKind::Bc5,
            (Some(84), _) | (None, b"BC5S") => BlockKind::Bc5Signed,
            (Some(95), _) => BlockKind::Bc6h,
            (Some(96), _) => BlockKind::Bc6hSigned,
            (Some(98 | 99), _) => BlockKind::Bc7,
            (Some(other), _) => return Err(PictureError::new(format!("unknown DDS format {other}"))),
            (None, other) => {
                return Err(PictureError::new(format!("unknown DDS format {}", other.escape_ascii())));
            }
        };
        let name = match self.dxgi {
            Some(_) => format!("{kind:?}").to_uppercase(),
            None => String::from_utf8_lossy(&self.four_cc).into_owned(),
        };
        Ok((Kind::Blocks(kind), name))
    }

    fn masks(&self) -> Result<Masks, PictureError> {
        /// DDPF_ALPHAPIXELS, DDPF_RGB, DDPF_LUMINANCE.
        const ALPHA: u32 = 0x1;
        const RGB: u32 = 0x40;
        const LUMINANCE: u32 = 0x2_0000;
        if self.flags & (RGB | LUMINANCE) == 0 || !matches!(self.bits, 8 | 16 | 24 | 32) {
            return Err(PictureError::new(format!("unknown DDS pixel format ({} bits per pixel)", self.bits)));
        }
        let [red, green, blue, alpha] = self.masks;
        let (green, blue) = if self.flags & LUMINANCE != 0 { (red, red) } else { (green, blue) };
        let alpha = if self.flags & ALPHA != 0 { alpha } else { 0 };
        Ok(Masks { size: (self.bits as usize).div_ceil(8), channels: [red, green, blue, alpha] })
    }
}

impl Masks {
    fn decode(&self, data: &[u8]) -> Vec<u8> {
        let [red, green, blue, alpha] = self.channels;
        let mut rgba = Vec::with_capacity(data.len().saturating_mul(4).checked_div(self.size).unwrap_or(0));
        for pixel in data.chunks_exact(self.size.max(1)) {
            let value = pixel.iter().rev().fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
            rgba.extend([channel(value, red, 0), channel(value, green, 0), channel(value, blue, 0)]);
            rgba.push(channel(value, alpha, 255));
        }
        rgba
    }
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
    use image::{ExtendedColorType, ImageEncoder};

    /// 2 × 2: red, green; blue, half-transparent white.
    const RGBA: [u8; 16] = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 128];

    fn encoded(format: ImageFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        match format {
            ImageFormat::Png => {
                image::codecs::png::PngEncoder::new(&mut bytes).write_image(&RGBA, 2, 2, ExtendedColorType::Rgba8)
            }
            ImageFormat::Tga => {
                image::codecs::tga::TgaEncoder::new(&mut bytes).write_image(&RGBA, 2, 2, ExtendedColorType::Rgba8)
            }
            _ => image::codecs::bmp::BmpEncoder::new(&mut bytes).write_image(&RGBA, 2, 2, ExtendedColorType::Rgba8),
        }
        .unwrap();
        bytes
    }

    #[test]
    fn png_tga_and_bmp_give_their_pixels_from_the_top() {
        for format in [ImageFormat::Png, ImageFormat::Tga, ImageFormat::Bmp] {
            let image = decode("x", &encoded(format), &Limits::default()).unwrap();
            assert_eq!((image.width, image.height), (2, 2), "{format:?}");
            assert_eq!(&*image.rgba, &RGBA, "{format:?} {}", image.stored_as);
        }
        assert_eq!(decode("x", &encoded(ImageFormat::Png), &Limits::default()).unwrap().stored_as, "PNG RGBA 8");
    }

    #[test]
    fn too_large_and_damaged_pictures_are_refused() {
        let small = Limits { image_side: 1, ..Limits::default() };
        // Four pixels of four bytes, twice.
        let few = Limits { decoded_bytes: 31, ..Limits::default() };
        let enough = Limits { decoded_bytes: 32, ..Limits::default() };
        for format in [ImageFormat::Png, ImageFormat::Tga, ImageFormat::Bmp] {
            let bytes = encoded(format);
            assert!(decode("x", &bytes, &small).is_err(), "{format:?}");
            assert!(decode("x", &bytes, &few).is_err(), "{format:?}");
            assert!(decode("x", &bytes, &enough).is_ok(), "{format:?}");
            for cut in 0..bytes.len() {
                // A cut trailer may still decode; nothing may panic.
                let _ = decode("x", &bytes[..cut], &Limits::default());
            }
            assert!(decode("x", &bytes[..bytes.len() / 2], &Limits::default()).is_err(), "{format:?}");
        }
        assert!(decode("x", b"", &Limits::default()).is_err());
    }

    /// Two end points, red and blue; the last row is blue.
    const RED_AND_BLUE: [u8; 8] = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0b0101_0101];

    #[test]
    fn blocks_are_cut_by_the_edge_and_missing_ones_stay_empty() {
        let data = [RED_AND_BLUE, RED_AND_BLUE].concat();
        let rgba = decode_blocks(BlockKind::Bc1, 6, 5, &data);
        assert_eq!(rgba.len(), 6 * 5 * 4);
        assert_eq!(&rgba[..4], [255, 0, 0, 255]);
        assert_eq!(&rgba[5 * 4..6 * 4], [255, 0, 0, 255]);
        assert_eq!(&rgba[6 * 3 * 4..][..4], [0, 0, 255, 255]);
        assert_eq!(&rgba[6 * 4 * 4..][..4], [0; 4]);
        assert_eq!(decode_blocks(BlockKind::Bc1, 0, 5, &data), [0_u8; 0]);
    }

    #[test]
    fn one_and_two_channels_are_spread() {
        // End points 255 and 0, every pixel the first.
        let half = [255, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(&decode_blocks(BlockKind::Bc4, 4, 4, &half)[..4], [255, 255, 255, 255]);
        let both = [half, [0; 8]].concat();
        assert_eq!(&decode_blocks(BlockKind::Bc5, 4, 4, &both)[..4], [255, 0, 0, 255]);
        // −127 is the smallest signed value, 0 the middle.
        let signed = [0x81, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(&decode_blocks(BlockKind::Bc4Signed, 4, 4, &signed)[..4], [0, 0, 0, 255]);
        let both = [signed, [0; 8]].concat();
        assert_eq!(&decode_blocks(BlockKind::Bc5Signed, 4, 4, &both)[..4], [0, 128, 0, 255]);
    }

    #[test]
    fn any_block_of_any_kind_decodes() {
        let mut seed = 1_u32;
        let mut noise = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        for kind in [
            BlockKind::Bc1,
            BlockKind::Bc2,
            BlockKind::Bc3,
            BlockKind::Bc4,
            BlockKind::Bc4Signed,
            BlockKind::Bc5,
            BlockKind::Bc5Signed,
            BlockKind::Bc6h,
            BlockKind::Bc6hSigned,
            BlockKind::Bc7,
        ] {
            for _ in 0..500 {
                let data: Vec<u8> = (0..kind.size_of(8, 8).unwrap()).map(|_| noise()).collect();
                assert_eq!(decode_blocks(kind, 8, 8, &data).len(), 256, "{kind:?}");
            }
        }
    }

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
        let image = decode_dds("x", &file(3, 4, FOUR_CC, b"DXT1", 0, [0; 4], &block), &Limits::default()).unwrap();
        assert_eq!(image.rgba.len(), 3 * 4 * 4);
        assert_eq!(&image.rgba[..4], [255, 0, 0, 255]);
        assert_eq!(&image.rgba[3 * 3 * 4..][..4], [0, 0, 255, 255]);
        assert_eq!(image.stored_as, "DXT1");
    }

    #[test]
    fn dxt3_and_dxt5_carry_alpha() {
        let color = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
        let explicit = [[0x0F; 8], color].concat();
        let image = decode_dds("x", &file(4, 4, FOUR_CC, b"DXT3", 0, [0; 4], &explicit), &Limits::default()).unwrap();
        assert_eq!(&image.rgba[..8], [255, 255, 255, 255, 255, 255, 255, 0]);
        let between = [[128, 0, 0, 0, 0, 0, 0, 0], color].concat();
        let image = decode_dds("x", &file(4, 4, FOUR_CC, b"DXT5", 0, [0; 4], &between), &Limits::default()).unwrap();
        assert_eq!(&image.rgba[..4], [255, 255, 255, 128]);
    }

    #[test]
    fn mips_follow_each_other_until_the_file_ends() {
        let red = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0];
        let blue = [0x1F, 0x00, 0x00, 0xF8, 0, 0, 0, 0];
        let mut bytes = file(4, 4, FOUR_CC, b"DXT1", 0, [0; 4], &[red, blue].concat());
        bytes[28] = 3;
        let decoded = decode_all_dds("x", &bytes, &Limits::default(), false).unwrap();
        let form = &decoded.picture.forms[0];
        let sizes: Vec<_> = form.mips.iter().map(|mip| (mip.width, mip.height, mip.rgba[0], mip.rgba[2])).collect();
        assert_eq!(sizes, [(4, 4, 255, 0), (2, 2, 0, 255)]);
        assert!(decoded.problem.is_some_and(|text| text.starts_with("mip 2 of 3 is missing")));
        assert!(matches!(&form.stored, StoredPixels::Blocks { kind: BlockKind::Bc1, mips } if mips.len() == 2));
        let first = decode_all_dds("x", &bytes, &Limits::default(), true).unwrap();
        assert_eq!((first.picture.forms[0].mips.len(), first.problem), (1, None));
        // As many mips as a number can say end at one pixel.
        bytes[28..32].copy_from_slice(&u32::MAX.to_le_bytes());
        bytes.extend(red);
        let all = decode_all_dds("x", &bytes, &Limits::default(), false).unwrap();
        assert_eq!((all.picture.forms[0].mips.len(), all.problem), (3, None));
    }

    #[test]
    fn a_second_header_says_the_kind() {
        let second = |kind: u32| [kind, 3, 0, 1, 0].map(u32::to_le_bytes).concat();
        let plain = file(1, 1, FOUR_CC, b"DX10", 0, [0; 4], &[second(28), vec![1, 2, 3, 4]].concat());
        assert_eq!(&*decode_dds("x", &plain, &Limits::default()).unwrap().rgba, [1, 2, 3, 4]);
        let half = [255, 0, 0, 0, 0, 0, 0, 0];
        let grey = file(4, 4, FOUR_CC, b"DX10", 0, [0; 4], &[second(80), half.to_vec()].concat());
        let grey = decode_dds("x", &grey, &Limits::default()).unwrap();
        assert_eq!((&grey.rgba[..4], grey.stored_as.as_str()), ([255; 4].as_slice(), "BC4"));
        let other = file(4, 4, FOUR_CC, b"DX10", 0, [0; 4], &[second(7), half.to_vec()].concat());
        assert!(decode_dds("x", &other, &Limits::default()).unwrap_err().to_string().contains("unknown DDS format 7"));
        assert!(decode_dds("x", &file(4, 4, FOUR_CC, b"DX10", 0, [0; 4], &[80]), &Limits::default()).is_err());
    }

    #[test]
    fn masks_of_any_width_are_stretched() {
        let masks = [0xF800, 0x07E0, 0x001F, 0];
        let data = [0x00, 0xF8, 0xE0, 0x07];
        let image = decode_dds("x", &file(2, 1, 0x40, &[0; 4], 16, masks, &data), &Limits::default()).unwrap();
        assert_eq!(&*image.rgba, [255, 0, 0, 255, 0, 255, 0, 255]);
        let masks = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000];
        let image = decode_dds("x", &file(1, 1, 0x41, &[0; 4], 32, masks, &[1, 2, 3, 4]), &Limits::default()).unwrap();
        assert_eq!(&*image.rgba, [3, 2, 1, 4]);
    }

    #[test]
    fn short_unknown_and_huge_files_are_refused() {
        let limits = Limits::default();
        assert!(decode_dds("x", &file(4, 4, FOUR_CC, b"DXT1", 0, [0; 4], &[0; 7]), &limits).is_err());
        assert!(decode_dds("x", &file(4, 4, FOUR_CC, b"WHAT", 0, [0; 4], &[0; 64]), &limits).is_err());
        assert!(decode_dds("x", &file(u32::MAX, u32::MAX, FOUR_CC, b"DXT1", 0, [0; 4], &[0; 8]), &limits).is_err());
        assert!(decode_dds("x", &file(0, 4, FOUR_CC, b"DXT1", 0, [0; 4], &[0; 8]), &limits).is_err());
        assert!(decode_dds("x", b"DDS ", &limits).is_err());
    }
}
