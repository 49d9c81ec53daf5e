//! What comes back when the program starts again, and requests of many files.

use crate::kit::{self, app::*};
use bonebox::{
    formats::Severity,
    ui::{
        command::{Command, LibraryCommand, StageCommand, WindowCommand},
        settings::Settings,
        state::{Clock, Place, State},
    },
};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

fn again(disk: &Disk) -> Window {
    let mut window = started(disk);
    settle(&mut window);
    window
}

fn names(window: &Window) -> Vec<String> {
    read(window, |s| s.library.files.iter().map(|f| f.file.name.clone()).collect())
}

fn shown(window: &Window) -> Option<String> {
    read(window, |s| s.stage.model().and_then(|shown| s.file(shown.place.file)).map(|f| f.name.clone()))
}

/// Copies of a small model under other names.
fn copies(folder: &Path, count: usize) -> Vec<PathBuf> {
    let bytes = std::fs::read(kit::data().join("actorx/syn_arm.psk")).unwrap();
    (0..count)
        .map(|index| {
            let path = folder.join(format!("copy{index:03}.psk"));
            std::fs::write(&path, &bytes).unwrap();
            path
        })
        .collect()
}

#[test]
fn the_session_comes_back_with_what_was_shown_and_what_is_gone_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let paths = copies(folder.path(), 6);
    let mut first = window_with(&paths);
    let place = read(&first, |s| Place { file: s.library.files[4].id, ..s.stage.model().unwrap().place });
    apply(&mut first, Command::Stage(StageCommand::Show(place)));
    assert_eq!(shown(&first).as_deref(), Some("copy004.psk"));
    let disk = saved(&mut first);

    let mut second = again(&disk);
    assert_eq!(names(&second), names(&first));
    assert_eq!(shown(&second).as_deref(), Some("copy004.psk"));
    let said = log(&second);
    assert!(!said.iter().any(|line| line.contains("cannot be opened")), "{said:?}");
    // What came back is the next session, too.
    let disk = saved(&mut second);
    for gone in [0, 2, 4] {
        std::fs::remove_file(&paths[gone]).unwrap();
    }
    let third = again(&disk);
    assert_eq!(names(&third), ["copy001.psk", "copy003.psk", "copy005.psk"]);
    assert_eq!(shown(&third).as_deref(), Some("copy001.psk"), "what was shown is gone");
    for gone in [0, 2, 4] {
        let of_it = |s: &State| {
            let entries = s.log.entries().iter();
            entries.filter(|e| e.severity == Severity::Error && e.file == format!("copy{gone:03}.psk")).count()
        };
        assert_eq!(read(&third, of_it), 1, "one line for each");
    }
}

#[test]
fn a_session_that_is_still_coming_back_is_not_lost_by_saving() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = window_with(copies(folder.path(), 5));
    let disk = saved(&mut first);
    // Written before anything is open again.
    let mut state = State::new(Settings::load(Some(&disk)), Clock::Set(0.0));
    state.restore_session();
    state.keep_session();
    assert_eq!(state.settings.session.len(), 5);
    let disk = saved(&mut started(&disk));
    assert_eq!(names(&again(&disk)).len(), 5);
}

#[test]
fn the_session_stays_away_when_that_is_wished() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = window_with(copies(folder.path(), 1));
    apply(&mut first, Command::Window(WindowCommand::SetReopenSession(false)));
    let disk = saved(&mut first);
    assert!(names(&again(&disk)).is_empty());
}

#[test]
fn a_change_is_written_within_two_seconds_and_nothing_is_when_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window();
    window.run_steps(3);
    let _ = saved(&mut window);
    window.step();
    assert!(eframe::App::auto_save_interval(window.state()) > Duration::from_secs(10));
    open(&mut window, copies(folder.path(), 1));
    assert!(eframe::App::auto_save_interval(window.state()) < Duration::from_secs(2));
    let _ = saved(&mut window);
    window.run_steps(3);
    assert!(eframe::App::auto_save_interval(window.state()) > Duration::from_secs(10));
}

#[test]
fn a_folder_of_many_files_is_one_notice() {
    let folder = tempfile::tempdir().unwrap();
    let paths = copies(folder.path(), 300);
    // Some of them are damaged: known by their first bytes and broken behind.
    for path in &paths[100..120] {
        let bytes = std::fs::read(path).unwrap();
        std::fs::write(path, &bytes[..40]).unwrap();
    }
    let mut window = window();
    change(&window, |s| s.apply(Command::Library(LibraryCommand::Open(vec![folder.path().to_owned()]))));
    let mut notices = Vec::new();
    let end = Instant::now() + Duration::from_secs(60);
    while read(&window, State::is_busy) {
        // The window itself stands still meanwhile: it would take notices that come within its frame.
        change(&window, State::tick);
        notices.extend(change(&window, |s| s.log.take_toasts()));
        std::thread::sleep(Duration::from_millis(1));
        assert!(Instant::now() < end, "it does not end");
    }
    notices.extend(change(&window, |s| s.log.take_toasts()));
    let texts: Vec<String> = notices.iter().map(|n| n.text()).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    window.step();
    let open = names(&window).len();
    assert!(open >= 280 && texts[0].starts_with(&format!("{open} files opened")), "{texts:?}");
    assert!(read(&window, |s| s.log.counts().1) >= 20, "each damaged file is in the log");
}
