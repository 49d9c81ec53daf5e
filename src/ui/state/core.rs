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

/// Bytes of decoded data kept for switching back and forth.
const CACHE_BYTES: u64 = 256 << 20;

/// What a stage, a panel or a search needs besides its own data.
pub struct Core {
    pub clock: Clock,
    pub settings: Settings,
    pub library: LibraryState,
    pub selection: Option<Place>,
    /// Marked bytes of the selected file.
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

    /// The selected entry's file.
    pub fn selected_file(&self) -> Option<&Arc<OpenFile>> {
        self.file(self.selection?.file)
    }

    pub fn load_options(&self) -> LoadOptions {
        self.load_options
    }

    /// The accent colour of the theme, for what the renderer draws.
    pub fn accent(&self) -> [u8; 3] {
        let accent = theme::Palette::of(self.settings.dark).accent;
        [accent.r(), accent.g(), accent.b()]
    }
}

/// Where the time comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    Real(Instant),
    /// Seconds, set by a test.
    Set(f64),
}

impl Clock {
    /// Seconds since some moment.
    pub fn now_secs(&self) -> f64 {
        match self {
            Self::Real(start) => start.elapsed().as_secs_f64(),
            Self::Set(seconds) => *seconds,
        }
    }
}
