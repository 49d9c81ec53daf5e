//! Small pictures with more texels.
//!
//! Graphics cards mix the texels of a colour texture as linear light. The games and the window mix them as they are stored, which is
//! darker between a dark and a bright texel. Where few texels cover much of a model, its colours would arrive lighter: such a picture is
//! written with texels between its own, mixed as stored.

use super::{TextureSize, sampler::SamplerKey, srgb};
use crate::scene::Image;

/// A picture is small when a side of it has no more texels.
const SMALL: u32 = 32;
/// What a side of a small picture is written with, at least.
const ENOUGH: u32 = 64;
/// A side with more texels keeps them.
const LONG: u32 = 128;
/// How much lighter a picture may become on average, of 255, before it is enlarged.
const UNSEEN: f32 = 1.0;

/// How a picture is written larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enlargement {
    /// Texels for each of its own, across and down. Odd, so that each of its own is the middle one of those: linear filtering of the
    /// larger picture then gives what that of the smaller one does, everywhere.
    times: [u32; 2],
    /// What lies beyond a border is the other end; else it is the border itself, also where the picture is mirrored.
    repeats: [bool; 2],
}

impl Enlargement {
    /// `None` for a picture that is not small, is not filtered, or looks the same anyway.
    pub fn of(image: &Image, sampler: SamplerKey, size: TextureSize) -> Option<Self> {
        if size == TextureSize::Original || !Self::is_small(image) || !sampler.is_linear() {
            return None;
        }
        let enlargement = Self { times: [image.width, image.height].map(times), repeats: sampler.repeats() };
        (enlargement.times != [1; 2] && lightening(image, enlargement.repeats) > UNSEEN).then_some(enlargement)
    }

    /// Whether a picture has so few texels that it may be enlarged.
    pub fn is_small(image: &Image) -> bool {
        let is_whole = image.rgba.len() as u64 == u64::from(image.width) * u64::from(image.height) * 4;
        image.width.min(image.height) <= SMALL && is_whole
    }

    /// The size that a picture gets.
    pub fn size(self, image: &Image) -> [u32; 2] {
        [image.width * self.times[0], image.height * self.times[1]]
    }

    /// The larger picture.
    pub fn image(self, image: &Image) -> Image {
        let [width, height] = self.size(image);
        let columns = mixtures(image.width, self.times[0], self.repeats[0]);
        let rows = mixtures(image.height, self.times[1], self.repeats[1]);
        let texels = image.rgba.as_chunks::<4>().0;
        let whole = self.times[0] * self.times[1];
        let mut rgba = Vec::with_capacity(columns.len() * rows.len() * 4);
        for (first_row, second_row) in &rows {
            for (first, second) in &columns {
                let texel = |row: &Part, column: &Part| {
                    let texel = texels[row.texel * image.width as usize + column.texel];
                    texel.map(|value| u32::from(value) * row.share * column.share)
                };
                let corners = [(first_row, first), (first_row, second), (second_row, first), (second_row, second)];
                let corners = corners.map(|(row, column)| texel(row, column));
                let sum = |part: usize| corners.iter().map(|corner| corner[part]).sum::<u32>();
                rgba.extend((0..4).map(|part| ((sum(part) + whole / 2) / whole) as u8));
            }
        }
        Image { name: image.name.clone(), width, height, rgba: rgba.into(), stored_as: image.stored_as.clone() }
    }
}

/// Texels for each of a side's own: the least odd number that makes enough of them.
fn times(side: u32) -> u32 {
    match side {
        0 | 1 => 1,
        2..=LONG => ENOUGH.div_ceil(side).max(2) | 1,
        _ => 1,
    }
}

/// What a texel counts for in a mixture of two.
struct Part {
    texel: usize,
    share: u32,
}

/// Of which two texels of a side each of the new ones is mixed, in shares of `times`.
fn mixtures(side: u32, times: u32, repeats: bool) -> Vec<(Part, Part)> {
    let (side, times) = (i64::from(side), i64::from(times));
    let within = |texel: i64| if repeats { texel.rem_euclid(side) } else { texel.clamp(0, side - 1) };
    let part = |texel: i64, share: i64| Part { texel: within(texel) as usize, share: share as u32 };
    (0..side * times)
        .map(|place| {
            let from_first_middle = place - times / 2;
            let (texel, share) = (from_first_middle.div_euclid(times), from_first_middle.rem_euclid(times));
            (part(texel, times - share), part(texel + 1, share))
        })
        .collect()
}

/// How much lighter a picture is on average when its texels are mixed as linear light, in the channel where that is most: of 255.
fn lightening(image: &Image, repeats: [bool; 2]) -> f32 {
    let linear: [f32; 256] = std::array::from_fn(|byte| srgb::linear(byte as f32 / 255.0));
    let half_way = |a: u8, b: u8| {
        let mixed = f32::midpoint(linear[usize::from(a)], linear[usize::from(b)]);
        if a == b { 0.0 } else { srgb::gamma(mixed) * 255.0 - f32::midpoint(f32::from(a), f32::from(b)) }
    };
    let texels = image.rgba.as_chunks::<4>().0;
    let [width, height] = [image.width, image.height].map(|side| side as usize);
    let mut sums = [0.0_f32; 3];
    for (place, texel) in texels.iter().enumerate() {
        let (x, y) = (place % width, place / width);
        let right = if x + 1 < width { Some(x + 1) } else { repeats[0].then_some(0) };
        let below = if y + 1 < height { Some(y + 1) } else { repeats[1].then_some(0) };
        let next = [right.map(|right| y * width + right), below.map(|below| below * width + x)];
        for next in next.into_iter().flatten() {
            for (part, sum) in sums.iter_mut().enumerate() {
                *sum += half_way(texel[part], texels[next][part]);
            }
        }
    }
    // From texel to texel it rises to what it is half way, and falls, nearly as a parabola.
    sums.into_iter().fold(0.0, f32::max) * (2.0 / 3.0) / texels.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::gx::Wrap;

    fn picture(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
        let rgba: Vec<u8> = (0..width * height).flat_map(|n| texel(n % width, n / width)).collect();
        Image { name: "picture".into(), width, height, rgba: rgba.into(), stored_as: "test".into() }
    }

    fn checker(width: u32, height: u32) -> Image {
        picture(width, height, |x, y| if (x + y) % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] })
    }

    fn of(image: &Image, wrap: Wrap) -> Option<Enlargement> {
        Enlargement::of(image, SamplerKey::new([wrap; 2], false), TextureSize::Enlarged)
    }

    fn size(width: u32, height: u32) -> Option<[u32; 2]> {
        let image = checker(width, height);
        of(&image, Wrap::Repeat).map(|enlargement| enlargement.size(&image))
    }

    #[test]
    fn sides_are_multiplied_by_odd_numbers() {
        assert_eq!(size(8, 8), Some([72, 72]));
        assert_eq!(size(2, 16), Some([66, 80]));
        assert_eq!(size(32, 64), Some([96, 192]));
        assert_eq!(size(32, 128), Some([96, 384]));
        // A long side stays, and so does one that has nothing to mix.
        assert_eq!(size(16, 256), Some([80, 256]));
        assert_eq!(size(1, 4), Some([1, 68]));
        assert_eq!(size(33, 33), None);
    }

    #[test]
    fn what_looks_the_same_stays() {
        assert_eq!(size(1, 1), None);
        let smooth = picture(32, 32, |x, y| [100 + x as u8 * 2, 200 - y as u8 * 2, 90, 255]);
        assert_eq!(of(&smooth, Wrap::Clamp), None);
        // Alpha is mixed as it is stored by all.
        assert_eq!(of(&picture(8, 8, |x, _| [90, 90, 90, x as u8 * 30]), Wrap::Repeat), None);
        let sharp = Enlargement::of(&checker(8, 8), SamplerKey::new([Wrap::Clamp; 2], true), TextureSize::Enlarged);
        let kept = Enlargement::of(&checker(8, 8), SamplerKey::new([Wrap::Clamp; 2], false), TextureSize::Original);
        assert_eq!((sharp, kept), (None, None));
        let broken = Image { width: 9, ..checker(8, 8) };
        assert_eq!(of(&broken, Wrap::Repeat), None);
        assert_eq!(of(&picture(0, 0, |_, _| [0; 4]), Wrap::Repeat), None);
    }

    #[test]
    fn linear_light_is_lighter_by_this() {
        // Between black and white, half of linear light is 187.5 of 255, 60 more than 127.5; every texel has two such neighbours.
        assert!((lightening(&checker(8, 8), [true; 2]) - 2.0 * 60.016 * 2.0 / 3.0).abs() < 0.1);
        // One row with 7 of 8 neighbours.
        assert!((lightening(&checker(8, 1), [false; 2]) - 60.016 * 2.0 / 3.0 * 7.0 / 8.0).abs() < 0.1);
    }

    #[test]
    fn texels_of_the_border_are_mixed_as_the_picture_is_wrapped() {
        let row = picture(2, 1, |x, _| [x as u8 * 255, 0, 0, 255 - x as u8 * 33]);
        let red = |wrap| {
            let large = of(&row, wrap).unwrap().image(&row);
            assert_eq!((large.width, large.height), (66, 1));
            large.rgba.as_chunks::<4>().0.iter().map(|texel| texel[0]).collect::<Vec<u8>>()
        };
        // 33 texels for one of its own, which is the 17th of them. 255 × 16 / 33 is 123.6.
        let (repeated, clamped) = (red(Wrap::Repeat), red(Wrap::Clamp));
        assert_eq!(
            [repeated[0], repeated[1], repeated[16], repeated[17], repeated[49], repeated[65]],
            [124, 116, 0, 8, 255, 131]
        );
        assert_eq!([clamped[0], clamped[16], clamped[17], clamped[49], clamped[65]], [0, 0, 8, 255, 255]);
        assert_eq!(red(Wrap::Mirror), clamped);
        let alpha = of(&row, Wrap::Clamp).unwrap().image(&row).rgba[17 * 4 + 3];
        assert_eq!(alpha, 254);
    }
}
