//! Lamps, fog and background of the viewport, through their menu.

use crate::kit;
use bonebox::{
    gpu::{GxLights, GxSettings},
    ui::{
        app::{App, Kept},
        command::Command,
        settings::Settings,
        state::{Clock, State},
    },
};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{cell::RefCell, path::PathBuf, rc::Rc, time::Duration};

type Window = Harness<'static, App>;

fn window() -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    Harness::builder().with_size([1280.0, 800.0]).build_eframe(|cc| App::new(cc, kept))
}

fn read<T>(window: &Window, what: impl FnOnce(&State) -> T) -> T {
    what(&window.state().kept().borrow().state)
}

fn open(window: &mut Window, path: PathBuf) {
    window.state().kept().borrow_mut().state.apply(Command::Open(vec![path]));
    for _ in 0..2_000 {
        window.step();
        if !read(window, State::is_busy) && read(window, |s| s.shown.is_some()) {
            window.run_steps(3);
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("no model is shown");
}

fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(4);
}

#[test]
fn a_model_of_the_gamecube_offers_its_lamps() {
    let Some(corpus) = kit::corpus() else { return };
    let mut window = window();
    open(&mut window, corpus.join("j3d/model_normalstest.bmd"));
    assert_eq!(read(&window, |s| s.view.gx), GxSettings::default());
    click(&mut window, "Light and background");
    click(&mut window, "None");
    assert_eq!(read(&window, |s| s.view.gx.lights), GxLights::Off);
    click(&mut window, "Key lamp");
    assert_eq!(read(&window, |s| s.view.gx.lights), GxLights::Key);
    click(&mut window, "Colour");
    assert!(read(&window, |s| s.view.background.is_some()));
    click(&mut window, "The theme's");
    assert_eq!(read(&window, |s| s.view.background), None);
}

#[test]
fn other_models_have_the_background_alone() {
    let mut window = window();
    open(&mut window, kit::data().join("actorx/syn_arm.psk"));
    click(&mut window, "Light and background");
    assert!(window.query_by_label("Key lamp").is_none());
    assert!(window.query_by_label("Colour").is_some());
}
