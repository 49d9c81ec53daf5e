use super::{
    Material, Model,
    gx::{Texture, first_image},
};
use std::sync::Arc;

/// Materials, textures or both that take a model's places (formats/j3d.md §5.7).
#[derive(Clone, Debug, Default)]
pub struct MaterialSet {
    /// Replace the model's by their place; empty for none.
    pub materials: Vec<Material>,
    /// Replace the model's as a whole.
    pub textures: Option<Vec<Arc<Texture>>>,
}

impl MaterialSet {
    /// How many of a model's materials it replaces; the rest stay as they are.
    pub fn replaced_in(&self, model: &Model) -> usize {
        self.materials.len().min(model.materials.len())
    }

    /// The model as it looks with the set on it.
    pub fn applied_to(&self, model: &Model) -> Model {
        let mut model = model.clone();
        for (old, new) in model.materials.iter_mut().zip(&self.materials) {
            // Animations find materials by the model's names.
            old.kind = new.kind.clone();
        }
        if let Some(textures) = &self.textures {
            model.images = textures.iter().map(|texture| first_image(texture)).collect();
            model.textures.clone_from(textures);
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        MaterialKind,
        gx::{CullMode, TevMaterial},
    };

    fn material(name: &str, cull: CullMode) -> Material {
        Material {
            name: name.into(),
            kind: MaterialKind::Tev(Box::new(TevMaterial { cull, ..TevMaterial::default() })),
        }
    }

    #[test]
    fn materials_change_places_pairwise_and_textures_as_a_whole() {
        let mut model = Model::empty("model");
        model.materials =
            vec![material("a", CullMode::None), material("b", CullMode::Front), material("c", CullMode::Back)];
        model.textures = vec![Arc::default(), Arc::default()];
        let set =
            MaterialSet { materials: vec![material("x", CullMode::All), material("y", CullMode::All)], textures: None };
        let changed = set.applied_to(&model);
        let of = |m: &Model| m.materials.iter().map(|m| (m.name.clone(), m.tev().unwrap().cull)).collect::<Vec<_>>();
        assert_eq!(
            of(&changed),
            [("a".into(), CullMode::All), ("b".into(), CullMode::All), ("c".into(), CullMode::Back)]
        );
        assert_eq!((set.replaced_in(&model), changed.textures.len()), (2, 2));
        let set = MaterialSet {
            materials: Vec::new(),
            textures: Some(vec![Arc::new(Texture { name: "t".into(), ..Texture::default() })]),
        };
        let changed = set.applied_to(&model);
        assert_eq!((changed.textures.len(), changed.images[0].width), (1, 1));
        assert_eq!(of(&changed), of(&model));
    }
}
