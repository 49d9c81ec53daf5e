//! The real application without a display: time is set by the test, and frames are run until no work is left.

use bonebox::ui::{
    app::{App, Kept},
    command::Command,
    settings::Settings,
    state::{Clock, State},
};
use egui::accesskit::Role;
use egui_kittest::{Harness, HarnessBuilder, kittest::Queryable as _};
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

pub type Window = Harness<'static, App>;

/// How long background work may take before it counts as endless.
const PATIENCE: Duration = Duration::from_secs(120);

pub const SIZE: [f32; 2] = [1280.0, 800.0];

/// A state whose clock stands still.
pub fn state() -> State {
    State::new(Settings::default(), Clock::Set(0.0))
}

/// What outlives a window.
pub fn kept(state: State) -> Rc<RefCell<Kept>> {
    Rc::new(RefCell::new(Kept::new(state)))
}

/// An empty window of [`SIZE`].
pub fn window() -> Window {
    window_of(kept(state()), SIZE)
}

/// A window with files on it, settled.
pub fn window_with(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Window {
    let mut window = window();
    apply(&mut window, Command::Open(files.into_iter().map(Into::into).collect()));
    window
}

/// A window over a state. With `BONEBOX_LOOK` set it is drawn by a device, so that `look` can save pictures.
pub fn window_of(kept: Rc<RefCell<Kept>>, size: [f32; 2]) -> Window {
    window_built(Harness::builder(), kept, size)
}

/// As [`window_of`], with options of its own.
pub fn window_built(builder: HarnessBuilder<App>, kept: Rc<RefCell<Kept>>, size: [f32; 2]) -> Window {
    let mut builder = builder.with_size(size);
    if looks() {
        builder = builder.wgpu();
    }
    builder.build_eframe(|cc| App::new(cc, kept))
}

/// Whether pictures of windows are wanted: `BONEBOX_LOOK` names the folder that they go to.
pub fn looks() -> bool {
    std::env::var_os("BONEBOX_LOOK").is_some()
}

/// Saves a picture of the window for a person to look at, where `BONEBOX_LOOK` asks for it.
pub fn look<T>(window: &mut Harness<'static, T>, name: &str) {
    if let Some(folder) = std::env::var_os("BONEBOX_LOOK") {
        std::fs::create_dir_all(&folder).unwrap();
        window.render().unwrap().save(Path::new(&folder).join(format!("{name}.png"))).unwrap();
    }
}

/// Reads or changes the state.
pub fn read<T>(window: &Window, what: impl FnOnce(&mut State) -> T) -> T {
    what(&mut window.state().kept().borrow_mut().state)
}

/// Applies a command and settles.
pub fn apply(window: &mut Window, command: Command) {
    read(window, |state| state.apply(command));
    settle(window);
}

/// Runs frames until no background work is left and what came of it is shown.
#[track_caller]
pub fn settle(window: &mut Window) {
    let end = Instant::now() + PATIENCE;
    let mut idle = 0;
    // Results may start further work, and are laid out a frame after they arrive.
    while idle < 3 {
        window.step();
        idle = if read(window, |s| s.is_busy()) { 0 } else { idle + 1 };
        if idle == 0 {
            assert!(Instant::now() < end, "background work does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// As [`settle`], without a window.
#[track_caller]
pub fn settle_state(state: &mut State) {
    let end = Instant::now() + PATIENCE;
    let mut idle = 0;
    while idle < 2 {
        state.tick();
        idle = if state.is_busy() { 0 } else { idle + 1 };
        if idle == 0 {
            assert!(Instant::now() < end, "background work does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Lets time go by.
pub fn pass(window: &mut Window, seconds: f64) {
    read(window, |state| state.clock = Clock::Set(state.clock.now_secs() + seconds));
    window.step();
}

/// The lines of the log.
pub fn log(window: &Window) -> Vec<String> {
    read(window, |s| s.log.entries().iter().map(|e| e.text()).collect())
}

/// Whether a widget has this label.
pub fn has(window: &Window, label: &str) -> bool {
    window.query_all_by_label(label).next().is_some()
}

/// Clicks the button with this label.
#[track_caller]
pub fn click(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    settle(window);
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|e| e.to_string())
    }
}

/// Drops a file on the window, as a file manager does.
pub fn drop_on(window: &mut Window, path: &Path) {
    window.input_mut().dropped_files.push(Arc::new(Dropped(path.to_owned())));
    window.step();
    settle(window);
}
