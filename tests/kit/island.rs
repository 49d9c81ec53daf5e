//! Landscapes made in code.

use bonebox::scene::{HeightGrid, Prop, PropClass, PropKind, PropMarker, SizeSource, Terrain, scene_from_ground};
use glam::{Affine3A, Quat, Vec3};

/// A number in 0..1 for a place.
fn dice(x: i32, z: i32, seed: u32) -> f32 {
    let mut n =
        (x as u32).wrapping_mul(0x85eb_ca6b) ^ (z as u32).wrapping_mul(0xc2b2_ae35) ^ seed.wrapping_mul(0x27d4_eb2f);
    n = (n ^ n >> 15).wrapping_mul(0x2c1b_3c6d);
    n = (n ^ n >> 12).wrapping_mul(0x297a_2d39);
    (n ^ n >> 15) as f32 / u32::MAX as f32
}

fn noise(x: f32, z: f32, seed: u32) -> f32 {
    let (cx, cz) = (x.floor(), z.floor());
    let ease = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (fx, fz) = (ease(x - cx), ease(z - cz));
    let at = |dx: i32, dz: i32| dice(cx as i32 + dx, cz as i32 + dz, seed);
    let south = at(0, 0) + (at(1, 0) - at(0, 0)) * fx;
    let north = at(0, 1) + (at(1, 1) - at(0, 1)) * fx;
    south + (north - south) * fz
}

/// An island of `side × side` heights, about −60 to 330 m.
pub fn island(side: u32, cell: f32) -> HeightGrid {
    let mut heights = Vec::with_capacity((side * side) as usize);
    for z in 0..side {
        for x in 0..side {
            let (u, v) = (x as f32 / side as f32, z as f32 / side as f32);
            let (mut sum, mut ridge, mut size, mut freq) = (0.0, 0.0, 1.0, 3.0);
            for octave in 0..7 {
                let n = noise(u * freq + 11.3, v * freq + 4.7, octave);
                sum += (n - 0.5) * size;
                ridge += (1.0 - (n * 2.0 - 1.0).abs()).powi(2) * size * 0.5;
                size *= 0.5;
                freq *= 2.03;
            }
            let (dx, dz) = (u - 0.52, v - 0.5);
            let away = (dx * dx * 1.1 + dz * dz * 1.5).sqrt() + sum * 0.13;
            let land = ((0.42 - away) / 0.42).clamp(-0.35, 1.0);
            let shape = if land > 0.0 { land.powf(1.25) * (0.25 + ridge * 1.2) } else { land * 0.55 };
            heights.push(shape * 330.0 + sum * 18.0 * land.max(0.0));
        }
    }
    HeightGrid { columns: side, rows: side, cell, heights: heights.into() }
}

pub fn grid(columns: u32, cell: f32, heights: &[f32]) -> HeightGrid {
    let rows = (heights.len() as u32).checked_div(columns).unwrap_or(0);
    HeightGrid { columns, rows, cell, heights: heights.into() }
}

pub fn terrain(grid: HeightGrid) -> Terrain {
    Terrain { name: "made".into(), grid, ..Terrain::default() }
}

pub fn kind(class: PropClass, marker: PropMarker, size: Vec3) -> PropKind {
    PropKind {
        id: 1,
        name: "made".into(),
        model: String::new(),
        class,
        marker,
        outline: None,
        fill: None,
        size,
        size_source: SizeSource::Class,
        source: None,
        body: None,
    }
}

/// A prop that stands on the ground, or at height 0 off it.
pub fn prop(grid: &HeightGrid, kind: u32, east: f32, north: f32, heading: f32) -> Prop {
    let up = grid.ground_at(east, north).unwrap_or(0.0);
    Prop {
        kind,
        slot: 0,
        id: 0,
        type_id: 1,
        name: String::new(),
        world_from_prop: Affine3A::from_rotation_translation(
            Quat::from_rotation_y(-heading),
            scene_from_ground(east, up, north),
        ),
        file_position: Vec3::new(east, up, north),
        heading,
        scale: 1.0,
        above_ground: 0.0,
        outline: None,
        fill: None,
    }
}

/// An island with forests, villages and a road.
pub fn inhabited(side: u32, cell: f32, count: u32) -> Terrain {
    let grid = island(side, cell);
    let kinds = vec![
        kind(PropClass::Natural, PropMarker::Ellipse, Vec3::new(5.0, 9.0, 5.0)),
        kind(PropClass::Natural, PropMarker::Ellipse, Vec3::new(3.0, 3.0, 3.0)),
        kind(PropClass::Artificial, PropMarker::Rectangle, Vec3::new(12.0, 7.0, 9.0)),
        kind(PropClass::ArtificialInRoad, PropMarker::Rectangle, Vec3::new(4.0, 5.0, 16.0)),
        kind(PropClass::Road, PropMarker::Rectangle, Vec3::new(8.0, 0.4, 25.0)),
    ];
    let span = side as f32 * cell;
    let mut props = Vec::new();
    let mut tries = 0;
    while (props.len() as u32) < count && tries < count as i32 * 60 {
        tries += 1;
        let (east, north) = (dice(tries, 1, 50) * span, dice(tries, 2, 51) * span);
        let Some(up) = grid.ground_at(east, north) else { continue };
        let wood = noise(east / span * 14.0, north / span * 14.0, 99);
        let town = noise(east / span * 8.0, north / span * 8.0, 77);
        let heading = dice(tries, 3, 52) * std::f32::consts::TAU;
        if up > 4.0 && up < 190.0 && wood > 0.6 {
            props.push(prop(&grid, u32::from(dice(tries, 4, 53) > 0.7), east, north, heading));
        } else if up > 4.0 && up < 70.0 && town > 0.72 && dice(tries, 5, 54) > 0.6 {
            props.push(prop(
                &grid,
                2 + u32::from(dice(tries, 6, 55) > 0.8),
                east,
                north,
                (heading * 2.0).round() * 0.785,
            ));
        }
    }
    for step in 0..160 {
        let (east, north) = (span * 0.25 + step as f32 * 22.0, span * 0.42 + (step as f32 * 0.06).sin() * 200.0);
        if grid.ground_at(east, north).is_some_and(|h| h > 1.0) {
            props.push(prop(&grid, 4, east, north, 1.57 - ((step as f32 * 0.06).cos() * 0.5).atan()));
        }
    }
    Terrain { kinds, props, ..terrain(grid) }
}
