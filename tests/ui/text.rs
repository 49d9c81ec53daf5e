//! The text panel, driven through its accessible names; no GPU.

use bonebox::{
    formats::EntryId,
    scene::{Language, Text, TextPart},
    ui::{
        command::Command,
        panels::text::{self, TextView},
        settings::Settings,
        state::{Clock, FileId, Place, ShownText, State},
        theme,
    },
};
use egui::{Key, Modifiers, vec2};
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
    is_styled: bool,
}

fn window(parts: Vec<TextPart>, width: f32) -> Harness<'static, Window> {
    let mut state = State::new(Settings::default(), Clock::Set(0.0));
    state.text = Some(ShownText {
        place: Place { file: FileId(1), entry: EntryId(1) },
        text: Arc::new(Text { name: "Timer".into(), parts }),
        generation: 1,
    });
    let window = Window { state, view: TextView::default(), commands: Vec::new(), keyed: Vec::new(), is_styled: false };
    let mut harness = Harness::builder().with_size(vec2(width, 400.0)).build_ui_state(
        |ui, window: &mut Window| {
            if !std::mem::replace(&mut window.is_styled, true) {
                theme::install_fonts(ui.ctx());
                theme::apply(ui.ctx(), true, 1.0);
                return;
            }
            let mut commands = std::mem::take(&mut window.keyed);
            text::show(ui, &window.state, &mut window.view, &mut commands);
            window.commands.extend(commands);
        },
        window,
    );
    harness.run();
    harness
}

fn part(title: &str, language: Language, text: impl Into<String>) -> TextPart {
    TextPart { title: title.into(), language, text: text.into() }
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
    assert!(wide.query_by_label("Source: 3 lines").is_some());
    assert!(wide.query_by_label("Disassembly: 2 lines").is_some());
    wide.get_by_label("Default properties").click();
    wide.run();
    assert!(wide.query_by_label("Disassembly: 2 lines").is_none());
    assert!(wide.query_by_label("    Count=3").is_some());

    let mut narrow = window(script(), 400.0);
    assert!(narrow.query_by_label("Disassembly: 2 lines").is_none());
    narrow.get_by_label("Disassembly").click();
    narrow.run();
    assert!(narrow.query_by_label("Source: 3 lines").is_none());
    assert!(narrow.query_by_label("  0000  Let  Count = 0").is_some());
}

#[test]
fn a_search_counts_and_goes_from_part_to_part() {
    let mut window = window(script(), 400.0);
    window.get_by_label("Find in the text").focus();
    window.run();
    window.get_by_label("Find in the text").type_text("count");
    window.run();
    assert!(window.query_by_label("Matches: 1 of 3").is_some());
    window.get_by_label("Next match (F3)").click();
    window.run();
    assert!(window.query_by_label("Matches: 2 of 3").is_some());
    assert!(window.query_by_label("Disassembly: 2 lines").is_some(), "the part with the match shows");
    window.key_press_modifiers(Modifiers::SHIFT, Key::F3);
    window.run();
    assert!(window.query_by_label("Matches: 1 of 3").is_some());
    window.get_by_label("Find in the text").focus();
    window.run();
    window.get_by_label("Find in the text").type_text("xyz");
    window.run();
    assert!(window.query_by_label("Matches: not found").is_some());
}

#[test]
fn the_search_key_means_the_text_in_front() {
    let mut window = window(script(), 400.0);
    window.state_mut().keyed.push(Command::FocusFilter);
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run();
    assert!(window.get_by_label("Find in the text").accesskit_node().is_focused());
    assert!(window.state().commands.is_empty(), "{:?}", window.state().commands);
    // Asked for with the mouse, it is the library's.
    window.state_mut().keyed.push(Command::FocusFilter);
    window.run();
    assert_eq!(window.state().commands, [Command::FocusFilter]);
}

#[test]
fn the_text_is_copied_whole() {
    let mut window = window(script(), 900.0);
    window.get_by_label("Copy the text").click();
    window.run();
    assert_eq!(window.state().commands, [Command::CopyText("class Timer extends Actor;\n\nvar int Count;\n".into())]);
}

#[test]
fn only_lines_in_sight_of_a_huge_text_are_laid_out() {
    let text: String = (0..30_000).map(|n| format!("    Log(\"line {n} of many\"); // said\n")).collect();
    assert!(text.len() > 1_000_000);
    let mut window = window(vec![part("Source", Language::UnrealScript, text)], 700.0);
    assert!(window.query_by_label("Source: 30000 lines").is_some());
    let shown = |window: &Harness<'_, Window>| window.query_all_by_label_contains("Log(").count();
    assert!((10..40).contains(&shown(&window)), "{}", shown(&window));
    window.get_by_label("Find in the text").focus();
    window.run();
    window.get_by_label("Find in the text").type_text("line 29999 ");
    window.run();
    assert!(window.query_by_label_contains("line 29999 of").is_some(), "the match is scrolled to");
    assert!((10..40).contains(&shown(&window)), "{}", shown(&window));
}
