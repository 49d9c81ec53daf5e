//! Nodes of levels of detail: what they are called, and the extension that names them.

use super::node_extension;
use gltf_json::{self as json, Index};
use serde_json::{Value, json};

pub const EXTENSION: &str = "MSFT_lod";

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
pub fn put(nodes: &[LodNode], root: &mut Value) {
    for LodNode { node, coarser } in nodes {
        let ids: Vec<usize> = coarser.iter().map(|node| node.value()).collect();
        node_extension::put(root, *node, EXTENSION, json!({ "ids": ids }));
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
        put(&[node(0, &[3, 4]), node(1, &[5]), node(9, &[1])], &mut root);
        let wanted = json!([
            { "extensions": { "A": 1, EXTENSION: { "ids": [3, 4] } } },
            { "extensions": { EXTENSION: { "ids": [5] } } },
        ]);
        assert_eq!(root["nodes"], wanted);
    }
}
