//! Sines from a table: the same bits on every machine, which a mathematical library does not promise.

/// Sine of the first quarter turn in 64 parts.
#[rustfmt::skip]
const QUARTER: [f32; 65] = [
    0.0000000, 0.0245412, 0.0490677, 0.0735646, 0.0980171, 0.1224107, 0.1467305, 0.1709619,
    0.1950903, 0.2191012, 0.2429802, 0.2667128, 0.2902847, 0.3136817, 0.3368899, 0.3598950,
    0.3826834, 0.4052413, 0.4275551, 0.4496113, 0.4713967, 0.4928982, 0.5141027, 0.5349976,
    0.5555702, 0.5758082, 0.5956993, 0.6152316, 0.6343933, 0.6531728, 0.6715590, 0.6895405,
    0.7071068, 0.7242471, 0.7409511, 0.7572088, 0.7730105, 0.7883464, 0.8032075, 0.8175848,
    0.8314696, 0.8448536, 0.8577286, 0.8700870, 0.8819213, 0.8932243, 0.9039893, 0.9142098,
    0.9238795, 0.9329928, 0.9415441, 0.9495282, 0.9569403, 0.9637761, 0.9700313, 0.9757021,
    0.9807853, 0.9852776, 0.9891765, 0.9924795, 0.9951847, 0.9972905, 0.9987955, 0.9996988,
    1.0000000,
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
