//! Which parts of the model on a stage are hidden.

use crate::{
    formats::EntryId,
    scene::{HiddenParts, Map, Model, ModelPiece},
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
    /// The actor that is shown alone, and what was hidden before.
    alone_actor: Option<(u32, BTreeSet<Option<u32>>)>,
    /// Entries of the model's file.
    pub(in crate::ui::state) pieces: HashMap<EntryId, ModelPiece>,
}

impl StageParts {
    pub fn hidden(&self) -> &HiddenParts {
        &self.hidden
    }

    /// The piece that is shown alone.
    pub fn alone(&self) -> Option<ModelPiece> {
        self.alone.as_ref().map(|(piece, _)| *piece)
    }

    pub(in crate::ui::state) fn set(&mut self, model: &Model, piece: ModelPiece, hide: bool) {
        self.hidden.set(model, piece, hide);
        if self.hidden.is_empty() {
            self.alone = None;
        }
    }

    /// Shows a piece alone; nothing happens when the model does not have it.
    pub(in crate::ui::state) fn isolate(&mut self, model: &Model, piece: ModelPiece) {
        let Some(others) = HiddenParts::all_but(model, piece) else { return };
        let before = match self.alone.take() {
            Some((_, before)) => before,
            None => self.hidden.clone(),
        };
        self.alone = Some((piece, before));
        self.hidden = others;
    }

    /// Hides again what was hidden before a piece was shown alone.
    pub(in crate::ui::state) fn leave_alone(&mut self) {
        if let Some((_, before)) = self.alone.take() {
            self.hidden = before;
        }
    }

    pub fn hidden_actors(&self) -> &BTreeSet<Option<u32>> {
        &self.actors
    }

    /// The actor that is shown alone.
    pub fn alone_actor(&self) -> Option<u32> {
        self.alone_actor.as_ref().map(|(actor, _)| *actor)
    }

    pub(in crate::ui::state) fn set_actor(&mut self, actor: u32, hide: bool) {
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
    pub(in crate::ui::state) fn isolate_actor(&mut self, map: &Map, actor: u32) {
        let before = match self.alone_actor.take() {
            Some((_, before)) => before,
            None => self.actors.clone(),
        };
        self.alone_actor = Some((actor, before));
        let actors = (0..map.actors.len() as u32).map(Some).chain([None]);
        self.actors = actors.filter(|other| *other != Some(actor)).collect();
    }

    /// Hides again what was hidden before an actor was shown alone.
    pub(in crate::ui::state) fn leave_actor(&mut self) {
        if let Some((_, before)) = self.alone_actor.take() {
            self.actors = before;
        }
    }

    pub(in crate::ui::state) fn show_all(&mut self) {
        self.actors.clear();
        self.alone_actor = None;
        self.hidden = HiddenParts::default();
        self.alone = None;
    }

    /// Another reading of the same model is on the stage.
    pub(in crate::ui::state) fn follow(&mut self, model: &Model, pieces: HashMap<EntryId, ModelPiece>) {
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
