use super::{Format, tiles};

/// How the colours of a palette are stored: 16 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaletteFormat {
    /// 8 bits of alpha, 8 of intensity.
    Ia8,
    /// 5 bits of red, 6 of green, 5 of blue; opaque.
    Rgb565,
    /// 5 bits of each colour and opaque, or 4 bits of each colour with 3 of alpha, selected by the highest bit.
    Rgb5a3,
}

impl PaletteFormat {
    /// The format that the chip's code stands for.
    pub fn of_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Ia8),
            1 => Some(Self::Rgb565),
            2 => Some(Self::Rgb5a3),
            _ => None,
        }
    }

    /// Returns the name as in the specification, such as `RGB5A3`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ia8 => "IA8",
            Self::Rgb565 => "RGB565",
            Self::Rgb5a3 => "RGB5A3",
        }
    }
}

/// Colours that indices stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// RGBA, the lowest byte red.
    colors: Vec<u32>,
}

impl Palette {
    /// Decodes the whole colours of `data`.
    pub fn decode(format: PaletteFormat, data: &[u8]) -> Self {
        let color = |word: &[u8; 2]| {
            let word = u16::from_be_bytes(*word);
            match format {
                PaletteFormat::Ia8 => tiles::color_of(tiles::ia8(word)),
                PaletteFormat::Rgb565 => tiles::color_of(tiles::rgb565(word)),
                PaletteFormat::Rgb5a3 => tiles::rgb5a3(word.into()),
            }
        };
        Self { colors: data.as_chunks::<2>().0.iter().map(color).collect() }
    }

    /// Returns the number of colours.
    pub fn len(&self) -> usize {
        self.colors.len()
    }

    /// Returns true if the palette has no colours.
    pub fn is_empty(&self) -> bool {
        self.colors.is_empty()
    }

    /// Red, green, blue, alpha of each colour.
    pub fn rgba(&self) -> impl Iterator<Item = [u8; 4]> + '_ {
        self.colors.iter().map(|color| color.to_le_bytes())
    }

    pub(super) fn colors(&self) -> &[u32] {
        &self.colors
    }

    /// How many pixels of an image have an index that the palette has no colour for. `data` is made of whole tiles.
    pub(super) fn pixels_beyond(&self, format: Format, width: u32, height: u32, data: &[u8]) -> usize {
        let highest = match format {
            Format::C4 if self.len() < 16 => data.iter().map(|b| usize::from((b >> 4).max(b & 15))).max(),
            Format::C8 if self.len() < 256 => data.iter().map(|b| usize::from(*b)).max(),
            Format::C14x2 if self.len() < 0x4000 => data.as_chunks::<2>().0.iter().map(c14x2_index).max(),
            _ => None,
        };
        if highest.is_none_or(|highest| highest < self.len()) {
            return 0;
        }
        // Pixels that only fill up tiles do not count.
        let (tile_width, tile_height) = format.tile();
        let (tile_width, tile_height) = (tile_width as usize, tile_height as usize);
        let across = (width as usize).div_ceil(tile_width).max(1);
        let per_tile = tile_width.saturating_mul(tile_height);
        let indices = (0_usize..).map_while(|at| match format {
            Format::C4 => {
                let byte = data.get(at >> 1)?;
                Some(usize::from(if at & 1 == 0 { byte >> 4 } else { byte & 15 }))
            }
            Format::C8 => data.get(at).map(|b| usize::from(*b)),
            _ => data.as_chunks::<2>().0.get(at).map(c14x2_index),
        });
        let is_shown = |at: usize| {
            let (tile, inside) = (at.checked_div(per_tile)?, at.checked_rem(per_tile)?);
            let column = tile.checked_rem(across)?.checked_mul(tile_width)?;
            let row = tile.checked_div(across)?.checked_mul(tile_height)?;
            let x = column.checked_add(inside.checked_rem(tile_width)?)?;
            let y = row.checked_add(inside.checked_div(tile_width)?)?;
            Some(x < width as usize && y < height as usize)
        };
        indices.enumerate().filter(|(at, index)| *index >= self.len() && is_shown(*at) == Some(true)).count()
    }
}

fn c14x2_index(word: &[u8; 2]) -> usize {
    usize::from(u16::from_be_bytes(*word) & 0x3FFF)
}

/// Colours for every index that there can be; those that the palette lacks are transparent.
pub(super) fn table<const N: usize>(colors: &[u32]) -> [u32; N] {
    let mut table = [0; N];
    for (to, from) in table.iter_mut().zip(colors) {
        *to = *from;
    }
    table
}

/// [`table`] for indices of 14 bits, which is too large for the stack of every thread.
pub(super) fn large_table(colors: &[u32]) -> Box<[u32; 0x4000]> {
    let mut table: Vec<u32> = colors.iter().copied().take(0x4000).collect();
    table.resize(0x4000, 0);
    table.try_into().unwrap_or_else(|_| Box::new([0; 0x4000]))
}
