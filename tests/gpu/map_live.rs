//! Pictures of a level that change with time: exactly in pictures that are kept, by and by in a window.

use crate::{
    kit::device::{image, near, pixel},
    map_kit::*,
};
use bonebox::{
    gpu::{MapLayers, ViewSettings},
    scene::{
        FlipBook, Image, LiveKind, LivePicture, Map, MapWindow, Palette,
        procedural::{Fire, Procedural, Program, Simulation, Spark},
    },
};
use glam::{Vec3, Vec4};
use std::{sync::Arc, time::Duration};

const MIDDLE: u32 = SIDE / 2;

/// A fire of half the picture's size: 20 frames a second.
fn fire() -> Arc<Procedural> {
    let spark = Spark::from_bytes([13, 255, 20, 20, 255, 0, 30, 0]).unwrap();
    let fire = Fire { sparks: Arc::new([spark]), render_heat: 220, rising: true, most_sparks: 100 };
    let colors = (0..=255).map(|i| [i, 255 - i, i / 2, 255]).collect();
    Arc::new(Procedural {
        name: "fire".into(),
        width: SIDE / 2,
        height: SIDE / 2,
        palette: Arc::new(Palette { name: String::new(), colors }),
        masked: false,
        program: Program::Fire(fire),
        prime_frames: 3,
        rate_hz: 20.0,
        facts: Vec::new(),
    })
}

/// A level that burns before the eye, and the fire as it is at the beginning.
fn burning() -> (Map, Simulation) {
    let simulation = Simulation::in_level(fire()).unwrap();
    let still = Arc::new(simulation.seen_image());
    let live = LivePicture { still: still.clone(), kind: LiveKind::Computed(fire()) };
    (Map { live: vec![live], ..level(&[square(still)]) }, simulation)
}

/// Whether a picture shows a frame of the fire.
fn shows(picture: &Image, frame: &Image) -> bool {
    let half = SIDE / 2;
    let mut places = (0..half).flat_map(|y| (0..half).map(move |x| (x, y)));
    places.all(|(x, y)| near(pixel(picture, x * 2, y * 2), pixel(frame, x, y), 1))
}

#[test]
fn a_computed_picture_begins_with_its_still_and_is_that_of_its_moment() {
    let (map, mut simulation) = burning();
    let Some(mut studio) = Studio::open(map) else { return };
    let view = before_it();
    let first = simulation.seen_image();
    assert!(shows(&studio.at(&view, 0.0), &first));
    for (seconds, frame) in [(0.05, 1), (1.5, 30)] {
        simulation.seek(frame);
        let later = simulation.seen_image();
        assert_ne!(later.rgba, first.rgba);
        assert!(shows(&studio.at(&view, seconds), &later), "{seconds}");
    }
    // It does not run backwards.
    assert!(shows(&studio.at(&view, 0.5), &simulation.seen_image()));
}

#[test]
fn two_exact_pictures_of_a_late_moment_are_equal_and_the_next_is_a_frame_on() {
    let (map, mut simulation) = burning();
    let Some(mut studio) = Studio::open(map) else { return };
    let view = before_it();
    // 4,000 frames; a minute at the usual rate is computed.
    let first = studio.at(&view, 200.0);
    simulation.seek(1_800);
    assert!(shows(&first, &simulation.seen_image()));
    assert_eq!(studio.at(&view, 200.0).rgba, first.rgba);
    simulation.step();
    assert!(shows(&studio.at(&view, 200.05), &simulation.seen_image()));
}

/// Draws until nothing is behind.
fn caught_up(studio: &mut Studio, view: &ViewSettings, seconds: f64) -> Image {
    for _ in 0..2_000 {
        let picture = studio.in_a_window(view, seconds);
        if !studio.map().is_behind() {
            return picture;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("it is never there");
}

#[test]
fn a_window_shows_the_moment_by_and_by_and_then_wants_nothing_more() {
    let (map, mut simulation) = burning();
    let Some(mut studio) = Studio::open(map) else { return };
    let view = before_it();
    let first = simulation.seen_image();
    assert!(shows(&studio.in_a_window(&view, 0.0), &first));
    assert!(!studio.map().is_behind(), "the still is there");
    simulation.step();
    let held = caught_up(&mut studio, &view, 0.05);
    assert!(shows(&held, &simulation.seen_image()) && !shows(&held, &first));
    assert_eq!(studio.in_a_window(&view, 0.05).rgba, held.rgba);
    assert!(!studio.map().is_behind());
    // Time that jumps is not made up for: two frames at once.
    simulation.seek(3);
    assert!(shows(&caught_up(&mut studio, &view, 40.0), &simulation.seen_image()));
    // What was asked for and not fetched does not come into an exact picture late: 801 frames in all.
    studio.in_a_window(&view, 40.05);
    simulation.seek(801);
    assert!(shows(&studio.at(&view, 40.05), &simulation.seen_image()));
}

const BOOKS: u32 = 6;

/// As many flip-books side by side, red and then green, at `z`, turned to `toward` −1 or 1 along Z.
fn books(z: f32, toward: f32) -> (Vec<Wall>, Vec<LivePicture>) {
    let width = 2.0 / BOOKS as f32;
    let book = |number: u32| {
        let frames: Vec<Arc<Image>> = [RED, GREEN].map(|color| image(4, 4, move |_, _| color)).to_vec();
        let left = Vec3::new(-toward * (1.0 - width * number as f32), -1.0, z);
        let mut wall = wall(left, Vec3::X * toward * width, Vec3::Y * 2.0, GREY);
        wall.picture = frames[0].clone();
        let kind = LiveKind::FlipBook(FlipBook { frames: frames.clone(), rate_hz: 10.0 });
        (wall, LivePicture { still: frames[0].clone(), kind })
    };
    (0..BOOKS).map(book).unzip()
}

#[test]
fn many_flip_books_turn_in_two_pictures_of_a_window_and_in_one_that_is_exact() {
    let map = || {
        let (walls, live) = books(0.0, 1.0);
        Map { live, ..level(&walls) }
    };
    let Some(mut studio) = Studio::open(map()) else { return };
    let view = before_it();
    let green = |picture: &Image| {
        (0..BOOKS).filter(|book| pixel(picture, (2 * book + 1) * SIDE / (2 * BOOKS), MIDDLE) == GREEN).count()
    };
    assert_eq!(green(&studio.in_a_window(&view, 0.0)), 0);
    assert!(!studio.map().is_behind());
    assert_eq!(green(&studio.in_a_window(&view, 0.1)), 4);
    assert!(studio.map().is_behind());
    assert_eq!(green(&studio.in_a_window(&view, 0.1)), 6);
    assert!(!studio.map().is_behind());
    let Some(mut studio) = Studio::open(map()) else { return };
    assert_eq!(green(&studio.at(&view, 0.1)), 6);
}

#[test]
fn a_flip_book_turns_after_a_picture_that_another_one_spoiled() {
    let (mut walls, mut live) = books(0.0, 1.0);
    walls.truncate(2);
    live.truncate(2);
    // The second one's second frame is more than any device takes.
    let vast =
        Image { name: "vast".into(), width: 1 << 24, height: 1, rgba: Vec::new().into(), stored_as: "test".into() };
    let frames = vec![live[1].still.clone(), Arc::new(vast), live[1].still.clone()];
    live[1].kind = LiveKind::FlipBook(FlipBook { frames, rate_hz: 10.0 });
    let Some(mut studio) = Studio::open(Map { live, ..level(&walls) }) else { return };
    let view = before_it();
    let first = SIDE / (2 * BOOKS);
    assert_eq!(pixel(&studio.in_a_window(&view, 0.0), first, MIDDLE), RED);
    assert!(studio.is_refused(&view, 0.1));
    // Its own frame is that of before, the other one is back at its first.
    assert_eq!(pixel(&studio.in_a_window(&view, 0.3), first, MIDDLE), GREEN);
}

#[test]
fn what_no_mirror_in_the_picture_shows_does_not_turn() {
    // Behind the eye; the mirror is before it.
    let (mut walls, live) = books(6.0, -1.0);
    walls.push(wall(Vec3::new(-2.0, -2.0, 0.0), Vec3::X * 4.0, Vec3::Y * 4.0, GREY).window(0));
    let map = Map { live, windows: vec![MapWindow::Mirror(Vec4::new(0.0, 0.0, 1.0, 0.0))], ..level(&walls) };
    let Some(mut studio) = Studio::open(map) else { return };
    // Away from both: to the left.
    let aside = view(looking(Vec3::Z * 3.0, std::f32::consts::FRAC_PI_2));
    studio.in_a_window(&aside, 0.1);
    assert!(!studio.map().is_behind());
    let ahead = view(looking(Vec3::Z * 3.0, 0.0));
    studio.in_a_window(&ahead, 0.1);
    assert!(studio.map().is_behind());
    assert_eq!(pixel(&studio.in_a_window(&ahead, 0.1), MIDDLE + 1, MIDDLE), GREEN);
    // Mirrors that are off show nothing either.
    studio.window_with(&ahead, MapLayers { windows: false, ..MapLayers::default() }, 0.0);
    assert!(!studio.map().is_behind());
}
