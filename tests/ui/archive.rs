//! An archive in the window: its tree with folders, a member's bytes where it was compressed, and unpacking.

use crate::kit;
use bonebox::ui::{
    app::{App, Kept},
    command::Command,
    settings::Settings,
    state::{Clock, Place, State},
};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{cell::RefCell, path::PathBuf, rc::Rc, time::Duration};

type Window = Harness<'static, App>;

fn window() -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    Harness::builder().with_size([1280.0, 800.0]).build_eframe(|cc| App::new(cc, kept))
}

fn settle(window: &mut Window) {
    for _ in 0..2_000 {
        window.step();
        if !window.state().kept().borrow().state.is_busy() {
            window.run_steps(2);
            if !window.state().kept().borrow().state.is_busy() {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the background work does not end");
}

fn apply(window: &mut Window, command: Command) {
    window.state().kept().borrow_mut().state.apply(command);
    settle(window);
}

fn place(window: &Window, path: &str) -> Place {
    let kept = window.state().kept().borrow();
    let file = &kept.state.library.files[0];
    Place { file: file.id, entry: file.file.document.outline().find(path).unwrap().id }
}

fn opened() -> Window {
    let mut window = window();
    let archive: PathBuf = kit::data().join("archive/arm.szs");
    apply(&mut window, Command::Open(vec![archive]));
    window
}

#[test]
fn folders_and_members_are_rows_of_the_tree() {
    let mut window = opened();
    for path in ["arm.arc", "arm.arc/bck", "arm.arc/bmd"] {
        let place = place(&window, path);
        apply(&mut window, Command::Expand(place, true));
    }
    for row in ["arm.szs", "arm.arc", "bmd", "arm.bmd", "bck", "btk", "btp"] {
        assert!(window.query_all_by_label(row).next().is_some(), "no row {row}");
    }
    assert!(window.query_all_by_label_contains("wave.bck").next().is_some());
}

#[test]
fn a_folder_is_unpacked_by_its_menu() {
    let mut window = opened();
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let place = place(&window, "arm.arc/bck");
    apply(&mut window, Command::Unpack { place, folder: target.clone(), overwrite: false });
    let bytes = std::fs::read(target.join("wave.bck")).unwrap();
    assert!(bytes.starts_with(b"J3D1bck1") && bytes.len() == 800);
    let names = kit::files_below(&target);
    assert_eq!(names.len(), 3, "two files and the manifest: {names:?}");
}
