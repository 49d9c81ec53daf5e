//! The level on show.

use super::{Place, State};
use crate::scene::Map;
use std::sync::Arc;

/// A level in the viewport, in the place of a model.
#[derive(Clone, Debug)]
pub struct ShownMap {
    pub place: Place,
    pub map: Arc<Map>,
    /// Changes whenever another one is shown.
    pub generation: u64,
}

impl State {
    pub(super) fn show_map(&mut self, place: Place, map: Arc<Map>) {
        let generation = self.fresh_id();
        self.map = Some(ShownMap { place, map, generation });
    }
}
