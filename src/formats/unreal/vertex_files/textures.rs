//! The pictures that a script imports as textures of a mesh, found beside it.

use super::import_lines::{ImportLines, SlotTexture};
use crate::{
    bytes::Limits,
    formats::{FileRequest, LoadContext, common_codes, file_name, picture, unreal::mesh::Slot},
    scene::{Image, Model},
};
use std::{collections::HashMap, sync::Arc};

/// Extensions of pictures, the best first.
const PICTURES: [&str; 4] = ["bmp", "png", "tga", "dds"];

/// The slots up to the last that has a texture; the images that were found are put into the model.
pub fn slots(lines: &ImportLines, model: &mut Model, cx: &mut LoadContext<'_>) -> Vec<Slot> {
    let count = lines.textures.last_key_value().map_or(0, |(slot, _)| usize::from(*slot).saturating_add(1));
    let mut slots = vec![Slot::default(); count];
    let mut known: HashMap<String, Slot> = HashMap::new();
    for (number, texture) in &lines.textures {
        let found = known.entry(texture.name.to_lowercase()).or_insert_with(|| slot(texture, model, cx));
        if let Some(slot) = slots.get_mut(usize::from(*number)) {
            *slot = found.clone();
        }
    }
    slots
}

fn slot(texture: &SlotTexture, model: &mut Model, cx: &mut LoadContext<'_>) -> Slot {
    let name = texture.name.clone();
    let path = texture.file.as_deref().unwrap_or(&name);
    let stem = match &texture.file {
        Some(file) => file_name::stem(file_name::last_part(file)),
        // A texture of another package, which may have been exported.
        None => name.rsplit('.').next().unwrap_or_default(),
    };
    let folder = folder_of(path);
    let siblings: Vec<&str> = folder.into_iter().collect();
    let request = FileRequest { stem, extensions: &PICTURES, subfolders: false, siblings: &siblings };
    let Some(found) = cx.resolver.find(&request) else {
        let near = cx.resolver.suggestion(&request);
        let message =
            format!("the texture {name} was not found: there is no image named {stem} next to the file{near}");
        cx.diagnostics.report(&common_codes::MISSING_FILE, None, None, message.clone());
        model.missing.push(message);
        return Slot { name: name.clone(), image: None, missing: Some(name) };
    };
    let used = model.images.iter().fold(0, |sum: u64, image| sum.saturating_add(image.weight()));
    let limits = Limits { decoded_bytes: cx.limits.decoded_bytes.saturating_sub(used), ..cx.limits };
    let decoded = match found.source.in_memory() {
        Ok(source) => picture::decode(&name, source.as_slice(), &limits)
            .map(|image| if texture.is_masked { cut_out(image, first_color(source.as_slice())) } else { image })
            .map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match decoded {
        Ok(image) => {
            model.images.push(Arc::new(image));
            Slot { name, image: Some(model.images.len().saturating_sub(1) as u32), missing: None }
        }
        Err(error) => {
            let message = format!("{}: {error}", found.name);
            cx.diagnostics.report(&common_codes::BAD_PICTURE, None, None, message);
            model.missing.push(format!("the image of the texture {name} cannot be decoded"));
            Slot { name, ..Slot::default() }
        }
    }
}

/// The last folder of a path.
fn folder_of(path: &str) -> Option<&str> {
    let mut parts = path.rsplit(['\\', '/']);
    parts.next();
    parts.next().filter(|folder| !folder.is_empty() && !folder.starts_with('.'))
}

/// The first colour of the palette of a BMP that has 256.
fn first_color(bmp: &[u8]) -> Option<[u8; 3]> {
    let header = bmp.strip_prefix(b"BM")?.get(12..)?;
    let size = usize::try_from(u32::from_le_bytes(*header.first_chunk()?)).ok()?;
    let is_indexed = header.get(14..16)? == 8_u16.to_le_bytes();
    let [blue, green, red] = *header.get(size..)?.first_chunk()?;
    is_indexed.then_some([red, green, blue])
}

/// The picture with one colour transparent.
fn cut_out(image: Image, color: Option<[u8; 3]>) -> Image {
    let Some(color) = color else { return image };
    let mut rgba = image.rgba.to_vec();
    for pixel in rgba.as_chunks_mut::<4>().0.iter_mut().filter(|pixel| pixel.starts_with(&color)) {
        pixel[3] = 0;
    }
    Image { rgba: rgba.into(), ..image }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_colour_of_a_palette_is_cut_out() {
        let mut bmp = b"BM".to_vec();
        bmp.resize(14, 0);
        bmp.extend([40_u32, 2, 1].map(u32::to_le_bytes).concat());
        bmp.extend([1, 0, 8, 0]);
        bmp.resize(54, 0);
        bmp.extend([3, 2, 1, 0, 6, 5, 4, 0]);
        assert_eq!(first_color(&bmp), Some([1, 2, 3]));
        for cut in 0..57 {
            assert_eq!(first_color(&bmp[..cut]), None, "{cut}");
        }
        bmp[28] = 24;
        assert_eq!(first_color(&bmp), None);
        let rgba = vec![1, 2, 3, 255, 4, 5, 6, 255].into();
        let image = Image { name: String::new(), width: 2, height: 1, rgba, stored_as: String::new() };
        assert_eq!(*cut_out(image, Some([1, 2, 3])).rgba, [1, 2, 3, 0, 4, 5, 6, 255]);
    }

    #[test]
    fn a_picture_may_lie_in_the_folder_that_its_path_names() {
        let folders = ["MODELS\\a.bmp", "..\\Textures\\a.bmp", "a.bmp", "..\\a.bmp", "/a.bmp"].map(folder_of);
        assert_eq!(folders, [Some("MODELS"), Some("Textures"), None, None, None]);
    }
}
