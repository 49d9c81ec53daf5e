//! Hiding, showing alone and showing all: meshes, materials and bones, by key, by the eye of a row and by right click.

use crate::kit::{self, app::*};
use bonebox::{
    formats::Role,
    scene::{JointIndex, ModelPiece},
    ui::{
        command::{Command, LibraryCommand, ModelCommand, PartsCommand, SelectionCommand, StageCommand},
        state::{DrawerPage, Place, Shading},
    },
};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glam::Vec2;

/// A model of the samples with bones out of sight.
fn with_model(name: &str) -> Window {
    let window = window_with([kit::samples().join(name)]);
    change(&window, |s| {
        s.stages.front.view.options.skeleton = false;
        s.stages.front.view.skeleton_asked = false;
    });
    window
}

/// Entries of the first file with a role, with their names.
fn entries(window: &Window, role: Role) -> Vec<(Place, String)> {
    read(window, |s| {
        let file = &s.core.library.files[0];
        let own = file.file.document.outline().entries().iter().filter(|entry| entry.role == role);
        own.map(|entry| (Place { file: file.id, entry: entry.id }, entry.name.to_string())).collect()
    })
}

fn select(window: &mut Window, place: Place) {
    apply(window, Command::Selection(SelectionCommand::Select(place)));
}

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(4);
}

fn is_hidden(window: &Window, place: Place) -> Option<bool> {
    read(window, |s| s.stages.front.is_hidden(place))
}

/// Places of the picture, of a grid of them, where a surface of the model is met.
fn met(window: &Window) -> usize {
    let selection = read(window, |s| s.core.selection);
    let places = (1..24).flat_map(|y| (1..24).map(move |x| Vec2::new(x as f32, y as f32) / 24.0));
    let hit = |place: &Vec2| {
        change(window, |s| {
            s.apply(Command::Model(ModelCommand::Pick(*place)));
            s.stages.front.selected().part.is_some()
        })
    };
    let count = places.filter(hit).count();
    change(window, |s| selection.map(|place| s.apply(Command::Selection(SelectionCommand::Select(place)))));
    count
}

/// Where a surface is seen.
fn seen(window: &Window) -> Vec2 {
    let places = (6..34).flat_map(|y| (6..34).map(move |x| Vec2::new(x as f32, y as f32) / 40.0));
    let hits: Vec<Vec2> = places
        .filter(|place| {
            change(window, |s| {
                s.apply(Command::Model(ModelCommand::Pick(*place)));
                s.stages.front.selected().part.is_some()
            })
        })
        .collect();
    change(window, |s| s.apply(Command::Model(ModelCommand::Pick(Vec2::ZERO))));
    let room = |a: &Vec2| hits.iter().filter(|b| a.distance(**b) < 0.06).count();
    *hits.iter().max_by_key(|place| room(place)).expect("a surface is seen")
}

fn at(window: &Window, place: Vec2) -> Pos2 {
    let rect = window.get_by_label("Viewport").rect();
    pos2(rect.left() + place.x * rect.width(), rect.top() + place.y * rect.height())
}

fn right_click(window: &mut Window, pos: Pos2) {
    window.hover_at(pos);
    window.step();
    for pressed in [true, false] {
        let modifiers = Modifiers::NONE;
        window.event(Event::PointerButton { pos, button: PointerButton::Secondary, pressed, modifiers });
        window.step();
    }
    window.run_steps(4);
}

#[test]
fn keys_hide_the_selected_material_and_show_it_again() {
    let mut window = with_model("Ossie.psk");
    let all = met(&window);
    let (material, _) = entries(&window, Role::Material)[0].clone();
    select(&mut window, material);
    for (modifiers, key) in [(Modifiers::NONE, Key::Delete), (Modifiers::SHIFT, Key::H)] {
        press(&mut window, modifiers, key);
        assert_eq!(is_hidden(&window, material), Some(true));
        assert!(met(&window) < all, "less of the model is met");
        look(&mut window, "material_hidden");
        click(&mut window, "1 part hidden  ·  Show all");
        assert_eq!((is_hidden(&window, material), met(&window)), (Some(false), all));
        assert!(!has(&window, "1 part hidden  ·  Show all"));
    }
    press(&mut window, Modifiers::NONE, Key::Delete);
    press(&mut window, Modifiers::ALT, Key::H);
    assert_eq!((is_hidden(&window, material), met(&window)), (Some(false), all));
}

#[test]
fn a_hidden_bone_takes_its_limb_along() {
    let mut window = with_model("Ossie.psk");
    let all = met(&window);
    let bones = entries(&window, Role::Bone);
    // The one below the root that the most hangs on, and one of those.
    let (bone, below) = read(&window, |s| {
        let skeleton = s.stages.front.model().unwrap().model.skeleton.clone().unwrap();
        let joints = skeleton.joints();
        let child = (0..joints.len()).rev().find(|j| joints[*j].parent.is_some_and(|p| p > 0)).unwrap();
        (joints[child].parent.unwrap() as usize, child)
    });
    select(&mut window, bones[bone].0);
    press(&mut window, Modifiers::NONE, Key::Delete);
    assert_eq!(is_hidden(&window, bones[bone].0), Some(true));
    assert_eq!(is_hidden(&window, bones[below].0), Some(true), "what hangs on it is hidden too");
    assert_eq!(is_hidden(&window, bones[0].0), Some(false));
    assert!(has(&window, "1 bone hidden  ·  Show all"));
    let less = met(&window);
    assert!(less < all, "{less} of {all}");
    look(&mut window, "bone_hidden");
    // Alone it is the rest of the model that is gone.
    apply(&mut window, Command::Parts(PartsCommand::ShowAll));
    select(&mut window, bones[bone].0);
    press(&mut window, Modifiers::NONE, Key::Slash);
    let alone = met(&window);
    assert!(alone > 0 && alone < all, "{alone} of {all}");
    assert!(has(&window, &format!("Isolated: {}  ·  Show all", bones[bone].1)));
    assert_eq!(is_hidden(&window, bones[0].0), Some(true));
    look(&mut window, "bone_alone");
    press(&mut window, Modifiers::NONE, Key::Slash);
    assert_eq!(met(&window), all);
}

#[test]
fn meshes_are_hidden_in_archives_too_and_going_back_keeps_what_was_hidden() {
    let mut window = window_with([kit::data().join("archive/arm.szs")]);
    let model = "arm.arc/bmd/arm.bmd";
    let own = place(&window, model);
    apply(&mut window, Command::Stage(StageCommand::Show(own)));
    let shapes = [0, 1].map(|shape| place(&window, &format!("{model}/SHP1/Shape {shape}")));
    select(&mut window, shapes[0]);
    press(&mut window, Modifiers::SHIFT, Key::H);
    assert_eq!(shapes.map(|shape| is_hidden(&window, shape)), [Some(true), Some(false)]);
    // Alone although it was hidden; then it is hidden again.
    select(&mut window, shapes[0]);
    press(&mut window, Modifiers::SHIFT, Key::I);
    assert_eq!(shapes.map(|shape| is_hidden(&window, shape)), [Some(false), Some(true)]);
    press(&mut window, Modifiers::NONE, Key::Slash);
    assert_eq!(shapes.map(|shape| is_hidden(&window, shape)), [Some(true), Some(false)]);
    // What is no part of the model is neither shown nor hidden.
    assert_eq!(is_hidden(&window, own), None);
}

#[test]
fn everything_can_be_hidden_and_nothing_cannot_be_isolated() {
    let mut window = with_model("Ossie.psk");
    let all = met(&window);
    // Nothing is selected but the model.
    let file = read(&window, |s| s.stages.front.content.place().unwrap());
    select(&mut window, file);
    for (modifiers, key) in [(Modifiers::NONE, Key::Slash), (Modifiers::NONE, Key::Delete), (Modifiers::ALT, Key::H)] {
        press(&mut window, modifiers, key);
        assert!(read(&window, |s| s.stages.front.model().unwrap().parts.hidden().is_empty()));
    }
    for command in [PartsCommand::HideSelected, PartsCommand::IsolateSelected, PartsCommand::ShowAll] {
        assert!(!read(&window, |s| s.is_possible(&Command::Parts(command.clone()))), "{command:?}");
    }
    apply(&mut window, Command::Parts(PartsCommand::Isolate(file)));
    apply(&mut window, Command::Parts(PartsCommand::Hide(file, true)));
    assert_eq!(met(&window), all);

    let materials = entries(&window, Role::Material);
    for (material, _) in &materials {
        apply(&mut window, Command::Parts(PartsCommand::Hide(*material, true)));
    }
    assert_eq!(met(&window), 0);
    press(&mut window, Modifiers::NONE, Key::F);
    assert!(read(&window, |s| s.stages.front.view.camera.distance.is_finite()));
    look(&mut window, "all_hidden");
    let root = entries(&window, Role::Bone)[0].0;
    apply(&mut window, Command::Parts(PartsCommand::Hide(root, true)));
    press(&mut window, Modifiers::ALT, Key::H);
    assert_eq!(met(&window), all);
}

#[test]
fn the_eye_of_a_row_opens_and_closes() {
    let mut window = with_model("Ossie.psk");
    let (material, name) = entries(&window, Role::Material)[0].clone();
    select(&mut window, material);
    let label = format!("{name} is shown");
    click(&mut window, &label);
    assert_eq!((is_hidden(&window, material), read(&window, |s| s.core.selection)), (Some(true), Some(material)));
    click(&mut window, &label);
    assert_eq!(is_hidden(&window, material), Some(false));
    // Another model has nothing hidden, and this one nothing when it comes back.
    click(&mut window, &label);
    open(&mut window, [kit::samples().join("ScalingRules.arc")]);
    let model = read(&window, |s| {
        let mut found = s.core.library.files.iter().filter_map(|opened| {
            let entry = opened.file.document.outline().find("bmd/maya.bmd")?;
            Some(Place { file: opened.id, entry: entry.id })
        });
        found.next().unwrap()
    });
    apply(&mut window, Command::Stage(StageCommand::Show(model)));
    assert!(read(&window, |s| s.stages.front.model().unwrap().parts.hidden().is_empty()));
    assert_eq!(is_hidden(&window, material), None);
}

#[test]
fn a_right_click_selects_and_offers_what_can_be_done() {
    let mut window = with_model("Ossie.psk");
    let pos = at(&window, seen(&window));
    right_click(&mut window, pos);
    let part = read(&window, |s| s.stages.front.selected().part).expect("what lies there is selected");
    for label in ["Focus", "Isolate", "Hide", "Show fields"] {
        assert!(has(&window, label), "{label}");
    }
    for label in ["Show weights", "Show all"] {
        assert!(!has(&window, label), "{label}");
    }
    look(&mut window, "part_menu");
    click(&mut window, "Hide");
    let is_hidden = read(&window, |s| {
        let model = &s.stages.front.model().unwrap().model;
        s.stages.front.model().unwrap().parts.hidden().has(model, ModelPiece::Surfaces(part))
    });
    assert!(is_hidden);
    assert!(!has(&window, "Isolate"), "the menu is closed");
}

#[test]
fn a_right_drag_moves_the_picture_and_opens_nothing() {
    let mut window = with_model("Ossie.psk");
    let pos = at(&window, seen(&window));
    let before = read(&window, |s| s.stages.front.view.camera.focus);
    let button = |pressed, pos| {
        let modifiers = Modifiers::NONE;
        Event::PointerButton { pos, button: PointerButton::Secondary, pressed, modifiers }
    };
    window.hover_at(pos);
    window.step();
    window.event(button(true, pos));
    window.step();
    for step in 1..6 {
        window.hover_at(pos + vec2(12.0 * step as f32, 0.0));
        window.step();
    }
    window.event(button(false, pos + vec2(60.0, 0.0)));
    window.run_steps(4);
    assert_ne!(read(&window, |s| s.stages.front.view.camera.focus), before);
    assert!(!has(&window, "Focus") && !has(&window, "Isolate"));
}

#[test]
fn a_bones_row_offers_its_weights_and_its_curve() {
    let mut window = with_model("Ossie.psk");
    let bones = entries(&window, Role::Bone);
    let (bone, name) = bones[1].clone();
    apply(&mut window, Command::Library(LibraryCommand::SetFilter(name.clone())));
    select(&mut window, bone);
    let open_menu = |window: &mut Window| {
        let row = read(window, |s| s.stages.front.is_hidden(bone)).map(|_| format!("{name} is shown")).unwrap();
        let eye = window.get_by_label(&row).rect();
        right_click(window, eye.left_center() - vec2(60.0, 0.0));
    };
    open_menu(&mut window);
    for label in ["Focus", "Isolate", "Hide", "Show weights", "Show fields"] {
        assert!(has(&window, label), "{label}");
    }
    click(&mut window, "Show weights");
    assert_eq!(
        read(&window, |s| (s.stages.front.view.options.shading, s.stages.front.selected().joint)),
        (Shading::Weights, Some(1))
    );
    let has_curve = read(&window, |s| s.stages.front.curves_joint_names().contains(&name));
    open_menu(&mut window);
    assert_eq!(has(&window, "Show curve"), has_curve);
    if has_curve {
        click(&mut window, "Show curve");
        assert_eq!(read(&window, |s| s.stages.front.viewport.drawer), Some(DrawerPage::Curves));
        open_menu(&mut window);
    }
    click(&mut window, "Isolate");
    assert_eq!(read(&window, |s| s.stages.front.alone_piece()), Some(ModelPiece::Joint(JointIndex(1))));
    open_menu(&mut window);
    assert!(!has(&window, "Isolate"));
    click(&mut window, "Show others");
    assert!(read(&window, |s| s.stages.front.model().unwrap().parts.hidden().is_empty()));
}

#[test]
fn actors_of_a_level_are_hidden_by_the_same_keys() {
    let mut window = window_with([kit::samples().join("BoneRoom.unr")]);
    let level = entries(&window, Role::Level)[0].0;
    apply(&mut window, Command::Stage(StageCommand::Show(level)));
    // Two that something is drawn of.
    let actors: Vec<(u32, Place, String)> = read(&window, |s| {
        let shown = s.stages.front.level().expect("a level is on the stage");
        let drawn = |index: u32| shown.map.items.iter().any(|item| item.actor == Some(index));
        let own = (0..).zip(&shown.map.actors).filter(|(index, _)| drawn(*index)).take(2);
        let place = |source| Place { file: shown.place.file, entry: bonebox::formats::EntryId::from(source) };
        own.map(|(index, actor)| (index, place(actor.source), actor.name.clone())).collect()
    });
    let [(first, first_place, name), (second, second_place, _)] = &actors[..] else { panic!("{actors:?}") };
    let hidden = |window: &Window| read(window, |s| s.stages.front.level().unwrap().actors.hidden().clone());
    let all = read(&window, |s| s.stages.front.level().unwrap().map.actors.len());
    press(&mut window, Modifiers::NONE, Key::Slash);
    assert!(hidden(&window).is_empty(), "nothing is selected");

    select(&mut window, *first_place);
    press(&mut window, Modifiers::NONE, Key::Delete);
    assert_eq!(hidden(&window).into_iter().collect::<Vec<_>>(), [Some(*first)]);
    assert_eq!((is_hidden(&window, *first_place), is_hidden(&window, *second_place)), (Some(true), Some(false)));
    assert!(has(&window, "1 actor hidden  ·  Show all"));
    look(&mut window, "actor_hidden");
    select(&mut window, *second_place);
    press(&mut window, Modifiers::NONE, Key::Slash);
    let alone = hidden(&window);
    assert!(alone.len() == all && alone.contains(&None) && !alone.contains(&Some(*second)));
    look(&mut window, "actor_alone");
    press(&mut window, Modifiers::NONE, Key::Slash);
    assert_eq!(hidden(&window).into_iter().collect::<Vec<_>>(), [Some(*first)]);
    press(&mut window, Modifiers::ALT, Key::H);
    assert!(hidden(&window).is_empty());
    // By the eye of the row too.
    select(&mut window, *first_place);
    click(&mut window, &format!("{name} is shown"));
    assert_eq!(is_hidden(&window, *first_place), Some(true));
}
