//! Materials of the shown model that have no texture of their own.

use crate::{
    scene::{MaterialIndex, MaterialKind, TexturePlace},
    ui::state::stage::Stage,
};
use std::collections::HashSet;

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
        let Some(shown) = self.model().filter(|shown| !shown.model.missing.is_empty()) else { return Vec::new() };
        let model = &shown.model;
        let surfaces = model.meshes.iter().flat_map(|mesh| &mesh.surfaces);
        let used: HashSet<u32> = surfaces.map(|surface| surface.material).collect();
        let materials = (0..).map(MaterialIndex).zip(&model.materials).filter(|(index, _)| used.contains(&index.0));
        let empty = materials.filter(|(_, material)| match &material.kind {
            MaterialKind::Basic(basic) => basic.image.is_none() && !basic.hidden,
            MaterialKind::Tev(_) => false,
        });
        let slot = |(material, of): (MaterialIndex, &crate::scene::Material)| {
            let chosen = self.textures.image_at(TexturePlace { material, slot: 0 }).map(|image| image.name.clone());
            EmptySlot { material, name: of.name.clone(), chosen }
        };
        empty.map(slot).collect()
    }
}
