//! Choices that outlive the program.

use crate::{
    formats::{NO_OVERRIDES, Overrides},
    ui::{library_row::LibraryOrder, section::OpenSections},
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Raised when older settings would be misread.
const VERSION: u32 = 1;
const KEY: &str = "bonebox-settings";
const MAX_RECENTS: usize = 12;
const MAX_READINGS: usize = 200;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    version: u32,
    pub dark: bool,
    /// Times the window system's own scale.
    pub ui_scale: f32,
    /// Play the first clip that fits a model that was opened.
    pub autoplay: bool,
    /// Samples a pixel; `None` leaves it to the adapter.
    pub samples: Option<u32>,
    pub grid: bool,
    /// Files that were opened, the newest first.
    pub recents: Vec<PathBuf>,
    /// Folders that files' references are looked for in, besides those around the files.
    pub folders: Vec<PathBuf>,
    /// Files that are read otherwise than their bytes suggest, the one changed last first.
    pub readings: Vec<KeptReading>,
    /// Files that were open when the program ended.
    pub session: Vec<PathBuf>,
    /// The one of them whose model was on show.
    pub session_shown: Option<PathBuf>,
    /// Open them again when the program starts without files.
    pub reopen_session: bool,
    /// The dock's layout, see [`super::dock`].
    pub layout: Option<String>,
    pub show_log: bool,
    /// Which sections of the inspector are open.
    pub sections: OpenSections,
    pub library_order: LibraryOrder,
    /// Of sounds, 0 … 1.
    pub volume: f32,
    pub loop_sounds: bool,
}

/// How a person wants a file read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptReading {
    /// Absolute.
    path: PathBuf,
    overrides: Overrides,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: VERSION,
            dark: true,
            ui_scale: 1.0,
            autoplay: true,
            samples: None,
            grid: true,
            recents: Vec::new(),
            folders: Vec::new(),
            readings: Vec::new(),
            session: Vec::new(),
            session_shown: None,
            reopen_session: true,
            layout: None,
            show_log: false,
            sections: OpenSections::default(),
            library_order: LibraryOrder::default(),
            volume: 0.8,
            loop_sounds: false,
        }
    }
}

impl Settings {
    /// What was kept; the defaults when there is nothing, or it is of another version.
    pub fn load(storage: Option<&dyn eframe::Storage>) -> Self {
        let kept: Option<Self> = storage.and_then(|s| eframe::get_value(s, KEY));
        let mut settings = kept.filter(|s| s.version == VERSION).unwrap_or_default();
        if !settings.ui_scale.is_finite() {
            settings.ui_scale = 1.0;
        }
        settings.ui_scale = settings.ui_scale.clamp(0.6, 3.0);
        settings.volume = if settings.volume.is_finite() { settings.volume.clamp(0.0, 1.0) } else { 0.8 };
        settings
    }

    pub fn save(&self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, KEY, self);
    }

    /// How a person wants a file read; nothing for most.
    pub fn reading_of(&self, path: &Path) -> &Overrides {
        overrides_of(&self.readings, path)
    }

    /// Keeps how a file is to be read, or that its bytes decide again.
    pub fn set_reading(&mut self, path: &Path, overrides: Overrides) {
        let path = absolute(path);
        self.readings.retain(|kept| kept.path != path);
        if !overrides.is_empty() {
            self.readings.insert(0, KeptReading { path, overrides });
            self.readings.truncate(MAX_READINGS);
        }
    }

    /// Puts a file first among the recent ones.
    pub fn remember(&mut self, path: &Path) {
        let path = absolute(path);
        self.recents.retain(|p| *p != path);
        self.recents.insert(0, path);
        self.recents.truncate(MAX_RECENTS);
    }
}

/// What is kept of a file's reading among those of others.
pub fn overrides_of<'a>(readings: &'a [KeptReading], path: &Path) -> &'a Overrides {
    if readings.is_empty() {
        return &NO_OVERRIDES;
    }
    let path = absolute(path);
    readings.iter().find(|kept| kept.path == path).map_or(&NO_OVERRIDES, |kept| &kept.overrides)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_kept_by_file_the_newest_and_no_more_than_so_many() {
        let mut settings = Settings::default();
        let cell = |metres: &str| Overrides::from([("cell".to_owned(), metres.to_owned())]);
        for number in 0..MAX_READINGS + 5 {
            settings.set_reading(Path::new(&format!("/maps/{number}.pew")), cell("5"));
        }
        assert_eq!(settings.readings.len(), MAX_READINGS);
        assert!(settings.reading_of(Path::new("/maps/4.pew")).is_empty(), "the oldest are forgotten");
        assert_eq!(*settings.reading_of(Path::new("/maps/5.pew")), cell("5"));
        // Changed again, it is the newest and stands there once; taken back, not at all.
        settings.set_reading(Path::new("/maps/5.pew"), cell("20"));
        assert_eq!(settings.readings[0].overrides, cell("20"));
        assert_eq!(settings.readings.len(), MAX_READINGS);
        settings.set_reading(Path::new("/maps/5.pew"), Overrides::new());
        assert!(settings.reading_of(Path::new("/maps/5.pew")).is_empty());
        // A path is the same file however it is written.
        settings.set_reading(Path::new("island.pew"), cell("50"));
        let written = std::env::current_dir().unwrap().join("island.pew");
        assert_eq!(*settings.reading_of(&written), cell("50"));
    }
}
