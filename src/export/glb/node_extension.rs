//! Extensions of nodes that the types of glTF's core cannot hold: instances (`EXT_mesh_gpu_instancing`) and levels of
//! detail (`MSFT_lod`). They are put into the JSON.

use gltf_json::{self as json, Index};
use serde_json::{Value, json};

/// Puts an extension beside those that a node has; nothing where there is no such node.
fn put(root: &mut Value, node: Index<json::Node>, name: &str, value: Value) {
    if let Some(node) = root.pointer_mut(&format!("/nodes/{}", node.value())).and_then(Value::as_object_mut) {
        let extensions = node.entry("extensions").or_insert_with(|| json!({}));
        if let Some(extensions) = extensions.as_object_mut() {
            extensions.insert(name.to_owned(), value);
        }
    }
}

pub const INSTANCING: &str = "EXT_mesh_gpu_instancing";

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
pub fn put_instances(instances: &[InstancedNode], root: &mut Value) {
    for InstancedNode { node, attributes } in instances {
        let attributes: serde_json::Map<String, Value> =
            attributes.iter().map(|(name, accessor)| ((*name).to_owned(), json!(accessor.value()))).collect();
        put(root, *node, INSTANCING, json!({ "attributes": attributes }));
    }
}

pub const LEVELS_OF_DETAIL: &str = "MSFT_lod";

/// A node of `MSFT_lod`, whose JSON the types of glTF's core cannot hold.
#[derive(Clone, Debug, PartialEq)]
pub struct LodNode {
    pub node: Index<json::Node>,
    pub coarser: Vec<Index<json::Node>>,
}

/// What the node of a level is called.
pub fn name_of(name: &str, level: usize) -> String {
    format!("{name}_LOD{level}")
}

/// Puts the extension into a file's JSON.
pub fn put_levels(nodes: &[LodNode], root: &mut Value) {
    for LodNode { node, coarser } in nodes {
        let ids: Vec<usize> = coarser.iter().map(|node| node.value()).collect();
        put(root, *node, LEVELS_OF_DETAIL, json!({ "ids": ids }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_stands_beside_others() {
        let mut root = json!({ "nodes": [{ "extensions": { "A": 1 } }, {}] });
        let node = |node: u32, coarser: &[u32]| LodNode {
            node: Index::new(node),
            coarser: coarser.iter().copied().map(Index::new).collect(),
        };
        put_levels(&[node(0, &[3, 4]), node(1, &[5]), node(9, &[1])], &mut root);
        let wanted = json!([
            { "extensions": { "A": 1, LEVELS_OF_DETAIL: { "ids": [3, 4] } } },
            { "extensions": { LEVELS_OF_DETAIL: { "ids": [5] } } },
        ]);
        assert_eq!(root["nodes"], wanted);
    }
}
