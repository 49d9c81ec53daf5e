//! An archive in the window: its tree with folders, a member's bytes where it was compressed, and unpacking.

use crate::kit::{self, app::*};
use bonebox::ui::command::{Command, ExportCommand, LibraryCommand};
use egui_kittest::kittest::Queryable as _;

fn opened() -> Window {
    window_with([kit::data().join("archive/arm.szs")])
}

#[test]
fn folders_and_members_are_rows_of_the_tree() {
    let mut window = opened();
    for path in ["arm.arc", "arm.arc/bck", "arm.arc/bmd"] {
        let place = place(&window, path);
        apply(&mut window, Command::Library(LibraryCommand::Expand(place.into(), true)));
    }
    for row in ["arm.szs", "arm.arc", "bmd", "arm.bmd", "bck", "btk", "btp"] {
        assert!(has(&window, row), "no row {row}");
    }
    assert!(window.query_all_by_label_contains("wave.bck").next().is_some());
}

#[test]
fn a_folder_is_unpacked_by_its_menu() {
    let mut window = opened();
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let place = place(&window, "arm.arc/bck");
    apply(
        &mut window,
        Command::Export(ExportCommand::Unpack { place, folder: target.clone(), overwrite: false, any_size: false }),
    );
    let bytes = std::fs::read(target.join("wave.bck")).unwrap();
    assert!(bytes.starts_with(b"J3D1bck1") && bytes.len() == 800);
    let names = kit::files_below(&target);
    assert_eq!(names.len(), 3, "two files and the manifest: {names:?}");
}
