//! The pictures of all open files: filters, order, several of them exported, one copied.

use crate::{
    image::package,
    kit::{self, app::*},
};
use bonebox::{
    formats::EntryId,
    ui::{
        command::{Command, ExportCommand, StageCommand},
        state::{Place, StageContent},
    },
};
use egui::{Modifiers, OutputCommand};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::path::{Path, PathBuf};

fn picture(folder: &Path, name: &str, width: u32, height: u32) -> PathBuf {
    let path = folder.join(name);
    image::RgbImage::from_fn(width, height, |x, _| image::Rgb([x as u8, 7, 9])).save(&path).unwrap();
    path
}

/// A package of 40 pictures and two that are files of their own, side by side.
fn side_by_side(folder: &Path) -> Window {
    let files = [package(folder), picture(folder, "big.png", 300, 20), picture(folder, "small.png", 8, 4)];
    let mut window = window_with(files);
    apply(&mut window, Command::Stage(StageCommand::ShowPictures));
    window.run_steps(4);
    settle(&mut window);
    window
}

fn choose(window: &mut Window, combo: &str, item: &str) {
    click(window, combo);
    // The list lies over everything else that is called so.
    let at = window.get_all_by_label(item).last().expect("an item").rect().center();
    click_at(window, at, Modifiers::NONE);
    for _ in 0..40 {
        window.run_steps(4);
        settle(window);
    }
}

fn files(window: &Window) -> Vec<Place> {
    read(window, |s| s.core.library.files.iter().map(|f| Place { file: f.id, entry: EntryId::FILE }).collect())
}

#[test]
fn pictures_of_all_files_are_filtered_and_ordered() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = side_by_side(folder.path());
    window.get_by_label("42 images");
    look(&mut window, "all_pictures");
    type_into(&mut window, "Filter images", "wall1");
    window.get_by_label("10 of 42 images");
    window.get_by_label("Filter images").focus();
    window.run_steps(2);
    window.key_press(egui::Key::Escape);
    window.run_steps(4);
    window.get_by_label("42 images");
    choose(&mut window, "Package: All packages", "big.png");
    window.get_by_label("1 of 42 images");
    window.get_by_label("Image big.png");
    choose(&mut window, "Package: big.png", "All packages");
    // Sizes of all are read, whatever was in sight.
    choose(&mut window, "Size: Any size", "Over 256 px");
    window.get_by_label("1 of 42 images");
    window.get_by_label("Image big.png");
    choose(&mut window, "Size: Over 256 px", "Up to 64 px");
    window.get_by_label("Image small.png");
    choose(&mut window, "Size: Up to 64 px", "Any size");
    choose(&mut window, "Sort: By package", "By name");
    let first = window.get_by_label("Image big.png").rect();
    assert!(first.left() < window.get_by_label("Image small.png").rect().left() || !has(&window, "Image Wall00"));
    click(&mut window, "Palettes");
    assert!(!has(&window, "Image big.png"));
    // A click shows one; the way back leads here.
    click(&mut window, "Images");
    click(&mut window, "Image big.png");
    settle(&mut window);
    assert!(read(&window, |s| s.stages.front.image().is_some()));
    apply(&mut window, Command::Stage(StageCommand::Back));
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Pictures)));
    apply(&mut window, Command::Library(bonebox::ui::command::LibraryCommand::CloseAll));
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Empty)));
}

#[test]
fn several_are_selected_and_exported_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = side_by_side(folder.path());
    let press = |window: &mut Window, label: &str, modifiers| {
        let at = window.get_by_label(label).rect().center();
        click_at(window, at, modifiers);
        window.run_steps(3);
    };
    press(&mut window, "Image Wall00", Modifiers::COMMAND);
    press(&mut window, "Image Wall03", Modifiers::COMMAND);
    assert!(paints(&window, "Export selected (2)…"));
    press(&mut window, "Image Wall01", Modifiers::COMMAND);
    press(&mut window, "Image Wall04", Modifiers::SHIFT);
    assert!(paints(&window, "Export selected (4)…"), "from the last one to this one");
    press(&mut window, "Image Wall02", Modifiers::COMMAND);
    assert!(paints(&window, "Export selected (3)…"), "one is taken out");
    window.key_press_modifiers(Modifiers::COMMAND, egui::Key::A);
    window.run_steps(3);
    assert!(paints(&window, "Export selected (42)…"));
    window.key_press(egui::Key::Escape);
    window.run_steps(3);
    assert!(!has(&window, "Export the selected images"));
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Pictures)), "nothing was shown by that");

    let mut places = files(&window)[1..].to_vec();
    places.push(place(&window, "Wall02"));
    let target = folder.path().join("out");
    let (overwrite, any_size) = (false, false);
    let several = ExportCommand::Several { places, folder: target.clone(), overwrite, any_size };
    apply(&mut window, Command::Export(several));
    let mut names: Vec<String> =
        kit::files_below(&target).iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["Wall02.png", "big.png", "manifest.json", "small.png"], "{:?}", log(&window));
    let summaries = log(&window).iter().filter(|line| line.contains("3 files exported")).count();
    assert_eq!(summaries, 1, "{:?}", log(&window));
    // Nothing to export is said, and files that are gone are passed over.
    let none = ExportCommand::Several { places: Vec::new(), folder: target, overwrite, any_size };
    apply(&mut window, Command::Export(none));
    assert!(log(&window).iter().any(|line| line.contains("There is nothing to export")));
}

#[test]
fn a_picture_is_copied_from_the_stage_and_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = side_by_side(folder.path());
    let copied = |window: &mut Window, place: Option<Place>| {
        change(window, |state| state.apply(Command::Stage(StageCommand::CopyPicture(place))));
        for _ in 0..2_000 {
            window.step();
            let commands = &window.output().platform_output.commands;
            let image = commands.iter().find_map(|command| match command {
                OutputCommand::CopyImage(image) => Some((image.size, image.pixels[5].to_array())),
                _ => None,
            });
            if image.is_some() {
                return image;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        None
    };
    let big = files(&window)[1];
    assert_eq!(copied(&mut window, Some(big)), Some(([300, 20], [5, 7, 9, 255])), "{:?}", log(&window));
    settle(&mut window);
    let small = files(&window)[2];
    apply(&mut window, Command::Stage(StageCommand::Show(small)));
    assert_eq!(copied(&mut window, None), Some(([8, 4], [5, 7, 9, 255])));
}

#[test]
fn pictures_in_use_by_the_model_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let sample = |name: &str| kit::samples().join(name);
    let mut window = window_with([sample("Ossie.psk")]);
    open(&mut window, [sample("Ossie_Body.png"), sample("Ossie_Eyes.png"), picture(folder.path(), "other.png", 4, 4)]);
    let model = files(&window)[0];
    apply(&mut window, Command::Stage(StageCommand::Show(model)));
    apply(&mut window, Command::Stage(StageCommand::ShowPictures));
    window.get_by_label("3 images");
    click(&mut window, "Used by Ossie");
    settle(&mut window);
    window.get_by_label("2 of 3 images");
    assert!(!has(&window, "Image other.png"));
    // The list is the same after a look at one of them, although the model is on no stage any more.
    click(&mut window, "Image Ossie_Eyes.png");
    settle(&mut window);
    assert!(read(&window, |s| s.stages.front.image().is_some()));
    apply(&mut window, Command::Stage(StageCommand::Back));
    window.get_by_label("2 of 3 images");
    assert!(!has(&window, "Image other.png"));
}

#[test]
fn a_histogram_states_the_range_of_each_channel_and_fits_what_is_drawn_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_with([picture(folder.path(), "small.png", 8, 4)]);
    click(&mut window, "Histogram");
    window.get_by_label("Histogram: red 0 to 7, green 7 to 7, blue 9 to 9, alpha 255 to 255");
    look(&mut window, "histogram");
    // Without a range of its own all values are drawn.
    assert!(window.get_by_label("Reset the range").accesskit_node().is_disabled());
    click(&mut window, "Fit the range to the values");
    assert!(!window.get_by_label("Reset the range").accesskit_node().is_disabled());
    look(&mut window, "histogram_fitted");
    click(&mut window, "Reset the range");
    assert!(window.get_by_label("Reset the range").accesskit_node().is_disabled());
    // The right button offers the pixel under it and the picture.
    window.get_by_label("Image small").click_secondary();
    window.run_steps(4);
    window.get_by_label_contains("Copy pixel #");
    window.get_by_label_contains("Export…");
    window.key_press(egui::Key::Escape);
    window.run_steps(4);
    click(&mut window, "Histogram");
    assert!(!has(&window, "Reset the range"));
}
