//! Choices that outlive the program.

use crate::{
    bytes::numbers::{counted, grouped},
    export::{ExportSpace, space::SCALES as EXPORT_SCALES},
    formats::{FormatInfo, Overrides},
    library::written_path,
    ui::{
        bookmark::{Bookmark, MAX_BOOKMARKS},
        command::ChosenKeys,
        favourite::Favourite,
        kept_reading::{KeptReading, MAX_READINGS, absolute, overrides_of},
        layout::{self, Layout, PanelSizes, Placement},
        library_row::LibraryOrder,
        picture_draft,
        saved_view::{self, MAX_SESSION, SavedView},
        section::OpenSections,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    fmt::Display,
    path::{Path, PathBuf},
};

/// Raised when older settings would be misread.
const VERSION: u32 = 1;
const MAX_RECENTS: usize = 12;
pub(in crate::ui) const MAX_FOLDERS: usize = 1_000;
const MAX_FAVOURITES: usize = 200;
const MAX_FAMILIES: usize = 64;
/// Sizes of the interface.
pub const SCALES: std::ops::RangeInclusive<f32> = 0.6..=3.0;
/// Seconds over which clips can blend into each other; none for at once.
pub const BLENDS: [f32; 4] = [0.0, 0.1, 0.25, 0.5];
/// How fast a flight through a level can be, in its units a second.
pub const FLY_SPEEDS: std::ops::RangeInclusive<f32> = 10.0..=20_000.0;
/// Begins the name of a setting that holds an action's keys: `key.Wireframe`.
pub const KEY_PREFIX: &str = "key.";
/// What no key is called.
const NO_KEYS: &str = "none of them";
/// Characters of a value that a message quotes.
const MAX_QUOTED: usize = 60;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub(super) version: u32,
    pub dark: bool,
    /// Times the window system's own scale.
    pub ui_scale: f32,
    /// Play the first clip that fits a model that was opened.
    pub autoplay: bool,
    /// Samples a pixel; `None` leaves it to the adapter.
    pub samples: Option<u32>,
    pub grid: bool,
    /// Files that were opened, the newest first.
    #[serde(with = "written_path::list")]
    pub recents: Vec<PathBuf>,
    /// What has a star, the newest last.
    pub favourites: Vec<Favourite>,
    /// Views of levels with names, the newest last.
    pub bookmarks: Vec<Bookmark>,
    /// How fast one flies through levels, in their units a second.
    pub fly_speed: f32,
    /// Keys that go through a list show each entry at once.
    pub browse: bool,
    /// Folders that files' references are looked for in, besides those around the files.
    #[serde(with = "written_path::list")]
    pub folders: Vec<PathBuf>,
    /// Folders, containers and files of the collection.
    #[serde(with = "written_path::list")]
    pub collection: Vec<PathBuf>,
    /// Files that are read otherwise than their bytes suggest, the one changed last first.
    pub readings: Vec<KeptReading>,
    /// Files that were open when the program ended.
    #[serde(with = "written_path::list")]
    pub session: Vec<PathBuf>,
    /// The one of them whose model was on show.
    #[serde(with = "written_path::option")]
    pub session_shown: Option<PathBuf>,
    /// What was on the stages, and how it was looked at.
    pub session_view: Option<SavedView>,
    /// Open them again when the program starts without files.
    pub reopen_session: bool,
    /// Read open files anew when they change on disk.
    pub watch_files: bool,
    /// Where the panels are.
    pub layout: Option<Layout>,
    /// Where the window was, in the window system's points.
    pub window: Option<Placement>,
    pub panels: PanelSizes,
    pub show_log: bool,
    /// Which sections of the inspector are open.
    pub sections: OpenSections,
    pub library_order: LibraryOrder,
    /// Of sounds, 0 … 1.
    pub volume: f32,
    pub loop_sounds: bool,
    /// Numbers of poses and curves are in the scene's axes instead of the file's.
    pub scene_axes: bool,
    /// Seconds over which the pose of one clip becomes that of the next; 0 for at once, which is exact.
    pub blend_secs: f32,
    /// Our own file dialogs are used, whatever the system has.
    pub own_dialogs: bool,
    /// Where pictures of the stage go; asked for once.
    #[serde(with = "written_path::option")]
    pub picture_folder: Option<PathBuf>,
    /// Width and height of pictures of the stage; `None` for as large as the stage.
    pub picture_size: Option<[u32; 2]>,
    /// Size and axes that models of a family were last exported with; by default where a family is not named.
    pub export_spaces: BTreeMap<String, ExportSpace>,
    /// Keys that are others than by default; each is a line of its own.
    #[serde(skip)]
    pub keys: ChosenKeys,
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
            favourites: Vec::new(),
            bookmarks: Vec::new(),
            fly_speed: crate::scene::Map::WALK_SPEED,
            browse: false,
            folders: Vec::new(),
            collection: Vec::new(),
            readings: Vec::new(),
            session: Vec::new(),
            session_shown: None,
            session_view: None,
            reopen_session: true,
            watch_files: true,
            layout: None,
            window: None,
            panels: PanelSizes::new(),
            show_log: false,
            sections: OpenSections::default(),
            library_order: LibraryOrder::default(),
            volume: 0.8,
            loop_sounds: false,
            scene_axes: false,
            blend_secs: 0.0,
            own_dialogs: false,
            picture_folder: None,
            picture_size: None,
            export_spaces: BTreeMap::new(),
            keys: ChosenKeys::default(),
        }
    }
}

impl Settings {
    /// Settings from values by name, and a sentence for each that does not fit: that one is as it is by default.
    pub fn from_values(values: Map<String, Value>) -> (Self, Vec<String>) {
        let known = Self::default().to_values().unwrap_or_default();
        if let Some(version) = values.get("version").filter(|version| known.get("version") != Some(version)) {
            let finding =
                format!("The settings have version {} instead of {VERSION}; defaults are used", quoted(version));
            return (Self::default(), vec![finding]);
        }
        let mut findings = Vec::new();
        let mut fitting = Map::new();
        let mut keys = ChosenKeys::default();
        for (name, value) in values {
            if let Some(action) = name.strip_prefix(KEY_PREFIX) {
                match keys.read(action, value.as_str().unwrap_or(NO_KEYS)) {
                    Some(Ok(())) => {}
                    Some(Err(_)) => findings.push(cannot_be(&name, &value)),
                    None => findings.push(is_unknown(&name)),
                }
                continue;
            }
            if !known.contains_key(&name) {
                findings.push(is_unknown(&name));
                continue;
            }
            // A default stands for each of the others.
            let alone = Value::Object(Map::from_iter([(name, value)]));
            let fits = Self::deserialize(&alone).is_ok();
            let Value::Object(alone) = alone else { continue };
            if fits {
                fitting.extend(alone);
            } else {
                findings.extend(alone.iter().map(|(name, value)| cannot_be(name, value)));
            }
        }
        let mut settings = Self::deserialize(&Value::Object(fitting)).unwrap_or_default();
        findings.extend(keys.settle());
        settings.keys = keys;
        settings.check(&mut findings);
        (settings, findings)
    }

    /// The values by name.
    ///
    /// # Errors
    /// None that is known: every value can be written.
    pub fn to_values(&self) -> serde_json::Result<Map<String, Value>> {
        let value = serde_json::to_value(self)?;
        let mut values = if let Value::Object(values) = value { values } else { Map::new() };
        values.extend(self.keys.lines().map(|(name, keys)| (format!("{KEY_PREFIX}{name}"), Value::String(keys))));
        Ok(values)
    }

    /// Sets to their defaults what cannot be, and says so.
    fn check(&mut self, findings: &mut Vec<String>) {
        let default = Self::default();
        if !SCALES.contains(&self.ui_scale) {
            findings.push(cannot_be("ui_scale", self.ui_scale));
            self.ui_scale = default.ui_scale;
        }
        if !(0.0..=1.0).contains(&self.volume) {
            findings.push(cannot_be("volume", self.volume));
            self.volume = default.volume;
        }
        if !FLY_SPEEDS.contains(&self.fly_speed) {
            findings.push(cannot_be("fly_speed", self.fly_speed));
            self.fly_speed = default.fly_speed;
        }
        if !BLENDS.contains(&self.blend_secs) {
            findings.push(cannot_be("blend_secs", self.blend_secs));
            self.blend_secs = default.blend_secs;
        }
        if let Some(samples) = self.samples.take_if(|samples| ![1, 4].contains(samples)) {
            findings.push(cannot_be("samples", samples));
        }
        if let Some(size) = self.picture_size.take_if(|size| picture_draft::size_refusal(*size).is_some()) {
            findings.push(cannot_be("picture_size", format!("{size:?}")));
        }
        if let Some(place) = self.window.take_if(|place| !place.is_valid()) {
            findings.push(cannot_be("window", serde_json::to_string(&place).unwrap_or_default()));
        }
        if let Some(layout) = self.layout.take_if(|layout| !layout.is_valid()) {
            findings.push(cannot_be("layout", serde_json::to_string(&layout).unwrap_or_default()));
        }
        if let Some(view) = self.session_view.take_if(|view| view.version != saved_view::VERSION) {
            findings.push(cannot_be("session_view", format!("version {}", view.version)));
        }
        self.session_view.iter_mut().for_each(SavedView::check);
        if self.panels.len() > layout::MAX_PANELS {
            findings.push(cannot_be("panels", counted(self.panels.len(), "panel")));
            self.panels.clear();
        }
        self.panels.retain(|name, size| {
            let fits = layout::SIZES.contains(size);
            if !fits {
                findings.push(cannot_be("panels", format!("size {size} of the panel {name}")));
            }
            fits
        });
        if self.export_spaces.len() > MAX_FAMILIES {
            findings.push(cannot_be("export_spaces", counted(self.export_spaces.len(), "family")));
            self.export_spaces.clear();
        }
        self.export_spaces.retain(|family, space| {
            let fits = EXPORT_SCALES.contains(&space.scale);
            if !fits {
                findings.push(cannot_be("export_spaces", format!("scale {} for {family}", space.scale)));
            }
            fits
        });
        shorten("recents", &mut self.recents, MAX_RECENTS, findings);
        let bookmarks = self.bookmarks.len();
        self.bookmarks.retain(Bookmark::is_valid);
        if self.bookmarks.len() < bookmarks {
            let removed = counted(bookmarks - self.bookmarks.len(), "bookmark");
            findings.push(format!("Removed {removed} with an invalid view from the settings"));
        }
        shorten("bookmarks", &mut self.bookmarks, MAX_BOOKMARKS, findings);
        shorten("favourites", &mut self.favourites, MAX_FAVOURITES, findings);
        shorten("folders", &mut self.folders, MAX_FOLDERS, findings);
        shorten("collection", &mut self.collection, MAX_FOLDERS, findings);
        shorten("readings", &mut self.readings, MAX_READINGS, findings);
        shorten("session", &mut self.session, MAX_SESSION, findings);
    }

    /// How a person wants a file read; nothing for most.
    pub fn reading_of(&self, path: &Path) -> &Overrides {
        overrides_of(&self.readings, path)
    }

    /// Keeps how a file is to be read, or that its bytes decide again.
    pub fn set_reading(&mut self, path: &Path, overrides: Overrides) {
        KeptReading::keep_among(&mut self.readings, path, overrides);
    }

    /// Marks something with a star, or no longer; says whether it has one now. `None` when there are too many already.
    pub fn toggle_favourite(&mut self, favourite: Favourite) -> Option<bool> {
        if let Some(at) = self.favourites.iter().position(|kept| *kept == favourite) {
            self.favourites.remove(at);
            return Some(false);
        }
        (self.favourites.len() < MAX_FAVOURITES).then(|| {
            self.favourites.push(favourite);
            true
        })
    }

    /// Size and axes that models of a format's family are exported with until somebody chooses others.
    pub fn export_space(&self, info: &FormatInfo) -> ExportSpace {
        self.export_spaces.get(info.family).copied().unwrap_or(ExportSpace::of(info))
    }

    /// Keeps the size and the axes that a model of a family is exported with.
    pub fn set_export_space(&mut self, info: &FormatInfo, space: ExportSpace) {
        if space == ExportSpace::of(info) {
            self.export_spaces.remove(info.family);
        } else {
            self.export_spaces.insert(info.family.to_owned(), space);
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

/// Says that a setting has a value which it cannot have.
pub fn cannot_be(name: &str, value: impl Display) -> String {
    format!("Invalid setting {name}: {}; the default is used", quoted(value))
}

fn is_unknown(name: &str) -> String {
    format!("Unknown setting {} was ignored", quoted(name))
}

/// A value, or its beginning, on one line.
fn quoted(value: impl Display) -> String {
    let text = value.to_string();
    let mut characters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut shown: String = characters.by_ref().take(MAX_QUOTED).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

fn shorten<T>(name: &str, list: &mut Vec<T>, most: usize, findings: &mut Vec<String>) {
    if list.len() > most {
        let (count, kept) = (counted(list.len(), "entry"), grouped(most));
        findings.push(format!("The setting {name} has {count}; only the first {kept} are kept"));
        list.truncate(most);
    }
}
