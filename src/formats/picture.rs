//! Pictures beside models (PNG, TGA, BMP, DDS), decoded for every family that refers to them.

mod blocks;
mod dds;
mod decoded;
mod error;

pub use blocks::decode_blocks;
pub use decoded::Decoded;
pub use error::PictureError;

use error::check_size;

use crate::{
    bytes::Limits,
    scene::{Image, Picture, PictureForm, StoredPixels},
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
        return dds::decode_all(name, bytes, limits, first_only);
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
        return dds::decode(name, bytes, limits);
    }
    if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        return Err(PictureError("JPEG images are not supported. Save the image as PNG".to_owned()));
    }
    let (format, label) = match bytes {
        [0x89, b'P', b'N', b'G', ..] => (ImageFormat::Png, "PNG"),
        [b'B', b'M', ..] => (ImageFormat::Bmp, "BMP"),
        _ => (ImageFormat::Tga, "TGA"),
    };
    let error = |e: image::ImageError| PictureError(format!("the {label} cannot be decoded: {e}"));
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
        return Err(PictureError(message));
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
}
