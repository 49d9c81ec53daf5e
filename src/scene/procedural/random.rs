//! Numbers that only look random.

/// A row of numbers that depends on nothing but its seed (SplitMix64).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 32) as u32
    }

    /// At least 0 and below 1.
    pub(super) fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 / 16_777_216.0
    }

    /// At least −1 and below 1.
    pub(super) fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    /// True this share of the times: 0 never, 1 always.
    pub(super) fn chance(&mut self, share: f32) -> bool {
        self.unit() < share
    }

    /// −1, 0 or 1.
    pub(super) fn nudge(&mut self) -> f32 {
        (self.unit() * 3.0).floor() - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_ranges_and_spread() {
        let mut random = Random::new(7);
        let mut sum = 0.0;
        let mut nudges = [0_u32; 3];
        for _ in 0..10_000 {
            let (unit, signed) = (random.unit(), random.signed());
            assert!((0.0..1.0).contains(&unit) && (-1.0..1.0).contains(&signed));
            sum += unit;
            nudges[(random.nudge() + 1.0) as usize] += 1;
        }
        assert!((4_800.0..5_200.0).contains(&sum), "{sum}");
        assert!(nudges.iter().all(|n| (3_100..3_600).contains(n)), "{nudges:?}");
        assert!(!random.chance(0.0) && random.chance(1.0));
    }
}
