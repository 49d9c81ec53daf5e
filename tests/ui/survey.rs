//! Measuring on a landscape, going to coordinates, and seeing it as in a mirror: with the mouse and by keys.

use crate::{kit::app::*, legible::text_with, terrain::with_land};
use bonebox::{
    scene::scene_from_ground,
    ui::command::{Command, TerrainCommand as T},
};
use egui::{Key, Modifiers, Pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec2;

fn terrain(window: &mut Window, command: T) {
    apply(window, Command::Terrain(command));
    pass(window, 1.0);
}

/// Where a place of the ground is on the screen.
fn at(window: &Window, east: f32, north: f32) -> Pos2 {
    let rect = window.get_by_label("Viewport").rect();
    let at = read(window, |s| {
        let height = s.stages.front.landscape().unwrap().terrain.grid.ground_at(east, north).unwrap();
        let point = scene_from_ground(east, height * s.stages.front.view.terrain.exaggeration, north);
        s.stages.front.mirrored(
            s.stages.front.view.camera.project(point, s.stages.front.viewport.aspect).expect("before the eye"),
        )
    });
    rect.min + egui::vec2(at.x * rect.width(), at.y * rect.height())
}

fn points(window: &Window) -> Vec<Vec2> {
    read(window, |s| s.stages.front.landscape().unwrap().survey.points.clone())
}

fn near(found: Vec2, wanted: Vec2) -> bool {
    found.distance(wanted) < 12.0
}

const CORNERS: [Vec2; 3] = [Vec2::new(800.0, 800.0), Vec2::new(1600.0, 800.0), Vec2::new(1600.0, 1400.0)];

#[test]
fn clicks_measure_length_area_and_heights() {
    let mut window = with_land();
    terrain(&mut window, T::ToggleMap);
    window.key_press(Key::D);
    window.run_steps(3);
    window.get_by_label_contains("Measure: Click on the ground");
    for corner in CORNERS {
        let place = at(&window, corner.x, corner.y);
        click_at(&mut window, place, Modifiers::NONE);
        pass(&mut window, 1.0);
    }
    assert!(points(&window).iter().zip(CORNERS).all(|(a, b)| near(*a, b)), "{:?}", points(&window));
    // Nothing is selected by such clicks.
    assert!(read(&window, |s| s.stages.front.view.terrain.selected.is_empty()));
    change(&window, |s| s.stages.front.content.landscape_mut().unwrap().survey.points = CORNERS.to_vec());
    window.run_steps(3);
    // 800 m east at 5 m in 40, then north on the level: 80 m up from 80 m.
    window.get_by_label(
        "Measure: 3 points, length 1,400 m, area 240,000 m² (24.0 ha), height 80.0 m to 180.0 m, ascent 100.0 m, descent 0.0 m",
    );
    assert!(!text_with(&window, "length 1,400 m").galley.elided, "all of it is seen");
    window.get_by_label("Height profile");
    look(&mut window, "measure");
    click(&mut window, "Finish measuring");
    assert!(read(&window, |s| s.stages.front.landscape().unwrap().survey.is_ended));
    // The next click begins another.
    let place = at(&window, 1000.0, 1000.0);
    click_at(&mut window, place, Modifiers::NONE);
    pass(&mut window, 1.0);
    assert_eq!(points(&window).len(), 1);
    window.get_by_label_contains("Measure: 1 point at ");
}

#[test]
fn enter_ends_a_measure_and_escape_clears_it_then_puts_it_away() {
    let mut window = with_land();
    terrain(&mut window, T::ToggleMeasure);
    change(&window, |s| s.stages.front.content.landscape_mut().unwrap().survey.points = CORNERS.to_vec());
    let subject = read(&window, |s| s.stages.front.content.subject());
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert!(read(&window, |s| s.stages.front.landscape().unwrap().survey.is_ended
        && s.stages.front.content.subject() == subject));
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(read(&window, |s| s.stages.front.landscape().unwrap().survey.points.is_empty()
        && s.stages.front.landscape().unwrap().survey.is_on));
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(!read(&window, |s| s.stages.front.landscape().unwrap().survey.is_on));
    assert!(!has(&window, "Height profile"));
    // A place beside the ground adds nothing.
    terrain(&mut window, T::ToggleMeasure);
    terrain(&mut window, T::Measure(Vec2::new(0.5, -40.0)));
    terrain(&mut window, T::Measure(Vec2::NAN));
    terrain(&mut window, T::EndMeasure);
    assert!(points(&window).is_empty() && !read(&window, |s| s.stages.front.landscape().unwrap().survey.is_ended));
}

#[test]
fn coordinates_that_are_typed_in_come_into_the_middle() {
    let mut window = with_land();
    window.key_press_modifiers(Modifiers::SHIFT, Key::G);
    window.run_steps(4);
    type_into(&mut window, "East and north", "1200, 900");
    window.key_press(Key::Enter);
    window.run_steps(4);
    let focus = read(&window, |s| s.stages.front.view.camera.focus);
    assert!(focus.distance(scene_from_ground(1200.0, 130.0, 900.0)) < 0.1, "{focus}");
    assert!(!has(&window, "East and north"), "the dialog is gone");
    // Beside the ground nothing moves, and it is said.
    terrain(&mut window, T::GoTo(Vec2::new(-5.0, 90_000.0)));
    assert_eq!(read(&window, |s| s.stages.front.view.camera.focus), focus);
    assert!(log(&window).iter().any(|line| line.contains("is outside the landscape")), "{:?}", log(&window));
    terrain(&mut window, T::GoTo(Vec2::NAN));
    assert_eq!(read(&window, |s| s.stages.front.view.camera.focus), focus);
}

#[test]
fn a_flipped_map_has_its_south_at_the_top_and_its_coordinates_right() {
    let mut window = with_land();
    terrain(&mut window, T::ToggleMap);
    let (south, north) = (at(&window, 1300.0, 400.0), at(&window, 1300.0, 2200.0));
    assert!(south.y > north.y);
    window.get_by_label_contains("north is at the top");
    terrain(&mut window, T::ToggleFlip);
    window.get_by_label_contains("north is at the bottom");
    window.get_by_label_contains("north and south flipped");
    let (south, north) = (at(&window, 1300.0, 400.0), at(&window, 1300.0, 2200.0));
    assert!(south.y < north.y);
    let (west, east) = (at(&window, 400.0, 1300.0), at(&window, 2200.0, 1300.0));
    assert!(west.x < east.x, "east stays at the right");
    window.hover_at(at(&window, 1300.0, 400.0));
    window.run_steps(3);
    let label = window.get_by_label_contains("Under the pointer: East 1,").accesskit_node().value().unwrap();
    let number = label.split("North ").nth(1).unwrap().split(' ').next().unwrap().replace(',', "");
    assert!((number.parse::<f32>().unwrap() - 400.0).abs() < 12.0, "{label}");
    look(&mut window, "flipped");
    // What is dragged follows the hand.
    let before = at(&window, 1300.0, 400.0);
    let from = before + egui::vec2(30.0, 30.0);
    window.drag_at(from);
    window.run_steps(1);
    window.hover_at(from + egui::vec2(0.0, 40.0));
    window.run_steps(2);
    window.drop_at(from + egui::vec2(0.0, 40.0));
    window.run_steps(2);
    let after = at(&window, 1300.0, 400.0);
    assert!((after.y - before.y - 40.0).abs() < 4.0 && (after.x - before.x).abs() < 4.0, "{before} {after}");
}

#[test]
fn in_the_round_a_flipped_ground_is_turned_across() {
    let mut window = with_land();
    let (west, east) = (at(&window, 400.0, 1300.0), at(&window, 2200.0, 1300.0));
    let middle = window.get_by_label("Viewport").rect().center().x;
    terrain(&mut window, T::ToggleFlip);
    let flipped = (at(&window, 400.0, 1300.0), at(&window, 2200.0, 1300.0));
    assert!(
        (flipped.0.x - middle + west.x - middle).abs() < 1.0 && (flipped.1.x - middle + east.x - middle).abs() < 1.0
    );
    assert!((flipped.0.y - west.y).abs() < 1.0);
    terrain(&mut window, T::ToggleMeasure);
    let place = at(&window, 1500.0, 900.0);
    click_at(&mut window, place, Modifiers::NONE);
    pass(&mut window, 1.0);
    assert!(
        points(&window).first().is_some_and(|point| near(*point, Vec2::new(1500.0, 900.0))),
        "{:?}",
        points(&window)
    );
}
