//! What a sound looks like, small.

use super::Peaks;
use crate::scene::{Image, Pcm};
use std::sync::Arc;

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
