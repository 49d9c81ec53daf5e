//! Pictures in files of their own, opened, dropped and exported.

use crate::kit::{self, app::*};
use bonebox::{
    export::ExportFormat,
    formats::Asset,
    ui::{
        command::{Command, ExportCommand, LibraryCommand, StageCommand},
        state::StageContent,
    },
};
use egui_kittest::kittest::Queryable as _;
use std::path::{Path, PathBuf};

/// 4 × 2: a row of red, a row of blue that is half as opaque.
fn picture(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let pixel = |_, y| image::Rgba(if y == 0 { [255, 0, 0, 255] } else { [0, 0, 255, 128] });
    image::RgbaImage::from_fn(4, 2, pixel).save(&path).unwrap();
    path
}

/// The first pixel of each mip of the picture on the stage.
fn mips(window: &Window) -> Vec<(u32, u32, [u8; 4])> {
    read(window, |s| match &s.stages.front.image().expect("a picture").asset {
        Asset::Picture(picture) => {
            let mips = picture.forms[0].mips.iter();
            mips.map(|mip| (mip.width, mip.height, mip.rgba[..4].try_into().unwrap())).collect()
        }
        other => panic!("{other:?}"),
    })
}

#[test]
fn a_picture_that_is_dropped_without_a_model_is_on_the_stage() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["wall.png", "wall.tga", "wall.bmp"] {
        let mut window = window();
        apply(&mut window, Command::Library(LibraryCommand::Drop(vec![picture(folder.path(), name)])));
        assert_eq!(mips(&window), [(4, 2, [255, 0, 0, 255])], "{name}: {:?}", log(&window));
        window.get_by_label("Image wall");
        // The viewer of textures: channels, alpha, tiles.
        for label in ["Red", "Alpha", "Alpha as transparency", "Tiled"] {
            window.get_by_label(label);
        }
    }
}

#[test]
fn a_dds_shows_its_mips() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wall.dds");
    let word = |value: u32| value.to_le_bytes();
    let mut dds = [*b"DDS ", word(124), word(0x2_1007), word(4), word(4), word(8), word(0), word(3)].concat();
    dds.resize(76, 0);
    dds.extend([word(32), word(4), *b"DXT1", word(0), word(0), word(0), word(0), word(0), word(0x40_1008)].concat());
    dds.resize(128, 0);
    for color in [[0x00, 0xF8], [0xE0, 0x07], [0x1F, 0x00]] {
        dds.extend([color[0], color[1], 0, 0, 0, 0, 0, 0]);
    }
    std::fs::write(&path, dds).unwrap();
    let mut window = window_with([path]);
    assert_eq!(mips(&window), [(4, 4, [255, 0, 0, 255]), (2, 2, [0, 255, 0, 255]), (1, 1, [0, 0, 255, 255])]);
    click(&mut window, "Mip: 0");
    window.get_by_label("Mip 2  1 × 1");
}

#[test]
fn a_picture_that_fits_no_material_can_be_opened_by_its_notice() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let path = picture(folder.path(), "nothing.png");
    apply(&mut window, Command::Library(LibraryCommand::Drop(vec![path.clone()])));
    let notice = read(&window, |s| s.core.log.entries().iter().find_map(|e| e.action.clone()));
    assert_eq!(notice.as_ref().map(|(name, _)| &**name), Some("Open as image"), "{:?}", log(&window));
    apply(&mut window, notice.unwrap().1);
    assert_eq!(mips(&window).len(), 1);
    // And back to the model.
    apply(&mut window, Command::Stage(StageCommand::Back));
    assert!(read(&window, |s| s.stages.front.model().is_some()));
}

#[test]
fn a_folder_of_pictures_opens_and_one_beside_a_model_leaves_them_to_it() {
    let folder = tempfile::tempdir().unwrap();
    picture(folder.path(), "a.png");
    picture(folder.path(), "b.tga");
    let window = window_with([folder.path()]);
    let names = |window: &Window| {
        read(window, |s| s.core.library.files.iter().map(|f| f.file.name.clone()).collect::<Vec<_>>())
    };
    assert_eq!(names(&window), ["a.png", "b.tga"]);
    std::fs::copy(kit::data().join("actorx/syn_arm.psk"), folder.path().join("arm.psk")).unwrap();
    let window = window_with([folder.path()]);
    assert_eq!(names(&window), ["arm.psk"]);
}

#[test]
fn a_picture_is_exported_as_tga_by_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_with([picture(folder.path(), "wall.png")]);
    let place = read(&window, |s| s.stages.front.content.place().unwrap());
    apply(&mut window, Command::Export(ExportCommand::Prepare(place)));
    click(&mut window, "TGA image (.tga)");
    assert_eq!(read(&window, |s| s.exports.draft.as_ref().map(|draft| draft.format)), Some(ExportFormat::Tga));
    let target = folder.path().join("out.tga");
    apply(&mut window, Command::Export(ExportCommand::SetPath(target.clone())));
    apply(&mut window, Command::Export(ExportCommand::Run));
    let back = image::open(&target).unwrap().to_rgba8();
    assert_eq!((back.dimensions(), back.get_pixel(3, 1).0), ((4, 2), [0, 0, 255, 128]), "{:?}", log(&window));
}

#[test]
fn what_cannot_be_a_picture_says_so_on_the_stage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.tga");
    std::fs::write(&path, [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 24, 0]).unwrap();
    let window = window_with([path]);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Failed(..))), "{:?}", log(&window));
}
