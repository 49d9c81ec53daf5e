//! Numbers that look random and are the same in every run.

use glam::{Quat, Vec3};

pub struct Noise(fastrand::Rng);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// From 0 to below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.usize(..end.max(1))
    }

    /// From 0 to below `end`, which is 256 at the most.
    pub fn byte(&mut self, end: usize) -> u8 {
        self.below(end) as u8
    }

    pub fn coin(&mut self) -> bool {
        self.0.bool()
    }

    /// From −1 to 1.
    pub fn unit(&mut self) -> f32 {
        self.below(20_001) as f32 / 10_000.0 - 1.0
    }

    /// From −1000 to 1000 in eighths.
    pub fn number(&mut self) -> f32 {
        (self.below(16_001) as f32 - 8_000.0) / 8.0
    }

    pub fn color(&mut self) -> [u8; 4] {
        std::array::from_fn(|_| self.byte(256))
    }

    pub fn vector(&mut self) -> [f32; 3] {
        std::array::from_fn(|_| self.unit())
    }

    pub fn vec3(&mut self) -> Vec3 {
        self.vector().into()
    }

    /// Of unit length.
    pub fn quaternion(&mut self) -> [f32; 4] {
        Quat::from_xyzw(self.unit(), self.unit(), self.unit(), self.unit() + 1.1).normalize().to_array()
    }
}
