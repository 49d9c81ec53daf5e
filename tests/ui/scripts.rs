//! Names in scripts as links, lines and bytes that belong together, and the search through all scripts, driven through labels.

use crate::kit::{app::*, samples, unreal::code_package};
use bonebox::{
    library::ScriptQuery,
    ui::{
        command::{Command, LibraryCommand, ScriptsCommand, SelectionCommand, StageCommand, TextCommand},
        state::{Place, StageContent, TextPlace},
    },
};
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::path::{Path, PathBuf};

const ENGINE: &[(&str, &str, &str)] = &[
    ("Actor", "", "class Actor;\n"),
    ("Pawn", "Actor", "// The pawn.\n// It walks.\nclass Pawn extends Actor;\nvar int Health;\n"),
];
const GAME: &[(&str, &str, &str)] =
    &[("Hero", "Engine.Pawn", "class Hero extends Pawn;\nPawn P;\nMissing M;\nHero H; // health and more\n")];

fn game(folder: &Path, with_engine: bool) -> PathBuf {
    if with_engine {
        std::fs::write(folder.join("Engine.u"), code_package(ENGINE)).unwrap();
    }
    std::fs::write(folder.join("Game.u"), code_package(GAME)).unwrap();
    folder.join("Game.u")
}

/// Shows the text of an entry of the first file.
fn show(window: &mut Window, path: &str) -> Place {
    let place = place(window, path);
    apply(window, Command::Stage(StageCommand::Show(place)));
    assert_eq!(read(window, |s| s.stages.front.content.place()), Some(place));
    place
}

/// A place on the first word of a line that has this label.
fn word(window: &Window, line: &str) -> egui::Pos2 {
    window.get_by_label(line).rect().left_center() + vec2(14.0, 0.0)
}

#[test]
fn a_click_with_ctrl_goes_to_the_definition_in_another_package() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_with([game(folder.path(), true)]);
    let hero = show(&mut window, "Hero");
    let at = word(&window, "Pawn P;");
    click_at(&mut window, at, Modifiers::COMMAND);
    settle(&mut window);
    let file = read(&window, |s| s.core.library.files.iter().find(|f| f.file.name == "Engine.u").unwrap().id);
    let pawn = read(&window, |s| s.core.file(file).unwrap().document.outline().find("Pawn").unwrap().id);
    assert_eq!(read(&window, |s| s.stages.front.content.place()), Some(Place { file, entry: pawn }));
    let wanted = read(&window, |s| s.stages.front.text().unwrap().wanted.map(|wanted| (wanted.part, wanted.line)));
    assert_eq!(wanted, Some((0, 2)));
    // The way back leads to where the name was read.
    apply(&mut window, Command::Stage(StageCommand::Back));
    assert_eq!(read(&window, |s| s.stages.front.content.place()), Some(hero));
}

#[test]
fn the_key_goes_to_the_definition_of_the_name_at_the_caret() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_with([game(folder.path(), false)]);
    let hero = show(&mut window, "Hero");
    assert!(!read(&window, |s| s.is_possible(&Command::Text(TextCommand::DefineAtCaret))));
    let at = word(&window, "Hero H; // health and more");
    click_at(&mut window, at, Modifiers::NONE);
    assert!(read(&window, |s| s.is_possible(&Command::Text(TextCommand::DefineAtCaret))));
    window.key_press_modifiers(Modifiers::COMMAND, Key::B);
    window.step();
    settle(&mut window);
    let wanted = read(&window, |s| s.stages.front.text().unwrap().wanted.map(|wanted| wanted.line));
    assert_eq!((read(&window, |s| s.stages.front.content.place()), wanted), (Some(hero), Some(0)));
    // What is missing is said, with what helps.
    let at = word(&window, "Pawn P;");
    click_at(&mut window, at, Modifiers::COMMAND);
    settle(&mut window);
    let said = log(&window);
    assert!(said.iter().any(|line| line.contains("cannot find the definition of Pawn: Engine is missing")), "{said:?}");
    let action = read(&window, |s| s.core.log.entries().iter().filter_map(|entry| entry.action.clone()).next_back());
    assert_eq!(action, Some(("Add search folder…".into(), Command::Library(LibraryCommand::SearchFolderDialog))));
}

#[test]
fn a_class_of_an_open_file_is_found_though_nothing_refers_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let game = game(folder.path(), false);
    let other = folder.path().join("Other.u");
    std::fs::write(&other, code_package(&[("Missing", "", "class Missing;\n")])).unwrap();
    let mut window = window_with([game, other]);
    show(&mut window, "Hero");
    let at = word(&window, "Missing M;");
    click_at(&mut window, at, Modifiers::COMMAND);
    settle(&mut window);
    let shown =
        read(&window, |s| s.stages.front.content.place().map(|place| s.core.file(place.file).unwrap().name.clone()));
    assert_eq!(shown.as_deref(), Some("Other.u"));
}

#[test]
fn a_name_under_the_pointer_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_with([game(folder.path(), true)]);
    show(&mut window, "Hero");
    let at = word(&window, "Pawn P;");
    window.hover_at(at);
    window.run_steps(4);
    settle(&mut window);
    window.run_steps(4);
    let explained = read(&window, |s| s.stages.front.text().unwrap().explained.clone()).unwrap();
    assert_eq!(explained.at, TextPlace { part: 0, line: 1, byte: 0 });
    assert_eq!(explained.says.as_deref(), Some("class Pawn extends Actor\nin package Engine"));
    assert!(paints(&window, "class Pawn extends Actor"));
}

#[test]
fn lines_instructions_and_bytes_mark_each_other() {
    let mut window = window_with([samples().join("Bonebox.u")]);
    let class = show(&mut window, "BoneCreature");
    let function = place(&window, "BoneCreature.Perform");
    let marks = read(&window, |s| s.stages.front.text().unwrap().text.parts[1].marks.clone());
    let source = read(&window, |s| s.stages.front.text().unwrap().text.parts[0].text.clone());
    let line = source.lines().position(|line| line.contains("PlayAnim(")).unwrap();
    let mark = marks.iter().find(|mark| mark.source_lines == (line as u32..line as u32 + 1)).unwrap().clone();

    // A line of the source marks its instruction, and that its bytes; the text stays.
    let at = TextPlace { part: 0, line, byte: 1 };
    apply(&mut window, Command::Text(TextCommand::SetCaret(at)));
    assert_eq!(
        read(&window, |s| (s.core.selection, s.core.selected_bytes.clone())),
        (Some(function), Some(mark.bytes.clone()))
    );
    assert_eq!(read(&window, |s| s.stages.front.content.place()), Some(class));
    let lit = |window: &Window| {
        read(window, |s| {
            let lit = s.stages.front.text().unwrap().lit(s.core.selected_bytes.as_ref());
            lit.into_iter().map(|(_, mark)| mark.clone()).collect::<Vec<_>>()
        })
    };
    assert_eq!(lit(&window), std::slice::from_ref(&mark));
    look(&mut window, "script lines");

    // A click on an instruction marks its bytes.
    let other = marks.iter().find(|other| other.bytes.start == mark.bytes.end).unwrap().clone();
    let code = read(&window, |s| s.stages.front.text().unwrap().text.parts[1].text.clone());
    let label = code.lines().nth(other.line as usize).unwrap().to_owned();
    click(&mut window, &label);
    assert_eq!(read(&window, |s| s.core.selected_bytes.clone()), Some(other.bytes.clone()));
    assert_eq!(lit(&window), [other]);

    // Bytes mark the instruction and its line.
    let one = mark.bytes.start + 1..mark.bytes.start + 2;
    apply(&mut window, Command::Selection(SelectionCommand::Bytes(Some(one))));
    assert_eq!(lit(&window), [mark]);
    apply(&mut window, Command::Selection(SelectionCommand::Bytes(None)));
    assert!(lit(&window).is_empty());
}

#[test]
fn a_text_opens_at_its_top_and_comes_back_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let long: String = (0..500).map(|n| format!("// line {n} of many\n")).collect();
    let list = [("Long", "", long.as_str()), ("Other", "", long.as_str())];
    let path = folder.path().join("Two.u");
    std::fs::write(&path, code_package(&list)).unwrap();
    let mut window = window_with([path]);
    show(&mut window, "Long");
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run_steps(2);
    assert!(window.get_by_label("Find in the text").accesskit_node().is_focused(), "the key means the text in front");
    type_into(&mut window, "Find in the text", "line 400 of");
    assert!(has(&window, "// line 400 of many"));
    show(&mut window, "Other");
    assert!(has(&window, "// line 0 of many") && !has(&window, "// line 400 of many"));
    apply(&mut window, Command::Stage(StageCommand::Back));
    window.run_steps(4);
    assert!(has(&window, "// line 400 of many") && !has(&window, "// line 0 of many"));
}

#[test]
fn all_scripts_are_searched_and_a_click_goes_to_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_with([game(folder.path(), true), folder.path().join("Engine.u")]);
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    window.step();
    settle(&mut window);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Scripts)));
    window.get_by_label("Search all scripts").type_text("health");
    window.run_steps(2);
    settle(&mut window);
    assert!(has(&window, "2 lines; searched 3 classes in 2 files"));
    assert!(has(&window, "Game.u, Hero, line 4: Hero H; // health and more"));
    look(&mut window, "script search");
    click(&mut window, "Engine.u, Pawn, line 4: var int Health;");
    settle(&mut window);
    let shown = read(&window, |s| {
        let text = s.stages.front.text().unwrap();
        (s.core.file(text.place.file).unwrap().name.clone(), text.wanted.map(|wanted| (wanted.line, wanted.bytes)))
    });
    assert_eq!(shown, ("Engine.u".to_owned(), Some((3, (8, 14)))));
    // The way back leads to the results.
    apply(&mut window, Command::Stage(StageCommand::Back));
    assert!(has(&window, "2 lines; searched 3 classes in 2 files"));
    click(&mut window, "Match case");
    settle(&mut window);
    assert!(has(&window, "1 line; searched 3 classes in 2 files"));
}

#[test]
fn results_are_bounded_and_a_search_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let many = "needle\n".repeat(12_000);
    let path = folder.path().join("Many.u");
    std::fs::write(&path, code_package(&[("Many", "", many.as_str()), ("More", "", many.as_str())])).unwrap();
    let mut window = window_with([path]);
    let query = ScriptQuery { words: "NEEDLE".into(), ..ScriptQuery::default() };
    apply(&mut window, Command::Scripts(ScriptsCommand::Show));
    apply(&mut window, Command::Scripts(ScriptsCommand::Search(query.clone())));
    assert_eq!(read(&window, |s| (s.lookups.scripts.found.len(), s.lookups.scripts.is_cut())), (10_000, true));
    assert!(has(&window, "10,000 lines or more; searched 1 class in 1 file"));
    assert!(window.query_all_by_label_contains("Many.u, Many, line").count() < 100);
    change(&window, |s| {
        s.apply(Command::Scripts(ScriptsCommand::Search(query)));
        s.apply(Command::Scripts(ScriptsCommand::Cancel));
    });
    settle(&mut window);
    assert_eq!(read(&window, |s| (s.lookups.scripts.found.len(), s.lookups.scripts.cancelled)), (0, true));
    // What was found goes with its file.
    let file = read(&window, |s| s.core.library.files[0].id);
    apply(&mut window, Command::Library(LibraryCommand::CloseFile(file)));
    assert_eq!(read(&window, |s| s.lookups.scripts.found.len()), 0);
}
