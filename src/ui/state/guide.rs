//! Checks which of the first steps were taken.

use crate::ui::{
    state::{State, guide_step::GuideStep},
    subject::DrawerPage,
};

impl GuideStep {
    pub(crate) fn is_taken(self, state: &State) -> bool {
        match self {
            Self::Open => !state.core.library.files.is_empty(),
            Self::Play => state.stages.front.playback().is_some_and(|playback| playback.player.is_moving()),
            Self::Curve => {
                state.stages.front.selected().joint.is_some()
                    && state.stages.front.viewport.drawer == Some(DrawerPage::Curves)
            }
            Self::Bytes => state.core.selected_bytes.is_some(),
            Self::Write => state.core.log.entries().iter().any(|entry| entry.is_export),
        }
    }
}
