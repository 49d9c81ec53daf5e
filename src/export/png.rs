//! Pictures as PNG.

use super::ExportError;
use crate::scene::{
    Image, Procedural,
    procedural::{COMPUTED_SEED, Simulation},
};
use image::{
    ExtendedColorType, ImageEncoder as _,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use std::sync::Arc;

/// The frame of a computed texture that is exported unless another is asked for: it has got going.
const USUAL_FRAME: u64 = 60;
/// The last frame of a computed texture that can be asked for: each costs a step from the first.
const LAST_FRAME: f32 = 100_000.0;

/// A frame of a computed texture, cut out where it is masked.
///
/// # Errors
/// When it is of a size that is not computed.
pub fn computed_image(texture: Arc<Procedural>, frame: Option<f32>) -> Result<Image, ExportError> {
    let name = texture.name.clone();
    let mut simulation = Simulation::new(texture, COMPUTED_SEED)
        .map_err(|error| ExportError::Picture { name, message: error.to_string() })?;
    simulation.seek(frame.map_or(USUAL_FRAME, |frame| frame.clamp(0.0, LAST_FRAME) as u64));
    Ok(simulation.seen_image())
}

/// Encodes a picture's own pixels: RGB when every pixel is opaque, RGBA otherwise.
///
/// # Errors
/// When the picture has no pixels, or not as many as its size says.
pub fn png(picture: &Image) -> Result<Vec<u8>, ExportError> {
    encode(picture, true)
}

/// As [`png`]; without `alpha` as if every pixel were opaque.
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
    let mut bytes = Vec::with_capacity(picture.rgba.len() / 4 + 256);
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
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

    fn picture(alpha: u8) -> Image {
        let rgba: Vec<u8> = (0..6_u8).flat_map(|i| [i * 40, 255 - i, i, if i == 3 { alpha } else { 255 }]).collect();
        Image { name: "p".into(), width: 3, height: 2, rgba: rgba.into(), stored_as: String::new() }
    }

    #[test]
    fn pixels_come_back_as_they_were() {
        for (alpha, color) in [(255, image::ColorType::Rgb8), (7, image::ColorType::Rgba8)] {
            let original = picture(alpha);
            let decoded = image::load_from_memory(&png(&original).unwrap()).unwrap();
            assert_eq!(decoded.color(), color);
            assert_eq!(decoded.to_rgba8().into_raw(), original.rgba.as_ref());
        }
    }

    #[test]
    fn a_picture_without_its_pixels_is_an_error() {
        let bad = Image { width: 4, ..picture(255) };
        assert!(png(&bad).unwrap_err().to_string().contains("“p”"));
        assert!(png(&Image { width: 0, ..picture(255) }).is_err());
    }
}
