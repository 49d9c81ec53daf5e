//! Extensions of nodes that the types of glTF's core cannot hold: they are put into the JSON.

use gltf_json::{self as json, Index};
use serde_json::{Value, json};

/// Puts an extension beside those that a node has; nothing where there is no such node.
pub fn put(root: &mut Value, node: Index<json::Node>, name: &str, value: Value) {
    if let Some(node) = root.pointer_mut(&format!("/nodes/{}", node.value())).and_then(Value::as_object_mut) {
        let extensions = node.entry("extensions").or_insert_with(|| json!({}));
        if let Some(extensions) = extensions.as_object_mut() {
            extensions.insert(name.to_owned(), value);
        }
    }
}
