//! Filters, the same in every list.

use crate::kit::{self, app::*};
use bonebox::ui::{
    command::{Command, LibraryCommand, SelectionCommand, StageCommand, WindowCommand},
    state::{DrawerPage, FileId},
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

fn first_file(window: &Window) -> FileId {
    read(window, |s| s.core.library.files[0].id)
}

/// Names of the rows that the library lists.
fn listed(window: &Window) -> Vec<String> {
    change(window, |s| {
        let places: Vec<_> = s.core.library.rows().0.iter().filter_map(|row| row.place()).collect();
        let name = |place: &bonebox::ui::state::Place| {
            let file = s.core.file(place.file).unwrap();
            let entry = file.entry(place.entry).unwrap();
            if entry.name.is_empty() { file.name.clone() } else { entry.name.to_string() }
        };
        places.iter().map(name).collect()
    })
}

fn filtered(window: &mut Window, filter: &str) -> Vec<String> {
    apply(window, Command::Library(LibraryCommand::SetFilter(filter.to_owned())));
    listed(window)
}

#[test]
fn the_library_is_filtered_by_type_place_and_what_is_left_out() {
    let mut window = window_with(["Ossie.psk", "BoneboxFX.utx"].map(|name| kit::samples().join(name)));
    let textures = filtered(&mut window, "type:texture");
    assert!(textures.len() > 3, "{textures:?}");
    assert_eq!(filtered(&mut window, "type:texture in:BoneboxFX.utx"), textures);
    assert_eq!(filtered(&mut window, "type:texture in:Ossie.psk"), [""; 0]);
    assert_eq!(filtered(&mut window, "type:texture in:samples"), textures, "their folder");
    let bones = filtered(&mut window, "type:bone in:Ossie.psk");
    assert_eq!(bones.len(), 35);
    let left = filtered(&mut window, "type:bone in:Ossie.psk -foot");
    assert!(left.len() < 35 && !left.is_empty() && left.iter().all(|name| !name.to_lowercase().contains("foot")));
    assert_eq!(filtered(&mut window, "Ossie.psk type:file"), ["Ossie.psk"]);
    assert_eq!(filtered(&mut window, "\"Ossie_Eyes\" -type:texture"), ["Ossie_Eyes"]);
    // What is being typed asks for nothing yet.
    apply(&mut window, Command::Library(LibraryCommand::SetFilter("-".into())));
    assert!(read(&window, |s| !s.core.library.is_filtered()));
}

#[test]
fn down_leaves_the_filter_for_the_list() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let typing = |window: &Window| window.get_by_label("Filter the library").is_focused();
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run_steps(4);
    window.get_by_label("Filter the library").type_text("type:bone -root");
    settle(&mut window);
    assert!(typing(&window));
    window.key_press(Key::ArrowDown);
    window.run_steps(4);
    assert!(!typing(&window));
    let at =
        |window: &Window, row: usize| change(window, |s| s.core.library.rows().0.get(row).and_then(|row| row.place()));
    assert!(at(&window, 0).is_some());
    assert_eq!(read(&window, |s| s.core.selection), at(&window, 0));
    window.key_press(Key::ArrowDown);
    window.run_steps(4);
    assert_eq!(read(&window, |s| s.core.selection), at(&window, 1));
    // Escape in the field clears it.
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run_steps(4);
    window.key_press(Key::Escape);
    window.run_steps(4);
    assert!(!typing(&window) && read(&window, |s| s.core.library.filter.is_empty()));
    // Without a filter it stays where it was.
    apply(&mut window, Command::Library(LibraryCommand::SetFilter(String::new())));
    let before = read(&window, |s| s.core.selection);
    window.key_press_modifiers(Modifiers::COMMAND, Key::F);
    window.run_steps(4);
    window.key_press(Key::ArrowDown);
    window.run_steps(4);
    assert!(!typing(&window));
    assert_eq!(read(&window, |s| s.core.selection), before);
}

#[test]
fn gallery_and_table_know_the_same_filter() {
    let mut window = window_with([kit::samples().join("BoneboxFX.utx")]);
    let file = first_file(&window);
    apply(&mut window, Command::Stage(StageCommand::ShowGallery(file)));
    let pictures = |window: &Window| window.query_all_by_label_contains("Image ").count();
    let all = pictures(&window);
    assert!(all > 3);
    type_into(&mut window, "Filter images", "type:texture -fire");
    let found = pictures(&window);
    assert!(found > 0 && found < all, "{found} of {all}");
    apply(&mut window, Command::Stage(StageCommand::ShowTable(file)));
    type_into(&mut window, "Filter the entries", "type:palette");
    let (palettes, entries) = read(&window, |s| {
        let outline = s.core.library.files[0].file.document.outline();
        let is_one = |e: &&bonebox::formats::Entry| e.role == bonebox::formats::Role::Palette;
        (outline.entries().iter().filter(is_one).count(), outline.entries().len() - 1)
    });
    assert!(palettes > 0);
    assert!(has(&window, &format!("{palettes} of {entries}")), "{palettes} of {entries}");
}

#[test]
fn clips_are_found_by_their_file_and_the_log_by_severity() {
    let mut window = window_with(["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name)));
    apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Clips)));
    let count = read(&window, |s| s.stages.front.playback().unwrap().clips.len());
    if count > 8 {
        type_into(&mut window, "Filter the list of clips", "in:Ossie.psa -walk");
        assert!(!has(&window, "Play Walk"));
    }
    apply(&mut window, Command::Window(WindowCommand::ToggleLog));
    assert!(paints(&window, "opened: ActorX"));
    type_into(&mut window, "Filter the log", "-type:note");
    assert!(!paints(&window, "opened: ActorX"));
}

#[test]
fn a_filter_of_100_000_characters_is_taken_as_far_as_it_counts() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    for filter in ["a".repeat(100_000), "-x type:y ".repeat(10_000), "\"ä".repeat(50_000)] {
        apply(&mut window, Command::Library(LibraryCommand::SetFilter(filter.clone())));
        apply(&mut window, Command::Selection(SelectionCommand::FirstFound));
        apply(&mut window, Command::Library(LibraryCommand::SetFilter(String::new())));
        window.get_by_label("Filter the library").focus();
        window.run_steps(2);
        window.get_by_label("Filter the library").type_text(&filter);
        window.run_steps(4);
        assert!(read(&window, |s| s.core.library.filter.chars().count()) <= 1_000);
        apply(&mut window, Command::Library(LibraryCommand::SetFilter(String::new())));
    }
}

#[test]
fn a_jump_is_asked_for_entered_and_closed_with_nothing_behind_it_listening() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let before = read(&window, |s| (s.core.selection, s.stages.front.view.options.wireframe));
    window.key_press_modifiers(Modifiers::COMMAND, Key::G);
    window.run_steps(4);
    window.get_by_label("Jump to").type_text("w");
    window.run_steps(3);
    window.key_press(Key::Enter);
    window.run_steps(4);
    assert!(has(&window, "Cannot find “w” in the open files."));
    assert_eq!(
        read(&window, |s| (s.core.selection, s.stages.front.view.options.wireframe)),
        before,
        "W is the wireframe's key"
    );
    window.key_press(Key::Escape);
    window.run_steps(4);
    assert!(!has(&window, "Jump to"));

    window.key_press_modifiers(Modifiers::COMMAND, Key::G);
    window.run_steps(4);
    assert!(!has(&window, "Cannot find “w” in the open files."), "it begins anew");
    window.get_by_label("Jump to").type_text("0x24");
    window.run_steps(3);
    window.key_press(Key::Enter);
    window.run_steps(4);
    assert!(!has(&window, "Jump to"));
    assert_eq!(read(&window, |s| s.core.selected_bytes.clone()), Some(0x24..0x25));
    let (start, end) = read(&window, |s| {
        let place = s.core.selection.unwrap();
        let entry = s.core.file(place.file).unwrap().entry(place.entry).unwrap().clone();
        (entry.offset, entry.offset + entry.size)
    });
    assert!((start..end).contains(&0x24) && end - start < 0x10000);
    window.key_press_modifiers(Modifiers::COMMAND, Key::G);
    window.run_steps(4);
    window.get_by_label("Jump to").type_text("ossie_eyes");
    window.run_steps(3);
    window.key_press(Key::Enter);
    settle(&mut window);
    assert!(has(&window, "Ossie_Eyes"));
    assert_eq!(read(&window, |s| s.core.selection), Some(place(&window, "MATT0000/Ossie_Eyes")));
}

#[test]
fn the_palette_knows_types_places_and_what_to_leave_out() {
    let mut window = window_with(["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name)));
    apply(&mut window, Command::Window(WindowCommand::TogglePalette));
    window.run_steps(3);
    window.get_by_label("Search commands, entries and clips").type_text("type:clip -walk in:Ossie.psa");
    window.run_steps(3);
    let clips = read(&window, |s| {
        let file = &s.core.library.files[1].file;
        let is_one = |e: &&bonebox::formats::Entry| e.role == bonebox::formats::Role::Clip;
        let names = file.document.outline().entries().iter().filter(is_one).map(|e| e.name.to_lowercase());
        names.filter(|name| !name.contains("walk")).count()
    });
    assert!(clips > 0 && has(&window, &format!("{clips} found")), "{clips}");
}
