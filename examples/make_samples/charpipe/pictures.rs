//! Helix's textures.

use super::super::{
    mesh::smoothstep,
    paint::{hex, mix},
};
use bonebox::formats::{charpipe::encode::Texture, gx::encode::TextureFormat};
use glam::{Vec2, Vec3};

/// Places in the list of textures.
pub mod number {
    pub const SKIN: u16 = 0;
    pub const MOUTH: u16 = 1;
    pub const SHELL: u16 = 2;
    pub const NACRE: u16 = 3;
    pub const EYE: u16 = 4;
    pub const GLEAM: u16 = 5;
}

/// A picture of a function of 0..1 across and down, four by four looks a texel.
fn paint(format: TextureFormat, [width, height]: [u16; 2], levels: u8, at: impl Fn(Vec2) -> (Vec3, f32)) -> Texture {
    const LOOKS: u16 = 4;
    let size = Vec2::new(f32::from(width), f32::from(height));
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let mut sum = glam::Vec4::ZERO;
            for look in 0..LOOKS * LOOKS {
                let sub = Vec2::new(f32::from(look % LOOKS) + 0.5, f32::from(look / LOOKS) + 0.5) / f32::from(LOOKS);
                let (color, alpha) = at((Vec2::new(f32::from(x), f32::from(y)) + sub) / size);
                sum += color.clamp(Vec3::ZERO, Vec3::ONE).extend(alpha);
            }
            let bytes = (sum / f32::from(LOOKS * LOOKS) * 255.0).round().to_array();
            rgba.extend(bytes.map(|part| part.clamp(0.0, 255.0) as u8));
        }
    }
    let filter = if levels > 1 { 5 } else { 1 };
    Texture { levels, min_filter: filter, ..Texture::new(format, width, height, rgba) }
}

pub fn textures() -> Vec<Texture> {
    vec![
        paint(TextureFormat::Cmpr, [256, 256], 5, skin),
        paint(TextureFormat::C4, [64, 32], 1, mouth),
        paint(TextureFormat::C8, [128, 128], 1, shell),
        paint(TextureFormat::Rgb565, [64, 64], 1, nacre),
        paint(TextureFormat::Rgb5a3, [128, 128], 4, eye),
        paint(TextureFormat::I8, [64, 64], 1, gleam),
    ]
}

fn noise(x: i32, y: i32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    h = (h ^ h >> 15).wrapping_mul(0x2C1B_3C6D);
    ((h ^ h >> 13) & 0xFFFF) as f32 / 65535.0
}

/// Soft noise that repeats after `period` cells.
fn soft_noise(at: Vec2, period: i32) -> f32 {
    let cell = at.floor();
    let f = at - cell;
    let f = f * f * (Vec2::splat(3.0) - 2.0 * f);
    let look =
        |dx: i32, dy: i32| noise((cell.x as i32 + dx).rem_euclid(period), (cell.y as i32 + dy).rem_euclid(period));
    let top = look(0, 0) + (look(1, 0) - look(0, 0)) * f.x;
    let bottom = look(0, 1) + (look(1, 1) - look(0, 1)) * f.x;
    top + (bottom - top) * f.y
}

fn spot(at: Vec2, center: Vec2, radius: f32) -> f32 {
    smoothstep(radius, radius * 0.8, at.distance(center))
}

/// Around the body from the back across, from the head down to the tail: a spotted back, a pale belly, cheeks.
fn skin(p: Vec2) -> (Vec3, f32) {
    let mottle = soft_noise(p * 24.0, 24) * 0.6 + soft_noise(p * 48.0, 48) * 0.4;
    let from_back = (p.x - 0.5).abs() * 2.0;
    let green = mix(hex(0x8FD06B), hex(0xB9E27A), mottle);
    let dark = mix(green, hex(0x3FA27E), smoothstep(0.55, 1.0, from_back) * 0.75);
    // The belly ends in a soft line on the sides.
    let edge = 0.47 + 0.05 * (soft_noise(Vec2::new(p.y * 16.0, 0.5), 16) - 0.5);
    let face = smoothstep(0.36, 0.3, p.y);
    let belly = smoothstep(edge, edge - 0.12, from_back) * (1.0 - face);
    let folds = 0.92 + 0.08 * (p.y * 150.0).cos();
    let mut color = mix(dark, hex(0xFFF0C2) * folds, belly);
    // Spots along the back, larger in the middle.
    for row in 0..14 {
        let y = 0.4 + row as f32 * 0.042;
        for column in -2_i32..=2 {
            let jitter = noise(column + 7, row) - 0.5;
            let x = (column as f32 + 0.5 * (row % 2) as f32) * 0.085 + jitter * 0.02;
            let at = Vec2::new((p.x + 0.5).fract() - 0.5 - x, (p.y - y - jitter * 0.014) * 1.6);
            color = mix(color, hex(0x2C8C77), 0.7 * smoothstep(0.022, 0.016, at.length()));
        }
    }
    // Cheeks left and right of the mouth.
    for x in [0.37, 0.63] {
        let at = (p - Vec2::new(x, 0.32)) * Vec2::new(1.0, 1.25);
        color = mix(color, hex(0xFF8E86), 0.75 * smoothstep(0.052, 0.012, at.length()));
    }
    (color, 1.0)
}

fn mouth(p: Vec2) -> (Vec3, f32) {
    let d = (p - Vec2::new(0.5, 1.05)) * Vec2::new(2.0, 1.5);
    let tongue = smoothstep(0.72, 0.66, d.length());
    let shine = spot(p, Vec2::new(0.4, 0.75), 0.05);
    let inside = mix(hex(0x5A1533), hex(0x8A2346), p.y);
    (mix(mix(inside, hex(0xFF7F8E), tongue), hex(0xFFC2C4), shine * tongue), 1.0)
}

/// Bands along the spiral, growth lines across.
fn shell(p: Vec2) -> (Vec3, f32) {
    let wave = 0.03 * (soft_noise(p * 8.0, 8) - 0.5);
    let band = |center: f32, width: f32| smoothstep(width, width * 0.6, (p.x + wave - center).abs());
    let lines = 0.93 + 0.07 * (soft_noise(Vec2::new(p.x * 4.0, p.y * 32.0), 32));
    let growth = smoothstep(0.06, 0.0, (p.y * 4.0).fract().min(1.0 - (p.y * 4.0).fract()));
    let mut color = Vec3::ONE * lines;
    color = mix(color, hex(0xF3C9D8), band(0.5, 0.17));
    color = mix(color, hex(0xFFFFFF), band(0.5, 0.07));
    color = mix(color, hex(0xE0A8C8), band(0.0, 0.1).max(band(1.0, 0.1)));
    (color * (1.0 - 0.1 * growth), 1.0)
}

/// What mother-of-pearl shows: a window above, colours at the rim.
fn nacre(p: Vec2) -> (Vec3, f32) {
    let d = (p - 0.5) * 2.0;
    let r = d.length();
    let window = (d - Vec2::new(-0.3, -0.42)).abs();
    let pane = smoothstep(0.25, 0.19, window.x) * smoothstep(0.22, 0.16, window.y);
    let bars = smoothstep(0.0, 0.035, window.x - 0.01) * smoothstep(0.0, 0.035, window.y - 0.01);
    let hue = d.y.atan2(d.x) * 2.0 + r * 5.0;
    let play = Vec3::new(hue.cos(), (hue + 2.1).cos(), (hue + 4.2).cos()) * 0.5 + 0.5;
    let rim = smoothstep(0.35, 0.9, r) * smoothstep(1.15, 0.9, r);
    let glow = 0.28 * smoothstep(0.8, 0.0, (d - Vec2::new(-0.2, -0.35)).length());
    (play * rim * 0.5 + Vec3::splat(glow) + Vec3::new(0.95, 0.97, 1.0) * (pane * bars * 0.85), 1.0)
}

fn eye(p: Vec2) -> (Vec3, f32) {
    let d = (p - 0.5) * 2.0 / 0.92;
    let r = d.length();
    let rays = 0.5 + 0.5 * (d.y.atan2(d.x) * 17.0).sin();
    let iris = mix(hex(0x9C5BE0), hex(0x4C2A96), smoothstep(0.2, 0.58, r) - 0.25 * d.y);
    let iris = mix(iris, hex(0xC79BFF), 0.25 * rays * smoothstep(0.3, 0.5, r));
    let mut color = mix(hex(0xFFFFFF), hex(0x2A1450), smoothstep(0.62, 0.585, r));
    color = mix(color, iris, smoothstep(0.57, 0.54, r));
    color = mix(color, hex(0x140A28), smoothstep(0.35, 0.32, r));
    let shine = spot(d, Vec2::new(-0.2, -0.22), 0.16).max(0.85 * spot(d, Vec2::new(0.2, 0.22), 0.075));
    (mix(color, Vec3::ONE, shine), 1.0)
}

/// What wet things show.
fn gleam(p: Vec2) -> (Vec3, f32) {
    let d = (p - 0.5) * 2.0;
    let high = smoothstep(0.36, 0.05, (d - Vec2::new(-0.3, -0.45)).length());
    let rim = smoothstep(0.62, 0.95, d.length()) * smoothstep(0.1, -0.6, d.y) * 0.35;
    (Vec3::splat(high + rim), 1.0)
}
