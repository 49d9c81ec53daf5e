//! Images that are dropped on a model: they become its textures where they fit.

use crate::kit::{self, app::*, device};
use bonebox::{
    formats::{Content, Severity},
    scene::{Model, gx::MaterialState},
    ui::{
        command::{
            CameraCommand, Command, LibraryCommand, ModelCommand, SelectionCommand, StageCommand, TransportCommand,
        },
        state::{Place, StageContent, State},
    },
};
use eframe::egui_wgpu::RendererOptions;
use egui::{Key, Modifiers, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::path::{Path, PathBuf};

/// A picture of one colour.
fn picture(folder: &Path, name: &str, rgb: [u8; 3]) -> PathBuf {
    let path = folder.join(name);
    image::RgbImage::from_pixel(8, 8, image::Rgb(rgb)).save(&path).unwrap();
    path
}

/// The sample, in a folder where its textures lie too.
fn ossie() -> (tempfile::TempDir, Window) {
    (tempfile::tempdir().unwrap(), window_with([kit::samples().join("Ossie.psk"), kit::samples().join("Ossie.psa")]))
}

/// Images that materials of the model on the stage have in the place of their own, by material.
fn worn(window: &Window) -> Vec<(String, String)> {
    read(window, |s| {
        let Some(shown) = s.stages.front.model() else { return Vec::new() };
        let Some((_, worn)) = shown.worn() else { return Vec::new() };
        let name = |model: &Model, material: usize| {
            let image = model.materials[material].basic().image?;
            Some(model.images[image as usize].name.clone())
        };
        let materials = 0..shown.model.materials.len();
        let changed = materials.filter(|m| name(worn, *m) != name(&shown.model, *m));
        changed.map(|m| (shown.model.materials[m].name.clone(), name(worn, m).unwrap_or_default())).collect()
    })
}

fn said(window: &Window, text: &str) -> bool {
    log(window).iter().any(|line| line.contains(text))
}

fn material(window: &Window, name: &str) -> Place {
    place(window, &format!("MATT0000/{name}"))
}

/// Names of the materials of the model on the stage.
fn materials(window: &Window) -> Vec<String> {
    read(window, |s| s.stages.front.model().unwrap().model.materials.iter().map(|m| m.name.clone()).collect())
}

#[test]
fn a_picture_named_as_a_texture_takes_its_place_and_the_rest_stays() {
    let (folder, mut window) = ossie();
    apply(&mut window, Command::Camera(CameraCommand::Orbit(glam::vec2(0.4, 0.1))));
    let before = |s: &State| {
        (
            s.stages.front.content.subject(),
            s.core.selection,
            s.stages.front.view.camera,
            s.stages.front.playback().unwrap().playing,
            s.core.library.files.len(),
        )
    };
    let kept = read(&window, before);
    let eyes = read(&window, |s| {
        let model = &s.stages.front.model().unwrap().model;
        let reads = |m: &bonebox::scene::Material| {
            m.basic().image.is_some_and(|image| model.images[image as usize].name.starts_with("Ossie_Eyes"))
        };
        model.materials.iter().find(|m| reads(m)).map(|m| m.name.clone()).unwrap()
    });
    // Whatever its letters and its extension.
    drop_on(&mut window, &[picture(folder.path(), "OSSIE_eyes.BMP", [0, 255, 0])]);
    assert_eq!(worn(&window), [(eyes.clone(), "OSSIE_eyes.BMP".to_owned())], "{:?}", log(&window));
    assert_eq!(read(&window, before), kept, "camera, clip, selection and library stay");
    assert!(said(&window, &format!("OSSIE_eyes.BMP: applied to material {eyes}")), "{:?}", log(&window));

    // Another clip leaves it on; another picture takes its place.
    apply(&mut window, Command::Model(ModelCommand::NextClip(1)));
    assert_eq!(worn(&window).len(), 1);
    drop_on(&mut window, &[picture(folder.path(), "ossie_eyes.tga", [0, 0, 255])]);
    assert_eq!(worn(&window), [(eyes, "ossie_eyes.tga".to_owned())]);

    // Off again, by key.
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(3);
    assert_eq!(worn(&window), []);
    assert!(read(&window, |s| s.stages.front.model().unwrap().textures.is_empty()));
}

#[test]
fn a_picture_goes_to_the_selected_material_else_to_the_only_one_else_says_how() {
    let (folder, mut window) = ossie();
    let red = picture(folder.path(), "red.png", [255, 0, 0]);
    let names = materials(&window);
    assert!(names.len() > 1);
    let subject = read(&window, |s| s.stages.front.content.subject());
    drop_on(&mut window, std::slice::from_ref(&red));
    assert_eq!(worn(&window), [], "which of them is not known");
    assert!(said(&window, "red.png: no material has this name. Select a material"), "{:?}", log(&window));
    // That there is no graphics device is an error of its own.
    let is_error =
        |s: &State| s.core.log.entries().iter().any(|e| e.severity == Severity::Error && e.file == "red.png");
    assert!(!read(&window, is_error), "{:?}", log(&window));
    assert_eq!(read(&window, |s| s.stages.front.content.subject()), subject);

    let chosen = material(&window, &names[1]);
    apply(&mut window, Command::Selection(SelectionCommand::Select(chosen)));
    drop_on(&mut window, std::slice::from_ref(&red));
    assert_eq!(worn(&window), [(names[1].clone(), "red.png".to_owned())]);
    assert_eq!(read(&window, |s| s.core.selection), Some(chosen));
    // A material of the same name comes before the one that is selected.
    drop_on(&mut window, &[picture(folder.path(), &format!("{}.png", names[0].to_uppercase()), [9, 9, 9])]);
    assert!(worn(&window).iter().any(|(material, _)| *material == names[0]), "{:?}", worn(&window));
    click_own_textures(&mut window);
    assert_eq!(worn(&window), []);

    // Of several at once each goes where its name says, or nowhere.
    let other = picture(folder.path(), "nothing.png", [1, 2, 3]);
    drop_on(&mut window, &[red.clone(), other]);
    assert_eq!(worn(&window), []);

    let (_alone, files) = alone("actorx", &["syn_arm.psk"]);
    let mut window = window_with(files);
    drop_on(&mut window, &[red]);
    assert_eq!(worn(&window), [("ArmSkin".to_owned(), "red.png".to_owned())], "{:?}", log(&window));
}

fn click_own_textures(window: &mut Window) {
    click(window, "View");
    let item = format!("{}  Restore original textures", egui_phosphor::regular::IMAGE_BROKEN);
    let item = window.get_by_label_contains(&item).rect();
    click_at(window, item.center(), Modifiers::NONE);
    settle(window);
}

#[test]
fn another_subject_takes_them_off_and_nothing_of_them_is_kept() {
    let (folder, mut window) = ossie();
    let chosen = material(&window, &materials(&window)[0]);
    apply(&mut window, Command::Selection(SelectionCommand::Select(chosen)));
    drop_on(&mut window, &[picture(folder.path(), "red.png", [255, 0, 0])]);
    assert_eq!(worn(&window).len(), 1);
    change(&window, |s| s.stages.keep_session(&mut s.core));
    assert!(read(&window, |s| s.core.settings.session.iter().all(|path| !path.ends_with("red.png"))));
    let subject = read(&window, |s| s.stages.front.content.subject());
    apply(&mut window, Command::Library(LibraryCommand::Open(vec![kit::samples().join("BoneTune.umx")])));
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Sound(_))));
    while read(&window, |s| s.stages.front.content.subject()) != subject {
        apply(&mut window, Command::Stage(StageCommand::Back));
    }
    assert_eq!(worn(&window), []);
    // A drop while something else is in front is opened: a picture is shown as one.
    apply(&mut window, Command::Library(LibraryCommand::Open(vec![kit::samples().join("BoneTune.umx")])));
    drop_on(&mut window, &[folder.path().join("red.png")]);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Image(_))), "{:?}", log(&window));
}

#[test]
fn a_damaged_picture_says_so_and_changes_nothing() {
    let (folder, mut window) = ossie();
    let chosen = material(&window, &materials(&window)[0]);
    apply(&mut window, Command::Selection(SelectionCommand::Select(chosen)));
    let path = folder.path().join("torn.png");
    std::fs::write(&path, b"\x89PNG\r\n\x1a\n and then nothing").unwrap();
    drop_on(&mut window, std::slice::from_ref(&path));
    assert!(said(&window, "torn.png: the PNG cannot be decoded"), "{:?}", log(&window));
    std::fs::write(&path, b"").unwrap();
    drop_on(&mut window, &[path]);
    assert_eq!(worn(&window), []);
}

#[test]
fn an_image_of_the_library_goes_on_a_material_of_the_chip() {
    let (_folder, files) = alone("j3d", &["arm_basic.bmd", "tex_rgb5a3.bti"]);
    let mut window = window_with(&files[..1]);
    let material = place(&window, "MAT3/mat_body");
    apply(&mut window, Command::Selection(SelectionCommand::Select(material)));
    let before = read(&window, |s| (s.stages.front.content.subject(), s.core.selection, s.stages.front.view.camera));
    drop_on(&mut window, &files[1..]);
    assert_eq!(
        read(&window, |s| (s.stages.front.content.subject(), s.core.selection, s.stages.front.view.camera)),
        before
    );
    assert!(said(&window, "tex_rgb5a3.bti: applied to material mat_body"), "{:?}", log(&window));
    let index = read(&window, |s| {
        let model = &s.stages.front.model().unwrap().model;
        model.materials.iter().position(|m| m.name == "mat_body").unwrap()
    });
    // The pose reads the new texture, too.
    let texture_of = |s: &State| {
        let state: &MaterialState = s.stages.front.playback().unwrap().frame.materials[index].as_ref().unwrap();
        let own = s.stages.front.model().unwrap().model.materials[index].tev().unwrap().textures;
        let (_, worn) = s.stages.front.model().unwrap().worn()?;
        let slot = (0..8).find(|slot| state.textures[*slot] != own[*slot])?;
        Some(worn.textures[state.textures[slot]? as usize].name.clone())
    };
    let name = read(&window, texture_of);
    assert!(name.is_some(), "a texture of the material is another one");
    look(&mut window, "textured_chip");
    apply(&mut window, Command::Model(ModelCommand::OwnTextures));
    assert_eq!(read(&window, texture_of), None);

    // Again by the menu of its row.
    let row = window.get_by_role_and_label(egui::accesskit::Role::Button, "tex_rgb5a3.bti").rect();
    secondary_click(&mut window, row);
    look(&mut window, "texture_menu");
    let item = window.get_by_label_contains("Use as texture of material mat_body").rect();
    click_at(&mut window, item.center(), Modifiers::NONE);
    settle(&mut window);
    assert_eq!(read(&window, texture_of), name);
}

fn secondary_click(window: &mut Window, rect: egui::Rect) {
    let pos = rect.left_center() + vec2(60.0, 0.0);
    window.hover_at(pos);
    window.step();
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Secondary, Modifiers::NONE);
        window.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        window.step();
    }
    window.run_steps(3);
}

#[test]
fn an_image_that_does_not_fit_takes_the_stage_and_says_how_it_would() {
    let (_a, model) = alone("j3d", &["arm_basic.bmd"]);
    let (_b, texture) = alone("j3d", &["tex_grad.bti"]);
    let mut window = window_with(model);
    assert!(materials(&window).len() > 1);
    drop_on(&mut window, &texture);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Image(_))), "{:?}", log(&window));
    assert!(said(&window, "tex_grad.bti: no material has this name"), "{:?}", log(&window));
    // A package of textures is looked over, as ever.
    let (_folder, mut window) = ossie();
    drop_on(&mut window, &[kit::samples().join("BoneboxFX.utx")]);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Gallery(_))));
    assert!(read(&window, |s| s
        .core
        .library
        .files
        .iter()
        .any(|f| { f.file.document.outline().with_content(Content::Image).next().is_some() })));
}

#[test]
fn the_picture_is_seen_on_the_model_and_gone_again() {
    let Some(_) = device::context() else { return };
    let (folder, _) = ossie();
    let draw = || {
        let builder = Harness::builder().with_render_options(RendererOptions::PREDICTABLE).wgpu();
        let mut window = window_built(builder, kept(state()), SIZE);
        open(&mut window, [kit::samples().join("Ossie.psk"), kit::samples().join("Ossie.psa")]);
        apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
        apply(&mut window, Command::Transport(TransportCommand::SeekStart));
        window
    };
    let mut window = draw();
    let names = materials(&window);
    let chosen = material(&window, &names[0]);
    apply(&mut window, Command::Selection(SelectionCommand::Select(chosen)));
    // Notices are shown for a while; they are over the other panels.
    window.run_steps(4);
    let own = window.render().unwrap();
    // Without what lies over it at its edges.
    let area = window.get_by_label("Viewport").rect().shrink(60.0);
    let count = |picture: &image::RgbaImage, wanted: &dyn Fn([u8; 4]) -> bool| {
        let inside = |x: u32, y: u32| area.contains(egui::pos2(x as f32, y as f32));
        picture.enumerate_pixels().filter(|(x, y, p)| inside(*x, *y) && wanted(p.0)).count()
    };
    let is_pure = |[r, g, b, _]: [u8; 4]| g < 40 && r > 90 && b > 90 && r.abs_diff(b) < 60;
    drop_on(&mut window, &[picture(folder.path(), "pure.png", [255, 0, 255])]);
    window.run_steps(4);
    let textured = window.render().unwrap();
    look(&mut window, "textured_model");
    let (before, after) = (count(&own, &is_pure), count(&textured, &is_pure));
    assert!(after > before + 2_000, "{before} pixels of that colour, then {after}");
    apply(&mut window, Command::Model(ModelCommand::OwnTextures));
    window.run_steps(4);
    let back = window.render().unwrap();
    assert_eq!(count(&back, &is_pure), before);
    let differing = own
        .enumerate_pixels()
        .filter(|(x, y, p)| area.contains(egui::pos2(*x as f32, *y as f32)) && back.get_pixel(*x, *y) != *p);
    assert_eq!(differing.count(), 0, "the model looks as before");
}
