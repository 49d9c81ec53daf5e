//! The lowest and highest samples of a waveform, and its picture.

use crate::scene::{Image, Pcm};
use std::{ops::Range, sync::Arc};

/// Frames of the shortest stretch that is kept.
const SHORTEST: usize = 64;
/// A stretch of a level holds so many of the level below.
const FACTOR: usize = 8;

type Pair = (i16, i16);

/// The extremes of a sound's stretches, finer and coarser, so that any stretch is found from few numbers.
#[derive(Clone, Debug)]
pub struct Peaks {
    pcm: Arc<Pcm>,
    /// For each level the pairs of all stretches, channels interleaved; a stretch of level `n` has `SHORTEST · FACTORⁿ` frames.
    levels: Vec<Vec<Pair>>,
}

impl Peaks {
    /// Computes the extremes of all samples of a sound.
    pub fn new(pcm: Arc<Pcm>) -> Self {
        let channels = usize::from(pcm.channels).max(1);
        let mut level = pairs(&pcm.samples, channels, SHORTEST, |sample| (*sample, *sample));
        let mut levels = Vec::new();
        while level.len() > FACTOR * channels {
            let coarser = pairs(&level, channels, FACTOR, |pair| *pair);
            levels.push(std::mem::replace(&mut level, coarser));
        }
        levels.push(level);
        Self { pcm, levels }
    }

    /// Returns the sound from which the extremes were computed.
    pub fn pcm(&self) -> &Arc<Pcm> {
        &self.pcm
    }

    /// Lowest and highest sample of a channel between two frames; `None` where there are none. Ends of long stretches are
    /// rounded outwards by no more than an eighth of the whole.
    pub fn range(&self, channel: usize, frames: Range<usize>) -> Option<Pair> {
        let channels = usize::from(self.pcm.channels).max(1);
        let frames = frames.start..frames.end.min(self.pcm.frames());
        if channel >= channels || frames.is_empty() {
            return None;
        }
        let mut stretch = SHORTEST;
        let mut best: Option<&[Pair]> = None;
        for level in &self.levels {
            if stretch * FACTOR > frames.len() {
                break;
            }
            best = Some(level);
            stretch *= FACTOR;
        }
        match best {
            Some(level) => {
                let size = stretch / FACTOR;
                let picked = frames.start / size..frames.end.div_ceil(size);
                extremes(picked.filter_map(|at| level.get(at * channels + channel)).copied())
            }
            None => extremes(frames.filter_map(|at| self.pcm.samples.get(at * channels + channel)).map(|s| (*s, *s))),
        }
    }
}

fn extremes(pairs: impl Iterator<Item = Pair>) -> Option<Pair> {
    pairs.reduce(|(low, high), pair| (low.min(pair.0), high.max(pair.1)))
}

/// The extremes of every `count` values of each channel.
fn pairs<T>(values: &[T], channels: usize, count: usize, pair: impl Fn(&T) -> Pair) -> Vec<Pair> {
    let stretches = values.chunks(channels * count);
    stretches
        .flat_map(|stretch| {
            (0..channels)
                .map(|channel| extremes(stretch.iter().skip(channel).step_by(channels).map(&pair)).unwrap_or_default())
        })
        .collect()
}

/// The colour of a waveform.
const WAVE: [u8; 4] = [94, 196, 182, 255];

/// The waveform of a sound's first channel on nothing, `side` pixels wide and high: for each column the range of its samples.
pub fn wave_picture(pcm: Arc<Pcm>, side: u32) -> Image {
    let frames = pcm.frames();
    let (width, peaks) = (side as usize, Peaks::new(pcm));
    let mut rgba = vec![0; width * width * 4];
    for column in 0..width {
        let range = frames * column / width..(frames * (column + 1) / width).max(frames * column / width + 1);
        let Some((low, high)) = peaks.range(0, range) else { continue };
        let row = |sample: i16| {
            let share = 0.5 - f32::from(sample) / 65_536.0;
            ((share * side as f32) as usize).min(width - 1)
        };
        for y in row(high)..=row(low) {
            if let Some(pixel) = rgba.get_mut((y * width + column) * 4..).and_then(|rest| rest.first_chunk_mut()) {
                *pixel = WAVE;
            }
        }
    }
    Image { name: String::new(), width: side, height: side, rgba: rgba.into(), stored_as: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stretch_holds_its_extremes_and_little_more() {
        // A saw on the left, its mirror on the right, and one spike.
        let frames = 100_000_usize;
        let mut samples: Vec<i16> = (0..frames).flat_map(|i| [(i % 1000) as i16, -((i % 1000) as i16)]).collect();
        samples[2 * 54_321] = 20_000;
        let pcm = Arc::new(Pcm { channels: 2, rate_hz: 8_000, samples });
        let peaks = Peaks::new(pcm.clone());
        assert_eq!(peaks.range(0, 0..frames), Some((0, 20_000)));
        assert_eq!(peaks.range(1, 0..frames), Some((-999, 0)));
        assert_eq!(peaks.range(0, 10..20), Some((10, 19)));
        assert_eq!(peaks.range(0, 54_321..54_322), Some((20_000, 20_000)));
        assert_eq!(peaks.range(0, frames..frames + 5), None);
        assert_eq!(peaks.range(2, 0..9), None);
        for (start, len) in [(0, 700), (123, 5_000), (40_000, 30_000), (99_000, 5_000)] {
            let (low, high) = peaks.range(0, start..start + len).unwrap();
            let exact =
                |range: Range<usize>| extremes(range.filter_map(|i| pcm.samples.get(i * 2)).map(|s| (*s, *s))).unwrap();
            let (inner_low, inner_high) = exact(start..start + len);
            let (outer_low, outer_high) = exact(start.saturating_sub(len / 8)..start + len + len / 8);
            assert!(low <= inner_low && high >= inner_high, "{start} {len}");
            assert!(low >= outer_low && high <= outer_high, "{start} {len}");
        }
    }

    #[test]
    fn nothing_has_no_peaks() {
        let peaks = Peaks::new(Arc::new(Pcm { channels: 1, rate_hz: 8_000, samples: Vec::new() }));
        assert_eq!(peaks.range(0, 0..10), None);
    }

    #[test]
    fn a_waveform_is_as_high_as_the_sound_is_loud() {
        let opaque = |samples: Vec<i16>, side: u32| {
            let image = wave_picture(Arc::new(Pcm { channels: 1, rate_hz: 8_000, samples }), side);
            assert_eq!((image.width, image.height), (side, side));
            image.rgba.chunks(4).filter(|pixel| pixel[3] == 255).count()
        };
        for side in [1, 128, 300] {
            assert_eq!(opaque(vec![0; 8_000], side), side as usize);
            assert_eq!(opaque(Vec::new(), side), 0);
            let loud = opaque((0..8_000).map(|i| if i % 2 == 0 { i16::MAX } else { i16::MIN }).collect(), side);
            assert!(loud > (side * side * 9 / 10) as usize, "{side}: {loud}");
        }
    }
}
