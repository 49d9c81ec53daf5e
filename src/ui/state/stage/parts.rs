//! Which parts of the model on a stage are hidden.

use crate::{
    formats::EntryId,
    scene::{HiddenParts, Map, Model, ModelPiece},
    ui::saved_view::{MAX_PARTS, SavedActors, SavedParts},
};
use std::collections::{BTreeSet, HashMap};

/// What of the shown model is hidden, and which entries are parts of it.
#[derive(Default)]
pub struct StageParts {
    hidden: HiddenParts,
    /// The piece that is shown alone, and what was hidden before.
    alone: Option<(ModelPiece, HiddenParts)>,
    /// Actors of the shown level that are hidden; `None` is the level itself.
    actors: BTreeSet<Option<u32>>,
    /// Changes whenever they do.
    actors_revision: u64,
    /// The actor that is shown alone, and what was hidden before.
    alone_actor: Option<(u32, BTreeSet<Option<u32>>)>,
    /// Entries of the model's file.
    pub(crate) pieces: HashMap<EntryId, ModelPiece>,
}

impl StageParts {
    pub fn hidden(&self) -> &HiddenParts {
        &self.hidden
    }

    /// The piece that is shown alone.
    pub fn alone(&self) -> Option<ModelPiece> {
        self.alone.as_ref().map(|(piece, _)| *piece)
    }

    pub(crate) fn set(&mut self, model: &Model, piece: ModelPiece, hide: bool) {
        self.hidden.set(model, piece, hide);
        if self.hidden.is_empty() {
            self.alone = None;
        }
    }

    /// Shows a piece alone; nothing happens when the model does not have it.
    pub(crate) fn isolate(&mut self, model: &Model, piece: ModelPiece) {
        let Some(others) = HiddenParts::all_but(model, piece) else { return };
        let before = match self.alone.take() {
            Some((_, before)) => before,
            None => self.hidden.clone(),
        };
        self.alone = Some((piece, before));
        self.hidden = others;
    }

    /// Hides again what was hidden before a piece was shown alone.
    pub(crate) fn leave_alone(&mut self) {
        if let Some((_, before)) = self.alone.take() {
            self.hidden = before;
        }
    }

    pub fn hidden_actors(&self) -> &BTreeSet<Option<u32>> {
        &self.actors
    }

    /// Changes whenever other actors are hidden.
    pub fn actors_revision(&self) -> u64 {
        self.actors_revision
    }

    /// Hides these actors of a level and no others.
    fn hide_actors(&mut self, actors: BTreeSet<Option<u32>>) {
        self.actors_revision = self.actors_revision.wrapping_add(1);
        self.actors = actors;
    }

    /// The actor that is shown alone.
    pub fn alone_actor(&self) -> Option<u32> {
        self.alone_actor.as_ref().map(|(actor, _)| *actor)
    }

    pub(crate) fn set_actor(&mut self, actor: u32, hide: bool) {
        self.actors_revision = self.actors_revision.wrapping_add(1);
        if hide {
            self.actors.insert(Some(actor));
        } else {
            self.actors.remove(&Some(actor));
        }
        if self.actors.is_empty() {
            self.alone_actor = None;
        }
    }

    /// Shows an actor of a level alone.
    pub(crate) fn isolate_actor(&mut self, map: &Map, actor: u32) {
        let before = match self.alone_actor.take() {
            Some((_, before)) => before,
            None => self.actors.clone(),
        };
        self.alone_actor = Some((actor, before));
        self.hide_actors(others_than(map, actor));
    }

    /// Hides again what was hidden before an actor was shown alone.
    pub(crate) fn leave_actor(&mut self) {
        if let Some((_, before)) = self.alone_actor.take() {
            self.hide_actors(before);
        }
    }

    pub(crate) fn show_all(&mut self) {
        self.hide_actors(BTreeSet::new());
        self.alone_actor = None;
        self.hidden = HiddenParts::default();
        self.alone = None;
    }

    /// What is hidden of a model, to be kept.
    pub(crate) fn saved_of_model(&self, model: &Model) -> SavedParts {
        let (alone, hidden) = match &self.alone {
            Some((piece, before)) => (Some(*piece), before),
            None => (None, &self.hidden),
        };
        let others = alone.and_then(|piece| HiddenParts::all_but(model, piece));
        let hidden_now = others.filter(|others| *others != self.hidden).map(|_| self.hidden.clone());
        SavedParts { hidden: hidden.clone(), alone, hidden_now, actors: SavedActors::default() }
    }

    /// What is hidden of a level, to be kept.
    pub(crate) fn saved_of_level(&self, map: &Map) -> SavedParts {
        let list = |actors: &BTreeSet<Option<u32>>| actors.iter().copied().take(MAX_PARTS).collect();
        let (alone, hidden) = match &self.alone_actor {
            Some((actor, before)) => (Some(*actor), before),
            None => (None, &self.actors),
        };
        let changed = alone.filter(|actor| others_than(map, *actor) != self.actors);
        let hidden_now = changed.map(|_| list(&self.actors));
        let actors = SavedActors { hidden: list(hidden), alone, hidden_now };
        SavedParts { actors, ..SavedParts::default() }
    }

    /// Hides of a model what was hidden of it; what it does not have is left out.
    pub(crate) fn bring_back_of_model(&mut self, model: &Model, saved: &SavedParts) {
        self.show_all();
        self.hidden = saved.hidden.clone();
        self.hidden.keep_of(model);
        if let Some(piece) = saved.alone {
            self.isolate(model, piece);
        }
        if let Some(hidden) = saved.hidden_now.as_ref().filter(|_| self.alone.is_some()) {
            self.hidden = hidden.clone();
            self.hidden.keep_of(model);
        }
    }

    /// The same of a level.
    pub(crate) fn bring_back_of_level(&mut self, map: &Map, saved: &SavedActors) {
        self.show_all();
        let is_there = |actor: &u32| (*actor as usize) < map.actors.len();
        let set = |actors: &[Option<u32>]| actors.iter().copied().filter(|a| a.is_none_or(|a| is_there(&a))).collect();
        self.hide_actors(set(&saved.hidden));
        if let Some(actor) = saved.alone.filter(is_there) {
            self.isolate_actor(map, actor);
            if let Some(hidden) = &saved.hidden_now {
                self.hide_actors(set(hidden));
            }
        }
    }

    /// Another reading of the same model is on the stage.
    pub(crate) fn follow(&mut self, model: &Model, pieces: HashMap<EntryId, ModelPiece>) {
        self.pieces = pieces;
        self.hidden.keep_of(model);
        if let Some((_, before)) = &mut self.alone {
            before.keep_of(model);
        }
        if self.hidden.is_empty() {
            self.alone = None;
        }
    }
}

/// All of a level but an actor.
fn others_than(map: &Map, actor: u32) -> BTreeSet<Option<u32>> {
    let actors = (0..map.actors.len() as u32).map(Some).chain([None]);
    actors.filter(|other| *other != Some(actor)).collect()
}
