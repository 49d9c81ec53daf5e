//! The text on show.

use super::{Place, StageContent, State};
use crate::scene::Text;
use std::sync::Arc;

/// What the text panel shows.
#[derive(Clone, Debug)]
pub struct ShownText {
    pub place: Place,
    pub text: Arc<Text>,
    /// Changes whenever another one is shown.
    pub generation: u64,
}

impl State {
    pub(super) fn show_text(&mut self, place: Place, text: Arc<Text>) {
        let generation = self.fresh_id();
        self.take_stage(StageContent::Text(ShownText { place, text, generation }));
    }
}
