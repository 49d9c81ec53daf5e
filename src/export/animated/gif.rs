//! Moving pictures as GIF: at most 256 colours a picture, pixels that are opaque or not there, times in hundredths of a
//! second.
//!
//! Where it has more, the colours are divided into groups, again and again the one that differs the most within, at the
//! mean of the channel that differs the most; the mean of each group is a colour. Every pixel then gets the nearest of
//! these.

use super::Timing;
use crate::scene::Image;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use rayon::prelude::*;
use std::io::{self, Write};

/// Colours of a palette, with the one that stands for transparent pixels.
const MAX_COLORS: usize = 256;
/// Alpha from which a pixel is opaque.
const OPAQUE_FROM: u8 = 128;

/// A picture by numbers of colours.
pub struct Indexed {
    pub colors: Vec<[u8; 3]>,
    /// One for each pixel.
    pub indices: Vec<u8>,
    /// The colour that stands for transparent pixels; it is no opaque pixel's.
    pub transparent: Option<u8>,
}

/// A colour and how many pixels have it.
type Counted = ([u8; 3], u32);

impl Indexed {
    pub fn of(image: &Image) -> Self {
        let pixels = || image.rgba.chunks_exact(4).map(|p| (p[3] >= OPAQUE_FROM).then_some([p[0], p[1], p[2]]));
        let mut all: Vec<[u8; 3]> = pixels().flatten().collect();
        let is_cut_out = all.len() < pixels().len();
        all.par_sort_unstable();
        let mut counted: Vec<Counted> = Vec::new();
        for color in all {
            match counted.last_mut() {
                Some((last, count)) if *last == color => *count += 1,
                _ => counted.push((color, 1)),
            }
        }
        let room = if is_cut_out { MAX_COLORS - 1 } else { MAX_COLORS };
        let known: Vec<[u8; 3]> = counted.iter().map(|(color, _)| *color).collect();
        let (mut colors, numbers) = if known.len() <= room {
            (known.clone(), (0..=u8::MAX).take(known.len()).collect())
        } else {
            let colors = divided(counted, room);
            let numbers: Vec<u8> = known.par_iter().map(|color| nearest(&colors, *color)).collect();
            (colors, numbers)
        };
        let transparent = is_cut_out.then_some(colors.len() as u8);
        if is_cut_out {
            colors.push([0; 3]);
        }
        let number = |color: Option<[u8; 3]>| match color {
            Some(color) => known.binary_search(&color).map_or(0, |at| numbers[at]),
            None => transparent.unwrap_or_default(),
        };
        Self { indices: pixels().map(number).collect(), colors, transparent }
    }
}

/// How far two colours are apart, squared.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// The nearest of colours that are sorted: from where it would stand both ways, as far as the first channel alone is near enough.
fn nearest(colors: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let middle = colors.partition_point(|known| *known < color);
    let (mut best, mut least) = (0, u32::MAX);
    let mut look = |at: usize| {
        let known = colors[at];
        let apart = distance(known, color);
        if apart < least {
            (best, least) = (at, apart);
        }
        u32::from(known[0].abs_diff(color[0])).pow(2) < least
    };
    // What lies farther is no nearer.
    let _ = (middle..colors.len()).all(&mut look);
    let _ = (0..middle).rev().all(&mut look);
    best as u8
}

/// A group of colours: where it lies in the list, and how it differs within.
struct Group {
    range: std::ops::Range<usize>,
    mean: [f64; 3],
    /// The channel that differs the most, and how much, all pixels together.
    channel: usize,
    spread: f64,
}

impl Group {
    fn new(counted: &[Counted], range: std::ops::Range<usize>) -> Self {
        let (mut count, mut sum, mut squares) = (0_u64, [0_u64; 3], [0_u64; 3]);
        for (color, pixels) in &counted[range.clone()] {
            let pixels = u64::from(*pixels);
            count += pixels;
            for ((sum, squares), value) in sum.iter_mut().zip(&mut squares).zip(color) {
                let value = u64::from(*value);
                *sum += value * pixels;
                *squares += value * value * pixels;
            }
        }
        let mean = sum.map(|sum| sum as f64 / count.max(1) as f64);
        let spreads = [0, 1, 2].map(|channel| squares[channel] as f64 - mean[channel] * sum[channel] as f64);
        let channel = [0, 1, 2].into_iter().max_by(|a, b| spreads[*a].total_cmp(&spreads[*b])).unwrap_or(0);
        Self { range, mean, channel, spread: spreads[channel] }
    }

    fn color(&self) -> [u8; 3] {
        self.mean.map(|value| value.round() as u8)
    }
}

/// The means of at most `room` groups of colours.
fn divided(mut counted: Vec<Counted>, room: usize) -> Vec<[u8; 3]> {
    let mut groups = vec![Group::new(&counted, 0..counted.len())];
    while groups.len() < room {
        let widest = (0..groups.len()).filter(|at| groups[*at].range.len() > 1);
        let Some(widest) = widest.max_by(|a, b| groups[*a].spread.total_cmp(&groups[*b].spread)) else { break };
        let Group { range, mean, channel, .. } = groups.swap_remove(widest);
        let part = &mut counted[range.clone()];
        part.sort_unstable_by_key(|(color, _)| color[channel]);
        let below = part.partition_point(|(color, _)| f64::from(color[channel]) <= mean[channel]);
        // No side is empty: colours that differ lie on both sides of their mean, but for how floats round.
        let middle = range.start + below.clamp(1, range.len() - 1);
        groups.push(Group::new(&counted, range.start..middle));
        groups.push(Group::new(&counted, middle..range.end));
    }
    let mut colors: Vec<[u8; 3]> = groups.iter().map(Group::color).collect();
    colors.sort_unstable();
    colors.dedup();
    colors
}

/// Encodes pictures as they come, each with colours of its own, to be shown over and over.
pub fn encode(out: &mut impl Write, timing: &Timing, next: &mut dyn FnMut() -> io::Result<Image>) -> io::Result<()> {
    let side = |side: u32| u16::try_from(side).map_err(io::Error::other);
    let (width, height) = (side(timing.width)?, side(timing.height)?);
    let mut encoder = Encoder::new(out, width, height, &[]).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    for delay in timing.delays(100) {
        let Indexed { colors, indices, transparent } = Indexed::of(&next()?);
        let frame = Frame {
            delay: u16::try_from(delay).map_err(io::Error::other)?,
            // Otherwise the picture before would show through.
            dispose: if transparent.is_some() { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent,
            width,
            height,
            palette: Some(colors.concat()),
            buffer: indices.into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(failed)?;
    }
    encoder.into_inner().map_err(failed)?;
    Ok(())
}

fn failed(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
        let rgba: Vec<u8> =
            (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
        Image { name: String::new(), width, height, rgba: rgba.into(), stored_as: String::new() }
    }

    fn seen(indexed: &Indexed) -> Vec<Option<[u8; 3]>> {
        let color = |index: &u8| (Some(*index) != indexed.transparent).then(|| indexed.colors[usize::from(*index)]);
        indexed.indices.iter().map(color).collect()
    }

    #[test]
    fn few_colours_stay_as_they_are() {
        for count in [1, 2, 255, 256] {
            let picture = image(count, 2, |x, y| [x as u8, 255 - x as u8, 7 * y as u8 * u8::from(count < 128), 255]);
            let indexed = Indexed::of(&picture);
            assert_eq!(indexed.transparent, None);
            let wanted: Vec<_> = picture.rgba.chunks_exact(4).map(|p| Some([p[0], p[1], p[2]])).collect();
            assert_eq!(seen(&indexed), wanted, "{count}");
        }
    }

    #[test]
    fn half_opaque_pixels_are_there_and_others_are_not() {
        let picture = image(255, 2, |x, y| [x as u8, 0, 0, if y == 0 { 255 } else { x as u8 }]);
        let indexed = Indexed::of(&picture);
        assert_eq!((indexed.colors.len(), indexed.transparent), (256, Some(255)));
        let seen = seen(&indexed);
        for x in 0..255_usize {
            assert_eq!(seen[x], Some([x as u8, 0, 0]));
            assert_eq!(seen[255 + x], (x >= 128).then_some([x as u8, 0, 0]), "alpha {x}");
        }
        let nothing = Indexed::of(&image(3, 3, |_, _| [9, 9, 9, 0]));
        assert_eq!((nothing.colors.len(), nothing.transparent, nothing.indices), (1, Some(0), vec![0; 9]));
    }

    #[test]
    fn many_colours_become_near_ones() {
        // 64 × 64 colours of a smooth plane: 16 by 16 groups of 4 by 4 steps of 4 would leave a distance of 8 on each channel.
        let picture = image(64, 64, |x, y| [4 * x as u8, 4 * y as u8, 100, 255]);
        let indexed = Indexed::of(&picture);
        assert!((200..=256).contains(&indexed.colors.len()), "{}", indexed.colors.len());
        for (pixel, found) in picture.rgba.chunks_exact(4).zip(seen(&indexed)) {
            let (color, found) = ([pixel[0], pixel[1], pixel[2]], found.unwrap());
            let least = indexed.colors.iter().map(|known| distance(*known, color)).min();
            assert_eq!(Some(distance(color, found)), least, "the nearest of the palette");
            assert!(distance(color, found) <= 2 * 12_u32.pow(2), "{color:?} {found:?}");
        }
    }

    #[test]
    fn a_rare_colour_is_kept_beside_a_smooth_ramp() {
        let picture =
            image(
                128,
                64,
                |x, y| if x < 4 && y < 4 { [255, 0, 0, 255] } else { [x as u8, x as u8, (x + y) as u8, 255] },
            );
        let indexed = Indexed::of(&picture);
        assert!(distance(seen(&indexed)[0].unwrap(), [255, 0, 0]) < 100);
    }
}
