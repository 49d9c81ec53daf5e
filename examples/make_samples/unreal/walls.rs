//! Textures of the rooms, the flag and the signs. Wall textures tile seamlessly.

use glam::{Vec2, Vec3};

use super::super::mesh::smoothstep;
use super::super::paint::{Color, disc, hex, mix, stroke};
use super::picture::Picture;

const INK: u32 = 0x2a1a3a;
const IVORY: u32 = 0xfff3da;
const CORAL: u32 = 0xf4735c;
const TEAL: u32 = 0x2fb0a5;
const TEAL_DEEP: u32 = 0x14595f;
const GOLD: u32 = 0xffc24a;

fn hash(x: i32, y: i32, seed: u32) -> f32 {
    let mut h =
        (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 13)).wrapping_mul(0x297a_2d39);
    (h ^ (h >> 16)) as f32 / u32::MAX as f32
}

/// Smooth noise from 0 to 1 over the unit square, `cells` features a side, that fits itself at the edges.
pub fn noise(at: Vec2, cells: [i32; 2], seed: u32) -> f32 {
    let scaled = at * Vec2::new(cells[0] as f32, cells[1] as f32);
    let cell = scaled.floor();
    let t = scaled - cell;
    let t = t * t * (Vec2::splat(3.0) - 2.0 * t);
    let (x, y) = (cell.x as i32, cell.y as i32);
    let corner = |dx: i32, dy: i32| hash((x + dx).rem_euclid(cells[0]), (y + dy).rem_euclid(cells[1]), seed);
    let row = |dy: i32| corner(0, dy) + (corner(1, dy) - corner(0, dy)) * t.x;
    row(0) + (row(1) - row(0)) * t.y
}

/// Noise of several sizes.
pub fn rough(at: Vec2, cells: i32, seed: u32) -> f32 {
    (0..3).map(|i| noise(at, [cells << i, cells << i], seed + i as u32) * 0.571 / (1 << i) as f32).sum()
}

/// Light from above left on a block: bright edges there, dark ones opposite. `inside` from its upper left corner, in pixels.
fn bevel(inside: Vec2, size: Vec2, width: f32) -> f32 {
    let (left, top) = (smoothstep(width, 0.0, inside.x), smoothstep(width, 0.0, inside.y));
    let (right, bottom) = (smoothstep(width, 0.0, size.x - inside.x), smoothstep(width, 0.0, size.y - inside.y));
    left.max(top) - right.max(bottom)
}

fn lit(color: Color, light: f32) -> Color {
    if light >= 0.0 { mix(color, hex(0xfff0d0), light) } else { mix(color, hex(0x1c1226), -light) }
}

/// Eight courses of warm bricks.
pub fn bricks() -> Picture {
    Picture::paint(128, 128, |at| {
        let (courses, across) = (8.0, 4.0);
        let course = (at.y * courses).floor();
        let shifted = at.x * across + if course as i32 % 2 == 0 { 0.0 } else { 0.5 };
        let brick = shifted.floor().rem_euclid(across);
        let size = Vec2::new(128.0 / across, 128.0 / courses);
        let inside = Vec2::new(shifted.fract() * size.x, (at.y * courses).fract() * size.y);
        let wobble = (noise(at, [24, 24], 5) - 0.5) * 1.2;
        let edge = inside.min(size - inside).min_element() + wobble;
        let tone = hash(brick as i32, course as i32, 11);
        let clay = mix(hex(0xa8543f), hex(0xd98a5c), tone);
        let clay = mix(clay, hex(0x8a4a52), smoothstep(0.75, 1.0, hash(brick as i32, course as i32, 12)) * 0.7);
        let clay = lit(clay, (rough(at, 16, 3) - 0.5) * 0.5 + bevel(inside - 1.6, size - 3.2, 2.2) * 0.30);
        let mortar = lit(hex(0x6b5660), (rough(at, 24, 8) - 0.5) * 0.5);
        mix(mortar, clay, smoothstep(0.8, 1.9, edge))
    })
}

/// Four boards that run down the picture.
pub fn planks() -> Picture {
    Picture::paint(128, 128, |at| {
        let board = (at.x * 4.0).floor();
        let shift = hash(board as i32, 0, 2);
        let inside = Vec2::new((at.x * 4.0).fract() * 32.0, (at.y + shift).rem_euclid(1.0) * 128.0);
        let along = Vec2::new(at.x, (at.y + shift).rem_euclid(1.0));
        let warp = noise(along, [8, 3], 31) * 0.10;
        let grain = noise(Vec2::new((along.x + warp).rem_euclid(1.0), along.y), [56, 4], 17 + board as u32);
        let tone = hash(board as i32, 1, 4);
        let wood = mix(hex(0x8a5a34), hex(0xb67d45), tone * 0.7 + 0.3 * noise(along, [4, 2], 23));
        let wood = mix(wood, hex(0x5d3a24), smoothstep(0.55, 0.95, grain) * 0.6);
        let wood = lit(wood, bevel(inside, Vec2::new(32.0, 128.0), 2.0) * 0.35);
        let gap = inside.x.min(32.0 - inside.x).min(inside.y.min(128.0 - inside.y));
        let nails: f32 = [4.0, 28.0].map(|x| disc(inside, Vec2::new(x, 5.0), 1.3, 1.0)).iter().sum();
        mix(mix(wood, hex(0x2b1a14), smoothstep(1.0, 0.2, gap)), hex(0x3b3440), nails.min(1.0))
    })
}

/// A coffered ceiling: one panel.
pub fn ceiling() -> Picture {
    Picture::paint(64, 64, |at| {
        let inside = at * 64.0;
        let edge = inside.min(Vec2::splat(64.0) - inside).min_element();
        let stone = mix(hex(0x4a3f63), hex(0x5f527c), rough(at, 6, 40));
        let field = mix(hex(0x3c3556), hex(0x4b4368), rough(at, 9, 41));
        let frame = lit(stone, bevel(inside, Vec2::splat(64.0), 2.5) * 0.4);
        let field = lit(field, -bevel(inside - 9.0, Vec2::splat(46.0), 3.0) * 0.4);
        mix(frame, field, smoothstep(8.4, 9.2, edge))
    })
}

/// A band of teal and gold; repeats to the right.
pub fn trim() -> Picture {
    Picture::paint(64, 32, |at| {
        let inside = Vec2::new(at.x * 64.0, at.y * 32.0);
        let ground = lit(mix(hex(TEAL_DEEP), hex(TEAL), rough(at, 4, 50)), (0.5 - at.y) * 0.4);
        let rails = smoothstep(5.0, 4.2, inside.y).max(smoothstep(27.0, 27.8, inside.y));
        let gold = lit(hex(0xd9992f), (2.5 - (inside.y % 27.5)).clamp(-2.5, 2.5) * 0.16);
        let local = Vec2::new(inside.x % 32.0 - 16.0, inside.y - 16.0);
        let diamond = smoothstep(7.6, 6.8, local.x.abs() + local.y.abs());
        let shine = lit(hex(GOLD), (-(local.x + local.y) * 0.05).clamp(-0.4, 0.4));
        mix(mix(ground, shine, diamond), gold, rails)
    })
}

/// A place on the bone: 1 inside, 0 outside. `at` in the bone's own space, where its shaft is two long.
pub fn bone(at: Vec2, soft: f32) -> f32 {
    let shaft = stroke(at, Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0), 0.56, soft);
    let knobs = [(-1.05, -0.34), (-1.05, 0.34), (1.05, -0.34), (1.05, 0.34)];
    knobs.iter().fold(shaft, |most, (x, y)| most.max(disc(at, Vec2::new(*x, *y), 0.42, soft)))
}

fn turned(at: Vec2, degrees: f32) -> Vec2 {
    Vec2::from_angle(-degrees.to_radians()).rotate(at)
}

/// The sign of the box: a coral disc with a bone.
pub fn sign() -> Picture {
    Picture::paint(128, 128, |at| {
        let p = (at - 0.5) * 2.0;
        let angle = p.y.atan2(p.x);
        let rays = smoothstep(-0.06, 0.06, (angle * 8.0).sin());
        let ground = mix(hex(0x1d6e74), hex(0x23868a), rays);
        let ground = mix(ground, hex(0x103e46), smoothstep(0.7, 1.4, p.length()));
        let round = mix(hex(0xff9d7e), hex(0xd8503f), smoothstep(-0.6, 0.7, p.y + p.x * 0.3));
        let color = mix(ground, hex(INK), disc(p + Vec2::new(-0.03, -0.05), Vec2::ZERO, 0.80, 0.16) * 0.5);
        let color = mix(color, hex(GOLD), disc(p, Vec2::ZERO, 0.78, 0.03));
        let color = mix(color, hex(0xa86a1c), disc(p, Vec2::ZERO, 0.71, 0.03));
        let color = mix(color, round, disc(p, Vec2::ZERO, 0.69, 0.03));
        let at = turned(p, -32.0) / 0.36;
        let color = mix(color, hex(0x8e2f3a), bone(at - Vec2::new(0.06, 0.16), 0.22) * 0.6);
        let ivory = mix(hex(0xffffff), hex(0xf0d2a0), smoothstep(-0.5, 0.7, at.y));
        mix(color, ivory, bone(at, 0.06))
    })
}

/// The flag: stripes, and a bone on a disc.
pub fn flag() -> Picture {
    Picture::paint(128, 128, |at| {
        let stripe = smoothstep(-0.05, 0.05, (at.y * std::f32::consts::TAU * 2.0).sin());
        let cloth = mix(hex(CORAL), hex(0xffe6b4), stripe);
        let weave = (hash((at.x * 128.0) as i32, (at.y * 128.0) as i32, 77) - 0.5) * 0.07;
        let hem = at.x.min(1.0 - at.x).min(at.y.min(1.0 - at.y));
        let cloth = mix(hex(TEAL_DEEP), cloth, smoothstep(0.028, 0.04, hem));
        let p = (at - Vec2::new(0.46, 0.5)) * Vec2::new(2.0, 1.5);
        let cloth = mix(cloth, hex(INK), disc(p, Vec2::ZERO, 0.56, 0.03));
        let cloth = mix(cloth, hex(TEAL), disc(p, Vec2::ZERO, 0.53, 0.03));
        lit(mix(cloth, hex(IVORY), bone(turned(p, -25.0) / 0.27, 0.1)), weave)
    })
}

/// Cloth in two colours with a bone across it.
pub fn banner() -> Picture {
    Picture::paint(128, 128, |at| {
        let half = smoothstep(-0.01, 0.01, at.x + 0.35 * at.y - 0.67);
        let cloth = mix(hex(TEAL_DEEP), hex(GOLD), half);
        let weave = (hash((at.x * 128.0) as i32, (at.y * 128.0) as i32, 53) - 0.5) * 0.07;
        let hem = at.x.min(1.0 - at.x).min(at.y.min(1.0 - at.y));
        let cloth = mix(hex(INK), cloth, smoothstep(0.03, 0.042, hem));
        let p = (at - Vec2::new(0.5, 0.5)) * Vec2::new(2.0, 1.5);
        lit(mix(cloth, hex(IVORY), bone(turned(p, 35.0) / 0.4, 0.1)), weave)
    })
}

/// A door of teal boards with gold bands.
pub fn door() -> Picture {
    Picture::paint(128, 128, |at| {
        let inside = at * 128.0;
        let board = (at.x * 6.0).floor();
        let local = (at.x * 6.0).fract() * 128.0 / 6.0;
        let grain = noise(at, [48, 5], 90 + board as u32);
        let wood = mix(hex(TEAL_DEEP), hex(0x1f7d80), 0.3 + 0.7 * hash(board as i32, 3, 91));
        let wood = lit(wood, (grain - 0.5) * 0.35 + bevel(Vec2::new(local, 64.0), Vec2::new(21.3, 128.0), 2.0) * 0.3);
        let wood = mix(hex(0x0b2a30), wood, smoothstep(0.3, 1.2, local.min(21.33 - local)));
        let mut color = wood;
        for middle in [22.0, 106.0] {
            let band = smoothstep(8.0, 7.2, (inside.y - middle).abs());
            let gold = lit(hex(0xd9992f), ((middle - inside.y) * 0.05).clamp(-0.4, 0.4));
            color = mix(color, gold, band);
            for x in [10.0, 37.0, 64.0, 91.0, 118.0] {
                let rivet = disc(inside, Vec2::new(x, middle), 3.0, 1.0);
                let shine = lit(hex(GOLD), ((x - inside.x + middle - inside.y) * 0.09).clamp(-0.5, 0.6));
                color = mix(color, shine, rivet);
            }
        }
        let p = (inside - Vec2::new(64.0, 64.0)) / 15.0;
        let color = mix(color, hex(0x06191d), bone(p - Vec2::new(0.08, 0.12), 0.3) * 0.6);
        mix(color, hex(IVORY), bone(p, 0.1))
    })
}

/// Gold bars with holes between them.
pub fn grate() -> Picture {
    Picture::masked(64, 64, |at| {
        let p = (at * 4.0).fract() - 0.5;
        let ring = (p.length() - 0.36).abs() < 0.075;
        let bars = p.x.abs() > 0.43 || p.y.abs() > 0.43;
        (ring || bars).then(|| {
            let light = if ring { -(p.x + p.y) * 0.7 } else { 0.25 - (at.x + at.y) * 0.2 };
            lit(hex(0xd9992f), light.clamp(-0.45, 0.5))
        })
    })
}

/// A bone that turns once in `frames` pictures, on a ground of holes.
pub fn spinning_bone(frames: usize) -> Vec<Picture> {
    (0..frames)
        .map(|frame| {
            let turn = frame as f32 / frames as f32 * 180.0;
            Picture::masked(32, 32, |at| {
                let p = turned((at - 0.5) * 2.0, turn) / 0.54;
                let light = turned(Vec2::new(-0.5, -0.8), turn);
                let inside = bone(p, 0.05) > 0.5;
                let rim = bone(p / 1.14, 0.05) > 0.5;
                let shade = (p - Vec2::new(p.x.clamp(-1.0, 1.0), 0.0)).dot(light) * 0.9;
                if inside { Some(lit(hex(0xf3dcb0), shade.clamp(-0.5, 0.8))) } else { rim.then(|| hex(INK)) }
            })
        })
        .collect()
}

/// What a lamp's light looks like from anywhere: a soft spot on black, to be added.
pub fn glow() -> Picture {
    Picture::paint(32, 32, |at| {
        let far = (at - 0.5).length() * 2.0;
        let light = smoothstep(1.0, 0.0, far).powf(1.6);
        Vec3::new(1.0, 0.86, 0.55) * light + Vec3::splat(smoothstep(0.35, 0.0, far) * 0.4)
    })
}

/// Thick glass: its brightness says how far what lies behind it is moved.
pub fn glass() -> Picture {
    Picture::paint(128, 128, |at| {
        let bumps = noise(at, [5, 5], 60) * 0.7 + noise(at, [10, 10], 61) * 0.3;
        mix(hex(0x0e2a3a), hex(0xc8fff2), bumps)
    })
}

/// Colours of a fire, from cold to hot.
pub fn fire_palette() -> Vec<[u8; 3]> {
    ramp(&[
        (0, 0x000000),
        (20, 0x1a0408),
        (50, 0x6e1208),
        (80, 0xd0400a),
        (112, 0xf98a16),
        (150, 0xffc840),
        (200, 0xfff0a0),
        (255, 0xffffff),
    ])
}

/// Colours of water, from its dark to its bright side.
pub fn water_palette() -> Vec<[u8; 3]> {
    ramp(&[(0, 0x04141f), (50, 0x0a3f52), (90, 0x15707a), (130, 0x2fb0a5), (180, 0x9af0d4), (255, 0xffffff)])
}

/// Colours of sparks: night to violet to white.
pub fn spark_palette() -> Vec<[u8; 3]> {
    ramp(&[(0, 0x05030f), (40, 0x1c1450), (90, 0x4b3bd0), (140, 0x5cc8ff), (200, 0xc8fff2), (255, 0xffffff)])
}

/// 256 colours between keys (index, colour).
fn ramp(keys: &[(usize, u32)]) -> Vec<[u8; 3]> {
    (0..256)
        .map(|index| {
            let after = keys.iter().position(|key| key.0 >= index).unwrap_or(keys.len() - 1).max(1);
            let (a, b) = (keys[after - 1], keys[after]);
            let t = (index - a.0) as f32 / (b.0 - a.0) as f32;
            mix(hex(a.1), hex(b.1), t).to_array().map(|c| (c * 255.0).round() as u8)
        })
        .collect()
}
