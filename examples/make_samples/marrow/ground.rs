//! The island's shape: a coast and an eroded mountain.

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::{Vec2, Vec3};

use super::super::{mesh::smoothstep, paint::noise};

/// Samples on a side.
pub const SIDE: usize = 256;
/// Metres between samples.
pub const CELL: f32 = 10.0;
/// Metres on a side.
pub const WIDTH: f32 = SIDE as f32 * CELL;

/// How high the summit is, in metres.
const SUMMIT: f32 = 226.0;
/// How often rain falls.
const RAINS: usize = 24;

/// Heights of the island.
pub struct Ground {
    /// In metres, rows from south to north.
    pub heights: Vec<f32>,
}

/// Octaves of noise, about 0 to 1; `place` in features.
pub fn rough(place: Vec2, octaves: u32, seed: f32) -> f32 {
    let (mut sum, mut weight, mut scale) = (0.0, 0.5, 1.0);
    for octave in 0..octaves {
        sum += weight * noise(Vec3::new(place.x * scale, place.y * scale, seed + octave as f32 * 7.3));
        (weight, scale) = (weight * 0.5, scale * 2.03);
    }
    sum / (1.0 - 0.5_f32.powi(octaves as i32))
}

/// The greater of two numbers, with a soft step from one to the other.
fn soft_max(a: f32, b: f32, width: f32) -> f32 {
    let near = (width - (a - b).abs()).max(0.0) / width;
    a.max(b) + near * near * width * 0.25
}

/// Metres from the coast, roughly: land is positive.
pub fn from_coast(place: Vec2) -> f32 {
    let bend = Vec2::new(rough(place / 330.0, 3, 1.0) - 0.5, rough(place / 330.0, 3, 31.0) - 0.5);
    let at = place + bend * 260.0;
    let disc = |x: f32, y: f32, radius: f32| radius - at.distance(Vec2::new(x, y));
    let body = soft_max(disc(1220.0, 1450.0, 680.0), disc(700.0, 1130.0, 400.0), 260.0);
    let body = soft_max(body, disc(1780.0, 1000.0, 350.0), 260.0);
    let body = soft_max(body, disc(1990.0, 690.0, 150.0), 200.0);
    // The bay opens to the south.
    let bay = soft_max(disc(1270.0, 560.0, 330.0), disc(1290.0, 850.0, 190.0), 160.0);
    let body = -soft_max(-body, bay, 90.0);
    let islet = disc(2170.0, 2060.0, 130.0);
    body.max(islet) + (rough(place / 120.0, 4, 5.0) - 0.5) * 90.0
}

/// How fast the ground rises, against the summit's rate.
fn uplift(place: Vec2) -> f32 {
    let hill = |x: f32, y: f32, radius: f32| (-(place.distance(Vec2::new(x, y)) / radius).powi(2)).exp();
    let hills = hill(1130.0, 1640.0, 330.0)
        + 0.55 * hill(1560.0, 1560.0, 230.0)
        + 0.34 * hill(1880.0, 960.0, 170.0)
        + 0.22 * hill(560.0, 1260.0, 170.0)
        + 0.5 * hill(2170.0, 2060.0, 90.0);
    (hills + 0.035) * (0.65 + 0.7 * rough(place / 260.0, 3, 11.0))
}

/// Where a sample is, in metres.
pub fn place_of(index: usize) -> Vec2 {
    Vec2::new((index % SIDE) as f32, (index / SIDE) as f32) * CELL
}

/// Samples around one, and how far they are in cells.
fn neighbours(index: usize) -> impl Iterator<Item = (usize, f32)> {
    let (x, y) = ((index % SIDE) as i32, (index / SIDE) as i32);
    let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|step| *step != (0, 0));
    around.filter_map(move |(dx, dy)| {
        let inside = |v: i32| (0..SIDE as i32).contains(&v);
        let far = if dx != 0 && dy != 0 { std::f32::consts::SQRT_2 } else { 1.0 };
        (inside(x + dx) && inside(y + dy)).then(|| (((y + dy) * SIDE as i32 + x + dx) as usize, far))
    })
}

/// What rivers leave of the land when it rises, up to [`SUMMIT`]; the sea is 0.
fn eroded(coast: &[f32]) -> Vec<f32> {
    let rise: Vec<f32> = (0..coast.len()).map(|i| uplift(place_of(i))).collect();
    let mut heights: Vec<f32> = (0..coast.len())
        .map(|i| if coast[i] > 0.0 { noise(Vec3::from((place_of(i) / 25.0, 3.0))) } else { 0.0 })
        .collect();
    for _ in 0..RAINS {
        // From the sea inland, always on over the lowest: each sample drains into the one that it was reached from.
        let mut drain: Vec<Option<(usize, f32)>> = vec![None; coast.len()];
        let mut reached: Vec<bool> = coast.iter().map(|c| *c <= 0.0).collect();
        let mut order = Vec::new();
        let shore = |i: &usize| coast[*i] <= 0.0 && neighbours(*i).any(|(n, _)| coast[n] > 0.0);
        let mut open: BinaryHeap<Reverse<(u32, usize)>> =
            (0..coast.len()).filter(shore).map(|i| Reverse((0, i))).collect();
        while let Some(Reverse((_, from))) = open.pop() {
            order.push(from);
            for (next, far) in neighbours(from) {
                if !std::mem::replace(&mut reached[next], true) {
                    drain[next] = Some((from, far));
                    // Heights are not negative: their bits are in their order.
                    open.push(Reverse((heights[next].to_bits(), next)));
                }
            }
        }
        let mut water = vec![1.0_f32; coast.len()];
        for from in order.iter().rev() {
            if let Some((to, _)) = drain[*from] {
                water[to] += water[*from];
            }
        }
        for at in order {
            if let Some((to, far)) = drain[at] {
                let cut = 0.2 * water[at].powf(0.58) / far;
                heights[at] = (heights[at] + rise[at] * 2.0 + cut * heights[to].min(heights[at])) / (1.0 + cut);
            }
        }
        // Soil creeps downhill, so that valleys keep their distance.
        let crept = worn(&heights, 0.32);
        heights = crept.into_iter().zip(coast).map(|(height, coast)| if *coast > 0.0 { height } else { 0.0 }).collect();
    }
    let highest = heights.iter().copied().fold(1.0, f32::max);
    heights.iter().map(|h| h / highest * SUMMIT).collect()
}

/// Every sample a little nearer to the mean of those around.
fn worn(heights: &[f32], share: f32) -> Vec<f32> {
    let wear = |index: usize| {
        let (sum, count) = neighbours(index).fold((0.0, 0.0), |(sum, count), (n, _)| (sum + heights[n], count + 1.0));
        heights[index] + (sum / count - heights[index]) * share
    };
    (0..heights.len()).map(wear).collect()
}

impl Ground {
    pub fn new() -> Self {
        let coast: Vec<f32> = (0..SIDE * SIDE).map(|i| from_coast(place_of(i))).collect();
        let mut land = eroded(&coast);
        for share in [0.3, 0.2] {
            land = worn(&land, share);
        }
        let height = |index: usize| {
            let (place, coast) = (place_of(index), coast[index]);
            if coast <= 0.0 {
                let deep = 46.0 * (1.0 - (coast / 420.0).exp());
                return -0.6 - deep * (0.75 + 0.5 * rough(place / 200.0, 3, 17.0));
            }
            // Beaches in the bay and the west, low cliffs where the noise says so.
            let cliff = smoothstep(0.5, 0.62, rough(place / 330.0, 2, 23.0)) * smoothstep(1000.0, 1300.0, place.y);
            let inland = smoothstep(0.0, 110.0, coast);
            let shore = (coast * 0.045).min(3.2) + cliff * 9.0 * smoothstep(4.0, 26.0, coast);
            let bumps = (rough(place / 70.0, 2, 41.0) - 0.5) * (1.4 + land[index] * 0.03);
            0.4 + shore + (land[index] + bumps) * inland
        };
        Self { heights: (0..coast.len()).map(height).collect() }
    }

    pub fn get(&self, column: usize, row: usize) -> f32 {
        self.heights[row.min(SIDE - 1) * SIDE + column.min(SIDE - 1)]
    }

    /// The height under a place, on the triangles that the game stands things on.
    pub fn height(&self, place: Vec2) -> f32 {
        let at = (place / CELL).clamp(Vec2::ZERO, Vec2::splat(SIDE as f32 - 1.001));
        let (cell, t) = (at.floor(), at - at.floor());
        let corner = |dx: usize, dy: usize| self.get(cell.x as usize + dx, cell.y as usize + dy);
        if t.x + t.y <= 1.0 {
            let low = corner(0, 0);
            low + (corner(1, 0) - low) * t.x + (corner(0, 1) - low) * t.y
        } else {
            let high = corner(1, 1);
            high + (corner(0, 1) - high) * (1.0 - t.x) + (corner(1, 0) - high) * (1.0 - t.y)
        }
    }

    /// Uphill, in metres a metre.
    pub fn gradient(&self, place: Vec2) -> Vec2 {
        let along = |step: Vec2| (self.height(place + step) - self.height(place - step)) / (2.0 * step.length());
        Vec2::new(along(Vec2::X * 8.0), along(Vec2::Y * 8.0))
    }

    pub fn slope(&self, place: Vec2) -> f32 {
        self.gradient(place).length()
    }

    /// Ground around a place that is nearly level, for a village.
    pub fn level(&mut self, center: Vec2, radius: f32) {
        let mean = {
            let inside = |i: &usize| place_of(*i).distance(center) < radius * 0.5;
            let inside: Vec<f32> = (0..self.heights.len()).filter(inside).map(|i| self.heights[i]).collect();
            (inside.iter().sum::<f32>() / inside.len().max(1) as f32).max(5.0)
        };
        for (index, height) in self.heights.iter_mut().enumerate() {
            let share = smoothstep(radius, radius * 0.35, place_of(index).distance(center));
            // The sea stays where it is.
            let share = share * smoothstep(0.0, 2.5, *height);
            *height += (mean + (*height - mean) * 0.22 - *height) * share;
        }
    }

    /// Brings the ground under a way to the way's own heights, and its sides near them.
    pub fn bed(&mut self, way: &[(Vec2, f32)]) {
        const REACH: f32 = 34.0;
        let mut nearest: Vec<(f32, f32)> = vec![(REACH, 0.0); self.heights.len()];
        for (place, height) in way {
            let first = ((*place - REACH) / CELL).floor().max(Vec2::ZERO);
            let last = ((*place + REACH) / CELL).ceil().min(Vec2::splat(SIDE as f32 - 1.0));
            for row in first.y as usize..=last.y as usize {
                for column in first.x as usize..=last.x as usize {
                    let index = row * SIDE + column;
                    let far = place.distance(place_of(index));
                    if far < nearest[index].0 {
                        nearest[index] = (far, *height);
                    }
                }
            }
        }
        for (height, (far, wanted)) in self.heights.iter_mut().zip(nearest) {
            *height += (wanted - *height) * smoothstep(REACH, 11.0, far);
        }
    }

    /// Heights in sixteenths of a metre.
    pub fn settle(&mut self) {
        self.heights.iter_mut().for_each(|height| *height = (*height * 16.0).round() / 16.0);
    }
}
