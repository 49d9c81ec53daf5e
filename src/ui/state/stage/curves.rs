//! The clip whose curves are shown.

use crate::{
    scene::{Clip, Player},
    ui::place::Place,
};
use std::sync::Arc;

/// The curves panel's clip.
#[derive(Default)]
pub struct Curves {
    pub shown: Option<ShownCurves>,
    /// The player of a clip without a model.
    pub(crate) alone: Player,
    /// Frames at which the clip has keys, ascending.
    pub(crate) ticks: Arc<[f32]>,
}

/// A clip whose curves are shown.
#[derive(Clone)]
pub struct ShownCurves {
    pub place: Place,
    pub clip: Arc<Clip>,
    /// Changes with each clip, so that cached data of the previous clip is not used.
    pub generation: u64,
}

impl Curves {
    /// Whether a clip without a model plays.
    pub fn is_moving(&self) -> bool {
        self.alone.is_moving()
    }

    /// Frames at which the clip has keys, ascending.
    pub fn ticks(&self) -> &Arc<[f32]> {
        &self.ticks
    }

    /// The player of a clip without a model.
    pub fn alone(&self) -> &Player {
        &self.alone
    }
}
