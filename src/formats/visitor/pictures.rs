//! The pictures that lie over the ground, from files beside the landscape.

use super::bodies::drive_path;
use crate::{
    formats::{FileRequest, FoundFile, LoadContext, common_codes, file_name, findings::Findings, picture},
    scene::{Image, Terrain},
};
use std::{collections::HashMap, sync::Arc};

/// Pictures that are looked for.
const MAX_PICTURES: usize = 64;
/// Bytes of one's file.
const LARGEST: u64 = 256 << 20;
/// Extensions of pictures that can be read.
const PICTURES: &[&str] = &["bmp", "png", "tga", "dds"];

/// Gives backgrounds the pictures that are found, and says which were not. Stops when nobody waits any more.
pub fn find(terrain: &mut Terrain, cx: &LoadContext<'_>, findings: &mut Findings) {
    let mut known: HashMap<String, Option<Arc<Image>>> = HashMap::new();
    let mut limits = cx.limits;
    for index in 0..terrain.pictures.len() {
        if cx.cancelled() {
            return;
        }
        let Some(background) = terrain.pictures.get_mut(index).filter(|p| !p.file.trim().is_empty()) else { continue };
        let key = background.file.to_lowercase();
        if let Some(image) = known.get(&key) {
            background.image = image.clone();
            continue;
        }
        if known.len() >= MAX_PICTURES {
            let left = terrain.pictures.len().saturating_sub(index);
            terrain
                .missing
                .push(format!("{left} pictures of the ground were not looked for, since there are so many."));
            return;
        }
        let file = background.file.clone();
        let image =
            match found(&file, cx).map(|found| picture::decode(name_of(&file), found.source.as_slice(), &limits)) {
                Some(Ok(image)) => {
                    limits.decoded_bytes = limits.decoded_bytes.saturating_sub(image.weight());
                    Some(Arc::new(image))
                }
                Some(Err(error)) => {
                    findings.add(&common_codes::BAD_PICTURE, None, format!("{file}: {error}"));
                    terrain.missing.push(format!("The picture “{file}” of the ground cannot be shown: {error}."));
                    None
                }
                None => {
                    terrain.missing.push(format!("The picture “{file}” of the ground was not found beside the file."));
                    None
                }
            };
        if let Some(background) = terrain.pictures.get_mut(index) {
            background.image = image.clone();
        }
        known.insert(key, image);
    }
}

/// By its path, or else by its name with any extension of a picture.
fn found(file: &str, cx: &LoadContext<'_>) -> Option<FoundFile> {
    let by_name = || {
        let name = name_of(file);
        let stem = file_name::stem(name);
        cx.resolver.find(&FileRequest { stem, extensions: PICTURES, subfolders: true, siblings: &[] })
    };
    cx.resolver.find_path(drive_path(file), LARGEST).or_else(by_name)
}

/// Without its folders.
fn name_of(file: &str) -> &str {
    file_name::last_part(file.trim())
}
