//! What the models of a scene are called, how each is seen, and what one can hang on.

use crate::gpu::Tint;

/// Models beside the main one, at most.
pub const MAX_MODELS: usize = 128;

/// A further model on a stage, for as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SceneModelId(pub u64);

/// A model of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SceneMember {
    /// The one that the stage is about: inspector, curves and transport are its.
    Main,
    Other(SceneModelId),
}

/// How a model of a scene is seen.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SceneLook {
    pub visible: bool,
    pub tint: Option<Tint>,
    /// What is behind it shows through.
    pub ghost: bool,
}

impl Default for SceneLook {
    fn default() -> Self {
        Self { visible: true, tint: None, ghost: false }
    }
}

/// A place on a model that another model hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Anchor {
    /// Into the skeleton's joints.
    Joint(u32),
    /// Into the skeleton's sockets.
    Socket(u32),
}

/// What a model hangs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub to: SceneMember,
    pub anchor: Anchor,
    /// What the bone or the socket is called: it is found again by this when the file is read anew.
    pub name: String,
}
