//! The sound panel in the real window, through labels; nothing is played aloud.

use crate::kit::{app::*, sounds};
use bonebox::ui::command::{Command, SoundCommand, StageCommand, WindowCommand};
use egui_kittest::kittest::Queryable as _;

/// A window with a package of sounds.
fn opened() -> (tempfile::TempDir, Window) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Made.uax");
    std::fs::write(&path, sounds::package(69)).unwrap();
    (folder, window_with([path]))
}

fn show(window: &mut Window, path: &str) {
    let place = place(window, path);
    apply(window, Command::Stage(StageCommand::Show(place)));
}

fn position(window: &Window) -> usize {
    read(window, |s| s.stages.front.sound().unwrap().player.position())
}

#[test]
fn a_sound_shows_its_waveform_and_is_sought() {
    let (_folder, mut window) = opened();
    show(&mut window, "Doors.Bell");
    window.get_by_label("Position 0:00.000 of 0:01.600");
    look(&mut window, "sound");
    let wave = window.get_by_label("Position in the sound").rect();
    press_at(&mut window, wave.center());
    assert!(position(&window).abs_diff(22_050 * 16 / 20) < 100, "{}", position(&window));
    look(&mut window, "sound_middle");
    click(&mut window, "Loop mode: Once");
    window.get_by_label("Loop mode: Loop");
    assert!(read(&window, |s| s.core.settings.loop_sounds && s.stages.front.sound().unwrap().player.is_looping()));
    apply(&mut window, Command::Window(WindowCommand::ToggleTheme));
    look(&mut window, "sound_light");
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
    let (_folder, mut window) = opened();
    show(&mut window, "Song");
    window.get_by_label("Order 0");
    let wave = window.get_by_label("Position in the sound").rect();
    let middle = egui::pos2(wave.left() + wave.width() * 0.52, wave.center().y);
    press_at(&mut window, middle);
    window.get_by_label("Order 4");
    window.get_by_label("Pattern 4");
    look(&mut window, "music");
}

#[test]
fn what_cannot_be_heard_says_why() {
    let (_folder, mut window) = opened();
    show(&mut window, "Speech");
    window.get_by_label_contains("Ogg cannot be played in Bonebox");
    look(&mut window, "ogg");
    show(&mut window, "Doors.Gone");
    window.get_by_label_contains("dedicated-server");
    apply(&mut window, Command::Sound(SoundCommand::SetVolume(0.3)));
    assert_eq!(read(&window, |s| s.core.settings.volume), 0.3);
}
