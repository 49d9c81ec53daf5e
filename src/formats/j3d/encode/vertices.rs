//! VTX1: arrays of what vertices are made of, in every format (formats/j3d.md §6.2).

use super::file::Chunk;

/// What a vertex is made of, by the chip's numbers; in the order in which display lists have them.
pub mod attribute {
    /// Which of a shape's matrices; three times its place.
    pub const MATRIX: u32 = 0;
    /// Texture matrix of coordinates 0 to 7: 1 to 8.
    pub const TEXTURE_MATRIX: u32 = 1;
    /// Position.
    pub const POSITION: u32 = 9;
    /// Normal.
    pub const NORMAL: u32 = 10;
    /// Colour 0; colour 1 is 12.
    pub const COLOR: u32 = 11;
    /// Texture coordinates 0 to 7: 13 to 20.
    pub const TEXTURE: u32 = 13;
    /// Normal, binormal and tangent, in the place of the normal.
    pub const NBT: u32 = 25;
}

/// Order of the offsets in the chunk.
const SLOTS: [u32; 13] = [9, 10, 25, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

/// An array of VTX1.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexArray {
    /// [`attribute`].
    pub attribute: u32,
    /// The chip's code of how many numbers there are: positions 0 XY, 1 XYZ; normals 0 XYZ, 1 NBT, 2 NBT with three indices;
    /// colours 0 RGB, 1 RGBA; texture coordinates 0 S, 1 ST.
    pub count: u32,
    /// Numbers: 0 u8, 1 s8, 2 u16, 3 s16, 4 f32. Colours: 0 RGB565, 1 RGB8, 2 RGBX8, 3 RGBA4, 4 RGBA6, 5 RGBA8.
    pub kind: u32,
    /// Numbers that are not f32 are stored times two to the power of it.
    pub shift: u8,
    /// The elements, before their conversion to [`VertexArray::kind`].
    pub data: VertexData,
}

/// What an array holds.
#[derive(Clone, Debug, PartialEq)]
pub enum VertexData {
    /// One after the other, as many each as [`VertexArray::components`] says.
    Numbers(Vec<f32>),
    /// Colours as RGBA, 8 bits a channel.
    Colors(Vec<[u8; 4]>),
}

impl VertexArray {
    /// An array of f32.
    pub fn floats(attribute: u32, count: u32, numbers: Vec<f32>) -> Self {
        Self { attribute, count, kind: 4, shift: 0, data: VertexData::Numbers(numbers) }
    }

    /// An array of 16-bit numbers with so many bits behind the point.
    pub fn shorts(attribute: u32, count: u32, shift: u8, numbers: Vec<f32>) -> Self {
        Self { attribute, count, kind: 3, shift, data: VertexData::Numbers(numbers) }
    }

    /// An array of RGBA8.
    pub fn colors(set: u32, colors: Vec<[u8; 4]>) -> Self {
        let attribute = attribute::COLOR.saturating_add(set);
        Self { attribute, count: 1, kind: 5, shift: 0, data: VertexData::Colors(colors) }
    }

    /// Numbers of an element.
    pub fn components(&self) -> usize {
        match (self.attribute, self.count) {
            (attribute::POSITION, 0) => 2,
            (attribute::POSITION, _) | (attribute::NORMAL, 0) => 3,
            // Three indices reach into vectors, one into all nine numbers.
            (attribute::NORMAL | attribute::NBT, 2) => 3,
            (attribute::NORMAL | attribute::NBT, _) => 9,
            (11 | 12, _) => 1,
            (_, 0) => 1,
            _ => 2,
        }
    }

    /// Elements.
    pub fn len(&self) -> usize {
        match &self.data {
            VertexData::Numbers(numbers) => numbers.len().checked_div(self.components()).unwrap_or(0),
            VertexData::Colors(colors) => colors.len(),
        }
    }

    /// Returns true if the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn write(&self, out: &mut Chunk) {
        match &self.data {
            VertexData::Numbers(numbers) => numbers.iter().for_each(|number| self.number(out, *number)),
            VertexData::Colors(colors) => colors.iter().for_each(|c| color(out, self.kind, *c)),
        }
    }

    fn number(&self, out: &mut Chunk, number: f32) {
        let fixed = (number * 2.0_f32.powi(i32::from(self.shift))).round();
        match self.kind {
            0 => out.u8(fixed as u8),
            1 => out.u8((fixed as i8).cast_unsigned()),
            2 => out.u16(fixed as u16),
            3 => out.i16(fixed as i16),
            _ => out.f32s(&[number]),
        }
    }
}

/// A colour in one of the six formats; parts that it has no room for are dropped.
fn color(out: &mut Chunk, kind: u32, [r, g, b, a]: [u8; 4]) {
    let bits = |value: u8, bits: u32| u32::from(value) >> 8_u32.saturating_sub(bits);
    let low = |word: u32| word.to_be_bytes();
    match kind {
        0 => {
            let [_, _, high, low] = low(bits(r, 5) << 11 | bits(g, 6) << 5 | bits(b, 5));
            out.bytes(&[high, low]);
        }
        1 => out.bytes(&[r, g, b]),
        2 => out.bytes(&[r, g, b, 0xFF]),
        3 => {
            let [_, _, high, low] = low(bits(r, 4) << 12 | bits(g, 4) << 8 | bits(b, 4) << 4 | bits(a, 4));
            out.bytes(&[high, low]);
        }
        4 => {
            let [_, high, middle, low] = low(bits(r, 6) << 18 | bits(g, 6) << 12 | bits(b, 6) << 6 | bits(a, 6));
            out.bytes(&[high, middle, low]);
        }
        _ => out.bytes(&[r, g, b, a]),
    }
}

pub(super) fn vtx1(arrays: &[VertexArray]) -> Vec<u8> {
    let mut out = Chunk::new(b"VTX1");
    let formats = out.slot();
    let slots = out.slots::<13>();
    out.align(32);
    out.fill(formats);
    for array in arrays {
        for word in [array.attribute, array.count, array.kind] {
            out.u32(word);
        }
        out.bytes(&[array.shift, 0xFF, 0xFF, 0xFF]);
    }
    for word in [0xFF, 1, 0] {
        out.u32(word);
    }
    out.bytes(&[0, 0xFF, 0xFF, 0xFF]);
    for (attribute, slot) in SLOTS.into_iter().zip(slots) {
        if let Some(array) = arrays.iter().find(|array| array.attribute == attribute) {
            out.align(32);
            out.fill(slot);
            array.write(&mut out);
        }
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_in_every_format() {
        let packed = |kind| {
            let mut out = Chunk::new(b"TEST");
            color(&mut out, kind, [0xFF, 0x80, 0x11, 0x44]);
            let size = out.offset() - 8;
            out.finish()[8..8 + size].to_vec()
        };
        assert_eq!(packed(0), [0b1111_1100, 0b0000_0010]);
        assert_eq!(packed(1), [0xFF, 0x80, 0x11]);
        assert_eq!(packed(2), [0xFF, 0x80, 0x11, 0xFF]);
        assert_eq!(packed(3), [0xF8, 0x14]);
        assert_eq!(packed(4), [0b1111_1110, 0b0000_0001, 0b0001_0001]);
        assert_eq!(packed(5), [0xFF, 0x80, 0x11, 0x44]);
    }

    #[test]
    fn numbers_are_shifted_and_kept_in_range() {
        let array = VertexArray { kind: 1, ..VertexArray::shorts(attribute::NORMAL, 0, 6, vec![1.0, -1.0, 9.0]) };
        let mut out = Chunk::new(b"TEST");
        array.write(&mut out);
        assert_eq!(out.finish()[8..11], [64, 192, 127]);
        assert_eq!(array.len(), 1);
    }
}
