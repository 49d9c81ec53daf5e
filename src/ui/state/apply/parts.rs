//! Hiding parts of what is on the stage.

use crate::{
    scene::ModelPiece,
    ui::{
        command::PartsCommand,
        state::{State, stage::Stage},
    },
};

impl State {
    pub(in crate::ui::state) fn apply_parts(&mut self, command: PartsCommand) {
        use PartsCommand as C;
        let selected = self.stage.selected_piece();
        match command {
            C::HideSelected if self.stage.landscape().is_some() => self.stage.hide_selected_kinds(),
            C::IsolateSelected if self.stage.landscape().is_some() => self.stage.isolate_selected_kinds(),
            C::ShowAll if self.stage.landscape().is_some() => self.stage.isolate_kinds(None),
            C::HideSelected => self.stage.hide_piece(selected, true),
            C::IsolateSelected => match self.stage.parts.alone() {
                Some(_) => self.stage.parts.leave_alone(),
                None => self.stage.isolate_piece(selected),
            },
            C::ShowAll => self.stage.parts.show_all(),
            C::Hide(place, hide) => self.stage.hide_piece(self.stage.piece_at(place), hide),
            C::Isolate(place) => {
                let piece = self.stage.piece_at(place);
                if piece.is_some() && self.stage.parts.alone() == piece {
                    self.stage.parts.leave_alone();
                } else {
                    self.stage.isolate_piece(piece);
                }
            }
        }
        self.stage.playback.revision += 1;
    }

    /// Whether something can be done to the parts of what is on the stage.
    pub(in crate::ui::state) fn is_parts_possible(&self, command: &PartsCommand) -> bool {
        let (stage, terrain) = (&self.stage, &self.stage.view.terrain);
        let is_landscape = stage.landscape().is_some();
        match command {
            PartsCommand::HideSelected | PartsCommand::IsolateSelected if is_landscape => !terrain.selected.is_empty(),
            PartsCommand::ShowAll if is_landscape => !terrain.hidden_kinds.is_empty(),
            PartsCommand::HideSelected => stage.selected_piece().is_some(),
            PartsCommand::IsolateSelected => stage.selected_piece().is_some() || stage.parts.alone().is_some(),
            PartsCommand::ShowAll => !stage.parts.hidden().is_empty(),
            PartsCommand::Hide(place, _) | PartsCommand::Isolate(place) => stage.piece_at(*place).is_some(),
        }
    }
}

impl Stage {
    fn hide_piece(&mut self, piece: Option<ModelPiece>, hide: bool) {
        if let (Some(shown), Some(piece)) = (self.content.model(), piece) {
            self.parts.set(&shown.model, piece, hide);
        }
    }

    fn isolate_piece(&mut self, piece: Option<ModelPiece>) {
        if let (Some(shown), Some(piece)) = (self.content.model(), piece) {
            self.parts.isolate(&shown.model, piece);
        }
    }

    fn hide_selected_kinds(&mut self) {
        let kinds: Vec<u32> = self.selected_kinds().into_iter().collect();
        self.hide_kinds(&kinds, true);
    }

    /// Nothing but the types of what is selected, or everything again where that is so already.
    fn isolate_selected_kinds(&mut self) {
        let kinds = self.selected_kinds();
        if kinds.is_empty() {
            return;
        }
        let hidden = &self.view.terrain.hidden_kinds;
        let is_alone =
            !hidden.is_empty() && (0..).zip(hidden.iter()).all(|(kind, hidden)| *hidden != kinds.contains(&kind));
        let kinds: Vec<u32> = kinds.into_iter().collect();
        self.isolate_kinds((!is_alone).then_some(&kinds));
    }
}
