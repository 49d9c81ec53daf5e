//! The settings that a person sets: where they stand in the window, what they are by default, and what sets them.

use crate::ui::{
    command::{Command, LibraryCommand, ModelCommand, SoundCommand, ViewCommand, WindowCommand},
    settings::{BLENDS, Settings},
    state::LibraryOrder,
};

/// A page of the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    #[default]
    General,
    View,
    Playback,
    Files,
    Keys,
}

impl Page {
    pub const ALL: [Self; 5] = [Self::General, Self::View, Self::Playback, Self::Files, Self::Keys];

    pub fn name(self) -> &'static str {
        match self {
            Self::General => "General",
            Self::View => "View",
            Self::Playback => "Playback",
            Self::Files => "Files",
            Self::Keys => "Shortcuts",
        }
    }
}

/// One setting.
pub struct Row {
    pub page: Page,
    pub section: &'static str,
    /// As the session file calls it.
    pub setting: &'static str,
    pub name: &'static str,
    /// Other words for it, to be found by.
    pub also: &'static str,
    pub control: Control,
}

/// How a setting is set. `set` is asked only for a value that the setting does not have.
pub enum Control {
    Switch {
        get: fn(&Settings) -> bool,
        set: fn(bool) -> Command,
    },
    Choice {
        names: &'static [&'static str],
        get: fn(&Settings) -> usize,
        set: fn(usize) -> Command,
    },
    /// A number in hundredths.
    Percent {
        most: u32,
        get: fn(&Settings) -> f32,
        set: fn(f32) -> Command,
    },
    /// The folders that references are looked for in.
    Folders,
    /// The folder for pictures of the stage.
    PictureFolder,
    PictureSize,
}

impl Control {
    /// What a setting is, in words.
    pub fn value_text(&self, settings: &Settings) -> String {
        match self {
            Self::Switch { get, .. } => if get(settings) { "on" } else { "off" }.to_owned(),
            Self::Choice { names, get, .. } => names.get(get(settings)).copied().unwrap_or("custom").to_owned(),
            Self::Percent { get, .. } => format!("{} %", (get(settings) * 100.0).round()),
            Self::Folders if settings.folders.is_empty() => "none".to_owned(),
            Self::Folders => settings.folders.len().to_string(),
            Self::PictureSize => match settings.picture_size {
                Some([width, height]) => format!("{width} × {height}"),
                None => "same as view".to_owned(),
            },
            Self::PictureFolder => match &settings.picture_folder {
                Some(folder) => folder.display().to_string(),
                None => "ask each time".to_owned(),
            },
        }
    }

    /// What sets a setting to its default; nothing where it has it.
    pub fn reset(&self, settings: &Settings) -> Vec<Command> {
        let default = Settings::default();
        let set = match self {
            Self::Switch { get, set } => {
                let to = get(&default);
                (get(settings) != to).then(|| set(to))
            }
            Self::Choice { get, set, .. } => {
                let to = get(&default);
                (get(settings) != to).then(|| set(to))
            }
            Self::Percent { get, set, .. } => {
                let to = get(&default);
                (get(settings) != to).then(|| set(to))
            }
            Self::PictureSize => {
                settings.picture_size.is_some().then_some(Command::Window(WindowCommand::SetPictureSize(None)))
            }
            Self::PictureFolder => {
                settings.picture_folder.is_some().then_some(Command::Window(WindowCommand::SetPictureFolder(None)))
            }
            Self::Folders => {
                let remove = |folder| Command::Library(LibraryCommand::RemoveSearchFolder(folder));
                return settings.folders.iter().cloned().map(remove).collect();
            }
        };
        set.into_iter().collect()
    }
}

const SCALES: [f32; 8] = [0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0];
const SAMPLES: [Option<u32>; 3] = [None, Some(1), Some(4)];
const ORDERS: [LibraryOrder; 2] = [LibraryOrder::Meaning, LibraryOrder::Structure];

/// Every setting but the keys, page by page.
pub static ROWS: &[Row] = &[
    Row {
        page: Page::General,
        section: "Appearance",
        setting: "dark",
        name: "Theme",
        also: "dark, light, colours, night",
        control: Control::Choice {
            names: &["Dark", "Light"],
            get: |settings| usize::from(!settings.dark),
            set: |at| Command::Window(WindowCommand::SetDark(at == 0)),
        },
    },
    Row {
        page: Page::General,
        section: "Appearance",
        setting: "ui_scale",
        name: "Interface scale",
        also: "zoom, size, font, text",
        control: Control::Choice {
            names: &["80 %", "90 %", "100 %", "110 %", "125 %", "150 %", "175 %", "200 %"],
            get: |settings| {
                SCALES.iter().position(|scale| (scale - settings.ui_scale).abs() < 0.01).unwrap_or(usize::MAX)
            },
            set: |at| Command::Window(WindowCommand::SetUiScale(SCALES.get(at).copied().unwrap_or(1.0))),
        },
    },
    Row {
        page: Page::General,
        section: "Startup",
        setting: "reopen_session",
        name: "Reopen last session",
        also: "restore, files",
        control: Control::Switch {
            get: |settings| settings.reopen_session,
            set: |on| Command::Window(WindowCommand::SetReopenSession(on)),
        },
    },
    Row {
        page: Page::General,
        section: "Panels",
        setting: "show_log",
        name: "Log",
        also: "messages, console",
        control: Control::Switch {
            get: |settings| settings.show_log,
            set: |_| Command::Window(WindowCommand::ToggleLog),
        },
    },
    Row {
        page: Page::General,
        section: "Panels",
        setting: "library_order",
        name: "Library view",
        also: "tree, order, meaning, structure",
        control: Control::Choice {
            names: &["Contents", "File layout"],
            get: |settings| usize::from(settings.library_order == LibraryOrder::Structure),
            set: |at| Command::Library(LibraryCommand::SetOrder(ORDERS.get(at).copied().unwrap_or_default())),
        },
    },
    Row {
        page: Page::General,
        section: "Panels",
        setting: "browse",
        name: "Preview on selection",
        also: "browse, keys, lists, show each entry at once",
        control: Control::Switch {
            get: |settings| settings.browse,
            set: |_| Command::Library(LibraryCommand::ToggleBrowse),
        },
    },
    Row {
        page: Page::View,
        section: "Stage",
        setting: "grid",
        name: "Grid under models",
        also: "floor",
        control: Control::Switch { get: |settings| settings.grid, set: |on| Command::View(ViewCommand::SetGrid(on)) },
    },
    Row {
        page: Page::View,
        section: "Stage",
        setting: "scene_axes",
        name: "Scene axes",
        also: "numbers, pose, curves, Y up, Z up",
        control: Control::Switch {
            get: |settings| settings.scene_axes,
            set: |_| Command::View(ViewCommand::ToggleSceneAxes),
        },
    },
    Row {
        page: Page::View,
        section: "Stage",
        setting: "samples",
        name: "Anti-aliasing",
        also: "antialiasing, MSAA, samples, edges, smooth, quality",
        control: Control::Choice {
            names: &["Automatic", "Off", "4 ×"],
            get: |settings| SAMPLES.iter().position(|s| *s == settings.samples).unwrap_or(usize::MAX),
            set: |at| Command::View(ViewCommand::SetSamples(SAMPLES.get(at).copied().flatten())),
        },
    },
    Row {
        page: Page::Playback,
        section: "Clips",
        setting: "autoplay",
        name: "Autoplay first matching clip",
        also: "autoplay, animation, start",
        control: Control::Switch {
            get: |settings| settings.autoplay,
            set: |on| Command::Window(WindowCommand::SetAutoplay(on)),
        },
    },
    Row {
        page: Page::Playback,
        section: "Clips",
        setting: "blend_secs",
        name: "Blend between clips",
        also: "crossfade, transition, seconds",
        control: Control::Choice {
            names: &["Off", "0.1 s", "0.25 s", "0.5 s"],
            get: |settings| BLENDS.iter().position(|secs| *secs == settings.blend_secs).unwrap_or(usize::MAX),
            set: |at| Command::Model(ModelCommand::SetBlend(BLENDS.get(at).copied().unwrap_or_default())),
        },
    },
    Row {
        page: Page::Playback,
        section: "Sound",
        setting: "volume",
        name: "Volume",
        also: "loud, quiet, mute, audio",
        control: Control::Percent {
            most: 100,
            get: |settings| settings.volume,
            set: |volume| Command::Sound(SoundCommand::SetVolume(volume)),
        },
    },
    Row {
        page: Page::Playback,
        section: "Sound",
        setting: "loop_sounds",
        name: "Loop sounds",
        also: "repeat, audio",
        control: Control::Switch {
            get: |settings| settings.loop_sounds,
            set: |_| Command::Sound(SoundCommand::ToggleLoop),
        },
    },
    Row {
        page: Page::Files,
        section: "Referenced files",
        setting: "folders",
        name: "Search folders",
        also: "search path, textures, packages, missing, dependencies",
        control: Control::Folders,
    },
    Row {
        page: Page::Files,
        section: "Open files",
        setting: "watch_files",
        name: "Watch open files",
        also: "reload, disk, changes, collection, roots",
        control: Control::Switch {
            get: |settings| settings.watch_files,
            set: |on| Command::Window(WindowCommand::SetWatchFiles(on)),
        },
    },
    Row {
        page: Page::Files,
        section: "Dialogs",
        setting: "own_dialogs",
        name: "Built-in file dialogs",
        also: "portal, open, save, browse",
        control: Control::Switch {
            get: |settings| settings.own_dialogs,
            set: |on| Command::Window(WindowCommand::SetOwnDialogs(on)),
        },
    },
    Row {
        page: Page::Files,
        section: "Screenshots",
        setting: "picture_folder",
        name: "Screenshot folder",
        also: "picture, image",
        control: Control::PictureFolder,
    },
    Row {
        page: Page::Files,
        section: "Screenshots",
        setting: "picture_size",
        name: "Screenshot size",
        also: "picture, image, resolution, width, height, pixels",
        control: Control::PictureSize,
    },
];

/// What the session file keeps besides: it is set by using the window.
#[cfg(test)]
const KEPT_BY_USE: [&str; 15] = [
    "collection",
    "version",
    "recents",
    "favourites",
    "bookmarks",
    "fly_speed",
    "readings",
    "session",
    "session_shown",
    "session_view",
    "layout",
    "window",
    "panels",
    "sections",
    "export_spaces",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::{Clock, State};

    #[test]
    fn every_setting_has_a_row() {
        let all = Settings::default().to_values().unwrap();
        for name in all.keys() {
            let rows = ROWS.iter().filter(|row| row.setting == name).count();
            let expected = usize::from(!KEPT_BY_USE.contains(&name.as_str()));
            assert_eq!(rows, expected, "the setting {name}: give it a row here, or say that using the window sets it");
        }
        assert!(ROWS.iter().all(|row| all.contains_key(row.setting)));
    }

    /// Another value for each setting.
    fn change(row: &Row) -> Command {
        match &row.control {
            Control::Switch { get, set } => set(!get(&Settings::default())),
            Control::Choice { names, get, set } => set((get(&Settings::default()) + 1) % names.len()),
            Control::Percent { set, .. } => set(0.25),
            Control::Folders => Command::Library(LibraryCommand::AddSearchFolder("/textures".into())),
            Control::PictureSize => Command::Window(WindowCommand::SetPictureSize(Some([1_920, 1_080]))),
            Control::PictureFolder => Command::Window(WindowCommand::SetPictureFolder(Some("/pictures".into()))),
        }
    }

    #[test]
    fn every_row_sets_its_own_setting_and_takes_it_back() {
        let default = Settings::default().to_values().unwrap();
        let mut state = State::new(Settings::default(), Clock::Set(0.0));
        for row in ROWS {
            let before = row.control.value_text(&state.core.settings);
            assert!(row.control.reset(&state.core.settings).is_empty(), "{}", row.name);
            state.apply(change(row));
            assert_ne!(row.control.value_text(&state.core.settings), before, "{}", row.name);
            let values = state.core.settings.to_values().unwrap();
            let changed: Vec<_> = values.iter().filter(|(name, value)| default[*name] != **value).collect();
            assert!(matches!(changed.as_slice(), [(name, _)] if *name == row.setting), "{}: {changed:?}", row.name);
            for command in row.control.reset(&state.core.settings) {
                state.apply(command);
            }
            assert_eq!(state.core.settings.to_values().unwrap(), default, "{}", row.name);
        }
    }
}
