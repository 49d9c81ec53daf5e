//! The pictures that lie over the ground, from files beside the landscape.

use super::textures;
use crate::{
    bytes::{Limits, numbers::counted},
    formats::{LoadContext, common_codes, findings::Findings},
    scene::{Image, Terrain},
};
use std::{collections::HashMap, sync::Arc};

/// Pictures that are looked for.
const MAX_PICTURES: usize = 64;

/// Gives backgrounds the pictures that are found, and says which were not. Stops when nobody waits any more.
pub fn find(terrain: &mut Terrain, cx: &LoadContext<'_>, findings: &mut Findings) {
    let mut known: HashMap<String, Option<Arc<Image>>> = HashMap::new();
    // The bodies' textures have the other half.
    let mut limits = Limits { decoded_bytes: cx.limits.decoded_bytes.div_euclid(2), ..cx.limits };
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
            let left = counted(terrain.pictures.len().saturating_sub(index), "ground image");
            terrain.missing.push(format!("{left} not loaded: only {MAX_PICTURES} ground images are loaded"));
            return;
        }
        let file = background.file.clone();
        let found = textures::find(&file, cx);
        let image = match found.map(|found| textures::decode(&found.name, &found.source, &limits, u32::MAX)) {
            Some(Ok((image, _))) => {
                limits.decoded_bytes = limits.decoded_bytes.saturating_sub(image.weight());
                Some(Arc::new(image))
            }
            Some(Err(error)) => {
                findings.add(&common_codes::BAD_PICTURE, None, format!("{file}: {error}"));
                terrain.missing.push(format!("the ground image “{file}” cannot be shown: {error}"));
                None
            }
            None => {
                terrain.missing.push(format!("the ground image “{file}” was not found next to the project"));
                None
            }
        };
        if let Some(background) = terrain.pictures.get_mut(index) {
            background.image = image.clone();
        }
        known.insert(key, image);
    }
}
