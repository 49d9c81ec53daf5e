//! One node in the place of many that show the same meshes (`EXT_mesh_gpu_instancing`), which the types of glTF's core cannot
//! hold.

use super::node_extension;
use gltf_json::{self as json, Index};
use serde_json::{Value, json};

pub const EXTENSION: &str = "EXT_mesh_gpu_instancing";

/// A node whose mesh is drawn in many places.
#[derive(Clone, Debug)]
pub struct InstancedNode {
    pub node: Index<json::Node>,
    /// By their names in the extension.
    pub attributes: Vec<(&'static str, Index<json::Accessor>)>,
}

impl InstancedNode {
    /// The accessor of its translations.
    pub fn translations(&self) -> Option<Index<json::Accessor>> {
        self.attributes.iter().find(|(name, _)| *name == "TRANSLATION").map(|(_, accessor)| *accessor)
    }
}

/// Puts the places into a file's JSON.
pub fn put(instances: &[InstancedNode], root: &mut Value) {
    for InstancedNode { node, attributes } in instances {
        let attributes: serde_json::Map<String, Value> =
            attributes.iter().map(|(name, accessor)| ((*name).to_owned(), json!(accessor.value()))).collect();
        node_extension::put(root, *node, EXTENSION, json!({ "attributes": attributes }));
    }
}
