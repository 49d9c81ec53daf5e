//! Numbers as text: a point before the fraction, no exponent, no more digits than it takes to read the same number again.

/// The number that a person would write for a single-precision one: 0.1 is 0.1 and not 0.10000000149.
pub fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// A sum of metres without the dust of double precision: micrometres are the last to count.
pub fn metres(sum: f64) -> f64 {
    let rounded = (sum * 1e6).round() / 1e6;
    // Numbers too large for that have no such dust; a zero has no sign.
    if rounded.is_finite() { rounded + 0.0 } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_a_person_writes_them() {
        assert_eq!(decimal(0.1).to_string(), "0.1");
        assert_eq!(metres(decimal(0.1) * 3.0).to_string(), "0.3");
        assert_eq!(metres(-0.0).to_string(), "0");
        assert_eq!(metres(200_000.0 + decimal(6.25)).to_string(), "200006.25");
        assert!(!f32::MAX.to_string().contains(['e', 'E', ',']) && !1e-40_f32.to_string().contains('e'));
        assert_eq!(metres(f64::from(f32::MAX)), f64::from(f32::MAX));
    }
}
