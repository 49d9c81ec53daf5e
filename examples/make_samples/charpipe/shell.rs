//! The shell: a spiral of a tube, around the middle of its bone.

use super::{
    super::paint::{hex, mix},
    sheet::{Sheet, Spot, sheet},
};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Turns from the middle to the mouth.
const TURNS: f32 = 2.7;
/// How much wider it is a turn later.
const GROWTH: f32 = 2.55;
const OUTER: f32 = 1.95;
/// The tube's radius for its distance from the middle.
const THICK: f32 = 0.5;
/// Where the mouth is, in turns down from the front.
const MOUTH: f32 = 0.15;

fn point(u: f32, v: f32) -> Vec3 {
    let turns = (1.0 - v) * TURNS;
    let angle = (turns - MOUTH) * TAU;
    let distance = OUTER * GROWTH.powf(-turns);
    let outward = Vec3::new(0.0, angle.sin(), angle.cos());
    let (sin, cos) = (u * TAU).sin_cos();
    // Ribs across the tube, and a lip at the mouth.
    let ribs = 1.0 + 0.018 * (turns * 13.0 * TAU).cos();
    let lip = 1.0 + 0.13 * ((v - 0.972) / 0.028).max(0.0);
    let radius = distance * THICK * ribs * lip;
    // The turns within are as wide as the outer ones, nearly: the sides are a dome.
    let width = radius * 1.45 * GROWTH.powf(0.72 * turns);
    outward * (distance + cos * radius) + Vec3::X * (sin * width)
}

pub fn sheets() -> Vec<Sheet> {
    vec![
        sheet(22, 108, |u, v| {
            let position = point(u, v);
            let inner = 0.5 - 0.5 * (u * TAU).cos();
            let color = mix(hex(0xFFE3A6), hex(0xFF8D8A), v * 2.0 - 0.2);
            let color = mix(color, hex(0xC24C9B), v * 1.9 - 0.95);
            // Dark where one turn meets the next, and below.
            let seam = 1.0 - 0.55 * inner.powi(2);
            let low = 0.72 + 0.28 * ((position.y + 2.2) / 2.6).clamp(0.0, 1.0);
            let rim = 1.0 + 0.3 * ((v - 0.96) / 0.04).max(0.0);
            let shade = (color * seam * low * rim).min(Vec3::ONE);
            let uv = Vec2::new(u * 2.0, (1.0 - v) * TURNS * 4.0);
            Spot { position, uv, shade, weights: Vec::new() }
        })
        .outward(Vec3::ZERO),
    ]
}
