//! What a vertex of the GameCube's and Wii's graphics chip (GX) is made of, and how arrays store it (formats/j3d.md §6.2, §6.6).

use glam::{Vec2, Vec3};

/// A vertex attribute, by the chip's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Attribute(pub u32);

impl Attribute {
    /// Which of the loaded position matrices the vertex takes, × 3.
    pub const POSITION_MATRIX: Self = Self(0);
    /// The first of eight: which texture matrix a texture coordinate takes.
    pub const TEXTURE_MATRIX_0: Self = Self(1);
    /// Position of the vertex.
    pub const POSITION: Self = Self(9);
    /// Normal of the vertex.
    pub const NORMAL: Self = Self(10);
    /// First of two vertex colours.
    pub const COLOR_0: Self = Self(11);
    /// Second of two vertex colours.
    pub const COLOR_1: Self = Self(12);
    /// The first of eight sets of texture coordinates.
    pub const TEX_COORD_0: Self = Self(13);
    /// Normal, binormal and tangent together; they take the normal's place.
    pub const NBT: Self = Self(25);
    /// Ends a list.
    pub const END: Self = Self(0xFF);

    /// The chip's name for it.
    pub fn name(self) -> Option<&'static str> {
        const NAMES: [&str; 26] = [
            "PNMTXIDX",
            "TEX0MTXIDX",
            "TEX1MTXIDX",
            "TEX2MTXIDX",
            "TEX3MTXIDX",
            "TEX4MTXIDX",
            "TEX5MTXIDX",
            "TEX6MTXIDX",
            "TEX7MTXIDX",
            "POS",
            "NRM",
            "CLR0",
            "CLR1",
            "TEX0",
            "TEX1",
            "TEX2",
            "TEX3",
            "TEX4",
            "TEX5",
            "TEX6",
            "TEX7",
            "POSMTXARRAY",
            "NRMMTXARRAY",
            "TEXMTXARRAY",
            "LIGHTARRAY",
            "NBT",
        ];
        match self {
            Self::END => Some("NULL"),
            Self(code) => NAMES.get(code as usize).copied(),
        }
    }

    /// Its place in a vertex: the chip takes attributes in this order, whatever a file's list says.
    pub fn place(self) -> u32 {
        if self == Self::NBT { Self::NORMAL.0 } else { self.0 }
    }

    /// It selects a matrix and stands in the vertex itself.
    pub fn is_matrix_index(self) -> bool {
        self < Self::POSITION
    }

    /// Which of the eight texture matrix selectors it is.
    pub fn texture_matrix(self) -> Option<usize> {
        (1..=8).contains(&self.0).then(|| self.0.wrapping_sub(1) as usize)
    }

    /// Which of the eight sets of texture coordinates it is.
    pub fn tex_coord(self) -> Option<usize> {
        (13..=20).contains(&self.0).then(|| self.0.wrapping_sub(13) as usize)
    }

    /// Which of the two colours it is.
    pub fn color(self) -> Option<usize> {
        (11..=12).contains(&self.0).then(|| self.0.wrapping_sub(11) as usize)
    }
}

/// How a vertex holds an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// The value itself.
    Direct,
    /// The number of an element of the attribute's array, a byte.
    Index8,
    /// The same in two bytes.
    Index16,
}

impl Held {
    /// The chip's code: 0 is none.
    pub fn of_code(code: u32) -> Option<Self> {
        match code {
            1 => Some(Self::Direct),
            2 => Some(Self::Index8),
            3 => Some(Self::Index16),
            _ => None,
        }
    }

    /// The chip's name for the code.
    pub fn name_of_code(code: u32) -> Option<&'static str> {
        ["NONE", "DIRECT", "INDEX8", "INDEX16"].get(code as usize).copied()
    }
}

/// The type of numbers in an array; fixed-point ones are divided by a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Unsigned, 8 bits, fixed-point.
    U8,
    /// Signed, 8 bits, fixed-point.
    S8,
    /// Unsigned, 16 bits, fixed-point.
    U16,
    /// Signed, 16 bits, fixed-point.
    S16,
    /// Floating-point, 32 bits.
    F32,
}

impl Number {
    /// Returns the type of the chip's code (0 to 4); `None` for other codes.
    pub fn of_code(code: u32) -> Option<Self> {
        [Self::U8, Self::S8, Self::U16, Self::S16, Self::F32].get(code as usize).copied()
    }

    /// Returns the name as in the specification, such as `s16`.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::S8 => "s8",
            Self::U16 => "u16",
            Self::S16 => "s16",
            Self::F32 => "f32",
        }
    }

    /// Bytes.
    pub fn size(self) -> usize {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::F32 => 4,
        }
    }
}

/// How an array stores its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorKind {
    /// 5 bits of red, 6 of green, 5 of blue, in 2 bytes; opaque.
    Rgb565,
    /// Red, green and blue, a byte each; opaque.
    Rgb8,
    /// The fourth byte means nothing.
    Rgbx8,
    /// 4 bits each of red, green, blue and alpha, in 2 bytes.
    Rgba4,
    /// 6 bits each of red, green, blue and alpha, in 3 bytes.
    Rgba6,
    /// Red, green, blue and alpha, a byte each.
    Rgba8,
}

impl ColorKind {
    /// Returns the kind of the chip's code (0 to 5); `None` for other codes.
    pub fn of_code(code: u32) -> Option<Self> {
        [Self::Rgb565, Self::Rgb8, Self::Rgbx8, Self::Rgba4, Self::Rgba6, Self::Rgba8].get(code as usize).copied()
    }

    /// Returns the name as in the specification, such as `RGB565`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rgb565 => "RGB565",
            Self::Rgb8 => "RGB8",
            Self::Rgbx8 => "RGBX8",
            Self::Rgba4 => "RGBA4",
            Self::Rgba6 => "RGBA6",
            Self::Rgba8 => "RGBA8",
        }
    }

    /// Bytes of one colour.
    pub fn size(self) -> usize {
        match self {
            Self::Rgb565 | Self::Rgba4 => 2,
            Self::Rgb8 | Self::Rgba6 => 3,
            Self::Rgbx8 | Self::Rgba8 => 4,
        }
    }

    /// Red, green, blue and alpha of one colour; black where bytes are missing.
    pub fn color(self, bytes: &[u8]) -> [u8; 4] {
        let byte = |i: usize| bytes.get(i).copied().unwrap_or(0);
        let word = || u16::from_be_bytes([byte(0), byte(1)]);
        match self {
            Self::Rgb565 => {
                let word = word();
                let [r, g, b] = [(word >> 11) as u8 & 31, (word >> 5) as u8 & 63, word as u8 & 31];
                [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2, 255]
            }
            Self::Rgb8 | Self::Rgbx8 => [byte(0), byte(1), byte(2), 255],
            Self::Rgba4 => {
                let word = word();
                [word >> 12, word >> 8 & 15, word >> 4 & 15, word & 15].map(|v| (v as u8) << 4 | v as u8)
            }
            Self::Rgba6 => {
                let bits = u32::from_be_bytes([0, byte(0), byte(1), byte(2)]);
                [bits >> 18, bits >> 12, bits >> 6, bits].map(|v| {
                    let v = (v & 63) as u8;
                    v << 2 | v >> 4
                })
            }
            Self::Rgba8 => [byte(0), byte(1), byte(2), byte(3)],
        }
    }
}

/// How an array stores an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayFormat {
    /// Numbers: positions, normals, texture coordinates.
    Numbers {
        /// Type of each number.
        number: Number,
        /// Numbers of one element: 1 to 3, or 9 for normal, binormal and tangent.
        count: usize,
        /// The power of two that fixed-point numbers are divided by.
        shift: u8,
    },
    /// Colours.
    Colors(ColorKind),
}

impl ArrayFormat {
    /// From the chip's codes of the component count and type. `None` for a type that it does not have.
    pub fn of_codes(attribute: Attribute, count: u32, kind: u32, shift: u8) -> Option<Self> {
        if attribute.color().is_some() {
            return ColorKind::of_code(kind).map(Self::Colors);
        }
        let number = Number::of_code(kind)?;
        let has_nbt = attribute == Attribute::NBT || count > 0;
        let count = match attribute {
            Attribute::POSITION => {
                if count == 0 {
                    2
                } else {
                    3
                }
            }
            Attribute::NORMAL | Attribute::NBT => {
                if has_nbt {
                    9
                } else {
                    3
                }
            }
            _ => {
                if count == 0 {
                    1
                } else {
                    2
                }
            }
        };
        // The chip has fixed places for the point in normals.
        let shift = match (attribute, number) {
            (Attribute::NORMAL | Attribute::NBT, Number::S8) => 6,
            (Attribute::NORMAL | Attribute::NBT, Number::S16) => 14,
            _ => shift,
        };
        Some(Self::Numbers { number, count, shift })
    }

    /// Bytes of one element.
    pub fn stride(self) -> usize {
        match self {
            Self::Numbers { number, count, .. } => number.size().saturating_mul(count),
            Self::Colors(kind) => kind.size(),
        }
    }

    /// As descriptions write it: `s16[3] / 2^4`.
    pub fn name(self) -> String {
        match self {
            Self::Numbers { number, count, shift } => {
                let scale = if number == Number::F32 || shift == 0 { String::new() } else { format!(" / 2^{shift}") };
                format!("{}[{count}]{scale}", number.name())
            }
            Self::Colors(kind) => kind.name().to_owned(),
        }
    }

    /// The whole elements of `bytes` as rows of `N` numbers: further numbers of an element are dropped, missing ones are zero.
    pub fn rows<const N: usize>(self, bytes: &[u8]) -> Vec<[f32; N]> {
        let Self::Numbers { number, count, shift } = self else { return Vec::new() };
        let scale = 2.0_f32.powi(i32::from(shift.min(63))).recip();
        match number {
            Number::U8 => rows(bytes, count, |[v]| f32::from(v) * scale),
            Number::S8 => rows(bytes, count, |b| f32::from(i8::from_be_bytes(b)) * scale),
            Number::U16 => rows(bytes, count, |b| f32::from(u16::from_be_bytes(b)) * scale),
            Number::S16 => rows(bytes, count, |b| f32::from(i16::from_be_bytes(b)) * scale),
            Number::F32 => rows(bytes, count, f32::from_be_bytes),
        }
    }

    /// Returns the whole elements of `bytes` as 3D vectors; missing components are 0. Empty for colours.
    pub fn vectors(self, bytes: &[u8]) -> Vec<Vec3> {
        self.rows(bytes).into_iter().map(Vec3::from_array).collect()
    }

    /// Returns the whole elements of `bytes` as 2D vectors; a missing component is 0. Empty for colours.
    pub fn pairs(self, bytes: &[u8]) -> Vec<Vec2> {
        self.rows(bytes).into_iter().map(Vec2::from_array).collect()
    }

    /// Returns the whole colours of `bytes`; empty if the array contains numbers.
    pub fn colors(self, bytes: &[u8]) -> Vec<[u8; 4]> {
        match self {
            Self::Colors(kind) => bytes.chunks_exact(kind.size()).map(|b| kind.color(b)).collect(),
            Self::Numbers { .. } => Vec::new(),
        }
    }
}

/// Elements of `count` numbers of `S` bytes each.
fn rows<const N: usize, const S: usize>(bytes: &[u8], count: usize, number: impl Fn([u8; S]) -> f32) -> Vec<[f32; N]> {
    let row = |bytes: &[u8]| {
        let mut values = [0.0; N];
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<S>().0) {
            *value = number(*bytes);
        }
        values
    };
    bytes.chunks_exact(S.saturating_mul(count).max(1)).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_type_are_read() {
        let position = |kind, shift| ArrayFormat::of_codes(Attribute::POSITION, 1, kind, shift).unwrap();
        assert_eq!(position(0, 1).vectors(&[2, 4, 255]), [Vec3::new(1.0, 2.0, 127.5)]);
        assert_eq!(position(1, 0).vectors(&[0xFF, 2, 0x80, 9]), [Vec3::new(-1.0, 2.0, -128.0)]);
        assert_eq!(position(2, 8).vectors(&[0xFF, 0, 0, 0, 1, 0]), [Vec3::new(255.0, 0.0, 1.0)]);
        assert_eq!(position(3, 4).vectors(&[0xFF, 0xF0, 0, 0, 0, 0x10]), [Vec3::new(-1.0, 0.0, 1.0)]);
        assert_eq!(position(4, 9).vectors(&[0x3F, 0x80, 0, 0].repeat(3)), [Vec3::ONE]);
        assert!(ArrayFormat::of_codes(Attribute::POSITION, 1, 5, 0).is_none());
        let flat = ArrayFormat::of_codes(Attribute::POSITION, 0, 1, 0).unwrap();
        assert_eq!((flat.stride(), flat.vectors(&[1, 2])), (2, vec![Vec3::new(1.0, 2.0, 0.0)]));
    }

    #[test]
    fn normals_have_their_point_where_the_chip_has_it() {
        let normal = ArrayFormat::of_codes(Attribute::NORMAL, 0, 3, 3).unwrap();
        assert_eq!(normal.vectors(&[0x40, 0, 0xC0, 0, 0, 0]), [Vec3::new(1.0, -1.0, 0.0)]);
        let all = ArrayFormat::of_codes(Attribute::NBT, 1, 1, 0).unwrap();
        assert_eq!((all.stride(), all.name().as_str()), (9, "s8[9] / 2^6"));
        assert_eq!(all.rows::<9>(&[64, 0, 0, 0, 64, 0, 0, 0, 64])[0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn colours_of_every_type_are_read() {
        let color = |code, bytes: &[u8]| ColorKind::of_code(code).unwrap().color(bytes);
        assert_eq!(color(0, &[0xF8, 0x1F]), [255, 0, 255, 255]);
        assert_eq!(color(0, &[0x04, 0x00]), [0, 130, 0, 255]);
        assert_eq!(color(1, &[1, 2, 3]), [1, 2, 3, 255]);
        assert_eq!(color(2, &[1, 2, 3, 4]), [1, 2, 3, 255]);
        assert_eq!(color(3, &[0x1F, 0x08]), [0x11, 0xFF, 0, 0x88]);
        assert_eq!(color(4, &[0b1111_1100, 0b0000_1000, 0b0001_1111]), [255, 0, 130, 125]);
        assert_eq!(color(5, &[1, 2, 3, 4]), [1, 2, 3, 4]);
        assert_eq!(ArrayFormat::of_codes(Attribute::COLOR_1, 1, 4, 0).unwrap().colors(&[0xFF; 7]).len(), 2);
    }
}
