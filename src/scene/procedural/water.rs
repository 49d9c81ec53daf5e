//! Water: a field of heights on which waves run, lit by a palette, or with a picture under it.

use super::{
    numbers::{self, Random},
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
        let wave = numbers::sine(source.phase);
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
                self.push_spot(x + numbers::cosine(source.phase) * radius, y + wave * radius, depth);
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

/// How steep the steepest shown slope is, in levels over four pixels, for a wave amplitude of 128.
const STEEPEST: f32 = 96.0;
/// Levels over four pixels that bend the view by a pixel, for a wave amplitude of 128.
const LEVELS_A_PIXEL: f32 = 4.0;

/// Light on water.
///
/// # The law
///
/// Water tilts by `tilt`, −¼ to ¼ turn, where it rises to the right. It is lit as `cos(tilt + light)`, where `light` is
/// −¼ to ¼ turn from the zenith, and shines as `1 − ((tilt − view) / width)²`. Palette indices below `255 − range` show the
/// light, `range` is added where it shines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaterLight {
    /// Where the light comes from: 128 from above, 0 along the water onto slopes that rise to the right, 255 onto the others.
    pub light: u8,
    /// The tilt that shines: 128 for level water.
    pub view: u8,
    /// Palette indices that shining has for itself.
    pub range: u8,
    /// How wide the tilts that shine are: 255 for half a turn each way.
    pub size: u8,
}

impl WaterLight {
    /// Palette indices for slopes from the steepest down to the right to the steepest up to the right.
    pub(super) fn indices(&self) -> Vec<u8> {
        let angle = |byte: u8| (f32::from(byte) - 128.0) / 512.0;
        let (light, view) = (angle(self.light), angle(self.view));
        let width = (f32::from(self.size) + 1.0) / 512.0;
        let range = f32::from(self.range);
        let index = |i: u8| {
            let tilt = angle(i);
            let lit = numbers::cosine(tilt + light).max(0.0);
            let off = (tilt - view) / width;
            let shine = (1.0 - off * off).max(0.0);
            (lit * (255.0 - range) + shine * range) as u8
        };
        (0..=u8::MAX).map(index).collect()
    }
}

/// Factor that turns slopes in levels over four pixels into steps of [`WaterLight::indices`] about its middle.
pub(super) fn steps_a_level(wave_amplitude: u8) -> f32 {
    f32::from(wave_amplitude) / STEEPEST
}

/// Factor that turns slopes in levels over four pixels into pixels that the view is bent by.
pub(super) fn pixels_a_level(wave_amplitude: u8) -> f32 {
    f32::from(wave_amplitude) / 128.0 / LEVELS_A_PIXEL
}

/// The slopes to the right of water, for each row of pixels: levels over four pixels, positive where it rises.
pub(super) fn each_row_of_slopes(water: &Moving, height: usize, mut take: impl FnMut(usize, &[f32])) {
    let mut here = Vec::new();
    let mut below = Vec::new();
    let mut between = Vec::new();
    slopes(water.row(0), &mut below);
    for y in 0..height.div_ceil(2) {
        std::mem::swap(&mut here, &mut below);
        slopes(water.row(y.saturating_add(1)), &mut below);
        between.clear();
        between.extend(here.iter().zip(&below).map(|(a, b)| (a + b) / 2.0));
        let even = y.saturating_mul(2);
        take(even, &here);
        if even.saturating_add(1) < height {
            take(even.saturating_add(1), &between);
        }
    }
}

/// Slopes of a row of cells, two for each cell.
fn slopes(row: &[f32], fine: &mut Vec<f32>) {
    let width = row.len();
    let right = row.iter().cycle().skip(1);
    let left = row.iter().cycle().skip(width.saturating_sub(1));
    let coarse: Vec<f32> = left.zip(right).map(|(l, r)| r - l).take(width).collect();
    fine.clear();
    for (own, next) in coarse.iter().zip(coarse.iter().cycle().skip(1)) {
        fine.extend([*own, (own + next) / 2.0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_water_is_lit_by_the_angle_of_the_light() {
        let flat = |light: WaterLight| light.indices()[128];
        // Light from above, a highlight elsewhere: all of what shining leaves.
        assert_eq!(flat(WaterLight { light: 128, view: 255, range: 55, size: 8 }), 200);
        // A third of the way down, 85 of 128 of a quarter turn: cos(59.8°) = 0.503.
        assert_eq!(flat(WaterLight { light: 43, view: 255, range: 55, size: 8 }), 100);
        // Along the water: dark.
        assert_eq!(flat(WaterLight { light: 0, view: 255, range: 55, size: 8 }), 0);
        // The view is that of level water: it shines.
        assert_eq!(flat(WaterLight { light: 128, view: 128, range: 55, size: 8 }), 255);
    }

    #[test]
    fn a_larger_highlight_is_on_more_slopes() {
        let shining = |size: u8| {
            let all = WaterLight { light: 0, view: 128, range: 255, size }.indices();
            all.iter().filter(|i| **i > 0).count()
        };
        assert!(shining(16) < shining(64) && shining(64) < shining(255), "{} {}", shining(16), shining(64));
    }
}

#[cfg(test)]
mod water_tests {
    // Where drops move the water, from what their fields mean, and how waves run.

    use super::*;

    fn drop(kind: DropKind, depth: u8, x: u8, y: u8, [a, b, d]: [u8; 3]) -> WaterDrop {
        WaterDrop { kind, depth, x, y, a, b, c: 0, d }
    }

    /// Water of 64 × 64 cells.
    fn water(drops: &[WaterDrop]) -> Moving {
        Moving::new(&Water { drops: drops.into(), wave_amplitude: 128 }, 128, 128, 9)
    }

    /// The cells that a drop pushes furthest in each of so many frames, with waves kept from running; those around them lie within two
    /// cells and are pushed three quarters as far at most.
    fn pushed(drop: WaterDrop, frames: usize) -> Vec<(i32, i32, f32)> {
        let mut water = water(&[drop]);
        let mut found = Vec::new();
        for _ in 0..frames {
            let mut sources = std::mem::take(&mut water.sources);
            sources.iter_mut().for_each(|s| water.push_by(s));
            water.sources = sources;
            let moved: Vec<_> = water.now.iter().enumerate().filter(|(_, h)| **h != 0.0).collect();
            let moved: Vec<_> = moved.iter().map(|(i, h)| ((i % 64) as i32, (i / 64) as i32, **h)).collect();
            let most = moved.iter().fold(0.0_f32, |most, m| most.max(m.2.abs()));
            let (tops, sides): (Vec<_>, Vec<_>) = moved.into_iter().partition(|m| m.2.abs() == most);
            let around = |top: i32, side: i32| (side - top + 2).rem_euclid(64) <= 4;
            for side in sides {
                let near = |top: &(i32, i32, f32)| around(top.0, side.0) && around(top.1, side.1);
                assert!(tops.iter().any(near) && side.2.abs() <= most * 0.75, "{:?}: {side:?}", drop.kind);
            }
            found.extend(tops);
            water.now.fill(0.0);
        }
        assert!(!found.is_empty(), "{:?} pushed nothing", drop.kind);
        found
    }

    #[test]
    fn held_cells_are_at_their_depth() {
        for (kind, cells) in [
            (DropKind::FixedDepth, vec![(20, 30)]),
            (DropKind::HorizontalLine, vec![(20, 30), (21, 30), (22, 30)]),
            (DropKind::VerticalLine, vec![(20, 30), (20, 31), (20, 32)]),
            (DropKind::DiagonalLine1, vec![(20, 30), (21, 29), (22, 28)]),
            (DropKind::DiagonalLine2, vec![(20, 30), (21, 31), (22, 32)]),
        ] {
            let mut found = pushed(drop(kind, 28, 20, 30, [0, 0, 3]), 1);
            found.sort_by_key(|c| (c.0, c.1));
            let expected: Vec<_> = cells.into_iter().map(|(x, y)| (x, y, -100.0)).collect();
            assert_eq!(found, expected, "{kind:?}");
        }
        let area = pushed(drop(DropKind::AreaClamp, 228, 62, 30, [0, 0, 4]), 1);
        assert_eq!(area.len(), 16);
        assert!(area.iter().all(|(x, y, h)| [62, 63, 0, 1].contains(x) && (30..34).contains(y) && *h == 100.0));
    }

    #[test]
    fn a_spot_takes_the_cells_around_it_along() {
        let mut water = water(&[]);
        water.push_spot(10.0, 10.0, 100.0);
        let at = |x: usize, y: usize| water.now[y * 64 + x];
        assert_eq!(
            [at(10, 10), at(9, 10), at(10, 11), at(11, 11), at(12, 10), at(13, 10)],
            [100.0, 75.0, 75.0, 56.25, 25.0, 0.0]
        );
    }

    #[test]
    fn shaken_spots_swing_about_the_level() {
        for (kind, low, high) in [
            (DropKind::PhaseSpot, -100.0, 100.0),
            (DropKind::ShallowSpot, -50.0, 50.0),
            (DropKind::HalfAmpl, -100.0, 0.0),
            (DropKind::FixedRandomSpot, -100.0, 100.0),
        ] {
            let found = pushed(drop(kind, 228, 20, 30, [4, 0, 0]), 256);
            assert!(found.iter().all(|(x, y, h)| (*x, *y) == (20, 30) && (low..=high).contains(h)), "{kind:?}");
            let reach = |h: f32| found.iter().any(|f| (f.2 - h).abs() < 5.0);
            assert!(reach(low) && (high == 0.0 || reach(high)), "{kind:?}");
        }
        // A phase of a quarter turn begins at its height.
        assert_eq!(pushed(drop(DropKind::PhaseSpot, 228, 20, 30, [4, 64, 0]), 1), [(20, 30, 100.0)]);
        let line = pushed(drop(DropKind::VerticalOsc, 228, 20, 30, [4, 64, 3]), 1);
        assert_eq!(line, [(20, 30, 100.0), (20, 31, 100.0), (20, 32, 100.0)]);
    }

    #[test]
    fn moving_drops_keep_to_their_circles() {
        for (kind, radius) in [(DropKind::WhirlyThing, 2), (DropKind::BigWhirly, 8)] {
            let found = pushed(drop(kind, 228, 20, 30, [8, 0, 0]), 64);
            let far = |pick: fn(&(i32, i32, f32)) -> i32, at: i32| {
                let all = || found.iter().map(|f| pick(f) - at);
                (all().min().unwrap(), all().max().unwrap())
            };
            assert_eq!((far(|f| f.0, 20), far(|f| f.1, 30)), ((-radius, radius), (-radius, radius)), "{kind:?}");
        }
        let wandering = pushed(drop(DropKind::RandomMover, 228, 30, 30, [0; 3]), 20);
        assert!(wandering.iter().all(|(x, y, _)| (x - 30).abs() <= 20 && (y - 30).abs() <= 20));
    }

    #[test]
    fn rain_falls_in_its_square_one_frame_in_32() {
        let found = pushed(drop(DropKind::RainDrops, 255, 10, 20, [0, 0, 30]), 32_000);
        assert!(found.iter().all(|(x, y, h)| (10..40).contains(x) && (20..50).contains(y) && *h == 127.0));
        assert!((900..1_100).contains(&found.len()), "{}", found.len());
    }

    #[test]
    fn taps_drip_once_in_a_turn_of_their_phase() {
        let leaky = pushed(drop(DropKind::LeakyTap, 255, 10, 20, [16, 0, 0]), 160);
        assert_eq!(leaky, [(10, 20, 127.0); 10]);
        let drippy = pushed(drop(DropKind::DrippyTap, 255, 10, 20, [16, 0, 0]), 1_600);
        assert!((80..120).contains(&drippy.len()), "{}", drippy.len());
    }

    #[test]
    fn a_wave_spreads_as_worked_out_by_hand_and_comes_to_rest() {
        let mut water = water(&[]);
        water.push(10.0, 10.0, 64.0);
        water.run_waves();
        // (64 + 0 − 64) · 63/64 at the place itself, (0 + 64/4 − 0) · 63/64 beside it.
        let at = |w: &Moving, x: usize, y: usize| w.now[y * 64 + x];
        assert_eq!(at(&water, 10, 10), 0.0);
        for (x, y) in [(9, 10), (11, 10), (10, 9), (10, 11)] {
            assert_eq!(at(&water, x, y), 15.75);
        }
        assert_eq!(water.now.iter().filter(|h| **h != 0.0).count(), 4);
        for _ in 0..2_000 {
            water.run_waves();
        }
        assert!(water.now.iter().all(|h| *h == 0.0), "still water");
    }

    #[test]
    fn waves_go_round_the_edges_and_stay_bounded() {
        let all: Vec<WaterDrop> = DropKind::ALL.iter().map(|k| drop(*k, 255, 60, 60, [37, 5, 20])).collect();
        let mut water = water(&all);
        for _ in 0..500 {
            water.step();
            assert!(water.now.iter().all(|h| h.abs() < 4_000.0));
        }
        assert!(water.row(0).iter().any(|h| *h != 0.0));
        let many = vec![drop(DropKind::PhaseSpot, 0, 0, 0, [0; 3]); 5_000];
        assert_eq!(Moving::new(&Water { drops: many.into(), wave_amplitude: 0 }, 1, 1, 0).sources.len(), MAX_DROPS);
    }

    #[test]
    fn numbers_and_names_are_those_of_the_format() {
        assert_eq!(DropKind::ALL.len(), 20);
        assert_eq!(WaterDrop::from_bytes([16, 255, 34, 30, 0, 0, 0, 30]).unwrap().kind, DropKind::RainDrops);
        assert_eq!(DropKind::from_number(8).unwrap().name(), "HorizontalLine");
        assert_eq!(WaterDrop::from_bytes([20, 0, 0, 0, 0, 0, 0, 0]), None);
    }
}
