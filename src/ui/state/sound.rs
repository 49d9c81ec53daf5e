//! The sound or piece of music on show.

use super::{Place, State};
use crate::formats::Asset;

/// What the sound panel shows.
#[derive(Clone, Debug)]
pub struct ShownSound {
    pub place: Place,
    /// A sound or a piece of music.
    pub asset: Asset,
    /// Changes whenever another one is shown.
    pub generation: u64,
}

impl State {
    pub(super) fn show_sound(&mut self, place: Place, asset: Asset) {
        let generation = self.fresh_id();
        self.sound = Some(ShownSound { place, asset, generation });
    }
}
