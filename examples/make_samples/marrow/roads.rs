//! Roads over the island: routes, slopes and road pieces.

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::Vec2;

use super::ground::{CELL, Ground, SIDE};

/// A road or a street as a line.
pub struct Way {
    pub points: Vec<Vec2>,
    pub paved: bool,
}

/// A piece of road: its middle, which way it lies, how it climbs, how long it is.
pub struct Piece {
    pub middle: Vec2,
    /// Radians clockwise from north.
    pub heading: f32,
    /// Height of the middle, in metres, and radians up.
    pub height: f32,
    pub pitch: f32,
    pub length: f32,
}

/// The cheapest line between two places: steep ground is dear, the sea and its shore dearer.
pub fn route(ground: &Ground, from: Vec2, to: Vec2) -> Vec<Vec2> {
    let cell = |place: Vec2| {
        let at = (place / CELL).round();
        at.y as usize * SIDE + at.x as usize
    };
    let place = |index: usize| Vec2::new((index % SIDE) as f32, (index / SIDE) as f32) * CELL;
    // Steps of a chess horse too, so that lines may lie in sixteen directions.
    let steps: Vec<(i32, i32)> = (-2..=2)
        .flat_map(|dy: i32| (-2..=2).map(move |dx: i32| (dx, dy)))
        .filter(|(dx, dy)| matches!(dx * dx + dy * dy, 1 | 2 | 5))
        .collect();
    let mut cost = vec![f32::MAX; SIDE * SIDE];
    let mut before = vec![usize::MAX; SIDE * SIDE];
    let (start, end) = (cell(from), cell(to));
    cost[start] = 0.0;
    let mut open = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((bits, at))) = open.pop() {
        if at == end {
            break;
        }
        if f32::from_bits(bits) > cost[at] {
            continue;
        }
        let (x, y) = ((at % SIDE) as i32, (at / SIDE) as i32);
        for (dx, dy) in &steps {
            let (nx, ny) = (x + dx, y + dy);
            if !(2..SIDE as i32 - 2).contains(&nx) || !(2..SIDE as i32 - 2).contains(&ny) {
                continue;
            }
            let next = (ny * SIDE as i32 + nx) as usize;
            let (low, high) = (ground.heights[at], ground.heights[next]);
            let far = place(at).distance(place(next));
            let climb = (high - low).abs() / far;
            // Across a slope, the ground must be cut.
            let side = ground.slope(place(next));
            let wet = if high < 2.2 { 30.0 } else { 0.0 };
            let dear = cost[at] + far * (1.0 + (climb / 0.07).powi(2) + (side / 0.3).powi(2) + wet);
            if dear < cost[next] {
                (cost[next], before[next]) = (dear, at);
                open.push(Reverse((dear.to_bits(), next)));
            }
        }
    }
    let mut cells = vec![end];
    while let Some(at) = cells.last().map(|at| before[*at]).filter(|at| *at != usize::MAX) {
        cells.push(at);
    }
    let mut points: Vec<Vec2> = cells.iter().rev().map(|at| place(*at)).collect();
    if let (Some(first), true) = (points.first_mut(), cells.len() > 1) {
        *first = from;
    }
    rounded(&points)
}

/// A line without corners.
pub fn rounded(points: &[Vec2]) -> Vec<Vec2> {
    let ends = (points.first().copied(), points.last().copied());
    let mut line: Vec<Vec2> = spaced(points, 24.0);
    for _ in 0..3 {
        let middle = line.windows(3).map(|w| (w[0] + w[1] * 2.0 + w[2]) / 4.0);
        line = ends.0.into_iter().chain(middle).chain(ends.1).collect();
    }
    for _ in 0..3 {
        let cut = line.windows(2).flat_map(|w| [w[0].lerp(w[1], 0.25), w[0].lerp(w[1], 0.75)]);
        line = ends.0.into_iter().chain(cut).chain(ends.1).collect();
    }
    line
}

/// Points of a line about every so many metres, both ends with them.
pub fn spaced(points: &[Vec2], step: f32) -> Vec<Vec2> {
    let total: f32 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
    let count = (total / step).round().max(1.0) as usize;
    (0..=count).map(|i| along(points, total * i as f32 / count as f32).0).collect()
}

/// The point so many metres along a line, and which way the line goes there.
pub fn along(points: &[Vec2], far: f32) -> (Vec2, Vec2) {
    let mut left = far;
    let mut last = (points[0], Vec2::Y);
    for pair in points.windows(2) {
        let (length, way) = (pair[0].distance(pair[1]), (pair[1] - pair[0]).normalize_or(Vec2::Y));
        if left <= length {
            return (pair[0] + way * left, way);
        }
        left -= length;
        last = (pair[1], way);
    }
    last
}

/// Radians clockwise from north.
pub fn heading(way: Vec2) -> f32 {
    way.x.atan2(way.y)
}

impl Way {
    pub fn length(&self) -> f32 {
        self.points.windows(2).map(|w| w[0].distance(w[1])).sum()
    }

    /// Every few metres, where the way is to lie: the ground, without its bumps.
    pub fn profile(&self, ground: &Ground) -> Vec<(Vec2, f32)> {
        let points = spaced(&self.points, 4.0);
        let heights: Vec<f32> = points.iter().map(|place| ground.height(*place).max(1.6)).collect();
        let mean = |at: usize| {
            // Ends stay as they are: other ways begin there.
            let reach = at.min(heights.len() - 1 - at).min(12);
            let near = &heights[at - reach..=at + reach];
            near.iter().sum::<f32>() / near.len() as f32
        };
        points.iter().enumerate().map(|(at, place)| (*place, mean(at))).collect()
    }

    /// Pieces laid end to end: long ones where the way is straight, short ones in bends. A rest that is too short for any stays bare.
    pub fn pieces(&self, ground: &Ground, lengths: &[f32]) -> Vec<Piece> {
        let line = spaced(&self.points, 0.5);
        let mut pieces = Vec::new();
        let mut at = 0;
        'way: while at + 1 < line.len() {
            let start = line[at];
            for length in lengths {
                // Where the line leaves a circle of the piece's length around its start.
                let Some(end) = (at + 1..line.len()).find(|i| line[*i].distance(start) >= *length) else { continue };
                let way = (line[end] - start).normalize_or(Vec2::Y);
                let bend = (at..end).map(|i| (line[i] - start).perp_dot(way).abs()).fold(0.0, f32::max);
                if bend > 0.5 && Some(length) != lengths.last() {
                    continue;
                }
                let tip = start + way * *length;
                let [low, high] = [start, tip].map(|place| ground.height(place));
                pieces.push(Piece {
                    middle: start + way * (*length / 2.0),
                    heading: heading(way),
                    height: (low + high) / 2.0,
                    pitch: ((high - low) / *length).atan(),
                    length: *length,
                });
                at = end;
                continue 'way;
            }
            break;
        }
        pieces
    }
}
