//! How surfaces of a level look: reflections, waves, brightness, light alone, edges, glows.

use crate::{
    kit::device::{image, near, pixel},
    map_kit::*,
};
use bonebox::{
    gpu::{Line, MapLayers, Shading, ViewSettings},
    scene::{Blend, Map, MapItemKind, MapMoment, MapWindow, TextureMotion},
};
use glam::{Affine3A, Vec2, Vec3, Vec4};
use std::sync::Arc;

const MIDDLE: u32 = SIDE / 2;

#[test]
fn an_environment_surface_shows_what_it_reflects() {
    let strips = || image(4, 1, |x, _| [BLUE, RED, GREEN, YELLOW][x as usize]);
    let mut shining = square(strips());
    let Some(mut plain) = Studio::open(level(&[square(strips())])) else { return };
    let picture = plain.picture(&before_it());
    assert_eq!([8, 56].map(|x| pixel(&picture, x, MIDDLE)), [BLUE, YELLOW]);
    shining.basic.environment = true;
    let Some(mut studio) = Studio::open(level(&[shining])) else { return };
    let picture = studio.picture(&before_it());
    // Seen at 25° it reflects what lies at 25° behind the eye: 0.5 − sin 25° / 2 is 0.28 of the picture.
    assert_eq!([8, 24, 40, 56].map(|x| pixel(&picture, x, MIDDLE)), [RED, RED, GREEN, GREEN]);
}

#[test]
fn a_wavy_picture_swings() {
    let texels = image(32, 32, |x, y| [x as u8 * 8, y as u8 * 8, 0, 255]);
    let mut wavy = square(texels);
    wavy.basic.motion = Some(TextureMotion { pan: Vec2::ZERO, wavy: true, size: Vec2::splat(32.0) });
    let Some(mut studio) = Studio::open(level(&[wavy])) else { return };
    // Two pixels a texel: 10.25 and 6.25. To the right 8 sin t + 4 cos 2.3 t texels, down 8 cos t + 4 sin 2.3 t.
    for (seconds, x, y) in [(0.0, 14, 14), (1.0, 14, 13), (2.0, 17, 30)] {
        let found = pixel(&studio.at(&before_it(), seconds), 20, 12);
        assert_eq!(found, [x * 8, y * 8, 0, 255], "{seconds}");
    }
}

#[test]
fn brightness_counts_for_what_blends() {
    let seen = |blend: Blend, alpha: u8, gamma: f32| {
        let mut pane = square(image(1, 1, |_, _| [100, 80, 60, alpha]));
        pane.basic.blend = blend;
        let mut studio = Studio::open(level(&[pane]))?;
        Some(pixel(&studio.picture(&ViewSettings { gamma, ..before_it() }), MIDDLE, MIDDLE))
    };
    for (blend, alpha, gamma, expected) in [
        (Blend::Translucent, 255, 1.0, [100, 80, 60, 255]),
        (Blend::Translucent, 255, 2.0, [160, 143, 124, 255]),
        (Blend::Alpha, 128, 1.0, [50, 40, 30, 255]),
        // 255 × √(100 / 255) × 128 / 255, and so on.
        (Blend::Alpha, 128, 2.0, [80, 72, 62, 255]),
    ] {
        let Some(found) = seen(blend, alpha, gamma) else { return };
        assert!(near(found, expected, 1), "{blend:?} {gamma}: {found:?}, not {expected:?}");
    }
}

#[test]
fn brightness_counts_for_baked_light() {
    let mut rooms = crate::kit::level::rooms(1);
    rooms.items.truncate(1);
    let Some(mut studio) = Studio::open(rooms) else { return };
    let (stone, light) = (crate::kit::level::STONE, crate::kit::level::BRIGHT);
    let plain = view(looking(Vec3::new(-5.0, 3.0, 0.0), 0.0));
    for gamma in [1.0, 2.0, 0.5] {
        let found = pixel(&studio.picture(&ViewSettings { gamma, ..plain.clone() }), MIDDLE, MIDDLE);
        let of = |channel: usize| {
            let lit = f32::from(stone[channel]) * f32::from(light[channel]) * 2.0 / (255.0 * 255.0);
            (255.0 * lit.powf(1.0 / gamma)).round() as u8
        };
        assert!(near(found, [of(0), of(1), of(2), 255], 2), "{gamma}: {found:?}");
    }
}

#[test]
fn light_alone_leaves_out_what_lets_light_through() {
    let back = || wall(Vec3::new(-20.0, -20.0, -4.0), Vec3::X * 40.0, Vec3::Y * 40.0, GREY);
    let view = ViewSettings { shading: Shading::Light, ..before_it() };
    let Some(mut alone) = Studio::open(level(&[back()])) else { return };
    let expected = alone.picture(&view);
    for blend in [Blend::Translucent, Blend::Modulated] {
        let mut water = square(image(1, 1, |_, _| BLUE));
        water.basic.blend = blend;
        let Some(mut studio) = Studio::open(level(&[back(), water])) else { return };
        assert_eq!(studio.picture(&view).rgba, expected.rgba, "{blend:?}");
    }
}

#[test]
fn a_mirror_has_edges() {
    let walls = [
        wall(Vec3::new(-2.0, 0.0, 0.0), Vec3::X * 4.0, Vec3::Y * 4.0, GREY).window(0),
        wall(Vec3::new(20.0, -20.0, 8.0), Vec3::NEG_X * 40.0, Vec3::Y * 44.0, RED),
    ];
    let map = Map { windows: vec![MapWindow::Mirror(Vec4::new(0.0, 0.0, 1.0, 0.0))], ..level(&walls) };
    let Some(mut studio) = Studio::open(map) else { return };
    let view = view(looking(Vec3::new(0.0, 2.0, 3.0), 0.0));
    let plain = studio.picture(&view);
    let edges = studio.picture(&ViewSettings { wireframe: true, ..view });
    // Between its triangles, from the lower left to the upper right.
    let near_line = |x: u32| [62, 63, 64].map(|sum| (x, sum - x));
    let is_marked = |(x, y): (u32, u32)| !near(pixel(&edges, x, y), pixel(&plain, x, y), 4);
    let marked = (40..56).filter(|x| near_line(*x).into_iter().any(is_marked)).count();
    assert_eq!(marked, 16);
}

/// A wall, and a glow a fifth of its distance wide.
fn glowing(at: Vec3) -> Map {
    let back = wall(Vec3::new(-20.0, -20.0, -4.0), Vec3::X * 40.0, Vec3::Y * 40.0, GREY);
    let glow = wall(Vec3::new(-0.1, -0.1, 0.0), Vec3::X * 0.2, Vec3::Y * 0.2, [50, 20, 0, 255]);
    let mut map = level(&[back, glow]);
    map.items[1].kind = MapItemKind::Corona;
    map.items[1].world_from_model = Affine3A::from_translation(at);
    map
}

#[test]
fn a_glow_does_not_shine_through_a_wall_and_only_where_there_is_light() {
    let view = view(looking(Vec3::ZERO, 0.0));
    let Some(mut behind) = Studio::open(glowing(Vec3::NEG_Z * 5.0)) else { return };
    assert_eq!(pixel(&behind.picture(&view), MIDDLE, MIDDLE), GREY);
    let Some(mut before) = Studio::open(glowing(Vec3::NEG_Z * 3.0)) else { return };
    let off = MapLayers { coronas: false, ..MapLayers::default() };
    for (shading, glows) in
        [(Shading::Lit, true), (Shading::Unlit, true), (Shading::Light, false), (Shading::Normals, false)]
    {
        let view = ViewSettings { shading, ..view.clone() };
        let plain = before.picture_of(&view, off, &MapMoment::default());
        assert_eq!(before.picture(&view).rgba != plain.rgba, glows, "{shading:?}");
    }
}

#[test]
fn a_glow_is_seen_as_far_as_it_reaches() {
    // Its middle is right of the picture, which is 1.94 wide there; it reaches 0.37 to each side.
    let Some(mut studio) = Studio::open(glowing(Vec3::new(2.2, 0.0, -3.0))) else { return };
    let picture = studio.picture(&view(looking(Vec3::ZERO, 0.0)));
    assert_eq!(pixel(&picture, SIDE - 1, MIDDLE), [170, 140, 120, 255]);
    assert_eq!(pixel(&picture, SIDE - 8, MIDDLE), GREY);
}

#[test]
fn lines_that_stay_are_drawn_until_others_come() {
    let Some(mut studio) = Studio::open(level(&[square(image(1, 1, |_, _| GREY))])) else { return };
    let upright = |x: f32, color: [u8; 4]| {
        let ends = [Vec3::new(x, -2.0, 0.5), Vec3::new(x, 2.0, 0.5)];
        Line { ends, color, width_px: 4.0, over: x > 0.0 }
    };
    let mut seen = |overlay: &[Arc<[Line]>], lines: &[Line]| {
        let picture = studio.with_lines(&before_it(), lines, overlay);
        // Half a unit before the square: a little farther out.
        [MIDDLE - 24, MIDDLE, MIDDLE + 24].map(|x| {
            let found = pixel(&picture, x, MIDDLE);
            [RED, GREEN, BLUE, YELLOW, GREY].into_iter().find(|color| near(found, color, 4)).unwrap_or(found)
        })
    };
    // At a distance of 1.54 − 0.5 from the eye, 24 of 32 pixels are 0.5067.
    let [left, right] = [-0.5067, 0.5067];
    let first: Arc<[Line]> = Arc::new([upright(left, RED)]);
    let second: Arc<[Line]> = Arc::new([upright(right, BLUE), upright(0.0, YELLOW)]);
    assert_eq!(seen(std::slice::from_ref(&first), &[]), [RED, GREY, GREY]);
    assert_eq!(seen(std::slice::from_ref(&first), &[upright(0.0, GREEN)]), [RED, GREEN, GREY]);
    assert_eq!(seen(std::slice::from_ref(&second), &[]), [GREY, YELLOW, BLUE]);
    assert_eq!(seen(&[], &[upright(right, GREEN)]), [GREY, GREY, GREEN]);
    assert_eq!(seen(std::slice::from_ref(&second), &[upright(left, RED)]), [RED, YELLOW, BLUE]);
    // Several of them, and fewer again.
    let third: Arc<[Line]> = Arc::new([upright(0.0, GREEN)]);
    assert_eq!(seen(&[first.clone(), third.clone()], &[upright(right, BLUE)]), [RED, GREEN, BLUE]);
    assert_eq!(seen(&[third, first], &[]), [RED, GREEN, GREY]);
}

#[test]
fn levels_that_are_drawn_in_turn_keep_their_own_lines() {
    let room = || level(&[square(image(1, 1, |_, _| GREY))]);
    let Some(mut studio) = Studio::open(room()) else { return };
    let mut other = studio.upload(room());
    let upright = |color: [u8; 4]| -> Arc<[Line]> {
        let ends = [Vec3::new(0.0, -2.0, 0.5), Vec3::new(0.0, 2.0, 0.5)];
        Arc::new([Line { ends, color, width_px: 4.0, over: false }])
    };
    let [red, green] = [RED, GREEN].map(upright);
    for _ in 0..3 {
        for (lines, color) in [(&red, RED), (&green, GREEN)] {
            let picture = studio.with_lines(&before_it(), &[], std::slice::from_ref(lines));
            assert!(near(pixel(&picture, MIDDLE, MIDDLE), color, 4));
            other = studio.swap(other);
        }
    }
    assert_eq!((studio.map().line_writes(), other.line_writes()), (1, 1));
    // What is handed over no more is gone, and put there anew.
    assert_eq!(pixel(&studio.with_lines(&before_it(), &[], &[]), MIDDLE, MIDDLE), GREY);
    studio.with_lines(&before_it(), &[], &[red, green]);
    assert_eq!(studio.map().line_writes(), 3);
}
