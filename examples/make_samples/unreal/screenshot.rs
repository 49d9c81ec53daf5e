//! A ray-traced image of the room.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};

use super::super::mesh::smoothstep;
use super::super::paint::{Color, hex, mix};
use super::blocks::{Face, Surface, UNLIT, across, sees};
use super::lights::{LAMPS, Lamp, extent};
use super::picture::Picture;
use super::{room, walls};

const SIZE: usize = 128;
/// Rays along each side of a pixel.
const RAYS: usize = 2;
/// What no lamp reaches.
const AMBIENT: Vec3 = Vec3::new(0.10, 0.09, 0.14);

fn color_of(lamp: &Lamp) -> Vec3 {
    let hue = f32::from(lamp.hue) / 256.0 * 3.0;
    let pure = [0.0, 1.0, 2.0].map(|at: f32| {
        let far = (hue - at).rem_euclid(3.0);
        (1.0 - far.min(3.0 - far)).max(0.0)
    });
    Vec3::from(pure).lerp(Vec3::ONE, f32::from(lamp.saturation) / 255.0)
        * (f32::from(lamp.brightness) / 255.0).sqrt()
        * 0.8
}

/// A fire as it looks from afar.
fn flames(at: Vec2) -> Color {
    let tongue = 0.55 + 0.25 * (at.x * TAU * 2.0).sin() * (at.x * TAU * 3.3 + 1.0).cos();
    let height = (1.0 - at.y) / tongue.max(0.1);
    let middle = 1.0 - ((at.x - 0.5) * 2.0).abs().powi(3);
    let heat = smoothstep(1.1, 0.1, height) * middle;
    let color = mix(hex(0x10040a), hex(0xd8400c), smoothstep(0.05, 0.45, heat));
    mix(mix(color, hex(0xffb02a), smoothstep(0.4, 0.75, heat)), hex(0xfff3c0), smoothstep(0.75, 1.0, heat))
}

pub fn screenshot(surfaces: &[Surface], faces: &[Face]) -> Picture {
    let pictures: Vec<(&str, Picture)> = vec![
        ("Bricks", walls::bricks()),
        ("Planks", walls::planks()),
        ("Ceiling", walls::ceiling()),
        ("Trim", walls::trim()),
        ("Sign", walls::sign()),
    ];
    let corners: Vec<Vec3> = (0..surfaces.len()).map(|index| extent(index, surfaces, faces).0).collect();
    let eye = room::START + Vec3::Z * 39.0;
    let turn = Quat::from_rotation_z(room::START_YAW as f32 / 65_536.0 * TAU);
    let texel = |surface: usize, at: Vec3| -> Color {
        let Surface { skin, axis, positive, .. } = surfaces[surface];
        let [right, down] = across(axis, positive);
        let offset = at - corners[surface];
        let (u, v) = (offset.dot(right) * skin.scale[0], offset.dot(down) * skin.scale[1]);
        match pictures.iter().find(|(name, _)| *name == skin.texture[1]) {
            Some((_, picture)) => {
                let (x, y) =
                    ((u as i32).rem_euclid(picture.width as i32), (v as i32).rem_euclid(picture.height as i32));
                picture.pixels[y as usize * picture.width + x as usize].unwrap_or_default()
            }
            None if skin.texture[1] == "Campfire" => flames(Vec2::new(u / 64.0, v / 64.0)),
            None => mix(hex(0x0a3f52), hex(0x2fb0a5), 0.5 + 0.5 * (u * 0.3).sin() * (v * 0.4).cos()),
        }
    };
    let ray = |way: Vec3| -> Color {
        let mut nearest = (f32::MAX, None);
        for face in faces {
            let along = way[face.axis];
            if surfaces[face.surface].block.is_none() || along * if face.positive { 1.0 } else { -1.0 } >= 0.0 {
                continue;
            }
            let t = (face.low[face.axis] - eye[face.axis]) / along;
            let hit = eye + way * t;
            let (u, v) = ((face.axis + 1) % 3, (face.axis + 2) % 3);
            let inside =
                (face.low[u]..=face.high[u]).contains(&hit[u]) && (face.low[v]..=face.high[v]).contains(&hit[v]);
            if t > 0.0 && t < nearest.0 && inside {
                nearest = (t, Some((face, hit)));
            }
        }
        let Some((face, hit)) = nearest.1 else { return Vec3::ZERO };
        let color = texel(face.surface, hit);
        if surfaces[face.surface].skin.flags & UNLIT != 0 {
            return color;
        }
        let from = hit + face.normal() * 0.5;
        let mut light = AMBIENT;
        for lamp in &LAMPS {
            let to = lamp.at - from;
            let near = 1.0 - to.length() / (25.0 * (f32::from(lamp.radius) + 1.0));
            let facing = to.normalize_or_zero().dot(face.normal());
            if near > 0.0 && facing > 0.0 && sees(faces, surfaces, from, lamp.at) {
                light += color_of(lamp) * (near * near * (3.0 - 2.0 * near) * facing);
            }
        }
        (color * light * 2.2).min(Vec3::ONE)
    };
    let half = 0.5 / SIZE as f32;
    Picture::paint(SIZE, SIZE, |at| {
        let mut sum = Vec3::ZERO;
        for index in 0..RAYS * RAYS {
            let within =
                Vec2::new((index % RAYS) as f32, (index / RAYS) as f32) / RAYS as f32 * 2.0 * half - half * 0.5;
            let at = (at + within - 0.5) * 2.0;
            sum += ray(turn * Vec3::new(1.0, at.x, -at.y));
        }
        sum / (RAYS * RAYS) as f32
    })
}
