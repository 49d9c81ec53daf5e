//! The image panel and the gallery, driven through their labels; time is set by the test.

use crate::kit;
mod made;

use bonebox::{
    formats::{
        Asset, EntryId,
        unreal::encode::{Export, Mip, PackageWriter, TextureData, write_palette, write_texture},
    },
    ui::{
        app::{App, Kept},
        command::Command,
        settings::Settings,
        state::{Clock, Effect, FileId, Place, ShownPicture, Stage, State, ThumbnailState},
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
    state.picture = Some(ShownPicture::new(place, asset, 1).0);
    state.effects.push(Effect::BringUp(Stage::Image));
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

#[test]
fn a_computed_texture_runs_by_the_clock_and_holds() {
    let mut window = window(Asset::Procedural(made::fire()));
    let frame = |window: &Window| {
        let kept = window.state().kept().borrow();
        kept.state.picture.as_ref().unwrap().running.as_ref().unwrap().simulation().frame()
    };
    window.get_by_label("Frame 0");
    pass(&mut window, 0.2);
    assert_eq!(frame(&window), 6, "30 a second");
    window.get_by_label("Frame 6");
    look(&mut window, "fire_dark.png");
    // Held: time passes, the frame stays, and the window is not drawn for it.
    apply(&mut window, Command::TogglePicturePlay);
    pass(&mut window, 1.0);
    assert_eq!(frame(&window), 6);
    window.get_by_label("Next frame").click();
    window.run_steps(3);
    assert_eq!(frame(&window), 7);
    window.get_by_label("Previous frame").click();
    window.run_steps(3);
    assert_eq!(frame(&window), 6);
    apply(&mut window, Command::SetPictureSpeed(2.0));
    assert_eq!(frame(&window), 6, "another speed, the same frame");
    apply(&mut window, Command::TogglePicturePlay);
    pass(&mut window, 0.1);
    assert_eq!(frame(&window), 12);
    window.get_by_label("From the first frame").click();
    window.run_steps(3);
    assert_eq!(frame(&window), 0);
    // Far behind it does not catch up at once.
    pass(&mut window, 1.0);
    assert_eq!(frame(&window), 16);
    apply(&mut window, Command::ToggleTheme);
    look(&mut window, "fire_light.png");
}

#[test]
fn a_texture_of_a_size_that_is_not_computed_says_so() {
    let mut texture = (*made::fire()).clone();
    texture.width = 4096;
    let mut window = window(Asset::Procedural(std::sync::Arc::new(texture)));
    look(&mut window, "fire_too_large.png");
    assert!(window.query_by_label("From the first frame").is_none());
    window.get_by_label("Parameters");
}

/// Every computed texture of the corpus, drawn when `BONEBOX_LOOK` names a folder.
#[test]
fn computed_textures_of_the_corpus_show() {
    let Some(folder) = kit::corpus() else { return };
    let folder = folder.join("unreal");
    for (file, name) in [
        ("FireEffect1.utx", "FireEffect1p"),
        ("ShaneFx.utx", "bluestuff"),
        ("ShaneFx.utx", "top2"),
        ("XC_Orb.utx", "BerserkBase"),
        ("XC_Orb.utx", "OrbMetal"),
    ] {
        let file = bonebox::library::open_path(&folder.join(file), bonebox::bytes::Limits::default()).unwrap();
        let entries = file.document.outline().entries();
        let is_texture = |e: &&bonebox::formats::Entry| e.name == name && e.class.ends_with("Texture");
        let entry = entries.iter().find(is_texture).unwrap().id;
        let cancel = std::sync::atomic::AtomicBool::new(false);
        let asset = file.load(entry, bonebox::formats::LoadOptions::default(), &cancel).unwrap().asset;
        let mut window = window(asset);
        for _ in 0..12 {
            pass(&mut window, 0.25);
        }
        window.get_by_label("Frame 90");
        look(&mut window, &format!("computed_{name}.png"));
    }
}

/// Textures of several sizes in a package, one of them without pixels.
fn package(folder: &std::path::Path) -> std::path::PathBuf {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", "Palette");
    let colors: Vec<[u8; 3]> = made::palette().colors.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
    let palette = package.add(&Export::new(class, "Warm"), |out| write_palette(out, &colors));
    let class = package.class("Engine", "Texture");
    for number in 0..40_u32 {
        let (width, height) = ([16, 64, 128, 256][number as usize % 4], [16, 128, 64, 256][number as usize / 2 % 4]);
        let pixel = |i: u32| (i % width * 3 + i / width * 2 + number * 5) as u8;
        let bytes = if number == 5 { Vec::new() } else { (0..width * height).map(pixel).collect() };
        let mips = vec![Mip { width, height, bytes }];
        let texture = TextureData { palette, mips, ..TextureData::default() };
        package.add(&Export::new(class, &format!("Wall{number:02}")), |out| write_texture(out, &texture));
    }
    let path = folder.join("Walls.utx");
    std::fs::write(&path, package.finish()).unwrap();
    path
}

#[test]
fn the_gallery_makes_thumbnails_of_what_is_in_sight_and_shows_what_is_clicked() {
    let folder = tempfile::tempdir().unwrap();
    let path = package(folder.path());
    let mut window = window(Asset::Palette(made::palette()));
    apply(&mut window, Command::Open(vec![path]));
    settle(&mut window);
    window.state().kept().borrow_mut().state.effects.push(Effect::BringUp(Stage::Gallery));
    window.run_steps(4);
    settle(&mut window);
    let made = |window: &Window, number: u32| {
        let kept = window.state().kept().borrow();
        let file = &kept.state.library.files[0];
        let entry = file.file.document.outline().find(&format!("Wall{number:02}")).unwrap().id;
        kept.state.thumbnails.get(Place { file: file.id, entry }).cloned()
    };
    let Some(ThumbnailState::Ready(first)) = made(&window, 3) else { panic!() };
    assert_eq!((first.size, first.image.width), ((256, 128), 128));
    assert!(matches!(made(&window, 5), Some(ThumbnailState::None(_))));
    look(&mut window, "gallery.png");
    window.get_by_label("Picture Wall02").click();
    window.run_steps(2);
    settle(&mut window);
    let is_shown = |kept: &Kept| {
        let shown = kept.state.picture.as_ref().map(|shown| &shown.asset);
        matches!(shown, Some(Asset::Picture(picture)) if picture.name == "Wall02")
    };
    assert!(is_shown(&window.state().kept().borrow()));
    window.state().kept().borrow_mut().state.effects.push(Effect::BringUp(Stage::Gallery));
    window.run_steps(4);
    apply(&mut window, Command::ToggleTheme);
    look(&mut window, "gallery_light.png");
    window.get_by_label("Filter pictures").click();
    window.run_steps(2);
    window.get_by_label("Filter pictures").type_text("wall1");
    window.run_steps(4);
    window.get_by_label("10 of 40 pictures");
    assert!(window.query_by_label("Picture Wall02").is_none());
    window.get_by_label("Picture Wall12");
}

/// Runs frames until no background work is left.
fn settle(window: &mut Window) {
    for _ in 0..2_000 {
        window.step();
        if !window.state().kept().borrow().state.is_busy() {
            window.run_steps(3);
            if !window.state().kept().borrow().state.is_busy() {
                return;
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    panic!("background work does not end");
}
