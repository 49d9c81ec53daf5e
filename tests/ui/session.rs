//! What comes back when the program starts again, and requests of many files.

use crate::kit::{self, app::*};
use bonebox::{
    formats::Severity,
    library::{LEFT_ALONE, Quarantine, collection::Store},
    ui::{
        command::{Command, LibraryCommand, StageCommand, WindowCommand},
        own_session::OwnSession,
        saved_view::SavedView,
        session_file,
        settings::Settings,
        state::{Clock, Place, State},
    },
};
use egui::{Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
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
    read(window, |s| s.core.library.files.iter().map(|f| f.file.name.clone()).collect())
}

fn shown(window: &Window) -> Option<String> {
    read(window, |s| s.stages.front.model().and_then(|shown| s.core.file(shown.place.file)).map(|f| f.name.clone()))
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
    let place = read(&first, |s| Place { file: s.core.library.files[4].id, ..s.stages.front.model().unwrap().place });
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
            let entries = s.core.log.entries().iter();
            entries.filter(|e| e.severity == Severity::Error && e.file == format!("copy{gone:03}.psk")).count()
        };
        assert_eq!(read(&third, of_it), 1, "one line for each");
    }
}

#[test]
fn a_file_that_ended_the_program_twice_is_named_and_left_alone_until_it_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let paths = copies(folder.path(), 2);
    let disk = saved(&mut window_with(&paths));
    let store = Store::at(folder.path().join("index/collections.redb"));
    for _ in 0..2 {
        let process = Quarantine::default();
        process.start(&store.journals());
        std::mem::forget(process.reading(&paths[0]));
    }
    let start = || {
        let mut state = State::new(disk.settings(), Clock::Set(0.0));
        state.core.start_quarantine(&store);
        let named: Vec<_> =
            state.core.log.take_toasts().into_iter().map(|entry| (entry.text(), entry.action)).collect();
        state.restore_session();
        let mut window = window_of(kept(state), SIZE);
        settle(&mut window);
        (window, named)
    };
    let (mut window, mut named) = start();
    let (text, action) = named.pop().unwrap();
    assert_eq!((text, named.len()), (format!("copy000.psk: {LEFT_ALONE}"), 0));
    let (button, try_again) = action.unwrap();
    assert_eq!((&*button, names(&window)), ("Try again", vec!["copy001.psk".to_owned()]));
    // A file of a folder that is opened was not named.
    open(&mut window, [folder.path().to_owned()]);
    assert_eq!(names(&window), ["copy001.psk"]);
    let (mut window, named) = start();
    assert_eq!(named.len(), 0, "the log alone names it again");
    assert!(log(&window).iter().any(|line| line.contains(LEFT_ALONE)));
    apply(&mut window, try_again);
    assert_eq!(names(&window), ["copy001.psk", "copy000.psk"]);
    let (window, _) = start();
    assert!(!log(&window).iter().any(|line| line.contains(LEFT_ALONE)));
}

#[test]
fn many_files_that_are_left_alone_have_one_notice() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path().join("index/collections.redb"));
    let paths = copies(folder.path(), 4);
    for _ in 0..2 {
        let process = Quarantine::default();
        process.start(&store.journals());
        paths.iter().for_each(|path| std::mem::forget(process.reading(path)));
    }
    let mut state = State::new(Settings::default(), Clock::Set(0.0));
    state.core.start_quarantine(&store);
    let [notice] = state.core.log.take_toasts().try_into().unwrap();
    assert!(notice.message.contains("4 files"), "{}", notice.message);
    assert_eq!(state.core.log.entries().iter().filter(|entry| entry.action.is_some()).count(), 4);
}

/// What is kept of a window with a file that is open.
fn settings_with(file: &str) -> Settings {
    let mut settings = Settings::default();
    settings.session.push(PathBuf::from(file));
    settings.session_shown = Some(PathBuf::from(file));
    settings.ui_scale = 1.5;
    settings
}

#[test]
fn each_window_has_a_session_of_its_own_and_what_a_second_one_kept_is_there_for_the_next_second_one() {
    let folder = tempfile::tempdir().unwrap();
    let deeper = folder.path().join("deeper");
    let path = deeper.join("session.txt");
    let first = OwnSession::within(&deeper).unwrap();
    assert_eq!((&first.path, first.is_beside_another()), (&path, false));
    session_file::write(&first.path, &settings_with("/models/one.psk")).unwrap();
    let second = OwnSession::within(&deeper).unwrap();
    assert_eq!((second.path.clone(), second.is_beside_another()), (path.with_file_name("session-2.txt"), true));
    // It has the settings of the first one, with nothing open.
    let fresh = second.load();
    let mut settings = Settings::default();
    settings.ui_scale = 1.5;
    assert_eq!((fresh.settings, fresh.is_on_disk), (settings, false));
    let mut kept = settings_with("/models/two.psk");
    kept.session_view = Some(SavedView { version: 1, linked: true, ..SavedView::default() });
    (kept.dark, kept.ui_scale, kept.volume, kept.reopen_session) = (false, 2.0, 0.25, false);
    kept.recents.push(PathBuf::from("/models/two.psk"));
    session_file::write(&second.path, &kept).unwrap();
    assert_eq!(first.load().settings, settings_with("/models/one.psk"));
    assert!(OwnSession::within(&deeper).unwrap().path.ends_with("session-3.txt"));

    drop(first);
    let again = OwnSession::within(&deeper).unwrap();
    assert_eq!((again.load().settings, again.is_beside_another()), (settings_with("/models/one.psk"), false));
    drop(second);
    // The open files are its own, and all settings those of the first one.
    let second = OwnSession::within(&deeper).unwrap().load();
    let mut expected = settings_with("/models/two.psk");
    expected.session_view = kept.session_view;
    assert_eq!((second.settings, second.is_on_disk), (expected, false));
}

#[test]
fn a_session_is_kept_where_nothing_can_be_locked_and_no_more_than_sixteen_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.txt");
    let all: Vec<OwnSession> = (0..16).map(|_| OwnSession::within(folder.path()).unwrap()).collect();
    let error = OwnSession::within(folder.path()).unwrap_err();
    assert_eq!(error.to_string(), "16 other Bonebox windows are open. Close one of them");
    drop(all);
    // Something else has the name of the lock.
    std::fs::remove_file(folder.path().join("session.lock")).unwrap();
    std::fs::create_dir(folder.path().join("session.lock")).unwrap();
    let taken = [OwnSession::within(folder.path()), OwnSession::within(folder.path())];
    assert_eq!(taken.map(|taken| taken.unwrap().path), [path.clone(), path]);
}

#[test]
fn a_session_that_is_still_coming_back_is_not_lost_by_saving() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = window_with(copies(folder.path(), 5));
    let disk = saved(&mut first);
    // Written before anything is open again.
    let mut state = State::new(disk.settings(), Clock::Set(0.0));
    state.restore_session();
    state.stages.keep_session(&mut state.core);
    assert_eq!(state.core.settings.session.len(), 5);
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

/// Waits, without a frame and with the clock standing still, until the file says so.
#[track_caller]
fn wait_for(disk: &Disk, what: impl Fn(&Settings) -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !what(&disk.settings()) {
        assert!(Instant::now() < end, "it is not written: {:?}", std::fs::read_to_string(disk.path()));
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_change_is_on_disk_without_another_frame_and_needs_no_goodbye() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new();
    let mut first = started_to_write(&disk);
    open(&mut first, copies(folder.path(), 2));
    change(&first, |state| state.apply(Command::Window(WindowCommand::SetUiScale(1.5))));
    first.step();
    wait_for(&disk, |kept| kept.session.len() == 2 && kept.session_shown.is_some() && kept.ui_scale == 1.5);
    // The first one still runs: it is not asked to save anything.
    let second = again(&disk);
    assert_eq!((names(&second), shown(&second)), (names(&first), shown(&first)));
    drop(second);
    apply(&mut first, Command::Library(LibraryCommand::Open(copies(folder.path(), 3))));
    wait_for(&disk, |kept| kept.session.len() == 3);
}

#[test]
fn nothing_is_written_when_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new();
    let mut first = started_to_write(&disk);
    open(&mut first, copies(folder.path(), 2));
    drop(first);
    // A file that is gone stays gone, unless it is written.
    let mut second = started_to_write(&disk);
    settle(&mut second);
    std::fs::remove_file(disk.path()).unwrap();
    second.run_steps(10);
    drop(second);
    assert!(!disk.path().exists());
}

#[test]
fn panels_come_back_as_they_were_dragged() {
    let dragged = |window: &mut Window, from: Pos2, to: Pos2| {
        window.drag_at(from);
        window.run_steps(2);
        window.hover_at(to);
        window.run_steps(2);
        window.drop_at(to);
        window.run_steps(4);
    };
    // The top of the log and the left edge of the inspector.
    let edges = |window: &Window| {
        let top = window.get_by_label("Filter the log").rect().top();
        (top, window.get_by_label("Inspector tab").rect().left())
    };
    let mut first = window();
    first.run_steps(3);
    apply(&mut first, Command::Window(WindowCommand::ToggleLog));
    let before = edges(&first);
    let height = read(&first, |state| state.core.settings.panels["log"]);
    let edge = pos2(600.0, SIZE[1] - 32.0 - height);
    dragged(&mut first, edge, edge - vec2(0.0, 90.0));
    let edge = pos2(before.1 - 2.0, 300.0);
    dragged(&mut first, edge, edge - vec2(100.0, 0.0));
    let after = edges(&first);
    assert!(
        (before.0 - after.0 - 90.0).abs() < 4.0 && (before.1 - after.1 - 100.0).abs() < 4.0,
        "{before:?} {after:?}"
    );
    let disk = saved(&mut first);
    let mut second = started(&disk);
    second.run_steps(3);
    let again = edges(&second);
    assert!((again.0 - after.0).abs() < 1.0 && (again.1 - after.1).abs() < 1.0, "{after:?} {again:?}");
    assert_eq!(read(&second, |state| state.core.settings.clone()), disk.settings());
}

#[test]
fn a_setting_that_cannot_be_does_not_end_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = window_with(copies(folder.path(), 2));
    apply(&mut first, Command::Window(WindowCommand::SetDark(false)));
    let disk = saved(&mut first);
    let text = std::fs::read_to_string(disk.path()).unwrap();
    for scale in ["0", "NaN", "1e9", "-1", "1e999"] {
        let spoilt: Vec<String> = text
            .lines()
            .map(|line| if line.starts_with("ui_scale =") { format!("ui_scale = {scale}") } else { line.to_owned() })
            .collect();
        std::fs::write(disk.path(), spoilt.join("\n")).unwrap();
        let window = again(&disk);
        assert_eq!(
            read(&window, |state| (state.core.settings.ui_scale, state.core.settings.dark)),
            (1.0, false),
            "{scale}"
        );
        assert_eq!(names(&window), names(&first));
    }
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
    while read(&window, |state| state.core.works.is_busy()) {
        // The window itself stands still meanwhile: it would take notices that come within its frame.
        change(&window, State::tick);
        notices.extend(change(&window, |s| s.core.log.take_toasts()));
        std::thread::sleep(Duration::from_millis(1));
        assert!(Instant::now() < end, "it does not end");
    }
    notices.extend(change(&window, |s| s.core.log.take_toasts()));
    let texts: Vec<String> = notices.iter().map(|n| n.text()).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    window.step();
    let open = names(&window).len();
    assert!(open >= 280 && texts[0].starts_with(&format!("{open} files opened")), "{texts:?}");
    assert!(read(&window, |s| s.core.log.counts().1) >= 20, "each damaged file is in the log");
}
