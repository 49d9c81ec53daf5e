//! Searching and copying bytes in the window.

use crate::kit::{self, app::*};
use bonebox::{
    bytes::search::{Kind, Width},
    formats::EntryId,
    ui::{
        command::{BytesCommand, Command, SelectionCommand},
        state::Place,
    },
};
use egui::{Key, Modifiers, accesskit::Toggled};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

const FIELD: &str = "Search the bytes";

/// A window with the file itself selected and its search open.
fn searching() -> Window {
    let mut window = window_with([kit::data().join("actorx/syn_arm.psk")]);
    let file = read(&window, |s| Place { file: s.core.library.files[0].id, entry: EntryId::FILE });
    apply(&mut window, Command::Selection(SelectionCommand::Select(file)));
    click(&mut window, "Search bytes");
    assert!(window.get_by_label(FIELD).is_focused());
    window
}

fn typed(window: &mut Window, text: &str) {
    window.get_by_label(FIELD).type_text(text);
    settle(window);
}

fn marked(window: &Window) -> Option<(u64, u64)> {
    read(window, |s| s.core.selected_bytes.as_ref().map(|bytes| (bytes.start, bytes.end)))
}

fn bytes_of(window: &Window) -> Vec<u8> {
    read(window, |s| s.core.library.files[0].file.document.source().as_slice().to_vec())
}

#[test]
fn hexadecimal_is_found_counted_and_gone_through() {
    let mut window = searching();
    let bytes = bytes_of(&window);
    typed(&mut window, "41 43 ?? 52");
    assert_eq!(marked(&window), Some((0, 4)));
    assert!(has(&window, "1 of 1"));
    apply(&mut window, Command::Bytes(BytesCommand::CloseSearch));
    assert!(!has(&window, FIELD));

    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::B);
    window.run_steps(4);
    typed(&mut window, "00 00 80 3f");
    let ones: Vec<u64> =
        (0..bytes.len() - 3).filter(|at| bytes[*at..].starts_with(&1_f32.to_le_bytes())).map(|at| at as u64).collect();
    assert!(ones.len() > 2);
    assert!(has(&window, &format!("1 of {}", ones.len())));
    window.key_press(Key::Enter);
    window.run_steps(4);
    assert_eq!(marked(&window), Some((ones[1], ones[1] + 4)));
    assert!(has(&window, &format!("2 of {}", ones.len())));
    assert!(window.get_by_label(FIELD).is_focused(), "Enter goes on and on");
    window.key_press_modifiers(Modifiers::SHIFT, Key::Enter);
    window.run_steps(4);
    click(&mut window, "Previous match");
    assert_eq!(marked(&window).unwrap().0, *ones.last().unwrap(), "around the end");
    click(&mut window, "Next match");
    assert_eq!(marked(&window).unwrap().0, ones[0]);
    look(&mut window, "byte-search");
    window.get_by_label(FIELD).focus();
    window.run_steps(2);
    window.key_press(Key::Escape);
    window.run_steps(4);
    assert!(!has(&window, FIELD));
}

#[test]
fn text_and_numbers_have_choices_of_their_own() {
    let mut window = searching();
    click(&mut window, "Search Text");
    window.get_by_label(FIELD).focus();
    window.run_steps(2);
    typed(&mut window, "acTRheaD");
    assert_eq!(marked(&window), Some((0, 8)));
    let is_on = |window: &Window| window.get_by_label("Match case").accesskit_node().toggled() == Some(Toggled::True);
    assert!(!is_on(&window));
    click(&mut window, "Match case");
    settle(&mut window);
    assert!(is_on(&window) && has(&window, "No matches"));
    click(&mut window, "Search Number");
    settle(&mut window);
    assert!(has(&window, "Type a number: 496, -12, 0x1f0 or 0.5."));
    assert_eq!(read(&window, |s| s.lookups.bytes.kind), Kind::Number(Width::Any));
    assert!(has(&window, "Number width"));
}

#[test]
fn another_entry_is_searched_without_being_marked() {
    let mut window = searching();
    typed(&mut window, "00");
    let before = read(&window, |s| s.lookups.bytes.hits.clone().unwrap().places.len());
    let bone = read(&window, |s| {
        let file = &s.core.library.files[0];
        let bone = file.file.document.outline().entries().iter().find(|e| e.role == bonebox::formats::Role::Bone);
        Place { file: file.id, entry: bone.unwrap().id }
    });
    apply(&mut window, Command::Selection(SelectionCommand::Select(bone)));
    settle(&mut window);
    let after = read(&window, |s| s.lookups.bytes.hits.clone().unwrap().places.len());
    assert!(after < before, "{after} of the entry, {before} of the file");
    assert_eq!(marked(&window), None);
}

#[test]
fn ctrl_f_is_for_the_bytes_after_a_click_on_them() {
    let mut window = window_with([kit::data().join("actorx/syn_arm.psk")]);
    let area =
        window.query_all_by_label("Bytes").map(|node| node.rect()).max_by(|a, b| a.height().total_cmp(&b.height()));
    let area = area.unwrap();
    click_at(&mut window, area.left_top() + egui::vec2(area.width() * 0.3, 9.0), Modifiers::NONE);
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run_steps(4);
    assert!(window.get_by_label(FIELD).is_focused());
    window.key_press(Key::Escape);
    window.run_steps(4);
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run_steps(4);
    assert!(window.get_by_label("Filter the library").is_focused());
}

#[test]
fn patterns_of_a_megabyte_and_empty_entries_do_no_harm() {
    let mut window = searching();
    typed(&mut window, &"41 ".repeat(350_000));
    assert!(read(&window, |s| s.lookups.bytes.text.len()) <= 1 << 15);
    let scope = read(&window, |s| s.lookups.bytes.scope.unwrap());
    for (text, kind) in [
        ("4".repeat(1 << 20), Kind::Hex),
        ("ä".repeat(1 << 19), Kind::Text { case: false }),
        ("9".repeat(1 << 20), Kind::Number(Width::Any)),
    ] {
        apply(&mut window, Command::Bytes(BytesCommand::Search { text, kind, scope, marks: true }));
        assert!(read(&window, |s| !s.lookups.bytes.problem.is_empty() && s.lookups.bytes.hits.is_none()));
    }
}
