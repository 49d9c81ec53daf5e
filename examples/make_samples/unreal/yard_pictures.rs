//! Textures of the yard.

use super::super::mesh::smoothstep;
use super::super::paint::{hex, mix};
use super::picture::Picture;
use super::walls::{noise, rough};

const NIGHT: u32 = 0x2b2350;

/// Clouds of the evening, without a seam: they drift.
pub fn clouds() -> Picture {
    Picture::paint(128, 128, |at| {
        let cloud = smoothstep(0.42, 0.78, rough(at, 3, 300));
        let lining = smoothstep(0.36, 0.5, rough(at, 3, 300)) * (1.0 - cloud);
        mix(mix(hex(NIGHT), hex(0x8a4a78), lining), hex(0xf2a07a), cloud * 0.9)
    })
}

/// The edge of the world: the sky from above down, and hills before it.
pub fn dusk() -> Picture {
    Picture::paint(128, 128, |at| {
        let low = smoothstep(0.25, 0.68, at.y);
        let sky = mix(mix(hex(NIGHT), hex(0x8a4a78), smoothstep(0.0, 0.4, at.y)), hex(0xf4735c), low);
        let sky = mix(sky, hex(0xffc24a), smoothstep(0.5, 0.74, at.y));
        let line = |height: f32, rise: f32, cells: i32, seed: u32| {
            let top = height - rise * noise(glam::Vec2::new(at.x, 0.5), [cells, 1], seed);
            smoothstep(top - 0.006, top + 0.006, at.y)
        };
        let far = mix(sky, hex(0x7a3f5e), line(0.74, 0.16, 5, 310));
        mix(far, hex(0x1c1226), line(0.8, 0.1, 9, 311))
    })
}

/// A window's glass: what it adds to what lies behind it.
pub fn pane() -> Picture {
    Picture::paint(64, 64, |at| {
        let streak = ((at.x + at.y) * 3.0).fract();
        let shine = smoothstep(0.1, 0.2, streak) * smoothstep(0.42, 0.3, streak);
        let edge = at.min(1.0 - at).min_element();
        let frame = smoothstep(0.05, 0.02, edge);
        mix(mix(hex(0x0a3034), hex(0x2c5a5a), shine), hex(0x3f8f8a), frame)
    })
}

/// A stain: what a wall is multiplied by, with 128 for nothing.
pub fn stain() -> Picture {
    Picture::paint(64, 64, |at| {
        let from = at - 0.5;
        let reach = 0.3 + 0.14 * noise(at, [4, 4], 320);
        let drip = smoothstep(0.07, 0.02, (from.x - 0.06).abs())
            * smoothstep(0.45, 0.3, from.y)
            * smoothstep(0.0, 0.1, from.y);
        let spot = smoothstep(reach, reach - 0.12, from.length()).max(drip);
        mix(hex(0x808080), hex(0x3c2a1c), spot * 0.9)
    })
}

/// What lies on a mirror: its dark edge, and a little dust.
pub fn silver() -> Picture {
    Picture::paint(64, 64, |at| {
        let edge = at.min(1.0 - at).min_element();
        let dust = rough(at, 8, 330) * 0.05;
        mix(mix(hex(0x000000), hex(0x8090a0), dust), hex(0x4a5a66), smoothstep(0.04, 0.0, edge))
    })
}
