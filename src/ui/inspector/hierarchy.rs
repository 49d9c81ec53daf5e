//! The hierarchy in the selected entry.

use crate::{
    formats::{Document, Hierarchy},
    ui::state::Place,
};

/// The hierarchy that was selected last, read once.
#[derive(Default)]
pub struct SelectedHierarchy {
    made_for: Option<(Place, u64)>,
    found: Option<Hierarchy>,
}

impl SelectedHierarchy {
    /// The hierarchy in the entry that `place` is; `revision` changes with the open files.
    pub fn card(&mut self, document: &dyn Document, place: Place, revision: u64) -> Option<&Hierarchy> {
        let wanted = Some((place, revision));
        if self.made_for != wanted {
            self.made_for = wanted;
            self.found = document.ask(place.entry, |can, entry| can.facts?.hierarchy(entry));
        }
        self.found.as_ref()
    }
}
