//! Formats with palettes: finds the colours and the texels' places among them.

use super::{
    Picture, TextureFormat,
    cmpr::{luma, rgb5a3, rgb565, to_bits},
    nibbles,
};
use std::collections::HashMap;

/// A picture of places in a palette.
#[derive(Clone, Debug, PartialEq)]
pub struct Paletted {
    /// RGBA.
    pub colors: Vec<[u8; 4]>,
    /// All levels.
    pub data: Vec<u8>,
}

/// A picture and its mips in a format with a palette: of all its colours if they fit, else of the means of boxes that hold them.
pub fn encode_paletted(format: TextureFormat, width: u16, height: u16, levels: u8, rgba: &[u8]) -> Paletted {
    let most = match format {
        TextureFormat::C4 => 16,
        TextureFormat::C8 => 256,
        _ => 1 << 14,
    };
    let pictures = Picture::new(width, height, rgba).levels(levels);
    let colors = palette(pictures.iter().flat_map(|picture| picture.texels.iter().copied()), most);
    let mut nearest: HashMap<[u8; 4], u16> = HashMap::new();
    let mut data = Vec::new();
    for texels in pictures.iter().flat_map(|picture| picture.blocks(format.block())) {
        let places: Vec<u16> =
            texels.iter().map(|t| *nearest.entry(*t).or_insert_with(|| place(&colors, *t))).collect();
        match format {
            TextureFormat::C4 => data.extend(nibbles(places.iter().map(|place| *place as u8))),
            TextureFormat::C8 => data.extend(places.iter().map(|place| *place as u8)),
            _ => data.extend(places.iter().flat_map(|place| place.to_be_bytes())),
        }
    }
    Paletted { colors, data }
}

/// Colours of two bytes each: 0 IA8, 1 RGB565, 2 RGB5A3.
pub fn encode_palette(format: u8, colors: &[[u8; 4]]) -> Vec<u8> {
    let encode = |color: &[u8; 4]| match format {
        0 => [color[3], luma(*color)],
        1 => rgb565(*color).to_be_bytes(),
        _ => rgb5a3(*color).to_be_bytes(),
    };
    colors.iter().flat_map(encode).collect()
}

fn place(colors: &[[u8; 4]], texel: [u8; 4]) -> u16 {
    let distance = |color: &[u8; 4]| {
        color.iter().zip(texel).map(|(a, b)| u32::from(a.abs_diff(b)).saturating_pow(2)).fold(0, u32::saturating_add)
    };
    let nearest = colors.iter().enumerate().min_by_key(|(_, color)| distance(color));
    nearest.and_then(|(index, _)| u16::try_from(index).ok()).unwrap_or(0)
}

/// At most so many colours: boxes are halved where they are widest.
fn palette(texels: impl Iterator<Item = [u8; 4]>, most: usize) -> Vec<[u8; 4]> {
    let mut all: Vec<[u8; 4]> = texels.collect();
    all.sort_unstable();
    all.dedup();
    if all.len() <= most {
        return all;
    }
    // What the palette's own formats can hardly tell apart is one colour.
    for color in &mut all {
        *color = color.map(|part| to_bits(part, 6) << 2 | to_bits(part, 6) >> 4);
    }
    all.sort_unstable();
    all.dedup();
    let mut boxes = vec![all];
    while boxes.len() < most {
        let widest = boxes.iter().enumerate().max_by_key(|(_, colors)| spread(colors).1).map(|(index, _)| index);
        let Some(mut colors) = widest.map(|index| boxes.swap_remove(index)) else { break };
        let (part, width) = spread(&colors);
        if width == 0 {
            boxes.push(colors);
            break;
        }
        colors.sort_by_key(|color| color.get(part).copied());
        let upper = colors.split_off(colors.len() / 2);
        boxes.extend([colors, upper]);
    }
    boxes.iter().map(|colors| mean(colors)).collect()
}

/// The part in which colours differ most, and by how much.
fn spread(colors: &[[u8; 4]]) -> (usize, u8) {
    let width = |part: usize| {
        let values = || colors.iter().filter_map(|color| color.get(part));
        values().max().zip(values().min()).map_or(0, |(high, low)| high.saturating_sub(*low))
    };
    (0..4).map(|part| (part, width(part))).max_by_key(|(_, width)| *width).unwrap_or((0, 0))
}

fn mean(colors: &[[u8; 4]]) -> [u8; 4] {
    let count = colors.len().max(1) as f32;
    let mut sums = [0.0_f32; 4];
    for color in colors {
        for (sum, part) in sums.iter_mut().zip(color) {
            *sum += f32::from(*part);
        }
    }
    sums.map(|sum| (sum / count).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_become_sixteen() {
        let two: Vec<u8> = (0..64).flat_map(|i| if i % 2 == 0 { [255, 0, 0, 255] } else { [0, 255, 0, 255] }).collect();
        let made = encode_paletted(TextureFormat::C4, 8, 8, 1, &two);
        assert_eq!(made.colors, [[0, 255, 0, 255], [255, 0, 0, 255]]);
        assert_eq!(made.data, [0x10; 32]);
        assert_eq!(encode_palette(1, &made.colors), [0x07, 0xE0, 0xF8, 0x00]);

        let ramp: Vec<u8> = (0..64_u8).flat_map(|i| [i * 4, i * 4, i * 4, 255]).collect();
        let made = encode_paletted(TextureFormat::C4, 8, 8, 1, &ramp);
        assert_eq!(made.colors.len(), 16);
        for (texel, pair) in made.data.iter().enumerate() {
            let shown = made.colors[usize::from(pair >> 4)][0];
            assert!(shown.abs_diff(texel as u8 * 8) < 16, "{texel}: {shown}");
        }
    }
}
