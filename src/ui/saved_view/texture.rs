//! Images in the places of a model's own textures.

use crate::ui::saved_view::{
    place::SavedPlace,
    value::{MAX_NAME, each_or_default, or_default},
};
use serde::{Deserialize, Serialize};

/// Images that are put on one model.
pub(super) const MAX_TEXTURES: usize = 1_000;
/// Places that one image stands in.
const MAX_PLACES: usize = 1_000;

/// An image that is put on a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedTexture {
    /// Always there after `check`.
    #[serde(deserialize_with = "or_default")]
    pub image: Option<SavedImage>,
    #[serde(deserialize_with = "each_or_default")]
    pub places: Vec<SavedTexturePlace>,
}

/// Where an image is read from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SavedImage {
    Entry(SavedPlace),
    /// A picture that is no file of the library: into [`super::SavedView::pictures`].
    Picture(usize),
}

/// Where a material reads a texture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedTexturePlace {
    /// What the material is called, and which one of the model it was.
    pub name: String,
    pub material: u32,
    pub slot: u8,
}

/// Leaves out what cannot be.
pub(super) fn check(textures: &mut Vec<SavedTexture>, is_known: impl Fn(&SavedPlace) -> bool, pictures: usize) {
    for texture in &mut *textures {
        texture.image.take_if(|image| match image {
            SavedImage::Entry(place) => !is_known(place),
            SavedImage::Picture(picture) => *picture >= pictures,
        });
        texture.places.retain(|place| place.name.len() <= MAX_NAME);
        texture.places.truncate(MAX_PLACES);
    }
    textures.retain(|texture| texture.image.is_some() && !texture.places.is_empty());
    textures.truncate(MAX_TEXTURES);
}
