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
    pub(in crate::ui::state) id: SceneModelId,
    pub(in crate::ui::state) generation: u64,
    pub(in crate::ui::state) place: Place,
    pub(in crate::ui::state) key: AssetKey,
    pub(in crate::ui::state) loaded: Arc<Loaded>,
    pub(in crate::ui::state) clip: Arc<Clip>,
    pub(in crate::ui::state) binding: Arc<Binding>,
}
