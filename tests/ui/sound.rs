//! The sound panel in the real window, through labels; nothing is played aloud.

use crate::kit::sounds;
use bonebox::ui::{
    app::{App, Kept},
    command::Command,
    settings::Settings,
    state::{Clock, Place, State},
};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{cell::RefCell, rc::Rc, time::Duration};

type Window = Harness<'static, App>;

/// A window with a package of sounds open; pictures of it are drawn when `BONEBOX_LOOK` names a folder.
fn window() -> (tempfile::TempDir, Window) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Made.uax");
    std::fs::write(&path, sounds::package(69)).unwrap();
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    let mut builder = Harness::builder().with_size([1280.0, 800.0]);
    if std::env::var_os("BONEBOX_LOOK").is_some() {
        builder = builder.wgpu();
    }
    let mut window = builder.build_eframe(|cc| App::new(cc, kept));
    apply(&mut window, Command::Open(vec![path]));
    (folder, window)
}

fn apply(window: &mut Window, command: Command) {
    window.state().kept().borrow_mut().state.apply(command);
    for _ in 0..4_000 {
        window.step();
        if !window.state().kept().borrow().state.is_busy() {
            window.run_steps(3);
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the background work does not end");
}

fn show(window: &mut Window, path: &str) {
    let place = {
        let kept = window.state().kept().borrow();
        let file = &kept.state.library.files[0];
        Place { file: file.id, entry: file.file.document.outline().find(path).expect("the entry is there").id }
    };
    apply(window, Command::Show(place));
}

fn position(window: &Window) -> usize {
    window.state().kept().borrow().state.sound_player().position()
}

fn look(window: &mut Window, name: &str) {
    let Some(folder) = std::env::var_os("BONEBOX_LOOK") else { return };
    window.run_steps(4);
    let picture = window.render().expect("the window is drawn");
    picture.save(std::path::Path::new(&folder).join(name)).expect("the picture is written");
}

#[test]
fn a_sound_shows_its_waveform_and_is_sought() {
    let (_folder, mut window) = window();
    show(&mut window, "Doors.Bell");
    window.get_by_label("At 0:00.000 of 0:01.600");
    look(&mut window, "sound.png");
    let wave = window.get_by_label("Position in the sound").rect();
    window.drag_at(wave.center());
    window.run_steps(2);
    window.drop_at(wave.center());
    window.run_steps(2);
    assert!(position(&window).abs_diff(22_050 * 16 / 20) < 100, "{}", position(&window));
    look(&mut window, "sound_middle.png");
    window.get_by_label("Loop: off (L)").click();
    window.run_steps(2);
    window.get_by_label("Loop: on (L)");
    apply(&mut window, Command::ToggleTheme);
    look(&mut window, "sound_light.png");
    // The keys of the playing are the sound's own while its panel is in front.
    window.key_press(egui::Key::Home);
    window.run_steps(2);
    assert_eq!(position(&window), 0);
    window.key_press(egui::Key::ArrowRight);
    window.run_steps(2);
    assert_eq!(position(&window), 22_050);
}

#[test]
fn music_is_rendered_and_says_where_it_is() {
    let (_folder, mut window) = window();
    show(&mut window, "Song");
    window.get_by_label("Order 0");
    let wave = window.get_by_label("Position in the sound").rect();
    let middle = egui::pos2(wave.left() + wave.width() * 0.52, wave.center().y);
    window.drag_at(middle);
    window.run_steps(2);
    window.drop_at(middle);
    window.run_steps(2);
    window.get_by_label("Order 4");
    window.get_by_label("Pattern 4");
    look(&mut window, "music.png");
}

#[test]
fn what_cannot_be_heard_says_why() {
    let (_folder, mut window) = window();
    show(&mut window, "Speech");
    window.get_by_label_contains("Ogg is not played here");
    look(&mut window, "ogg.png");
    show(&mut window, "Doors.Gone");
    window.get_by_label_contains("dedicated servers");
    apply(&mut window, Command::SetVolume(0.3));
    assert_eq!(window.state().kept().borrow().state.settings.volume, 0.3);
}
