//! Which of the first steps were taken.

use super::{State, guide_step::GuideStep};
use crate::ui::subject::DrawerPage;

impl GuideStep {
    fn is_taken(self, state: &State) -> bool {
        match self {
            Self::Open => !state.core.library.files.is_empty(),
            Self::Play => state.stages.front.playback.player.is_moving(),
            Self::Curve => {
                state.stages.front.selected.joint.is_some()
                    && state.stages.front.viewport.drawer == Some(DrawerPage::Curves)
            }
            Self::Bytes => state.core.selected_bytes.is_some(),
            Self::Write => state.core.log.entries().iter().any(|entry| entry.is_export),
        }
    }
}

impl State {
    /// Ticks the steps that were taken, while the card is there.
    pub(super) fn follow_guide(&mut self) {
        let Some(mut done) = self.dialogs.guide.take() else { return };
        done.extend(
            GuideStep::ALL.into_iter().filter(|step| !done.contains(step) && step.is_taken(self)).collect::<Vec<_>>(),
        );
        self.dialogs.guide = Some(done);
    }
}
