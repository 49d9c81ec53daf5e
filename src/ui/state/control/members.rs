//! Members of containers, which are files of their own.

use crate::{
    formats::EntryId,
    ui::{place::Place, state::State},
};
use std::path::PathBuf;

impl State {
    /// Where a member of a container lies, as the file that it is.
    pub(in crate::ui::state) fn member_path(&self, place: Place) -> Option<PathBuf> {
        let file = self.file(place.file)?;
        file.document.container().filter(|container| container.is_file(place.entry))?;
        Some(file.path.join(&*file.entry(place.entry)?.path()))
    }

    /// Opens a member, or shows it where it is open.
    pub(in crate::ui::state) fn open_member(&mut self, path: PathBuf) {
        match self.library.at_path(&path) {
            Some(file) => {
                let place = Place { file, entry: EntryId::FILE };
                self.select(place);
                self.show(place);
            }
            None => self.open(vec![path]),
        }
    }
}
