//! Materials of the shown model that have no texture of their own.

use crate::{
    scene::{MaterialIndex, TexturePlace},
    ui::state::stage::Stage,
};

/// A material without a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptySlot {
    pub material: MaterialIndex,
    pub name: String,
    /// The image that a person has put there.
    pub chosen: Option<String>,
}

impl Stage {
    /// Materials that are drawn without a texture, though some was looked for.
    pub fn empty_slots(&self) -> Vec<EmptySlot> {
        let Some(shown) = self.model() else { return Vec::new() };
        let model = &shown.model;
        let slot = |material: MaterialIndex| {
            let chosen = self.textures.image_at(TexturePlace { material, slot: 0 }).map(|image| image.name.clone());
            let name =
                model.materials.get(material.as_usize()).map(|material| material.name.clone()).unwrap_or_default();
            EmptySlot { material, name, chosen }
        };
        model.materials_without_texture().into_iter().map(slot).collect()
    }
}
