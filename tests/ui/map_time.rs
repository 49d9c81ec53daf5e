//! The time of a level in the real application: what moves by itself, movers, and that nothing is drawn for nothing.

use crate::kit::{self, app::*, level::*};
use bonebox::{
    formats::EntryId,
    scene::{Map, MapMover, MaterialKind, MoverKey, TextureMotion},
    ui::{
        command::{CameraCommand, Command, LevelCommand},
        state::Place,
    },
};
use egui::{Key, Modifiers};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// A window with the level.
fn shown(map: Map) -> Window {
    let mut window = window_with([kit::data().join("actorx/syn_arm.psk")]);
    change(&window, |state| {
        let place = Place { file: state.core.library.files[0].id, entry: EntryId(1) };
        state.stages.front.show_map(&mut state.core, place, Arc::new(map));
    });
    settle(&mut window);
    window
}

/// The rooms with a floor that moves.
fn moving() -> Map {
    let mut map = rooms(3);
    if let MaterialKind::Basic(basic) = &mut Arc::make_mut(&mut map.models[0]).materials[WALL as usize].kind {
        basic.motion = Some(TextureMotion { pan: Vec2::new(35.0, 0.0), wavy: false, size: Vec2::splat(8.0) });
    }
    map
}

/// The rooms with a lift that goes up in two seconds.
fn with_lift() -> Map {
    let mut map = rooms(3);
    let key = |up: f32| MoverKey { location: LIFT_AT + Vec3::Y * up, turn: [0.0; 3] };
    map.movers = vec![MapMover { item: 1, keys: vec![key(0.0), key(2.0)], seconds: 2.0, ..MapMover::default() }];
    map
}

/// Applies a command; what moves does not settle.
fn act(window: &mut Window, command: Command) {
    change(window, |state| state.apply(command));
    window.run_steps(2);
}

fn seconds(window: &Window) -> f64 {
    read(window, |s| s.stages.front.level().unwrap().moment.seconds)
}

fn lift(window: &Window) -> f32 {
    read(window, |s| {
        let shown = s.stages.front.level().unwrap();
        shown.moment.mover_position(&shown.map.movers, 0)
    })
}

/// Waits until what the window itself moves has come to its end; from then on nothing asks for a frame.
#[track_caller]
fn rest(window: &mut Window) {
    let mut is_calm = || {
        window.step();
        !window.ctx.has_requested_repaint()
    };
    assert!((0..240).any(|_| is_calm()) && (0..20).all(|_| is_calm()), "{:?}", window.ctx.repaint_causes());
}

#[test]
fn a_level_in_which_nothing_moves_is_not_drawn_again() {
    let mut window = shown(rooms(3));
    settle(&mut window);
    assert!(!read(&window, |state| state.stages.is_moving()));
    rest(&mut window);
    pass(&mut window, 1.0);
    rest(&mut window);
    assert_eq!(seconds(&window), 0.0);
    // There is no time to let go on.
    act(&mut window, Command::Level(LevelCommand::TogglePlay));
    assert!(!read(&window, |state| state.stages.is_moving()));
}

#[test]
fn time_goes_on_where_something_moves_until_it_is_held() {
    let mut window = shown(moving());
    let start = seconds(&window);
    assert!(read(&window, |state| state.stages.is_moving()));
    pass(&mut window, 0.5);
    assert!((seconds(&window) - start - 0.5).abs() < 1e-5);
    act(&mut window, Command::Level(LevelCommand::TogglePlay));
    let held = seconds(&window);
    pass(&mut window, 0.5);
    assert!(!read(&window, |state| state.stages.is_moving()));
    assert_eq!(seconds(&window), held);
    // Space steers while one flies, and else lets time go on.
    act(&mut window, Command::Camera(CameraCommand::ToggleFly));
    window.key_press(Key::Space);
    window.run_steps(2);
    assert!(read(&window, |state| state.stages.is_moving()));
    window.key_press_modifiers(Modifiers::SHIFT, Key::P);
    window.run_steps(2);
    assert!(!read(&window, |state| state.stages.is_moving()));
}

#[test]
fn a_mover_that_is_set_off_goes_to_its_end_and_back() {
    let mut window = shown(with_lift());
    assert!(!read(&window, |state| state.stages.is_moving()));
    act(&mut window, Command::Level(LevelCommand::RunMover(0)));
    assert!(read(&window, |state| state.stages.is_moving()));
    pass(&mut window, 1.0);
    assert!((lift(&window) - 0.5).abs() < 1e-5, "{}", lift(&window));
    pass(&mut window, 1.0);
    pass(&mut window, 1.0);
    assert_eq!(lift(&window), 1.0);
    assert!(!read(&window, |state| state.stages.is_moving()), "it stays there");
    act(&mut window, Command::Level(LevelCommand::RunMover(0)));
    pass(&mut window, 1.0);
    assert!((lift(&window) - 0.5).abs() < 1e-5);
    act(&mut window, Command::Level(LevelCommand::SetMover { mover: 0, position: 7.0 }));
    assert_eq!(lift(&window), 1.0);
    assert!(!read(&window, |state| state.stages.is_moving()), "a hand holds it");
    act(&mut window, Command::Level(LevelCommand::RunMover(9)));
    assert!(!read(&window, |state| state.stages.is_moving()));
}

#[test]
fn switches_and_brightness_of_a_level() {
    let mut window = shown(rooms(3));
    for command in [LevelCommand::ToggleCoronas, LevelCommand::ToggleWindows, LevelCommand::SetGamma(9.0)] {
        act(&mut window, Command::Level(command));
    }
    let view = read(&window, |s| s.stages.front.view.clone());
    assert_eq!((view.options.layers.coronas, view.options.layers.windows, view.options.gamma), (false, false, 3.0));
    act(&mut window, Command::Level(LevelCommand::SetGamma(f32::NAN)));
    assert_eq!(read(&window, |s| s.stages.front.view.options.gamma), 1.0);
}
