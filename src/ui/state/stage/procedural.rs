//! A computed texture that runs.

use crate::scene::procedural::{BadSize, COMPUTED_SEED, Procedural, Simulation};
use std::{collections::VecDeque, sync::Arc};

/// Frames from one that is kept to the next, to go back to.
const APART: u64 = 64;

/// Frames that are kept at most, and the bytes that they may take.
const MAX_KEPT: u64 = 32;

const MAX_KEPT_BYTES: u64 = 32 << 20;

/// What a frame takes for each of its pixels, about.
const BYTES_A_PIXEL: u64 = 4;

/// Frames that one frame of the window catches up at most: what is slower runs slower.
const MAX_AT_ONCE: u64 = 16;

/// Times the rate that the texture asks for.
pub const SPEEDS: [f32; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0];

/// A speed within the range that pictures have.
pub(crate) fn held_speed(speed: f32) -> f32 {
    if speed.is_finite() { speed.clamp(SPEEDS[0], SPEEDS[SPEEDS.len() - 1]) } else { 1.0 }
}

/// A simulation with a way back.
#[derive(Clone, Debug)]
pub struct Running {
    simulation: Simulation,
    /// Some of the frames before, in order.
    kept: VecDeque<Simulation>,
    most_kept: usize,
    /// Times the rate that the texture asks for.
    speed: f32,
    furthest: u64,
}

impl Running {
    /// # Errors
    /// When the texture is of a size that is not computed.
    pub fn new(texture: &Arc<Procedural>) -> Result<Self, BadSize> {
        let simulation = Simulation::new(texture.clone(), COMPUTED_SEED)?;
        let bytes = u64::from(texture.width) * u64::from(texture.height) * BYTES_A_PIXEL;
        let most_kept = (MAX_KEPT_BYTES / bytes.max(1)).clamp(1, MAX_KEPT) as usize;
        Ok(Self { simulation, kept: VecDeque::new(), most_kept, speed: 1.0, furthest: 0 })
    }

    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    pub fn speed(&self) -> f32 {
        self.speed
    }

    pub(crate) fn set_speed(&mut self, speed: f32) {
        self.speed = held_speed(speed);
    }

    /// The last frame that it has been at.
    pub fn furthest(&self) -> u64 {
        self.furthest
    }

    /// Frames a second at the speed that it has.
    pub fn rate_hz(&self) -> f32 {
        self.simulation.what().rate_hz * self.speed
    }

    /// Goes to a frame, or as far towards it as may be done at once; says where it is.
    pub(crate) fn go_to(&mut self, frame: u64) -> u64 {
        let at = self.simulation.frame();
        let back = frame < at;
        match self.kept.iter().rev().find(|kept| kept.frame() <= frame) {
            Some(kept) if back || kept.frame() > at => self.simulation = kept.clone(),
            None if back => self.simulation.reset(),
            _ => {}
        }
        // The way from a frame that was kept may be longer.
        let most = if back { APART } else { MAX_AT_ONCE };
        for _ in 0..most {
            if self.simulation.frame() >= frame {
                break;
            }
            self.simulation.step();
            self.keep();
        }
        self.furthest = self.furthest.max(self.simulation.frame());
        self.simulation.frame()
    }

    fn keep(&mut self) {
        let frame = self.simulation.frame();
        if frame.is_multiple_of(APART) && self.kept.back().is_none_or(|last| last.frame() < frame) {
            if self.kept.len() >= self.most_kept {
                self.kept.pop_front();
            }
            self.kept.push_back(self.simulation.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::procedural::{Fire, Program, Spark};

    fn running() -> Running {
        let spark = Spark::from_bytes([13, 255, 20, 20, 255, 0, 30, 0]).unwrap();
        let fire = Fire { sparks: Arc::new([spark]), render_heat: 220, rising: true, most_sparks: 100 };
        let texture = Procedural {
            name: "fire".into(),
            width: 32,
            height: 32,
            palette: Arc::default(),
            masked: false,
            program: Program::Fire(fire),
            prime_frames: 0,
            rate_hz: 30.0,
            facts: Vec::new(),
        };
        Running::new(&Arc::new(texture)).unwrap()
    }

    #[test]
    fn going_back_gives_the_frames_that_were() {
        let mut there = running();
        let mut frames = Vec::new();
        for frame in 0..=400_u64 {
            there.go_to(frame);
            frames.push(there.simulation().clone());
        }
        for frame in [399, 320, 319, 65, 64, 1, 0, 130] {
            assert_eq!(there.go_to(frame), frame);
            let mut before = frames[frame as usize].clone();
            let mut now = there.simulation().clone();
            for _ in 0..3 {
                before.step();
                now.step();
                assert_eq!(before.image().rgba, now.image().rgba, "frame {frame}");
            }
        }
    }

    #[test]
    fn frames_far_ahead_are_not_run_to_at_once_and_few_are_kept() {
        let mut running = running();
        assert_eq!(running.go_to(u64::MAX), MAX_AT_ONCE);
        for _ in 0..1_000 {
            let next = running.simulation().frame() + 5;
            running.go_to(next);
        }
        assert!(running.kept.len() <= MAX_KEPT as usize, "{}", running.kept.len());
    }

    #[test]
    fn speeds_keep_to_their_range() {
        let mut running = running();
        for (asked, got) in [(2.0, 2.0), (99.0, 4.0), (0.0, 0.1), (f32::NAN, 1.0)] {
            running.set_speed(asked);
            assert_eq!((running.speed(), running.rate_hz()), (got, 30.0 * got));
        }
    }
}
