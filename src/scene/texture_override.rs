//! Pictures in the places of a model's own textures.

use super::{
    Image, MaterialIndex, MaterialKind, Model,
    gx::{MaterialState, TevMaterial, Texture, first_image},
};
use std::sync::Arc;

/// Where a material reads a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexturePlace {
    /// Material that reads the texture.
    pub material: MaterialIndex,
    /// Texture-map slot of a material of the GameCube's chip; the others have one texture, at 0.
    pub slot: u8,
}

/// A picture that takes the place of a texture.
#[derive(Clone, Debug)]
pub struct TextureOverride {
    /// Place of the texture that is replaced.
    pub place: TexturePlace,
    /// Picture to show instead.
    pub image: Arc<Image>,
}

/// A texture number of a material, as it is at rest and as it is instead.
#[derive(Clone, Copy, Debug)]
struct Swap {
    place: TexturePlace,
    from: Option<u32>,
    to: u32,
}

/// A model with pictures in the places of textures.
#[derive(Clone)]
pub struct Retextured {
    /// The model with the pictures in place.
    pub model: Arc<Model>,
    swaps: Vec<Swap>,
}

impl Model {
    /// Where a material reads the texture that it mostly looks like; `None` for one that reads none.
    pub fn main_texture(&self, material: MaterialIndex) -> Option<TexturePlace> {
        let slot = match &self.materials.get(material.as_usize())?.kind {
            MaterialKind::Basic(_) => 0,
            MaterialKind::Tev(tev) => tev.main_texture()?.slot,
        };
        Some(TexturePlace { material, slot })
    }

    /// Every place that reads a texture, with the name of the texture.
    pub fn texture_places(&self) -> impl Iterator<Item = (TexturePlace, &str)> {
        (0..).map(MaterialIndex).zip(&self.materials).flat_map(|(material, kind)| {
            let (basic, tev) = match &kind.kind {
                MaterialKind::Basic(basic) => (basic.image, None),
                MaterialKind::Tev(tev) => (None, Some(tev)),
            };
            let basic = basic.and_then(|image| self.images.get(image as usize)).map(|image| (0, image.name.as_str()));
            let maps = (0..).zip(tev.map_or(&[][..], |tev| &tev.textures)).filter_map(|(slot, texture)| {
                let texture = self.textures.get((*texture)? as usize)?;
                Some((slot, texture.name.as_str()))
            });
            basic.into_iter().chain(maps).map(move |(slot, name)| (TexturePlace { material, slot }, name))
        })
    }
}

impl Retextured {
    /// The model as it looks; a place that it does not have, or that reads no texture, stays as it is.
    pub fn new(model: &Model, overrides: &[TextureOverride]) -> Self {
        let mut model = model.clone();
        let mut swaps = Vec::with_capacity(overrides.len());
        for TextureOverride { place, image } in overrides {
            // What a chip's material reads has its picture at the same place.
            for texture in model.textures.iter().skip(model.images.len()) {
                model.images.push(first_image(texture));
            }
            let Ok(to) = u32::try_from(model.images.len()) else { continue };
            let from = match model.materials.get_mut(place.material.as_usize()).map(|material| &mut material.kind) {
                Some(MaterialKind::Basic(basic)) => basic.image.replace(to),
                Some(MaterialKind::Tev(tev)) => {
                    let Some(texture) = map_of(tev, place.slot) else { continue };
                    let from = texture.replace(to);
                    let old = from.and_then(|from| model.textures.get(from as usize));
                    let texture = Arc::new(of_picture(image, old));
                    model.textures.resize(to as usize, Arc::default());
                    model.textures.push(texture);
                    from
                }
                None => continue,
            };
            model.images.push(image.clone());
            swaps.push(Swap { place: *place, from, to });
        }
        Self { model: Arc::new(model), swaps }
    }

    /// Brings the materials of a pose of the model as it was to the new textures. What a clip has exchanged stays exchanged.
    pub fn follow(&self, materials: &mut [Option<MaterialState>]) {
        for Swap { place, from, to } in &self.swaps {
            let state = materials.get_mut(place.material.as_usize()).and_then(Option::as_mut);
            let texture = state.and_then(|state| state.textures.get_mut(usize::from(place.slot)));
            if let Some(texture) = texture.filter(|texture| **texture == *from) {
                *texture = Some(*to);
            }
        }
    }
}

/// The map of a slot that reads a texture.
fn map_of(tev: &mut TevMaterial, slot: u8) -> Option<&mut Option<u32>> {
    tev.textures.get_mut(usize::from(slot)).filter(|texture| texture.is_some())
}

/// A picture that is sampled as the texture that it stands for was.
fn of_picture(image: &Arc<Image>, old: Option<&Arc<Texture>>) -> Texture {
    let sampling = old.map(|old| Texture { mips: Vec::new(), ..(**old).clone() }).unwrap_or_default();
    Texture {
        name: image.name.clone(),
        mips: vec![image.clone()],
        min_lod: 0.0,
        max_lod: 0.0,
        lod_bias: 0.0,
        ..sampling
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        BasicMaterial, Material,
        gx::{TevStage, TexGen},
    };

    fn image(name: &str) -> Arc<Image> {
        Arc::new(Image { name: name.into(), width: 1, height: 1, rgba: [9; 4].into(), stored_as: String::new() })
    }

    fn tev(textures: &[Option<u32>]) -> MaterialKind {
        let mut material = TevMaterial::default();
        material.textures[..textures.len()].copy_from_slice(textures);
        material.texgens = vec![TexGen { kind: 1, source: 4, matrix: 60 }];
        material.stages = vec![TevStage { texture: Some(1), tex_coord: Some(0), ..TevStage::default() }];
        MaterialKind::Tev(Box::new(material))
    }

    fn model() -> Model {
        let mut model = Model::empty("both");
        let texture =
            |name: &str| Arc::new(Texture { name: name.into(), mips: vec![image(name)], ..Texture::default() });
        model.textures = vec![texture("stone"), texture("moss")];
        model.images = vec![image("stone"), image("moss"), image("hand.png")];
        let basic = MaterialKind::Basic(BasicMaterial { image: Some(2), ..BasicMaterial::default() });
        let named = |name: &str, kind| Material { name: name.into(), kind };
        model.materials = vec![named("skin", basic), named("wall", tev(&[Some(0), Some(1)])), named("none", tev(&[]))];
        model
    }

    #[test]
    fn places_are_found_by_what_materials_read() {
        let model = model();
        let place = |material, slot| TexturePlace { material: MaterialIndex(material), slot };
        let all: Vec<_> = model.texture_places().collect();
        assert_eq!(all, [(place(0, 0), "hand.png"), (place(1, 0), "stone"), (place(1, 1), "moss")]);
        let main = |material| model.main_texture(MaterialIndex(material));
        assert_eq!([main(0), main(1), main(2), main(3)], [Some(place(0, 0)), Some(place(1, 1)), None, None]);
    }

    #[test]
    fn pictures_take_places_and_nothing_else_changes() {
        let model = model();
        let at = |material, slot, name| TextureOverride {
            place: TexturePlace { material: MaterialIndex(material), slot },
            image: image(name),
        };
        let overrides = [at(0, 0, "new"), at(1, 1, "grass"), at(2, 0, "nowhere"), at(7, 0, "nothing")];
        let worn = Retextured::new(&model, &overrides);
        assert_eq!(worn.model.images.len(), 5);
        assert_eq!(worn.model.materials[0].basic().image, Some(3));
        let map = worn.model.materials[1].tev().unwrap().textures;
        assert_eq!(map[..2], [Some(0), Some(4)]);
        assert_eq!((worn.model.textures[4].name.as_str(), worn.model.images[4].name.as_str()), ("grass", "grass"));
        assert_eq!(worn.model.materials[2], model.materials[2]);

        // A pose of the model as it was: what is at rest follows, what a clip has exchanged does not.
        let rest = MaterialState::of(model.materials[1].tev().unwrap());
        let mut exchanged = rest.clone();
        exchanged.textures[1] = Some(0);
        let mut materials = vec![None, Some(rest)];
        worn.follow(&mut materials);
        assert_eq!(materials[1].as_ref().unwrap().textures[..2], [Some(0), Some(4)]);
        materials[1] = Some(exchanged);
        worn.follow(&mut materials);
        assert_eq!(materials[1].as_ref().unwrap().textures[..2], [Some(0), Some(0)]);
    }
}
