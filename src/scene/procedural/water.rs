//! Water: a field of heights on which waves run.

use super::{
    random::Random,
    turn,
    water_drop::{DropKind, WaterDrop},
};
use std::sync::Arc;

/// Drops that a water has at most, whatever its file says.
pub const MAX_DROPS: usize = 256;
/// What a wave keeps of its height from one frame to the next.
const KEEPS: f32 = 1.0 - 1.0 / 64.0;
/// Waves lower than this are still water.
const STILL: f32 = 1.0 / 64.0;
/// Share of the frames in which rain lets a drop fall.
const RAINS: f32 = 1.0 / 32.0;

/// Water and what moves it.
#[derive(Clone, Debug)]
pub struct Water {
    /// Sources of waves; only the first [`MAX_DROPS`] are used.
    pub drops: Arc<[WaterDrop]>,
    /// How high the waves are shown: 128 as they are, 255 twice.
    pub wave_amplitude: u8,
}

#[derive(Clone, Copy, Debug)]
struct Source {
    drop: WaterDrop,
    x: f32,
    y: f32,
    /// In turns.
    phase: f32,
}

/// Water as it moves.
///
/// # The law
///
/// Heights `h` are what lies above the level at rest, at half the pixels each way. In one frame
/// `h(t + 1) = (h(t) + (left + right + above + below)(t) / 4 − h(t − 1)) · 63/64`: the wave equation at half a cell a frame,
/// one pixel a frame, with a loss. Drops then push their cells. What is lower than 1/64 is still.
#[derive(Clone, Debug)]
pub(super) struct Moving {
    width: usize,
    height: usize,
    now: Vec<f32>,
    before: Vec<f32>,
    /// A row with the last cell before it and the first behind it.
    wrapped: Vec<f32>,
    sources: Vec<Source>,
    random: Random,
}

impl Moving {
    /// Water for a picture of so many pixels, at rest.
    pub(super) fn new(water: &Water, width: usize, height: usize, seed: u64) -> Self {
        let (width, height) = (width.div_ceil(2).max(1), height.div_ceil(2).max(1));
        let size = width.saturating_mul(height);
        let source = |drop: &WaterDrop| Source {
            drop: *drop,
            x: f32::from(drop.x),
            y: f32::from(drop.y),
            phase: f32::from(drop.b) / 256.0,
        };
        Self {
            width,
            height,
            now: vec![0.0; size],
            before: vec![0.0; size],
            wrapped: vec![0.0; width.saturating_add(2)],
            sources: water.drops.iter().take(MAX_DROPS).map(source).collect(),
            random: Random::new(seed),
        }
    }

    pub(super) fn step(&mut self) {
        self.run_waves();
        let mut sources = std::mem::take(&mut self.sources);
        for source in &mut sources {
            self.push_by(source);
        }
        self.sources = sources;
    }

    /// A row of heights above the level; rows past the last begin anew.
    pub(super) fn row(&self, y: usize) -> &[f32] {
        let y = y.checked_rem(self.height).unwrap_or(0);
        self.now.chunks_exact(self.width).nth(y).unwrap_or_default()
    }

    fn run_waves(&mut self) {
        let mut next = std::mem::take(&mut self.before);
        let mut wrapped = std::mem::take(&mut self.wrapped);
        for (y, out) in next.chunks_exact_mut(self.width).enumerate() {
            let row = self.row(y);
            let above = self.row(y.checked_sub(1).unwrap_or(self.height.saturating_sub(1)));
            let below = self.row(y.saturating_add(1));
            if let [first, middle @ .., last] = wrapped.as_mut_slice() {
                middle.copy_from_slice(row);
                *first = row.last().copied().unwrap_or(0.0);
                *last = row.first().copied().unwrap_or(0.0);
            }
            let sides = wrapped.iter().zip(wrapped.get(2..).unwrap_or_default());
            let column = row.iter().zip(above.iter().zip(below));
            for ((out, (left, right)), (own, (above, below))) in out.iter_mut().zip(sides).zip(column) {
                let around = (left + right) + (above + below);
                let height = ((own + around / 4.0) - *out) * KEEPS;
                *out = if height.abs() < STILL { 0.0 } else { height };
            }
        }
        self.wrapped = wrapped;
        self.before = std::mem::replace(&mut self.now, next);
    }

    /// Sets a cell, now and before: it does not swing back by itself.
    fn push(&mut self, x: f32, y: f32, height: f32) {
        let column = x.floor().rem_euclid(self.width as f32) as usize;
        let row = y.floor().rem_euclid(self.height as f32) as usize;
        for cells in [&mut self.now, &mut self.before] {
            if let Some(cell) = cells.chunks_exact_mut(self.width).nth(row).and_then(|r| r.get_mut(column)) {
                *cell = height;
            }
        }
    }

    /// Pushes a spot: a cell, and those up to two cells from it less and less. Waves from a single cell would be too short to be
    /// seen as waves.
    fn push_spot(&mut self, x: f32, y: f32, height: f32) {
        const SHARES: [(f32, f32); 5] = [(-2.0, 0.25), (-1.0, 0.75), (0.0, 1.0), (1.0, 0.75), (2.0, 0.25)];
        for (down, row) in SHARES {
            for (right, column) in SHARES {
                let own = self.at(x + right, y + down);
                self.push(x + right, y + down, own + (height - own) * row * column);
            }
        }
    }

    fn at(&self, x: f32, y: f32) -> f32 {
        let column = x.floor().rem_euclid(self.width as f32) as usize;
        self.row(y.floor().rem_euclid(self.height as f32) as usize).get(column).copied().unwrap_or(0.0)
    }

    fn line(&mut self, source: &Source, (right, down): (f32, f32), height: f32) {
        for i in 0..source.drop.d.max(1) {
            self.push(source.x + f32::from(i) * right, source.y + f32::from(i) * down, height);
        }
    }

    fn push_by(&mut self, source: &mut Source) {
        use DropKind as K;
        let WaterDrop { kind, depth, a, d, .. } = source.drop;
        let depth = f32::from(depth) - 128.0;
        let wave = turn::sine(source.phase);
        let (x, y) = (source.x, source.y);
        let (level, upright, rising, falling) = ((1.0, 0.0), (0.0, 1.0), (1.0, -1.0), (1.0, 1.0));
        match kind {
            K::FixedDepth => self.push_spot(x, y, depth),
            K::PhaseSpot => self.push_spot(x, y, depth * wave),
            K::ShallowSpot => self.push_spot(x, y, depth * wave / 2.0),
            K::HalfAmpl => self.push_spot(x, y, -(depth * wave).abs()),
            K::RandomMover => {
                source.x += self.random.nudge();
                source.y += self.random.nudge();
                let height = depth * self.random.signed();
                self.push_spot(source.x, source.y, height);
            }
            K::FixedRandomSpot => {
                let height = depth * self.random.signed();
                self.push_spot(x, y, height);
            }
            K::WhirlyThing | K::BigWhirly => {
                let radius = if kind == K::WhirlyThing { 2.0 } else { 8.0 };
                self.push_spot(x + turn::cosine(source.phase) * radius, y + wave * radius, depth);
            }
            K::HorizontalLine => self.line(source, level, depth),
            K::VerticalLine => self.line(source, upright, depth),
            K::DiagonalLine1 => self.line(source, rising, depth),
            K::DiagonalLine2 => self.line(source, falling, depth),
            K::HorizontalOsc => self.line(source, level, depth * wave),
            K::VerticalOsc => self.line(source, upright, depth * wave),
            K::DiagonalOsc1 => self.line(source, rising, depth * wave),
            K::DiagonalOsc2 => self.line(source, falling, depth * wave),
            K::RainDrops => {
                if self.random.chance(RAINS) {
                    let side = f32::from(d.max(1));
                    let (right, down) = (self.random.unit() * side, self.random.unit() * side);
                    self.push_spot(x + right, y + down, depth);
                }
            }
            K::AreaClamp => {
                for row in 0..d.max(1) {
                    for column in 0..d.max(1) {
                        self.push(x + f32::from(column), y + f32::from(row), depth);
                    }
                }
            }
            K::LeakyTap | K::DrippyTap => {}
        }
        let pace = match kind {
            K::DrippyTap => f32::from(a) / 128.0 * self.random.unit(),
            _ => f32::from(a) / 256.0,
        };
        source.phase += pace;
        if source.phase >= 1.0 {
            source.phase -= source.phase.floor();
            if matches!(kind, K::LeakyTap | K::DrippyTap) {
                self.push_spot(x, y, depth);
            }
        }
    }
}

#[cfg(test)]
#[path = "water_tests.rs"]
mod tests;
