//! Makes the pictures of the README with the program itself: `cargo run --example screenshots` (or `scripts/screenshots`).

use bonebox::{
    formats::Content,
    ui::{
        app::{App, Kept},
        command::Command,
        settings::Settings,
        state::{Clock, Place, State},
    },
};
use egui_kittest::Harness;
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

type Window = Harness<'static, App>;

fn window() -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    Harness::builder().with_size([1280.0, 800.0]).wgpu().build_eframe(|cc| App::new(cc, kept))
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

/// The entry of an open file with this path.
fn place(window: &Window, path: &str) -> Place {
    let kept = window.state().kept().borrow();
    let files = &kept.state.library.files;
    let found = files.iter().find_map(|f| {
        let entry = f.file.document.outline().find(path)?;
        Some(Place { file: f.id, entry: entry.id })
    });
    found.unwrap_or_else(|| panic!("no {path} in the samples"))
}

fn save(window: &mut Window, folder: &Path, name: &str) {
    // Toasts go away before the picture is taken.
    for _ in 0..8 {
        let now = window.input_mut().time.unwrap_or_default();
        window.input_mut().time = Some(now + 2.0);
        window.step();
    }
    let picture = window.render().expect("the window is drawn");
    let path = folder.join(name);
    picture.save(&path).expect("the picture is written");
    println!("{}", path.display());
}

/// The samples with the clip called `clip` at a frame, paused.
fn with_sample(clip: &str, frame: f32) -> Window {
    let mut window = window();
    apply(&mut window, Command::OpenSamples);
    let wanted = {
        let kept = window.state().kept().borrow();
        let of = |f: &bonebox::library::OpenFile| {
            f.entries_with(Content::Clip).into_iter().find(|e| f.entry(*e).is_some_and(|e| e.name == clip))
        };
        kept.state.library.files.iter().find_map(|f| Some(Place { file: f.id, entry: of(&f.file)? }))
    };
    apply(&mut window, Command::Show(wanted.expect("the sample has the clip")));
    if window.state().kept().borrow().state.playback.player.playing {
        apply(&mut window, Command::TogglePlay);
    }
    apply(&mut window, Command::Seek(frame));
    window
}

fn main() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    std::fs::create_dir_all(&folder).expect("the folder is there");

    save(&mut window(), &folder, "empty.png");

    let mut sample = with_sample("Walk", 7.0);
    save(&mut sample, &folder, "sample.png");
    apply(&mut sample, Command::ToggleSkeleton);
    save(&mut sample, &folder, "skeleton.png");

    let mut inspector = with_sample("Idle", 96.0);
    apply(&mut inspector, Command::ToggleSkeleton);
    let bone = {
        let kept = inspector.state().kept().borrow();
        let shown = kept.state.shown.as_ref().expect("a model is shown");
        let joints = shown.model.skeleton.as_ref().expect("it has bones").joints();
        format!("REFSKELT/{}", joints[joints.len() / 3].name)
    };
    let bone = place(&inspector, &bone);
    apply(&mut inspector, Command::Select(bone));
    apply(&mut inspector, Command::SelectBytes(None));
    save(&mut inspector, &folder, "inspector.png");

    let mut light = with_sample("Idle", 70.0);
    apply(&mut light, Command::ToggleTheme);
    save(&mut light, &folder, "light.png");
}
