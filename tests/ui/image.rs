//! The image panel and the gallery, driven through their labels; time is set by the test.

mod made;

pub use made::{fire, flip_book};

use crate::kit::{self, app::*, open::load_of};
use bonebox::{
    formats::{
        Asset, EntryId,
        unreal::encode::{Export, Mip, PackageWriter, TextureData, write_palette, write_texture},
    },
    library::OpenOptions,
    ui::{
        command::{Command, StageCommand, TransportCommand, WindowCommand},
        state::{FileId, Place, ThumbnailState},
    },
};
use eframe::egui_wgpu::RendererOptions;
use egui_kittest::{Harness, kittest::Queryable as _};
use std::path::{Path, PathBuf};

/// A window that shows an asset.
pub fn showing(asset: Asset) -> Window {
    let mut state = state();
    let place = Place { file: FileId(1), entry: EntryId(1) };
    state.stages.front.present(&mut state.core, place, &asset);
    // Unfiltered, as in the window.
    let options = RendererOptions { predictable_texture_filtering: false, ..RendererOptions::PREDICTABLE };
    let mut window = window_built(Harness::builder().with_render_options(options), kept(state), SIZE);
    window.run_steps(6);
    window
}

#[test]
fn a_texture_shows_its_forms_mips_and_pixels() {
    let mut window = showing(Asset::Picture(made::picture()));
    window.get_by_label("Image Wall");
    look(&mut window, "image_dark");
    let canvas = window.get_by_label("Image Wall").rect();
    window.hover_at(canvas.center() + egui::vec2(3.0, 3.0));
    window.run_steps(3);
    window.get_by_label_contains("palette index");
    look(&mut window, "image_hover");
    click(&mut window, "Tiled");
    look(&mut window, "image_tiled");
    apply(&mut window, Command::Window(WindowCommand::ToggleTheme));
    look(&mut window, "image_light");
}

#[test]
fn a_palette_is_a_page_of_swatches() {
    let mut window = showing(Asset::Palette(made::palette()));
    window.get_by_label("Palette Warm, 256 colours");
    look(&mut window, "palette");
}

#[test]
fn a_font_shows_its_boxes_and_sets_a_text() {
    let mut window = showing(Asset::Font(made::font()));
    window.get_by_label("Sample text");
    look(&mut window, "font");
    apply(&mut window, Command::Window(WindowCommand::ToggleTheme));
    look(&mut window, "font_light");
}

#[test]
fn a_flip_book_plays_by_the_clock_and_is_scrubbed() {
    let mut window = showing(Asset::Picture(made::flip_book()));
    window.get_by_label("Frame 1 / 8");
    pass(&mut window, 0.25);
    window.get_by_label("Frame 3 / 8");
    look(&mut window, "flip_book");
    click(&mut window, "Next frame");
    window.get_by_label("Frame 4 / 8");
    pass(&mut window, 1.0);
    window.get_by_label("Frame 4 / 8");
}

#[test]
fn a_computed_texture_runs_by_the_clock_and_holds() {
    let mut window = showing(Asset::Procedural(made::fire()));
    let frame = |window: &Window| {
        read(window, |s| s.stages.front.image().unwrap().running.as_ref().unwrap().simulation().frame())
    };
    window.get_by_label("Frame 0");
    pass(&mut window, 0.2);
    assert_eq!(frame(&window), 6, "30 a second");
    window.get_by_label("Frame 6");
    look(&mut window, "fire_dark");
    // Held: time passes, the frame stays, and the window is not drawn for it.
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    pass(&mut window, 1.0);
    assert_eq!(frame(&window), 6);
    click(&mut window, "Next frame");
    assert_eq!(frame(&window), 7);
    click(&mut window, "Previous frame");
    assert_eq!(frame(&window), 6);
    apply(&mut window, Command::Transport(TransportCommand::SetSpeed(2.0)));
    assert_eq!(frame(&window), 6, "another speed, the same frame");
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    pass(&mut window, 0.1);
    assert_eq!(frame(&window), 12);
    click(&mut window, "First frame");
    assert_eq!(frame(&window), 0);
    // Far behind it does not catch up at once.
    pass(&mut window, 1.0);
    assert_eq!(frame(&window), 16);
    apply(&mut window, Command::Window(WindowCommand::ToggleTheme));
    look(&mut window, "fire_light");
}

#[test]
fn a_texture_of_a_size_that_is_not_computed_says_so() {
    let mut texture = (*made::fire()).clone();
    texture.width = 4096;
    let mut window = showing(Asset::Procedural(std::sync::Arc::new(texture)));
    look(&mut window, "fire_too_large");
    assert!(!has(&window, "First frame"), "there is nothing to play");
    window.get_by_label("Parameters");
    assert!(paints(&window, "Procedural textures of this size are not supported."));
}

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
        let file = OpenOptions::new().open(folder.join(file)).unwrap();
        let mut entries = file.document.outline().entries().iter();
        let texture = entries.find(|e| e.name == name && e.class.ends_with("Texture")).unwrap().id;
        let mut window = showing(load_of(&file, texture));
        for _ in 0..12 {
            pass(&mut window, 0.25);
        }
        window.get_by_label("Frame 90");
        look(&mut window, &format!("computed_{name}"));
    }
}

/// Textures of several sizes in a package, one of them without pixels.
pub fn package(folder: &Path) -> PathBuf {
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
    let mut window = showing(Asset::Palette(made::palette()));
    open(&mut window, [path]);
    apply(&mut window, Command::Stage(StageCommand::ShowGalleryOfSelected));
    // The gallery asks for thumbnails once it is drawn.
    window.run_steps(4);
    settle(&mut window);
    let made = |window: &Window, number: u32| {
        let place = place(window, &format!("Wall{number:02}"));
        read(window, |s| s.thumbnails.get(place).cloned())
    };
    let Some(ThumbnailState::Ready(first)) = made(&window, 3) else { panic!() };
    assert_eq!((first.size, first.image.width), ((256, 128), 128));
    assert!(matches!(made(&window, 5), Some(ThumbnailState::None(_))));
    look(&mut window, "gallery");
    click(&mut window, "Image Wall02");
    settle(&mut window);
    let shown = read(&window, |s| match s.stages.front.image().map(|shown| &shown.asset) {
        Some(Asset::Picture(picture)) => Some(picture.name.clone()),
        _ => None,
    });
    assert_eq!(shown.as_deref(), Some("Wall02"));
    apply(&mut window, Command::Stage(StageCommand::ShowGalleryOfSelected));
    window.run_steps(4);
    apply(&mut window, Command::Window(WindowCommand::ToggleTheme));
    look(&mut window, "gallery_light");
    type_into(&mut window, "Filter images", "wall1");
    window.get_by_label("10 of 40 images");
    assert!(!has(&window, "Image Wall02"));
    window.get_by_label("Image Wall12");
}
