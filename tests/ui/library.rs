//! The library: what is in the files by meaning, how they are built, what is folded, and what the filter finds.

use crate::kit::{self, app::*};
use bonebox::ui::{
    command::{Command, LibraryCommand, SelectionCommand, WindowCommand},
    state::{Group, LibraryOrder, Place, RowId},
};
use egui::{Key, Modifiers, accesskit::Toggled};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

fn rows(window: &Window) -> Vec<RowId> {
    change(window, |s| s.core.library.rows().0.iter().map(|row| row.id).collect())
}

fn group(window: &Window, wanted: Group) -> RowId {
    let is_wanted = |row: &RowId| matches!(row, RowId::Group { group, .. } if *group == wanted);
    rows(window).into_iter().find(is_wanted).expect("the group is listed")
}

fn selected(window: &Window) -> String {
    read(window, |s| {
        let place = s.core.selection.expect("something is selected");
        s.core.file(place.file).unwrap().entry(place.entry).unwrap().name.to_string()
    })
}

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(4);
}

#[test]
fn meaning_and_structure_are_two_ways_and_the_choice_is_kept() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let psk = read(&window, |s| RowId::File(s.core.library.files[0].id));
    apply(&mut window, Command::Library(LibraryCommand::Expand(psk, true)));
    for row in ["Ossie.psk", "Mesh", "Bones 35", "Materials 3", "Sockets 3", "Morphs 2", "Other 10"] {
        assert!(has(&window, row), "no row {row}");
    }
    assert!(!has(&window, "REFSKELT") && !has(&window, "Ossie_Eyes"));
    let is_on =
        |window: &Window, label: &str| window.get_by_label(label).accesskit_node().toggled() == Some(Toggled::True);
    assert!(is_on(&window, "Contents") && !is_on(&window, "File layout"));
    look(&mut window, "library-psk");

    // What is selected stays in sight.
    let eyes = place(&window, "MATT0000/Ossie_Eyes");
    apply(&mut window, Command::Selection(SelectionCommand::Select(eyes)));
    assert!(has(&window, "Ossie_Eyes"));
    click(&mut window, "File layout");
    assert!(has(&window, "REFSKELT") && has(&window, "MATT0000") && has(&window, "Ossie_Eyes"));
    assert!(!has(&window, "Bones 35"));
    look(&mut window, "library-structure");
    let kept = saved(&mut window).settings();
    assert_eq!(kept.library_order, LibraryOrder::Structure);
    apply(&mut window, Command::Library(LibraryCommand::ToggleOrder));
    assert!(has(&window, "Bones 35") && has(&window, "Ossie_Eyes"));
    assert_eq!(read(&window, |s| s.core.library.order()), LibraryOrder::Meaning);
}

#[test]
fn what_is_dropped_shows_its_way_and_the_rest_stays_folded() {
    let mut window = window();
    drop_on(&mut window, &[kit::samples().join("Bonebox.szs")]);
    for row in ["Bonebox.szs", "Bonebox.arc", "bmd", "lumo.bmd", "bck"] {
        assert!(has(&window, row), "no row {row}");
    }
    assert!(!has(&window, "Bones 49") && !has(&window, "lumo_idle.bck"));
    let model = place(&window, "Bonebox.arc/bmd/lumo.bmd");
    apply(&mut window, Command::Library(LibraryCommand::Expand(model.into(), true)));
    assert!(has(&window, "Bones 49") && has(&window, "Textures 19"));
    look(&mut window, "library-archive");

    // Another file comes folded; its folder is a row, with both.
    drop_on(&mut window, &[kit::samples().join("BoneTune.umx")]);
    assert!(has(&window, "samples") && has(&window, "BoneTune.umx"));
    click(&mut window, "Collapse all library rows");
    assert_eq!(rows(&window).len(), 1, "the folder of both");
    // A bone that is chosen in the picture comes into sight again.
    let bone = place(&window, "Bonebox.arc/bmd/lumo.bmd/JNT1/Belly");
    apply(&mut window, Command::Selection(SelectionCommand::Select(bone)));
    assert!(has(&window, "Belly") && has(&window, "Bones 49") && has(&window, "bck"));
}

#[test]
fn a_folder_of_files_is_a_row_that_folds_and_closes() {
    let (folder, paths) = alone("actorx", &["syn_arm.psk", "syn_ext.psk", "syn_arm.psa"]);
    let name = folder.path().file_name().unwrap().to_string_lossy().into_owned();
    let mut window = window_with(&paths);
    assert!(has(&window, &name) && has(&window, "syn_arm.psk") && has(&window, "Bones 3"));
    let is_open = |window: &Window, at: usize| change(window, |s| s.core.library.rows().0[at].open);
    assert!(is_open(&window, 0) && is_open(&window, 1), "the way to what is shown");
    assert!(!change(&window, |s| s.core.library.rows().0.iter().skip(2).any(|row| row.open)), "nothing else");
    click(&mut window, &name);
    assert_eq!(rows(&window).len(), 1);
    click(&mut window, &name);
    assert!(has(&window, "syn_ext.psk"));
    window.get_by_label(&name).click_secondary();
    window.run_steps(4);
    window.get_by_label_contains("Close 3 files").click();
    settle(&mut window);
    assert!(read(&window, |s| s.core.library.files.is_empty()));
}

#[test]
fn keys_go_through_groups_and_fold_them() {
    let mut window = window_with([kit::data().join("actorx/syn_arm.psk")]);
    let file = read(&window, |s| Place { file: s.core.library.files[0].id, entry: bonebox::formats::EntryId::FILE });
    apply(&mut window, Command::Selection(SelectionCommand::Select(file)));
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(selected(&window), "Mesh");
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(read(&window, |s| s.core.library.cursor()), Some(group(&window, Group::Bones)));
    assert_eq!(selected(&window), "Mesh", "a group is no entry");
    // Enter unfolds and folds it, Ctrl with an arrow too; arrows alone play frames.
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(has(&window, "Root"));
    press(&mut window, Modifiers::COMMAND, Key::ArrowLeft);
    assert!(!has(&window, "Root"));
    press(&mut window, Modifiers::COMMAND, Key::ArrowRight);
    assert!(has(&window, "Root"));
    press(&mut window, Modifiers::COMMAND, Key::ArrowRight);
    assert_eq!(selected(&window), "Root", "into what is unfolded already");
    press(&mut window, Modifiers::COMMAND, Key::ArrowRight);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(selected(&window), "Upper Arm");
    press(&mut window, Modifiers::COMMAND, Key::ArrowLeft);
    press(&mut window, Modifiers::COMMAND, Key::ArrowLeft);
    assert_eq!(selected(&window), "Root", "out of what is folded already");
    press(&mut window, Modifiers::NONE, Key::ArrowUp);
    press(&mut window, Modifiers::NONE, Key::Space);
    assert_eq!(read(&window, |s| s.core.library.cursor()), Some(group(&window, Group::Bones)));
    // While something is typed, Ctrl with an arrow goes from word to word.
    press(&mut window, Modifiers::COMMAND, Key::F);
    window.get_by_label("Filter the library").type_text("no where");
    window.run_steps(2);
    let before = rows(&window).len();
    press(&mut window, Modifiers::COMMAND, Key::ArrowLeft);
    assert_eq!(rows(&window).len(), before);
    assert_eq!(read(&window, |s| s.core.library.filter.clone()), "no where");
}

#[test]
fn the_folders_of_a_package_stand_below_its_groups() {
    let mut window = window_with([kit::samples().join("BoneboxFX.utx")]);
    assert!(has(&window, "Textures 27") && has(&window, "Palettes 17"), "{:?}", rows(&window));
    let textures = group(&window, Group::Textures);
    apply(&mut window, Command::Library(LibraryCommand::Expand(textures, true)));
    click(&mut window, "Rooms");
    assert_eq!(selected(&window), "Rooms");
    press(&mut window, Modifiers::COMMAND, Key::ArrowRight);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(selected(&window), "Bricks");
    // The folder stands in the other group too; keys go on where they were.
    let palettes = group(&window, Group::Palettes);
    apply(&mut window, Command::Library(LibraryCommand::Expand(palettes, true)));
    let rooms = rows(&window).into_iter().rfind(|row| {
        matches!(row, RowId::Branch { place, .. } if
        read(&window, |s| s.core.file(place.file).unwrap().entry(place.entry).unwrap().name == "Rooms"))
    });
    apply(&mut window, Command::Selection(SelectionCommand::Row(rooms.unwrap())));
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(selected(&window), "Skins");
    assert!(read(&window, |s| matches!(s.core.library.cursor(), Some(RowId::Branch { group: Group::Palettes, .. }))));
    look(&mut window, "library-package");
}

#[test]
fn warnings_are_told_on_files_groups_and_entries() {
    let mut window = window_with([kit::data().join("actorx/bad_parent_range.psk")]);
    assert!(has(&window, "2 errors in bad_parent_range.psk") && has(&window, "2 errors in Bones"));
    let bones = group(&window, Group::Bones);
    apply(&mut window, Command::Library(LibraryCommand::Expand(bones, true)));
    assert!(!has(&window, "2 errors in Bones"));
    // Both hang on the first bone, for want of a parent of their own.
    assert!(has(&window, "2 errors in A") && !has(&window, "1 error in B"));
    let first = place(&window, "REFSKELT/A");
    apply(&mut window, Command::Library(LibraryCommand::Expand(first.into(), true)));
    assert!(!has(&window, "2 errors in A") && has(&window, "1 error in B") && has(&window, "1 error in C"));
    window.get_by_label("2 errors in bad_parent_range.psk").hover();
    window.run_steps(8);
    assert!(window.query_all_by_label_contains("has the invalid parent 77: the file has only 3").next().is_some());
    assert!(
        window.query_all_by_label_contains("2,048 bytes").all(|node| node.rect().left() > 600.0),
        "no other hint on it"
    );
    look(&mut window, "library-warnings");
}

#[test]
fn what_the_filter_finds_is_flat_with_its_way_and_shown_by_enter() {
    let mut window = window_with([kit::samples().join("Ossie.psk"), kit::samples().join("Bonebox.szs")]);
    type_into(&mut window, "Filter the library", "arm l");
    settle(&mut window);
    let names = |window: &Window| -> Vec<String> {
        change(window, |s| {
            let found: Vec<Place> = s.core.library.rows().0.iter().filter_map(|row| row.place()).collect();
            found.iter().map(|p| s.core.file(p.file).unwrap().entry(p.entry).unwrap().name.to_string()).collect()
        })
    };
    assert!(names(&window).contains(&"ArmL1".to_owned()), "{:?}", names(&window));
    assert!(has(&window, "ArmL1") && paints(&window, "lumo.bmd"));
    look(&mut window, "library-filter");
    let found = place_of(&window, "Bonebox.szs", "Bonebox.arc/bmd/lumo.bmd/JNT1/ArmL3");
    apply(&mut window, Command::Selection(SelectionCommand::Select(found)));
    apply(&mut window, Command::Library(LibraryCommand::SetFilter(String::new())));
    assert!(has(&window, "ArmL3") && has(&window, "Bones 49"), "what was selected is in sight in the tree");
    apply(&mut window, Command::Window(WindowCommand::SetDark(false)));
    look(&mut window, "library-light");
}

#[test]
fn enter_in_the_filter_selects_the_first_of_what_is_found() {
    let mut window = window_with([kit::samples().join("Ossie.psk"), kit::samples().join("Bonebox.szs")]);
    let typing = |window: &Window| window.get_by_label("Filter the library").is_focused();
    press(&mut window, Modifiers::COMMAND, Key::F);
    assert!(typing(&window));
    // Nothing is looked for: nothing is selected by it.
    let before = read(&window, |s| s.core.selection);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(read(&window, |s| s.core.selection), before);

    press(&mut window, Modifiers::COMMAND, Key::F);
    window.get_by_label("Filter the library").type_text("arm l");
    settle(&mut window);
    let first = change(&window, |s| s.core.library.rows().0.first().and_then(|row| row.place()));
    assert!(first.is_some() && read(&window, |s| s.core.selection) != first);
    let shown = read(&window, |s| s.stages.front.content.place());
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(read(&window, |s| s.core.selection), first);
    assert_eq!(read(&window, |s| s.stages.front.content.place()), shown, "selected, as by a click, and not shown");
    assert_eq!(read(&window, |s| s.core.library.filter.clone()), "arm l", "the list stays");
    assert!(!typing(&window));
    // Keys go on from it.
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    let second = change(&window, |s| s.core.library.rows().0.get(1).and_then(|row| row.place()));
    assert_eq!(read(&window, |s| s.core.selection), second);

    // What is not there is not selected.
    press(&mut window, Modifiers::COMMAND, Key::F);
    apply(&mut window, Command::Library(LibraryCommand::SetFilter("no such thing".into())));
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(read(&window, |s| s.core.selection), second);
}

fn place_of(window: &Window, file: &str, path: &str) -> Place {
    read(window, |s| {
        let file = s.core.library.files.iter().find(|f| f.file.name == file).expect("the file is open");
        Place { file: file.id, entry: file.file.document.outline().find(path).expect("the path is there").id }
    })
}

#[test]
fn many_files_have_icons_of_what_they_are_about() {
    let mut window = window();
    apply(&mut window, Command::Library(LibraryCommand::OpenSamples));
    let files = read(&window, |s| s.core.library.files.len());
    let open: usize = change(&window, |s| s.core.library.rows().0.iter().filter(|row| row.open).count());
    assert!(files > 8 && open <= 4, "the folder, and the way to what is shown: {open} of {files}");
    look(&mut window, "library-many");
    click(&mut window, "Collapse all library rows");
    assert!(rows(&window).iter().all(|row| matches!(row, RowId::Folder(_) | RowId::File(_))));
}

#[test]
fn a_file_of_a_folder_that_is_too_large_is_refused_with_its_size_and_the_others_open() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(kit::samples().join("Ossie.psk"), folder.path().join("zz.psk")).unwrap();
    for name in ["a.bmd", "z.bmd"] {
        // Sparse: it takes no room on the disk.
        std::fs::File::create(folder.path().join(name)).unwrap().set_len(3 << 30).unwrap();
    }
    let mut window = window();
    open(&mut window, vec![folder.path().to_owned()]);
    read(&window, |state| {
        assert_eq!(state.core.library.files.iter().map(|f| f.file.name.as_str()).collect::<Vec<_>>(), ["zz.psk"]);
        let said: Vec<&str> = state.core.log.entries().iter().map(|entry| entry.message.as_str()).collect();
        assert_eq!(said.iter().filter(|text| text.contains("maximum file size of 2 GiB")).count(), 2, "{said:?}");
    });
}
