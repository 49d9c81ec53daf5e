//! Which parts of the model on a stage are hidden.

use crate::{
    formats::EntryId,
    scene::{HiddenParts, Model, ModelPiece},
};
use std::collections::HashMap;

/// What of the shown model is hidden, and which entries are parts of it.
#[derive(Default)]
pub struct StageParts {
    hidden: HiddenParts,
    /// The piece that is shown alone, and what was hidden before.
    alone: Option<(ModelPiece, HiddenParts)>,
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

    pub(in crate::ui::state) fn show_all(&mut self) {
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
