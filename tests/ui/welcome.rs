//! The empty window.

use crate::kit::app::{click, type_into};
use bonebox::ui::{
    command::{Command, LibraryCommand},
    window::welcome::{self, Offers, WelcomeView},
    window_system::NoDrops,
};
use egui::Key;
use egui_kittest::{Harness, kittest::Queryable as _};
use std::path::PathBuf;

#[test]
fn the_empty_window_asks_for_drops_only_where_they_arrive() {
    for (no_drops, title, note) in [
        (None, "Drop files here", None),
        (Some(NoDrops::WaylandChosen), "Open files here", Some("start Bonebox with --x11")),
        (Some(NoDrops::WaylandAlone), "Open files here", Some("XWayland is missing")),
    ] {
        let mut harness = Harness::builder().with_size([700.0, 800.0]).build_ui(|ui| {
            let offers = Offers { recents: &[], favourites: &[], samples: &[], no_drops };
            welcome::show(ui, &offers, &mut WelcomeView::default(), &mut Vec::new());
        });
        harness.run_steps(3);
        harness.get_by_label(title);
        let notes: Vec<_> = harness.query_all_by_label_contains("Drag and drop does not work on Wayland").collect();
        assert_eq!(notes.len(), usize::from(note.is_some()), "{no_drops:?}");
        if let Some(note) = note {
            harness.get_by_label_contains(note);
        }
    }
}

#[test]
fn the_empty_window_opens_files_samples_and_pasted_paths() {
    let recents = vec![PathBuf::from("/games/Karla.psk")];
    let samples = vec![PathBuf::from("/samples/walker.psk")];
    let mut harness = Harness::builder().with_size([700.0, 800.0]).build_ui_state(
        |ui, s: &mut (WelcomeView, Vec<Command>)| {
            let offers = Offers { recents: &recents, favourites: &[], samples: &samples, no_drops: None };
            welcome::show(ui, &offers, &mut s.0, &mut s.1);
        },
        (WelcomeView::default(), Vec::new()),
    );
    harness.run_steps(3);
    harness.get_by_label("Drop files here");
    for label in ["Open files", "Open folder", "Open Karla.psk", "Open walker.psk"] {
        click(&mut harness, label);
    }
    type_into(&mut harness, "Path to open", "/games/Karla.psa");
    harness.key_press(Key::Enter);
    harness.run_steps(2);
    assert_eq!(
        harness.state().1,
        [
            Command::Library(LibraryCommand::OpenFilesDialog),
            Command::Library(LibraryCommand::OpenFolderDialog),
            Command::Library(LibraryCommand::Open(recents.clone())),
            Command::Library(LibraryCommand::Open(samples.clone())),
            Command::Library(LibraryCommand::OpenPasted("/games/Karla.psa".into())),
        ]
    );
}
