//! The window of settings, and keys that a person changes.

use crate::kit::{self, app::*};
use bonebox::ui::{
    command::{ACTIONS, Action, Command, ExportCommand, KeyCommand, WindowCommand, keys_text},
    settings::Settings,
    state::State,
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

const CTRL: Modifiers = Modifiers::COMMAND;

fn action(name: &str) -> &'static Action {
    ACTIONS.iter().find(|action| action.name == name).unwrap()
}

/// The keys that an action has.
fn keys(window: &Window, name: &str) -> Vec<String> {
    read(window, |s| s.core.settings.keys.of(action(name)).iter().map(keys_text).collect())
}

/// A model, and the settings at their keys.
fn with_keys_page() -> Window {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    window.key_press_modifiers(CTRL, Key::Comma);
    window.run_steps(4);
    click(&mut window, "Shortcuts settings");
    look(&mut window, "settings_keys_page");
    window
}

#[track_caller]
fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(4);
}

fn wireframe(window: &Window) -> bool {
    read(window, |s| s.stages.front.view.options.wireframe)
}

#[test]
fn a_setting_is_found_changed_and_reset() {
    let mut window = window();
    window.run_steps(3);
    press(&mut window, CTRL, Key::Comma);
    assert!(read(&window, |s| s.dialogs.settings));
    // The field has the keyboard from the first frame on.
    window.get_by_label("Search settings").type_text("loop");
    window.run_steps(4);
    assert!(has(&window, "Loop sounds") && !has(&window, "Theme: Dark"));
    click(&mut window, "Loop sounds");
    assert!(read(&window, |s| s.core.settings.loop_sounds));
    click(&mut window, "Reset “Loop sounds”");
    assert!(!read(&window, |s| s.core.settings.loop_sounds));
    click(&mut window, "General settings");
    assert!(has(&window, "Theme: Dark") && !has(&window, "Loop sounds"));
    apply(&mut window, Command::Window(WindowCommand::SetDark(false)));
    click(&mut window, "View settings");
    click(&mut window, "Grid under models");
    assert!(read(&window, |s| !s.core.settings.grid && !s.stages.front.view.options.grid && !s.core.settings.dark));
    click(&mut window, "Reset all");
    assert!(read(&window, |s| s.core.settings.grid && s.stages.front.view.options.grid && s.core.settings.dark));
    look(&mut window, "settings_view");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(!read(&window, |s| s.dialogs.settings));
}

#[test]
fn a_key_is_changed_and_the_old_one_means_nothing() {
    let mut window = with_keys_page();
    click(&mut window, "Search settings");
    window.get_by_label("Search settings").type_text("wireframe");
    window.run_steps(4);
    look(&mut window, "settings_keys");
    click(&mut window, "Shortcuts for “Wireframe”: W");
    assert!(paints(&window, "Press a key for “Wireframe”. Esc cancels."));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(read(&window, |s| s.dialogs.key_change.is_none() && s.dialogs.settings), "Esc cancels the change alone");
    click(&mut window, "Shortcuts for “Wireframe”: W");
    // What cannot be taken is refused, and the wait goes on.
    press(&mut window, Modifiers::NONE, Key::Tab);
    assert!(paints(&window, "Tab cannot be used"));
    press(&mut window, Modifiers::NONE, Key::F5);
    assert_eq!(keys(&window, "Wireframe"), ["F5"]);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!read(&window, |s| s.dialogs.settings));
    press(&mut window, Modifiers::NONE, Key::W);
    assert!(!wireframe(&window), "the old key");
    press(&mut window, Modifiers::NONE, Key::F5);
    assert!(wireframe(&window), "the new key");
    // Hovers, sheet and menus name it.
    assert!(has(&window, "Wireframe (F5)"));
    apply(&mut window, Command::Window(WindowCommand::ToggleKeys));
    window.run_steps(3);
    assert!(has(&window, "Wireframe: F5"));
    apply(&mut window, Command::Window(WindowCommand::ToggleKeys));
    // And it is there at the next start.
    let disk = saved(&mut window);
    let text = std::fs::read_to_string(disk.path()).unwrap();
    assert!(text.lines().any(|line| line == "key.Wireframe = \"F5\""), "{text}");
    let mut second = started(&disk);
    settle(&mut second);
    assert_eq!(keys(&second, "Wireframe"), ["F5"]);
}

#[test]
fn a_key_of_another_action_is_taken_on_purpose() {
    let mut window = with_keys_page();
    apply(&mut window, Command::Keys(KeyCommand::Wait { name: "Wireframe", besides: true }));
    window.run_steps(3);
    press(&mut window, Modifiers::NONE, Key::B);
    assert!(paints(&window, "B is already used by “Bones”."));
    assert_eq!(keys(&window, "Wireframe"), ["W"], "nothing is changed yet");
    click(&mut window, "Cancel");
    assert_eq!((keys(&window, "Wireframe"), keys(&window, "Bones")), (vec!["W".to_owned()], vec!["B".to_owned()]));
    apply(&mut window, Command::Keys(KeyCommand::Wait { name: "Wireframe", besides: true }));
    window.run_steps(3);
    press(&mut window, Modifiers::NONE, Key::B);
    click(&mut window, "Assign to “Wireframe”");
    assert_eq!((keys(&window, "Wireframe"), keys(&window, "Bones").len()), (vec!["W".to_owned(), "B".to_owned()], 0));
    // Given back, the other has it again.
    apply(&mut window, Command::Keys(KeyCommand::Reset("Bones")));
    assert_eq!((keys(&window, "Wireframe"), keys(&window, "Bones")), (vec!["W".to_owned()], vec!["B".to_owned()]));
    assert!(read(&window, |s| s.core.settings.keys.is_empty()));
}

#[test]
fn keys_that_cannot_be_are_as_by_default_and_the_log_says_so() {
    let disk = Disk::new();
    let lines = "key.Wireframe = ctrl+shift+[\nkey.Grid = \"Hyper+Q\"\nkey.Bones = 7\nkey.Of tomorrow = \"F5\"\n\
                 key.Fly through = \"F6\"\nkey.Textures = \"F6\"\nkey.Log = \n";
    std::fs::write(disk.path(), lines).unwrap();
    let loaded = bonebox::ui::session_file::load(&disk.path());
    let all = loaded.findings.join("\n");
    assert_eq!(loaded.findings.len(), 4, "{all}");
    for part in ["key.Grid", "key.Bones", "key.Of tomorrow was ignored", "F6"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let of = |name: &str| loaded.settings.keys.of(action(name)).iter().map(keys_text).collect::<Vec<_>>();
    assert_eq!(
        (of("Wireframe"), of("Grid"), of("Bones")),
        (vec!["Ctrl+Shift+[".into()], vec!["G".into()], vec!["B".into()])
    );
    // Of two on one key the earlier in the table has it.
    assert_eq!((of("Textures"), of("Fly").len(), of("Log").len()), (vec!["F6".to_owned()], 0, 0));
    // Settings of tomorrow's version are none of ours.
    std::fs::write(disk.path(), "version = 2\nkey.Wireframe = \"F5\"\nfrom tomorrow = {\"a\":1}\n").unwrap();
    let loaded = bonebox::ui::session_file::load(&disk.path());
    assert_eq!(loaded.settings, Settings::default());
    assert!(loaded.findings[0].contains("version 2"), "{:?}", loaded.findings);
}

#[test]
fn behind_a_dialog_nothing_listens() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let toggles = [WindowCommand::ToggleAbout, WindowCommand::ToggleKeys, WindowCommand::ToggleSettings];
    let before = read(&window, |s| {
        (s.stages.front.view.options.wireframe, s.core.selection, s.stages.front.playback().unwrap().player.is_moving())
    });
    for toggle in toggles {
        apply(&mut window, Command::Window(toggle.clone()));
        window.run_steps(2);
        for key in [Key::W, Key::Space, Key::ArrowDown] {
            press(&mut window, Modifiers::NONE, key);
        }
        press(&mut window, CTRL, Key::E);
        assert!(read(&window, |s| s.exports.draft.is_none()), "{toggle:?}");
        press(&mut window, Modifiers::NONE, Key::Escape);
        let is_open = |s: &State| s.dialogs.about || s.dialogs.keys || s.dialogs.settings;
        assert!(!read(&window, is_open), "Esc closes {toggle:?}");
    }
    let after = read(&window, |s| {
        (s.stages.front.view.options.wireframe, s.core.selection, s.stages.front.playback().unwrap().player.is_moving())
    });
    assert_eq!(before, after);
}

#[test]
fn enter_exports_and_esc_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("ossie.glb");
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let selected = read(&window, |s| s.core.selection);
    press(&mut window, CTRL, Key::E);
    apply(&mut window, Command::Export(ExportCommand::SetPath(target.clone())));
    press(&mut window, Modifiers::NONE, Key::Escape);
    settle(&mut window);
    assert!(!target.exists() && read(&window, |s| s.exports.draft.is_none()));
    press(&mut window, CTRL, Key::E);
    apply(&mut window, Command::Export(ExportCommand::SetPath(target.clone())));
    press(&mut window, Modifiers::NONE, Key::Enter);
    settle(&mut window);
    assert!(target.exists() && read(&window, |s| s.exports.draft.is_none()), "{:?}", log(&window));
    assert_eq!(read(&window, |s| s.core.selection), selected, "the row behind did not take it");
}
