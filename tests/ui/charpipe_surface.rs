//! The inspector on the materials of a character-pipeline model: formulas, and textures with the sampler that binds them.

use crate::kit;
use bonebox::ui::{
    app::{App, Kept},
    command::Command,
    settings::Settings,
    state::{Clock, Place, State},
};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{cell::RefCell, rc::Rc, time::Duration};

type Window = Harness<'static, App>;

fn settle(window: &mut Window) {
    for _ in 0..2_000 {
        window.step();
        if !window.state().kept().borrow().state.is_busy() {
            window.run_steps(3);
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("background work does not end");
}

fn apply(window: &mut Window, command: Command) {
    window.state().kept().borrow_mut().state.apply(command);
    settle(window);
}

#[test]
fn a_material_beside_meshes_shows_its_stages_and_textures() {
    let Some(corpus) = kit::corpus() else { return };
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    let mut window: Window = Harness::builder().with_size([1280.0, 900.0]).build_eframe(|cc| App::new(cc, kept));
    apply(&mut window, Command::Open(vec![corpus.join("charpipe/arm_full.model")]));
    let place = {
        let kept = window.state().kept().borrow();
        let file = &kept.state.library.files[0];
        let outline = file.file.document.outline();
        Place { file: file.id, entry: outline.find("GPL/material 1").unwrap().id }
    };
    apply(&mut window, Command::Show(place));
    // The second material, not the fourth: two meshes stand before it.
    window.get_by_label("texture 1");
    window.get_by_label("8 × 8  ·  CMPR  ·  repeat  ·  linear");
    window.get_by_label_contains("PREV.rgb");
}
