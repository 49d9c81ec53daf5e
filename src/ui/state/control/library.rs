//! The library: moving the selection, expanding rows, opening pasted paths, samples and members of containers.

use crate::{
    bytes::Limits,
    formats::{EntryId, Severity},
    library::lift_limits,
    ui::{
        library_row::{LibraryOrder, RowId},
        place::Place,
        state::{
            control::opening::paths_in_text, core::Core, log::LogEntry, refused::Refused, stage::Stage, stages::Stages,
        },
    },
};
use std::{path::PathBuf, sync::Arc};

impl Stages {
    /// Goes this many rows down.
    pub(crate) fn select_next(&mut self, core: &mut Core, by: i32) {
        if let Some(places) = self.list_of_stage() {
            return self.front.select_next_of(core, &places, by);
        }
        let at = core.library.row_of(core.selection);
        let (rows, _) = core.library.rows();
        let last = rows.len() as i64 - 1;
        let next = at.map_or(0, |at| (at as i64 + i64::from(by)).clamp(0, last));
        if let Some(row) = rows.get(next.max(0) as usize).map(|row| row.id) {
            self.front.go_to_row(core, row);
            self.front.browse_to(core, row.place());
        }
    }

    /// The list of the stage in front that keys go through; nothing while they go through the library.
    pub fn list_of_stage(&self) -> Option<Arc<[Place]>> {
        self.list_in_hand.as_ref().filter(|(stage, _)| *stage == self.front.id).map(|(_, places)| places.clone())
    }

    /// Goes to the first row that the filter finds.
    pub(crate) fn select_first_found(&mut self, core: &mut Core) {
        if !core.library.is_filtered() {
            return;
        }
        if let Some(row) = core.library.rows().0.first().map(|row| row.id) {
            self.front.go_to_row(core, row);
        }
    }

    /// Folds the row that keys go on from, or goes to the one above it; unfolds it, or goes to the first one in it.
    pub(crate) fn fold_row(&mut self, core: &mut Core, open: bool) {
        let Some(at) = core.library.row_of(core.selection) else { return };
        let rows = core.library.listed();
        let Some(row) = rows.get(at).copied() else { return };
        if row.has_children && row.open != open {
            return core.library.expand(row.id, open);
        }
        let next = match open {
            true => rows.get(at + 1).filter(|next| next.depth > row.depth),
            false => rows.iter().take(at).rev().find(|above| above.depth < row.depth),
        };
        if let Some(next) = next.map(|next| next.id) {
            self.front.go_to_row(core, next);
        }
    }

    /// Shows the selected entry; where keys go on from a row without one, folds or unfolds that.
    pub(crate) fn show_row(&mut self, core: &mut Core) {
        let cursor = core.library.cursor().filter(|row| row.place().is_none());
        let listed = cursor.and_then(|_| core.library.row_of(None));
        match listed.and_then(|at| core.library.listed().get(at)).copied() {
            Some(row) => core.library.expand(row.id, !row.open),
            None => {
                if let Some(place) = core.selection {
                    self.front.show_or_focus(core, place);
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

    /// Moves the cursor to a row and selects its entry.
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

    pub(crate) fn open_pasted(&mut self, text: &str) {
        let paths = paths_in_text(text);
        if paths.is_empty() {
            let message = "The pasted text contains no path to an existing file or folder";
            self.log.announce(LogEntry::new(Severity::Warning, "", message));
        }
        self.open(paths);
    }

    pub(crate) fn open_samples(&mut self) {
        match crate::ui::samples::folder() {
            Some(folder) => self.open(vec![folder]),
            None => {
                let message = "The samples are not installed. The source code contains them in assets/samples";
                self.log.announce(LogEntry::new(Severity::Warning, "", message));
            }
        }
    }
}

impl Stage {
    /// Opens a member, or shows it where it is open.
    pub(crate) fn open_member(&mut self, core: &mut Core, path: PathBuf) {
        match core.library.at_path(&path) {
            Some(file) => {
                let place = Place { file, entry: EntryId::FILE };
                self.select(core, place);
                self.show(core, place);
            }
            None => core.open(vec![path]),
        }
    }

    /// Opens what a limit refused.
    pub(crate) fn open_anyway(&mut self, core: &mut Core, path: PathBuf) {
        lift_limits(&path, false);
        core.library.forget_refused(&path);
        self.open_member(core, path);
    }
}

impl Core {
    /// Path of a member of a container.
    pub(crate) fn member_path(&self, place: Place) -> Option<PathBuf> {
        let file = self.file(place.file)?;
        file.document.container().filter(|container| container.is_file(place.entry))?;
        Some(file.path.join(&*file.entry(place.entry)?.path()))
    }

    /// A member that a limit refuses, as far as that is known.
    pub fn refused_member(&self, place: Place) -> Option<Refused> {
        let path = self.member_path(place)?;
        let is_open = self.library.at_path(&path).is_some();
        let size = self.file(place.file)?.document.container()?.unpacked_size(place.entry);
        let is_too_large = size.is_some_and(|size| size > Limits::default().members.bytes);
        let packed = self.file(place.file)?.document.container()?.is_packed(place.entry);
        let known = || (is_too_large && packed).then(|| Refused { path: path.clone(), size });
        self.library.refused(&path).or_else(known).filter(|_| !is_open)
    }
}
