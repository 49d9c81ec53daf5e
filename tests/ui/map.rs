//! A level in the real application: flying, pointing, the list of actors.

use crate::kit::{self, app::*, level::*};
use bonebox::{
    formats::EntryId,
    ui::{
        command::{CameraCommand, Command, LevelCommand, StageCommand, ViewCommand},
        layout::Tab,
        saved_view::ViewToggle,
        state::{Place, State},
    },
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use glam::{Vec2, Vec3};
use std::sync::{Arc, Mutex};

/// Entries of the open file that stand for the level's actors start here.
const FIRST_ACTOR: u32 = 3;

/// A window with the made level; its entries are those of some file that is open.
fn entered() -> Window {
    let mut window = window_with([kit::data().join("actorx/syn_arm.psk")]);
    change(&window, show_rooms);
    settle(&mut window);
    window
}

fn show_rooms(state: &mut State) {
    let place = Place { file: state.core.library.files[0].id, entry: EntryId(1) };
    state.stages.front.show_map(&mut state.core, place, Arc::new(rooms(FIRST_ACTOR)));
}

fn eye(window: &Window) -> Vec3 {
    read(window, |s| s.stages.front.view.camera.eye())
}

fn selected(window: &Window) -> Option<u32> {
    read(window, |s| s.core.selection.map(|p| p.entry.0))
}

/// Where a point of the level is in the picture.
fn seen_at(window: &Window, point: Vec3) -> Vec2 {
    read(window, |s| s.stages.front.view.camera.project(point, s.stages.front.viewport.aspect))
        .expect("it lies before the eye")
}

#[test]
fn a_level_is_entered_at_its_start_and_takes_the_models_place() {
    let window = entered();
    let start = rooms(0).starts[0];
    assert!(eye(&window).distance(start.location) < 1e-3);
    let forward = read(&window, |s| s.stages.front.view.fly.unwrap().forward());
    assert!(forward.distance(Vec3::new(start.yaw.sin(), 0.0, start.yaw.cos())) < 1e-3, "{forward}");
    assert!(read(&window, |s| s.stages.front.model().is_none()
        && s.stages.front.flies()
        && s.stages.front.view.options.backface_culling));
    for label in [
        "Viewpoint",
        "Shading: Lit",
        "Show or hide level elements",
        "Overlays",
        "Go to player start",
        "Fly (V)",
        "Two Rooms",
    ] {
        window.get_by_label(label);
    }
}

#[test]
fn keys_steer_while_flying_and_mean_what_they_did_otherwise() {
    let mut window = entered();
    let (from, forward, speed) = read(&window, |s| {
        (
            s.stages.front.view.camera.eye(),
            s.stages.front.view.fly.unwrap().forward(),
            s.stages.front.view.fly.unwrap().speed,
        )
    });
    window.key_down(Key::W);
    window.step();
    window.step();
    assert!(read(&window, |state| state.stages.is_moving()));
    pass(&mut window, 0.5);
    assert!(eye(&window).distance(from + forward * speed * 0.5) < 1e-3);
    assert!(!read(&window, |s| s.stages.front.view.options.wireframe), "W steers");
    window.key_up(Key::W);
    window.step();
    window.step();
    let there = eye(&window);
    pass(&mut window, 0.5);
    assert_eq!(eye(&window), there);
    assert!(!read(&window, |state| state.stages.is_moving()));
    // Shift is four times as fast.
    window.event(egui::Event::ModifiersChanged(Modifiers::SHIFT));
    window.key_down(Key::E);
    window.step();
    window.step();
    pass(&mut window, 0.25);
    assert!(eye(&window).distance(there + Vec3::Y * speed) < 1e-3);
    window.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    window.key_up(Key::E);
    window.step();
    window.step();
    // On the ground again the keys are the window's.
    window.key_press(Key::V);
    window.step();
    assert!(read(&window, |s| s.stages.front.view.fly.is_none()));
    window.key_press(Key::W);
    window.step();
    assert!(read(&window, |s| s.stages.front.view.options.wireframe));
}

#[test]
fn what_is_pointed_at_is_selected() {
    let mut window = entered();
    let lamp = seen_at(&window, LAMP_AT);
    apply(&mut window, Command::Level(LevelCommand::Pick(lamp)));
    assert_eq!(selected(&window), Some(FIRST_ACTOR + 1));
    assert_eq!(read(&window, |state| state.stages.front.selected_actor(&state.core)), Some(1));
    assert_eq!(read(&window, |s| s.stages.front.map_marks(&s.core).len()), 8, "four edges, seen and through walls");
    // The wall behind it, a little beside.
    let wall = seen_at(&window, Vec3::new(3.0, 3.6, -3.9));
    apply(&mut window, Command::Level(LevelCommand::Pick(wall)));
    let picked = read(&window, |s| s.stages.front.level().and_then(|m| m.picked.clone())).expect("a surface");
    assert_eq!((picked.surface, picked.outline.len()), (Some(5), 4), "the back wall of the second room");
    window.get_by_label_contains("Surface 5");
    assert_eq!(selected(&window), Some(0));
    // Beyond the portal lies the first room; the portal itself counts once it is shown.
    let through = seen_at(&window, Vec3::new(0.0, 1.6, 2.0));
    let surface = |window: &Window| read(window, |s| s.stages.front.level().and_then(|m| m.picked.as_ref()?.surface));
    apply(&mut window, Command::Level(LevelCommand::Pick(through)));
    assert_eq!(surface(&window), Some(8), "the end of the first room");
    apply(&mut window, Command::View(ViewCommand::Toggle(ViewToggle::Hidden)));
    apply(&mut window, Command::Level(LevelCommand::Pick(through)));
    assert_eq!(surface(&window), Some(10), "the portal");
    // Without sprites the lamp is not there.
    apply(&mut window, Command::Level(LevelCommand::ToggleSprites));
    apply(&mut window, Command::Level(LevelCommand::Pick(lamp)));
    assert!(surface(&window).is_some());
}

/// Works that keep every worker waiting, however many there are.
const MANY_WORKS: usize = 1024;

#[test]
fn nothing_is_picked_before_the_background_has_worked_out_where_triangles_lie() {
    let mut window = entered();
    let lamp = seen_at(&window, LAMP_AT);
    apply(&mut window, Command::Level(LevelCommand::Pick(lamp)));
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock().unwrap();
    change(&window, |state| {
        for _ in 0..MANY_WORKS {
            let gate = gate.clone();
            state.core.works.run("Waiting", move |_| drop(gate.lock()));
        }
        // The level is read again.
        show_rooms(state);
    });
    window.run_steps(2);
    let wall = seen_at(&window, Vec3::new(3.0, 3.6, -3.9));
    let under = |window: &Window| read(window, |s| s.stages.front.point_under(wall, 0.0));
    let surface = |window: &Window| read(window, |s| s.stages.front.level().and_then(|m| m.picked.as_ref()?.surface));
    let seen_from = eye(&window);
    assert_eq!(under(&window), None);
    for command in [LevelCommand::Pick(wall), LevelCommand::Focus(wall)] {
        change(&window, |state| state.apply(Command::Level(command)));
        window.run_steps(2);
        assert_eq!((selected(&window), surface(&window)), (Some(FIRST_ACTOR + 1), None), "the lamp stays selected");
        assert_eq!(eye(&window), seen_from);
    }
    drop(closed);
    settle(&mut window);
    assert!(under(&window).is_some(), "that nothing was there is not remembered");
    apply(&mut window, Command::Level(LevelCommand::Pick(wall)));
    assert_eq!((selected(&window), surface(&window)), (Some(0), Some(5)));
}

#[test]
fn a_click_in_the_picture_picks() {
    let mut window = entered();
    let rect = window.get_by_label("Viewport").rect();
    let lamp = seen_at(&window, LAMP_AT);
    let at = rect.min + egui::vec2(lamp.x * rect.width(), lamp.y * rect.height());
    click_at(&mut window, at, Modifiers::NONE);
    assert_eq!(selected(&window), Some(FIRST_ACTOR + 1));
}

#[test]
fn actors_are_listed_found_and_framed() {
    let mut window = entered();
    bring_up(&mut window, Tab::Actors);
    for label in ["Lift0, Mover", "Light7, Light", "Brush3, Brush"] {
        window.get_by_label(label);
    }
    type_into(&mut window, "Filter the actors", "light");
    assert!(!has(&window, "Lift0, Mover"));
    click(&mut window, "Light7, Light");
    assert_eq!(selected(&window), Some(FIRST_ACTOR + 1));
    let place = seen_at(&window, LAMP_AT);
    assert!(place.distance(Vec2::splat(0.5)) < 0.01, "{place}");
    assert!(read(&window, |s| s.stages.front.view.fly.is_some()), "it goes on flying");
}

#[test]
fn flying_and_turning_take_over_from_each_other() {
    let mut window = entered();
    let before = read(&window, |s| (s.stages.front.view.camera.eye(), s.stages.front.view.fly.unwrap().forward()));
    apply(&mut window, Command::Camera(CameraCommand::ToggleFly));
    // About the place on the wall that was looked at.
    let camera = read(&window, |s| s.stages.front.view.camera);
    assert!(camera.eye().distance(before.0) < 1e-2 && camera.distance > 1.0);
    let ahead = before.0 + before.1 * camera.distance;
    assert!(camera.focus.distance(ahead) < 1e-2);
    apply(&mut window, Command::Camera(CameraCommand::ToggleFly));
    let after = read(&window, |s| (s.stages.front.view.camera.eye(), s.stages.front.view.fly.unwrap().forward()));
    assert!(after.0.distance(before.0) < 1e-2 && after.1.distance(before.1) < 1e-3);
    apply(&mut window, Command::Level(LevelCommand::GoToStart(0)));
    assert!(eye(&window).distance(rooms(0).starts[0].location) < 1e-3);
    apply(&mut window, Command::Camera(CameraCommand::LookFrom(bonebox::scene::camera::ViewDirection::Top)));
    assert!(read(&window, |s| s.stages.front.view.fly.is_none()) && eye(&window).y > 10.0);
}

#[test]
fn a_model_takes_the_levels_place_again() {
    let mut window = entered();
    let place = read(&window, |s| Place { file: s.core.library.files[0].id, entry: EntryId::FILE });
    apply(&mut window, Command::Stage(StageCommand::Show(place)));
    assert!(read(&window, |s| s.stages.front.level().is_none()
        && s.stages.front.model().is_some()
        && s.stages.front.view.fly.is_none()));
    assert!(!read(&window, |s| s.stages.front.view.options.backface_culling));
}
