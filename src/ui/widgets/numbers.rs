//! Numbers as people write them.

use std::fmt::Display;

/// A whole number in groups of three digits: `1,234,567`.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `3 bones`, `1 bone`.
pub fn counted(count: usize, one: &str) -> String {
    format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A number with one decimal under a thousand, and whole above.
pub fn decimal(value: f32) -> String {
    let sign = if value < -0.05 { "−" } else { "" };
    let value = value.abs();
    if value < 1000.0 { format!("{sign}{value:.1}") } else { format!("{sign}{}", grouped(value.round() as usize)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_in_threes() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((counted(1, "bone"), counted(2_000, "bone")), ("1 bone".into(), "2,000 bones".into()));
    }
}
