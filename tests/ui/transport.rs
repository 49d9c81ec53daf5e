//! The bar below the stage: the same for everything that has a time.

use crate::{
    image::{fire, flip_book, showing},
    kit::{self, app::*, sounds},
};
use bonebox::{
    formats::Asset,
    scene::LoopMode,
    ui::{
        command::{Command, StageCommand, TransportCommand},
        state::{StageContent, TimeOf},
    },
};
use egui::{Key, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable as _;

/// What a bar is for, with its window.
struct Bar {
    of: &'static str,
    window: Window,
    /// Whatever the file's folder holds is gone with it.
    _folder: Option<tempfile::TempDir>,
}

fn model() -> Bar {
    let window = window_with([kit::samples().join("Ossie.psk"), kit::samples().join("Ossie.psa")]);
    Bar { of: "model", window, _folder: None }
}

fn clip() -> Bar {
    let (folder, files) = alone("j3d", &["arm_wave.bck"]);
    Bar { of: "clip", window: window_with(files), _folder: Some(folder) }
}

fn picture(of: &'static str, asset: Asset) -> Bar {
    Bar { of, window: showing(asset), _folder: None }
}

fn sound(of: &'static str, path: &str) -> Bar {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Made.uax");
    std::fs::write(&file, sounds::package(69)).unwrap();
    let mut window = window_with([file]);
    let place = place(&window, path);
    apply(&mut window, Command::Stage(StageCommand::Show(place)));
    Bar { of, window, _folder: Some(folder) }
}

fn all() -> Vec<Bar> {
    vec![
        model(),
        clip(),
        picture("flip-book", Asset::Picture(flip_book())),
        picture("computed texture", Asset::Procedural(fire())),
        sound("sound", "Doors.Bell"),
        sound("music", "Song"),
    ]
}

/// Frames or seconds of the playhead of what is in front.
fn position(window: &Window) -> f64 {
    read(window, |s| match s.stages.front.time_of().expect("it has a time") {
        TimeOf::Model => s.stages.front.playback().unwrap().player.frame().into(),
        TimeOf::Clip => s.stages.front.curves().unwrap().alone().frame().into(),
        TimeOf::Picture => {
            let shown = s.stages.front.image().unwrap();
            shown.player.frame(shown.rate_hz().unwrap()) as f64
        }
        TimeOf::Sound => {
            let rate_hz = s.stages.front.sound().unwrap().pcm().unwrap().rate_hz;
            s.stages.front.sound().unwrap().player.position() as f64 / f64::from(rate_hz)
        }
    })
}

fn plays(window: &Window) -> bool {
    read(window, |s| match s.stages.front.time_of().expect("it has a time") {
        TimeOf::Model => s.stages.front.playback().unwrap().player.playing,
        TimeOf::Clip => s.stages.front.curves().unwrap().alone().playing,
        TimeOf::Picture => s.stages.front.image().unwrap().player.playing,
        TimeOf::Sound => s.stages.front.sound().unwrap().player.is_playing(),
    })
}

/// Where the ruler begins and ends is left free at both ends.
fn at(ruler: Rect, share: f32) -> Pos2 {
    let inner = ruler.shrink2(vec2(8.0, 0.0));
    Pos2::new(inner.left() + share * inner.width(), inner.center().y)
}

#[test]
fn every_bar_has_the_same_height_the_same_buttons_and_the_same_ruler() {
    let mut places = Vec::new();
    for mut bar in all() {
        let window = &mut bar.window;
        if plays(window) {
            apply(window, Command::Transport(TransportCommand::TogglePlay));
        }
        look(window, &format!("transport_{}", bar.of.replace(' ', "_")));
        let names = match bar.of {
            "sound" | "music" => ["Go to start", "Back 1 second", "Play", "Forward 1 second", "Go to end"],
            _ => ["First frame", "Previous frame", "Play", "Next frame", "Last frame"],
        };
        let mut rects: Vec<Rect> = names.iter().map(|name| window.get_by_label(name).rect()).collect();
        rects.push(window.get_by_label("Timeline").rect());
        places.push((bar.of, rects));
        let has_loop = has(window, "Loop mode: Loop") || has(window, "Loop mode: Once");
        let is_picture = matches!(bar.of, "flip-book" | "computed texture");
        assert_ne!(has_loop, is_picture, "{}: what comes round or never ends has no loop mode", bar.of);
        assert_eq!(has(window, "Speed"), !matches!(bar.of, "sound" | "music"), "{}", bar.of);
        assert_eq!(has(window, "Volume"), matches!(bar.of, "sound" | "music"), "{}", bar.of);
        assert_eq!(has(window, "Open clips, tracks and curves"), bar.of == "model", "{}", bar.of);
    }
    let (_, first) = &places[0];
    for (of, rects) in &places {
        for (rect, same) in rects.iter().zip(first) {
            assert!((rect.min - same.min).length() < 1.0 && (rect.max - same.max).length() < 1.0, "{of}: {rect:?}");
        }
    }
}

#[test]
fn every_bar_is_scrubbed_and_stepped() {
    for mut bar in all() {
        let (of, window) = (bar.of, &mut bar.window);
        if plays(window) {
            apply(window, Command::Transport(TransportCommand::TogglePlay));
        }
        let ruler = window.get_by_label("Timeline").rect();
        window.drag_at(at(ruler, 0.1));
        window.run_steps(2);
        window.hover_at(at(ruler, 0.5));
        // A computed texture runs there frame by frame.
        window.run_steps(24);
        let middle = position(window);
        window.drop_at(at(ruler, 0.5));
        window.run_steps(2);
        window.remove_cursor();
        let end = match of {
            "model" => read(window, |s| s.stages.front.playback().unwrap().player.clip().unwrap().loop_frames().into()),
            "clip" => read(window, |s| s.stages.front.curves().unwrap().alone().clip().unwrap().loop_frames().into()),
            "flip-book" => 8.0,
            "computed texture" => 300.0,
            _ => read(window, |s| f64::from(s.stages.front.sound().unwrap().pcm().unwrap().duration_secs())),
        };
        assert!((middle / end - 0.5).abs() < 0.07, "{of}: {middle} of {end}");
        assert!(!plays(window), "{of}: it is held as before");
        let (step, on, back) = match of {
            "sound" | "music" => (1.0, "Forward 1 second", "Back 1 second"),
            _ => (1.0, "Next frame", "Previous frame"),
        };
        let start = if matches!(of, "sound" | "music") { "Go to start" } else { "First frame" };
        click(window, start);
        assert_eq!(position(window), 0.0, "{of}");
        click(window, on);
        assert!((position(window) - step).abs() < 1e-3, "{of}: {}", position(window));
        click(window, back);
        assert_eq!(position(window), 0.0, "{of}");
        // The keys are those of the bar.
        window.key_press(Key::ArrowRight);
        window.run_steps(2);
        assert!((position(window) - step).abs() < 1e-3, "{of}");
        window.key_press(Key::Home);
        window.run_steps(2);
        assert_eq!(position(window), 0.0, "{of}");
    }
}

#[test]
fn what_is_under_the_pointer_is_told_on_every_bar() {
    for (mut bar, text) in [
        (model(), " s"),
        (clip(), " s"),
        (picture("flip-book", Asset::Picture(flip_book())), "5   0.40 s"),
        (picture("computed texture", Asset::Procedural(fire())), "150   5.00 s"),
        (sound("sound", "Doors.Bell"), "0:00.80"),
        (sound("music", "Song"), "order"),
    ] {
        let ruler = bar.window.get_by_label("Timeline").rect();
        bar.window.hover_at(at(ruler, 0.5) + vec2(0.5, 0.0));
        bar.window.run_steps(2);
        assert!(paints(&bar.window, text), "{}: {text}", bar.of);
    }
}

#[test]
fn loop_modes_and_speeds_are_those_of_what_is_in_front() {
    let mut bar = clip();
    assert!(read(&bar.window, |s| matches!(s.stages.front.content, StageContent::Clip(_))));
    let mode = |window: &Window| read(window, |s| s.stages.front.curves().unwrap().alone().loop_mode());
    let before = mode(&bar.window);
    apply(&mut bar.window, Command::Transport(TransportCommand::CycleLoop));
    assert_ne!(mode(&bar.window), before);
    apply(&mut bar.window, Command::Transport(TransportCommand::SetLoop(LoopMode::Once)));
    bar.window.get_by_label("Loop mode: Once");
    apply(&mut bar.window, Command::Transport(TransportCommand::SetSpeed(-2.0)));
    assert_eq!(read(&bar.window, |s| s.stages.front.curves().unwrap().alone().speed), -2.0);
    assert_eq!(read(&bar.window, |s| s.stages.front.play_settings().speed), 1.0);

    // A flip-book runs faster from the frame that it is at.
    let mut bar = picture("flip-book", Asset::Picture(flip_book()));
    pass(&mut bar.window, 0.25);
    bar.window.get_by_label("Frame 3 / 8");
    apply(&mut bar.window, Command::Transport(TransportCommand::SetSpeed(2.0)));
    bar.window.get_by_label("Frame 3 / 8");
    pass(&mut bar.window, 0.25);
    bar.window.get_by_label("Frame 8 / 8");
    apply(&mut bar.window, Command::Transport(TransportCommand::Slower));
    assert_eq!(read(&bar.window, |s| s.stages.front.image().unwrap().speed()), 1.0);

    // The ruler of what never ends grows, and what was reached stays on it.
    let mut bar = picture("computed texture", Asset::Procedural(fire()));
    for _ in 0..44 {
        pass(&mut bar.window, 0.25);
    }
    let frame = position(&bar.window);
    assert!(frame >= 300.0, "{frame}");
    apply(&mut bar.window, Command::Transport(TransportCommand::TogglePlay));
    let ruler = bar.window.get_by_label("Timeline").rect();
    press_at(&mut bar.window, at(ruler, 0.25));
    assert!((position(&bar.window) - 150.0).abs() < 3.0, "{}", position(&bar.window));
}
