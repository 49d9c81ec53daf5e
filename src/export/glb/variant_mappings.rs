//! Variants of materials (`KHR_materials_variants`): their names, and the materials of each primitive. They are put into the JSON.

use super::written_materials::WrittenMaterials;
use gltf_json::{self as json, Index};
use serde_json::{Value, json};

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
