//! Opens the window, and opens it again when the graphics device was lost: eframe never replaces its device, so all state lies
//! outside and the window is left and entered anew.

use crate::{
    environment,
    formats::Severity,
    library::{Quarantine, collection::Store},
    ui::{
        app::{App, Session},
        file_watch,
        layout::Placement,
        own_session::OwnSession,
        session_file::{Loaded, SessionWriter},
        state::{Clock, LogEntry, Message, State},
        status_file::{Startup, StatusFile},
        viewport_gpu,
        window_system::{Offered, WindowSystem},
    },
};
use std::{
    cell::{Cell, RefCell},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    process::ExitCode,
    rc::Rc,
};
use web_time::Instant;

/// Losses in a row after which Bonebox gives up.
const MAX_LOSSES: usize = 20;

/// What the window is for the system.
const APP_ID: &str = "bonebox";

/// What the window system shows for the window where it knows no program of that name.
const ICON: &[u8] = include_bytes!("../../assets/desktop/icons/bonebox-128.png");

/// What the command line says about the window.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files and folders to open.
    pub paths: Vec<PathBuf>,
    /// A view to bring back.
    pub view: Option<PathBuf>,
    /// The window system that was asked for.
    pub asked: Option<WindowSystem>,
    /// Keep this file saying what the window shows.
    pub status: Option<PathBuf>,
    /// When the program began.
    pub begun: Instant,
}

const NEEDS: &str = if cfg!(target_os = "linux") {
    "a display (X11 or Wayland) and a Vulkan or OpenGL driver; on Debian and Ubuntu: \
     apt install mesa-vulkan-drivers libvulkan1 libxkbcommon-x11-0"
} else if cfg!(windows) {
    "a Vulkan, Direct3D 12 or OpenGL driver"
} else {
    "a display and a driver for Metal, Vulkan or OpenGL"
};

/// Shows the window until it is closed.
pub fn run(options: Options) -> ExitCode {
    let code = show(options);
    // Files that jobs still read end nothing.
    Quarantine::shared().end();
    code
}

fn show(options: Options) -> ExitCode {
    // Other windows keep other sessions until this function returns, and the last change is written.
    let own = OwnSession::of_user();
    let slot: Slot = Rc::default();
    let opening = Opening::of(own.as_ref());
    let windows = Rc::new(Cell::new(0_usize));
    let offered = Offered::here();
    let x11_is_a_guess = options.asked.is_none() && offered.choose(None) == Some(WindowSystem::X11);
    let mut attempt = 0;
    let mut losses = 0;
    let mut reasons = Vec::new();
    loop {
        let before = windows.get();
        let result =
            catch_unwind(AssertUnwindSafe(|| one_window(&options, offered, &opening, attempt, &slot, &windows)));
        // Windows are counted where they are made: after a panic the next one can be over before it began.
        let opened = windows.get() > before;
        let lost = slot.borrow().as_ref().is_some_and(|kept| kept.borrow().device_lost);
        match result {
            Ok(Ok(())) if !lost && opened => {
                keep_last(&slot);
                return ExitCode::SUCCESS;
            }
            Ok(Err(error)) => {
                reasons.push(error.to_string());
                attempt += 1;
            }
            Err(panic) if !lost => {
                if x11_is_a_guess && windows.get() == 0 {
                    leave_for_wayland("internal error");
                }
                std::panic::resume_unwind(panic)
            }
            _ => losses += 1,
        }
        if attempt >= viewport_gpu::ATTEMPTS {
            if x11_is_a_guess && windows.get() == 0 {
                leave_for_wayland(&reasons.join("; "));
            }
            if has_no_display() {
                eprintln!(
                    "bonebox: no display found. Set DISPLAY or WAYLAND_DISPLAY, or use the command line: bonebox --help"
                );
                return ExitCode::FAILURE;
            }
            eprintln!("bonebox: cannot open a window: {}", reasons.join("; "));
            eprintln!("bonebox: a window needs {NEEDS}. The command line works without a window: bonebox --help");
            return ExitCode::FAILURE;
        }
        if losses > MAX_LOSSES {
            eprintln!("bonebox: the graphics device was lost {losses} times. See the driver's log");
            return ExitCode::FAILURE;
        }
        if lost && let Some(kept) = slot.borrow().as_ref() {
            let message = "The graphics device was reset. All files remain open";
            kept.borrow_mut().state.core.log.announce(LogEntry::new(Severity::Warning, "", message));
        }
    }
}

/// True if Linux names no display to open a window on.
fn has_no_display() -> bool {
    let is_missing = |name: &&str| std::env::var_os(name).is_none_or(|value| value.is_empty());
    cfg!(target_os = "linux") && ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].iter().all(is_missing)
}

/// Opens the window through Wayland after all, where X11 was chosen but cannot be used. The program starts again: winit makes its event
/// loop once in a process.
fn leave_for_wayland(reason: &str) {
    eprintln!("bonebox: cannot open a window with X11 ({reason}). Trying Wayland");
    environment::start_again(&["--wayland"]);
}

/// What is looked at when the window is closed comes back at the next start.
fn keep_last(slot: &Slot) {
    if let Some(kept) = slot.borrow().as_ref() {
        let Session { state, writer, .. } = &mut *kept.borrow_mut();
        state.keep_view(true);
        if let Some(writer) = writer {
            writer.keep(&state.core.settings);
        }
    }
}

/// The session that a window opens with.
#[derive(Clone, Default)]
struct Opening {
    loaded: Loaded,
    /// The file that keeps the session.
    path: Option<PathBuf>,
    /// A message about other windows.
    notice: Option<LogEntry>,
}

impl Opening {
    fn of(own: Option<&io::Result<OwnSession>>) -> Self {
        match own {
            None => Self::default(),
            Some(Ok(own)) => {
                let name = own.path.file_name().unwrap_or_default().to_string_lossy();
                let notice = format!("Another Bonebox window is open. This window saves its session in {name}");
                let notice = own.is_beside_another().then(|| LogEntry::new(Severity::Info, "", notice));
                Self { loaded: own.load(), path: Some(own.path.clone()), notice }
            }
            Some(Err(error)) => {
                let notice = LogEntry::new(Severity::Warning, "", format!("Cannot save the session: {error}"));
                Self { notice: Some(notice), ..Self::default() }
            }
        }
    }
}

type Slot = Rc<RefCell<Option<Rc<RefCell<Session>>>>>;

fn one_window(
    options: &Options,
    offered: Offered,
    opening: &Opening,
    attempt: usize,
    slot: &Slot,
    windows: &Rc<Cell<usize>>,
) -> eframe::Result {
    let place =
        slot.borrow().as_ref().map_or(opening.loaded.settings.window, |kept| kept.borrow().state.core.settings.window);
    let native = native_options(offered.choose(options.asked), attempt, place);
    let (slot, windows, options, opening) = (slot.clone(), windows.clone(), options.clone(), opening.clone());
    let mut startup = Startup::new(options.begun);
    startup.before_window = options.begun.elapsed();
    eframe::run_native(
        "Bonebox",
        native,
        Box::new(move |cc| {
            windows.set(windows.get() + 1);
            startup.window_made = Some(Instant::now());
            bring_on_screen(cc);
            let existing = slot.borrow().clone();
            let kept = existing.unwrap_or_else(|| {
                let Opening { loaded, path, notice } = opening;
                let mut state = State::new(loaded.settings.clone(), Clock::Real(Instant::now()));
                for finding in &loaded.findings {
                    state.core.log.push(LogEntry::new(Severity::Warning, "", finding.clone()));
                }
                notice.into_iter().for_each(|notice| state.core.log.announce(notice));
                let writer = path.and_then(|path| session_writer(&mut state, path, &loaded));
                state.no_drops = is_wayland(cc).then(|| offered.why_no_drops());
                if let Some(store) = Store::of_user() {
                    state.core.start_quarantine(&store);
                    state.collection.start_collection(&mut state.core, store);
                }
                if options.paths.is_empty() && options.view.is_none() {
                    state.restore_session();
                }
                state.core.open_named(options.paths);
                if let Some(view) = options.view {
                    state.core.open_view(view);
                }
                let mut fresh = Session::new(state);
                fresh.status = options.status.map(StatusFile::new);
                fresh.startup = Some(startup);
                fresh.writer = writer;
                fresh.watch = file_watch::start(&mut fresh.state);
                fresh.root_watch = file_watch::start_roots(&mut fresh.state);
                let fresh = Rc::new(RefCell::new(fresh));
                *slot.borrow_mut() = Some(fresh.clone());
                fresh
            });
            Ok(Box::new(App::new(cc, kept)))
        }),
    )
}

/// What keeps the session on disk; the log says where nothing can.
fn session_writer(state: &mut State, path: PathBuf, loaded: &Loaded) -> Option<SessionWriter> {
    let (sender, wake, name) = (state.core.works.sender(), state.core.works.waker(), path.display().to_string());
    let cannot = move |error: &std::io::Error| {
        LogEntry::new(Severity::Warning, "", format!("Cannot save the session in {name}: {error}"))
    };
    let say = cannot.clone();
    let tell = move |error: &std::io::Error| {
        let _ = sender.send(Message::Log(say(error)));
        wake();
    };
    let on_disk = loaded.is_on_disk.then(|| loaded.settings.clone());
    SessionWriter::start(path, on_disk, tell).inspect_err(|error| state.core.log.push(cannot(error))).ok()
}

/// A window that was on a screen which is no longer there comes to the first one.
fn bring_on_screen(cc: &eframe::CreationContext<'_>) {
    let Some(window) = cc.winit_window() else { return };
    let Ok(at) = window.outer_position() else { return };
    let is_on = |(from, size): (i32, u32), at: i32| (from..from.saturating_add_unsigned(size)).contains(&at);
    let is_seen = window.available_monitors().any(|screen| {
        let (from, size) = (screen.position(), screen.size());
        is_on((from.x, size.width), at.x.saturating_add(64)) && is_on((from.y, size.height), at.y.saturating_add(8))
    });
    if !is_seen && let Some(screen) = window.available_monitors().next() {
        window.set_outer_position(screen.position());
    }
}

/// Whether this window is Wayland's, where no file drops arrive.
#[cfg(target_os = "linux")]
fn is_wayland(cc: &eframe::CreationContext<'_>) -> bool {
    use winit::raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
    cc.window_handle().is_ok_and(|handle| matches!(handle.as_raw(), RawWindowHandle::Wayland(_)))
}

#[cfg(not(target_os = "linux"))]
fn is_wayland(_: &eframe::CreationContext<'_>) -> bool {
    false
}

fn native_options(system: Option<WindowSystem>, attempt: usize, place: Option<Placement>) -> eframe::NativeOptions {
    let mut viewport = egui::ViewportBuilder::default()
        .with_app_id(APP_ID)
        .with_title("Bonebox")
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([760.0, 480.0])
        .with_drag_and_drop(true);
    if let Ok(icon) = eframe::icon_data::from_png_bytes(ICON) {
        viewport = viewport.with_icon(icon);
    }
    if let Some(place) = place {
        viewport = viewport.with_inner_size(place.size).with_maximized(place.maximized);
        if let Some(position) = place.position {
            viewport = viewport.with_position(position);
        }
    }
    let native = eframe::NativeOptions {
        viewport,
        dithering: false,
        wgpu_options: viewport_gpu::setup(attempt),
        // eframe writes on its own schedule and checks nothing that it reads: it gets no file.
        persistence_path: Some(PathBuf::new()),
        persist_window: false,
        ..eframe::NativeOptions::default()
    };
    #[cfg(target_os = "linux")]
    if let Some(system) = system {
        use winit::platform::{wayland::EventLoopBuilderExtWayland as _, x11::EventLoopBuilderExtX11 as _};
        return eframe::NativeOptions {
            event_loop_builder: Some(Box::new(move |builder| {
                _ = match system {
                    WindowSystem::X11 => builder.with_x11(),
                    WindowSystem::Wayland => builder.with_wayland(),
                };
            })),
            ..native
        };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = system;
    native
}
