//! Drives the program's window to the state of a screenshot.

use bonebox::{
    formats::{Content, EntryId},
    scene::Prop,
    ui::{
        app::{App, Session},
        command::{
            CameraCommand, Command, LibraryCommand, SelectionCommand, SoundCommand, StageCommand, TransportCommand,
        },
        layout::Tab,
        settings::Settings,
        state::{Clock, Place, State},
    },
};
use eframe::egui_wgpu::RendererOptions;
use egui_kittest::Harness;
use std::{cell::RefCell, rc::Rc, time::Duration};

pub type Window = Harness<'static, App>;

pub fn window() -> Window {
    window_of([1280.0, 800.0], 1.0)
}

/// A window of this size in points, at a scale.
pub fn window_of(size: [f32; 2], scale: f32) -> Window {
    let kept = Rc::new(RefCell::new(Session::new(State::new(Settings::default(), Clock::Set(0.0)))));
    // Unfiltered, as in the window.
    let options = RendererOptions { predictable_texture_filtering: false, ..RendererOptions::PREDICTABLE };
    let builder = Harness::builder().with_size(size).with_pixels_per_point(scale).with_render_options(options);
    builder.wgpu().build_eframe(|cc| App::new(cc, kept))
}

/// Runs frames until no background work is left.
pub fn settle(window: &mut Window) {
    for _ in 0..4_000 {
        window.step();
        if !window.state().session().borrow().state.core.works.is_busy() {
            window.run_steps(3);
            if !window.state().session().borrow().state.core.works.is_busy() {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the background work does not end");
}

pub fn apply(window: &mut Window, command: Command) {
    window.state().session().borrow_mut().state.apply(command);
    settle(window);
}

pub fn bring_up(window: &mut Window, tab: Tab) {
    window.state().session().borrow_mut().dock.bring_up(tab);
    settle(window);
}

/// Advances playback in steps of a quarter second.
pub fn pass(window: &mut Window, seconds: f64) {
    for _ in 0..(seconds * 4.0).ceil() as u32 {
        {
            let mut kept = window.state().session().borrow_mut();
            let now = kept.state.core.clock.now_secs();
            kept.state.core.clock = Clock::Set(now + 0.25);
        }
        window.run_steps(2);
    }
}

/// The entry of a sample with this path; without a path, the file.
pub fn place(window: &Window, file: &str, path: &str) -> Place {
    let kept = window.state().session().borrow();
    let file = kept.state.core.library.files.iter().find(|f| f.file.name == file).expect("the sample is open");
    let entry = match path {
        "" => EntryId::FILE,
        path => file.file.document.outline().find(path).unwrap_or_else(|| panic!("no {path} in the sample")).id,
    };
    Place { file: file.id, entry }
}

pub fn select(window: &mut Window, file: &str, path: &str) {
    let place = place(window, file, path);
    apply(window, Command::Selection(SelectionCommand::Select(place)));
}

/// A window with the samples open that shows one of their entries.
pub fn showing(file: &str, path: &str) -> Window {
    showing_in(window(), file, path)
}

pub fn showing_in(mut window: Window, file: &str, path: &str) -> Window {
    apply(&mut window, Command::Library(LibraryCommand::OpenSamples));
    show(&mut window, file, path);
    window
}

pub fn show(window: &mut Window, file: &str, path: &str) {
    let place = place(window, file, path);
    apply(window, Command::Stage(StageCommand::Show(place)));
}

/// Pauses the clip of a model at a frame.
pub fn pose(window: &mut Window, file: &str, clip: &str, frame: f32) {
    let wanted = {
        let kept = window.state().session().borrow();
        let file = kept.state.core.library.files.iter().find(|f| f.file.name == file).expect("the sample is open");
        let mut clips = file.file.entries_with(Content::Clip).into_iter();
        let entry = clips.find(|e| file.file.entry(*e).is_some_and(|e| e.name == clip));
        Place { file: file.id, entry: entry.expect("the sample has the clip") }
    };
    apply(window, Command::Stage(StageCommand::Show(wanted)));
    if window.state().session().borrow().state.stages.front.playback().unwrap().player.playing {
        apply(window, Command::Transport(TransportCommand::TogglePlay));
    }
    apply(window, Command::Transport(TransportCommand::Seek(frame)));
}

/// The ActorX samples with a clip at a frame, paused.
pub fn ossie(clip: &str, frame: f32) -> Window {
    let mut window = showing("Ossie.psk", "");
    pose(&mut window, "Ossie.psa", clip, frame);
    window
}

/// Seeks to this fraction of the shown sound.
pub fn seek_sound(window: &mut Window, part: f32) {
    let at = {
        let kept = window.state().session().borrow();
        let sound = kept.state.stages.front.sound().expect("a sound is shown");
        (sound.pcm().expect("its samples are there").frames() as f32 * part) as usize
    };
    apply(window, Command::Sound(SoundCommand::Seek(at)));
}

/// Shows the entry of a sample with this path: a model, or a clip on its model.
pub fn show_all(window: &mut Window, file: &str, paths: &[&str]) {
    for path in paths {
        show(window, file, path);
    }
}

/// The squid with several of its animations at once, paused at a frame.
pub fn squid(clips: &[&str], frame: f32) -> Window {
    let mut window = showing("Bonebox.szs", "Bonebox.arc/bmd/lumo.bmd");
    let paths: Vec<String> = clips.iter().map(|clip| format!("Bonebox.arc/{clip}")).collect();
    show_all(&mut window, "Bonebox.szs", &paths.iter().map(String::as_str).collect::<Vec<_>>());
    if window.state().session().borrow().state.stages.front.playback().unwrap().player.playing {
        apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    }
    apply(&mut window, Command::Transport(TransportCommand::Seek(frame)));
    apply(&mut window, Command::Camera(CameraCommand::Frame));
    window
}

/// The snail with a clip at a frame, paused.
pub fn snail(clip: &str, frame: f32) -> Window {
    let mut window = showing("Helix.model", "");
    pose(&mut window, "Helix.anm", clip, frame);
    apply(&mut window, Command::Camera(CameraCommand::Frame));
    window
}

/// The island, seen from the south-west.
pub fn island() -> Window {
    showing("MarrowIsle.pew", "Terrain")
}

/// Objects on the island with this type name.
pub fn props_of(window: &Window, kind: &str) -> Vec<u32> {
    let kept = window.state().session().borrow();
    let terrain = &kept.state.stages.front.landscape().expect("the island is shown").terrain;
    let of_kind = |prop: &Prop| terrain.kind_of(prop).is_some_and(|k| k.name.ends_with(kind));
    (0..).zip(&terrain.props).filter(|(_, prop)| of_kind(prop)).map(|(index, _)| index).collect()
}

/// Reads the state.
pub fn read<T>(window: &Window, what: impl FnOnce(&State) -> T) -> T {
    what(&window.state().session().borrow().state)
}
