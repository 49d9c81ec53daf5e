//! Numbers in text for people.

use std::fmt::Display;

/// Formats a whole number in groups of three digits: `1,234,567`.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (remaining, digit) in (0..digits.len()).rev().zip(digits.chars()) {
        text.push(digit);
        if digit.is_ascii_digit() && remaining > 0 && remaining.is_multiple_of(3) {
            text.push(',');
        }
    }
    text
}

/// Formats a count with its noun, which becomes a plural unless the count is 1: `1 bone`, `2,000 bones`, `3 entries`, `4 vertices`.
pub fn counted(count: impl Display, noun: &str) -> String {
    let number = grouped(count);
    let (stem, ending) = match noun {
        _ if number == "1" => (noun, ""),
        "vertex" => ("vertices", ""),
        "index" => ("indices", ""),
        _ => match noun.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => (stem, "ies"),
            _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") => (noun, "es"),
            _ => (noun, "s"),
        },
    };
    format!("{number} {stem}{ending}")
}

/// Formats a number with one decimal below 1,000, and as a whole number above.
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
        assert_eq!([-1_000, -123].map(grouped), ["-1,000", "-123"]);
    }

    #[test]
    fn nouns_agree_with_their_counts() {
        assert_eq!([0, 1, 2_000].map(|count| counted(count, "bone")), ["0 bones", "1 bone", "2,000 bones"]);
        let nouns = ["entry", "key", "vertex", "index", "box", "class", "mesh", "patch"];
        assert_eq!(
            nouns.map(|noun| counted(2, noun)[2..].to_owned()),
            ["entries", "keys", "vertices", "indices", "boxes", "classes", "meshes", "patches"]
        );
    }
}
