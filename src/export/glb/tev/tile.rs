//! The part of the texture coordinates that a baked picture shows, its size in texels, and the picture.

use super::{
    alpha::AlphaPlan,
    evaluator::{CoordSource, Evaluator},
};
use crate::{
    export::glb::sampler::SamplerKey,
    scene::{Image, gx::Wrap},
};
use glam::Vec2;
use rayon::prelude::*;

/// How many times the longest period of a texture the common period may be.
const MAX_PERIODS: usize = 16;
/// How far a ratio of periods may be from a whole number.
const NEAR: f32 = 1e-3;

/// A rectangle of texture coordinates as a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    pub origin: Vec2,
    pub size: Vec2,
    pub texels: [u32; 2],
    pub wrap: [Wrap; 2],
    /// Texels that it would have as fine as its textures are, where that is more than it has.
    pub wanted: Option<[u32; 2]>,
}

/// `uv × scale + offset` of each coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    pub offset: Vec2,
    pub scale: Vec2,
}

impl UvTransform {
    pub const IDENTITY: Self = Self { offset: Vec2::ZERO, scale: Vec2::ONE };

    /// That of the picture of a tile.
    pub fn of_tile(tile: &Tile) -> Self {
        Self { offset: -tile.origin / tile.size, scale: Vec2::ONE / tile.size }
    }
}

/// All texture coordinates at three places of the set that the picture is over: (0, 0), (1, 0) and (0, 1).
pub type Corners = [[[f32; 3]; 8]; 3];

impl Tile {
    /// The tile of what is read with coordinates that follow from `sets`, for meshes that use coordinates within `bounds`; no
    /// side has more than `most` texels.
    pub fn of(evaluator: &Evaluator, corners: &Corners, sets: &[usize], bounds: [Vec2; 2], most: u32) -> Self {
        let sizes = evaluator.sizes();
        let mut axes = [Axis::default(); 2];
        for read in &evaluator.reads {
            let CoordSource::Uv(set) = read.source else { continue };
            let Some(coord) = read.coord.map(usize::from).filter(|coord| *coord < 8 && sets.contains(&set)) else {
                continue;
            };
            let Some(texture) = evaluator.map(read.map) else { continue };
            let size = sizes[coord].map(|side| side as f32);
            let at = corners.map(|corner| divided(corner[coord]));
            let slopes = [at[1] - at[0], at[2] - at[0]];
            let wraps = [texture.wrap_s, texture.wrap_t];
            let is_straight = slopes.iter().all(|slope| slope.x == 0.0 || slope.y == 0.0);
            for (axis, slope) in axes.iter_mut().zip(slopes) {
                axis.density = axis.density.max(slope.x.abs() * size[0]).max(slope.y.abs() * size[1]);
                if texture.size() == (1, 1) || slope == Vec2::ZERO {
                    continue;
                }
                let (slope, wrap) = if slope.y == 0.0 { (slope.x, wraps[0]) } else { (slope.y, wraps[1]) };
                axis.add(wrap, slope.abs(), is_straight);
            }
        }
        let mut tile =
            Self { origin: Vec2::ZERO, size: Vec2::ONE, texels: [1; 2], wrap: [Wrap::Repeat; 2], wanted: None };
        let mut wanted = [1_u32; 2];
        for index in 0..2 {
            let (low, high) = (bounds[0][index], bounds[1][index]);
            let span = axes[index].span(low, high, most);
            (tile.origin[index], tile.size[index], tile.wrap[index]) = (span.start, span.length, span.wrap);
            wanted[index] = ((span.length * axes[index].density).round() as u32).max(1);
            tile.texels[index] = wanted[index].min(most.max(1));
        }
        tile.wanted = (wanted != tile.texels).then_some(wanted);
        tile
    }
}

/// What is known of one of the two coordinates.
#[derive(Clone, Copy, Debug, Default)]
struct Axis {
    /// Texels of the finest texture per unit.
    density: f32,
    /// After how much everything that is read repeats; `None` before anything is read.
    period: Option<f32>,
    /// Something does not repeat.
    is_endless: bool,
}

struct Span {
    start: f32,
    length: f32,
    wrap: Wrap,
}

impl Axis {
    fn add(&mut self, wrap: Wrap, slope: f32, is_straight: bool) {
        let period = match wrap {
            Wrap::Clamp => None,
            Wrap::Repeat => Some(1.0 / slope),
            Wrap::Mirror => Some(2.0 / slope),
        };
        match period.filter(|period| is_straight && period.is_finite()) {
            None => self.is_endless = true,
            Some(period) => match self.period.map(|known| common(known, period)) {
                None => self.period = Some(period),
                Some(Some(both)) => self.period = Some(both),
                Some(None) => self.is_endless = true,
            },
        }
    }

    fn span(&self, low: f32, high: f32, most: u32) -> Span {
        if self.density == 0.0 {
            return Span { start: 0.0, length: 1.0, wrap: Wrap::Repeat };
        }
        let used = high - low;
        let period = self.period.filter(|_| !self.is_endless);
        if let Some(period) = period.filter(|period| *period <= used.max(1.0) + NEAR) {
            return Span { start: 0.0, length: period, wrap: Wrap::Repeat };
        }
        if low >= -NEAR && high <= 1.0 + NEAR && self.density <= most as f32 {
            return Span { start: 0.0, length: 1.0, wrap: Wrap::Clamp };
        }
        // On whole texels, so that they stay what they are.
        let start = (low * self.density).floor() / self.density;
        let end = (high * self.density).ceil() / self.density;
        let length = end - start;
        if length.is_finite() && length > 0.0 {
            return Span { start, length, wrap: Wrap::Clamp };
        }
        Span { start: low, length: used.max(1.0 / self.density).max(f32::MIN_POSITIVE), wrap: Wrap::Clamp }
    }
}

/// The least common multiple of two periods.
fn common(a: f32, b: f32) -> Option<f32> {
    let long = a.max(b);
    let fits = |both: f32, period: f32| {
        let times = both / period;
        (times - times.round()).abs() <= NEAR * times.max(1.0)
    };
    (1..=MAX_PERIODS).map(|times| long * times as f32).find(|both| fits(*both, a) && fits(*both, b))
}

/// A coordinate as a pixel reads it.
pub fn divided([s, t, q]: [f32; 3]) -> Vec2 {
    Vec2::new(s, t) / if q == 0.0 { 1.0 } else { q }
}

/// A picture that is still to be made.
#[derive(Clone, Debug)]
pub struct Bake {
    pub evaluator: Evaluator,
    /// What the channels hand over.
    pub raster: [[u8; 4]; 2],
    pub corners: Corners,
    pub tile: Tile,
    /// From texture coordinates to the picture.
    pub transform: UvTransform,
    pub alpha: AlphaPlan,
    /// Its texels are not mixed.
    pub nearest: bool,
}

impl Bake {
    /// How the picture is read.
    pub fn sampler(&self) -> SamplerKey {
        SamplerKey::new(self.tile.wrap, self.nearest)
    }

    /// The colour at the middle of every texel, of so many across and down, by the chip's arithmetic; rows are made on all cores.
    pub fn image(&self, name: &str, [width, height]: [u32; 2]) -> Image {
        let Tile { origin, size, .. } = self.tile;
        let mut rgba = vec![0_u8; width as usize * height as usize * 4];
        let count = self.evaluator.material().texgens.len().min(8);
        let [zero, one_u, one_v] = self.corners;
        rgba.par_chunks_exact_mut(width as usize * 4).enumerate().for_each(|(row, texels)| {
            let v = origin.y + (row as f32 + 0.5) / height as f32 * size.y;
            let mut coords = zero;
            for (column, texel) in texels.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let u = origin.x + (column as f32 + 0.5) / width as f32 * size.x;
                for index in 0..count {
                    for part in 0..3 {
                        let start = zero[index][part];
                        let along = one_u[index][part] - start;
                        let across = one_v[index][part] - start;
                        coords[index][part] = start + u * along + v * across;
                    }
                }
                let color = self.evaluator.pixel(&self.evaluator.constants, self.raster, coords);
                *texel = self.alpha.written(color);
            }
        });
        Image { name: name.to_owned(), width, height, rgba: rgba.into(), stored_as: "baked".to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(reads: &[(Wrap, f32)], low: f32, high: f32) -> (f32, f32, Wrap) {
        let mut axis = Axis { density: 64.0, ..Axis::default() };
        reads.iter().for_each(|(wrap, slope)| axis.add(*wrap, *slope, true));
        let Span { start, length, wrap } = axis.span(low, high, 1024);
        (start, length, wrap)
    }

    #[test]
    fn tiles_are_what_repeats() {
        use Wrap::{Clamp, Mirror, Repeat};
        assert_eq!(span(&[(Repeat, 1.0)], 0.0, 1.0), (0.0, 1.0, Repeat));
        assert_eq!(span(&[(Repeat, 1.0)], -3.0, 5.0), (0.0, 1.0, Repeat));
        assert_eq!(span(&[(Repeat, 4.0)], 0.0, 1.0), (0.0, 0.25, Repeat));
        assert_eq!(span(&[(Repeat, 1.0), (Mirror, 1.0)], -3.0, 5.0), (0.0, 2.0, Repeat));
        assert_eq!(span(&[(Repeat, 2.0), (Repeat, 3.0)], -3.0, 5.0), (0.0, 1.0, Repeat));
        // What mirrors is not gone round in 0 to 1; what ends does not repeat.
        assert_eq!(span(&[(Mirror, 1.0)], 0.0, 1.0), (0.0, 1.0, Clamp));
        assert_eq!(span(&[(Clamp, 1.0)], 0.0, 1.0), (0.0, 1.0, Clamp));
        assert_eq!(span(&[(Clamp, 1.0), (Repeat, 1.0)], -0.51, 2.0), (-0.515_625, 2.515_625, Clamp));
        assert_eq!(span(&[], 0.0, 1.0), (0.0, 1.0, Clamp));
    }

    #[test]
    fn nothing_is_no_length() {
        let (_, length, _) = span(&[(Wrap::Clamp, 1.0)], 7.5, 7.5);
        assert!(length > 0.0);
        let (_, length, _) = span(&[(Wrap::Clamp, 1.0)], 1e30, 1e30);
        assert!(length > 0.0);
        assert_eq!(common(1.0, 0.7), Some(7.0));
        assert_eq!(common(1.0, 0.618_034), None);
    }
}
