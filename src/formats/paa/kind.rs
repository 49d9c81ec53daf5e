//! The kinds of pixels, and what they take.

use crate::scene::BlockKind;

/// How pixels are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelKind {
    /// BC1 blocks.
    Dxt1,
    /// BC2 blocks; colours are multiplied with their alpha.
    Dxt2,
    /// BC2 blocks.
    Dxt3,
    /// BC3 blocks; colours are multiplied with their alpha.
    Dxt4,
    /// BC3 blocks.
    Dxt5,
    /// 16 bits a pixel: 4 bits each of alpha, red, green, blue.
    Argb4444,
    /// 16 bits a pixel: 1 bit of alpha, 5 bits each of red, green, blue.
    Argb1555,
    /// 32 bits a pixel: bytes of blue, green, red, alpha.
    Argb8888,
    /// Intensity and alpha.
    Ai88,
    /// Numbers into the palette.
    Palette,
}

impl PixelKind {
    /// By the word that a file begins with.
    pub fn of_word(word: u16) -> Option<Self> {
        Some(match word {
            0xFF01 => Self::Dxt1,
            0xFF02 => Self::Dxt2,
            0xFF03 => Self::Dxt3,
            0xFF04 => Self::Dxt4,
            0xFF05 => Self::Dxt5,
            0x4444 => Self::Argb4444,
            0x1555 => Self::Argb1555,
            0x8888 => Self::Argb8888,
            0x8080 => Self::Ai88,
            _ => return None,
        })
    }

    /// Returns the name of the kind: `DXT1`, `P8`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dxt1 => "DXT1",
            Self::Dxt2 => "DXT2",
            Self::Dxt3 => "DXT3",
            Self::Dxt4 => "DXT4",
            Self::Dxt5 => "DXT5",
            Self::Argb4444 => "ARGB4444",
            Self::Argb1555 => "ARGB1555",
            Self::Argb8888 => "ARGB8888",
            Self::Ai88 => "AI88",
            Self::Palette => "P8",
        }
    }

    /// The kind of blocks that it is stored in.
    pub fn blocks(self) -> Option<BlockKind> {
        match self {
            Self::Dxt1 => Some(BlockKind::Bc1),
            Self::Dxt2 | Self::Dxt3 => Some(BlockKind::Bc2),
            Self::Dxt4 | Self::Dxt5 => Some(BlockKind::Bc3),
            _ => None,
        }
    }

    /// Colours are multiplied with their alpha.
    pub fn is_premultiplied(self) -> bool {
        matches!(self, Self::Dxt2 | Self::Dxt4)
    }

    /// Bytes of a mip, unpacked. `None` when the number overflows.
    pub fn size_of(self, width: u32, height: u32) -> Option<usize> {
        let bytes = match self {
            Self::Argb8888 => 4,
            Self::Argb4444 | Self::Argb1555 | Self::Ai88 => 2,
            Self::Palette => 1,
            _ => return self.blocks()?.size_of(width, height),
        };
        (width as usize).checked_mul(height as usize)?.checked_mul(bytes)
    }
}
