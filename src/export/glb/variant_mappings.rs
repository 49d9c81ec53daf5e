//! The materials that were written for each material of a model, and their variants (`KHR_materials_variants`), which
//! are put into the JSON.
//!
//! Variants of materials (`KHR_materials_variants`): their names, and the materials of each primitive. They are put
//! into the JSON.

use super::{
    base_color::{BaseColor, DirectTexture, FactorSources, VertexColorSet, VertexColors},
    tev::Front,
};
use gltf_json::{self as json, Index};
use serde_json::{Value, json};
use std::sync::Arc;

/// A model's materials in the file, in their own order.
#[derive(Default)]
pub struct WrittenMaterials {
    pub materials: Vec<WrittenMaterial>,
    /// The same materials in each variant of the file ([`super::variants`]).
    pub variants: Vec<WrittenMaterials>,
}

/// A material in the file.
#[derive(Clone, Debug)]
pub struct WrittenMaterial {
    /// Into the file's materials.
    pub index: Index<json::Material>,
    /// Where its base colour comes from.
    pub base: BaseColor,
    /// What of the material's state its `baseColorFactor` follows. At rest the factor is as near as a product in linear light comes
    /// to the chip's, so that a moving one is `factor at rest × linear(now) / linear(at rest)` of each component.
    pub factor: FactorSources,
    /// How its vertices' colours become `COLOR_0`.
    pub vertex_colors: VertexColors,
    /// Gives `COLOR_0` in their place.
    pub front: Option<Arc<Front>>,
    /// Its triangles are seen from inside: they are written the other way round.
    pub inside_out: bool,
}

impl WrittenMaterials {
    pub fn get(&self, material: u32) -> Option<&WrittenMaterial> {
        self.materials.get(material as usize)
    }

    /// How many sets of texture coordinates a material needs, in any variant.
    pub fn uv_sets(&self, material: u32) -> u32 {
        let own = self.get(material).map_or(0, WrittenMaterial::uv_sets);
        self.variants.iter().map(|variant| variant.uv_sets(material)).fold(own, u32::max)
    }
}

impl WrittenMaterial {
    /// How the colours of vertices with this material, or with none, become `COLOR_0`.
    pub fn vertex_colors_of(material: Option<&Self>) -> VertexColors {
        let first = Some(VertexColorSet::First);
        material.map_or(VertexColors { color: first, alpha: first, full: 255 }, |material| material.vertex_colors)
    }

    /// How many sets of texture coordinates its meshes need.
    pub fn uv_sets(&self) -> u32 {
        match self.base {
            BaseColor::Factor => 0,
            BaseColor::Direct(DirectTexture { uv_set, .. }) | BaseColor::Baked { uv_set, .. } => {
                uv_set.saturating_add(1)
            }
        }
    }
}

pub const EXTENSION: &str = "KHR_materials_variants";

/// The variants of a file.
#[derive(Default)]
pub struct Variants {
    pub names: Vec<String>,
    primitives: Vec<VariedPrimitive>,
}

/// A primitive with its material in each variant that has one.
struct VariedPrimitive {
    mesh: Index<json::Mesh>,
    primitive: usize,
    materials: Vec<(usize, Index<json::Material>)>,
}

impl Variants {
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Notes what a primitive wears, whose own material is `material` of the model.
    pub fn add(&mut self, mesh: Index<json::Mesh>, primitive: usize, written: &WrittenMaterials, material: u32) {
        let found = written.variants.iter().enumerate();
        let materials: Vec<_> = found.filter_map(|(at, variant)| Some((at, variant.get(material)?.index))).collect();
        if !materials.is_empty() {
            self.primitives.push(VariedPrimitive { mesh, primitive, materials });
        }
    }

    /// Puts the extension into a file's JSON.
    pub fn put(&self, root: &mut Value) {
        if self.is_empty() {
            return;
        }
        let names: Vec<Value> = self.names.iter().map(|name| json!({ "name": name })).collect();
        put_extension(root, json!({ "variants": names }));
        for varied in &self.primitives {
            let place = format!("/meshes/{}/primitives/{}", varied.mesh.value(), varied.primitive);
            let mapping = |(variant, material): &(usize, Index<json::Material>)| json!({ "material": material.value(), "variants": [variant] });
            let mappings: Vec<Value> = varied.materials.iter().map(mapping).collect();
            if let Some(primitive) = root.pointer_mut(&place) {
                put_extension(primitive, json!({ "mappings": mappings }));
            }
        }
    }
}

fn put_extension(owner: &mut Value, value: Value) {
    if let Some(owner) = owner.as_object_mut() {
        let extensions = owner.entry("extensions").or_insert_with(|| json!({}));
        if let Some(extensions) = extensions.as_object_mut() {
            extensions.insert(EXTENSION.to_owned(), value);
        }
    }
}
