//! What comes back when the program starts again, and requests of many files.

use bonebox::{
    formats::Severity,
    ui::{
        app::{App, Kept},
        command::Command,
        settings::Settings,
        state::{Clock, State},
    },
};
use egui_kittest::Harness;
use std::{
    cell::RefCell,
    collections::HashMap,
    path::{Path, PathBuf},
    rc::Rc,
    time::{Duration, Instant},
};

/// Settings as eframe keeps them, without a disk.
#[derive(Default)]
struct Disk(HashMap<String, String>);

impl eframe::Storage for Disk {
    fn get_string(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }

    fn set_string(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), value);
    }

    fn remove_string(&mut self, key: &str) {
        self.0.remove(key);
    }

    fn flush(&mut self) {}
}

type Window = Harness<'static, App>;

fn window(settings: Settings) -> Window {
    window_over(State::new(settings, Clock::Set(0.0)))
}

fn window_over(state: State) -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(state)));
    Harness::builder().with_size([1280.0, 800.0]).build_eframe(|cc| App::new(cc, kept))
}

fn read<T>(window: &Window, what: impl FnOnce(&mut State) -> T) -> T {
    what(&mut window.state().kept().borrow_mut().state)
}

/// Runs frames until no background work is left.
fn settle(window: &mut Window) {
    let end = Instant::now() + Duration::from_secs(60);
    let mut idle = 0;
    while idle < 3 {
        window.step();
        idle = if read(window, |s| s.is_busy()) { 0 } else { idle + 1 };
        assert!(Instant::now() < end, "background work does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn apply(window: &mut Window, command: Command) {
    read(window, |s| s.apply(command));
    settle(window);
}

fn saved(window: &mut Window) -> Disk {
    let mut disk = Disk::default();
    eframe::App::save(window.state_mut(), &mut disk);
    disk
}

/// The program started without files.
fn started(disk: &Disk) -> Window {
    let mut state = State::new(Settings::load(Some(disk)), Clock::Set(0.0));
    state.restore_session();
    window_over(state)
}

fn again(disk: &Disk) -> Window {
    let mut window = started(disk);
    settle(&mut window);
    window
}

fn names(window: &Window) -> Vec<String> {
    read(window, |s| s.library.files.iter().map(|f| f.file.name.clone()).collect())
}

fn shown(window: &Window) -> Option<String> {
    read(window, |s| s.shown.as_ref().and_then(|shown| s.file(shown.place.file)).map(|f| f.name.clone()))
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx").join(name)
}

/// Copies of a small model under other names.
fn copies(folder: &Path, count: usize) -> Vec<PathBuf> {
    let bytes = std::fs::read(data("syn_arm.psk")).unwrap();
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
    let mut first = window(Settings::default());
    apply(&mut first, Command::Open(paths.clone()));
    let place =
        read(&first, |s| bonebox::ui::state::Place { file: s.library.files[4].id, ..s.shown.clone().unwrap().place });
    apply(&mut first, Command::Show(place));
    assert_eq!(shown(&first).as_deref(), Some("copy004.psk"));
    let disk = saved(&mut first);

    let mut second = again(&disk);
    assert_eq!(names(&second), names(&first));
    assert_eq!(shown(&second).as_deref(), Some("copy004.psk"));
    let said = read(&second, |s| s.log.entries().iter().map(|e| e.text()).collect::<Vec<_>>());
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
        let of_it = |s: &mut State| {
            let entries = s.log.entries().iter();
            entries.filter(|e| e.severity == Severity::Error && e.file == format!("copy{gone:03}.psk")).count()
        };
        assert_eq!(read(&third, of_it), 1, "one line for each");
    }
}

#[test]
fn a_session_that_is_still_coming_back_is_not_lost_by_saving() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = window(Settings::default());
    apply(&mut first, Command::Open(copies(folder.path(), 5)));
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
    let mut first = window(Settings::default());
    apply(&mut first, Command::Open(copies(folder.path(), 1)));
    apply(&mut first, Command::SetReopenSession(false));
    let disk = saved(&mut first);
    assert!(names(&again(&disk)).is_empty());
}

#[test]
fn a_change_is_written_within_two_seconds_and_nothing_is_when_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Settings::default());
    window.run_steps(3);
    let _ = saved(&mut window);
    window.step();
    assert!(eframe::App::auto_save_interval(window.state()) > Duration::from_secs(10));
    apply(&mut window, Command::Open(copies(folder.path(), 1)));
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
    let mut window = window(Settings::default());
    read(&window, |s| s.apply(Command::Open(vec![folder.path().to_owned()])));
    let mut notices = Vec::new();
    let end = Instant::now() + Duration::from_secs(60);
    while read(&window, |s| s.is_busy()) {
        // The window itself stands still meanwhile: it would take notices that come within its frame.
        read(&window, |s| s.tick());
        notices.extend(read(&window, |s| s.log.take_toasts()));
        std::thread::sleep(Duration::from_millis(1));
        assert!(Instant::now() < end, "it does not end");
    }
    notices.extend(read(&window, |s| s.log.take_toasts()));
    let texts: Vec<String> = notices.iter().map(|n| n.text()).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    window.step();
    let open = names(&window).len();
    assert!(open >= 280 && texts[0].starts_with(&format!("{open} files opened")), "{texts:?}");
    assert!(read(&window, |s| s.log.counts().1) >= 20, "each damaged file is in the log");
}
