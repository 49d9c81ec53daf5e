//! How long each picture is shown.

/// Size, number and time of the pictures of a moving picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Pictures.
    pub count: u32,
    /// Seconds that all of them together are shown.
    pub length_secs: f64,
}

impl Timing {
    /// How long each picture is shown, in whole units. What is rounded away of one is given to the next: together they are as long
    /// as the whole, rounded.
    pub fn delays(&self, units_a_second: u32) -> impl Iterator<Item = u32> + use<> {
        let (length, count) = (self.length_secs * f64::from(units_a_second), self.count);
        let until = move |number: u32| (length * f64::from(number) / f64::from(count.max(1))).round() as u64;
        (0..count).map(move |number| until(number + 1).saturating_sub(until(number)) as u32)
    }

    /// Seconds of one picture.
    pub fn picture_secs(&self) -> f64 {
        self.length_secs / f64::from(self.count.max(1))
    }

    /// Pictures a second as a fraction, in millionths of a second.
    pub fn rate(&self) -> (u64, u64) {
        const MICROS: u64 = 1_000_000;
        let length = ((self.length_secs * MICROS as f64).round() as u64).max(1);
        let pictures = u64::from(self.count) * MICROS;
        let divisor = greatest_common_divisor(pictures, length);
        (pictures / divisor, length / divisor)
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(count: u32, length_secs: f64) -> Timing {
        Timing { width: 1, height: 1, count, length_secs }
    }

    #[test]
    fn delays_are_together_as_long_as_the_whole() {
        let delays: Vec<u32> = timing(3, 0.1).delays(100).collect();
        assert_eq!(delays, [3, 4, 3]);
        for (count, length) in [(24, 0.8), (7, 1.0), (1, 2.345), (97, 13.37), (100_000, 5_000.0)] {
            let sum: u32 = timing(count, length).delays(100).sum();
            assert_eq!(f64::from(sum), (length * 100.0).round(), "{count} {length}");
            let most = timing(count, length).delays(100).max().unwrap();
            let least = timing(count, length).delays(100).min().unwrap();
            assert!(most - least <= 1, "{count} {length}");
        }
    }

    #[test]
    fn long_ones_count_on() {
        let longest = Timing { width: 1, height: 1, count: 100_000, length_secs: 6e6 };
        assert!(longest.delays(1_000).all(|delay| delay == 60_000));
    }

    #[test]
    fn rates_are_fractions() {
        assert_eq!(timing(24, 0.8).rate(), (30, 1));
        assert_eq!(timing(1, 1.0).rate(), (1, 1));
        let (pictures, secs) = timing(7, 0.3333).rate();
        assert!((pictures as f64 / secs as f64 - 7.0 / 0.3333).abs() < 1e-9);
    }
}
