//! What is seen through windows of a level: the sky, mirrors, warp zones; and what a zone does to the sight.

use crate::{
    kit::device::{near, pixel},
    map_kit::*,
};
use bonebox::{
    gpu::MapLayers,
    scene::{Blend, Map, MapMoment, MapNode, MapSky, MapTree, MapWindow, MapZone, SurfaceRole},
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
    let tinted = pixel(&studio.picture(&bonebox::gpu::ViewSettings { show_hidden: true, ..ahead }), MIDDLE, MIDDLE);
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
