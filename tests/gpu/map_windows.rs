//! What is seen through windows of a level: the sky, mirrors, warp zones; and what a zone does to the sight.

use crate::{
    kit::device::{image, near, pixel},
    map_kit::*,
};
use bonebox::{
    gpu::{MapLayers, ViewSettings},
    scene::{Blend, Map, MapItemKind, MapMoment, MapNode, MapSky, MapTree, MapWindow, MapZone, SurfaceRole},
};
use glam::{Affine3A, Quat, Vec3, Vec4};
use std::f32::consts::FRAC_PI_2;

const MIDDLE: u32 = SIDE / 2;

fn without_windows() -> MapLayers {
    MapLayers { windows: false, ..MapLayers::default() }
}

/// A mirror before the eye, two walls behind the eye, one that looks away from it, and one behind the mirror.
fn mirror_room() -> Map {
    let mirror = wall(Vec3::new(-2.0, 0.0, 0.0), Vec3::X * 4.0, Vec3::Y * 4.0, GREY).window(0);
    let (high, back) = (Vec3::Y * 44.0, Vec3::NEG_X * 20.0);
    let mut behind = wall(Vec3::new(-20.0, -20.0, -1.5), Vec3::X * 40.0, high, GREEN);
    behind.basic.two_sided = true;
    let walls = [
        mirror,
        wall(Vec3::new(0.0, -20.0, 8.0), back, high, RED),
        wall(Vec3::new(20.0, -20.0, 8.0), back, high, BLUE),
        wall(Vec3::new(-20.0, -20.0, 6.0), Vec3::X * 40.0, high, YELLOW),
        behind,
    ];
    Map { windows: vec![MapWindow::Mirror(Vec4::new(0.0, 0.0, 1.0, 0.0))], ..level(&walls) }
}

#[test]
fn a_mirror_shows_what_is_behind_the_eye_and_not_what_is_behind_the_mirror() {
    let Some(mut studio) = Studio::open(mirror_room()) else { return };
    let view = view(looking(Vec3::new(0.0, 2.0, 3.0), 0.0));
    let picture = studio.picture(&view);
    // Left stays left, right stays right. The yellow wall before them looks the other way.
    for x in [4, 16, 28] {
        assert_eq!(pixel(&picture, x, MIDDLE), RED, "{x}");
        assert_eq!(pixel(&picture, SIDE - 1 - x, MIDDLE), BLUE, "{x}");
    }
    let plain = studio.picture_of(&view, without_windows(), &MapMoment::default());
    assert_eq!(pixel(&plain, MIDDLE, MIDDLE), GREY);
    // From behind, the mirror is no mirror.
    let from_behind = self::view(looking(Vec3::new(0.0, 2.0, -1.0), std::f32::consts::PI));
    let seen = pixel(&studio.picture(&from_behind), MIDDLE - 8, MIDDLE);
    assert!(seen == RED || seen == BLUE, "through the mirror's back: {seen:?}");
}

#[test]
fn mirrors_that_face_each_other_end_at_the_fourth() {
    let pane = |corner: Vec3, right: Vec3, window| {
        let mut pane = wall(corner, right, Vec3::Y * 20.0, [40, 0, 0, 255]).window(window);
        pane.basic.blend = Blend::Translucent;
        pane
    };
    let panes = [
        pane(Vec3::new(-10.0, -10.0, -2.0), Vec3::X * 20.0, 0),
        pane(Vec3::new(10.0, -10.0, 2.0), Vec3::NEG_X * 20.0, 1),
    ];
    let mirrors = [Vec4::new(0.0, 0.0, 1.0, -2.0), Vec4::new(0.0, 0.0, -1.0, -2.0)].map(MapWindow::Mirror).to_vec();
    let Some(mut studio) = Studio::open(Map { windows: mirrors, ..level(&panes) }) else { return };
    let found = pixel(&studio.picture(&view(looking(Vec3::ZERO, 0.0))), MIDDLE, MIDDLE);
    // A pane over black, and four times a pane over what is seen in it: 40, 74, 102, 126, 146.
    let mut expected = 40.0;
    for _ in 0..4 {
        expected = 40.0 + expected * (1.0 - 40.0 / 255.0);
    }
    assert!(near(found, [expected as u8, 0, 0, 255], 3), "{found:?}, not {expected}");
}

/// A room with two windows to a sky that lies a hundred away: red ahead, blue to the left.
fn under_the_sky(turn: Quat) -> Map {
    let sky_at = Vec3::X * 100.0;
    let backdrop = |corner: Vec3, right: Vec3| {
        let mut window = wall(corner, right, Vec3::Y * 40.0, GREY).window(0);
        (window.basic.hidden, window.basic.role) = (true, SurfaceRole::Backdrop);
        window
    };
    let walls = [
        backdrop(Vec3::new(-20.0, -20.0, -4.0), Vec3::X * 40.0),
        backdrop(Vec3::new(-4.0, -20.0, 20.0), Vec3::NEG_Z * 40.0),
        wall(Vec3::new(0.5, -2.0, -2.0), Vec3::X * 3.5, Vec3::Y * 4.0, GREEN),
        wall(sky_at + Vec3::new(-5.0, -20.0, -5.0), Vec3::X * 40.0, Vec3::Y * 40.0, RED).in_sky(0),
        wall(sky_at + Vec3::new(-5.0, -20.0, 20.0), Vec3::NEG_Z * 25.0, Vec3::Y * 40.0, BLUE).in_sky(0),
    ];
    Map {
        skies: vec![MapSky { actor: 0, location: sky_at, rotation: turn, zone: 2 }],
        windows: vec![MapWindow::Sky(0)],
        ..level(&walls)
    }
}

#[test]
fn the_sky_turns_with_the_view_and_does_not_come_nearer() {
    let Some(mut studio) = Studio::open(under_the_sky(Quat::IDENTITY)) else { return };
    let ahead = view(looking(Vec3::ZERO, 0.0));
    let picture = studio.picture(&ahead);
    assert_eq!(pixel(&picture, MIDDLE, MIDDLE), RED);
    assert_eq!(pixel(&picture, 56, MIDDLE), GREEN, "what is nearer covers it");
    assert_eq!(pixel(&studio.picture(&view(looking(Vec3::ZERO, FRAC_PI_2))), MIDDLE, MIDDLE), BLUE);
    // The edge between red and blue lies in one direction from everywhere: 45° to the left.
    let edge = |studio: &mut Studio, eye: Vec3| {
        let picture = studio.picture(&view(looking(eye, FRAC_PI_2 * 0.5)));
        (0..SIDE).find(|x| pixel(&picture, *x, MIDDLE) == RED)
    };
    for eye in [Vec3::ZERO, Vec3::new(-2.0, 1.0, 2.0), Vec3::new(-3.0, -2.0, -3.0)] {
        assert!(edge(&mut studio, eye).is_some_and(|x| x.abs_diff(MIDDLE) <= 1), "{eye}");
    }
    // Without windows there is nothing, and hidden surfaces are a tint as ever.
    let plain = studio.picture_of(&ahead, without_windows(), &MapMoment::default());
    assert_eq!(pixel(&plain, MIDDLE, MIDDLE), BLACK);
    let tinted = pixel(&studio.picture(&ViewSettings { show_hidden: true, ..ahead }), MIDDLE, MIDDLE);
    assert!(tinted[2] > 20 && tinted != RED, "{tinted:?}");
}

#[test]
fn a_sky_that_is_turned_is_seen_turned_and_its_room_only_there() {
    let Some(mut studio) = Studio::open(under_the_sky(Quat::from_rotation_y(FRAC_PI_2))) else { return };
    assert_eq!(pixel(&studio.picture(&view(looking(Vec3::ZERO, 0.0))), MIDDLE, MIDDLE), BLUE);
    // The room itself, from before its red wall.
    let there = view(looking(Vec3::new(110.0, 0.0, 0.0), 0.0));
    assert_eq!(pixel(&studio.picture_of(&there, without_windows(), &MapMoment::default()), MIDDLE, MIDDLE), RED);
    assert_ne!(pixel(&studio.picture(&there), MIDDLE, MIDDLE), RED);
}

#[test]
fn a_warp_zone_shows_the_other_end() {
    let gate = wall(Vec3::new(-20.0, -20.0, -4.0), Vec3::X * 40.0, Vec3::Y * 40.0, GREY).window(0);
    let other = wall(Vec3::new(30.0, -20.0, -9.0), Vec3::X * 40.0, Vec3::Y * 40.0, BLUE);
    // What stands before the other end is not seen through it.
    let before = wall(Vec3::new(30.0, -20.0, -3.0), Vec3::X * 40.0, Vec3::Y * 40.0, RED);
    let warp = MapWindow::Warp {
        here_from_there: Affine3A::from_translation(Vec3::new(-50.0, 0.0, 0.0)),
        there: Vec4::new(0.0, 0.0, -1.0, 4.0),
    };
    let map = Map { windows: vec![warp], ..level(&[gate, other, before]) };
    let Some(mut studio) = Studio::open(map) else { return };
    let view = view(looking(Vec3::ZERO, 0.0));
    assert_eq!(pixel(&studio.picture(&view), MIDDLE, MIDDLE), BLUE);
    let plain = studio.picture_of(&view, without_windows(), &MapMoment::default());
    assert_eq!(pixel(&plain, MIDDLE, MIDDLE), GREY);
}

#[test]
fn the_zone_that_the_eye_is_in_tints_the_picture() {
    let color = [200, 100, 50, 255];
    let zone = |flash, fog| MapZone { view_flash: flash, view_fog: fog, ..MapZone::default() };
    let water = MapNode { plane: Vec4::new(0.0, 1.0, 0.0, 1.0), children: [None; 2], zones: [1, 2] };
    let map = Map {
        tree: MapTree { nodes: vec![water] },
        zones: vec![
            zone(Vec3::ONE, Vec3::ZERO),
            zone(Vec3::new(0.5, 1.0, 1.0), Vec3::new(0.0, 0.0, 0.2)),
            zone(Vec3::ONE, Vec3::ZERO),
        ],
        ..level(&[wall(Vec3::new(-20.0, -20.0, -4.0), Vec3::X * 40.0, Vec3::Y * 40.0, color)])
    };
    let Some(mut studio) = Studio::open(map) else { return };
    let mut seen = |eye: Vec3| pixel(&studio.picture(&view(looking(eye, 0.0))), MIDDLE, MIDDLE);
    // 200 × 0.5, 100, 50 + 51.
    assert!(near(seen(Vec3::ZERO), [100, 100, 101, 255], 1));
    assert_eq!(seen(Vec3::Y * 2.0), color);
}

#[test]
fn a_warp_zone_is_none_from_behind() {
    let gate = wall(Vec3::new(-20.0, -20.0, -4.0), Vec3::X * 40.0, Vec3::Y * 40.0, GREY).window(0);
    // On both sides of the other end.
    let around = [-9.0, 40.0].map(|z| {
        let mut wall = wall(Vec3::new(-90.0, -90.0, z), Vec3::X * 180.0, Vec3::Y * 180.0, BLUE);
        wall.basic.two_sided = true;
        wall
    });
    let [behind, before] = around;
    let warp = MapWindow::Warp {
        here_from_there: Affine3A::from_translation(Vec3::new(-10.0, 0.0, 0.0)),
        there: Vec4::new(0.0, 0.0, -1.0, 4.0),
    };
    let map = Map { windows: vec![warp], ..level(&[gate, behind, before]) };
    let Some(mut studio) = Studio::open(map) else { return };
    let two_sided = |eye: Vec3, yaw: f32| ViewSettings { backface_culling: false, ..view(looking(eye, yaw)) };
    let front = studio.picture(&two_sided(Vec3::ZERO, 0.0));
    assert_eq!(pixel(&front, MIDDLE, MIDDLE), BLUE);
    let back = studio.picture(&two_sided(Vec3::NEG_Z * 6.0, std::f32::consts::PI));
    assert_eq!(pixel(&back, MIDDLE, MIDDLE), GREY);
}

#[test]
fn a_mirror_in_the_room_of_a_sky_shows_that_room() {
    let sky_at = Vec3::X * 100.0;
    let mut backdrop = wall(Vec3::new(-20.0, -20.0, -4.0), Vec3::X * 40.0, Vec3::Y * 40.0, GREY).window(0);
    (backdrop.basic.hidden, backdrop.basic.role) = (true, SurfaceRole::Backdrop);
    let walls = [
        backdrop,
        wall(sky_at + Vec3::new(-20.0, -20.0, -5.0), Vec3::X * 40.0, Vec3::Y * 40.0, GREY).window(1).in_sky(0),
        // Behind the place from which the room is seen.
        wall(sky_at + Vec3::new(40.0, -40.0, 5.0), Vec3::NEG_X * 80.0, Vec3::Y * 80.0, RED).in_sky(0),
    ];
    let map = Map {
        skies: vec![MapSky { actor: 0, location: sky_at, rotation: Quat::IDENTITY, zone: 2 }],
        windows: vec![MapWindow::Sky(0), MapWindow::Mirror(Vec4::new(0.0, 0.0, 1.0, -5.0))],
        ..level(&walls)
    };
    let Some(mut studio) = Studio::open(map) else { return };
    assert_eq!(pixel(&studio.picture(&view(looking(Vec3::ZERO, 0.0))), MIDDLE, MIDDLE), RED);
}

#[test]
fn a_mirror_in_a_wide_picture_with_samples_is_where_it_is_in_a_plain_one() {
    let Some(mut studio) = Studio::open(mirror_room()) else { return };
    let view = view(looking(Vec3::new(0.0, 2.0, 3.0), 0.0));
    for samples in [1, 4] {
        // Two units each way at a distance of three: half of the picture across.
        let picture = studio.sized(&view, (96, 48, samples));
        let row = [8, 20, 28, 44, 51, 67, 75, 88].map(|x| pixel(&picture, x, 24));
        assert_eq!(row, [GREEN, GREEN, RED, RED, BLUE, BLUE, GREEN, GREEN], "{samples}");
    }
}

#[test]
fn a_small_mirror_away_from_the_middle_shows_its_part() {
    let mut map = mirror_room();
    let small = wall(Vec3::new(1.0, 3.0, 0.0), Vec3::X * 0.6, Vec3::Y * 0.6, GREY).window(0);
    map.models[0] = level(&[small]).models[0].clone();
    let Some(mut studio) = Studio::open(map) else { return };
    let picture = studio.picture(&view(looking(Vec3::new(0.0, 2.0, 3.0), 0.0)));
    // From 0.51 to 0.82 of half the picture, right of the middle and above it.
    for (x, y, color) in
        [(53, 10, BLUE), (50, 13, BLUE), (56, 7, BLUE), (46, 10, GREEN), (60, 10, GREEN), (53, 20, GREEN)]
    {
        assert_eq!(pixel(&picture, x, y), color, "{x} {y}");
    }
}

#[test]
fn of_more_windows_than_eight_the_largest_are_drawn() {
    const COUNT: u8 = 10;
    let color = |number: u8| [20 * number + 20, 100, 50, 255];
    let aside = |number: u8| Vec3::X * 100.0 * (f32::from(number) + 1.0);
    let gate = |number: u8| {
        let height = 2.0 - 0.1 * f32::from(number);
        let corner = Vec3::new(-2.5 + 0.5 * f32::from(number), -height * 0.5, -4.0);
        wall(corner, Vec3::X * 0.5, Vec3::Y * height, GREY).window(number.into())
    };
    let other = |number: u8| {
        let corner = aside(number) + Vec3::new(-20.0, -20.0, -9.0);
        wall(corner, Vec3::X * 40.0, Vec3::Y * 40.0, color(number))
    };
    let walls: Vec<Wall> = (0..COUNT).map(gate).chain((0..COUNT).map(other)).collect();
    let warp = |number: u8| MapWindow::Warp {
        here_from_there: Affine3A::from_translation(-aside(number)),
        there: Vec4::new(0.0, 0.0, -1.0, 4.0),
    };
    let map = Map { windows: (0..COUNT).map(warp).collect(), ..level(&walls) };
    let Some(mut studio) = Studio::open(map) else { return };
    let picture = studio.picture(&view(looking(Vec3::ZERO, 0.0)));
    for number in 0..COUNT {
        // 32 pixels are 4 tan(1.15 / 2), which is 2.592.
        let x = (-2.25 + 0.5 * f32::from(number)) / 2.592 * 32.0 + 32.0;
        let expected = if number < 8 { color(number) } else { GREY };
        assert_eq!(pixel(&picture, x as u32, MIDDLE), expected, "{number}");
    }
}

#[test]
fn sprites_in_a_mirror_face_who_looks() {
    let mirror = wall(Vec3::new(-2.0, 0.0, 0.0), Vec3::X * 4.0, Vec3::Y * 4.0, GREY).window(0);
    let mut sprite = wall(Vec3::new(-1.0, -1.0, 0.0), Vec3::X * 2.0, Vec3::Y * 2.0, GREY);
    sprite.picture = image(2, 1, |x, _| [RED, BLUE][x as usize]);
    let mut map = level(&[mirror, sprite]);
    map.windows = vec![MapWindow::Mirror(Vec4::new(0.0, 0.0, 1.0, 0.0))];
    map.items[1].kind = MapItemKind::Sprite;
    map.items[1].world_from_model = Affine3A::from_translation(Vec3::new(0.0, 2.0, 6.0));
    let Some(mut studio) = Studio::open(map) else { return };
    let picture = studio.picture(&view(looking(Vec3::new(0.0, 2.0, 3.0), 0.0)));
    // A unit at a distance of nine is 5.5 pixels.
    let row = [24, 28, 30, 33, 35, 39].map(|x| pixel(&picture, x, MIDDLE));
    assert_eq!(row, [BLACK, RED, RED, BLUE, BLUE, BLACK]);
}

#[test]
fn room_for_windows_is_kept_while_they_are_drawn() {
    let Some(mut studio) = Studio::open(mirror_room()) else { return };
    let ahead = view(looking(Vec3::new(0.0, 2.0, 3.0), 0.0));
    let away = view(looking(Vec3::new(0.0, 2.0, 3.0), FRAC_PI_2));
    assert_eq!(studio.map().kept_pictures(), 0);
    let first = studio.picture(&ahead);
    // What is drawn into, and the picture.
    assert_eq!(studio.map().kept_pictures(), 2);
    // One of another size has room of its own.
    studio.sized(&ahead, (SIDE * 2, SIDE, 4));
    assert_eq!(studio.map().kept_pictures(), 2);
    assert_eq!(studio.picture(&ahead).rgba, first.rgba);
    for _ in 0..60 {
        studio.picture(&away);
    }
    assert_eq!(studio.map().kept_pictures(), 2);
    studio.picture(&away);
    assert_eq!(studio.map().kept_pictures(), 0);
    studio.picture(&ahead);
    studio.picture_of(&ahead, without_windows(), &MapMoment::default());
    assert_eq!(studio.map().kept_pictures(), 0);
}
