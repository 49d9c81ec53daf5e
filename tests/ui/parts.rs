//! Clicks on a model: surfaces, bodies of bones, and the rows of the tree that they are; in archives too.

use crate::kit::{self, app::*};
use bonebox::{
    scene::{MaterialIndex, ModelPart, bone_bodies, camera::ViewDirection},
    ui::{
        command::{CameraCommand, Command, ModelCommand, SelectionCommand, StageCommand},
        state::{Place, ThumbnailState},
    },
};
use egui::{Modifiers, Pos2, Rect, pos2};
use egui_kittest::kittest::Queryable as _;
use glam::Vec2;

fn viewport(window: &Window) -> Rect {
    window.get_by_label("Viewport").rect()
}

/// A place of the picture in the window.
fn at(window: &Window, place: Vec2) -> Pos2 {
    let rect = viewport(window);
    pos2(rect.left() + place.x * rect.width(), rect.top() + place.y * rect.height())
}

fn part(window: &Window) -> Option<ModelPart> {
    read(window, |s| s.stages.front.selected().part)
}

fn path_of_selection(window: &Window) -> String {
    read(window, |s| {
        let place = s.core.selection.unwrap();
        s.core.file(place.file).unwrap().entry(place.entry).unwrap().path().into_owned()
    })
}

fn material_name(window: &Window, part: ModelPart) -> String {
    let material = part.material.unwrap().as_usize();
    read(window, |s| s.stages.front.model().unwrap().model.materials[material].name.clone())
}

/// A place of the picture, clear of its edges and of what is drawn over it, where a surface is clicked on.
fn surface_place(window: &Window, is_wanted: impl Fn(ModelPart) -> bool) -> Vec2 {
    let places = (6..30).flat_map(|y| (6..34).map(move |x| Vec2::new(x as f32, y as f32) / 40.0));
    let hits: Vec<Vec2> = places
        .filter(|place| {
            change(window, |s| s.apply(Command::Model(ModelCommand::Pick(*place))));
            part(window).is_some_and(&is_wanted)
        })
        .collect();
    change(window, |s| s.apply(Command::Model(ModelCommand::Pick(Vec2::ZERO))));
    assert_eq!(part(window), None, "nothing lies in the corner");
    // One whose neighbours are hit too.
    let room = |a: &Vec2| hits.iter().filter(|b| a.distance(**b) < 0.06).count();
    *hits.iter().max_by_key(|place| room(place)).expect("a surface is seen")
}

#[test]
fn a_click_on_a_surface_selects_its_material() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    change(&window, |s| s.stages.front.view.options.skeleton = false);
    let place = surface_place(&window, |_| true);
    let pos = at(&window, place);
    click_at(&mut window, pos, Modifiers::NONE);
    let found = part(&window).unwrap();
    assert!(found.mesh.is_some());
    let name = material_name(&window, found);
    assert!(path_of_selection(&window).ends_with(&name), "{} is not {name}", path_of_selection(&window));
    assert!(has(&window, &name), "the tree shows the row {name}");
    look(&mut window, "surface_clicked");

    // F brings it into view: it is larger than before.
    let before = read(&window, |s| s.stages.front.view.camera.distance);
    apply(&mut window, Command::Camera(CameraCommand::Frame));
    let near = read(&window, |s| s.stages.front.view.camera.distance);
    assert!(near <= before * 1.01, "{near} is farther than {before}");

    // A click on nothing lets go of it.
    apply(&mut window, Command::Camera(CameraCommand::Reset));
    let corner = at(&window, Vec2::new(0.5, 0.02));
    click_at(&mut window, corner, Modifiers::NONE);
    assert_eq!(part(&window), None);
}

#[test]
fn a_selected_material_marks_all_its_surfaces() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let place = surface_place(&window, |_| true);
    change(&window, |s| s.stages.front.view.options.skeleton = false);
    apply(&mut window, Command::Model(ModelCommand::Pick(place)));
    let material = part(&window).unwrap().material;
    let row = read(&window, |s| s.core.selection.unwrap());
    apply(&mut window, Command::Stage(StageCommand::Back));
    apply(&mut window, Command::Selection(SelectionCommand::Select(row)));
    assert_eq!(part(&window), Some(ModelPart { mesh: None, material }));
    // A bone takes its place.
    apply(&mut window, Command::Selection(SelectionCommand::Joint(Some(1))));
    assert_eq!(part(&window), None);
    assert_eq!(read(&window, |s| s.stages.front.selected().joint), Some(1));
}

#[test]
fn models_of_one_archive_have_bones_and_materials_of_their_own() {
    let mut window = window_with([kit::samples().join("ScalingRules.arc")]);
    for model in ["bmd/maya.bmd", "bmd/softimage.bmd", "bmd/basic.bmd"] {
        let own = place(&window, model);
        apply(&mut window, Command::Stage(StageCommand::Show(own)));
        assert_eq!(read(&window, |s| s.stages.front.content.place()), Some(own));
        apply(&mut window, Command::Camera(CameraCommand::LookFrom(ViewDirection::Front)));
        change(&window, |s| s.stages.front.view.options.skeleton = true);
        // On the body of a bone, away from its joints.
        let (joint, middle) = read(&window, |s| {
            let skeleton = s.stages.front.model().unwrap().model.skeleton.clone().unwrap();
            let world = s.stages.front.view.options.up_axis.world_from_model();
            let bodies = bone_bodies(&skeleton, &s.stages.front.playback().unwrap().frame, world);
            let project = |point| s.stages.front.view.camera.project(point, s.stages.front.viewport.aspect).unwrap();
            let length = |body: &&bonebox::scene::BoneBody| project(body.head).distance(project(body.tail));
            let longest = bodies.iter().max_by(|a, b| length(a).total_cmp(&length(b))).unwrap();
            (longest.joint, project(longest.head.lerp(longest.tail, 0.4)))
        });
        let pos = at(&window, middle);
        click_at(&mut window, pos, Modifiers::NONE);
        assert_eq!(read(&window, |s| s.stages.front.selected().joint), Some(joint), "{model}");
        let name = read(&window, |s| {
            s.stages.front.model().unwrap().model.skeleton.as_ref().unwrap().joints()[joint as usize].name.clone()
        });
        assert_eq!(path_of_selection(&window), format!("{model}/JNT1/{name}"));
        assert!(has(&window, &name), "the tree shows the row {name}");
        window.get_by_label_contains("Current pose");
        look(&mut window, &format!("bone_clicked_{}", model.replace('/', "_")));

        // The surface beside it.
        change(&window, |s| s.stages.front.view.options.skeleton = false);
        let place = surface_place(&window, |_| true);
        let pos = at(&window, place);
        click_at(&mut window, pos, Modifiers::NONE);
        let name = material_name(&window, part(&window).unwrap());
        assert_eq!(path_of_selection(&window), format!("{model}/MAT3/{name}"));
        look(&mut window, &format!("surface_clicked_{}", model.replace('/', "_")));
    }
}

#[test]
fn a_part_in_an_archive_is_a_mesh_of_the_shown_model() {
    let mut window = window_with([kit::data().join("archive/arm.szs")]);
    let model = "arm.arc/bmd/arm.bmd";
    let own = place(&window, model);
    apply(&mut window, Command::Stage(StageCommand::Show(own)));
    let shape = place(&window, &format!("{model}/SHP1/Shape 1"));
    apply(&mut window, Command::Selection(SelectionCommand::Select(shape)));
    let found = part(&window).unwrap();
    assert_eq!((found.mesh.map(|mesh| mesh.0), found.material), (Some(1), None));
    let material = place(&window, &format!("{model}/MAT3/mat_bb"));
    apply(&mut window, Command::Selection(SelectionCommand::Select(material)));
    assert_eq!(part(&window), Some(ModelPart { mesh: None, material: Some(MaterialIndex(1)) }));
    // What is part of no model is none.
    let folder = place(&window, "arm.arc/bck");
    apply(&mut window, Command::Selection(SelectionCommand::Select(folder)));
    assert_eq!(part(&window), None);
}

#[test]
fn a_material_in_an_archive_shows_its_textures_and_each_says_who_uses_it() {
    let mut window = window_of(kept(state()), [1280.0, 1400.0]);
    open(&mut window, [kit::data().join("archive/arm.szs")]);
    let model = "arm.arc/bmd/arm.bmd";
    let own = place(&window, model);
    apply(&mut window, Command::Stage(StageCommand::Show(own)));
    let material = place(&window, &format!("{model}/MAT3/mat_body"));
    apply(&mut window, Command::Selection(SelectionCommand::Select(material)));
    let textures: Vec<(Place, String)> = read(&window, |s| {
        let document = &s.core.file(material.file).unwrap().document;
        let surface = document.ask(material.entry, |can, entry| can.facts?.surface(entry)).unwrap();
        let numbers = surface.material.tev().unwrap().textures.into_iter().flatten();
        let ids = numbers.map(|number| surface.textures[number as usize]);
        let named = |entry| (Place { entry, ..material }, document.outline().get(entry).unwrap().name.to_string());
        ids.map(named).collect()
    });
    assert!(!textures.is_empty());
    for (texture, name) in &textures {
        assert!(has(&window, name), "the inspector shows {name}");
        let is_ready = read(&window, |s| matches!(s.thumbnails.get(*texture), Some(ThumbnailState::Ready(_))));
        assert!(is_ready, "{name} has a picture");
    }
    look(&mut window, "material_in_archive");
    let (texture, _) = textures[0].clone();
    apply(&mut window, Command::Selection(SelectionCommand::Select(texture)));
    apply(&mut window, Command::Selection(SelectionCommand::FindUses(texture)));
    let used = read(&window, |s| s.lookups.uses.as_ref().unwrap().list.clone().unwrap());
    assert!(used.iter().any(|used| used.place == material && used.field == "Texture 0"), "{used:?}");
    assert!(paints(&window, "MAT3/mat_body"), "the inspector names the material");
    look(&mut window, "texture_used_by");
}
