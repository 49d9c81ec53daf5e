//! Clips that play together, each with its own loop and clock.

use crate::scene::LoopMode;
use crate::ui::saved_view::{
    place::SavedPlace,
    value::{is_near, or_default},
};
use serde::{Deserialize, Serialize};

/// A clip that plays beside the stage's clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedLayer {
    #[serde(flatten)]
    pub place: SavedPlace,
    /// `None`: as the stage's clip.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub state: Option<LayerState>,
}

/// How a clip plays among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LayerState {
    pub loop_mode: LoopMode,
    /// Off the common clock.
    pub detached: bool,
    /// While it is detached: time passes for it.
    pub playing: bool,
    /// While it is detached: where it is, in its own frames.
    pub frame: f32,
}

impl LayerState {
    pub(super) fn check(&mut self) {
        if !is_near(self.frame) {
            self.frame = 0.0;
        }
    }
}
