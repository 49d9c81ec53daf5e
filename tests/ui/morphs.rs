//! The sliders of a model's morphs.

use crate::kit;
use bonebox::ui::{
    app::{App, Kept},
    command::Command,
    settings::Settings,
    state::{Clock, State},
};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{cell::RefCell, path::PathBuf, rc::Rc, time::Duration};

type Window = Harness<'static, App>;

fn window() -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    let mut builder = Harness::builder().with_size([1280.0, 800.0]);
    if std::env::var_os("BONEBOX_SAVE_PICTURES").is_some() {
        builder = builder.wgpu();
    }
    builder.build_eframe(|cc| App::new(cc, kept))
}

/// Keeps a picture of the window where `BONEBOX_SAVE_PICTURES` names a folder.
fn keep(window: &mut Window, name: &str) {
    if let Some(folder) = std::env::var_os("BONEBOX_SAVE_PICTURES") {
        let picture = window.render().expect("a picture");
        picture.save(PathBuf::from(folder).join(name)).expect("a file");
    }
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

fn weights(window: &Window) -> Vec<f32> {
    read(window, |s| s.playback.player.morph_weights.clone())
}

/// Drags a slider to its right end.
fn drag(window: &mut Window, label: &str) {
    let rail = window.get_by_role_and_label(egui::accesskit::Role::Slider, label).rect();
    window.drag_at(rail.left_center() + egui::vec2(6.0, 0.0));
    window.run_steps(2);
    window.hover_at(rail.right_center());
    window.run_steps(2);
    window.drop_at(rail.right_center());
    window.run_steps(4);
}

fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(4);
}

#[test]
fn morphs_are_set_with_sliders_and_reset() {
    let mut window = window();
    open(&mut window, kit::data().join("actorx/syn_ext.psk"));
    assert_eq!(weights(&window), [0.0; 2]);
    assert!(window.query_by_label("Fat").is_none(), "the sliders come folded away");
    click(&mut window, "Morphs  2");
    // Nothing is set: there is nothing to reset.
    assert!(window.query_by_label("Reset morphs").is_none());
    drag(&mut window, "Tip");
    let set = weights(&window);
    assert!(set[0] == 0.0 && set[1] == 1.0, "{set:?}");
    keep(&mut window, "morphs.png");
    click(&mut window, "Reset morphs");
    assert_eq!(weights(&window), [0.0; 2]);
}
