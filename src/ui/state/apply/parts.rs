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
        let selected = self.stages.front.selected_piece();
        let is_level = self.stages.front.level().is_some();
        let actor = self.selected_actor().and_then(|actor| u32::try_from(actor).ok());
        match command {
            C::HideSelected if self.stages.front.landscape().is_some() => self.stages.front.hide_selected_kinds(),
            C::IsolateSelected if self.stages.front.landscape().is_some() => self.stages.front.isolate_selected_kinds(),
            C::ShowAll if self.stages.front.landscape().is_some() => self.stages.front.isolate_kinds(None),
            C::HideSelected if is_level => self.hide_actor(actor, true),
            C::IsolateSelected if is_level && self.stages.front.parts.alone_actor().is_some() => {
                self.stages.front.parts.leave_actor();
            }
            C::IsolateSelected if is_level => self.isolate_actor(actor),
            C::Hide(place, hide) if is_level => self.hide_actor(self.stages.front.actor_of(place), hide),
            C::Isolate(place) if is_level => self.isolate_actor(self.stages.front.actor_of(place)),
            C::HideActors(actors, hide) => self.stages.front.hide_actors(&actors, hide),
            C::HideSelected => self.stages.front.hide_piece(selected, true),
            C::IsolateSelected => match self.stages.front.parts.alone() {
                Some(_) => self.stages.front.parts.leave_alone(),
                None => self.stages.front.isolate_piece(selected),
            },
            C::ShowAll => self.stages.front.parts.show_all(),
            C::Hide(place, hide) => self.stages.front.hide_piece(self.stages.front.piece_at(place), hide),
            C::Isolate(place) => {
                let piece = self.stages.front.piece_at(place);
                if piece.is_some() && self.stages.front.parts.alone() == piece {
                    self.stages.front.parts.leave_alone();
                } else {
                    self.stages.front.isolate_piece(piece);
                }
            }
        }
        self.stages.front.playback.revision += 1;
    }

    fn hide_actor(&mut self, actor: Option<u32>, hide: bool) {
        if let Some(actor) = actor {
            self.stages.front.parts.set_actor(actor, hide);
        }
    }

    /// Shows nothing of the level but an actor, or again what was seen before.
    fn isolate_actor(&mut self, actor: Option<u32>) {
        let stage = &mut self.stages.front;
        match (actor, stage.parts.alone_actor(), stage.content.level()) {
            (Some(actor), Some(alone), _) if actor == alone => stage.parts.leave_actor(),
            (Some(actor), _, Some(shown)) => stage.parts.isolate_actor(&shown.map, actor),
            (Some(_) | None, _, _) => {}
        }
    }

    /// Whether something can be done to the parts of what is on the stage.
    pub(in crate::ui::state) fn is_parts_possible(&self, command: &PartsCommand) -> bool {
        let (stage, terrain) = (&self.stages.front, &self.stages.front.view.terrain);
        let (is_landscape, is_level) = (stage.landscape().is_some(), stage.level().is_some());
        match command {
            PartsCommand::HideSelected | PartsCommand::IsolateSelected if is_landscape => !terrain.selected.is_empty(),
            PartsCommand::ShowAll if is_landscape => !terrain.hidden_kinds.is_empty(),
            PartsCommand::HideSelected if is_level => self.selected_actor().is_some(),
            PartsCommand::IsolateSelected if is_level => {
                self.selected_actor().is_some() || stage.parts.alone_actor().is_some()
            }
            PartsCommand::ShowAll if is_level => !stage.parts.hidden_actors().is_empty(),
            PartsCommand::Hide(place, _) | PartsCommand::Isolate(place) if is_level => stage.actor_of(*place).is_some(),
            PartsCommand::HideActors(..) => is_level,
            PartsCommand::HideSelected => stage.selected_piece().is_some(),
            PartsCommand::IsolateSelected => stage.selected_piece().is_some() || stage.parts.alone().is_some(),
            PartsCommand::ShowAll => !stage.parts.hidden().is_empty(),
            PartsCommand::Hide(place, _) | PartsCommand::Isolate(place) => stage.piece_at(*place).is_some(),
        }
    }
}

impl Stage {
    fn hide_actors(&mut self, actors: &[u32], hide: bool) {
        let count = self.level().map_or(0, |shown| shown.map.actors.len());
        for actor in actors.iter().filter(|actor| (**actor as usize) < count) {
            self.parts.set_actor(*actor, hide);
        }
    }

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
