//! CMPR: tiles of 8 × 8 pixels in four blocks, each of two colours and two mixtures of them.

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
                row_of(tile, colors, line, &mut pixels);
                cut.iter_mut().zip(pixels).for_each(|(to, from)| *to = from);
            }
            for ((to, tile), colors) in whole.iter_mut().zip(tiles).zip(&colors) {
                row_of(tile, colors, line, to);
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
fn row_of(tile: &[u8; 32], colors: &Colors, line: usize, to: &mut [u8; 32]) {
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
