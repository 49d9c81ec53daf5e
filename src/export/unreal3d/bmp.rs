//! Pictures as the Unreal editor imports them: BMP with a palette of 256 colours, the first of which is transparent
//! where a surface is cut out; and the textures of a mesh.

use crate::{
    export::{ExportError, animated::Indexed, path::safe_name},
    formats::unreal::VertexMesh,
    scene::{Blend, Image, Model},
};
use std::collections::HashSet;

/// A texture of a slot.
pub struct Texture<'a> {
    pub slot: usize,
    /// What it is called in the game.
    pub name: String,
    /// The file and what is in it; `None` for one that lies elsewhere.
    pub picture: Option<(String, &'a Image)>,
    /// A polygon cuts out what is transparent of it.
    pub is_masked: bool,
}

/// The textures of the slots that polygons use.
pub fn textures<'a>(mesh: &VertexMesh, model: &'a Model, stem: &str) -> Vec<Texture<'a>> {
    let used: HashSet<usize> = mesh.polygons.iter().map(|polygon| usize::from(polygon.texture)).collect();
    let slots = mesh.textures.iter().enumerate().filter(|(slot, path)| used.contains(slot) && !path.is_empty());
    slots
        .map(|(slot, path)| {
            let own = path.rsplit('.').next().unwrap_or(path);
            // A material is called like its texture.
            let of_slot = || model.materials.iter().filter(|material| material.name.eq_ignore_ascii_case(own));
            let image = of_slot().find_map(|material| model.images.get(material.basic().image? as usize));
            let name = identifier(own);
            let picture = image.map(|image| (safe_name(&format!("{stem}_{name}.bmp")), &**image));
            let is_masked = of_slot().any(|material| material.basic().blend == Blend::Masked);
            Texture { slot, name, picture, is_masked }
        })
        .collect()
}

/// A name that a script can have: letters, digits and underscores.
pub fn identifier(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// Colours of a palette.
const COLORS: usize = 256;
/// Bytes in front of the pixels: two headers and the palette.
const PIXELS_AT: usize = 14 + 40 + COLORS * 4;

pub struct Bmp {
    pub bytes: Vec<u8>,
    /// The picture has more colours than the file.
    pub is_reduced: bool,
}

/// # Errors
/// When the picture has not as many pixels as its size says.
pub fn encode(image: &Image) -> Result<Bmp, ExportError> {
    let (width, height) = (image.width as usize, image.height as usize);
    let is_whole = width > 0 && height > 0 && image.rgba.len() as u64 == width as u64 * height as u64 * 4;
    let stride = width.next_multiple_of(4);
    let size = u32::try_from(PIXELS_AT as u64 + stride as u64 * height as u64).ok().filter(|_| is_whole);
    let Some(size) = size else {
        let message = format!("invalid size: {width} × {height} pixels, {} bytes of pixel data", image.rgba.len());
        return Err(ExportError::Picture { name: image.name.clone(), message });
    };
    let indexed = Indexed::of(image);
    let transparent = indexed.transparent.map(usize::from);
    let opaque: Vec<[u8; 3]> =
        indexed.colors.iter().enumerate().filter(|(at, _)| Some(*at) != transparent).map(|(_, c)| *c).collect();
    // The first place is kept for what is transparent, unless every place is needed.
    let first = usize::from(opaque.len() < COLORS);
    // What is transparent stands behind the others.
    let place = |number: u8| match usize::from(number) {
        number if Some(number) == transparent => 0,
        number => (number + first) as u8,
    };
    let mut bytes = Vec::with_capacity(size as usize);
    bytes.extend(b"BM");
    bytes.extend([size, 0, PIXELS_AT as u32, 40, image.width, image.height].map(u32::to_le_bytes).as_flattened());
    // One plane, 8 bits a pixel, no compression, 72 dots an inch.
    bytes.extend([1_u16, 8].map(u16::to_le_bytes).as_flattened());
    bytes.extend([0, (stride * height) as u32, 2835, 2835, 256, 0].map(u32::to_le_bytes).as_flattened());
    // No pixel that is seen has the colour of what is transparent.
    let unseen = (0..=u8::MAX).map(|green| [255, green, 255]).find(|color| !opaque.contains(color));
    bytes.extend(unseen.iter().take(first).chain(&opaque).flat_map(|[r, g, b]| [*b, *g, *r, 0]));
    bytes.resize(PIXELS_AT, 0);
    for row in indexed.indices.chunks_exact(width).rev() {
        bytes.extend(row.iter().map(|number| place(*number)));
        bytes.resize(bytes.len() + stride - width, 0);
    }
    let stored = |number: u8| indexed.colors.get(usize::from(number)).copied().unwrap_or_default();
    let mut pixels = image.rgba.chunks_exact(4).zip(&indexed.indices);
    let is_reduced = pixels.any(|(pixel, number)| {
        indexed.transparent != Some(*number) && pixel.first_chunk::<3>() != Some(&stored(*number))
    });
    Ok(Bmp { bytes, is_reduced })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bytes::Limits, formats::picture};

    fn image(width: u32, pixels: Vec<[u8; 4]>) -> Image {
        let height = pixels.len() as u32 / width;
        Image { name: "skin".into(), width, height, rgba: pixels.concat().into(), stored_as: String::new() }
    }

    #[test]
    fn pixels_come_back_and_what_is_transparent_has_the_first_colour() {
        let original = image(3, vec![[9, 8, 7, 255], [1, 2, 3, 0], [4, 5, 6, 255], [9, 8, 7, 255], [0; 4], [0; 4]]);
        let made = encode(&original).unwrap();
        assert!(!made.is_reduced);
        // Rows from below, of four bytes.
        assert_eq!(made.bytes[PIXELS_AT..], [2, 0, 0, 0, 2, 0, 1, 0]);
        assert_eq!(made.bytes[54..66], [255, 0, 255, 0, 6, 5, 4, 0, 7, 8, 9, 0]);
        let back = picture::decode("skin", &made.bytes, &Limits::default()).unwrap();
        assert_eq!(
            (back.width, back.height, &back.rgba[..4], &back.rgba[8..12]),
            (3, 2, &[9, 8, 7, 255][..], &[4, 5, 6, 255][..])
        );
    }

    #[test]
    fn a_picture_of_all_colours_fills_the_palette_and_one_of_more_is_reduced() {
        let grey =
            |count: usize| image(4, (0..count).map(|i| [(i % 256) as u8, (i / 256) as u8 * 9, 0, 255]).collect());
        let full = grey(256);
        let made = encode(&full).unwrap();
        assert!(!made.is_reduced);
        assert_eq!(*picture::decode("skin", &made.bytes, &Limits::default()).unwrap().rgba, *full.rgba);
        assert!(encode(&grey(512)).unwrap().is_reduced);
        assert!(encode(&Image { width: 5, ..grey(256) }).is_err());
    }
}
