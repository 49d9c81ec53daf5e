use crate::kit::Noise;

/// What these tests want of chance besides what [`Noise`] gives.
pub trait Chance {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T;

    fn between(&mut self, low: f32, high: f32) -> f32;
}

impl Chance for Noise {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.next() as f32 / u64::MAX as f32)
    }
}
