//! What two entries look like, side by side.

use super::{
    clips::ClipDifference, lines::TextDifference, models::ModelDifference, pictures::ComparedPictures, side::Side,
};
use crate::{
    bytes::Cancel,
    formats::{Asset, LoadOptions},
    scene::{Image, Model, Picture},
};
use std::sync::Arc;

/// What differs in what two entries show.
#[derive(Clone, Debug)]
pub enum AssetDifference {
    /// The differences of two texts, by line.
    Text(TextDifference),
    /// The differences of two pictures, by pixel.
    Picture(ComparedPictures),
    /// The differences of two models, and the models themselves.
    Model {
        /// The differences.
        difference: ModelDifference,
        /// The left model.
        left: Arc<Model>,
        /// The right model.
        right: Arc<Model>,
    },
    /// The differences of two clips.
    Clip(ClipDifference),
}

impl AssetDifference {
    /// Returns `true` if nothing differs.
    pub fn is_same(&self) -> bool {
        match self {
            Self::Text(text) => text.parts.is_empty(),
            Self::Picture(both) => both.difference.is_same(),
            Self::Model { difference, .. } => difference.is_same(),
            Self::Clip(clip) => clip.is_same(),
        }
    }
}

/// Decodes two entries and holds them against each other; `None` where one cannot be decoded, they show as different things, or such
/// things are compared by their fields alone. The tolerance is for the numbers of models and clips. Blocks: call it on a worker.
pub fn compare_assets(
    left: Side<'_>,
    right: Side<'_>,
    tolerance: Option<f32>,
    cancel: &Cancel,
) -> Option<AssetDifference> {
    if left.entry.content != right.entry.content {
        return None;
    }
    let load = |side: Side<'_>| Some(side.file.load(side.entry.id, LoadOptions::default(), cancel).ok()?.asset);
    Some(match (load(left)?, load(right)?) {
        (Asset::Text(left), Asset::Text(right)) => AssetDifference::Text(TextDifference::of(&left, &right)),
        (Asset::Model(left), Asset::Model(right)) => {
            AssetDifference::Model { difference: ModelDifference::of(&left, &right, tolerance), left, right }
        }
        (Asset::Clip(left), Asset::Clip(right)) => AssetDifference::Clip(ClipDifference::of(&left, &right, tolerance)),
        (left, right) => {
            let (left, right) = (image(left)?, image(right)?);
            AssetDifference::Picture(ComparedPictures::of(left, right))
        }
    })
}

fn image(asset: Asset) -> Option<Arc<Image>> {
    match asset {
        Asset::Image(image) => Some(image),
        Asset::Picture(picture) => largest(&picture),
        _ => None,
    }
}

fn largest(picture: &Picture) -> Option<Arc<Image>> {
    picture.forms.get(picture.preferred)?.mips.first().cloned()
}
