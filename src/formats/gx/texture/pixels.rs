//! One row of one tile, by format. Colours are 32-bit numbers, the lowest byte red and the highest alpha: most of them come out
//! of a few shifts, which compilers do for several pixels at a time.

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
