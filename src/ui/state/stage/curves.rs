//! The clip whose curves are shown.

use crate::{
    scene::{Binding, Clip, Player},
    ui::{place::Place, state::stage::key_frames::key_frames},
};
use std::sync::Arc;

/// A clip that is shown without a model.
pub struct ClipStage {
    pub place: Place,
    pub curves: Curves,
}

impl ClipStage {
    pub fn new(place: Place) -> Self {
        Self { place, curves: Curves::default() }
    }

    /// Updates the places after a file was reloaded.
    pub(crate) fn move_places(&mut self, moved: impl Fn(&mut Place)) {
        moved(&mut self.place);
        self.curves.shown.iter_mut().for_each(|shown| moved(&mut shown.place));
    }
}

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
    /// Shows the curves of a clip. `fresh_id` numbers the clip, unless it is already shown.
    pub(crate) fn show(&mut self, place: Place, clip: Arc<Clip>, fresh_id: impl FnOnce() -> u64) {
        if self.shown.as_ref().is_some_and(|s| s.place == place && Arc::ptr_eq(&s.clip, &clip)) {
            return;
        }
        self.alone = Player::default();
        self.alone.set_clip(clip.clone(), Arc::new(Binding::default()));
        self.ticks = key_frames(&clip, &clip.channels);
        self.shown = Some(ShownCurves { place, clip, generation: fresh_id() });
    }

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
