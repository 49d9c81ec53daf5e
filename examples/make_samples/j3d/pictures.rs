//! Lumo's textures, painted texel by texel.

use super::super::{
    mesh::smoothstep,
    paint::{hex, mix},
};
use bonebox::formats::{gx::encode::TextureFormat, j3d::encode::Texture};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Places in the model's list of textures.
pub mod number {
    pub const RAMP: u32 = 0;
    pub const SKIN: u32 = 1;
    pub const RIM: u32 = 2;
    pub const SUIT: u32 = 3;
    pub const SKY: u32 = 4;
    pub const GLASS: u32 = 5;
    pub const PUPIL: u32 = 6;
    /// Open, half shut, shut, laughing.
    pub const LIDS: u32 = 7;
    /// Smile, small, open.
    pub const MOUTHS: u32 = 11;
    pub const RUNES: u32 = 14;
    pub const ENERGY: u32 = 15;
    pub const RIPPLES: u32 = 16;
    pub const STAR: u32 = 17;
    pub const BLOB: u32 = 18;
}

const CLAMP: u8 = 0;
const REPEAT: u8 = 1;
const MIRROR: u8 = 2;

type Painter<'a> = &'a dyn Fn(Vec2) -> (Vec3, f32);

/// A picture of a function of 0..1 across and down, four by four looks a texel.
fn paint(name: &str, format: TextureFormat, [width, height]: [u16; 2], levels: u8, wrap: u8, at: Painter) -> Texture {
    const LOOKS: u16 = 4;
    let mut rgba = Vec::with_capacity(usize::from(width) * usize::from(height) * 4);
    for y in 0..height {
        for x in 0..width {
            let (mut color, mut alpha) = (Vec3::ZERO, 0.0);
            for look in 0..LOOKS * LOOKS {
                let sub = Vec2::new(f32::from(look % LOOKS) + 0.5, f32::from(look / LOOKS) + 0.5) / f32::from(LOOKS);
                let place =
                    (Vec2::new(f32::from(x), f32::from(y)) + sub) / Vec2::new(f32::from(width), f32::from(height));
                let (c, a) = at(place);
                color += c;
                alpha += a;
            }
            let looks = f32::from(LOOKS * LOOKS);
            let byte = |part: f32| (part / looks * 255.0).round().clamp(0.0, 255.0) as u8;
            rgba.extend([byte(color.x), byte(color.y), byte(color.z), byte(alpha)]);
        }
    }
    Texture { wrap: [wrap; 2], ..Texture::of_rgba(name, format, [width, height], levels, &rgba) }
}

/// 0 to 1, the same for the same place.
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

fn gray(value: f32) -> Vec3 {
    Vec3::splat(value)
}

/// A round spot: 1 inside `radius`, soft at its edge.
fn spot(at: Vec2, center: Vec2, radius: f32) -> f32 {
    smoothstep(radius, radius * 0.82, at.distance(center))
}

pub fn textures() -> Vec<Texture> {
    let mut all = vec![
        paint("ramp", TextureFormat::I8, [64, 8], 1, CLAMP, &|p| {
            // Two steps, each a little soft.
            let steps = 0.55 * smoothstep(0.26, 0.33, p.x) + 0.45 * smoothstep(0.66, 0.73, p.x);
            (gray(steps), 1.0)
        }),
        paint("skin", TextureFormat::Cmpr, [128, 128], 4, REPEAT, &skin),
        paint("rim", TextureFormat::I8, [64, 64], 1, CLAMP, &|p| {
            let r = (p - 0.5).length() * 2.0;
            (gray(smoothstep(0.62, 0.99, r)), 1.0)
        }),
        paint("suit", TextureFormat::C8, [128, 128], 1, REPEAT, &suit),
        paint("sky", TextureFormat::Rgb565, [128, 128], 1, CLAMP, &sky),
        paint("glass", TextureFormat::Ia8, [128, 128], 1, CLAMP, &glass),
        paint("pupil", TextureFormat::Rgba8, [64, 64], 1, CLAMP, &pupil),
    ];
    let lids: [(&str, Painter); 4] = [
        ("eye_open", &|p| lids(p, 0.08, 1.2)),
        ("eye_half", &|p| lids(p, 0.46, 0.86)),
        ("eye_shut", &|p| line_eye(p, |x| 0.56 + 0.16 * (1.0 - x * x))),
        ("eye_laugh", &|p| line_eye(p, |x| 0.64 - 0.3 * (1.0 - x * x))),
    ];
    all.extend(lids.map(|(name, at)| paint(name, TextureFormat::Rgb5a3, [64, 64], 1, CLAMP, at)));
    let mouths: [(&str, Painter); 3] = [
        ("mouth_smile", &|p| mouth_line(p, |x| 0.34 + 0.3 * (1.0 - x * x), 0.62)),
        ("mouth_small", &|p| mouth_line(p, |x| 0.52 + 0.08 * (1.0 - x * x * 4.0), 0.3)),
        ("mouth_open", &mouth_open),
    ];
    all.extend(mouths.map(|(name, at)| paint(name, TextureFormat::C4, [64, 32], 1, CLAMP, at)));
    all.push(paint("runes", TextureFormat::I4, [128, 32], 1, REPEAT, &runes));
    all.push(paint("energy", TextureFormat::Ia4, [64, 64], 1, REPEAT, &|p| {
        let waves = soft_noise(p * 8.0, 8) * 0.6 + soft_noise(p * 16.0, 16) * 0.4;
        (gray(smoothstep(0.35, 0.8, waves)), 1.0)
    }));
    all.push(paint("ripples", TextureFormat::Ia8, [64, 64], 1, REPEAT, &|p| {
        (gray(soft_noise(p * 4.0 + 0.5, 4)), soft_noise(p * 4.0, 4))
    }));
    all.push(paint("star", TextureFormat::I8, [64, 64], 1, MIRROR, &star));
    all.push(paint("blob", TextureFormat::I4, [64, 64], 1, CLAMP, &|p| {
        let r = (p - 0.5).length() * 2.0;
        (gray(smoothstep(1.0, 0.15, r) * 0.75), 1.0)
    }));
    all
}

/// Middle gray with spots above and suckers below; doubled when it is drawn.
fn skin(p: Vec2) -> (Vec3, f32) {
    let mottle = soft_noise(p * 16.0, 16) * 0.6 + soft_noise(p * 32.0, 32) * 0.4;
    let mut color = gray(0.46 + 0.07 * mottle);
    // On the head the picture is twice as high as wide.
    for (x, y, r) in [
        (0.06, 0.06, 0.04),
        (0.16, 0.1, 0.06),
        (0.27, 0.07, 0.035),
        (0.36, 0.12, 0.05),
        (0.5, 0.08, 0.055),
        (0.62, 0.13, 0.035),
        (0.72, 0.07, 0.06),
        (0.84, 0.11, 0.045),
        (0.94, 0.07, 0.03),
        (0.43, 0.18, 0.025),
        (0.79, 0.19, 0.03),
    ] {
        let freckle = spot(p * Vec2::new(1.0, 2.0), Vec2::new(x, y * 2.0), r);
        color = mix(color, Vec3::new(0.33, 0.42, 0.5), freckle * 0.75);
    }
    // Along a limb the picture's lower half repeats: a row of suckers in its middle.
    let local = Vec2::new(p.x - 0.5, (p.y * 4.0).fract() - 0.5);
    let sucker = (local * Vec2::new(2.6, 1.0)).length();
    if p.y >= 0.5 {
        let rim = smoothstep(0.44, 0.38, sucker) - smoothstep(0.26, 0.2, sucker);
        color = mix(color, gray(0.62), rim.max(0.0));
        color = mix(color, Vec3::new(0.5, 0.36, 0.4), smoothstep(0.26, 0.2, sucker));
    }
    (color, 1.0)
}

/// A quilted space suit: seams, a zip, a badge with a star.
fn suit(p: Vec2) -> (Vec3, f32) {
    let quilt = Vec2::new((p.x * 6.0 + p.y * 4.0).fract() - 0.5, (p.x * 6.0 - p.y * 4.0).rem_euclid(1.0) - 0.5);
    let seam = smoothstep(0.47, 0.5, quilt.x.abs().max(quilt.y.abs()));
    let puff = 1.0 - (quilt.x * quilt.x + quilt.y * quilt.y) * 0.35;
    let mut color = gray(0.5 * puff) * mix(Vec3::ONE, Vec3::splat(0.72), seam);
    let belt = smoothstep(0.045, 0.035, (p.y - 0.53).abs());
    color = mix(color, Vec3::new(0.2, 0.21, 0.27), belt);
    let trim = smoothstep(0.02, 0.012, (p.y - 0.28).abs());
    color = mix(color, Vec3::new(0.5, 0.42, 0.16), trim);
    (color, 1.0)
}

/// What chrome shows: a bright sky over a warm horizon and dark ground.
fn sky(p: Vec2) -> (Vec3, f32) {
    let d = (p - 0.5) * 2.0;
    let height = -d.y;
    let wave = 0.06 * (d.x * 5.0).sin() + 0.03 * (d.x * 11.0 + 1.0).sin();
    let above = mix(hex(0xE4F4FF), hex(0x3A78C8), smoothstep(0.05, 0.95, height));
    let below = mix(hex(0x6B4A3A), hex(0x17151F), smoothstep(0.0, -0.7, height));
    let mut color = mix(below, above, smoothstep(wave - 0.02, wave + 0.02, height));
    color = mix(color, hex(0xFFE9B8), 0.8 * smoothstep(0.09, 0.0, (height - wave - 0.03).abs()));
    // A window's light.
    let window = (d - Vec2::new(-0.42, -0.45)).abs();
    let pane = smoothstep(0.2, 0.17, window.x) * smoothstep(0.2, 0.17, window.y);
    let bars = smoothstep(0.012, 0.022, window.x) * smoothstep(0.012, 0.022, window.y);
    (mix(color, Vec3::ONE, pane * bars), 1.0)
}

/// Highlights by intensity, how much is seen by alpha: little in the middle, more at the rim.
fn glass(p: Vec2) -> (Vec3, f32) {
    let d = (p - 0.5) * 2.0;
    let r = d.length();
    let rim = smoothstep(0.6, 1.0, r).powi(2);
    let arc = {
        let angle = d.y.atan2(d.x);
        let long = smoothstep(0.75, 0.55, (angle + 2.3).abs());
        long * smoothstep(0.06, 0.035, (r - 0.72).abs())
    };
    let spot = spot(d, Vec2::new(0.5, -0.62), 0.07);
    let foot = 0.35 * smoothstep(0.8, 0.6, (d.y.atan2(d.x) - 0.9).abs()) * smoothstep(0.07, 0.02, (r - 0.84).abs());
    let shine = (arc + spot + foot).min(1.0);
    (gray(0.4 * rim + shine), (0.05 + 0.6 * rim + 0.8 * shine).min(1.0))
}

fn pupil(p: Vec2) -> (Vec3, f32) {
    let d = (p - 0.5) * 2.0;
    let r = d.length();
    let iris = mix(hex(0x39D6C8), hex(0x0B5A78), smoothstep(0.15, 0.62, r) * 0.7 - 0.25 * d.y);
    let mut color = mix(iris, hex(0x10142A), smoothstep(0.36, 0.32, r));
    color = mix(color, hex(0x0A1C33), smoothstep(0.52, 0.58, r));
    let shine = spot(d, Vec2::new(-0.2, -0.24), 0.17).max(0.8 * spot(d, Vec2::new(0.24, 0.22), 0.09));
    (mix(color, Vec3::ONE, shine), smoothstep(0.64, 0.6, r))
}

const LID: u32 = 0x2F8FA3;
const LINE: u32 = 0x102438;

/// Lids over an open eye: what lies above `top` and below `bottom`, with lashes along the upper.
fn lids(p: Vec2, top: f32, bottom: f32) -> (Vec3, f32) {
    let x = (p.x - 0.5) * 2.0;
    let (top, bottom) = (top + 0.12 * x * x, bottom - 0.12 * x * x);
    let r = ((p - 0.5) * 2.0).length();
    let closed = smoothstep(top + 0.015, top - 0.015, p.y).max(smoothstep(bottom - 0.015, bottom + 0.015, p.y));
    let lash = smoothstep(0.055, 0.03, (p.y - top).abs()).max(smoothstep(0.035, 0.02, (p.y - bottom).abs()));
    let rim = smoothstep(0.86, 0.93, r);
    let line = lash.max(rim);
    (mix(hex(LID), hex(LINE), line), closed.max(line))
}

/// A shut eye: skin with a line.
fn line_eye(p: Vec2, height: impl Fn(f32) -> f32) -> (Vec3, f32) {
    let x = (p.x - 0.5) * 2.0 / 0.8;
    let line = if x.abs() < 1.0 { smoothstep(0.07, 0.045, (p.y - height(x)).abs()) } else { 0.0 };
    (mix(hex(LID), hex(LINE), line), 1.0)
}

fn mouth_line(p: Vec2, height: impl Fn(f32) -> f32, width: f32) -> (Vec3, f32) {
    let x = (p.x - 0.5) * 2.0 / width;
    // As wide as high: the picture is twice as wide.
    let off = (p.y - height(x.clamp(-1.0, 1.0))).hypot(((x.abs() - 1.0).max(0.0)) * width);
    (hex(LINE), smoothstep(0.12, 0.08, off))
}

fn mouth_open(p: Vec2) -> (Vec3, f32) {
    let d = (p - Vec2::new(0.5, 0.42)) * Vec2::new(4.6, 2.4);
    let d = Vec2::new(d.x, if d.y < 0.0 { d.y * 2.2 } else { d.y });
    let r = d.length();
    let tongue = spot(d, Vec2::new(0.0, 0.95), 0.62);
    (mix(mix(hex(0x4A1030), hex(0xFF7A8A), tongue), hex(LINE), smoothstep(0.82, 0.92, r)), smoothstep(1.06, 1.0, r))
}

/// Four signs that nobody can read, between two lines.
fn runes(p: Vec2) -> (Vec3, f32) {
    let edge = smoothstep(0.06, 0.03, (p.y - 0.06).abs()).max(smoothstep(0.06, 0.03, (p.y - 0.94).abs()));
    let cell = (p.x * 4.0).floor() as i32;
    let d = (Vec2::new((p.x * 4.0).fract(), p.y) - 0.5) * 2.0;
    let ring = |center: Vec2, radius: f32| smoothstep(0.12, 0.06, ((d - center).length() - radius).abs());
    let bar = |a: Vec2, b: Vec2| {
        let along = ((d - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        smoothstep(0.12, 0.06, d.distance(a + (b - a) * along))
    };
    let v = Vec2::new;
    let sign = match cell {
        0 => ring(Vec2::ZERO, 0.42).max(bar(v(0.0, -0.42), v(0.0, 0.6))),
        1 => bar(v(-0.4, 0.5), v(0.0, -0.5)).max(bar(v(0.0, -0.5), v(0.4, 0.5))).max(ring(v(0.0, 0.25), 0.16)),
        2 => ring(v(-0.22, 0.0), 0.3).max(ring(v(0.22, 0.0), 0.3)),
        _ => {
            bar(v(-0.4, -0.45), v(0.4, -0.45)).max(bar(v(0.4, -0.45), v(-0.4, 0.5))).max(bar(v(-0.4, 0.5), v(0.4, 0.5)))
        }
    };
    (gray(edge.max(sign)), 1.0)
}

/// A star of four long and four short rays in a glow.
fn star(p: Vec2) -> (Vec3, f32) {
    let d = (p - 0.5) * 2.0;
    let r = d.length();
    let angle = d.y.atan2(d.x);
    let long = (angle * 2.0).cos().abs().powi(24) * (1.0 - r).max(0.0).powi(2);
    let short = (angle * 2.0 + TAU / 4.0).cos().abs().powi(40) * (0.6 - r).max(0.0).powi(2);
    let glow = (1.0 - r).max(0.0).powi(3);
    (gray((long + short + 0.75 * glow + smoothstep(0.16, 0.05, r)).min(1.0) * smoothstep(1.0, 0.8, r)), 1.0)
}
