use serde::{Deserialize, Serialize};

/// Whether bone 0 of an ActorX mesh stores the conjugate of its rotation, as the other bones do (formats/actorx.md §4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootConjugate {
    /// As every known writer does: bone 0 stores the rotation itself.
    #[default]
    Auto,
    /// Bone 0 stores the conjugate, as the other bones do.
    On,
    /// Bone 0 stores the rotation itself.
    Off,
}

/// Switches of a family that change what an entry decodes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadOptions {
    /// Rule for the rotation of bone 0 in ActorX meshes and their clips.
    pub root_conjugate: RootConjugate,
    /// VERTEXCOLOR is stored blue first (ActorX's own writers).
    pub swap_red_blue: bool,
    /// Give a morph's delta also to points at the same position that have none (formats/actorx.md §2, MRPHDATA).
    pub repair_morphs: bool,
    /// Of pictures only the image that is shown first: no further mips, forms and flip-book frames (thumbnails, PNG).
    pub first_image_only: bool,
    /// Of levels no baked light: it has its places, and its pictures have no pixels (where many levels are exported).
    pub without_light: bool,
}
