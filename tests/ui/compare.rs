//! Two files side by side, driven through labels.

use crate::kit::{app::*, unreal::code_package};
use bonebox::{
    library::compare::State as Differs,
    ui::{
        command::{Command, CompareCommand},
        state::StageContent,
    },
};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use std::path::{Path, PathBuf};

const OLD: &[(&str, &str, &str)] = &[
    ("Actor", "", "class Actor;\n"),
    ("Pawn", "Actor", "class Pawn extends Actor;\nvar int Health;\nvar int Armour;\n"),
];
const NEW: &[(&str, &str, &str)] = &[
    ("Actor", "", "class Actor;\n"),
    ("Pawn", "Actor", "class Pawn extends Actor;\nvar float Health;\nvar int Armour;\n"),
    ("Crab", "Pawn", "class Crab extends Pawn;\n"),
];

fn write(folder: &Path, name: &str, classes: &[(&str, &str, &str)]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, code_package(classes)).unwrap();
    path
}

/// The entries that differ, as signs and paths.
fn listed(window: &Window) -> Vec<String> {
    read(window, |state| {
        let comparing = &state.comparing;
        let (found, left, right) =
            (comparing.found.as_ref().unwrap(), comparing.left.as_ref().unwrap(), comparing.right.as_ref().unwrap());
        let name = |at: &usize| {
            let pair = &found.entries[*at];
            let entry = pair.left.and_then(|id| left.entry(id)).or(pair.right.and_then(|id| right.entry(id)));
            format!("{} {}", pair.state.sign(), entry.unwrap().path())
        };
        comparing.listed.iter().map(name).collect()
    })
}

#[test]
fn two_open_files_are_compared_entry_by_entry_and_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let files = [write(folder.path(), "Old.u", OLD), write(folder.path(), "New.u", NEW)];
    let mut window = window_with(&files[..1]);
    open(&mut window, &files[1..]);
    let first = read(&window, |state| state.library.files[0].id);
    apply(&mut window, Command::Compare(CompareCommand::File(first)));
    settle(&mut window);
    assert!(read(&window, |state| matches!(state.stage.content, StageContent::Compare)));
    let names = read(&window, |state| {
        [&state.comparing.left, &state.comparing.right].map(|file| file.as_ref().unwrap().name.clone())
    });
    assert_eq!(names, ["Old.u", "New.u"]);
    let all = listed(&window);
    for wanted in ["~ Pawn.ScriptText", "+ Crab", "+ Crab.ScriptText"] {
        assert!(all.iter().any(|line| line == wanted), "{wanted}: {all:?}");
    }
    assert!(!all.iter().any(|line| line.ends_with("Actor.ScriptText")), "{all:?}");

    click(&mut window, "changed: Pawn.ScriptText");
    settle(&mut window);
    for line in ["gone: var int Health;", "added: var float Health;", "same: var int Armour;"] {
        assert!(has(&window, line), "{line}");
    }
    assert!(!has(&window, "same: Actor.ScriptText"));
    click(&mut window, "Changed only");
    settle(&mut window);
    assert!(has(&window, "same: Actor.ScriptText"));
    look(&mut window, "compare");
    // On one side alone.
    click(&mut window, "added: Crab");
    settle(&mut window);
    assert!(has(&window, "It is only on the right."));
    click(&mut window, "Change the sides");
    settle(&mut window);
    assert!(listed(&window).iter().any(|line| line == "- Crab"));
}

#[test]
fn keys_go_through_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let files = [write(folder.path(), "Old.u", OLD), write(folder.path(), "New.u", NEW)];
    let mut window = window_with(files);
    apply(&mut window, Command::Compare(CompareCommand::Selected));
    settle(&mut window);
    let (order, first) = read(&window, |state| (state.comparing.listed.clone(), state.comparing.chosen));
    assert_eq!(first, order.first().copied());
    window.key_press(Key::ArrowDown);
    settle(&mut window);
    assert_eq!(read(&window, |state| state.comparing.chosen), order.get(1).copied());
    window.key_press(Key::ArrowUp);
    settle(&mut window);
    assert_eq!(read(&window, |state| state.comparing.chosen), first);
}

#[test]
fn of_several_files_the_other_one_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let files =
        ["Old.u", "Same.u", "New.u"].map(|name| write(folder.path(), name, if name == "New.u" { NEW } else { OLD }));
    let mut window = window_with(files);
    let old = read(&window, |state| state.library.files.iter().find(|opened| opened.file.name == "Old.u").unwrap().id);
    apply(&mut window, Command::Compare(CompareCommand::File(old)));
    settle(&mut window);
    assert!(read(&window, |state| state.comparing.found.is_none()));
    assert!(window.query_by_label_contains("Compare Old.u with").is_some());
    let button = window.get_all_by_label_contains("Same.u").last().unwrap().rect().center();
    click_at(&mut window, button, egui::Modifiers::NONE);
    settle(&mut window);
    let states = read(&window, |state| {
        let found = state.comparing.found.as_ref().unwrap();
        (found.equal_bytes, found.entries.iter().all(|pair| pair.state == Differs::Same))
    });
    assert_eq!(states, (true, true));
    assert!(has(&window, "Nothing differs"));
}
