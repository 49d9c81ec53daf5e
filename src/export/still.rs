//! The one image that stands for a picture.

use super::picture::swatches;
use crate::{
    formats::Asset,
    scene::{Image, procedural::Simulation},
};
use std::sync::Arc;

/// Frames that a computed texture runs before its picture is taken.
const FRAMES_BEFORE: u64 = 48;

/// What a picture, a computed texture, a palette or a font looks like, and whether its alpha counts.
///
/// # Errors
/// For what is no picture, or has no pixels.
pub fn still(asset: &Asset) -> Result<(Arc<Image>, bool), String> {
    match asset {
        Asset::Image(image) => Ok((image.clone(), image.has_alpha())),
        Asset::Picture(picture) => {
            let form = picture.form().ok_or("no pixel data in the file")?;
            let image = form.mips.first().ok_or("no pixel data in the file")?;
            Ok((image.clone(), picture.uses_alpha(form)))
        }
        Asset::Procedural(texture) => {
            let mut simulation = Simulation::new(texture.clone(), 1).map_err(|error| error.to_string())?;
            simulation.seek(FRAMES_BEFORE);
            Ok((Arc::new(simulation.image()), texture.masked))
        }
        Asset::Palette(palette) if palette.colors.is_empty() => Err("no colours".to_owned()),
        Asset::Palette(palette) => Ok((Arc::new(swatches(palette)), false)),
        Asset::Font(font) => {
            let image = font.pages.iter().find_map(|page| page.image.clone());
            image.map(|image| (image, true)).ok_or_else(|| "no pixel data in the file".to_owned())
        }
        _ => Err("not an image".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Font, FontPage, Palette, Text};

    #[test]
    fn palettes_and_fonts_have_a_picture_and_texts_have_none() {
        let palette = |count: u8| {
            let colors = (0..count).map(|red| [red, 0, 0, 0]).collect();
            Asset::Palette(Arc::new(Palette { name: "p".into(), colors }))
        };
        let (image, uses_alpha) = still(&palette(20)).unwrap();
        assert_eq!(
            (image.width, image.height, uses_alpha, &image.rgba[16 * 4..16 * 4 + 4]),
            (16, 2, false, &[16, 0, 0, 255][..])
        );
        assert_eq!(still(&palette(0)).unwrap_err(), "no colours");
        let pixels =
            Image { name: "f".into(), width: 1, height: 1, rgba: vec![1, 2, 3, 4].into(), stored_as: String::new() };
        let page = |image| FontPage { image, glyphs: Vec::new() };
        let pages = vec![page(None), page(Some(Arc::new(pixels)))];
        let font = Asset::Font(Arc::new(Font { name: "f".into(), pages, characters_per_page: 1 }));
        assert_eq!(still(&font).unwrap().0.rgba.as_ref(), [1, 2, 3, 4]);
        assert_eq!(still(&Asset::Text(Arc::new(Text::default()))).unwrap_err(), "not an image");
    }
}
