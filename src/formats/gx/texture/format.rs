/// How pixels are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// 4 bits of intensity, which is alpha too.
    I4,
    /// 8 bits of intensity, which is alpha too.
    I8,
    /// 4 bits of alpha, 4 of intensity.
    Ia4,
    /// 8 bits of alpha, 8 of intensity.
    Ia8,
    /// 5 bits of red, 6 of green, 5 of blue; opaque.
    Rgb565,
    /// 5 bits each and opaque, or 4 bits each with 3 of alpha: the highest bit says which.
    Rgb5a3,
    /// 8 bits each of red, green, blue and alpha.
    Rgba8,
    /// 4 bits of palette index.
    C4,
    /// 8 bits of palette index.
    C8,
    /// 14 bits of palette index.
    C14x2,
    /// Blocks of 4 × 4 pixels between two colours.
    Cmpr,
}

impl Format {
    /// All formats, by ascending code.
    pub const ALL: [Self; 11] = [
        Self::I4,
        Self::I8,
        Self::Ia4,
        Self::Ia8,
        Self::Rgb565,
        Self::Rgb5a3,
        Self::Rgba8,
        Self::C4,
        Self::C8,
        Self::C14x2,
        Self::Cmpr,
    ];

    /// The format that the chip's code stands for; `None` for codes of no texture.
    pub fn of_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.code() == code)
    }

    /// The chip's code.
    pub fn code(self) -> u8 {
        match self {
            Self::I4 => 0,
            Self::I8 => 1,
            Self::Ia4 => 2,
            Self::Ia8 => 3,
            Self::Rgb565 => 4,
            Self::Rgb5a3 => 5,
            Self::Rgba8 => 6,
            Self::C4 => 8,
            Self::C8 => 9,
            Self::C14x2 => 10,
            Self::Cmpr => 14,
        }
    }

    /// Returns the name as in the specification, such as `RGB5A3`.
    pub fn name(self) -> &'static str {
        match self {
            Self::I4 => "I4",
            Self::I8 => "I8",
            Self::Ia4 => "IA4",
            Self::Ia8 => "IA8",
            Self::Rgb565 => "RGB565",
            Self::Rgb5a3 => "RGB5A3",
            Self::Rgba8 => "RGBA8",
            Self::C4 => "C4",
            Self::C8 => "C8",
            Self::C14x2 => "C14X2",
            Self::Cmpr => "CMPR",
        }
    }

    /// Returns true if pixels are indices into a palette.
    pub fn has_palette(self) -> bool {
        matches!(self, Self::C4 | Self::C8 | Self::C14x2)
    }

    /// Returns the number of bits of one pixel.
    pub fn bits_per_pixel(self) -> u32 {
        match self {
            Self::I4 | Self::C4 | Self::Cmpr => 4,
            Self::I8 | Self::Ia4 | Self::C8 => 8,
            Self::Ia8 | Self::Rgb565 | Self::Rgb5a3 | Self::C14x2 => 16,
            Self::Rgba8 => 32,
        }
    }

    /// Width and height of a tile in pixels.
    pub fn tile(self) -> (u32, u32) {
        match self {
            Self::I4 | Self::C4 | Self::Cmpr => (8, 8),
            Self::I8 | Self::Ia4 | Self::C8 => (8, 4),
            _ => (4, 4),
        }
    }

    /// Bytes of a tile.
    pub fn tile_bytes(self) -> usize {
        if self == Self::Rgba8 { 64 } else { 32 }
    }
}

/// Bytes of an image: sides count as whole tiles. `None` where that is more than there can be.
pub fn size_of(format: Format, width: u32, height: u32) -> Option<usize> {
    let (tile_width, tile_height) = format.tile();
    let tiles = u64::from(width.div_ceil(tile_width)).checked_mul(u64::from(height.div_ceil(tile_height)))?;
    usize::try_from(tiles).ok()?.checked_mul(format.tile_bytes())
}

/// One image of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mip {
    /// Pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Bytes from the start of the chain's data.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
}

/// The images of a chain, the largest first: each side is half as long as before, at least 1 pixel. `count` 0 is taken for 1,
/// as the chip takes it.
pub fn mips(format: Format, width: u32, height: u32, count: u8) -> impl Iterator<Item = Mip> {
    let mut next = Some((width, height, 0_usize));
    std::iter::from_fn(move || {
        let (width, height, offset) = next?;
        let size = size_of(format, width, height)?;
        next = offset.checked_add(size).map(|end| ((width >> 1).max(1), (height >> 1).max(1), end));
        Some(Mip { width, height, offset, size })
    })
    .take(usize::from(count.max(1)))
}
