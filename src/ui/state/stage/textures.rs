//! Images in the places of the shown model's own textures.

use crate::{
    scene::{Image, MaterialSet, Model, Retextured, TextureOverride, TexturePlace},
    ui::state::stage::model::Shown,
};
use std::sync::Arc;

/// The images that a stage's model wears, with the model as it looks.
#[derive(Default)]
pub struct StageTextures {
    list: Vec<TextureOverride>,
    /// Changes with the list.
    revision: u64,
    worn: Option<Worn>,
    /// Models that were made so far.
    made: u64,
}

/// What the model as it looks was made for.
struct Worn {
    number: u64,
    generation: u64,
    revision: u64,
    set: Option<Arc<MaterialSet>>,
    retextured: Retextured,
}

impl StageTextures {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The shown model as it looks, with a number of its own; `None` where it has its own textures.
    pub fn worn(&self, shown: &Shown) -> Option<(u64, &Arc<Model>)> {
        let worn = self.worn.as_ref().filter(|worn| worn.generation == shown.generation)?;
        Some((worn.number, &worn.retextured.model))
    }

    pub(in crate::ui::state) fn put(&mut self, places: &[TexturePlace], image: &Arc<Image>) {
        self.list.retain(|known| !places.contains(&known.place));
        self.list.extend(places.iter().map(|place| TextureOverride { place: *place, image: image.clone() }));
        self.revision += 1;
    }

    pub(in crate::ui::state) fn clear(&mut self) {
        if !self.list.is_empty() {
            self.list.clear();
            self.worn = None;
            self.revision += 1;
        }
    }

    /// The model with the images on it, over the materials that it wears in the place of its own.
    pub(in crate::ui::state) fn dress(&mut self, shown: &Shown, set: Option<&Arc<MaterialSet>>) -> Option<&Retextured> {
        if self.list.is_empty() {
            return None;
        }
        let is_same = |worn: &Worn| {
            let same_set = worn.set.as_ref().map(Arc::as_ptr) == set.map(Arc::as_ptr);
            (worn.generation, worn.revision) == (shown.generation, self.revision) && same_set
        };
        if !self.worn.as_ref().is_some_and(is_same) {
            let retextured = match set {
                Some(set) => Retextured::new(&set.applied_to(&shown.model), &self.list),
                None => Retextured::new(&shown.model, &self.list),
            };
            let (generation, revision) = (shown.generation, self.revision);
            self.made += 1;
            self.worn = Some(Worn { number: self.made, generation, revision, set: set.cloned(), retextured });
        }
        self.worn.as_ref().map(|worn| &worn.retextured)
    }
}
