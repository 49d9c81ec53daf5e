//! A computed texture under way.

use super::{
    COMPUTED_SEED, Procedural, Program,
    fire::Burning,
    glass::{Sliding, stand_in, usable},
    water::{Moving, each_row_of_slopes, pixels_a_level, steps_a_level},
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
mod tests {
    use super::super::*;

    fn ramp() -> Arc<Palette> {
        Arc::new(Palette { name: String::new(), colors: (0..=255).map(|i| [i, i, i, 7]).collect() })
    }

    fn procedural(program: Program, width: u32, height: u32) -> Arc<Procedural> {
        Arc::new(Procedural {
            name: "test".into(),
            width,
            height,
            palette: ramp(),
            masked: false,
            program,
            prime_frames: 5,
            rate_hz: USUAL_RATE_HZ,
            facts: Vec::new(),
        })
    }

    fn all_sparks() -> Program {
        let sparks = SparkKind::ALL.iter().zip(0..).map(|(kind, i)| Spark {
            kind: *kind,
            heat: 200,
            x: i * 8,
            y: 100,
            a: 20,
            b: 140,
            c: 40,
            d: 60,
        });
        Program::Fire(Fire { sparks: sparks.collect(), render_heat: 220, rising: true, most_sparks: 500 })
    }

    fn all_drops() -> Water {
        let drops = DropKind::ALL.iter().zip(0..).map(|(kind, i)| WaterDrop {
            kind: *kind,
            depth: 220,
            x: i * 3,
            y: 20,
            a: 9,
            b: 30,
            c: 0,
            d: 10,
        });
        Water { drops: drops.collect(), wave_amplitude: 128 }
    }

    fn programs() -> Vec<Program> {
        let light = WaterLight { light: 50, view: 170, range: 180, size: 32 };
        let glass = Glass {
            source: None,
            glass: None,
            speed: [160, 170],
            frequency: 20,
            amplitude: 40,
            panning: Panning::Gestation,
            timed_hz: None,
            glass_moves: true,
        };
        vec![
            all_sparks(),
            Program::Waves { water: all_drops(), light },
            Program::Wet { water: all_drops(), source: None },
            Program::Glass(glass),
        ]
    }

    #[test]
    fn equal_seeds_and_frames_give_equal_pixels_also_after_a_seek() {
        for program in programs() {
            let what = procedural(program, 128, 64);
            let mut first = Simulation::new(what.clone(), 3).unwrap();
            let mut second = Simulation::new(what.clone(), 3).unwrap();
            let begin = first.image();
            for _ in 0..60 {
                first.step();
            }
            second.seek(90);
            assert_ne!(*first.image().rgba, *second.image().rgba, "{}: it moves", what.program.name());
            second.seek(60);
            assert_eq!((first.frame(), second.frame()), (60, 60));
            assert_eq!(*first.image().rgba, *second.image().rgba, "{}", what.program.name());
            first.reset();
            assert_eq!(*first.image().rgba, *begin.rgba);
            let other = Simulation::new(what.clone(), 4).unwrap();
            let same = *other.image().rgba == *begin.rgba;
            assert_eq!(same, matches!(what.program, Program::Glass(_)), "{}: another seed", what.program.name());
        }
    }

    #[test]
    fn pixels_are_the_same_on_every_machine() {
        // Sums over the pixels of frame 100; they change only when a law does.
        let sums = programs().into_iter().map(|program| {
            let mut simulation = Simulation::new(procedural(program, 64, 64), 1).unwrap();
            simulation.seek(100);
            simulation.image().rgba.iter().fold(0_u64, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
        });
        let sums: Vec<String> = sums.map(|s| format!("{s:016x}")).collect();
        assert_eq!(sums, ["41bad652a70c2813", "eec1037ad7f4da8e", "0fee6a1ece6086da", "74bb8db870bdac7a"]);
    }

    #[test]
    fn palette_index_0_is_clear_and_all_else_opaque() {
        let mut simulation = Simulation::new(procedural(all_sparks(), 256, 256), 1).unwrap();
        simulation.seek(30);
        let image = simulation.image();
        assert!(image.rgba.chunks_exact(4).all(|p| p[0] == p[1] && (p[3] == 0) == (p[0] == 0)));
        assert!(image.rgba.chunks_exact(4).any(|p| p[3] == 0) && image.rgba.chunks_exact(4).any(|p| p[3] == 255));
        // A palette with nothing in it: black.
        let mut what = (*procedural(all_sparks(), 16, 16)).clone();
        what.palette = Arc::default();
        let image = Simulation::new(Arc::new(what), 1).unwrap().image();
        assert!(image.rgba.chunks_exact(4).all(|p| p[..3] == [0, 0, 0]));
    }

    #[test]
    fn a_still_wet_picture_is_its_source() {
        let source: Vec<u8> = (0..64 * 64 * 4).map(|i| (i * 7 % 251) as u8).collect();
        let source =
            Image { name: String::new(), width: 64, height: 64, rgba: source.into(), stored_as: String::new() };
        let water = Water { drops: Arc::new([]), wave_amplitude: 128 };
        let mut simulation =
            Simulation::new(procedural(Program::Wet { water, source: Some(Arc::new(source.clone())) }, 64, 64), 1)
                .unwrap();
        simulation.seek(10);
        assert_eq!(*simulation.image().rgba, *source.rgba);
        // With waves its rows are bent sideways only: a picture whose rows are even stays as it is.
        let rows: Vec<u8> = (0..64_u8).flat_map(|y| [y; 64 * 4]).collect();
        let rows = Arc::new(Image { rgba: rows.into(), ..source });
        let what = procedural(Program::Wet { water: all_drops(), source: Some(rows.clone()) }, 64, 64);
        let mut simulation = Simulation::new(what, 1).unwrap();
        simulation.seek(50);
        assert_eq!(*simulation.image().rgba, *rows.rgba);
    }

    #[test]
    fn sizes_are_limited_and_odd_ones_hold() {
        for (width, height) in [(0, 8), (8, 0), (1025, 8), (8, u32::MAX)] {
            let error = Simulation::new(procedural(all_sparks(), width, height), 1).unwrap_err();
            assert_eq!(error, BadSize { width, height });
        }
        for (width, height) in [(1, 1), (1, 64), (64, 1), (3, 5), (17, 130), (1024, 2)] {
            for program in programs() {
                let mut simulation = Simulation::new(procedural(program, width, height), 1).unwrap();
                simulation.seek(3);
                assert_eq!(simulation.image().rgba.len(), (width * height * 4) as usize);
            }
        }
    }

    #[test]
    fn pictures_and_planes_that_are_not_whole_are_stood_in_for() {
        let broken =
            Image { name: String::new(), width: 64, height: 64, rgba: Arc::new([1, 2, 3]), stored_as: String::new() };
        let broken = Some(Arc::new(broken));
        let plane = Plane { width: 4, height: 4, bytes: Arc::new([1]) };
        let mut programs = programs();
        if let Some(Program::Glass(glass)) = programs.last_mut() {
            (glass.source, glass.glass) = (broken.clone(), Some(Arc::new(plane)));
        }
        programs.push(Program::Wet { water: all_drops(), source: broken });
        for program in programs {
            let mut simulation = Simulation::new(procedural(program, 32, 32), 1).unwrap();
            simulation.seek(2);
            assert_eq!(simulation.image().rgba.len(), 32 * 32 * 4);
        }
    }

    #[test]
    fn in_a_level_a_texture_is_seen_once_it_has_caught() {
        for program in programs() {
            let what = procedural(program, 64, 32);
            assert_eq!((what.primed_frames(), what.first_frame()), (5, 48));
            let mut seen = Simulation::in_level(what.clone()).unwrap();
            let mut by_hand = Simulation::new(what.clone(), COMPUTED_SEED).unwrap();
            by_hand.seek(48 - 5);
            assert_eq!((seen.frame(), seen.seed()), (0, COMPUTED_SEED));
            assert_eq!(seen.seen_image().rgba, by_hand.seen_image().rgba, "{}", what.program.name());
            let first = seen.image().rgba;
            seen.step();
            seen.reset();
            assert_eq!(seen.image().rgba, first);
        }
    }

    #[test]
    fn a_large_texture_runs_for_fewer_frames_before_it_is_seen() {
        let large = procedural(all_sparks(), MAX_PIXELS, MAX_PIXELS);
        assert_eq!(large.first_frame(), 31);
        assert_eq!(procedural(all_sparks(), 0, 16).first_frame(), 0);
    }
}
