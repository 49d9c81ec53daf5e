//! Files, folders and entries with a star.

use crate::{
    formats::{EntryId, Severity},
    ui::{
        favourite::Favourite,
        place::{FileId, Place},
        state::{State, control::opening::AskedBy, log::LogEntry},
    },
};
use std::{collections::HashSet, path::Path, sync::Arc};

impl State {
    /// What an entry would be as a favourite; nothing for what came from a pipe.
    pub fn favourite_of(&self, place: Place) -> Option<Favourite> {
        let file = self.file(place.file)?;
        Favourite::of(file, file.entry(place.entry)?)
    }

    /// The open entries that have a star.
    pub fn starred(&mut self) -> Arc<HashSet<Place>> {
        let made_for = (self.library.revision(), self.favourites_revision);
        if self.starred.0 != made_for {
            let places = self.settings.favourites.iter().filter_map(|favourite| self.place_of_favourite(favourite));
            self.starred = (made_for, Arc::new(places.collect()));
        }
        self.starred.1.clone()
    }

    /// Where a favourite is among what is open.
    fn place_of_favourite(&self, favourite: &Favourite) -> Option<Place> {
        let file = self.library.at_path(&favourite.path)?;
        let entry = match &favourite.entry {
            Some(entry) => self.file(file)?.document.outline().find(entry)?.id,
            None => EntryId::FILE,
        };
        Some(Place { file, entry })
    }

    /// Gives something a star, or takes it away.
    pub(in crate::ui::state) fn toggle_favourite(&mut self, favourite: Favourite) {
        let name = favourite.name();
        let is_one = self.settings.toggle_favourite(favourite);
        self.favourites_revision += 1;
        let text = match is_one {
            Some(true) => format!("Added {name} to favourites"),
            Some(false) => format!("Removed {name} from favourites"),
            None => "There are too many favourites. Remove some first".to_owned(),
        };
        self.log.announce(LogEntry::new(Severity::Info, "", text));
    }

    pub(in crate::ui::state) fn toggle_favourite_of_selected(&mut self) {
        match self.selection.and_then(|place| self.favourite_of(place)) {
            Some(favourite) => self.toggle_favourite(favourite),
            None => {
                let text = "Nothing is selected. Select a file or an entry first";
                self.log.announce(LogEntry::new(Severity::Info, "", text));
            }
        }
    }

    /// Shows a favourite; what is not open is opened for it.
    pub(in crate::ui::state) fn open_favourite(&mut self, favourite: &Favourite) {
        if self.library.at_path(&favourite.path).is_some() {
            match self.place_of_favourite(favourite) {
                Some(place) => {
                    self.select(place);
                    self.show_or_focus(place);
                }
                None => self.tell_missing(favourite.entry.as_deref(), &favourite.path),
            }
            return;
        }
        let id = self.open_in_background(vec![favourite.path.clone()], AskedBy::Person);
        if let Some(work) = self.works.iter_mut().find(|work| Some(work.id) == id) {
            work.entry.clone_from(&favourite.entry);
        }
    }

    /// A file was opened for one of its entries: shows that.
    pub(in crate::ui::state) fn show_favourite(&mut self, file: FileId, entry: &str) {
        let Some(open) = self.file(file).cloned() else { return };
        match open.document.outline().find(entry) {
            Some(entry) => {
                let place = Place { file, entry: entry.id };
                self.select(place);
                self.show_or_focus(place);
            }
            None => self.tell_missing(Some(entry), &open.path),
        }
    }

    pub(in crate::ui::state) fn tell_missing(&mut self, entry: Option<&str>, path: &Path) {
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
        while state.is_busy() {
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
        let file = state.library.files[0].id;
        let bone = state.file(file).unwrap().document.outline().entries().iter().rfind(|e| e.size > 0).unwrap().clone();
        let place = Place { file, entry: bone.id };
        state.apply(Command::Selection(SelectionCommand::Select(place)));
        state.apply(Command::Library(LibraryCommand::ToggleFavouriteOfSelected));
        assert!(state.starred().contains(&place));
        let kept = state.settings.favourites.clone();
        assert_eq!(kept.len(), 1);

        let text = session_file::encode(&state.settings).unwrap();
        let settings = session_file::decode(&text).settings;
        assert_eq!(settings.favourites, kept);
        let mut state = State::new(Settings { reopen_session: false, ..settings }, Clock::Set(0.0));
        state.apply(Command::Library(LibraryCommand::OpenFavourite(kept[0].clone())));
        settled(&mut state);
        let selected = state.selection.unwrap();
        assert_eq!(selected.entry, bone.id);
        assert!(state.starred().contains(&selected));
        // It is open now: another entry of the same file is shown without reading it again.
        let revision = state.library.revision();
        let gone = Favourite { entry: Some("no such entry".to_owned()), ..kept[0].clone() };
        state.apply(Command::Library(LibraryCommand::OpenFavourite(gone)));
        settled(&mut state);
        assert_eq!(state.library.revision(), revision);
        assert!(state.log.entries().back().unwrap().message.contains("no longer in"));
        state.apply(Command::Library(LibraryCommand::ToggleFavouriteOfSelected));
        assert!(state.settings.favourites.is_empty() && state.starred().is_empty());
    }

    #[test]
    fn favourites_that_are_gone_say_so_and_there_are_not_too_many() {
        let mut state = State::new(Settings::default(), Clock::Set(0.0));
        state.apply(Command::Library(LibraryCommand::ToggleFavouriteOfSelected));
        assert!(state.log.entries().back().unwrap().message.contains("Nothing is selected"));
        let gone = Favourite { path: "/no/such/file.psk".into(), entry: Some("Mesh".into()) };
        state.apply(Command::Library(LibraryCommand::OpenFavourite(gone)));
        settled(&mut state);
        assert!(state.library.files.is_empty());
        assert!(state.log.entries().iter().any(|e| e.file == "file.psk"));
        for number in 0..1_000 {
            let favourite = Favourite { path: format!("/m/{number}.psk").into(), entry: None };
            state.apply(Command::Library(LibraryCommand::ToggleFavourite(favourite)));
        }
        assert_eq!(state.settings.favourites.len(), 200);
    }
}
