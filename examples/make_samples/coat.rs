//! Ossie's colours.

use glam::{Vec2, Vec3};

use super::creature::{BODY, BONE, HALF, LATCH, Part, leg_path, rim_lift};
use super::mesh::{Mesh, smoothstep};
use super::occlusion::Sky;
use super::paint::{Canvas, Color, Spot, disc, hex, mix, noise, paint, stroke};

const CORAL: u32 = 0xf4735c;
const CORAL_DEEP: u32 = 0xd8503f;
const CORAL_LIGHT: u32 = 0xff9d7e;
const CREAM: u32 = 0xffe6b4;
const CREAM_DEEP: u32 = 0xf6c183;
const TEAL: u32 = 0x2fb0a5;
const TEAL_DEEP: u32 = 0x1b7f80;
const TEAL_LIGHT: u32 = 0x74dcc8;
const GOLD: u32 = 0xffc24a;
const GOLD_DEEP: u32 = 0xd98a1f;
const BLUSH: u32 = 0xff7f78;
const MOUTH: u32 = 0x6b2140;
const MOUTH_DEEP: u32 = 0x3a1230;
const TONGUE: u32 = 0xf77f92;
const IVORY: u32 = 0xfff3da;
const INK: u32 = 0x2a1a3a;

/// The body's texture, 1024 × 1024.
pub fn body(mesh: &Mesh<Part>) -> Canvas {
    // What moves away from the rest leaves no shadow behind.
    let sky = Sky::new(mesh, |part| !matches!(part, Part::Treasure | Part::Tongue));
    // Shadows are soft, so a coarse picture of them will do.
    let mut shadows = Canvas::new(192, 192);
    paint(&mut shadows, mesh, &[BODY, BONE], |spot| {
        let open = if is_unshaded(spot.part) { Some(1.0) } else { sky.openness(spot.position, spot.normal) };
        open.map(Vec3::splat)
    });
    // What lies hidden takes the light of what is seen beside it.
    for _ in 0..16 {
        shadows.bleed();
    }
    let mut canvas = Canvas::new(1024, 1024);
    paint(&mut canvas, mesh, &[BODY, BONE], |spot| Some(coat(spot, shadows.sample(spot.uv).x)));
    for _ in 0..4 {
        canvas.bleed();
    }
    canvas
}

/// What lies in the chest is not shaded, for it is seen when the lid is open; nor are eyelids, which move too.
fn is_unshaded(part: Part) -> bool {
    matches!(
        part,
        Part::LidInside | Part::TubInside | Part::Tongue | Part::Treasure | Part::UpperLid(_) | Part::LowerLid(_)
    )
}

/// Colour of a spot with its painted light and shadow.
fn coat(spot: &Spot<Part>, open: f32) -> Color {
    let plain = plain(spot);
    // Shadows turn warm and violet instead of grey, light from above is warm.
    let bright = if spot.part == Part::Tooth { 0.40 } else { 0.74 };
    let shade = smoothstep(0.10, bright, open);
    let shadow = plain * mix(hex(0x7d4a70), hex(0xb07a90), shade);
    let from_above = 0.5 + 0.5 * spot.normal.z;
    let lit = plain * mix(hex(0xf0cfc4), hex(0xffffff), smoothstep(0.0, 0.55, from_above));
    let color = mix(shadow, lit, 0.15 + 0.85 * shade);
    let glow = smoothstep(0.55, 1.0, from_above) * 0.06;
    let wash = noise(spot.position * 0.16) - 0.5;
    quiet(color + Vec3::new(1.0, 0.93, 0.8) * glow + color * wash * 0.10)
}

/// Steps fine enough not to be seen keep the picture's file small.
fn quiet(color: Color) -> Color {
    (color * 127.0).round() / 127.0
}

fn plain(spot: &Spot<Part>) -> Color {
    let at = spot.position;
    match spot.part {
        Part::Dome => dome(spot),
        Part::LidLip => {
            let band = mix(hex(TEAL_DEEP), hex(TEAL), smoothstep(0.35, 0.62, spot.local.y));
            let band = mix(
                band,
                hex(TEAL_LIGHT),
                smoothstep(0.66, 0.80, spot.local.y) * smoothstep(1.0, 0.84, spot.local.y) * 0.8,
            );
            rivets(spot, band)
        }
        Part::TubLip => {
            let band = mix(hex(CREAM_DEEP), hex(CREAM), smoothstep(0.0, 0.5, spot.local.y));
            mix(band, hex(MOUTH), smoothstep(0.80, 1.0, spot.local.y))
        }
        Part::Tub => tub(spot),
        Part::LidInside => mix(hex(MOUTH), hex(MOUTH_DEEP), smoothstep(48.0, 54.0, at.z)),
        Part::TubInside => mix(hex(MOUTH_DEEP), hex(MOUTH), smoothstep(33.0, 47.0, at.z)),
        Part::Leg(_) => {
            let t = spot.local.y;
            let skin = mix(hex(CORAL), hex(CORAL_DEEP), smoothstep(0.1, 1.0, t));
            // Two soft creases at the knee.
            let crease = stroke(Vec2::new(0.0, t), Vec2::new(0.0, 0.56), Vec2::new(0.01, 0.56), 0.035, 0.04)
                + stroke(Vec2::new(0.0, t), Vec2::new(0.0, 0.66), Vec2::new(0.01, 0.66), 0.03, 0.04);
            mix(skin, hex(0xb83c38), 0.45 * crease)
        }
        Part::Foot(_) => boot(spot),
        Part::Ear(_) => {
            let ridge = 0.5 + 0.5 * (spot.local.y * std::f32::consts::TAU * 8.0).cos();
            mix(hex(GOLD), hex(GOLD_DEEP), smoothstep(0.35, 1.0, ridge))
        }
        Part::EarBall(_) => {
            let band = stroke(Vec2::new(0.0, spot.local.y), Vec2::new(0.0, 0.42), Vec2::new(0.01, 0.42), 0.12, 0.04);
            let ball = mix(hex(TEAL_DEEP), hex(TEAL), smoothstep(0.05, 0.6, spot.local.y));
            let ball = mix(ball, hex(TEAL_LIGHT), smoothstep(0.72, 0.96, spot.local.y));
            mix(ball, hex(IVORY), band)
        }
        Part::UpperLid(_) => {
            let lid = mix(
                hex(CORAL),
                hex(CORAL_LIGHT),
                smoothstep(0.10, 0.40, spot.local.y) * smoothstep(0.9, 0.45, spot.local.y),
            );
            let lash = smoothstep(0.13, 0.095, spot.local.y);
            mix(lid, hex(0x8e2f3f), lash)
        }
        Part::LowerLid(_) => {
            let lid = mix(hex(CORAL), hex(CORAL_LIGHT), smoothstep(0.4, 0.85, spot.local.y) * 0.8);
            mix(lid, hex(0x8e2f3f), smoothstep(0.905, 0.935, spot.local.y))
        }
        Part::Latch => latch(spot),
        Part::Tooth => mix(hex(0xffffff), hex(0xf3cf9c), smoothstep(0.45, 0.0, spot.local.y)),
        Part::Tongue => {
            let groove = smoothstep(2.2, 0.0, at.x.abs()) * smoothstep(-18.0, -8.0, at.y);
            mix(mix(hex(0xd9566f), hex(TONGUE), smoothstep(0.1, 0.7, spot.local.y)), hex(0xc9405f), groove * 0.6)
        }
        Part::Tail => {
            let rings = 0.5 + 0.5 * (spot.local.y * std::f32::consts::TAU * 4.0).cos();
            let skin = mix(hex(CORAL), hex(CORAL_LIGHT), spot.local.y);
            mix(skin, hex(TEAL), smoothstep(0.62, 0.74, rings) * smoothstep(0.08, 0.16, spot.local.y))
        }
        Part::TailTip | Part::Treasure | Part::Eye(_) => {
            let end = smoothstep(0.30, 0.02, spot.local.y.min(1.0 - spot.local.y));
            let speck = smoothstep(0.70, 0.78, noise(spot.position * 0.55 + Vec3::splat(40.0)));
            mix(mix(hex(IVORY), hex(0xffe0ae), 1.0 - end), hex(0xe8b87e), speck * 0.55)
        }
    }
}

fn dome(spot: &Spot<Part>) -> Color {
    let at = spot.position;
    let height = smoothstep(53.0, 74.0, at.z);
    let shell = mix(hex(CORAL_DEEP), hex(CORAL), smoothstep(53.0, 58.0, at.z));
    let shell = mix(shell, hex(CORAL_LIGHT), height * 0.75);
    // A seam over the middle, from front to back, with a light edge.
    let seam = smoothstep(0.75, 0.35, at.x.abs()) * smoothstep(-14.0, -8.0, at.y);
    let edge = smoothstep(1.7, 1.0, at.x.abs()) * smoothstep(-14.0, -8.0, at.y);
    let shell = mix(shell, hex(0xffc2a0), edge * 0.5);
    let shell = mix(shell, hex(0xb83c38), seam * 0.8);
    // Freckles: cream spots on the back of the lid, small ones towards the sides.
    let spots = [
        (12.0, 8.0, 4.2),
        (19.0, -1.5, 2.6),
        (6.5, 15.0, 2.4),
        (17.0, 16.0, 3.0),
        (-9.0, 6.0, 3.0),
        (-15.5, 12.5, 4.4),
        (-19.5, 0.5, 2.4),
        (-6.0, 16.5, 1.8),
    ];
    let mut color = shell;
    for (x, y, radius) in spots {
        let wobble = 1.0 + 0.25 * (noise(at * 0.5) - 0.5);
        let up = smoothstep(58.0, 66.0, at.z);
        color =
            mix(color, hex(0xffd9a8), 0.9 * up * disc(Vec2::new(at.x, at.y), Vec2::new(x, y), radius * wobble, 0.7));
    }
    // Small ones under the eyes.
    for (x, z, radius) in [(15.8, 56.2, 0.8), (18.6, 57.4, 1.0), (21.0, 59.4, 0.8)] {
        let front = smoothstep(-6.0, -12.0, at.y);
        let place = Vec2::new(at.x.abs(), at.z);
        color = mix(color, hex(0xc8443a), 0.75 * front * disc(place, Vec2::new(x, z), radius, 0.5));
    }
    // A light line where the dome meets the band.
    mix(color, hex(0xffb596), smoothstep(55.6, 54.6, at.z - 0.8 * rim_lift(at)) * 0.7)
}

fn rivets(spot: &Spot<Part>, band: Color) -> Color {
    let rect = Vec2::new(180.0, 19.0);
    let at = spot.local * rect;
    let spacing = rect.x / 20.0;
    let center = Vec2::new(((at.x / spacing).floor() + 0.5) * spacing, 0.62 * rect.y);
    let away = (spot.position.x / HALF.x).abs() > 0.30 || spot.position.y > 0.0;
    if !away {
        return band;
    }
    let color = mix(band, hex(0x125a60), disc(at, center + Vec2::new(0.15, -0.35), 1.75, 0.8));
    let color = mix(color, hex(GOLD), disc(at, center, 1.45, 0.4));
    let color = mix(color, hex(GOLD_DEEP), disc(at, center, 1.45, 0.4) * smoothstep(0.2, -1.2, at.y - center.y));
    mix(color, hex(0xfff2c0), disc(at, center + Vec2::new(-0.35, 0.45), 0.5, 0.5))
}

fn tub(spot: &Spot<Part>) -> Color {
    let at = spot.position;
    let wood = mix(hex(CREAM_DEEP), hex(CREAM), smoothstep(18.0, 38.0, at.z));
    let wood = mix(wood, hex(0xd99f6e), 0.7 * smoothstep(25.0, 17.5, at.z));
    // Long soft grain.
    let grain = noise(Vec3::new(at.x * 0.12, at.y * 0.12, at.z * 0.75));
    let wood = mix(wood, hex(0xf2b777), 0.32 * smoothstep(0.52, 0.75, grain));
    // Planks: lines between them, dark with a light lower edge.
    let mut color = wood;
    for (line, wave) in [(26.5, 1.0), (34.5, 2.0)] {
        let z = at.z
            - line
            - 0.5 * (noise(Vec3::new(at.x * 0.1, at.y * 0.1, wave * 7.0)) - 0.5)
            - rim_lift(at) * if line > 30.0 { 0.4 } else { 0.1 };
        color = mix(color, hex(0xfff6e2), 0.8 * smoothstep(0.8, 0.3, (z + 0.75).abs()));
        color = mix(color, hex(0xc98b5c), 0.85 * smoothstep(0.55, 0.2, z.abs()));
    }
    // The belly is light, cheeks blush.
    let front = smoothstep(-8.0, -20.0, at.y);
    for side in [-1.0, 1.0] {
        let cheek = disc(Vec2::new(at.x * 0.82, at.z), Vec2::new(17.5 * 0.82 * side, 39.6), 3.3, 2.6);
        color = mix(color, hex(BLUSH), cheek * front * 0.9);
    }
    color
}

fn boot(spot: &Spot<Part>) -> Color {
    let at = spot.position - leg_path(0)[2] * Vec3::new(1.0, 1.0, 0.0);
    let boot = mix(hex(TEAL_DEEP), hex(TEAL), smoothstep(0.5, 7.0, at.z));
    let boot = mix(boot, hex(TEAL_LIGHT), smoothstep(6.4, 7.2, at.z) * 0.85);
    // Cream toes: three, with dark lines between.
    let toe = smoothstep(-5.6, -6.4, at.y + 0.03 * at.x * at.x) * smoothstep(6.4, 5.4, at.z);
    let lines =
        [-2.7, 2.7].map(|x| stroke(Vec2::new(at.x, 0.0), Vec2::new(x, 0.0), Vec2::new(x + 0.01, 0.0), 0.8, 0.5));
    let toes = mix(hex(IVORY), hex(0xb98a6a), (lines[0] + lines[1]).min(1.0) * 0.9);
    let color = mix(boot, toes, toe);
    mix(color, hex(INK), smoothstep(0.5, 0.1, at.z) * 0.6)
}

fn latch(spot: &Spot<Part>) -> Color {
    let at = Vec2::new(spot.position.x, spot.position.z - LATCH.z);
    let edge = smoothstep(0.62, 0.50, spot.local.y);
    let plate = mix(hex(GOLD), hex(0xffdf86), smoothstep(-4.0, 5.0, at.y));
    let plate = mix(plate, hex(GOLD_DEEP), edge * (0.5 - 0.5 * smoothstep(-3.0, 4.0, at.y)) + edge * 0.25);
    let hole =
        disc(at, Vec2::new(0.0, 0.9), 1.7, 0.35).max(stroke(at, Vec2::new(0.0, 0.4), Vec2::new(0.0, -2.4), 1.7, 0.35));
    let rim =
        disc(at, Vec2::new(0.0, 0.75), 2.2, 0.5).max(stroke(at, Vec2::new(0.0, 0.3), Vec2::new(0.0, -2.6), 2.6, 0.5));
    let color = mix(plate, hex(0xb56a18), rim * 0.7);
    let color = mix(color, hex(INK), hole);
    mix(color, hex(0xfffbe6), disc(at, Vec2::new(-2.9, 3.3), 0.8, 0.6))
}

/// An eye seen from the front, 256 × 256.
pub fn eye() -> Canvas {
    let mut canvas = Canvas::new(256, 256);
    canvas.fill(|at| {
        // In half turns from the front: 0 at the pupil's middle, 1 at the back.
        let p = (at - Vec2::splat(0.5)) * 2.0;
        let (iris, pupil) = (0.285, 0.200);
        let r = p.length();
        let white = mix(hex(0xfffdf6), hex(0xe7d9ea), smoothstep(0.15, -0.45, p.y) * 0.75);
        let white = mix(white, hex(0xd9c2d8), smoothstep(0.42, 0.75, r));
        let ring = mix(hex(0x0f4f5c), hex(0x3fd0b6), smoothstep(-0.20, 0.30, p.y));
        let spokes = noise(Vec3::new(p.y.atan2(p.x) * 5.0, 3.0, 9.0));
        let ring = mix(ring, hex(0x9af0d4), smoothstep(0.45, 0.8, spokes) * smoothstep(-0.1, 0.3, p.y) * 0.6);
        let mut color = mix(white, hex(0x12303f), disc(p, Vec2::ZERO, iris + 0.018, 0.02));
        color = mix(color, ring, disc(p, Vec2::ZERO, iris - 0.012, 0.02));
        color = mix(color, hex(0x1d1230), disc(p, Vec2::new(0.0, -0.012), pupil, 0.025));
        color = mix(color, hex(0x5a3a8a), disc(p, Vec2::new(0.03, 0.11), 0.06, 0.13) * 0.7);
        color = mix(color, hex(0xffffff), disc(p, Vec2::new(-0.095, -0.115), 0.080, 0.02));
        color = mix(color, hex(0xffffff), disc(p, Vec2::new(0.10, 0.105), 0.038, 0.02));
        quiet(color)
    });
    canvas
}

/// What unpainted texels show.
pub fn ground() -> Color {
    hex(CORAL)
}
