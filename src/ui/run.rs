//! Opens the window, and opens it again when the graphics device was lost: eframe never replaces its device, so all state lies
//! outside and the window is left and entered anew.

use super::{
    app::{App, Session},
    settings::Settings,
    state::{Clock, LogEntry, State},
    status_file::{Startup, StatusFile},
    viewport_gpu,
};
use crate::formats::Severity;
use std::{
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::ExitCode,
    rc::Rc,
    time::Instant,
};

/// Losses in a row after which Bonebox gives up.
const MAX_LOSSES: usize = 20;

/// What the window is for the system, and the folder of its settings.
const APP_ID: &str = "bonebox";

/// What the command line says about the window.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files and folders to open.
    pub paths: Vec<PathBuf>,
    /// Use X11 where both are there: file drops do not work on Wayland.
    pub x11: bool,
    /// Keep this file saying what the window shows.
    pub status: Option<PathBuf>,
    /// When the program began.
    pub begun: Instant,
}

/// Shows the window until it is closed.
pub fn run(options: Options) -> ExitCode {
    let slot: Slot = Rc::default();
    let windows = Rc::new(Cell::new(0_usize));
    let mut attempt = 0;
    let mut losses = 0;
    let mut reasons = Vec::new();
    loop {
        let before = windows.get();
        let result = catch_unwind(AssertUnwindSafe(|| one_window(&options, attempt, &slot, &windows)));
        // Windows are counted where they are made: after a panic the next one can be over before it began.
        let opened = windows.get() > before;
        let lost = slot.borrow().as_ref().is_some_and(|kept| kept.borrow().device_lost);
        match result {
            Ok(Ok(())) if !lost && opened => return ExitCode::SUCCESS,
            Ok(Err(error)) => {
                reasons.push(error.to_string());
                attempt += 1;
            }
            Err(panic) if !lost => std::panic::resume_unwind(panic),
            _ => losses += 1,
        }
        if attempt >= viewport_gpu::ATTEMPTS {
            eprintln!("bonebox: the window cannot be opened: {}", reasons.join("; "));
            eprintln!(
                "bonebox: it needs a display (X11 or Wayland) and a Vulkan or OpenGL driver; on Debian and Ubuntu: \
                 apt install mesa-vulkan-drivers libvulkan1 libxkbcommon-x11-0. The verbs of the command line work without."
            );
            return ExitCode::FAILURE;
        }
        if losses > MAX_LOSSES {
            eprintln!("bonebox: the graphics device was lost {losses} times; see the driver's log");
            return ExitCode::FAILURE;
        }
        if lost && let Some(kept) = slot.borrow().as_ref() {
            let message = "the graphics device was lost and is set up again; nothing that was open is gone";
            kept.borrow_mut().state.log.announce(LogEntry::new(Severity::Warning, "", message));
        }
    }
}

type Slot = Rc<RefCell<Option<Rc<RefCell<Session>>>>>;

fn one_window(options: &Options, attempt: usize, slot: &Slot, windows: &Rc<Cell<usize>>) -> eframe::Result {
    let native = native_options(options, attempt, slot);
    let (slot, windows, options) = (slot.clone(), windows.clone(), options.clone());
    let mut startup = Startup::new(options.begun);
    startup.before_window = options.begun.elapsed();
    eframe::run_native(
        "Bonebox",
        native,
        Box::new(move |cc| {
            windows.set(windows.get() + 1);
            startup.window_made = Some(Instant::now());
            let existing = slot.borrow().clone();
            let kept = existing.unwrap_or_else(|| {
                let mut state = State::new(Settings::load(cc.storage), Clock::Real(Instant::now()));
                state.no_drops = is_wayland(cc);
                if options.paths.is_empty() {
                    state.restore_session();
                } else {
                    state.open_named(options.paths);
                }
                let mut fresh = Session::new(state);
                fresh.status = options.status.map(StatusFile::new);
                fresh.startup = Some(startup);
                let fresh = Rc::new(RefCell::new(fresh));
                *slot.borrow_mut() = Some(fresh.clone());
                fresh
            });
            Ok(Box::new(App::new(cc, kept)))
        }),
    )
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

fn native_options(options: &Options, attempt: usize, slot: &Slot) -> eframe::NativeOptions {
    let mut viewport = egui::ViewportBuilder::default()
        .with_app_id(APP_ID)
        .with_title("Bonebox")
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([760.0, 480.0])
        .with_drag_and_drop(true);
    let window = slot.borrow().as_ref().and_then(|kept| kept.borrow().window);
    if let Some(window) = window {
        viewport = viewport.with_position(window.min).with_inner_size(window.size());
    }
    let mut native = eframe::NativeOptions {
        viewport,
        dithering: false,
        wgpu_options: viewport_gpu::setup(attempt),
        ..eframe::NativeOptions::default()
    };
    #[cfg(target_os = "linux")]
    if options.x11 {
        native.event_loop_builder =
            Some(Box::new(|builder| _ = winit::platform::x11::EventLoopBuilderExtX11::with_x11(builder)));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = options.x11;
    native.persist_window = window.is_none();
    native.persistence_path = eframe::storage_dir(APP_ID).and_then(|folder| other_storage(&folder));
    native
}

/// Where settings are kept when a pipe or a device lies in their usual place: opening one could wait for ever.
fn other_storage(folder: &Path) -> Option<PathBuf> {
    let can_be = |path: &PathBuf| std::fs::metadata(path).map_or(true, |meta| meta.is_file());
    let usual = folder.join("app.ron");
    if can_be(&usual) {
        return None;
    }
    let other = (2..10).map(|number| folder.join(format!("app-{number}.ron"))).find(can_be)?;
    log::error!("{}: it is no file; the settings are kept in {}", usual.display(), other.display());
    Some(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_kept_elsewhere_when_their_place_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(other_storage(folder.path()), None);
        std::fs::write(at("app.ron"), "").unwrap();
        assert_eq!(other_storage(folder.path()), None);
        std::fs::remove_file(at("app.ron")).unwrap();
        std::fs::create_dir(at("app.ron")).unwrap();
        assert_eq!(other_storage(folder.path()), Some(at("app-2.ron")));
        std::fs::create_dir(at("app-2.ron")).unwrap();
        assert_eq!(other_storage(folder.path()), Some(at("app-3.ron")));
    }
}
