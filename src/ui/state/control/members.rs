//! Members of containers, which are files of their own.

use crate::{
    bytes::Limits,
    formats::EntryId,
    library::lift_limits,
    ui::{
        place::Place,
        state::{core::Core, refused::Refused, stage::Stage},
    },
};
use std::path::PathBuf;

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
    /// Where a member of a container lies, as the file that it is.
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
