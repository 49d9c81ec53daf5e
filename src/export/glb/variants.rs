//! Material sets of a model: its materials in the file, or variants of them.

use super::{
    ClipSource,
    buffers::Builder,
    material,
    variant_mappings::{EXTENSION, WrittenMaterial, WrittenMaterials},
};
use crate::{
    export::ExportError,
    scene::{MaterialSet, Model},
};
use std::{borrow::Cow, sync::Arc};

/// A material set with the name of its clip.
pub struct NamedSet {
    name: String,
    set: Arc<MaterialSet>,
}

/// The material sets among clips; nothing is loaded for models that cannot wear one.
pub fn sets_of<C: ClipSource + ?Sized>(model: &Model, clips: &C) -> Result<Vec<NamedSet>, ExportError> {
    let mut sets = Vec::new();
    if model.materials.iter().all(|material| material.tev().is_none()) {
        return Ok(sets);
    }
    for index in 0..clips.count() {
        clips.with(index, &mut |bound| {
            let set = bound.clip.material_set.clone();
            sets.extend(set.map(|set| NamedSet { name: bound.clip.name.clone(), set }));
            Ok(())
        })?;
    }
    Ok(sets)
}

/// The model as it is written, and the sets that are variants of it. The only set of a model that wears one is no variant.
pub fn worn<'a>(model: &'a Model, mut sets: Vec<NamedSet>, wears_set: bool) -> (Cow<'a, Model>, Vec<NamedSet>) {
    match sets.pop() {
        Some(only) if wears_set && sets.is_empty() => (Cow::Owned(only.set.applied_to(model)), sets),
        last => {
            sets.extend(last);
            (Cow::Borrowed(model), sets)
        }
    }
}

/// Writes the materials of each set, and names the variants.
pub fn write(
    builder: &mut Builder,
    model: &Model,
    sets: &[NamedSet],
    own: &mut WrittenMaterials,
) -> Result<(), ExportError> {
    for NamedSet { name, set } in sets {
        let dressed = set.applied_to(model);
        let before = builder.notes.len();
        let variant = material::write(builder, &dressed)?;
        // Most notes are those of the model's own materials.
        let notes = builder.notes.split_off(before);
        let new: Vec<_> = notes.into_iter().filter(|note| !builder.notes.contains(note)).collect();
        builder.notes.extend(new);
        let mut needs_others = false;
        for (own, variant) in own.materials.iter().zip(&variant.materials) {
            needs_others |= (own.vertex_colors, own.inside_out) != (variant.vertex_colors, variant.inside_out);
            needs_others |= own.front.is_some() != variant.front.is_some();
            fit(builder, own, variant);
        }
        if needs_others {
            builder.note(format!(
                "the material set “{name}” changes vertex colours, reflections or the visible side of faces: its \
                 variant uses those of the model's own materials"
            ));
        }
        builder.uses_extension(EXTENSION);
        builder.variants.names.push(name.clone());
        own.variants.push(variant);
    }
    Ok(())
}

/// Scales the factor of a variant's material, which has the vertex factors of the `own` material, to keep its mean colour.
fn fit(builder: &mut Builder, own: &WrittenMaterial, variant: &WrittenMaterial) {
    let mean = |material: &WrittenMaterial| material.front.as_ref().map_or([1.0; 4], |front| front.mean);
    let Some(json) = builder.root.materials.get_mut(variant.index.value()) else { return };
    let factor = &mut json.pbr_metallic_roughness.base_color_factor.0;
    for ((factor, wanted), shared) in factor.iter_mut().zip(mean(variant)).zip(mean(own)) {
        *factor = (*factor * wanted / shared.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    }
}
