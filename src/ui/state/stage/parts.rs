//! The hidden parts of a model, and the hidden actors of a level.

use crate::{
    formats::EntryId,
    scene::{HiddenParts, Map, Model, ModelPiece},
    ui::saved_view::{MAX_PARTS, SavedActors, SavedParts},
};
use std::collections::{BTreeSet, HashMap};

/// The hidden parts of a model, and the entries that are parts of it.
#[derive(Default)]
pub struct ModelParts {
    hidden: HiddenParts,
    /// The piece that is shown alone, and the parts that were hidden before.
    alone: Option<(ModelPiece, HiddenParts)>,
    /// Entries of the model's file.
    pub(crate) pieces: HashMap<EntryId, ModelPiece>,
}

impl ModelParts {
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

    /// Shows a piece alone. A piece that the model does not have changes nothing.
    pub(crate) fn isolate(&mut self, model: &Model, piece: ModelPiece) {
        let Some(others) = HiddenParts::all_but(model, piece) else { return };
        let before = match self.alone.take() {
            Some((_, before)) => before,
            None => self.hidden.clone(),
        };
        self.alone = Some((piece, before));
        self.hidden = others;
    }

    /// Hides the parts again that were hidden before a piece was shown alone.
    pub(crate) fn leave_alone(&mut self) {
        if let Some((_, before)) = self.alone.take() {
            self.hidden = before;
        }
    }

    pub(crate) fn show_all(&mut self) {
        self.hidden = HiddenParts::default();
        self.alone = None;
    }

    pub(crate) fn saved(&self, model: &Model) -> SavedParts {
        let (alone, hidden) = match &self.alone {
            Some((piece, before)) => (Some(*piece), before),
            None => (None, &self.hidden),
        };
        let others = alone.and_then(|piece| HiddenParts::all_but(model, piece));
        let hidden_now = others.filter(|others| *others != self.hidden).map(|_| self.hidden.clone());
        SavedParts { hidden: hidden.clone(), alone, hidden_now, actors: SavedActors::default() }
    }

    /// Hides the saved parts that the model still has.
    pub(crate) fn restore(&mut self, model: &Model, saved: &SavedParts) {
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

    /// Keeps the parts that the new version of the model still has.
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

/// The hidden actors of a level.
#[derive(Debug, Default)]
pub struct LevelActors {
    /// Indices of hidden actors; `None` is the level itself.
    hidden: BTreeSet<Option<u32>>,
    /// Changes whenever other actors are hidden.
    revision: u64,
    /// The actor that is shown alone, and the actors that were hidden before.
    alone: Option<(u32, BTreeSet<Option<u32>>)>,
}

impl LevelActors {
    pub fn hidden(&self) -> &BTreeSet<Option<u32>> {
        &self.hidden
    }

    /// Changes whenever other actors are hidden.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The actor that is shown alone.
    pub fn alone(&self) -> Option<u32> {
        self.alone.as_ref().map(|(actor, _)| *actor)
    }

    /// Hides these actors and no others.
    fn hide(&mut self, actors: BTreeSet<Option<u32>>) {
        self.revision = self.revision.wrapping_add(1);
        self.hidden = actors;
    }

    pub(crate) fn set(&mut self, actor: u32, hide: bool) {
        self.revision = self.revision.wrapping_add(1);
        if hide {
            self.hidden.insert(Some(actor));
        } else {
            self.hidden.remove(&Some(actor));
        }
        if self.hidden.is_empty() {
            self.alone = None;
        }
    }

    pub(crate) fn isolate(&mut self, map: &Map, actor: u32) {
        let before = match self.alone.take() {
            Some((_, before)) => before,
            None => self.hidden.clone(),
        };
        self.alone = Some((actor, before));
        self.hide(others_than(map, actor));
    }

    /// Hides the actors again that were hidden before an actor was shown alone.
    pub(crate) fn leave_alone(&mut self) {
        if let Some((_, before)) = self.alone.take() {
            self.hide(before);
        }
    }

    pub(crate) fn show_all(&mut self) {
        self.hide(BTreeSet::new());
        self.alone = None;
    }

    pub(crate) fn saved(&self, map: &Map) -> SavedParts {
        let list = |actors: &BTreeSet<Option<u32>>| actors.iter().copied().take(MAX_PARTS).collect();
        let (alone, hidden) = match &self.alone {
            Some((actor, before)) => (Some(*actor), before),
            None => (None, &self.hidden),
        };
        let changed = alone.filter(|actor| others_than(map, *actor) != self.hidden);
        let hidden_now = changed.map(|_| list(&self.hidden));
        let actors = SavedActors { hidden: list(hidden), alone, hidden_now };
        SavedParts { actors, ..SavedParts::default() }
    }

    /// Hides the saved actors that the level still has.
    pub(crate) fn restore(&mut self, map: &Map, saved: &SavedActors) {
        self.show_all();
        let is_there = |actor: &u32| (*actor as usize) < map.actors.len();
        let set = |actors: &[Option<u32>]| actors.iter().copied().filter(|a| a.is_none_or(|a| is_there(&a))).collect();
        self.hide(set(&saved.hidden));
        if let Some(actor) = saved.alone.filter(is_there) {
            self.isolate(map, actor);
            if let Some(hidden) = &saved.hidden_now {
                self.hide(set(hidden));
            }
        }
    }
}

/// Everything in a level except an actor.
fn others_than(map: &Map, actor: u32) -> BTreeSet<Option<u32>> {
    let actors = (0..map.actors.len() as u32).map(Some).chain([None]);
    actors.filter(|other| *other != Some(actor)).collect()
}
