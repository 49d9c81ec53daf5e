//! Choices that outlive the program.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Raised when older settings would be misread.
const VERSION: u32 = 1;
const KEY: &str = "bonebox-settings";
const MOST_RECENTS: usize = 12;

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
    /// Files that were open when the program ended.
    pub session: Vec<PathBuf>,
    /// The one of them whose model was on show.
    pub session_shown: Option<PathBuf>,
    /// Open them again when the program starts without files.
    pub reopen_session: bool,
    /// The dock's layout, see [`super::dock`].
    pub layout: Option<String>,
    pub show_log: bool,
    /// Of sounds, 0 … 1.
    pub volume: f32,
    pub loop_sounds: bool,
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
            session: Vec::new(),
            session_shown: None,
            reopen_session: true,
            layout: None,
            show_log: false,
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

    /// Puts a file first among the recent ones.
    pub fn remember(&mut self, path: &std::path::Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recents.retain(|p| *p != path);
        self.recents.insert(0, path);
        self.recents.truncate(MOST_RECENTS);
    }
}
