//! Images that replace a model's textures.

use crate::{
    scene::{Image, MaterialIndex, MaterialSet, Model, Retextured, TextureOverride, TexturePlace},
    ui::place::{Place, TextureSource},
};
use std::sync::Arc;

/// The images that a stage's model wears, with the model as it looks.
#[derive(Default)]
pub struct StageTextures {
    list: Vec<TextureOverride>,
    /// Where those images were read from, as many.
    sources: Vec<TextureSource>,
    /// The material that a texture is being chosen for.
    pub choosing: Option<MaterialIndex>,
    /// Images that were on the model when it was looked at last, and are being read.
    pub(crate) returning: usize,
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
    pub(super) fn worn(&self, generation: u64) -> Option<(u64, &Arc<Model>)> {
        let worn = self.worn.as_ref().filter(|worn| worn.generation == generation)?;
        Some((worn.number, &worn.retextured.model))
    }

    /// The same with the way to follow it.
    pub(in crate::ui) fn retextured(&self, generation: u64) -> Option<&Retextured> {
        let worn = self.worn.as_ref().filter(|worn| worn.generation == generation)?;
        Some(&worn.retextured)
    }

    /// The image in the place of a texture.
    pub fn image_at(&self, place: TexturePlace) -> Option<&Arc<Image>> {
        self.list.iter().find(|known| known.place == place).map(|known| &known.image)
    }

    /// The entry that it is.
    pub fn source_at(&self, place: TexturePlace) -> Option<Place> {
        let (_, source) = self.list.iter().zip(&self.sources).find(|(known, _)| known.place == place)?;
        match source {
            TextureSource::Entry(place) => Some(*place),
            TextureSource::Picture(_) => None,
        }
    }

    /// The images, each once, with where it was read from and the places that it stands in.
    pub fn by_image(&self) -> Vec<(&TextureSource, Vec<TexturePlace>)> {
        let mut images: Vec<(&TextureSource, Vec<TexturePlace>)> = Vec::new();
        for (known, source) in self.list.iter().zip(&self.sources) {
            match images.iter_mut().find(|(other, _)| *other == source) {
                Some((_, places)) => places.push(known.place),
                None => images.push((source, vec![known.place])),
            }
        }
        images
    }

    /// Places in a file have moved; an entry that is gone is the file.
    pub(crate) fn move_places(&mut self, moved: impl Fn(&mut Place)) {
        for source in &mut self.sources {
            if let TextureSource::Entry(place) = source {
                moved(place);
            }
        }
    }

    pub(crate) fn put(&mut self, places: &[TexturePlace], image: &Arc<Image>, source: &TextureSource) {
        let old = std::mem::take(&mut self.list).into_iter().zip(std::mem::take(&mut self.sources));
        (self.list, self.sources) = old.filter(|(known, _)| !places.contains(&known.place)).unzip();
        self.list.extend(places.iter().map(|place| TextureOverride { place: *place, image: image.clone() }));
        self.sources.resize(self.list.len(), source.clone());
        self.revision += 1;
    }

    pub(crate) fn clear(&mut self) {
        (self.choosing, self.returning) = (None, 0);
        if !self.list.is_empty() {
            self.list.clear();
            self.sources.clear();
            self.worn = None;
            self.revision += 1;
        }
    }

    /// The model with the images on it, over the materials that it wears in the place of its own.
    pub(crate) fn dress(
        &mut self,
        model: &Arc<Model>,
        generation: u64,
        set: Option<&Arc<MaterialSet>>,
    ) -> Option<&Retextured> {
        if self.list.is_empty() {
            return None;
        }
        let is_same = |worn: &Worn| {
            let same_set = worn.set.as_ref().map(Arc::as_ptr) == set.map(Arc::as_ptr);
            (worn.generation, worn.revision) == (generation, self.revision) && same_set
        };
        if !self.worn.as_ref().is_some_and(is_same) {
            let retextured = match set {
                Some(set) => Retextured::new(&set.applied_to(model), &self.list),
                None => Retextured::new(model, &self.list),
            };
            let revision = self.revision;
            self.made += 1;
            self.worn = Some(Worn { number: self.made, generation, revision, set: set.cloned(), retextured });
        }
        self.worn.as_ref().map(|worn| &worn.retextured)
    }
}

/// A material without a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptySlot {
    pub material: MaterialIndex,
    pub name: String,
    /// The image that a person has put there.
    pub chosen: Option<String>,
}
