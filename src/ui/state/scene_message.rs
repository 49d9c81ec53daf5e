//! What comes back from workers for the models of a scene.

use crate::{
    library::{AssetKey, ClipFit, Loaded},
    scene::{Binding, Clip},
    ui::{place::Place, scene_member::SceneModelId, state::log::LogEntry},
};
use std::sync::Arc;

/// Something that was read for a model of a scene.
pub enum SceneMessage {
    Loaded {
        id: SceneModelId,
        place: Place,
        key: AssetKey,
        loaded: Arc<Loaded>,
    },
    NotLoaded {
        id: SceneModelId,
        error: LogEntry,
    },
    /// Which clips fit a model.
    Fits {
        id: SceneModelId,
        generation: u64,
        /// The library's when the search began.
        revision: u64,
        fits: Vec<ClipFit>,
    },
    Clip(SceneClip),
}

/// A clip joined to a model of a scene.
pub struct SceneClip {
    pub(crate) id: SceneModelId,
    pub(crate) generation: u64,
    pub(crate) place: Place,
    pub(crate) key: AssetKey,
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) clip: Arc<Clip>,
    pub(crate) binding: Arc<Binding>,
}
