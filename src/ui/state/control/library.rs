//! Going through the library with keys, and how it is arranged.

use crate::ui::{
    library_row::{LibraryOrder, RowId},
    place::Place,
    state::{State, core::Core, stage::Stage},
};
use std::sync::Arc;

impl State {
    /// Goes this many rows down.
    pub(crate) fn select_next(&mut self, by: i32) {
        if let Some(places) = self.list_of_stage() {
            return self.stages.front.select_next_of(&mut self.core, &places, by);
        }
        let at = self.core.library.row_of(self.core.selection);
        let (rows, _) = self.core.library.rows();
        let last = rows.len() as i64 - 1;
        let next = at.map_or(0, |at| (at as i64 + i64::from(by)).clamp(0, last));
        if let Some(row) = rows.get(next.max(0) as usize).map(|row| row.id) {
            self.stages.front.go_to_row(&mut self.core, row);
            self.stages.front.browse_to(&mut self.core, row.place());
        }
    }

    /// The list of the stage in front that keys go through; nothing while they go through the library.
    pub fn list_of_stage(&self) -> Option<Arc<[Place]>> {
        self.stages
            .list_in_hand
            .as_ref()
            .filter(|(stage, _)| *stage == self.stages.front.id)
            .map(|(_, places)| places.clone())
    }

    /// Goes to the first row that the filter finds.
    pub(crate) fn select_first_found(&mut self) {
        if !self.core.library.is_filtered() {
            return;
        }
        if let Some(row) = self.core.library.rows().0.first().map(|row| row.id) {
            self.stages.front.go_to_row(&mut self.core, row);
        }
    }

    /// Folds the row that keys go on from, or goes to the one above it; unfolds it, or goes to the first one in it.
    pub(crate) fn fold_row(&mut self, open: bool) {
        let Some(at) = self.core.library.row_of(self.core.selection) else { return };
        let rows = self.core.library.listed();
        let Some(row) = rows.get(at).copied() else { return };
        if row.has_children && row.open != open {
            return self.core.library.expand(row.id, open);
        }
        let next = match open {
            true => rows.get(at + 1).filter(|next| next.depth > row.depth),
            false => rows.iter().take(at).rev().find(|above| above.depth < row.depth),
        };
        if let Some(next) = next.map(|next| next.id) {
            self.stages.front.go_to_row(&mut self.core, next);
        }
    }

    /// Shows the selected entry; where keys go on from a row without one, folds or unfolds that.
    pub(crate) fn show_row(&mut self) {
        let cursor = self.core.library.cursor().filter(|row| row.place().is_none());
        let listed = cursor.and_then(|_| self.core.library.row_of(None));
        match listed.and_then(|at| self.core.library.listed().get(at)).copied() {
            Some(row) => self.core.library.expand(row.id, !row.open),
            None => {
                if let Some(place) = self.core.selection {
                    self.stages.front.show_or_focus(&mut self.core, place);
                }
            }
        }
    }
}

impl Stage {
    /// Goes this many entries on in a list.
    fn select_next_of(&mut self, core: &mut Core, places: &[Place], by: i32) {
        let at = core.selection.and_then(|selected| places.iter().position(|place| *place == selected));
        let last = places.len() as i64 - 1;
        let next = at.map_or(0, |at| (at as i64).saturating_add(i64::from(by)).clamp(0, last));
        let Some(place) = usize::try_from(next).ok().and_then(|next| places.get(next).copied()) else { return };
        if core.selection != Some(place) {
            self.select(core, place);
            self.show_alike(core, place);
            self.browse_to(core, Some(place));
        }
    }

    /// While browsing, what keys lead to is shown at once.
    fn browse_to(&mut self, core: &mut Core, place: Option<Place>) {
        if let Some(place) = place.filter(|_| core.settings.browse)
            && self.content.place() != Some(place)
        {
            self.show(core, place);
        }
    }

    /// Puts the cursor on a row, and selects the entry that it stands for.
    pub(crate) fn go_to_row(&mut self, core: &mut Core, row: RowId) {
        core.library.set_cursor(row);
        if let Some(place) = row.place() {
            self.select(core, place);
            self.show_alike(core, place);
        }
    }
}

impl Core {
    /// Folds or unfolds a row. One that stands for no entry becomes the one that keys go on from.
    pub(crate) fn expand_row(&mut self, row: RowId, open: bool) {
        self.library.expand(row, open);
        if row.place().is_none() {
            self.library.set_cursor(row);
        }
    }

    /// Arranges the library by meaning, or as the files' own structure is; the selected entry stays in sight.
    pub(crate) fn set_library_order(&mut self, order: LibraryOrder) {
        self.settings.library_order = order;
        self.library.set_order(order);
        if let Some(place) = self.selection {
            self.library.reveal(place);
        }
    }
}
