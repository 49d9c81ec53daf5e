//! Times and places in music as text.

use crate::scene::MusicPosition;

/// Steps between two marks, in seconds.
pub const SECONDS_BETWEEN_MARKS: [f64; 17] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0];

/// `1:02`, with thousandths `1:02.345`.
pub fn clock(seconds: f64, thousandths: bool) -> String {
    let millis = (seconds.max(0.0) * 1000.0).round() as u64;
    let (minutes, rest) = (millis / 60_000, millis % 60_000);
    if thousandths {
        format!("{minutes}:{:02}.{:03}", rest / 1000, rest % 1000)
    } else {
        format!("{minutes}:{:02}", rest / 1000)
    }
}

/// `order 3, pattern 7, row 12`.
pub fn place_text(at: &MusicPosition) -> String {
    let song = if at.song > 0 { format!("song {}, ", at.song + 1) } else { String::new() };
    format!("{song}order {}, pattern {}, row {}", at.order, at.pattern, at.row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_on_a_player() {
        assert_eq!(clock(62.345, true), "1:02.345");
        assert_eq!(clock(59.9996, true), "1:00.000");
        assert_eq!(clock(-1.0, false), "0:00");
    }
}
