//! How often each value occurs in the channels of a picture.

use crate::scene::Image;

/// Pixels that are counted at most; of larger pictures every second, third … row is.
const MAX_PIXELS: u64 = 4 << 20;

/// How often each value occurs, by channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    pub counts: [[u32; 256]; 4],
    /// Every so many rows were counted.
    pub step: u32,
}

impl Histogram {
    pub fn of(image: &Image) -> Self {
        let pixels = u64::from(image.width) * u64::from(image.height);
        let step = u32::try_from(pixels.div_ceil(MAX_PIXELS)).unwrap_or(u32::MAX).max(1);
        let mut counts = [[0_u32; 256]; 4];
        let row_bytes = (image.width as usize).saturating_mul(4).max(4);
        for row in image.rgba.chunks_exact(row_bytes).step_by(step as usize) {
            for pixel in row.as_chunks::<4>().0 {
                for (channel, value) in counts.iter_mut().zip(pixel) {
                    let count = &mut channel[usize::from(*value)];
                    *count = count.saturating_add(1);
                }
            }
        }
        Self { counts, step }
    }

    /// The least and the greatest value of a channel; `None` for a picture of nothing.
    pub fn range(&self, channel: usize) -> Option<[u8; 2]> {
        let counts = self.counts.get(channel)?;
        let first = counts.iter().position(|count| *count > 0)?;
        let last = counts.iter().rposition(|count| *count > 0)?;
        Some([first as u8, last as u8])
    }

    /// The least and the greatest value of these channels.
    pub fn range_of(&self, channels: [bool; 4]) -> Option<[u8; 2]> {
        let on = (0..4).filter(|channel| channels[*channel]);
        on.filter_map(|channel| self.range(channel)).reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])
    }
}

/// The histogram that was counted last.
#[derive(Default)]
pub struct HistogramView {
    pub is_open: bool,
    pub counted: Option<(u64, Histogram)>,
}

/// What is drawn of the values: less is black, more is white.
pub type ValueRange = Option<[u8; 2]>;

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, pixel: impl Fn(u32) -> [u8; 4]) -> Image {
        let rgba: Vec<u8> = (0..width * height).flat_map(pixel).collect();
        Image { name: "i".into(), width, height, rgba: rgba.into(), stored_as: String::new() }
    }

    #[test]
    fn values_are_counted_by_channel() {
        let counted = Histogram::of(&image(10, 2, |i| [10, (i % 2) as u8 * 200, i as u8, 255]));
        assert_eq!(counted.counts[0][10], 20);
        assert_eq!((counted.counts[1][0], counted.counts[1][200]), (10, 10));
        assert_eq!([0, 1, 2, 3].map(|c| counted.range(c).unwrap()), [[10, 10], [0, 200], [0, 19], [255, 255]]);
        assert_eq!(counted.range_of([true, false, true, false]), Some([0, 19]));
        assert_eq!((counted.range_of([false; 4]), counted.step), (None, 1));
        assert!(counted.counts.iter().all(|channel| channel.iter().sum::<u32>() == 20));
    }

    #[test]
    fn pictures_of_nothing_and_of_very_much_are_counted_too() {
        let nothing = Histogram::of(&image(0, 0, |_| [0; 4]));
        assert_eq!((nothing.range(0), nothing.range(9)), (None, None));
        // Its pixels are not there.
        let lies = Image { width: 60_000, height: 60_000, ..image(1, 1, |_| [1; 4]) };
        assert_eq!(Histogram::of(&lies).range(0), None);
        let large = Histogram::of(&image(4096, 2048, |_| [7; 4]));
        assert_eq!((large.step, large.range(3)), (2, Some([7, 7])));
    }
}
