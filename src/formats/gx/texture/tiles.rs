//! Decodes the tiles of a texture: rows of pixels by format, and CMPR, tiles of 8 × 8 pixels in four blocks, each of
//! two colours and two mixtures of them.
//!
//! One row of one tile, by format. Colours are 32-bit numbers, the lowest byte red and the highest alpha: most of them
//! come out of a few shifts, which compilers do for several pixels at a time.

use super::Format;

/// Decodes rows of tiles into rows of pixels. A tile has `BYTES` bytes and `height` rows; one row of it decodes into `ROW` bytes
/// of RGBA. `decode` gets a tile and the number of one of its rows. Pixels of tiles that are not there are left as they are.
///
/// The order is that of the output, so that it is written once and from front to back; a row of tiles is read several times
/// and is small.
pub fn tiles<const BYTES: usize, const ROW: usize>(
    height: usize,
    width: usize,
    data: &[u8],
    out: &mut [u8],
    decode: impl Fn(&[u8; BYTES], usize, &mut [u8; ROW]),
) {
    let row_bytes = width.saturating_mul(4).max(1);
    let across = row_bytes.div_ceil(ROW);
    let bands = out.chunks_mut(row_bytes.saturating_mul(height)).zip(data.chunks(across.saturating_mul(BYTES)));
    for (rows, tiles) in bands {
        let tiles = tiles.as_chunks::<BYTES>().0;
        for (line, row) in rows.chunks_exact_mut(row_bytes).enumerate() {
            let (whole, cut) = row.as_chunks_mut::<ROW>();
            if !cut.is_empty()
                && let Some(tile) = tiles.get(whole.len())
            {
                let mut pixels = [0; ROW];
                decode(tile, line, &mut pixels);
                cut.iter_mut().zip(pixels).for_each(|(to, from)| *to = from);
            }
            for (to, tile) in whole.iter_mut().zip(tiles) {
                decode(tile, line, to);
            }
        }
    }
}

/// As [`tiles`], for tiles of four rows of four 16-bit pixels: `decode` gets one half of a tile and gives its two rows.
pub fn tiles_of_halves(width: usize, data: &[u8], out: &mut [u8], decode: impl Fn(&[u8; 16]) -> [[u8; 16]; 2]) {
    let row_bytes = width.saturating_mul(4).max(1);
    let across = row_bytes.div_ceil(16);
    // Where the second row of a half goes that lies below the image.
    let mut below = vec![0; row_bytes];
    let bands = out.chunks_mut(row_bytes.saturating_mul(4)).zip(data.chunks(across.saturating_mul(32)));
    for (rows, tiles) in bands {
        let tiles = tiles.as_chunks::<32>().0;
        for (half, rows) in rows.chunks_mut(row_bytes.saturating_mul(2)).enumerate() {
            let (first, second) = rows.split_at_mut_checked(row_bytes).unwrap_or_default();
            let second = if second.is_empty() { &mut below } else { second };
            let half_of = |tile: &[u8; 32]| tile.as_chunks::<16>().0.get(half & 1).map(&decode).unwrap_or_default();
            let ((first, first_cut), (second, second_cut)) = (first.as_chunks_mut(), second.as_chunks_mut());
            if let Some(tile) = tiles.get(first.len()) {
                let cut = [first_cut, second_cut].into_iter().zip(half_of(tile));
                cut.for_each(|(to, from)| to.iter_mut().zip(from).for_each(|(to, from)| *to = from));
            }
            for ((first, second), tile) in first.iter_mut().zip(second).zip(tiles) {
                [*first, *second] = half_of(tile);
            }
        }
    }
}

/// Makes the pixels of a tile transparent whose bytes are not there, when `present` bytes of the image end within it.
pub fn clear_missing(format: Format, width: usize, present: usize, out: &mut [u8]) {
    let (tile_width, tile_height) = format.tile();
    let (tile_width, tile_height) = (tile_width as usize, tile_height as usize);
    let bytes = format.tile_bytes();
    let (Some(tile), Some(inside)) = (present.checked_div(bytes), present.checked_rem(bytes)) else { return };
    let across = width.div_ceil(tile_width).max(1);
    let column = tile.checked_rem(across).unwrap_or(0).saturating_mul(tile_width);
    let row = tile.checked_div(across).unwrap_or(0).saturating_mul(tile_height);
    if inside == 0 {
        return;
    }
    for (y, line) in out.chunks_exact_mut(width.saturating_mul(4).max(1)).skip(row).take(tile_height).enumerate() {
        let pixels = line.as_chunks_mut::<4>().0.iter_mut().skip(column).take(tile_width);
        for (x, pixel) in pixels.enumerate() {
            if end_of_pixel(format, x, y) > inside {
                *pixel = [0; 4];
            }
        }
    }
}

/// How many bytes of its tile a pixel needs.
fn end_of_pixel(format: Format, x: usize, y: usize) -> usize {
    let number = y.saturating_mul(format.tile().0 as usize).saturating_add(x);
    match format {
        // Two blocks beside each other, two below; a block's colours come before its indices.
        Format::Cmpr => {
            let block = ((y >> 2) << 1) | (x >> 2);
            block.saturating_mul(8).saturating_add(5).saturating_add(y & 3)
        }
        Format::Rgba8 => number.saturating_mul(2).saturating_add(34),
        _ => {
            let bits = number.saturating_add(1).saturating_mul(format.bits_per_pixel() as usize);
            bits.div_ceil(8)
        }
    }
}

/// Bytes of a tile's row `line`. Tiles have 4 or 8 rows: the compiler sees that the row is there.
fn row_of<const BYTES: usize, const N: usize>(tile: &[u8; BYTES], line: usize) -> &[u8; N] {
    let rows = tile.as_chunks::<N>().0;
    rows.get(line & rows.len().wrapping_sub(1)).unwrap_or(&[0; N])
}

fn put<const ROW: usize>(to: &mut [u8; ROW], colors: impl Iterator<Item = u32>) {
    for (to, color) in to.as_chunks_mut::<4>().0.iter_mut().zip(colors) {
        *to = color.to_le_bytes();
    }
}

/// Pairs of 4-bit numbers in a row of 8, the high one first.
fn nibbles(row: &[u8; 4]) -> impl Iterator<Item = u32> {
    let row = u32::from_be_bytes(*row);
    [28, 24, 20, 16, 12, 8, 4, 0].into_iter().map(move |shift| (row >> shift) & 15)
}

pub fn i4(tile: &[u8; 32], line: usize, to: &mut [u8; 32]) {
    put(to, nibbles(row_of(tile, line)).map(|v| v.wrapping_mul(0x1111_1111)));
}

pub fn i8(tile: &[u8; 32], line: usize, to: &mut [u8; 32]) {
    put(to, row_of::<32, 8>(tile, line).iter().map(|v| u32::from(*v).wrapping_mul(0x0101_0101)));
}

/// Alpha above, intensity below.
pub fn ia4(byte: u32) -> u32 {
    (byte >> 4).wrapping_mul(0x1100_0000) | (byte & 15).wrapping_mul(0x0011_1111)
}

pub fn c4(colors: &[u32; 16], tile: &[u8; 32], line: usize, to: &mut [u8; 32]) {
    put(to, nibbles(row_of(tile, line)).map(|v| colors.get((v & 15) as usize).copied().unwrap_or(0)));
}

pub fn c8(colors: &[u32; 256], tile: &[u8; 32], line: usize, to: &mut [u8; 32]) {
    put(to, row_of::<32, 8>(tile, line).iter().map(|v| colors.get(usize::from(*v)).copied().unwrap_or(0)));
}

/// Rows of four 16-bit pixels.
pub fn words(color: impl Fn(u32) -> u32) -> impl Fn(&[u8; 32], usize, &mut [u8; 16]) {
    move |tile, line, to| {
        let row = row_of::<32, 8>(tile, line).as_chunks::<2>().0;
        put(to, row.iter().map(|word| color(u32::from(u16::from_be_bytes(*word)))));
    }
}

/// Colours of 16-bit pixels by their two bytes: `high | low`, where the highest bit chooses the half of `low`. Two look-ups are
/// faster than many shifts.
pub struct Halves {
    high: [u32; 256],
    low: [u32; 512],
}

impl Halves {
    /// For a `color` each bit of which comes from one of the two bytes and the highest bit alone.
    pub fn of(color: impl Fn(u32) -> u32) -> Self {
        let mut halves = Self { high: [0; 256], low: [0; 512] };
        for (byte, to) in (0_u32..).zip(&mut halves.high) {
            *to = color(byte << 8);
        }
        for (index, to) in (0_u32..).zip(&mut halves.low) {
            *to = color(((index & 256) << 7) | (index & 255));
        }
        halves
    }

    pub fn row(&self, tile: &[u8; 32], line: usize, to: &mut [u8; 16]) {
        let color = |[high, low]: &[u8; 2]| {
            let (high, low) = (usize::from(*high), usize::from(*low));
            let low = self.low.get(((high & 0x80) << 1) | low).copied().unwrap_or(0);
            self.high.get(high).copied().unwrap_or(0) | low
        };
        put(to, row_of::<32, 8>(tile, line).as_chunks::<2>().0.iter().map(color));
    }
}

/// Two rows of four 16-bit pixels that are colours themselves; `color` gives the two halves of each. Eight numbers of 16 bits are
/// what the smallest vector registers hold.
pub fn two_rows(half: &[u8; 16], color: impl Fn(u16) -> [u16; 2]) -> [[u8; 16]; 2] {
    let mut rows = [[0; 16]; 2];
    let words = half.as_chunks::<2>().0;
    for (to, word) in rows.as_flattened_mut().as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *to = color_of(color(u16::from_be_bytes(*word))).to_le_bytes();
    }
    rows
}

/// The colour of two halves: green and red, alpha and blue.
pub fn color_of([red_green, blue_alpha]: [u16; 2]) -> u32 {
    u32::from(red_green) | (u32::from(blue_alpha) << 16)
}

/// Alpha first, then intensity.
pub fn ia8(word: u16) -> [u16; 2] {
    [(word & 0xFF).wrapping_mul(0x0101), word]
}

pub fn rgb565(word: u16) -> [u16; 2] {
    let red = ((word >> 8) & 0xF8) | (word >> 13);
    let green = ((word << 5) & 0xFC00) | ((word >> 1) & 0x0300);
    let blue = ((word << 3) & 0xF8) | ((word >> 2) & 7);
    [red | green, blue | 0xFF00]
}

pub fn rgb5a3(word: u32) -> u32 {
    let opaque = {
        let red = ((word >> 7) & 0xF8) | ((word >> 12) & 7);
        let green = ((word >> 2) & 0xF8) | ((word >> 7) & 7);
        let blue = ((word << 3) & 0xF8) | ((word >> 2) & 7);
        red | (green << 8) | (blue << 16) | 0xFF00_0000
    };
    let translucent = {
        let alpha = ((word >> 7) & 0xE0) | ((word >> 10) & 0x1C) | ((word >> 13) & 3);
        // Each 4-bit number at the start of its byte, then doubled into the other half.
        let color = ((word >> 8) & 15) | ((word & 0xF0) << 4) | ((word & 15) << 16);
        color | (color << 4) | (alpha << 24)
    };
    if word & 0x8000 == 0 { translucent } else { opaque }
}

/// The colour of the lower 14 bits.
pub fn c14x2(colors: &[u32; 0x4000], word: u32) -> u32 {
    colors.get((word & 0x3FFF) as usize).copied().unwrap_or(0)
}

/// Alpha and red of 16 pixels, then green and blue of the same.
pub fn rgba8(tile: &[u8; 64], line: usize, to: &mut [u8; 16]) {
    let (alpha_red, green_blue) = (row_of::<64, 8>(tile, line), row_of::<64, 8>(tile, line.wrapping_add(4)));
    let word = |pair: &[u8; 2]| u32::from(u16::from_le_bytes(*pair));
    let pairs = alpha_red.as_chunks::<2>().0.iter().zip(green_blue.as_chunks::<2>().0);
    put(to, pairs.map(|(alpha_red, green_blue)| word(alpha_red).rotate_right(8) | (word(green_blue) << 8)));
}

/// The four blocks of a tile: top left, top right, bottom left, bottom right.
type Colors = [[u32; 4]; 4];

/// Decodes whole tiles into rows. The colours of a row of tiles are mixed first, then its pixels are written row by row.
pub fn decode(width: usize, data: &[u8], out: &mut [u8]) {
    let row_bytes = width.saturating_mul(4).max(1);
    let across = row_bytes.div_ceil(32);
    let mut colors: Vec<Colors> = Vec::with_capacity(across.min(data.len() / 32));
    let bands = out.chunks_mut(row_bytes.saturating_mul(8)).zip(data.chunks(across.saturating_mul(32)));
    for (rows, tiles) in bands {
        let tiles = tiles.as_chunks::<32>().0;
        colors.clear();
        colors.extend(tiles.iter().map(colors_of));
        for (line, row) in rows.chunks_exact_mut(row_bytes).enumerate() {
            let (whole, cut) = row.as_chunks_mut::<32>();
            if !cut.is_empty()
                && let (Some(tile), Some(colors)) = (tiles.get(whole.len()), colors.get(whole.len()))
            {
                let mut pixels = [0; 32];
                cmpr_row_of(tile, colors, line, &mut pixels);
                cut.iter_mut().zip(pixels).for_each(|(to, from)| *to = from);
            }
            for ((to, tile), colors) in whole.iter_mut().zip(tiles).zip(&colors) {
                cmpr_row_of(tile, colors, line, to);
            }
        }
    }
}

fn colors_of(tile: &[u8; 32]) -> Colors {
    let mut colors = Colors::default();
    for (colors, block) in colors.iter_mut().zip(tile.as_chunks::<8>().0) {
        let [a, b, c, d, ..] = *block;
        *colors = mixed(u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
    }
    colors
}

/// Two RGB565 colours and what lies between them, as the hardware mixes: ⅝ and ⅜; where the first is not the larger one, the
/// middle, and the middle transparent.
fn mixed(first: u16, second: u16) -> [u32; 4] {
    let (a, b) = (spread(first), spread(second));
    if first > second {
        // 255 of alpha stays 255: (5 · 255 + 3 · 255) / 8.
        let between = |more: u64, less: u64| {
            (more.wrapping_mul(5).wrapping_add(less.wrapping_mul(3)) >> 3) & 0x00FF_00FF_00FF_00FF
        };
        [packed(a), packed(b), packed(between(a, b)), packed(between(b, a))]
    } else {
        let middle = packed((a.wrapping_add(b) >> 1) & 0x00FF_00FF_00FF_00FF);
        [packed(a), packed(b), middle, middle & 0x00FF_FFFF]
    }
}

/// The channels of an opaque colour in 16 bits each, red lowest: room to mix all of them at once.
fn spread(color: u16) -> u64 {
    let color = u64::from(color);
    let red = ((color >> 8) & 0xF8) | (color >> 13);
    let green = ((color >> 3) & 0xFC) | ((color >> 9) & 3);
    let blue = ((color << 3) & 0xF8) | ((color >> 2) & 7);
    red | (green << 16) | (blue << 32) | (255 << 48)
}

/// The channels in 8 bits each.
fn packed(channels: u64) -> u32 {
    let pairs = (channels | (channels >> 8)) & 0x0000_FFFF_0000_FFFF;
    (pairs | (pairs >> 16)) as u32
}

/// Row `line` of a tile: four pixels each of two blocks.
fn cmpr_row_of(tile: &[u8; 32], colors: &Colors, line: usize, to: &mut [u8; 32]) {
    let half = (line >> 2) & 1;
    let (Some(blocks), Some(colors)) = (tile.as_chunks::<16>().0.get(half), colors.as_chunks::<2>().0.get(half)) else {
        return;
    };
    for ((to, block), colors) in to.as_chunks_mut::<16>().0.iter_mut().zip(blocks.as_chunks::<8>().0).zip(colors) {
        let indices = block.get((line & 3) | 4).copied().unwrap_or(0);
        for (to, shift) in to.as_chunks_mut::<4>().0.iter_mut().zip([6, 4, 2, 0]) {
            let index = usize::from((indices >> shift) & 3);
            *to = colors.get(index).copied().unwrap_or(0).to_le_bytes();
        }
    }
}
