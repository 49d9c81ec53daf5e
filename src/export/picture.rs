//! Which images a picture, a font or a palette is exported as.

use super::{ExportError, ExportFormat, png, tga};
use crate::export::Notes;
use crate::{
    formats::Asset,
    scene::{Font, Image, Palette, Picture},
};
use rayon::prelude::*;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Swatches in a row of a palette's picture, one pixel each.
const PALETTE_WIDTH: usize = 16;

/// Files with what is in them, the one that was asked for first.
pub type Files = Vec<(PathBuf, Vec<u8>)>;

/// The files of an asset as PNG or TGA: the first is `target`, the others stand beside it (`name.mip1.png`, `name.page1.png`). A
/// picture keeps its alpha where that counts. `None` for what is no picture.
pub fn picture_files(
    asset: &Asset,
    format: ExportFormat,
    target: &Path,
    all_mips: bool,
    notes: &mut Notes,
) -> Option<Result<Files, ExportError>> {
    let (images, alpha, part) = match asset {
        Asset::Image(image) => (vec![image.clone()], true, "mip"),
        Asset::Picture(picture) => match picture_images(picture, all_mips) {
            Ok((images, alpha)) => (images, alpha, "mip"),
            Err(error) => return Some(Err(error)),
        },
        Asset::Font(font) => match pages(font, notes) {
            Ok(images) => (images, true, "page"),
            Err(error) => return Some(Err(error)),
        },
        Asset::Palette(palette) if palette.colors.is_empty() => {
            return Some(Err(ExportError::Empty { name: palette.name.clone(), what: "no colours" }));
        }
        Asset::Palette(palette) => (vec![Arc::new(swatches(palette))], false, "mip"),
        _ => return None,
    };
    let encode = if format == ExportFormat::Tga { tga::encode } else { png::encode };
    let encoded: Result<Vec<Vec<u8>>, ExportError> = images.par_iter().map(|image| encode(image, alpha)).collect();
    let named = |(index, bytes)| (numbered(target, part, index), bytes);
    Some(encoded.map(|files| files.into_iter().enumerate().map(named).collect()))
}

/// The largest image of a texture, and whether its alpha counts: the first of [`picture_files`].
pub fn first_image(asset: &Asset) -> Option<(&Image, bool)> {
    match asset {
        Asset::Image(image) => Some((image, true)),
        Asset::Picture(picture) => {
            let form = picture.form()?;
            Some((form.mips.first()?, picture.uses_alpha(form)))
        }
        _ => None,
    }
}

/// `wall.png`, `wall.mip1.png`, …
fn numbered(target: &Path, part: &str, index: usize) -> PathBuf {
    if index == 0 {
        return target.to_owned();
    }
    let stem = target.file_stem().unwrap_or_default().to_string_lossy();
    let extension = target.extension().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!("{stem}.{part}{index}.{extension}"))
}

/// The mips of the form that is shown, and whether their alpha counts.
fn picture_images(picture: &Picture, all_mips: bool) -> Result<(Vec<Arc<Image>>, bool), ExportError> {
    let form = picture.form().filter(|form| !form.mips.is_empty()).ok_or_else(|| no_pixels(&picture.name))?;
    let count = if all_mips { form.mips.len() } else { 1 };
    Ok((form.mips.iter().take(count).cloned().collect(), picture.uses_alpha(form)))
}

pub(super) fn no_pixels(name: &str) -> ExportError {
    ExportError::Picture { name: name.to_owned(), message: "no pixel data in the file".to_owned() }
}

fn pages(font: &Font, notes: &mut Notes) -> Result<Vec<Arc<Image>>, ExportError> {
    let images: Vec<Arc<Image>> = font.pages.iter().filter_map(|page| page.image.clone()).collect();
    let missing = font.pages.len() - images.len();
    if images.is_empty() {
        return Err(no_pixels(&font.name));
    }
    if missing > 0 {
        notes.push(format!("font pages without an image: {missing} of {}", font.pages.len()));
    }
    Ok(images)
}

/// A pixel for each colour, 16 in a row.
pub(super) fn swatches(palette: &Palette) -> Image {
    let height = palette.colors.len().div_ceil(PALETTE_WIDTH);
    let mut rgba: Vec<u8> = palette.colors.iter().flat_map(|[r, g, b, _]| [*r, *g, *b, 255]).collect();
    rgba.resize(height * PALETTE_WIDTH * 4, 0);
    Image {
        name: palette.name.clone(),
        width: PALETTE_WIDTH as u32,
        height: height as u32,
        rgba: rgba.into(),
        stored_as: "palette".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{FontPage, PictureForm, StoredPixels};

    fn image(width: u32, alpha: u8) -> Arc<Image> {
        let rgba = [9, 8, 7, alpha].repeat((width * 2) as usize);
        Arc::new(Image { name: "w".into(), width, height: 2, rgba: rgba.into(), stored_as: "P8".into() })
    }

    fn picture(masked: bool) -> Asset {
        let mips = vec![image(4, 0), image(2, 0)];
        let form = PictureForm { name: "P8".into(), mips, stored: StoredPixels::Decoded, has_alpha: false };
        Asset::Picture(Arc::new(Picture { name: "w".into(), forms: vec![form], masked, ..Picture::default() }))
    }

    fn files(asset: &Asset, all_mips: bool) -> Vec<(String, image::DynamicImage)> {
        let files = picture_files(asset, ExportFormat::Png, Path::new("out/wall.png"), all_mips, &mut Notes::default())
            .unwrap()
            .unwrap();
        files
            .into_iter()
            .map(|(path, bytes)| (path.to_string_lossy().replace('\\', "/"), image::load_from_memory(&bytes).unwrap()))
            .collect()
    }

    #[test]
    fn mips_are_numbered_and_alpha_is_kept_only_where_it_counts() {
        let one = files(&picture(false), false);
        assert_eq!(one.len(), 1);
        assert_eq!(one[0].1.color(), image::ColorType::Rgb8);
        let all = files(&picture(true), true);
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["out/wall.png", "out/wall.mip1.png"]);
        assert!(all.iter().all(|(_, image)| image.color() == image::ColorType::Rgba8));
        assert_eq!((all[1].1.width(), all[1].1.to_rgba8().into_raw()[..4].to_vec()), (2, vec![9, 8, 7, 0]));
    }

    #[test]
    fn palettes_and_fonts_are_pictures_too() {
        let colors = (0..20_u8).map(|i| [i, 0, 0, 0]).collect();
        let palette = files(&Asset::Palette(Arc::new(Palette { name: "p".into(), colors })), false);
        assert_eq!((palette[0].1.width(), palette[0].1.height()), (16, 2));
        assert_eq!(palette[0].1.to_rgb8().get_pixel(3, 1).0, [19, 0, 0]);
        let page = |image| FontPage { image, glyphs: Vec::new() };
        let pages = vec![page(Some(image(4, 255))), page(None), page(Some(image(2, 255)))];
        let font = Asset::Font(Arc::new(Font { name: "f".into(), pages, characters_per_page: 1 }));
        assert_eq!(files(&font, false)[1].0, "out/wall.page1.png");
    }

    #[test]
    fn a_picture_without_pixels_says_so() {
        let empty = Asset::Picture(Arc::new(Picture { name: "stripped".into(), ..Picture::default() }));
        let error = picture_files(&empty, ExportFormat::Png, Path::new("a.png"), false, &mut Notes::default())
            .unwrap()
            .unwrap_err();
        assert!(error.to_string().contains("stripped") && error.to_string().contains("no pixel data"), "{error}");
    }
}
