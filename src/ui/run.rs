//! Opens the window.

use super::{
    app::{App, Kept},
    command::Command,
    log_buffer::LogBuffer,
    settings::Settings,
    state::{Clock, State},
};
use std::{cell::RefCell, path::PathBuf, process::ExitCode, rc::Rc, time::Instant};

/// What the command line says about the window.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files and folders to open.
    pub paths: Vec<PathBuf>,
    /// Use X11 where both are there: file drops do not work on Wayland.
    pub x11: bool,
}

/// Shows the window until it is closed.
pub fn run(options: Options) -> ExitCode {
    let program_log = LogBuffer::default();
    program_log.install();
    let kept: Rc<RefCell<Option<Rc<RefCell<Kept>>>>> = Rc::default();
    let result = eframe::run_native(
        "Bonebox",
        native_options(&options),
        Box::new(move |cc| {
            let existing = kept.borrow().clone();
            let kept = existing.unwrap_or_else(|| {
                let mut state = State::new(Settings::load(cc.storage), Clock::Real(Instant::now()));
                state.apply(Command::Open(options.paths));
                let mut fresh = Kept::new(state);
                fresh.views.program_log = program_log.clone();
                let fresh = Rc::new(RefCell::new(fresh));
                *kept.borrow_mut() = Some(fresh.clone());
                fresh
            });
            Ok(Box::new(App::new(cc, kept)))
        }),
    );
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bonebox: the window cannot be opened: {error}");
            ExitCode::FAILURE
        }
    }
}

fn native_options(options: &Options) -> eframe::NativeOptions {
    let mut native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_app_id("bonebox")
            .with_title("Bonebox")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([760.0, 480.0])
            .with_drag_and_drop(true),
        dithering: false,
        ..eframe::NativeOptions::default()
    };
    if options.x11 {
        native.event_loop_builder = Some(Box::new(|builder| {
            #[cfg(target_os = "linux")]
            winit::platform::x11::EventLoopBuilderExtX11::with_x11(builder);
            #[cfg(not(target_os = "linux"))]
            let _ = builder;
        }));
    }
    native
}
