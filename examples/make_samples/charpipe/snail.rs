//! Helix: bones, body, eyes and mouth. It looks along Z; Y is up; the ground is at 0.

use super::{
    super::{
        mesh::{curve, smoothstep},
        paint::{hex, mix},
    },
    sheet::{Sheet, Spot, sheet},
};
use glam::{Vec2, Vec3};
use std::f32::consts::{PI, TAU};

/// Bones by their number; the file's table has them in [`TABLE`]'s order.
pub mod bone {
    pub const ROOT: usize = 0;
    pub const BODY: usize = 1;
    pub const SHELL: usize = 2;
    pub const TORSO: usize = 3;
    pub const TAIL_1: usize = 4;
    pub const TAIL_2: usize = 5;
    pub const CHEST: usize = 6;
    pub const NECK: usize = 7;
    pub const HEAD: usize = 8;
    /// Left, then right: two of the stalk, the tip, the eyeball.
    pub const STALKS: [[usize; 4]; 2] = [[9, 10, 11, 12], [13, 14, 15, 16]];
    pub const FEELERS: [usize; 2] = [17, 18];
    pub const COUNT: usize = 19;
}

/// The table's order is not the one in which skins count.
pub const TABLE: [usize; bone::COUNT] = [0, 1, 3, 6, 7, 8, 2, 4, 5, 9, 13, 10, 14, 11, 15, 12, 16, 17, 18];

pub const SHELL_CENTER: Vec3 = Vec3::new(0.0, 3.35, -1.25);
/// Behind the mouth.
const MOUTH_FROM: Vec3 = Vec3::new(0.0, 3.7, 2.9);
const BULB: f32 = 0.88;
pub const EYEBALL: f32 = 0.79;

fn side(index: usize) -> f32 {
    if index == 0 { 1.0 } else { -1.0 }
}

fn stalk(index: usize) -> [Vec3; 4] {
    let at = |x: f32, y: f32, z: f32| Vec3::new(x * side(index), y, z);
    [at(0.5, 4.55, 3.0), at(0.66, 5.3, 2.98), at(0.85, 5.95, 3.05), at(1.0, 6.7, 3.2)]
}

fn feeler(index: usize) -> [Vec3; 3] {
    let at = |x: f32, y: f32, z: f32| Vec3::new(x * side(index), y, z);
    [at(0.75, 3.0, 3.75), at(1.02, 2.85, 4.2), at(1.3, 2.72, 4.5)]
}

/// Parent of each bone, and where it rests in the model.
pub fn rest() -> [(Option<usize>, Vec3); bone::COUNT] {
    use bone::*;
    let mut all = [(None, Vec3::ZERO); COUNT];
    let mut put = |bone: usize, parent: usize, at: Vec3| all[bone] = (Some(parent), at);
    put(BODY, ROOT, Vec3::new(0.0, 0.7, -0.4));
    put(SHELL, BODY, SHELL_CENTER);
    put(TORSO, BODY, Vec3::new(0.0, 0.75, -0.4));
    put(TAIL_1, TORSO, Vec3::new(0.0, 0.62, -2.0));
    put(TAIL_2, TAIL_1, Vec3::new(0.0, 0.4, -3.7));
    put(CHEST, TORSO, Vec3::new(0.0, 0.9, 1.2));
    put(NECK, CHEST, Vec3::new(0.0, 1.75, 2.45));
    put(HEAD, NECK, Vec3::new(0.0, 3.0, 2.95));
    for index in 0..2 {
        let [low, mid, tip, ball] = STALKS[index];
        let path = stalk(index);
        put(low, HEAD, path[0]);
        put(mid, low, path[1]);
        put(tip, mid, path[2]);
        put(ball, tip, path[3]);
        put(FEELERS[index], HEAD, feeler(index)[0]);
    }
    all
}

/// How far each facial pose is on, 0 to 1.
#[derive(Clone, Copy, Default)]
pub struct Face {
    pub blink: f32,
    pub smile: f32,
    pub gasp: f32,
}

/// Sheets of the skinned mesh, by their material: the skin, then the mouth.
pub fn sheets(face: Face) -> [Vec<Sheet>; 2] {
    let mut skin = vec![body().outward(Vec3::Y)];
    for index in 0..2 {
        skin.push(stalk_sheet(index).outward(stalk(index)[1]));
        skin.push(bulb(index, face.blink).outward(stalk(index)[3]));
        skin.push(feeler_sheet(index).outward(feeler(index)[1]));
    }
    [skin, vec![mouth(face).outward(MOUTH_FROM)]]
}

/// Height and depth of the body's middle, half its width, and its reach to the back and to the belly.
const SECTIONS: [[f32; 5]; 14] = [
    [-5.6, 0.05, 0.0, 0.0, 0.0],
    [-5.25, 0.16, 0.34, 0.13, 0.14],
    [-4.0, 0.40, 0.92, 0.45, 0.38],
    [-2.2, 0.62, 1.42, 0.82, 0.6],
    [-0.4, 0.75, 1.62, 1.0, 0.73],
    [1.1, 0.86, 1.52, 1.0, 0.84],
    [2.15, 1.38, 1.26, 0.95, 1.05],
    [2.7, 2.3, 1.08, 0.9, 0.98],
    [2.95, 3.15, 1.25, 1.08, 1.12],
    [3.02, 3.95, 1.42, 1.22, 1.3],
    [3.0, 4.65, 1.22, 1.06, 1.12],
    [2.96, 5.06, 0.84, 0.74, 0.76],
    [2.94, 5.25, 0.42, 0.38, 0.38],
    [2.93, 5.3, 0.0, 0.0, 0.0],
];

/// Where the bones of the spine have the most to say, along the sections.
const SPINE: [(usize, f32); 6] = [
    (bone::TAIL_2, 1.2),
    (bone::TAIL_1, 2.7),
    (bone::TORSO, 4.0),
    (bone::CHEST, 5.4),
    (bone::NECK, 7.0),
    (bone::HEAD, 9.2),
];

/// The body's surface: `u` around from the back over its left, the belly and the face at one half; `s` in sections from the tail.
fn body_point(u: f32, s: f32) -> Vec3 {
    let last = SECTIONS.len() as f32 - 1.0;
    let s = s.clamp(0.0, last);
    let part = |from: usize| {
        let knots: Vec<Vec3> = SECTIONS.iter().map(|row| Vec3::new(row[from], row[from + 1], 0.0)).collect();
        curve(&knots, s / last)
    };
    let middle = |s: f32| {
        let knots: Vec<Vec3> = SECTIONS.iter().map(|row| Vec3::new(0.0, row[1], row[0])).collect();
        curve(&knots, s / last)
    };
    // The ends are points.
    let end = if s <= 0.0 || s >= last { 0.0 } else { 1.0 };
    let (width, reach) = (part(2).x.max(0.0) * end, part(3) * end);
    let ahead = (middle(s + 0.35) - middle(s - 0.35)).normalize_or(Vec3::Z);
    let up = ahead.cross(Vec3::X).normalize_or(Vec3::Y);
    let (sin, cos) = (u * TAU).sin_cos();
    // The foot is flat and wider than the back.
    let flat = smoothstep(6.4, 4.6, s);
    let bottom = (-cos).max(0.0);
    let squared = 1.0 - 0.55 * flat * bottom;
    let height = if cos > 0.0 { reach.x } else { reach.y } * cos * (1.0 + 0.75 * flat * bottom * (1.0 - bottom));
    let skirt = 1.0 + 0.16 * flat * smoothstep(0.1, 0.75, bottom);
    let across = sin.signum() * sin.abs().powf(squared) * skirt;
    let mut point = middle(s) + up * height + Vec3::X * (width * across);
    if s < 6.0 {
        point.y = point.y.max(0.02 * (1.0 - flat) + 0.015);
    }
    point
}

/// Weights by distances from where bones have the most to say.
fn near(places: &[(usize, f32)], at: f32) -> Vec<(usize, f32)> {
    let mut weights: Vec<(usize, f32)> =
        places.iter().map(|(bone, place)| (*bone, (-((at - place) / 0.8).powi(2)).exp())).collect();
    let nearest = places.iter().map(|(_, place)| (at - place).abs()).fold(f32::MAX, f32::min);
    // Beyond the last ones there is no falling off.
    weights.iter_mut().for_each(|(_, weight)| *weight /= (-(nearest / 0.8).powi(2)).exp());
    let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
    weights.retain(|(_, weight)| weight / sum > 0.035);
    weights
}

/// A shade from below: light falls on the back, the ground takes some of it.
fn occlusion(at: Vec3) -> f32 {
    let ground = 0.55 + 0.45 * smoothstep(0.0, 1.4, at.y);
    let under_shell = (at - SHELL_CENTER - Vec3::new(0.0, -0.9, 0.3)) / Vec3::new(1.7, 1.9, 2.5);
    ground * (0.5 + 0.5 * smoothstep(0.6, 1.15, under_shell.length()))
}

fn body() -> Sheet {
    let last = SECTIONS.len() as f32 - 1.0;
    sheet(28, 46, |u, v| {
        // Rows are closer at the head.
        let s = v * last;
        let position = body_point(u, s);
        let shade = Vec3::splat(occlusion(position));
        Spot { position, uv: Vec2::new(u, 1.0 - v), shade, weights: near(&SPINE, s) }
    })
}

/// A tube along a path of points; `v` along it.
fn tube(path: &[Vec3], radius: impl Fn(f32) -> f32, u: f32, v: f32) -> Vec3 {
    let center = curve(path, v);
    let along = (curve(path, (v + 0.05).min(1.0)) - curve(path, (v - 0.05).max(0.0))).normalize_or(Vec3::Y);
    let right = along.cross(Vec3::Z).normalize_or(Vec3::X);
    let ahead = right.cross(along);
    let (sin, cos) = (u * TAU).sin_cos();
    center + (right * sin - ahead * cos) * radius(v)
}

fn stalk_sheet(index: usize) -> Sheet {
    let path = stalk(index);
    let [low, mid, tip, _] = bone::STALKS[index];
    let places = [(bone::HEAD, -0.4), (low, 0.7), (mid, 1.6), (tip, 2.6)];
    sheet(12, 12, |u, v| {
        let position = tube(&path, |v| 0.42 - 0.2 * smoothstep(0.0, 0.5, v), u, v);
        let uv = Vec2::new(u, 0.1 + 0.06 * (1.0 - v));
        let shade = Vec3::splat(0.78 + 0.22 * smoothstep(0.2, 0.45, v) - 0.18 * smoothstep(0.55, 0.85, v));
        Spot { position, uv, shade, weights: near(&places, v * 3.0) }
    })
}

/// The tip of a stalk is a lid all around the eyeball: `u` around the eye from above, `v` from the rim to the back.
fn bulb(index: usize, blink: f32) -> Sheet {
    let center = stalk(index)[3];
    let tip = bone::STALKS[index][2];
    const OPEN: f32 = 54.0;
    sheet(28, 12, |u, v| {
        // The rim has a thickness: its first row lies inside.
        let inner = v < 0.01;
        let ahead = (OPEN + (180.0 - OPEN) * ((v - 1.0 / 12.0).max(0.0) * 12.0 / 11.0)).to_radians();
        let (sin, cos) = (u * TAU).sin_cos();
        let open = Vec3::new(ahead.sin() * sin, ahead.sin() * cos, ahead.cos());
        let seam = -0.12 + 0.1 * open.x * open.x;
        let shut = Vec3::new(open.x, seam, (1.0 - open.x * open.x - seam * seam).max(0.0).sqrt());
        let share = smoothstep(112.0, OPEN, ahead.to_degrees());
        let shut = open.lerp(shut, share).normalize_or(Vec3::Z);
        let direction = open.lerp(shut, blink);
        let radius = if inner { EYEBALL * 1.005 } else { BULB - 0.02 * share };
        // A little outwards.
        let position = center + turned(direction * radius, 9.0 * side(index));
        let rim = smoothstep(OPEN + 14.0, OPEN, ahead.to_degrees());
        let shade = Vec3::splat(if inner { 0.35 } else { 1.0 - 0.3 * rim });
        Spot { position, uv: Vec2::new(u, 0.1 + 0.05 * v), shade, weights: vec![(tip, 1.0)] }
    })
}

/// About Y.
fn turned(at: Vec3, degrees: f32) -> Vec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Vec3::new(at.x * cos + at.z * sin, at.y, at.z * cos - at.x * sin)
}

fn feeler_sheet(index: usize) -> Sheet {
    let path = feeler(index);
    let places = [(bone::HEAD, -0.5), (bone::FEELERS[index], 0.9)];
    sheet(10, 8, |u, v| {
        let tip = (1.0 - ((v - 0.62) / 0.38).max(0.0).powi(2)).max(0.0).sqrt();
        let position = tube(&path, |v| (0.15 + 0.12 * (v - 0.65).max(0.0) / 0.35) * tip, u, v);
        let position = if v > 0.99 { curve(&path, 1.0) } else { position };
        Spot { position, uv: Vec2::new(u, 0.13), shade: Vec3::splat(0.86 + 0.14 * v), weights: near(&places, v * 2.0) }
    })
}

/// A patch on the face: `u` from its right to its left, `v` up.
fn mouth(face: Face) -> Sheet {
    let Face { smile, gasp, .. } = face;
    sheet(20, 5, |u, v| {
        let x = u * 2.0 - 1.0;
        let round = (1.0 - x * x).max(0.0).sqrt();
        let width = 0.085 + 0.035 * smile - 0.045 * gasp;
        let bow = (0.2 + 0.16 * smile) * (1.0 - gasp);
        let upper = 0.045 + 0.03 * smile + 0.24 * gasp;
        let lower = 0.06 + 0.36 * smile + 0.3 * gasp;
        let middle = 8.72 + bow * x * x;
        let s = middle + round * (v * (upper + lower) - lower);
        // Seen from the front, its right is on our left: where X is negative.
        let around = 0.5 - x * width;
        let on = body_point(around, s);
        let out = (on - MOUTH_FROM).normalize_or(Vec3::Z);
        Spot { position: on + out * 0.035, uv: Vec2::new(u, 1.0 - v), shade: Vec3::ONE, weights: near(&SPINE, 8.72) }
    })
}

/// An eyeball around its bone, looking along Z.
pub fn eyeball() -> Vec<Sheet> {
    vec![
        sheet(24, 12, |u, v| {
            let (sin, cos) = (u * TAU).sin_cos();
            let back = (1.0 - v) * PI;
            let direction = Vec3::new(-sin * back.sin(), cos * back.sin(), back.cos());
            // The front half of the ball has the picture.
            let front = (back / (PI * 0.4)).min(1.0) * 0.5;
            let uv = Vec2::new(0.5 - sin * front, 0.5 - cos * front);
            let light = mix(hex(0xC8D4F0), Vec3::ONE, 0.5 + 0.8 * direction.y + 0.3 * direction.z);
            Spot { position: direction * EYEBALL, uv, shade: light, weights: Vec::new() }
        })
        .outward(Vec3::ZERO),
    ]
}
