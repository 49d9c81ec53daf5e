//! Animations of what is no node's transform: channels of `KHR_animation_pointer`, which the types of glTF's core cannot hold.

use gltf_json::{self as json, Index, animation};
use serde_json::{Value, json};

/// A channel that points to a property by its place in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct PointerChannel {
    /// Into the file's animations.
    pub animation: usize,
    /// Into the animation's samplers.
    pub sampler: Index<animation::Sampler>,
    pub pointer: Pointer,
}

/// What a channel points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// Whether a node is seen, and all below it (`KHR_node_visibility`).
    Visible(Index<json::Node>),
    /// Of a material's base colour.
    Factor(Index<json::Material>),
    /// Of the texture of a material's base colour (`KHR_texture_transform`).
    Texture(Index<json::Material>, TexturePart),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexturePart {
    Offset,
    Rotation,
    Scale,
}

const TEXTURE: &str = "KHR_texture_transform";
const VISIBILITY: &str = "KHR_node_visibility";
pub const POINTER: &str = "KHR_animation_pointer";

impl Pointer {
    /// The extension that the property is of.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::Visible(_) => Some(VISIBILITY),
            Self::Factor(_) => None,
            Self::Texture(..) => Some(TEXTURE),
        }
    }

    fn path(self) -> String {
        match self {
            Self::Visible(node) => format!("/nodes/{}/extensions/{VISIBILITY}/visible", node.value()),
            Self::Factor(material) => {
                format!("/materials/{}/pbrMetallicRoughness/baseColorFactor", material.value())
            }
            Self::Texture(material, part) => {
                let part = match part {
                    TexturePart::Offset => "offset",
                    TexturePart::Rotation => "rotation",
                    TexturePart::Scale => "scale",
                };
                let texture = "pbrMetallicRoughness/baseColorTexture";
                format!("/materials/{}/{texture}/extensions/{TEXTURE}/{part}", material.value())
            }
        }
    }

    /// The property itself where the file leaves it out, so that there is something to point to.
    fn make(self, root: &mut Value) {
        let insert = |place: Option<&mut Value>, name: &str, value: Value| {
            if let Some(object) = place.and_then(Value::as_object_mut) {
                object.entry(name).or_insert(value);
            }
        };
        let below = |object: &Value, name: &str| object.get(name).cloned().unwrap_or_else(|| json!({}));
        match self {
            Self::Visible(node) => {
                let node = root.pointer_mut(&format!("/nodes/{}", node.value()));
                let Some(node) = node else { return };
                insert(Some(&mut *node), "extensions", json!({}));
                insert(node.get_mut("extensions"), VISIBILITY, json!({ "visible": true }));
            }
            Self::Factor(material) => {
                let material = root.pointer_mut(&format!("/materials/{}", material.value()));
                let Some(material) = material else { return };
                insert(Some(&mut *material), "pbrMetallicRoughness", json!({}));
                insert(material.get_mut("pbrMetallicRoughness"), "baseColorFactor", json!([1.0, 1.0, 1.0, 1.0]));
            }
            Self::Texture(material, _) => {
                let place = format!("/materials/{}/pbrMetallicRoughness/baseColorTexture", material.value());
                let Some(texture) = root.pointer_mut(&place) else { return };
                let mut extensions = below(texture, "extensions");
                let mut transform = below(&extensions, TEXTURE);
                for (name, value) in
                    [("offset", json!([0.0, 0.0])), ("rotation", json!(0.0)), ("scale", json!([1.0, 1.0]))]
                {
                    insert(Some(&mut transform), name, value);
                }
                extensions[TEXTURE] = transform;
                texture["extensions"] = extensions;
            }
        }
    }
}

/// Puts the channels into a file's JSON.
pub fn put(channels: &[PointerChannel], root: &mut Value) {
    for PointerChannel { animation, sampler, pointer } in channels {
        pointer.make(root);
        let Some(animation) = root.pointer_mut(&format!("/animations/{animation}")).and_then(Value::as_object_mut)
        else {
            continue;
        };
        let target = json!({ "path": "pointer", "extensions": { POINTER: { "pointer": pointer.path() } } });
        let channel = json!({ "sampler": sampler.value(), "target": target });
        if let Some(channels) = animation.entry("channels").or_insert_with(|| json!([])).as_array_mut() {
            channels.push(channel);
        }
    }
}

/// Which of the channels are known not to be played, in a line; `None` without channels. Measured with Blender 5.0.1 and three.js 0.187:
/// docs/CLIENTS.md.
pub fn unplayed(channels: &[PointerChannel]) -> Option<String> {
    let has = |is: fn(Pointer) -> bool| channels.iter().any(|channel| is(channel.pointer));
    let kinds = [
        (has(|p| matches!(p, Pointer::Visible(_))), "visibility", "visibility"),
        (has(|p| matches!(p, Pointer::Texture(..))), "textures", "texture rotations"),
        (has(|p| matches!(p, Pointer::Factor(_))), "colours", "colours of materials with textures"),
    ];
    let there = || kinds.iter().filter(|(there, ..)| *there);
    let said = there().map(|(_, said, _)| *said).collect::<Vec<_>>().join(", ");
    let blender = there().map(|(.., blender)| *blender).collect::<Vec<_>>().join(", ");
    (!channels.is_empty()).then(|| {
        format!("animations of {said} are exported with {POINTER}: three.js does not play them, and Blender 5.0 does not play {blender}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pointed_to_is_there() {
        let mut root = json!({
            "nodes": [{}],
            "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
            "animations": [{ "samplers": [] }],
        });
        let pointers = [
            Pointer::Visible(Index::new(0)),
            Pointer::Factor(Index::new(0)),
            Pointer::Texture(Index::new(0), TexturePart::Offset),
            Pointer::Texture(Index::new(0), TexturePart::Rotation),
            Pointer::Texture(Index::new(0), TexturePart::Scale),
        ];
        let channels = pointers.map(|pointer| PointerChannel { animation: 0, sampler: Index::new(3), pointer });
        put(&channels, &mut root);
        for (at, pointer) in pointers.iter().enumerate() {
            let channel = &root["animations"][0]["channels"][at];
            assert_eq!((&channel["sampler"], &channel["target"]["path"]), (&json!(3), &json!("pointer")));
            assert_eq!(channel["target"]["extensions"][POINTER]["pointer"], pointer.path());
            assert!(root.pointer(&pointer.path()).is_some(), "{}", pointer.path());
        }
        assert_eq!(unplayed(&[]), None);
        let note = unplayed(&channels[..2]).unwrap();
        assert!(note.contains("animations of visibility, colours") && !note.contains("rotations"), "{note}");
    }
}
