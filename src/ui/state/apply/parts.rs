//! Hiding parts of what is on the stage.

use crate::{
    scene::ModelPiece,
    ui::{
        command::PartsCommand,
        state::{core::Core, stage::Stage},
    },
};

impl Stage {
    pub(crate) fn apply_parts(&mut self, core: &mut Core, command: PartsCommand) {
        use PartsCommand as C;
        let selected = self.selected_piece();
        let is_level = self.level().is_some();
        let actor = self.selected_actor(core).and_then(|actor| u32::try_from(actor).ok());
        match command {
            C::HideSelected if self.landscape().is_some() => self.hide_selected_kinds(),
            C::IsolateSelected if self.landscape().is_some() => self.isolate_selected_kinds(),
            C::ShowAll if self.landscape().is_some() => self.isolate_kinds(None),
            C::HideSelected if is_level => self.hide_actor(actor, true),
            C::IsolateSelected if is_level && self.parts.alone_actor().is_some() => {
                self.parts.leave_actor();
            }
            C::IsolateSelected if is_level => self.isolate_actor(actor),
            C::Hide(place, hide) if is_level => self.hide_actor(self.actor_of(place), hide),
            C::Isolate(place) if is_level => self.isolate_actor(self.actor_of(place)),
            C::HideActors(actors, hide) => self.hide_actors(&actors, hide),
            C::HideSelected => self.hide_piece(selected, true),
            C::IsolateSelected => match self.parts.alone() {
                Some(_) => self.parts.leave_alone(),
                None => self.isolate_piece(selected),
            },
            C::ShowAll => self.parts.show_all(),
            C::Hide(place, hide) => self.hide_piece(self.piece_at(place), hide),
            C::Isolate(place) => {
                let piece = self.piece_at(place);
                if piece.is_some() && self.parts.alone() == piece {
                    self.parts.leave_alone();
                } else {
                    self.isolate_piece(piece);
                }
            }
        }
        self.playback.revision += 1;
    }

    fn hide_actor(&mut self, actor: Option<u32>, hide: bool) {
        if let Some(actor) = actor {
            self.parts.set_actor(actor, hide);
        }
    }

    /// Shows nothing of the level but an actor, or again what was seen before.
    fn isolate_actor(&mut self, actor: Option<u32>) {
        match (actor, self.parts.alone_actor(), self.content.level()) {
            (Some(actor), Some(alone), _) if actor == alone => self.parts.leave_actor(),
            (Some(actor), _, Some(shown)) => self.parts.isolate_actor(&shown.map, actor),
            (Some(_) | None, _, _) => {}
        }
    }

    /// Whether something can be done to the parts of what is on the stage.
    pub(crate) fn is_parts_possible(&self, core: &Core, command: &PartsCommand) -> bool {
        let terrain = &self.view.terrain;
        let (is_landscape, is_level) = (self.landscape().is_some(), self.level().is_some());
        match command {
            PartsCommand::HideSelected | PartsCommand::IsolateSelected if is_landscape => !terrain.selected.is_empty(),
            PartsCommand::ShowAll if is_landscape => !terrain.hidden_kinds.is_empty(),
            PartsCommand::HideSelected if is_level => self.selected_actor(core).is_some(),
            PartsCommand::IsolateSelected if is_level => {
                self.selected_actor(core).is_some() || self.parts.alone_actor().is_some()
            }
            PartsCommand::ShowAll if is_level => !self.parts.hidden_actors().is_empty(),
            PartsCommand::Hide(place, _) | PartsCommand::Isolate(place) if is_level => self.actor_of(*place).is_some(),
            PartsCommand::HideActors(..) => is_level,
            PartsCommand::HideSelected => self.selected_piece().is_some(),
            PartsCommand::IsolateSelected => self.selected_piece().is_some() || self.parts.alone().is_some(),
            PartsCommand::ShowAll => !self.parts.hidden().is_empty(),
            PartsCommand::Hide(place, _) | PartsCommand::Isolate(place) => self.piece_at(*place).is_some(),
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
