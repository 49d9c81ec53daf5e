//! Every format against a plain decoder: one pixel at a time, from the formulas of formats/j3d.md §9.

use super::*;

/// Bytes that look random and are the same in every run.
fn noise(count: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(747_796_405).wrapping_add(1);
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 11) as u8
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn word(data: &[u8], at: usize) -> u32 {
    u32::from(data[at]) * 256 + u32::from(data[at + 1])
}

/// `bits` bits repeated until 8 are full.
fn widen(value: u32, bits: u32) -> u8 {
    match bits {
        3 => ((value << 5) | (value << 2) | (value >> 1)) as u8,
        4 => (value * 17) as u8,
        5 => ((value << 3) | (value >> 2)) as u8,
        6 => ((value << 2) | (value >> 4)) as u8,
        _ => unreachable!(),
    }
}

fn plain_color(format: PaletteFormat, word: u32) -> [u8; 4] {
    match format {
        PaletteFormat::Ia8 => {
            let (alpha, intensity) = ((word / 256) as u8, (word % 256) as u8);
            [intensity, intensity, intensity, alpha]
        }
        PaletteFormat::Rgb565 => [widen(word >> 11, 5), widen((word >> 5) % 64, 6), widen(word % 32, 5), 255],
        PaletteFormat::Rgb5a3 if word >= 0x8000 => {
            [widen((word >> 10) % 32, 5), widen((word >> 5) % 32, 5), widen(word % 32, 5), 255]
        }
        PaletteFormat::Rgb5a3 => {
            [widen((word >> 8) % 16, 4), widen((word >> 4) % 16, 4), widen(word % 16, 4), widen((word >> 12) % 8, 3)]
        }
    }
}

/// The pixel at `x`, `y` of an image that is all there.
fn plain_pixel(format: Format, width: u32, x: u32, y: u32, data: &[u8], palette: &[[u8; 4]]) -> [u8; 4] {
    let (tile_width, tile_height) = format.tile();
    let across = width.div_ceil(tile_width);
    let tile = ((y / tile_height) * across + x / tile_width) as usize * format.tile_bytes();
    let inside = ((y % tile_height) * tile_width + x % tile_width) as usize;
    let nibble = || {
        let byte = data[tile + inside / 2];
        u32::from(if inside.is_multiple_of(2) { byte / 16 } else { byte % 16 })
    };
    let color = |index: u32| palette.get(index as usize).copied().unwrap_or([0; 4]);
    match format {
        Format::I4 => [widen(nibble(), 4); 4],
        Format::I8 => [data[tile + inside]; 4],
        Format::Ia4 => {
            let byte = u32::from(data[tile + inside]);
            let intensity = widen(byte % 16, 4);
            [intensity, intensity, intensity, widen(byte / 16, 4)]
        }
        Format::Ia8 => plain_color(PaletteFormat::Ia8, word(data, tile + inside * 2)),
        Format::Rgb565 => plain_color(PaletteFormat::Rgb565, word(data, tile + inside * 2)),
        Format::Rgb5a3 => plain_color(PaletteFormat::Rgb5a3, word(data, tile + inside * 2)),
        Format::Rgba8 => {
            let (ar, gb) = (tile + inside * 2, tile + 32 + inside * 2);
            [data[ar + 1], data[gb], data[gb + 1], data[ar]]
        }
        Format::C4 => color(nibble()),
        Format::C8 => color(u32::from(data[tile + inside])),
        Format::C14x2 => color(word(data, tile + inside * 2) & 0x3FFF),
        Format::Cmpr => {
            let (x, y) = (x % 8, y % 8);
            let block = tile + ((y / 4) * 2 + x / 4) as usize * 8;
            let (c0, c1) = (word(data, block), word(data, block + 2));
            let index = (data[block + 4 + (y % 4) as usize] >> (6 - 2 * (x % 4))) & 3;
            let (a, b) = (plain_color(PaletteFormat::Rgb565, c0), plain_color(PaletteFormat::Rgb565, c1));
            let mix = |f: fn(u32, u32) -> u32, alpha: u8| {
                let channel = |i: usize| f(u32::from(a[i]), u32::from(b[i])) as u8;
                [channel(0), channel(1), channel(2), alpha]
            };
            match (index, c0 > c1) {
                (0, _) => a,
                (1, _) => b,
                (2, true) => mix(|a, b| (5 * a + 3 * b) / 8, 255),
                (_, true) => mix(|a, b| (3 * a + 5 * b) / 8, 255),
                (2, false) => mix(|a, b| (a + b) / 2, 255),
                (_, false) => mix(|a, b| (a + b) / 2, 0),
            }
        }
    }
}

fn plain(format: Format, width: u32, height: u32, data: &[u8], palette: &[[u8; 4]]) -> Vec<u8> {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    pixels.flat_map(|(x, y)| plain_pixel(format, width, x, y, data, palette)).collect()
}

/// Sides that are, and are not, multiples of a tile.
const SIZES: [(u32, u32); 12] =
    [(8, 8), (16, 8), (64, 32), (1, 1), (3, 5), (9, 7), (12, 4), (4, 12), (33, 31), (7, 64), (65, 1), (1, 65)];

#[test]
fn every_format_is_decoded_to_the_byte() {
    let mut out = vec![1, 2, 3];
    for format in Format::ALL {
        for palette_format in [PaletteFormat::Ia8, PaletteFormat::Rgb565, PaletteFormat::Rgb5a3] {
            let words = noise(0x8000, 9);
            let palette = Palette::decode(palette_format, &words);
            let colors: Vec<[u8; 4]> = (0..0x4000).map(|i| plain_color(palette_format, word(&words, i * 2))).collect();
            assert!(palette.rgba().eq(colors.iter().copied()));
            for (width, height) in SIZES {
                let data = noise(size_of(format, width, height).unwrap(), width * 99 + height);
                let palette = format.has_palette().then_some(&palette);
                let decoded = decode_into(format, width, height, &data, palette, &mut out).unwrap();
                assert!(decoded.is_whole());
                assert!(
                    out == plain(format, width, height, &data, &colors),
                    "{} {width} × {height}, palette {}",
                    format.name(),
                    palette_format.name()
                );
            }
        }
    }
}

/// Both orders of the two colours and every mixture: noise alone may miss equal ones.
#[test]
fn equal_colors_of_a_block_have_a_transparent_mixture() {
    let mut data = noise(32, 3);
    for block in data.as_chunks_mut::<8>().0 {
        *block = [0x12, 0x34, 0x12, 0x34, 0x1B, 0xE4, 0, 0xFF];
    }
    let mut out = Vec::new();
    decode_into(Format::Cmpr, 8, 8, &data, None, &mut out).unwrap();
    assert_eq!(out, plain(Format::Cmpr, 8, 8, &data, &[]));
    assert!(out.as_chunks::<4>().0.iter().any(|p| p[3] == 0 && p[..3] != [0; 3]), "a colour without alpha");
}

#[test]
fn short_data_gives_the_pixels_that_are_there() {
    let mut out = Vec::new();
    for format in Format::ALL {
        let (width, height) = (19, 13);
        let whole = noise(size_of(format, width, height).unwrap(), 77);
        let palette = Palette::decode(PaletteFormat::Rgb565, &noise(0x8000, 9));
        let colors: Vec<[u8; 4]> = palette.rgba().collect();
        let expected = plain(format, width, height, &whole, &colors);
        let mut fewest = 0;
        for length in 0..whole.len() {
            // What a longer image left behind must not shine through.
            out.fill(0xAA);
            let decoded = decode_into(format, width, height, &whole[..length], Some(&palette), &mut out).unwrap();
            assert_eq!(decoded.missing_bytes, whole.len() - length);
            let pixels = out.as_chunks::<4>().0.iter().zip(expected.as_chunks::<4>().0);
            let there = pixels.clone().filter(|(a, b)| a == b).count();
            assert!(pixels.clone().all(|(a, b)| a == b || *a == [0; 4]), "{} cut to {length}", format.name());
            assert!(there >= fewest, "{} cut to {length}: {there} pixels, {fewest} before", format.name());
            fewest = there;
        }
        decode_into(format, width, height, &whole[..whole.len() / 2], Some(&palette), &mut out).unwrap();
        assert!(out[..64] == expected[..64] && out.ends_with(&[0; 64]), "{}", format.name());
    }
}

#[test]
fn indices_beyond_a_palette_are_transparent_and_counted() {
    let palette = Palette::decode(PaletteFormat::Rgb565, &[0xFF, 0xFF, 0xF8, 0x00, 0x00, 0x1F]);
    let mut out = Vec::new();
    // 3 × 1 pixels: the fourth index of the row only fills up the tile.
    let mut data = vec![9_u8; 32];
    data[..3].copy_from_slice(&[2, 3, 200]);
    let decoded = decode_into(Format::C8, 3, 1, &data, Some(&palette), &mut out).unwrap();
    assert_eq!(decoded, Decoded { missing_bytes: 0, beyond_palette: 2 });
    assert_eq!(out, [0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]);
    data[..3].copy_from_slice(&[2, 1, 0]);
    assert!(decode_into(Format::C8, 3, 1, &data, Some(&palette), &mut out).unwrap().is_whole());
    let nibbles = [0x01, 0x2F].repeat(16);
    assert_eq!(decode_into(Format::C4, 4, 1, &nibbles, Some(&palette), &mut out).unwrap().beyond_palette, 1);
    let words = [0xC0, 2, 0x3F, 0xFF].repeat(8);
    assert_eq!(decode_into(Format::C14x2, 4, 1, &words, Some(&palette), &mut out).unwrap().beyond_palette, 2);
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_allocated() {
    let mut out = Vec::new();
    let mut decode = |format, width, height| decode_into(format, width, height, &[0; 64], None, &mut out);
    assert_eq!(decode(Format::I8, 0, 4), Err(DecodeError::Empty { width: 0, height: 4 }));
    assert_eq!(decode(Format::C4, 4, 4), Err(DecodeError::NoPalette(Format::C4)));
    for side in [65_535, u32::MAX] {
        assert_eq!(decode(Format::Cmpr, side, side), Err(DecodeError::TooLarge { width: side, height: side }));
    }
    assert!(out.is_empty());
}

#[test]
fn chains_of_images_halve_and_count_whole_tiles() {
    let sizes = |format, width, height, count| mips(format, width, height, count).collect::<Vec<_>>();
    let mip = |width, height, offset, size| Mip { width, height, offset, size };
    assert_eq!(
        sizes(Format::Cmpr, 32, 16, 4),
        [mip(32, 16, 0, 256), mip(16, 8, 256, 64), mip(8, 4, 320, 32), mip(4, 2, 352, 32)]
    );
    assert_eq!(sizes(Format::Rgba8, 5, 1, 0), [mip(5, 1, 0, 128)]);
    assert_eq!(sizes(Format::I8, 2, 1, 3), [mip(2, 1, 0, 32), mip(1, 1, 32, 32), mip(1, 1, 64, 32)]);
    assert_eq!(size_of(Format::Rgba8, 9, 9), Some(3 * 3 * 64));
    assert_eq!(size_of(Format::I4, 9, 9), Some(2 * 2 * 32));
}

#[test]
fn codes_lead_to_formats_and_back() {
    for format in Format::ALL {
        assert_eq!(Format::of_code(format.code()), Some(format));
        assert_eq!(crate::scene::gx::names::texture_format(format.code()), Some(format.name()));
    }
    assert_eq!((7..=16).filter(|code| Format::of_code(*code).is_none()).count(), 6);
    assert_eq!(PaletteFormat::of_code(2), Some(PaletteFormat::Rgb5a3));
    assert_eq!(PaletteFormat::of_code(3), None);
}
