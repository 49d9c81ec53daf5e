//! How far colours are from others.

/// Mean and greatest distance, of 255.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    pub mean: f32,
    pub most: f32,
}

impl Difference {
    /// Of pairs of colours, by their first `channels`.
    pub fn of(pairs: impl Iterator<Item = ([f32; 4], [f32; 4])>, channels: std::ops::Range<usize>) -> Self {
        let (mut sum, mut count, mut most) = (0.0, 0.0_f32, 0.0_f32);
        for (a, b) in pairs {
            let away = a.iter().zip(b).map(|(a, b)| (a - b).abs());
            let away = away.skip(channels.start).take(channels.len()).fold(0.0, f32::max);
            sum += away;
            count += 1.0;
            most = most.max(away);
        }
        Self { mean: sum / count.max(1.0), most }
    }

    /// Nobody would see it.
    pub fn is_unseen(self) -> bool {
        self.mean <= 1.5 && self.most <= 6.0
    }
}
