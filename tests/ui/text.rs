//! The text panel, driven through its accessible names; no GPU.

use crate::kit::app::{self, click, has, panel, type_into};
use bonebox::{
    formats::{Asset, EntryId},
    scene::{Language, Text, TextPart},
    ui::{
        command::{ACTIONS, ChosenKeys, Command, LibraryCommand, WindowCommand, show_keys},
        stage::text::{self, TextView},
        state::{FileId, Place, State},
    },
};
use egui::{Key, KeyboardShortcut, Modifiers};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};
use std::sync::Arc;

struct Window {
    state: State,
    view: TextView,
    commands: Vec<Command>,
    keyed: Vec<Command>,
}

fn window(parts: Vec<TextPart>, width: f32) -> Harness<'static, Window> {
    let mut state = app::state();
    let place = Place { file: FileId(1), entry: EntryId(1) };
    state.stages.front.present(
        &mut state.core,
        place,
        &Asset::Text(Arc::new(Text { name: "Timer".into(), parts, ..Text::default() })),
    );
    let window = Window { state, view: TextView::default(), commands: Vec::new(), keyed: Vec::new() };
    let frame = |ui: &mut egui::Ui, window: &mut Window| {
        let mut commands = std::mem::take(&mut window.keyed);
        text::show(ui, &window.state, &mut window.view, &mut commands);
        window.commands.extend(commands);
    };
    panel([width, 400.0], true, frame, window)
}

fn part(title: &str, language: Language, text: impl Into<String>) -> TextPart {
    TextPart::new(title, language, text)
}

fn script() -> Vec<TextPart> {
    vec![
        part("Source", Language::UnrealScript, "class Timer extends Actor;\n\nvar int Count;\n"),
        part("Disassembly", Language::Disassembly, "function Tick()\n  0000  Let  Count = 0\n"),
        part("Default properties", Language::UnrealScript, "defaultproperties\n{\n    Count=3\n}\n"),
    ]
}

#[test]
fn two_parts_stand_side_by_side_where_there_is_room() {
    let mut wide = window(script(), 900.0);
    assert!(has(&wide, "Source: 3 lines"));
    assert!(has(&wide, "Disassembly: 2 lines"));
    click(&mut wide, "Default properties");
    assert!(!has(&wide, "Disassembly: 2 lines"));
    assert!(has(&wide, "    Count=3"));

    let mut narrow = window(script(), 400.0);
    assert!(!has(&narrow, "Disassembly: 2 lines"));
    click(&mut narrow, "Disassembly");
    assert!(!has(&narrow, "Source: 3 lines"));
    assert!(has(&narrow, "  0000  Let  Count = 0"));
}

#[test]
fn a_search_counts_and_goes_from_part_to_part() {
    let mut window = window(script(), 400.0);
    type_into(&mut window, "Find in the text", "count");
    assert!(has(&window, "Matches: 1 of 3"));
    click(&mut window, "Next match (F3)");
    assert!(has(&window, "Matches: 2 of 3"));
    assert!(has(&window, "Disassembly: 2 lines"), "the part with the match shows");
    window.key_press_modifiers(Modifiers::SHIFT, Key::F3);
    window.run();
    assert!(has(&window, "Matches: 1 of 3"));
    type_into(&mut window, "Find in the text", "xyz");
    assert!(has(&window, "Matches: not found"));
    // A shortcut that a command has by now is not shown.
    let mut chosen = ChosenKeys::default();
    chosen.set(&ACTIONS[0], vec![KeyboardShortcut::new(Modifiers::NONE, Key::F3)]);
    show_keys(&window.ctx, &chosen);
    window.run_steps(2);
    assert!(has(&window, "Next match") && has(&window, "Previous match (Shift+F3)"));
}

#[test]
fn the_search_key_means_the_text_in_front() {
    let mut window = window(script(), 400.0);
    window.state_mut().keyed.push(Command::Library(LibraryCommand::FocusFilter));
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run();
    assert!(window.get_by_label("Find in the text").accesskit_node().is_focused());
    assert!(window.state().commands.is_empty(), "{:?}", window.state().commands);
    // Asked for with the mouse, it is the library's.
    window.state_mut().keyed.push(Command::Library(LibraryCommand::FocusFilter));
    window.run();
    assert_eq!(window.state().commands, [Command::Library(LibraryCommand::FocusFilter)]);
}

#[test]
fn the_text_is_copied_whole() {
    let mut window = window(script(), 900.0);
    click(&mut window, "Copy the text");
    assert_eq!(
        window.state().commands,
        [Command::Window(WindowCommand::Copy("class Timer extends Actor;\n\nvar int Count;\n".into()))]
    );
}

#[test]
fn only_lines_in_sight_of_a_huge_text_are_laid_out() {
    let text: String = (0..30_000).map(|n| format!("    Log(\"line {n} of many\"); // said\n")).collect();
    assert!(text.len() > 1_000_000);
    let mut window = window(vec![part("Source", Language::UnrealScript, text)], 700.0);
    assert!(has(&window, "Source: 30,000 lines"));
    let shown = |window: &Harness<'_, Window>| window.query_all_by_label_contains("Log(").count();
    assert!((10..40).contains(&shown(&window)), "{}", shown(&window));
    type_into(&mut window, "Find in the text", "line 29999 ");
    assert!(window.query_by_label_contains("line 29999 of").is_some(), "the match is scrolled to");
    assert!((10..40).contains(&shown(&window)), "{}", shown(&window));
}
