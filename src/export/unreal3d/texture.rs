//! The textures of a mesh, as its files speak of them.

use crate::{
    export::path::safe_name,
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
