//! The pixel formats of the GX chip (formats/j3d.md §9): tiles of 32 bytes (RGBA8: 64) in rows, decoded into RGBA.

mod format;
mod palette;
mod tiles;

pub use format::{Format, Mip, mips, size_of};
pub use palette::{Palette, PaletteFormat};

use std::borrow::Cow;

/// Pixels of the largest image that is decoded. The chip itself takes 1024 × 1024.
pub const MAX_PIXELS: u64 = 1 << 26;

/// An image cannot be decoded: one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The width or the height is 0.
    #[error("empty image ({width} × {height} pixels)")]
    Empty {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The image has more than [`MAX_PIXELS`] pixels.
    #[error("the image size of {width} × {height} pixels is over the limit")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The format requires a palette, and `palette` is `None`.
    #[error("{} needs a palette, but the palette is missing", .0.name())]
    NoPalette(Format),
}

/// What an image lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// Bytes that the data is too short; the pixels that they would be are transparent.
    pub missing_bytes: usize,
    /// Pixels whose palette entry does not exist; they are transparent.
    pub beyond_palette: usize,
}

impl Decoded {
    /// Returns true if neither bytes nor palette entries are missing.
    pub fn is_whole(self) -> bool {
        self == Self::default()
    }
}

/// Decodes one image of `width` × `height` pixels into `out`, which becomes rows from the top of 8-bit RGBA (`width × height ×
/// 4` bytes) whatever it held before; give the same buffer again to save the allocation. `data` may be longer than the image.
/// I4 and I8 have their intensity as alpha too; CMPR mixes as the hardware does (⅝ and ⅜). `palette` is used by C4, C8 and
/// C14X2 alone.
///
/// # Errors
/// When a side is 0, the image is over [`MAX_PIXELS`], or its palette is missing. Short data is no error: [`Decoded`] says so.
pub fn decode_into(
    format: Format,
    width: u32,
    height: u32,
    data: &[u8],
    palette: Option<&Palette>,
    out: &mut Vec<u8>,
) -> Result<Decoded, DecodeError> {
    if width == 0 || height == 0 {
        return Err(DecodeError::Empty { width, height });
    }
    let pixels = u64::from(width).saturating_mul(u64::from(height));
    let size = size_of(format, width, height).filter(|_| pixels <= MAX_PIXELS);
    let Some(size) = size else { return Err(DecodeError::TooLarge { width, height }) };
    if format.has_palette() && palette.is_none() {
        return Err(DecodeError::NoPalette(format));
    }
    // All of it is written below: what is there already needs no clearing.
    out.resize((pixels as usize).saturating_mul(4), 0);
    let present = data.len().min(size);
    let missing_bytes = size.saturating_sub(present);
    let data = data.get(..present).unwrap_or_default();
    let data = if missing_bytes > 0 {
        out.fill(0);
        let mut padded = data.to_vec();
        padded.resize(present.next_multiple_of(format.tile_bytes()), 0);
        Cow::Owned(padded)
    } else {
        Cow::Borrowed(data)
    };
    decode_tiles(format, width as usize, &data, palette, out);
    if missing_bytes > 0 {
        tiles::clear_missing(format, width as usize, present, out);
    }
    let beyond_palette = palette.map_or(0, |palette| palette.pixels_beyond(format, width, height, &data));
    Ok(Decoded { missing_bytes, beyond_palette })
}

/// Whole tiles into rows.
fn decode_tiles(format: Format, width: usize, data: &[u8], palette: Option<&Palette>, out: &mut [u8]) {
    use tiles::{tiles, tiles_of_halves};
    let colors = palette.map(Palette::colors).unwrap_or_default();
    match format {
        Format::I4 => tiles::<32, 32>(8, width, data, out, tiles::i4),
        Format::I8 => tiles::<32, 32>(4, width, data, out, tiles::i8),
        Format::Ia4 => {
            let colors = std::array::from_fn(|byte| tiles::ia4(byte as u32));
            tiles::<32, 32>(4, width, data, out, |tile, line, to| tiles::c8(&colors, tile, line, to));
        }
        Format::Ia8 => tiles_of_halves(width, data, out, |half| tiles::two_rows(half, tiles::ia8)),
        Format::Rgb565 => tiles_of_halves(width, data, out, |half| tiles::two_rows(half, tiles::rgb565)),
        Format::Rgb5a3 => {
            let colors = tiles::Halves::of(tiles::rgb5a3);
            tiles::<32, 16>(4, width, data, out, |tile, line, to| colors.row(tile, line, to));
        }
        Format::Rgba8 => tiles::<64, 16>(4, width, data, out, tiles::rgba8),
        Format::C4 => {
            let colors = palette::table::<16>(colors);
            tiles::<32, 32>(8, width, data, out, |tile, line, to| tiles::c4(&colors, tile, line, to));
        }
        Format::C8 => {
            let colors = palette::table::<256>(colors);
            tiles::<32, 32>(4, width, data, out, |tile, line, to| tiles::c8(&colors, tile, line, to));
        }
        Format::C14x2 => {
            let colors = palette::large_table(colors);
            tiles::<32, 16>(4, width, data, out, tiles::words(|index| tiles::c14x2(&colors, index)));
        }
        Format::Cmpr => tiles::decode(width, data, out),
    }
}

#[cfg(test)]
mod tests;
