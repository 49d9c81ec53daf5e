//! The image panel and the gallery, driven through their labels; time is set by the test.

#[path = "ui_image/made.rs"]
mod made;
mod support;

use bonebox::{
    formats::{Asset, EntryId},
    ui::{
        app::{App, Kept},
        command::Command,
        settings::Settings,
        state::{Clock, FileId, PicturePlayer, Place, ShownPicture, Stage, State},
    },
};
use eframe::egui_wgpu::RendererOptions;
use egui_kittest::{Harness, kittest::Queryable as _};
use std::{cell::RefCell, rc::Rc};

type Window = Harness<'static, App>;

/// A window that shows an asset; pictures of it are drawn when `BONEBOX_LOOK` names a folder.
fn window(asset: Asset) -> Window {
    let mut state = State::new(Settings::default(), Clock::Set(0.0));
    let place = Place { file: FileId(1), entry: EntryId(1) };
    let player =
        PicturePlayer { playing: matches!(&asset, Asset::Picture(p) if p.flip_book.is_some()), time_secs: 0.0 };
    state.picture = Some(ShownPicture { place, asset, generation: 1, player });
    state.effects.push(bonebox::ui::state::Effect::BringUp(Stage::Image));
    let kept = Rc::new(RefCell::new(Kept::new(state)));
    // Unfiltered, as in the window.
    let options = RendererOptions { predictable_texture_filtering: false, ..RendererOptions::PREDICTABLE };
    let mut builder = Harness::builder().with_size([1280.0, 800.0]).with_render_options(options);
    if std::env::var_os("BONEBOX_LOOK").is_some() {
        builder = builder.wgpu();
    }
    let mut window = builder.build_eframe(|cc| App::new(cc, kept));
    window.run_steps(6);
    window
}

fn look(window: &mut Window, name: &str) {
    let Some(folder) = std::env::var_os("BONEBOX_LOOK") else { return };
    window.run_steps(4);
    let picture = window.render().expect("the window is drawn");
    picture.save(std::path::Path::new(&folder).join(name)).expect("the picture is written");
}

fn apply(window: &mut Window, command: Command) {
    window.state().kept().borrow_mut().state.apply(command);
    window.run_steps(4);
}

fn pass(window: &mut Window, seconds: f64) {
    {
        let mut kept = window.state().kept().borrow_mut();
        let now = kept.state.clock.now_secs();
        kept.state.clock = Clock::Set(now + seconds);
    }
    window.run_steps(2);
}

#[test]
fn a_texture_shows_its_forms_mips_and_pixels() {
    let mut window = window(Asset::Picture(made::picture()));
    window.get_by_label("Picture Wall");
    look(&mut window, "image_dark.png");
    let canvas = window.get_by_label("Picture Wall").rect();
    window.hover_at(canvas.center() + egui::vec2(3.0, 3.0));
    window.run_steps(3);
    window.get_by_label_contains("palette index");
    look(&mut window, "image_hover.png");
    window.get_by_label("Tiled").click();
    window.run_steps(3);
    look(&mut window, "image_tiled.png");
    apply(&mut window, Command::ToggleTheme);
    look(&mut window, "image_light.png");
}

#[test]
fn a_palette_is_a_page_of_swatches() {
    let mut window = window(Asset::Palette(made::palette()));
    window.get_by_label("Palette Warm, 256 colours");
    look(&mut window, "palette.png");
}

#[test]
fn a_font_shows_its_boxes_and_sets_a_text() {
    let mut window = window(Asset::Font(made::font()));
    window.get_by_label("Sample text");
    look(&mut window, "font.png");
    apply(&mut window, Command::ToggleTheme);
    look(&mut window, "font_light.png");
}

#[test]
fn a_flip_book_plays_by_the_clock_and_is_scrubbed() {
    let mut window = window(Asset::Picture(made::flip_book()));
    window.get_by_label("Frame 1 of 8");
    pass(&mut window, 0.25);
    window.get_by_label("Frame 3 of 8");
    look(&mut window, "flip_book.png");
    window.get_by_label("Next frame").click();
    window.run_steps(3);
    window.get_by_label("Frame 4 of 8");
    pass(&mut window, 1.0);
    window.get_by_label("Frame 4 of 8");
}
