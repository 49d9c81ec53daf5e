//! A computed texture under way.

use super::{
    COMPUTED_SEED, Procedural, Program,
    fire::Burning,
    glass::{Sliding, stand_in, usable},
    water::Moving,
    water_light::{each_row_of_slopes, pixels_a_level, steps_a_level},
};
use crate::scene::Image;
use std::sync::Arc;

/// Pixels that a computed texture has each way at most.
pub const MAX_PIXELS: u32 = 1024;
/// A texture of a size that is not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot compute a texture of {width} × {height} pixels: the limit is {MAX_PIXELS} pixels per side")]
pub struct BadSize {
    /// Width of the texture, in pixels.
    pub width: u32,
    /// Height of the texture, in pixels.
    pub height: u32,
}

/// A computed texture, frame by frame: equal seeds and frames give equal pixels, on every machine.
#[derive(Clone, Debug)]
pub struct Simulation {
    what: Arc<Procedural>,
    seed: u64,
    /// Frames that run before the first one.
    primed: u64,
    frame: u64,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Fire(Box<Burning>),
    /// Water and the palette index of each slope.
    Waves(Box<Moving>, Vec<u8>),
    /// Water and what lies under it.
    Wet(Box<Moving>, Arc<Image>),
    Glass(Box<Sliding>),
}

impl Simulation {
    /// Its first frame, after the frames that the texture wants to have run before it is seen.
    ///
    /// # Errors
    /// When the texture is larger than [`MAX_PIXELS`] or has no pixels.
    pub fn new(what: Arc<Procedural>, seed: u64) -> Result<Self, BadSize> {
        let primed = what.primed_frames();
        Self::after(primed, what, seed)
    }

    /// Its first frame in a level: [`Procedural::first_frame`], which the level's stills are of too.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn in_level(what: Arc<Procedural>) -> Result<Self, BadSize> {
        let primed = what.first_frame();
        Self::after(primed, what, COMPUTED_SEED)
    }

    fn after(primed: u64, what: Arc<Procedural>, seed: u64) -> Result<Self, BadSize> {
        let (width, height) = (what.width, what.height);
        if !(1..=MAX_PIXELS).contains(&width) || !(1..=MAX_PIXELS).contains(&height) {
            return Err(BadSize { width, height });
        }
        let state = begin(&what, seed);
        let mut simulation = Self { what, seed, primed, frame: 0, state };
        simulation.prime();
        Ok(simulation)
    }

    /// The texture that is computed.
    pub fn what(&self) -> &Arc<Procedural> {
        &self.what
    }

    /// Steps since the first frame.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Seed of the random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Motes of a fire under way; 0 for all else.
    pub fn motes(&self) -> usize {
        match &self.state {
            State::Fire(fire) => fire.motes(),
            _ => 0,
        }
    }

    /// Back to the first frame.
    pub fn reset(&mut self) {
        self.state = begin(&self.what, self.seed);
        self.frame = 0;
        self.prime();
    }

    /// One frame on.
    pub fn step(&mut self) {
        self.advance();
        self.frame = self.frame.saturating_add(1);
    }

    /// Steps until this frame, from the first one if it lies behind.
    pub fn seek(&mut self, frame: u64) {
        if frame < self.frame {
            self.reset();
        }
        while self.frame < frame {
            self.step();
        }
    }

    /// The frame as a picture. Palette index 0 has alpha 0, as in all pictures with a palette.
    pub fn image(&self) -> Image {
        let mut rgba = Vec::new();
        self.draw(&mut rgba);
        self.image_of(&rgba)
    }

    /// The frame as it is meant to be seen: opaque unless the texture is masked.
    pub fn seen_image(&self) -> Image {
        let mut rgba = Vec::new();
        self.draw(&mut rgba);
        if !self.what.masked {
            rgba.iter_mut().for_each(|[.., alpha]| *alpha = u8::MAX);
        }
        self.image_of(&rgba)
    }

    fn image_of(&self, rgba: &[[u8; 4]]) -> Image {
        Image {
            name: self.what.name.clone(),
            width: self.what.width,
            height: self.what.height,
            rgba: rgba.as_flattened().into(),
            stored_as: self.what.program.name().into(),
        }
    }

    /// The frame's pixels, row by row from the top; the buffer is made to fit.
    pub fn draw(&self, out: &mut Vec<[u8; 4]>) {
        let (width, height) = (self.what.width as usize, self.what.height as usize);
        out.resize(width.saturating_mul(height), [0; 4]);
        let colors = self.colors();
        let color = |index: u8| colors.get(usize::from(index)).copied().unwrap_or_default();
        match &self.state {
            State::Fire(fire) => {
                for (out, index) in out.iter_mut().zip(fire.picture()) {
                    *out = color(*index);
                }
            }
            State::Waves(water, light) => {
                let lit: Vec<[u8; 4]> = light.iter().map(|i| color(*i)).collect();
                let factor = steps_a_level(self.wave_amplitude());
                each_row_of_slopes(water, height, |y, slopes| {
                    let Some(row) = out.chunks_exact_mut(width).nth(y) else { return };
                    for (out, slope) in row.iter_mut().zip(slopes) {
                        let step = (slope * factor + 128.0) as u8;
                        *out = lit.get(usize::from(step)).copied().unwrap_or_default();
                    }
                });
            }
            State::Wet(water, source) => {
                let factor = pixels_a_level(self.wave_amplitude());
                let (pixels, _) = source.rgba.as_chunks::<4>();
                let across = source.width.max(1) as usize;
                let around = source.width as f32;
                let mut rows = pixels.chunks_exact(across).cycle();
                each_row_of_slopes(water, height, |y, slopes| {
                    let (Some(row), Some(under)) = (out.chunks_exact_mut(width).nth(y), rows.next()) else { return };
                    for ((x, out), slope) in row.iter_mut().enumerate().zip(slopes) {
                        let seen = (x as f32 + (slope * factor).round()).rem_euclid(around) as usize;
                        *out = under.get(seen).copied().unwrap_or_default();
                    }
                });
            }
            State::Glass(sliding) => sliding.draw(width, out),
        }
    }

    /// What each palette index looks like.
    fn colors(&self) -> Vec<[u8; 4]> {
        let palette = &self.what.palette.colors;
        let mut colors: Vec<[u8; 4]> = palette.iter().take(256).map(|[r, g, b, _]| [*r, *g, *b, 255]).collect();
        colors.resize(256, [0, 0, 0, 255]);
        if let Some([.., alpha]) = colors.first_mut() {
            *alpha = 0;
        }
        colors
    }

    fn wave_amplitude(&self) -> u8 {
        match &self.what.program {
            Program::Waves { water, .. } | Program::Wet { water, .. } => water.wave_amplitude,
            _ => 0,
        }
    }

    fn prime(&mut self) {
        for _ in 0..self.primed {
            self.advance();
        }
    }

    fn advance(&mut self) {
        match &mut self.state {
            State::Fire(fire) => fire.step(),
            State::Waves(water, _) | State::Wet(water, _) => water.step(),
            State::Glass(sliding) => sliding.step(),
        }
    }
}

fn begin(what: &Procedural, seed: u64) -> State {
    let (width, height) = (what.width as usize, what.height as usize);
    match &what.program {
        Program::Fire(fire) => State::Fire(Box::new(Burning::new(fire, width, height, seed))),
        Program::Waves { water, light } => {
            State::Waves(Box::new(Moving::new(water, width, height, seed)), light.indices())
        }
        Program::Wet { water, source } => {
            let source = usable(source.as_ref()).unwrap_or_else(|| Arc::new(stand_in(what.width, what.height)));
            State::Wet(Box::new(Moving::new(water, width, height, seed)), source)
        }
        Program::Glass(glass) => State::Glass(Box::new(Sliding::new(glass, what.width, what.height, what.rate_hz))),
    }
}

#[cfg(test)]
#[path = "simulation_tests.rs"]
mod tests;
