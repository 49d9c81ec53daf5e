//! Pictures as TGA, in runs.

use super::ExportError;
use crate::scene::Image;
use image::{ExtendedColorType, ImageEncoder as _, codecs::tga::TgaEncoder};

/// Encodes a picture: 24 bits a pixel when every pixel is opaque or without `alpha`, 32 otherwise.
///
/// # Errors
/// When the picture has no pixels, not as many as its size says, or a side of more than 65,535.
pub(super) fn encode(picture: &Image, alpha: bool) -> Result<Vec<u8>, ExportError> {
    let failed = |message: String| ExportError::Picture { name: picture.name.clone(), message };
    let (width, height) = (picture.width, picture.height);
    let expected = u64::from(width) * u64::from(height) * 4;
    if expected == 0 || picture.rgba.len() as u64 != expected {
        return Err(failed(format!(
            "invalid size: {width} × {height} pixels, {} bytes of pixel data",
            picture.rgba.len()
        )));
    }
    if width.max(height) > u32::from(u16::MAX) {
        return Err(failed(format!(
            "a TGA file is limited to 65,535 × 65,535 pixels, but the image has {width} × {height}"
        )));
    }
    let mut bytes = Vec::with_capacity(picture.rgba.len() / 2 + 64);
    let encoder = TgaEncoder::new(&mut bytes);
    let written = if alpha && picture.has_alpha() {
        encoder.write_image(&picture.rgba, width, height, ExtendedColorType::Rgba8)
    } else {
        let rgb: Vec<u8> = picture.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
        encoder.write_image(&rgb, width, height, ExtendedColorType::Rgb8)
    };
    written.map_err(|e| failed(e.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bytes::Limits, formats::picture};

    fn image(alpha: u8) -> Image {
        let rgba: Vec<u8> =
            (0..300_u32).flat_map(|i| [i as u8, (i / 7) as u8, 9, if i == 5 { alpha } else { 255 }]).collect();
        Image { name: "wall".into(), width: 20, height: 15, rgba: rgba.into(), stored_as: String::new() }
    }

    #[test]
    fn pixels_come_back_as_they_were() {
        for (alpha, counts, bits) in [(255, true, 24), (7, true, 32), (7, false, 24)] {
            let original = image(alpha);
            let file = encode(&original, counts).unwrap();
            assert_eq!((file[2], file[16]), (10, bits), "in runs, bits a pixel");
            let back = picture::decode("wall", &file, &Limits::default()).unwrap();
            assert_eq!((back.width, back.height), (20, 15));
            let expected: Vec<u8> = original
                .rgba
                .chunks_exact(4)
                .flat_map(|p| [p[0], p[1], p[2], if counts { p[3] } else { 255 }])
                .collect();
            assert_eq!(&*back.rgba, expected);
        }
    }

    #[test]
    fn what_has_no_pixels_or_too_many_is_an_error() {
        assert!(encode(&Image { width: 0, ..image(255) }, true).is_err());
        assert!(encode(&Image { width: 21, ..image(255) }, true).is_err());
        let long = Image { width: 65_536, height: 1, rgba: vec![0; 65_536 * 4].into(), ..image(255) };
        assert!(encode(&long, true).unwrap_err().to_string().contains("65,535"));
    }
}
