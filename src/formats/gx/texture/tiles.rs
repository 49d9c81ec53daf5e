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
