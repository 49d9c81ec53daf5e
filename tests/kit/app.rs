//! The real application without a display: time is set by the test, and frames are run until no work is left.

use super::files::data;
use bonebox::ui::{
    app::{App, Session},
    command::{Command, LibraryCommand},
    layout::Tab,
    session_file::{self, SessionWriter},
    settings::Settings,
    state::{Clock, Place, State},
    theme,
};
use egui::{Event, Modifiers, PointerButton, Pos2, Shape, accesskit::Role};
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
pub fn kept(state: State) -> Rc<RefCell<Session>> {
    Rc::new(RefCell::new(Session::new(state)))
}

/// An empty window of [`SIZE`].
pub fn window() -> Window {
    window_of(kept(state()), SIZE)
}

/// A window with files on it, settled.
pub fn window_with(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Window {
    let mut window = window();
    open(&mut window, files);
    window
}

/// A window over a state. With `BONEBOX_LOOK` set it is drawn by a device, so that `look` can save pictures.
pub fn window_of(kept: Rc<RefCell<Session>>, size: [f32; 2]) -> Window {
    window_built(Harness::builder(), kept, size)
}

/// As [`window_of`], with options of its own.
pub fn window_built(builder: HarnessBuilder<App>, kept: Rc<RefCell<Session>>, size: [f32; 2]) -> Window {
    let mut builder = builder.with_size(size);
    if look_folder().is_some() {
        builder = builder.wgpu();
    }
    builder.build_eframe(|cc| App::new(cc, kept))
}

/// A panel by itself, with the program's fonts and theme.
pub fn panel<T: 'static>(
    size: [f32; 2],
    dark: bool,
    mut frame: impl FnMut(&mut egui::Ui, &mut T) + 'static,
    state: T,
) -> Harness<'static, T> {
    let mut is_styled = false;
    let styled = move |ui: &mut egui::Ui, state: &mut T| {
        // Fonts are there in the frame after they are asked for.
        if std::mem::replace(&mut is_styled, true) {
            frame(ui, state);
        } else {
            theme::install_fonts(ui.ctx());
            theme::apply(ui.ctx(), dark, 1.0);
        }
    };
    let mut panel = Harness::builder().with_size(size).build_ui_state(styled, state);
    panel.run_steps(4);
    panel
}

/// Where pictures are wanted for a person to look at: `BONEBOX_LOOK`, a folder that is made here.
pub fn look_folder() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("BONEBOX_LOOK")?);
    std::fs::create_dir_all(&folder).unwrap();
    Some(folder)
}

/// Saves a picture of a window or a panel where `BONEBOX_LOOK` asks for it.
pub fn look<T>(window: &mut Harness<'_, T>, name: &str) {
    if let Some(folder) = look_folder() {
        window.run_steps(4);
        window.render().unwrap().save(folder.join(format!("{name}.png"))).unwrap();
    }
}

/// Test files of a family in a folder of their own, where nothing else lies beside them.
pub fn alone(family: &str, names: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &&str| {
        let to = folder.path().join(name);
        std::fs::copy(data().join(family).join(name), &to).unwrap();
        to
    };
    let files = names.iter().map(copy).collect();
    (folder, files)
}

/// Reads the state.
pub fn read<T>(window: &Window, what: impl FnOnce(&State) -> T) -> T {
    what(&window.state().session().borrow().state)
}

/// Changes the state, or takes something out of it. Nothing is drawn meanwhile.
pub fn change<T>(window: &Window, what: impl FnOnce(&mut State) -> T) -> T {
    what(&mut window.state().session().borrow_mut().state)
}

/// Applies a command and settles.
#[track_caller]
pub fn apply(window: &mut Window, command: Command) {
    change(window, |state| state.apply(command));
    settle(window);
}

/// Opens files and settles.
#[track_caller]
pub fn open(window: &mut Window, files: impl IntoIterator<Item = impl Into<PathBuf>>) {
    apply(window, Command::Library(LibraryCommand::Open(files.into_iter().map(Into::into).collect())));
}

/// Runs frames until no background work is left and what came of it is shown.
#[track_caller]
pub fn settle(window: &mut Window) {
    let end = Instant::now() + PATIENCE;
    let mut idle = 0;
    // Results may start further work, and are laid out a frame after they arrive.
    while idle < 4 {
        window.step();
        idle = if read(window, |state| state.core.works.is_busy()) { 0 } else { idle + 1 };
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
        idle = if state.core.works.is_busy() { 0 } else { idle + 1 };
        if idle == 0 {
            assert!(Instant::now() < end, "background work does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Lets time go by: all of it in one frame, and another shows where that led.
pub fn pass(window: &mut Window, seconds: f64) {
    change(window, |state| state.core.clock = Clock::Set(state.core.clock.now_secs() + seconds));
    window.run_steps(2);
}

/// Brings a tab to the front of its panel.
pub fn bring_up(window: &mut Window, tab: Tab) {
    window.state().session().borrow_mut().dock.bring_up(tab);
    window.run_steps(4);
}

/// The lines of the log.
pub fn log(window: &Window) -> Vec<String> {
    read(window, lines)
}

/// The lines of a state's log.
pub fn lines(state: &State) -> Vec<String> {
    state.core.log.entries().iter().map(|e| e.text()).collect()
}

/// The entry at a path of the first file.
#[track_caller]
pub fn place(window: &Window, path: &str) -> Place {
    read(window, |state| {
        let file = &state.core.library.files[0];
        let entry = file.file.document.outline().find(path);
        Place { file: file.id, entry: entry.unwrap_or_else(|| panic!("{} has no {path}", file.file.name)).id }
    })
}

/// Whether a widget has this label.
pub fn has<T>(window: &Harness<'_, T>, label: &str) -> bool {
    window.query_all_by_label(label).next().is_some()
}

/// Whether a text is painted, for what has no label.
pub fn paints<T>(window: &Harness<'_, T>, text: &str) -> bool {
    fn within(shape: &Shape, text: &str) -> bool {
        match shape {
            Shape::Text(shape) => shape.galley.text().contains(text),
            Shape::Vec(shapes) => shapes.iter().any(|shape| within(shape, text)),
            _ => false,
        }
    }
    window.output().shapes.iter().any(|clipped| within(&clipped.shape, text))
}

/// Clicks what has this label.
#[track_caller]
pub fn click<T>(window: &mut Harness<'_, T>, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(4);
}

/// Clicks at a place of the window while modifier keys are held, and takes the pointer away.
pub fn click_at<T>(window: &mut Harness<'_, T>, pos: Pos2, modifiers: Modifiers) {
    window.event(Event::ModifiersChanged(modifiers));
    window.hover_at(pos);
    window.step();
    for pressed in [true, false] {
        window.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers });
        window.step();
    }
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.remove_cursor();
    // The next click is not the second half of a double one: a frame takes a quarter of a second.
    window.run_steps(4);
}

/// Presses at a place, lets go there, and takes the pointer away.
pub fn press_at<T>(window: &mut Harness<'_, T>, pos: Pos2) {
    window.drag_at(pos);
    window.run_steps(2);
    window.drop_at(pos);
    window.run_steps(4);
}

/// Drags the slider with this label to its right end.
#[track_caller]
pub fn drag_to_end<T>(window: &mut Harness<'_, T>, label: &str) {
    let rail = window.get_by_role_and_label(Role::Slider, label).rect();
    window.drag_at(rail.left_center() + egui::vec2(6.0, 0.0));
    window.run_steps(2);
    window.hover_at(rail.right_center());
    window.run_steps(2);
    window.drop_at(rail.right_center());
    window.run_steps(4);
}

/// Types into the field with this label.
#[track_caller]
pub fn type_into<T>(window: &mut Harness<'_, T>, label: &str, text: &str) {
    window.get_by_label(label).focus();
    window.run_steps(2);
    window.get_by_label(label).type_text(text);
    window.run_steps(4);
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

/// Drops files on the window at once, as a file manager does.
#[track_caller]
pub fn drop_on(window: &mut Window, files: &[PathBuf]) {
    for file in files {
        window.input_mut().dropped_files.push(Arc::new(Dropped(file.clone())));
    }
    window.step();
    settle(window);
}

/// A folder where windows keep their session, one after the other.
pub struct Disk(tempfile::TempDir);

impl Disk {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Where the session is.
    pub fn path(&self) -> PathBuf {
        self.0.path().join("session.txt")
    }

    pub fn settings(&self) -> Settings {
        session_file::load(&self.path()).settings
    }
}

/// What the window says for the next start.
pub fn saved(window: &mut Window) -> Disk {
    let disk = Disk::new();
    // Noticed at the end of a frame.
    window.step();
    change(window, |state| state.keep_view(true));
    session_file::write(&disk.path(), &read(window, |state| state.core.settings.clone())).unwrap();
    disk
}

/// The program started anew without files: its session is on its way back. It writes nothing.
pub fn started(disk: &Disk) -> Window {
    window_of(session(disk), SIZE)
}

/// The program started anew, as it keeps its session.
pub fn started_to_write(disk: &Disk) -> Window {
    let session = session(disk);
    let on_disk = Some(session.borrow().state.core.settings.clone()).filter(|_| disk.path().exists());
    session.borrow_mut().writer = Some(SessionWriter::start(disk.path(), on_disk, |error| panic!("{error}")).unwrap());
    window_of(session, SIZE)
}

fn session(disk: &Disk) -> Rc<RefCell<Session>> {
    let mut state = State::new(disk.settings(), Clock::Set(0.0));
    state.restore_session();
    kept(state)
}
