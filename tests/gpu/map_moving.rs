//! What of a level changes with time, and how bright it is: values worked out by hand.

use crate::{
    kit::device::{image, near, pixel},
    map_kit::*,
};
use bonebox::{
    gpu::{MapLayers, Shading, ViewSettings},
    scene::{FlipBook, Image, LiveKind, LivePicture, Map, MapItemKind, MapMoment, MapMover, MoverKey, TextureMotion},
};
use glam::{Affine3A, Vec2, Vec3};
use std::sync::Arc;

const MIDDLE: u32 = SIDE / 2;

#[test]
fn a_picture_that_pans_shifts_by_the_right_texels() {
    let mut moving = square(image(8, 8, |x, y| [x as u8 * 30, y as u8 * 30, 0, 255]));
    moving.basic.motion = Some(TextureMotion { pan: Vec2::new(2.0, -1.0), wavy: false, size: Vec2::splat(8.0) });
    let Some(mut studio) = Studio::open(level(&[moving])) else { return };
    let view = before_it();
    for (seconds, across, down) in [(0.0, 0, 0), (1.0, 2, 7), (2.0, 4, 6), (13.0, 2, 3), (1.0, 2, 7)] {
        let picture = studio.at(&view, seconds);
        // Eight pixels a texel; the middle of the third column and the second row.
        let expected = [(2 + across) % 8 * 30, (1 + down) % 8 * 30, 0, 255];
        assert_eq!(pixel(&picture, 20, 12), expected, "{seconds}");
    }
}

/// A level whose square shows a picture that changes.
fn living(still: Arc<Image>, kind: LiveKind) -> Map {
    Map { live: vec![LivePicture { still: still.clone(), kind }], ..level(&[square(still)]) }
}

#[test]
fn a_flip_book_shows_the_picture_of_the_moment() {
    let frames: Vec<Arc<Image>> = [RED, GREEN, BLUE].map(|color| image(4, 4, move |_, _| color)).to_vec();
    let book = FlipBook { frames: frames.clone(), rate_hz: 10.0 };
    let Some(mut studio) = Studio::open(living(frames[0].clone(), LiveKind::FlipBook(book))) else { return };
    let view = before_it();
    for (seconds, color) in [(0.0, RED), (0.1, GREEN), (0.25, BLUE), (0.3, RED), (0.05, RED), (100.1, BLUE)] {
        assert_eq!(pixel(&studio.at(&view, seconds), MIDDLE, MIDDLE), color, "{seconds}");
    }
}

#[test]
fn a_mover_stands_where_the_moment_has_it() {
    let key = |x: f32| MoverKey { location: Vec3::X * x, turn: [0.0; 3] };
    let mut map = level(&[square(image(1, 1, |_, _| RED))]);
    map.items[0].kind = MapItemKind::Mover;
    map.movers = vec![MapMover { keys: vec![key(0.0), key(1.0), key(50.0)], seconds: 1.0, ..MapMover::default() }];
    let Some(mut studio) = Studio::open(map) else { return };
    let view = before_it();
    let mut row = |movers: Vec<f32>| {
        let picture = studio.picture_of(&view, MapLayers::default(), &MapMoment { seconds: 0.0, movers });
        (0..SIDE).map(|x| pixel(&picture, x, MIDDLE)).take_while(|color| *color != RED).count()
    };
    // A unit is half of the picture.
    for (movers, black) in [(vec![], 0), (vec![0.5], 16), (vec![1.0], 32), (vec![2.0], 64), (vec![], 0)] {
        assert_eq!(row(movers.clone()), black, "{movers:?}");
    }
}

#[test]
fn brightness_is_a_power_of_the_colour() {
    let color = [100, 80, 60, 255];
    let Some(mut studio) = Studio::open(level(&[square(image(1, 1, |_, _| color))])) else { return };
    let mut seen = |gamma: f32| pixel(&studio.picture(&ViewSettings { gamma, ..before_it() }), MIDDLE, MIDDLE);
    assert_eq!(seen(1.0), color);
    // 255 × √(100 / 255) = 159.7, and so on; 255 × (100 / 255)² = 39.2.
    assert!(near(seen(2.0), [160, 143, 124, 255], 1));
    assert!(near(seen(0.5), [39, 25, 14, 255], 1));
}

#[test]
fn light_alone_is_the_lightmaps_colour() {
    let mut rooms = crate::kit::level::rooms(1);
    rooms.items.truncate(1);
    let Some(mut studio) = Studio::open(rooms) else { return };
    for (x, light) in [(-5.0, crate::kit::level::BRIGHT), (5.0, crate::kit::level::DIM)] {
        let camera = looking(Vec3::new(x, 3.0, 0.0), 0.0);
        let view = ViewSettings { shading: Shading::Light, ..view(camera) };
        let found = pixel(&studio.picture(&view), MIDDLE, MIDDLE);
        assert!(near(found, light, 1), "{found:?}, not {light:?}");
    }
}

#[test]
fn a_glow_is_added_to_what_lies_behind_it_and_hidden_by_what_lies_before_it() {
    let back = wall(Vec3::new(-20.0, -20.0, -4.0), Vec3::X * 40.0, Vec3::Y * 40.0, GREY);
    // A fifth of its distance wide, wherever it is.
    let glow = wall(Vec3::new(-0.1, -0.1, 0.0), Vec3::X * 0.2, Vec3::Y * 0.2, [50, 20, 0, 255]);
    let mut map = level(&[back, glow]);
    map.items[1].kind = MapItemKind::Corona;
    let at = |z: f32| {
        let mut map = map.clone();
        map.items[1].world_from_model = Affine3A::from_translation(Vec3::Z * z);
        map
    };
    let view = view(looking(Vec3::ZERO, 0.0));
    let Some(mut near_one) = Studio::open(at(-3.0)) else { return };
    let picture = near_one.picture(&view);
    assert_eq!(pixel(&picture, MIDDLE, MIDDLE), [170, 140, 120, 255]);
    // A tenth to each side is 32 × 0.1 / tan(1.15 / 2) = 4.9 pixels.
    assert_eq!(pixel(&picture, MIDDLE + 3, MIDDLE), [170, 140, 120, 255]);
    assert_eq!(pixel(&picture, MIDDLE + 7, MIDDLE), GREY);
    let off = MapLayers { coronas: false, ..MapLayers::default() };
    assert_eq!(pixel(&near_one.picture_of(&view, off, &MapMoment::default()), MIDDLE, MIDDLE), GREY);
    let Some(mut far_one) = Studio::open(at(-30.0)) else { return };
    assert_eq!(pixel(&far_one.picture(&view), MIDDLE, MIDDLE), GREY);
}
