//! Favourite files, folders and entries.

use crate::{
    formats::{EntryId, Severity},
    ui::{
        favourite::Favourite,
        place::{FileId, Place},
        state::{core::Core, log::LogEntry, stage::Stage, works::AskedBy},
    },
};
use std::{collections::HashSet, path::Path, sync::Arc};

/// The open entries that are favourites.
pub struct Favourites {
    /// The entries, and the revisions of library and settings that they belong to.
    starred: ((u64, u64), Arc<HashSet<Place>>),
    /// Changes with the favourites of the settings.
    revision: u64,
}

impl Default for Favourites {
    fn default() -> Self {
        Self { starred: Default::default(), revision: 1 }
    }
}

impl Favourites {
    /// The open entries that have a star.
    pub fn starred(&mut self, core: &Core) -> Arc<HashSet<Place>> {
        let made_for = (core.library.revision(), self.revision);
        if self.starred.0 != made_for {
            let places = core.settings.favourites.iter().filter_map(|favourite| core.place_of_favourite(favourite));
            self.starred = (made_for, Arc::new(places.collect()));
        }
        self.starred.1.clone()
    }

    /// Gives something a star, or takes it away.
    pub(crate) fn toggle_favourite(&mut self, core: &mut Core, favourite: Favourite) {
        let name = favourite.name();
        let is_one = core.settings.toggle_favourite(favourite);
        self.revision += 1;
        let text = match is_one {
            Some(true) => format!("Added {name} to favourites"),
            Some(false) => format!("Removed {name} from favourites"),
            None => "There are too many favourites. Remove some first".to_owned(),
        };
        core.log.announce(LogEntry::new(Severity::Info, "", text));
    }

    pub(crate) fn toggle_favourite_of_selected(&mut self, core: &mut Core) {
        match core.selection.and_then(|place| core.favourite_of(place)) {
            Some(favourite) => self.toggle_favourite(core, favourite),
            None => {
                let text = "Nothing is selected. Select a file or an entry first";
                core.log.announce(LogEntry::new(Severity::Info, "", text));
            }
        }
    }
}

impl Stage {
    /// Shows a favourite; what is not open is opened for it.
    pub(crate) fn open_favourite(&mut self, core: &mut Core, favourite: &Favourite) {
        if core.library.at_path(&favourite.path).is_some() {
            match core.place_of_favourite(favourite) {
                Some(place) => {
                    self.select(core, place);
                    self.show_or_focus(core, place);
                }
                None => core.tell_missing(favourite.entry.as_deref(), &favourite.path),
            }
            return;
        }
        let id = core.open_in_background(vec![favourite.path.clone()], AskedBy::Person);
        if let Some(work) = id.and_then(|id| core.works.get_mut(id)) {
            work.entry.clone_from(&favourite.entry);
        }
    }

    /// A file was opened for one of its entries: shows that.
    pub(crate) fn show_favourite(&mut self, core: &mut Core, file: FileId, entry: &str) {
        let Some(open) = core.file(file).cloned() else { return };
        match open.document.outline().find(entry) {
            Some(entry) => {
                let place = Place { file, entry: entry.id };
                self.select(core, place);
                self.show_or_focus(core, place);
            }
            None => core.tell_missing(Some(entry), &open.path),
        }
    }
}

impl Core {
    /// Returns the favourite for an entry; `None` for a file from a pipe.
    pub fn favourite_of(&self, place: Place) -> Option<Favourite> {
        let file = self.file(place.file)?;
        Favourite::of(file, file.entry(place.entry)?)
    }

    /// Returns the entry of a favourite, if its file is open.
    fn place_of_favourite(&self, favourite: &Favourite) -> Option<Place> {
        let file = self.library.at_path(&favourite.path)?;
        let entry = match &favourite.entry {
            Some(entry) => self.file(file)?.document.outline().find(entry)?.id,
            None => EntryId::FILE,
        };
        Some(Place { file, entry })
    }

    pub(crate) fn tell_missing(&mut self, entry: Option<&str>, path: &Path) {
        let text = format!("{} is no longer in {}", entry.unwrap_or_default(), path.display());
        self.log.announce(LogEntry::new(Severity::Warning, "", text));
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::{
        command::{Command, LibraryCommand, SelectionCommand},
        favourite::Favourite,
        place::Place,
        session_file,
        settings::Settings,
        state::{Clock, State},
    };
    use std::path::{Path, PathBuf};

    fn arm() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk")
    }

    fn settled(state: &mut State) {
        while state.core.works.is_busy() {
            state.tick();
            std::thread::yield_now();
        }
        state.tick();
    }

    #[test]
    fn an_entry_with_a_star_is_kept_and_opened_again() {
        let mut state = State::new(Settings::default(), Clock::Set(0.0));
        state.apply(Command::Library(LibraryCommand::Open(vec![arm()])));
        settled(&mut state);
        let file = state.core.library.files[0].id;
        let bone =
            state.core.file(file).unwrap().document.outline().entries().iter().rfind(|e| e.size > 0).unwrap().clone();
        let place = Place { file, entry: bone.id };
        state.apply(Command::Selection(SelectionCommand::Select(place)));
        state.apply(Command::Library(LibraryCommand::ToggleFavouriteOfSelected));
        assert!(state.favourites.starred(&state.core).contains(&place));
        let kept = state.core.settings.favourites.clone();
        assert_eq!(kept.len(), 1);

        let text = session_file::encode(&state.core.settings).unwrap();
        let settings = session_file::decode(&text).settings;
        assert_eq!(settings.favourites, kept);
        let mut state = State::new(Settings { reopen_session: false, ..settings }, Clock::Set(0.0));
        state.apply(Command::Library(LibraryCommand::OpenFavourite(kept[0].clone())));
        settled(&mut state);
        let selected = state.core.selection.unwrap();
        assert_eq!(selected.entry, bone.id);
        assert!(state.favourites.starred(&state.core).contains(&selected));
        // It is open now: another entry of the same file is shown without reading it again.
        let revision = state.core.library.revision();
        let gone = Favourite { entry: Some("no such entry".to_owned()), ..kept[0].clone() };
        state.apply(Command::Library(LibraryCommand::OpenFavourite(gone)));
        settled(&mut state);
        assert_eq!(state.core.library.revision(), revision);
        assert!(state.core.log.entries().back().unwrap().message.contains("no longer in"));
        state.apply(Command::Library(LibraryCommand::ToggleFavouriteOfSelected));
        assert!(state.core.settings.favourites.is_empty() && state.favourites.starred(&state.core).is_empty());
    }

    #[test]
    fn favourites_that_are_gone_say_so_and_there_are_not_too_many() {
        let mut state = State::new(Settings::default(), Clock::Set(0.0));
        state.apply(Command::Library(LibraryCommand::ToggleFavouriteOfSelected));
        assert!(state.core.log.entries().back().unwrap().message.contains("Nothing is selected"));
        let gone = Favourite { path: "/no/such/file.psk".into(), entry: Some("Mesh".into()) };
        state.apply(Command::Library(LibraryCommand::OpenFavourite(gone)));
        settled(&mut state);
        assert!(state.core.library.files.is_empty());
        assert!(state.core.log.entries().iter().any(|e| e.file == "file.psk"));
        for number in 0..1_000 {
            let favourite = Favourite { path: format!("/m/{number}.psk").into(), entry: None };
            state.apply(Command::Library(LibraryCommand::ToggleFavourite(favourite)));
        }
        assert_eq!(state.core.settings.favourites.len(), 200);
    }
}
