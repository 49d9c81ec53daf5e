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
    /// Runs through a clip that plays on no model.
    pub(crate) alone: Player,
    /// Frames at which the clip has keys, ascending.
    pub(crate) ticks: Arc<[f32]>,
}

/// A clip whose curves are shown.
#[derive(Clone)]
pub struct ShownCurves {
    pub place: Place,
    pub clip: Arc<Clip>,
    /// Changes with every clip: what was worked out for the last one is of no use.
    pub generation: u64,
}

impl Curves {
    /// Whether a clip on its own runs.
    pub fn is_moving(&self) -> bool {
        self.alone.is_moving()
    }

    /// Frames at which the clip has keys, ascending.
    pub fn ticks(&self) -> &Arc<[f32]> {
        &self.ticks
    }

    /// What runs through a clip on its own.
    pub fn alone(&self) -> &Player {
        &self.alone
    }
}
