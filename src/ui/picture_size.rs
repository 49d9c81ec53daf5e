//! How large pictures of the stage are.

/// Pixels of a side.
pub const SIDES: std::ops::RangeInclusive<u32> = 16..=8_192;
/// Pixels of a picture: 7680 × 4320.
pub const MAX_PIXELS: u64 = 7_680 * 4_320;
/// Sizes that are offered.
pub const OFFERED: [[u32; 2]; 2] = [[1_920, 1_080], [3_840, 2_160]];

/// Why a picture cannot be so large; nothing when it can.
pub fn refusal([width, height]: [u32; 2]) -> Option<String> {
    if !SIDES.contains(&width) || !SIDES.contains(&height) {
        return Some(format!(
            "image size {width} × {height} is not supported: width and height must be {} to {} pixels",
            SIDES.start(),
            SIDES.end()
        ));
    }
    let is_large = u64::from(width) * u64::from(height) > MAX_PIXELS;
    is_large.then(|| format!("image size {width} × {height} is not supported: the maximum area is 7680 × 4320 pixels"))
}

/// Reads `1920x1080`, `1920 × 1080`, `1920 1080`.
pub fn parse(text: &str) -> Option<[u32; 2]> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let size = [numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?];
    numbers.next().is_none().then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_sizes_are_read_and_those_that_cannot_be_are_refused() {
        for text in ["1920x1080", " 1920 × 1080 ", "1920 1080", "1920,1080"] {
            assert_eq!(parse(text), Some([1_920, 1_080]), "{text}");
        }
        for text in ["", "1920", "x", "1920x", "1 2 3", "99999999999x1"] {
            assert_eq!(parse(text), None, "{text}");
        }
        for size in [[0, 0], [0, 100], [100_000, 100_000], [15, 16], [8_193, 16], [8_192, 8_192]] {
            assert!(refusal(size).is_some(), "{size:?}");
        }
        for size in OFFERED.into_iter().chain([[16, 16], [8_192, 4_050], [7_680, 4_320]]) {
            assert_eq!(refusal(size), None);
        }
    }
}
