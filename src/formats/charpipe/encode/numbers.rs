//! Fixed-point numbers and colours of arrays (formats/charpipe.md §3).

use crate::formats::gx::encode::rgb565;

/// The type of an array's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 8 bits.
    S8,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 16 bits.
    S16,
    /// Floating point, 32 bits; the shift is ignored.
    F32,
}

/// How an array keeps numbers: `value × 2^shift`, the nearest that the type has; floats as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantization {
    /// Type of the numbers.
    pub kind: NumberKind,
    /// At most 15.
    pub shift: u8,
}

impl Quantization {
    /// Returns the format of signed 16-bit numbers with a shift.
    pub fn s16(shift: u8) -> Self {
        Self { kind: NumberKind::S16, shift }
    }

    /// Numbers of type f32.
    pub const FLOAT: Self = Self { kind: NumberKind::F32, shift: 0 };

    /// As the file says it.
    pub(super) fn code(self) -> u8 {
        let kind = match self.kind {
            NumberKind::U8 => 0x00,
            NumberKind::S8 => 0x10,
            NumberKind::U16 => 0x20,
            NumberKind::S16 => 0x30,
            NumberKind::F32 => 0x40,
        };
        kind | self.shift & 15
    }

    pub(super) fn push(self, value: f32, out: &mut Vec<u8>) {
        let scaled = (f64::from(value) * f64::from(self.shift & 15).exp2()).round();
        match self.kind {
            NumberKind::U8 => out.push(scaled as u8),
            NumberKind::S8 => out.extend((scaled as i8).to_be_bytes()),
            NumberKind::U16 => out.extend((scaled as u16).to_be_bytes()),
            NumberKind::S16 => out.extend((scaled as i16).to_be_bytes()),
            NumberKind::F32 => out.extend(value.to_be_bytes()),
        }
    }

    /// What a reader gets for a value.
    pub fn stored(self, value: f32) -> f64 {
        let scale = f64::from(self.shift & 15).exp2();
        let scaled = (f64::from(value) * scale).round();
        match self.kind {
            NumberKind::U8 => f64::from(scaled as u8) / scale,
            NumberKind::S8 => f64::from(scaled as i8) / scale,
            NumberKind::U16 => f64::from(scaled as u16) / scale,
            NumberKind::S16 => f64::from(scaled as i16) / scale,
            NumberKind::F32 => f64::from(value),
        }
    }
}

/// `value × 2^shift` as skins keep it.
pub(super) fn s16(value: f32, shift: u8) -> i16 {
    (f64::from(value) * f64::from(shift).exp2()).round() as i16
}

/// The type of an array's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorKind {
    /// 5, 6 and 5 bits in 2 bytes, without alpha.
    Rgb565,
    /// 8 bits per channel in 3 bytes, without alpha.
    Rgb8,
    /// The fourth byte is zero.
    Rgbx8,
    /// 4 bits per channel in 2 bytes.
    Rgba4,
    /// 6 bits per channel in 3 bytes.
    Rgba6,
    /// 8 bits per channel in 4 bytes.
    Rgba8,
}

impl ColorKind {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 6] = [Self::Rgb565, Self::Rgb8, Self::Rgbx8, Self::Rgba4, Self::Rgba6, Self::Rgba8];

    pub(super) fn code(self) -> u8 {
        match self {
            Self::Rgb565 => 0x00,
            Self::Rgb8 => 0x10,
            Self::Rgbx8 => 0x20,
            Self::Rgba4 => 0x30,
            Self::Rgba6 => 0x40,
            Self::Rgba8 => 0x50,
        }
    }

    /// 3, or 4 with alpha.
    pub(super) fn components(self) -> u8 {
        match self {
            Self::Rgb565 | Self::Rgb8 | Self::Rgbx8 => 3,
            Self::Rgba4 | Self::Rgba6 | Self::Rgba8 => 4,
        }
    }

    pub(super) fn push(self, color: [u8; 4], out: &mut Vec<u8>) {
        let [r, g, b, a] = color;
        let bits = |value: u8, bits: u32| u32::from(value) >> 8_u32.saturating_sub(bits);
        match self {
            Self::Rgb565 => out.extend(rgb565(color).to_be_bytes()),
            Self::Rgb8 => out.extend([r, g, b]),
            Self::Rgbx8 => out.extend([r, g, b, 0]),
            Self::Rgba4 => out.extend([r & 0xF0 | g >> 4, b & 0xF0 | a >> 4]),
            Self::Rgba6 => {
                let word = bits(r, 6) << 18 | bits(g, 6) << 12 | bits(b, 6) << 6 | bits(a, 6);
                out.extend(word.to_be_bytes().into_iter().skip(1));
            }
            Self::Rgba8 => out.extend(color),
        }
    }
}
