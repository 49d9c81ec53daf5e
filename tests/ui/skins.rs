//! Textures that a model misses: they are named on the stage, chosen by hand, and found in a folder that is named.

use crate::kit::{self, app::*};
use bonebox::{
    formats::Asset,
    scene::MaterialIndex,
    ui::{
        command::{Command, LibraryCommand, ModelCommand, SelectionCommand, StageCommand},
        state::Place,
    },
};
use egui_kittest::kittest::Queryable as _;
use std::path::{Path, PathBuf};

/// The sample in a folder of its own, away from its textures.
fn bare_ossie() -> (tempfile::TempDir, Window) {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("model").join("Ossie.psk");
    std::fs::create_dir_all(mesh.parent().unwrap()).unwrap();
    std::fs::copy(kit::samples().join("Ossie.psk"), &mesh).unwrap();
    (folder, window_with([mesh]))
}

fn picture(folder: &Path, name: &str, rgb: [u8; 3]) -> PathBuf {
    let path = folder.join(name);
    image::RgbImage::from_pixel(8, 4, image::Rgb(rgb)).save(&path).unwrap();
    path
}

fn empty(window: &Window) -> Vec<(String, Option<String>)> {
    read(window, |s| s.stages.front.empty_slots().into_iter().map(|slot| (slot.name, slot.chosen)).collect())
}

/// The picture of each material of the model as it looks.
fn worn(window: &Window) -> Vec<Option<String>> {
    read(window, |s| {
        let shown = s.stages.front.model().unwrap();
        let model = shown.worn().map_or(&shown.model, |(_, model)| model);
        let image = |m: &bonebox::scene::Material| Some(model.images[m.basic().image? as usize].name.clone());
        model.materials.iter().map(image).collect()
    })
}

#[test]
fn missing_textures_are_named_on_the_stage_with_where_they_were_looked_for() {
    let (folder, mut window) = bare_ossie();
    let missing = empty(&window);
    assert!(!missing.is_empty() && missing.iter().all(|(_, chosen)| chosen.is_none()), "{missing:?}");
    click(&mut window, &format!("{} textures missing", missing.len()));
    for (name, _) in &missing {
        window.get_by_label(&format!("Select a texture for {name}"));
    }
    window.get_by_label_contains(&format!("{}, its subfolders", folder.path().join("model").display()));
    window.get_by_label_contains("Add search folder…");
    look(&mut window, "missing_textures");
    // A model that has all of them says nothing.
    let window = window_with([kit::samples().join("Ossie.psk")]);
    assert_eq!(empty(&window), []);
    assert!(!has(&window, "1 texture missing") && !has(&window, "2 textures missing"));
}

#[test]
fn a_texture_is_chosen_by_hand_from_all_that_are_open() {
    let (folder, mut window) = bare_ossie();
    let missing = empty(&window);
    open(
        &mut window,
        [picture(folder.path(), "red.png", [255, 0, 0]), picture(folder.path(), "blue.png", [0, 0, 255])],
    );
    let model = read(&window, |s| s.core.library.files[0].id);
    apply(
        &mut window,
        Command::Stage(StageCommand::Show(Place { file: model, entry: bonebox::formats::EntryId::FILE })),
    );
    click(&mut window, &format!("{} textures missing", missing.len()));
    click(&mut window, &format!("Select a texture for {}", missing[0].0));
    settle(&mut window);
    window.get_by_label("Image red.png");
    type_into(&mut window, "Filter textures", "blue");
    assert!(!has(&window, "Image red.png"));
    look(&mut window, "texture_chooser");
    click(&mut window, "Image blue.png");
    settle(&mut window);
    assert!(!has(&window, "Filter textures"), "the chooser is gone");
    let now = empty(&window);
    assert_eq!(now[0], (missing[0].0.clone(), Some("blue".to_owned())), "{:?}", log(&window));
    assert!(now[1..].iter().all(|(_, chosen)| chosen.is_none()));
    assert!(worn(&window).contains(&Some("blue".to_owned())));
    // Another one takes its place; their own take all off.
    let red = read(&window, |s| Place { file: s.core.library.files[1].id, entry: bonebox::formats::EntryId::FILE });
    let slot = read(&window, |s| s.stages.front.empty_slots()[0].material);
    apply(&mut window, Command::Model(ModelCommand::TextureMaterial(slot, red)));
    assert_eq!(empty(&window)[0].1.as_deref(), Some("red"));
    // It opens as the picture that it is.
    apply(&mut window, Command::Model(ModelCommand::OpenTexture(slot)));
    assert_eq!(read(&window, |s| s.stages.front.content.place()), Some(red));
}

#[test]
fn a_folder_that_is_named_is_looked_through_and_what_is_shown_stays_as_it_is_looked_at() {
    let (folder, mut window) = bare_ossie();
    let deep = folder.path().join("skins/of/ossie");
    std::fs::create_dir_all(&deep).unwrap();
    for name in ["Ossie_Body.png", "Ossie_Eyes.png", "Ossie_Bone.mat"] {
        std::fs::copy(kit::samples().join(name), deep.join(name)).unwrap();
    }
    apply(&mut window, Command::Camera(bonebox::ui::command::CameraCommand::Orbit(glam::vec2(0.4, 0.1))));
    let camera = read(&window, |s| s.stages.front.view.camera);
    assert!(!empty(&window).is_empty());
    apply(&mut window, Command::Library(LibraryCommand::AddSearchFolder(folder.path().join("skins"))));
    assert_eq!(empty(&window), [], "{:?}", log(&window));
    assert!(worn(&window).iter().all(Option::is_some), "{:?}", worn(&window));
    assert_eq!(read(&window, |s| s.stages.front.view.camera), camera);
}

#[test]
fn the_texture_of_a_material_opens_as_a_picture_from_its_card() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let name = read(&window, |s| s.stages.front.model().unwrap().model.materials[0].name.clone());
    let material = place(&window, &format!("MATT0000/{name}"));
    apply(&mut window, Command::Selection(SelectionCommand::Select(material)));
    let image = worn(&window)[0].clone().unwrap();
    click(&mut window, &format!("{}  Open image", egui_phosphor::regular::IMAGE));
    settle(&mut window);
    let shown = read(&window, |s| match s.stages.front.image().map(|shown| &shown.asset) {
        Some(Asset::Picture(picture)) => Some(picture.name.clone()),
        _ => None,
    });
    assert_eq!(shown, Some(image), "{:?}", log(&window));
    // Back to the model, where nothing has changed; a material that is not there opens nothing.
    apply(&mut window, Command::Stage(StageCommand::Back));
    assert!(read(&window, |s| s.stages.front.model().is_some()));
    apply(&mut window, Command::Model(ModelCommand::OpenTexture(MaterialIndex(900))));
    apply(&mut window, Command::Model(ModelCommand::ChooseTexture(Some(MaterialIndex(900)))));
    assert!(!has(&window, "Filter textures"));
    assert!(read(&window, |s| s.stages.front.model().is_some()));
}
