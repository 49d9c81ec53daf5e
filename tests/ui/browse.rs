//! Going through files, lists and favourites with keys.

use crate::kit::{self, app::*};
use bonebox::{
    formats::{Content, EntryId},
    ui::{
        command::{Command, LibraryCommand, SelectionCommand, StageCommand},
        state::{Place, RowId, StageContent},
    },
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.step();
    settle(window);
}

fn names(window: &Window) -> Vec<String> {
    read(window, |s| s.core.library.files.iter().map(|file| file.file.name.clone()).collect())
}

/// Pictures of the first file, in its order.
fn pictures(window: &Window) -> Vec<Place> {
    read(window, |s| {
        let file = &s.core.library.files[0];
        let pictures = file.file.document.outline().with_content(Content::Image);
        pictures.map(|entry| Place { file: file.id, entry: entry.id }).collect()
    })
}

#[test]
fn files_of_a_folder_are_gone_through_by_key() {
    let (_folder, paths) = alone("actorx", &["syn_arm.psk", "syn_ext.psk"]);
    let mut window = window_with(&paths[..1]);
    press(&mut window, Modifiers::COMMAND, Key::PageDown);
    assert_eq!(names(&window), ["syn_arm.psk", "syn_ext.psk"]);
    assert!(read(&window, |s| s.core.selected_file().unwrap().name == "syn_ext.psk"));
    press(&mut window, Modifiers::COMMAND, Key::PageUp);
    assert_eq!(names(&window), ["syn_arm.psk"]);
}

#[test]
fn browsing_shows_each_entry_and_is_kept() {
    let mut window = window_with([kit::samples().join("BoneboxFX.utx")]);
    let file = read(&window, |s| s.core.library.files[0].id);
    apply(&mut window, Command::Stage(StageCommand::ShowTable(file)));
    apply(&mut window, Command::Library(LibraryCommand::SetFilter("type:texture".into())));
    apply(&mut window, Command::Selection(SelectionCommand::FirstFound));
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Table(_))), "it selects alone");
    window.get_by_label("View").click();
    window.run_steps(4);
    window.get_by_label_contains("Preview on selection").click();
    window.run_steps(4);
    assert!(read(&window, |s| s.core.settings.browse));
    window.key_press(Key::Escape);
    window.run_steps(4);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    let (shown, selected) = read(&window, |s| (s.stages.front.content.place(), s.core.selection));
    assert!(shown.is_some() && shown == selected);
    press(&mut window, Modifiers::NONE, Key::ArrowUp);
    let (shown, before) = (read(&window, |s| s.stages.front.content.place()), shown);
    assert!(shown.is_some() && shown != before && shown == read(&window, |s| s.core.selection));
    assert!(saved(&mut window).settings().browse);
}

#[test]
fn keys_go_through_a_table_and_a_gallery_as_they_are_listed() {
    let mut window = window_with([kit::samples().join("BoneboxFX.utx")]);
    let file = read(&window, |s| s.core.library.files[0].id);
    apply(&mut window, Command::Stage(StageCommand::ShowTable(file)));
    type_into(&mut window, "Filter the entries", "type:palette");
    window.key_press(Key::ArrowDown);
    window.run_steps(4);
    assert!(!window.get_by_label("Filter the entries").is_focused());
    let is_palette = |window: &Window| {
        read(window, |s| {
            let place = s.core.selection.unwrap();
            s.core.file(place.file).unwrap().entry(place.entry).unwrap().role == bonebox::formats::Role::Palette
        })
    };
    assert!(is_palette(&window));
    let first = read(&window, |s| s.core.selection);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert!(is_palette(&window), "the next of the table, not of the library");
    let second = read(&window, |s| s.core.selection);
    click(&mut window, "Sort by #");
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(read(&window, |s| s.core.selection), first, "the table is the other way round now");
    assert_ne!(first, second);

    apply(&mut window, Command::Library(LibraryCommand::ToggleBrowse));
    apply(&mut window, Command::Stage(StageCommand::ShowGallery(file)));
    type_into(&mut window, "Filter images", "-fire");
    window.key_press(Key::ArrowDown);
    window.run_steps(4);
    let found = read(&window, |s| s.stages.list_of_stage().unwrap());
    assert!(found.len() > 2 && found.len() < pictures(&window).len());
    apply(&mut window, Command::Selection(SelectionCommand::TakeList(found.clone())));
    let at = |window: &Window| {
        let selected = read(window, |s| s.core.selection.unwrap());
        found.iter().position(|place| *place == selected).expect("one of those that were found")
    };
    let before = at(&window);
    let key = if before + 1 < found.len() { Key::ArrowDown } else { Key::ArrowUp };
    press(&mut window, Modifiers::NONE, key);
    assert_eq!(at(&window).abs_diff(before), 1);
    assert_eq!(
        read(&window, |s| s.stages.front.content.place()),
        read(&window, |s| s.core.selection),
        "browsing shows it"
    );
    // What is selected elsewhere takes the keys along.
    let entry = Place { file, entry: EntryId(1) };
    apply(&mut window, Command::Selection(SelectionCommand::Select(entry)));
    assert!(read(&window, |s| s.stages.list_of_stage().is_none()));
}

#[test]
fn pictures_follow_each_other_by_key() {
    let mut window = window_with([kit::samples().join("BoneboxFX.utx")]);
    let pictures = pictures(&window);
    press(&mut window, Modifiers::ALT, Key::ArrowDown);
    assert_eq!(read(&window, |s| s.stages.front.content.place()), Some(pictures[0]));
    press(&mut window, Modifiers::ALT, Key::ArrowDown);
    assert_eq!(read(&window, |s| s.stages.front.content.place()), Some(pictures[1]));
    press(&mut window, Modifiers::ALT, Key::ArrowUp);
    press(&mut window, Modifiers::ALT, Key::ArrowUp);
    assert_eq!(read(&window, |s| s.stages.front.content.place()), pictures.last().copied());
}

#[test]
fn favourites_are_marked_listed_kept_and_opened_again() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let psk = read(&window, |s| RowId::File(s.core.library.files[0].id));
    apply(&mut window, Command::Library(LibraryCommand::Expand(psk, true)));
    let eyes = place(&window, "MATT0000/Ossie_Eyes");
    apply(&mut window, Command::Selection(SelectionCommand::Select(eyes)));
    // The inspector's head has the same name.
    window.query_all_by_label("Ossie_Eyes").find(|node| node.rect().left() < 320.0).unwrap().click_secondary();
    window.run_steps(4);
    window.get_by_label_contains("Add to favourites").click();
    window.run_steps(4);
    assert!(has(&window, "Ossie_Eyes, favourite"));
    press(&mut window, Modifiers::COMMAND, Key::D);
    assert!(
        has(&window, "Ossie_Eyes") && read(&window, |s| s.core.settings.favourites.is_empty()),
        "by key, it was one"
    );
    press(&mut window, Modifiers::COMMAND, Key::D);
    // The bytes have a button of the same name.
    window.query_all_by_label("File").min_by(|a, b| a.rect().top().total_cmp(&b.rect().top())).unwrap().click();
    window.run_steps(4);
    window.get_by_label_contains("Favourites").hover();
    window.run_steps(8);
    assert!(has(&window, "Ossie_Eyes of Ossie.psk"));
    window.key_press(Key::Escape);
    window.run_steps(4);

    apply(&mut window, Command::Library(LibraryCommand::CloseAll));
    let disk = saved(&mut window);
    let mut window = started(&disk);
    settle(&mut window);
    look(&mut window, "favourites");
    click(&mut window, "Open Ossie_Eyes of Ossie.psk");
    settle(&mut window);
    assert_eq!(names(&window)[0], "Ossie.psk");
    assert_eq!(read(&window, |s| s.core.selection), Some(place(&window, "MATT0000/Ossie_Eyes")));
}
