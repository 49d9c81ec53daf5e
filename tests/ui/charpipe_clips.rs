//! Banks of the character pipeline in the real window, through labels.

use bonebox::{
    scene::TargetKind,
    ui::{
        app::{App, Kept},
        command::Command,
        settings::Settings,
        state::{Clock, State},
    },
};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

type Window = Harness<'static, App>;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/charpipe").join(name)
}

/// These files in a folder of their own, where nothing else is found beside them.
fn alone(names: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &&str| {
        let path = folder.path().join(name);
        std::fs::copy(data(name), &path).unwrap();
        path
    };
    let files = names.iter().map(copy).collect();
    (folder, files)
}

/// A window with these files open; pictures of it are drawn when `BONEBOX_LOOK` names a folder.
fn window(files: &[PathBuf]) -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    let mut builder = Harness::builder().with_size([1280.0, 800.0]);
    if std::env::var_os("BONEBOX_LOOK").is_some() {
        builder = builder.wgpu();
    }
    let mut window = builder.build_eframe(|cc| App::new(cc, kept));
    apply(&mut window, Command::Open(files.to_vec()));
    window
}

fn apply(window: &mut Window, command: Command) {
    window.state().kept().borrow_mut().state.apply(command);
    for _ in 0..4_000 {
        window.step();
        if !window.state().kept().borrow().state.is_busy() {
            window.run_steps(3);
            if !window.state().kept().borrow().state.is_busy() {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the background work does not end");
}

fn look(window: &mut Window, name: &str) {
    let Some(folder) = std::env::var_os("BONEBOX_LOOK") else { return };
    window.run_steps(4);
    let picture = window.render().expect("the window is drawn");
    picture.save(Path::new(&folder).join(name)).expect("the picture is written");
}

fn state<T>(window: &Window, read: impl FnOnce(&State) -> T) -> T {
    read(&window.state().kept().borrow().state)
}

#[test]
fn a_bank_dropped_with_its_model_plays_and_is_sought() {
    let (_folder, files) = alone(&["arm_full.model", "arm_full.anm"]);
    let mut window = window(&files);
    assert_eq!(state(&window, |s| s.playback.player.clip().map(|c| c.name.clone())).as_deref(), Some("wave"));
    assert!(state(&window, |s| s.playback.player.playing && s.shown.is_some()));
    assert_eq!(state(&window, |s| s.playback.player.rate_hz()), 60.0);
    let clips = state(&window, |s| s.playback.clips.iter().map(|c| c.name.clone()).collect::<Vec<_>>());
    assert_eq!(clips, ["wave", "rel"], "the clips of the bank, once each");
    assert_eq!(*state(&window, |s| s.playback.ticks.clone()), [0.0, 10.0, 15.0, 20.0]);
    window.get_by_label("Clip: wave");
    apply(&mut window, Command::TogglePlay);
    apply(&mut window, Command::Seek(15.0));
    window.get_by_label("Frame 15.0 / 30");
    look(&mut window, "bank_plays.png");
    window.get_by_label("Clip: wave").click();
    window.run_steps(3);
    look(&mut window, "bank_list.png");
}

#[test]
fn the_curves_of_a_bank_have_the_names_of_the_models_bones() {
    let (_folder, files) = alone(&["arm_sdk.model", "arm_sdk.anm"]);
    let mut window = window(&files);
    apply(&mut window, Command::TogglePlay);
    apply(&mut window, Command::ShowCurvesOf(TargetKind::Joints));
    apply(&mut window, Command::ShowCurves);
    window.get_by_label("bone 1 Translation X");
    window.get_by_label("bone 2 Rotation Z");
    apply(&mut window, Command::Seek(3.0));
    look(&mut window, "bank_curves.png");
}

#[test]
fn a_bank_alone_shows_its_curves() {
    let (_folder, files) = alone(&["arm_full.anm"]);
    let mut window = window(&files);
    look(&mut window, "bank_alone.png");
    assert!(state(&window, |s| s.shown.is_none() && s.curves.shown.is_some()));
    window.get_by_label("track 1 Translation X");
}
