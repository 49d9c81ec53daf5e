//! Random numbers and sines from tables: the same bits on every machine, which a mathematical library does not promise.

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

/// Sine of the first quarter turn in 64 parts; digits that f32 cannot hold do no harm.
#[rustfmt::skip]
#[allow(clippy::excessive_precision)]
const QUARTER: [f32; 65] = [
    0.0, 0.024541229, 0.0490676743, 0.073564564, 0.09801714, 0.12241068, 0.14673047, 0.17096189,
    0.19509032, 0.21910124, 0.24298018, 0.26671276, 0.290284677, 0.31368174, 0.33688985, 0.35989504,
    0.38268343, 0.4052413, 0.42755509, 0.44961133, 0.47139674, 0.4928982, 0.51410274, 0.53499762,
    0.55557023, 0.57580819, 0.5956993, 0.6152316, 0.6343933, 0.65317284, 0.671559, 0.68954054,
    std::f32::consts::FRAC_1_SQRT_2, 0.7242471, 0.7409511, 0.7572088, 0.77301045, 0.7883464, 0.8032075, 0.8175848,
    0.8314696, 0.8448536, 0.8577286, 0.87008699, 0.8819213, 0.8932243, 0.9039893, 0.9142098,
    0.9238795, 0.9329928, 0.94154407, 0.94952818, 0.95694034, 0.96377607, 0.97003125, 0.9757021,
    0.98078528, 0.98527764, 0.9891765, 0.992479535, 0.9951847, 0.99729046, 0.99879546, 0.9996988,
    1.0,
];

/// Sine of an angle in whole turns; −1 to 1.
pub(super) fn sine(turns: f32) -> f32 {
    let part = (turns - turns.floor()) * 256.0;
    let (quarter, sign) = match part {
        p if p < 64.0 => (p, 1.0),
        p if p < 128.0 => (128.0 - p, 1.0),
        p if p < 192.0 => (p - 128.0, -1.0),
        p => (256.0 - p, -1.0),
    };
    let whole = quarter.floor();
    let at = |i: f32| QUARTER.get(i as usize).copied().unwrap_or(1.0);
    let (low, high) = (at(whole), at(whole + 1.0));
    sign * (low + (high - low) * (quarter - whole))
}

/// Cosine of an angle in whole turns; −1 to 1.
pub(super) fn cosine(turns: f32) -> f32 {
    sine(turns + 0.25)
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

    #[test]
    fn the_table_is_a_sine() {
        for i in -300..300 {
            let turns = i as f32 / 100.0;
            let exact = (f64::from(turns) * std::f64::consts::TAU).sin();
            assert!((f64::from(sine(turns)) - exact).abs() < 2e-4, "{turns}: {} {exact}", sine(turns));
        }
        assert_eq!((sine(0.0), sine(0.25), sine(0.5), sine(0.75)), (0.0, 1.0, 0.0, -1.0));
        assert_eq!((cosine(0.0), cosine(0.5)), (1.0, -1.0));
    }
}
