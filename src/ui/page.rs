//! The window as a page in a browser.

use crate::ui::{
    app::{App, Session},
    browser::{self, Request},
    samples,
    settings::Settings,
    state::{Clock, LogEntry, State},
    status_file::{Startup, StatusFile},
    viewport_gpu,
};
use crate::{files, formats::Severity};
use std::{cell::RefCell, path::PathBuf, rc::Rc};
use wasm_bindgen::JsCast as _;
use web_time::Instant;

/// The element that the window is drawn on, in assets/page/index.html.
const CANVAS: &str = "canvas";

/// Opens the window on the page's canvas. The page's script says what to open.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| browser::fail(&format!("Bonebox crashed: {panic}"))));
    let _ = eframe::WebLogger::init(log::LevelFilter::Warn);
    for folder in [browser::GIVEN, browser::DOWNLOADS, samples::PAGE] {
        if let Err(error) = files::create_dir_all(folder) {
            log::error!("Cannot create {folder}: {error}");
        }
    }
    browser::serve();
    let begun = Instant::now();
    wasm_bindgen_futures::spawn_local(async move {
        let request = browser::request().await;
        match open(request, begun).await {
            Ok(()) => browser::started(),
            Err(error) => browser::fail(&error),
        }
    });
}

async fn open(request: Request, begun: Instant) -> Result<(), String> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("cannot access the page's document")?;
    let canvas = document.get_element_by_id(CANVAS).and_then(|it| it.dyn_into::<web_sys::HtmlCanvasElement>().ok());
    let canvas = canvas.ok_or("the page contains no canvas element")?;
    let options = eframe::WebOptions {
        dithering: false,
        wgpu_options: viewport_gpu::setup(0),
        // What the window does not use stays the browser's.
        should_prevent_default: Box::new(|event| !is_of_the_browser(event)),
        ..eframe::WebOptions::default()
    };
    let app = Box::new(move |cc: &eframe::CreationContext<'_>| {
        Ok(Box::new(window(cc, request, begun)) as Box<dyn eframe::App>)
    });
    eframe::WebRunner::new().start(canvas, options, app).await.map_err(|error| {
        let why = error.as_string().unwrap_or_else(|| format!("{error:?}"));
        format!("Bonebox needs a browser with WebGPU or WebGL 2: {why}")
    })
}

/// Reloading the page and the developer's tools.
fn is_of_the_browser(event: &egui::Event) -> bool {
    let egui::Event::Key { key, modifiers, .. } = event else { return false };
    matches!(key, egui::Key::F5 | egui::Key::F12) || *key == egui::Key::R && modifiers.command
}

fn window(cc: &eframe::CreationContext<'_>, request: Request, begun: Instant) -> App {
    let mut state = State::new(Settings::default(), Clock::Real(begun));
    state.exports.folder = Some(PathBuf::from(browser::DOWNLOADS));
    for sentence in request.failed {
        state.core.log.announce(LogEntry::new(Severity::Error, "", sentence));
    }
    state.core.open_named(request.paths);
    if let Some(view) = request.view {
        state.core.open_view(view);
    }
    let mut session = Session::new(state);
    session.status = request.status.then(|| StatusFile::new(PathBuf::from(browser::STATUS)));
    let startup = Startup::new(begun);
    session.startup = Some(Startup { window_made: Some(Instant::now()), ..startup });
    browser::watch(&cc.egui_ctx);
    App::new(cc, Rc::new(RefCell::new(session)))
}
