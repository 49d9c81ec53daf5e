//! What all parts of the window share: the open files, the selection, the settings, the log and background work.

use crate::{
    formats::LoadOptions,
    library::{AssetCache, OpenFile},
    ui::{
        place::{FileId, Place},
        settings::Settings,
        state::{effect::Effect, library::LibraryState, log::Log, works::Works},
        theme,
    },
};
use std::{ops::Range, sync::Arc};
use web_time::Instant;

/// Maximum size of cached decoded entries, in bytes.
const CACHE_BYTES: u64 = 256 << 20;

/// Data that all stages, panels and searches share.
pub struct Core {
    pub clock: Clock,
    pub settings: Settings,
    pub library: LibraryState,
    pub selection: Option<Place>,
    /// Selected bytes of the selected file.
    pub selected_bytes: Option<Range<u64>>,
    pub log: Log,
    pub works: Works,
    /// Requests to the window system.
    pub effects: Vec<Effect>,
    pub(super) cache: AssetCache,
    pub(super) load_options: LoadOptions,
}

impl Core {
    pub(super) fn new(settings: Settings, clock: Clock) -> Self {
        Self {
            clock,
            library: LibraryState::new(settings.library_order),
            settings,
            selection: None,
            selected_bytes: None,
            log: Log::default(),
            works: Works::new(),
            effects: Vec::new(),
            cache: AssetCache::new(CACHE_BYTES),
            load_options: LoadOptions::default(),
        }
    }

    pub fn file(&self, id: FileId) -> Option<&Arc<OpenFile>> {
        self.library.file(id)
    }

    /// Returns the file of the selected entry.
    pub fn selected_file(&self) -> Option<&Arc<OpenFile>> {
        self.file(self.selection?.file)
    }

    pub fn load_options(&self) -> LoadOptions {
        self.load_options
    }

    /// Returns the accent colour of the theme, for the renderer.
    pub fn accent(&self) -> [u8; 3] {
        let accent = theme::Palette::of(self.settings.dark).accent;
        [accent.r(), accent.g(), accent.b()]
    }
}

/// The source of the time.
#[derive(Clone, Debug)]
pub enum Clock {
    Real(Instant),
    /// A time in seconds, set by a test.
    Set(f64),
}

impl Clock {
    /// Returns the seconds since a fixed moment.
    pub fn now_secs(&self) -> f64 {
        match self {
            Self::Real(start) => start.elapsed().as_secs_f64(),
            Self::Set(seconds) => *seconds,
        }
    }
}
