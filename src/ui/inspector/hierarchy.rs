//! The hierarchy in the selected entry.

use crate::{
    formats::{Document, Hierarchy},
    ui::state::Place,
};

/// The hierarchy that was selected last, read once.
#[derive(Default)]
pub struct SelectedHierarchy {
    place: Option<Place>,
    found: Option<Hierarchy>,
}

impl SelectedHierarchy {
    /// The hierarchy in the entry that `place` is.
    pub fn card(&mut self, document: &dyn Document, place: Place) -> Option<&Hierarchy> {
        if self.place != Some(place) {
            self.place = Some(place);
            self.found = document.hierarchy(place.entry);
        }
        self.found.as_ref()
    }
}
