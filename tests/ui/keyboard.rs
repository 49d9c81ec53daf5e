//! The window by keys alone: menus, lists, dialogs.

use crate::kit::{self, app::*};
use bonebox::ui::command::{ACTIONS, Command, ExportCommand, LargeExport, WindowCommand, other_words};
use egui::{Event, Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::collections::HashSet;

const NONE: Modifiers = Modifiers::NONE;
const ALT: Modifiers = Modifiers::ALT;
const CTRL: Modifiers = Modifiers::COMMAND;

#[track_caller]
fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(8);
}

/// The label of what has the keyboard.
fn focused(window: &Window) -> String {
    let node = window.query_all_by(|node| node.is_focused()).next();
    node.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
}

/// Whether the item that has the keyboard is called so; icons stand before names, and keys behind them.
fn is_at(window: &Window, name: &str) -> bool {
    focused(window).contains(name)
}

#[test]
fn an_item_of_a_menu_that_has_no_effect_cannot_be_chosen() {
    let is_enabled = |window: &Window, name: &str| {
        let items = window.query_all_by(|node| matches!(node.role(), Role::Button | Role::CheckBox));
        let mut found = items.map(|item| item.accesskit_node());
        !found.find(|item| item.label().is_some_and(|label| label.contains(name))).unwrap().is_disabled()
    };
    let mut window = window();
    window.run_steps(3);
    press(&mut window, ALT, Key::F);
    assert!(is_enabled(&window, "Open samples") && !is_enabled(&window, "Close all files"));
    // A letter passes it over.
    press(&mut window, NONE, Key::C);
    assert!(is_at(&window, "Open files…"), "{}", focused(&window));
    // The next model uses these.
    press(&mut window, NONE, Key::Escape);
    press(&mut window, ALT, Key::V);
    assert!(
        is_enabled(&window, "Wireframe") && is_enabled(&window, "Grid") && !is_enabled(&window, "Isolate selected")
    );
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    press(&mut window, ALT, Key::F);
    assert!(is_enabled(&window, "Close all files"));
}

#[test]
fn a_menu_opens_by_its_letter_and_arrows_go_through_it() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    press(&mut window, ALT, Key::F);
    assert!(is_at(&window, "Open files…"), "{}", focused(&window));
    press(&mut window, NONE, Key::ArrowDown);
    assert!(is_at(&window, "Open folder…"), "{}", focused(&window));
    press(&mut window, NONE, Key::ArrowUp);
    assert!(is_at(&window, "Open files…"), "{}", focused(&window));
    // A letter goes to the next item that begins with it.
    press(&mut window, NONE, Key::O);
    assert!(is_at(&window, "Open folder…"), "{}", focused(&window));
    press(&mut window, NONE, Key::C);
    assert!(is_at(&window, "Close all files"), "{}", focused(&window));
    press(&mut window, NONE, Key::Q);
    assert!(is_at(&window, "Quit"), "{}", focused(&window));
    // Behind the last comes the first.
    press(&mut window, NONE, Key::ArrowDown);
    assert!(is_at(&window, "Open files…"), "{}", focused(&window));
    // The menus beside it, and around.
    press(&mut window, NONE, Key::ArrowRight);
    assert!(is_at(&window, "Filter the library"), "{}", focused(&window));
    press(&mut window, NONE, Key::ArrowLeft);
    press(&mut window, NONE, Key::ArrowLeft);
    assert!(is_at(&window, "Keyboard shortcuts"), "{}", focused(&window));
    press(&mut window, NONE, Key::Escape);
    assert!(!has(&window, "Quit") && !read(&window, |s| s.dialogs.keys));
    // Keys mean what they did.
    press(&mut window, NONE, Key::H);
    assert!(read(&window, |s| s.dialogs.keys));
}

#[test]
fn a_menu_in_a_menu_opens_and_closes_by_arrows() {
    let mut window = window();
    window.run_steps(3);
    press(&mut window, ALT, Key::E);
    press(&mut window, NONE, Key::I);
    for _ in 0..8 {
        if !is_at(&window, "Interface scale") {
            press(&mut window, NONE, Key::I);
        }
    }
    press(&mut window, NONE, Key::ArrowRight);
    assert!(is_at(&window, "80 %"), "{}", focused(&window));
    press(&mut window, NONE, Key::ArrowLeft);
    assert!(is_at(&window, "Interface scale"), "{}", focused(&window));
    press(&mut window, NONE, Key::ArrowRight);
    press(&mut window, NONE, Key::ArrowDown);
    assert!(is_at(&window, "90 %"), "{}", focused(&window));
    press(&mut window, NONE, Key::Enter);
    assert_eq!(read(&window, |s| s.core.settings.ui_scale), 0.9);
}

#[test]
fn open_choose_play_export_and_close_by_keys() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window();
    window.run_steps(3);
    press(&mut window, ALT, Key::F);
    for _ in 0..8 {
        if !is_at(&window, "Open samples") {
            press(&mut window, NONE, Key::O);
        }
    }
    press(&mut window, NONE, Key::Enter);
    settle(&mut window);
    assert!(read(&window, |s| s.core.library.files.len()) > 5);
    // Down the list to a file that shows a model.
    let before = read(&window, |s| s.core.selection);
    let rows: usize =
        read(&window, |s| s.core.library.files.iter().map(|file| file.file.document.outline().entries().len()).sum());
    let mut steps = 0;
    while !read(&window, |s| {
        s.core.selection != before && s.stages.front.model().is_some() && s.stages.front.is_moving()
    }) {
        press(&mut window, NONE, Key::ArrowDown);
        press(&mut window, NONE, Key::Enter);
        settle(&mut window);
        steps += 1;
        assert!(steps < rows, "no model is reached");
    }
    // A clip that fits plays already.
    press(&mut window, NONE, Key::Space);
    assert!(!read(&window, |s| s.stages.front.is_moving()));
    press(&mut window, NONE, Key::Space);
    assert!(read(&window, |s| s.stages.front.is_moving()));
    // Export it: the field by Tab, a name, Enter.
    press(&mut window, CTRL, Key::E);
    let shown = read(&window, |s| s.stages.front.content.place());
    assert_eq!(read(&window, |s| s.exports.draft.as_ref().map(|draft| draft.place)), shown);
    for _ in 0..40 {
        if focused(&window) != "Output file" {
            press(&mut window, NONE, Key::Tab);
        }
    }
    assert_eq!(focused(&window), "Output file");
    press(&mut window, CTRL, Key::A);
    let target = folder.path().join("by keys.glb");
    window.event(Event::Text(target.display().to_string()));
    window.run_steps(3);
    press(&mut window, NONE, Key::Enter);
    settle(&mut window);
    assert!(target.exists(), "{:?}", log(&window));
    press(&mut window, ALT, Key::F);
    press(&mut window, NONE, Key::C);
    press(&mut window, NONE, Key::Enter);
    settle(&mut window);
    assert_eq!(read(&window, |s| s.core.library.files.len()), 0);
}

#[test]
fn enter_writes_a_large_export_and_a_held_one_does_not() {
    let mut window = window();
    window.run_steps(3);
    let large = |window: &mut Window| {
        let anyway = Box::new(ExportCommand::Cancel);
        let large = Box::new(LargeExport { name: "a".to_owned(), size: 1 << 40, anyway });
        apply(window, Command::Export(ExportCommand::AskLarge(large)));
    };
    let is_asked = |window: &Window| read(window, |s| s.exports.large.is_some());
    let held = |pressed, repeat| Event::Key { key: Key::Enter, physical_key: None, pressed, repeat, modifiers: NONE };
    window.event(held(true, false));
    window.run_steps(2);
    large(&mut window);
    window.event(held(true, true));
    window.run_steps(4);
    assert!(is_asked(&window), "it was held from before");
    window.event(held(false, false));
    press(&mut window, NONE, Key::Enter);
    assert!(!is_asked(&window));
    large(&mut window);
    press(&mut window, NONE, Key::Escape);
    assert!(!is_asked(&window));
    for toggle in [WindowCommand::ToggleAbout, WindowCommand::ToggleKeys, WindowCommand::ToggleSettings] {
        apply(&mut window, Command::Window(toggle.clone()));
        press(&mut window, NONE, Key::Enter);
        assert!(!read(&window, |s| s.dialogs.about || s.dialogs.keys || s.dialogs.settings), "Enter closes {toggle:?}");
    }
}

#[test]
fn every_action_is_reached_by_a_key_or_the_palette() {
    // The palette lists all of them but itself, which has keys.
    let names: HashSet<&str> = ACTIONS.iter().map(|action| action.name).collect();
    assert_eq!(names.len(), ACTIONS.len());
    let palette = Command::Window(WindowCommand::TogglePalette);
    let mut window = window();
    window.run_steps(3);
    apply(&mut window, palette.clone());
    window.run_steps(3);
    let mut rows = 0;
    for action in ACTIONS.iter().filter(|action| action.command != palette) {
        if read(&window, |s| s.is_possible(&action.command)) {
            window.get_by_role_and_label(Role::TextInput, "Search commands, entries and clips").focus();
            press(&mut window, CTRL, Key::A);
            window.event(Event::Text(action.name.to_owned()));
            window.run_steps(3);
            assert!(has(&window, action.name), "{} {}", action.name, other_words(action.name));
            rows += 1;
        }
    }
    assert!(rows > 10, "{rows}");
    let own = ACTIONS.iter().find(|action| action.command == palette).unwrap();
    assert!(!own.keys.is_empty());
}
