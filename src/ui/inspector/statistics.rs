//! How much there is of the shown model and of what is selected of it.

use crate::{
    scene::{ModelPiece, ModelStatistics},
    ui::{
        state::{Place, State},
        widgets::statistics_card::StatisticsCard,
    },
};

/// The counts that were asked for last, counted once.
#[derive(Default)]
pub struct CountedModel {
    /// The model, its level of detail, and what is selected.
    made_for: Option<(u64, u32, Option<ModelPiece>)>,
    card: Option<StatisticsCard>,
}

impl CountedModel {
    /// The counts, where the selected entry is the shown model or a piece of it.
    pub fn card(&mut self, state: &State, place: Place) -> Option<&StatisticsCard> {
        let shown = state.stages.front.model()?;
        if place != shown.place && state.stages.front.piece_at(place).is_none() {
            return None;
        }
        let (level, piece) = (state.stages.front.view.options.level, state.stages.front.selected_piece());
        let wanted = Some((shown.generation, level, piece));
        if self.made_for != wanted {
            self.made_for = wanted;
            let of = |piece| ModelStatistics::of(&shown.model, piece, level);
            self.card = Some(StatisticsCard { whole: of(None), selected: piece.map(|piece| of(Some(piece))) });
        }
        self.card.as_ref()
    }
}
