//! Folders that are made for tests of the collection, and windows over them.

use crate::kit::{
    self,
    app::*,
    containers::{ZipMember, umod, zip},
};
use bonebox::{
    library::collection::Store,
    ui::{
        command::{CollectionCommand, Command},
        settings::Settings,
        state::{Clock, State},
    },
};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A folder of a game with a mod beside it, and where the index is.
pub struct Game {
    pub folder: tempfile::TempDir,
    pub modification: PathBuf,
}

impl Game {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| fs::read(kit::samples().join(name)).unwrap();
        fs::create_dir(folder.path().join("game")).unwrap();
        fs::write(folder.path().join("game/BoneTune.umx"), read("BoneTune.umx")).unwrap();
        let inner = zip(&[
            ZipMember::deflated("Models/Ossie.psk", &read("Ossie.psk")),
            ZipMember::stored("Models/Ossie.psa", &read("Ossie.psa")),
        ]);
        let modification = folder.path().join("Pack.umod");
        fs::write(&modification, umod(&[("Stuff\\inner.zip", &inner, 0)])).unwrap();
        Self { folder, modification }
    }

    pub fn game(&self) -> PathBuf {
        self.folder.path().join("game")
    }

    pub fn store(&self) -> Store {
        Store::at(self.folder.path().join("index/collections.redb"))
    }

    pub fn window(&self, settings: Settings) -> Window {
        let mut state = State::new(settings, Clock::Set(0.0));
        state.collection.start_collection(&mut state.core, self.store());
        let mut window = window_of(kept(state), SIZE);
        settle(&mut window);
        window
    }

    /// A window on which both were dropped.
    pub fn dropped(&self) -> Window {
        let mut window = self.window(Settings::default());
        drop_on(&mut window, &[self.game(), self.modification.clone()]);
        window
    }
}

pub fn search(window: &mut Window, words: &str) {
    apply(window, Command::Collection(CollectionCommand::Show));
    apply(window, Command::Collection(CollectionCommand::Search(words.to_owned())));
}

/// The paths of the files whose entries were found, with the entries' names.
pub fn found(window: &Window) -> Vec<(PathBuf, String)> {
    read(window, |s| {
        let found = &s.collection.search.found;
        let row = |row| found.catalog.row(row).unwrap();
        let path = |row| found.catalog.file(row).unwrap().path.clone();
        found.hits.iter().map(|hit| row(hit.row)).map(|row| (path(row.file), row.name.to_owned())).collect()
    })
}

pub fn is_shown(window: &Window, path: &Path) -> bool {
    read(window, |s| s.stages.front.content.place().is_some_and(|place| s.core.file(place.file).unwrap().path == path))
}

/// A window on which the sample of a mod was dropped, and where the mod is.
pub fn with_mod(game: &Game) -> (Window, PathBuf) {
    let pack = game.folder.path().join("BonePack.umod");
    fs::copy(kit::samples().join("BonePack.umod"), &pack).unwrap();
    let mut window = game.window(Settings::default());
    drop_on(&mut window, std::slice::from_ref(&pack));
    (window, pack)
}

/// Clicks what has a label that begins so.
#[track_caller]
pub fn click_starting(window: &mut Window, label: &str) {
    let starts =
        |node: &egui_kittest::Node<'_>| node.accesskit_node().label().is_some_and(|known| known.starts_with(label));
    let node = window.query_all_by_label_contains(label).find(starts).unwrap_or_else(|| panic!("no {label}"));
    node.click();
    window.run_steps(4);
}

/// Chooses an item of a list that is pulled down.
pub fn choose(window: &mut Window, combo: &str, item: &str) {
    click(window, combo);
    // The list lies over everything else that is called so.
    let at = window.get_all_by_label(item).last().expect("an item").rect().center();
    click_at(window, at, egui::Modifiers::NONE);
    window.run_steps(4);
}
