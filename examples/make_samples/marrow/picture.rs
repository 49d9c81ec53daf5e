//! A painted map of the island.

use glam::{Vec2, Vec3};

use super::super::{
    mesh::smoothstep,
    paint::{Canvas, Color, hex, mix, noise},
};
use super::{
    Island,
    ground::{Ground, WIDTH},
    kinds::Kind,
    woods::wooded,
};

/// Pixels on a side.
const SIDE: usize = 512;

pub fn map(island: &Island) -> Vec<u8> {
    let mut canvas = Canvas::new(SIDE, SIDE);
    let (lines, houses) = (road_distance(island), houses(island));
    canvas.fill(|uv| {
        let place = Vec2::new(uv.x, 1.0 - uv.y) * WIDTH;
        let ground = ground_color(island, &houses, place);
        let pixel = (uv * SIDE as f32).floor();
        let (road, paved) = lines[pixel.y as usize * SIDE + pixel.x as usize];
        let (line, edge) = if paved { (hex(0xf4_e3_b0), 4.2) } else { (hex(0xcb_b4_8a), 2.6) };
        let casing = mix(ground, hex(0x6b_5a44), smoothstep(edge + 3.5, edge + 1.0, road) * 0.85);
        // Few colours, so that the picture packs well.
        let color = mix(casing, line, smoothstep(edge + 1.0, edge - 1.0, road));
        (color * 63.0).round() / 63.0
    });
    canvas.png(Vec3::ZERO)
}

fn ground_color(island: &Island, houses: &[(Vec2, f32)], place: Vec2) -> Color {
    let ground = &island.ground;
    let height = ground.height(place);
    if height <= 0.0 {
        let color = mix(hex(0x9c_c9d3), hex(0x3f_7f9f), smoothstep(0.0, -34.0, height));
        return mix(hex(0xd9_e6df), color, smoothstep(0.0, -1.2, height));
    }
    let shade = shade(ground, place);
    let grass = mix(hex(0xb7_c38a), hex(0xd6_cfa0), smoothstep(10.0, 90.0, height));
    let grass = mix(grass, hex(0xbf_b09a), smoothstep(120.0, 210.0, height));
    let wood = mix(hex(0x86_a866), hex(0x5f_8a5c), smoothstep(30.0, 120.0, height));
    let color = mix(grass, wood, smoothstep(0.08, 0.4, wooded(ground, place)));
    let color = mix(color, hex(0xa0_9890), smoothstep(0.75, 1.0, ground.slope(place)));
    let color = mix(hex(0xea_dcb0), color, smoothstep(1.6, 3.4, height));
    let color = match island.fields.iter().find(|field| field.contains(place)) {
        Some(field) => {
            let crop = [0xdc_c4_6e, 0xa9_b9_5c, 0xc9_a8_6a, 0xbf_ca_80][field.crop as usize % 4];
            let furrow = (field.local(place).x * field.half.x * 0.9).sin() * 0.02;
            hex(crop) + furrow
        }
        None => color,
    };
    let color = color * shade;
    let in_house = houses.iter().any(|(middle, walls)| middle.distance_squared(place) < walls * walls);
    if in_house { hex(0x8a_4436) } else { color }
}

/// Light from the north-west.
fn shade(ground: &Ground, place: Vec2) -> f32 {
    let uphill = ground.gradient(place);
    let normal = Vec3::new(-uphill.x * 1.6, -uphill.y * 1.6, 1.0).normalize_or(Vec3::Z);
    let light = normal.dot(Vec3::new(-0.5, 0.5, std::f32::consts::FRAC_1_SQRT_2));
    // The paper's own grain is coarse, for it must pack.
    0.62 + 0.52 * light + (noise(Vec3::from((place / 60.0, 9.0))) - 0.5) * 0.04
}

/// Where houses are, and how far their walls are from their middles.
fn houses(island: &Island) -> Vec<(Vec2, f32)> {
    let walls = |kind: Kind| match kind {
        Kind::Cottage | Kind::House => 5.0,
        Kind::Longhouse => 6.5,
        Kind::Church | Kind::Barn | Kind::Warehouse => 9.0,
        _ => 0.0,
    };
    let houses = island.site.things.iter().map(|thing| (thing.place, walls(thing.kind)));
    houses.filter(|(_, walls)| *walls > 0.0).collect()
}

/// For every pixel, metres to the nearest road, and whether that is paved; those far from any say so.
fn road_distance(island: &Island) -> Vec<(f32, bool)> {
    let pixel = WIDTH / SIDE as f32;
    let mut nearest = vec![(f32::MAX, false); SIDE * SIDE];
    for way in &island.ways {
        for point in super::roads::spaced(&way.points, 2.0) {
            let (x, y) = ((point.x / pixel) as i32, ((WIDTH - point.y) / pixel) as i32);
            for row in (y - 3).max(0)..(y + 4).min(SIDE as i32) {
                for column in (x - 3).max(0)..(x + 4).min(SIDE as i32) {
                    let middle = Vec2::new(column as f32 + 0.5, SIDE as f32 - row as f32 - 0.5) * pixel;
                    let own = &mut nearest[row as usize * SIDE + column as usize];
                    let far = middle.distance(point);
                    // A road is drawn over a track.
                    if far < own.0 && (way.paved || own.0 > 4.0 || !own.1) {
                        *own = (far, way.paved);
                    }
                }
            }
        }
    }
    nearest
}
