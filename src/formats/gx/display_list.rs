//! Display lists of GX: the primitives in a run of drawing commands, and the triangles they stand for (formats/j3d.md §6.6).

use super::vertex::{Attribute, Held};
use crate::bytes::numbers::counted;

/// What a command draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// Separate quads of four vertices each (0x80, 0x88).
    Quads,
    /// Separate triangles of three vertices each (0x90).
    Triangles,
    /// Triangles that each share two vertices with the previous one (0x98).
    TriangleStrip,
    /// Triangles that all share the first vertex (0xA0).
    TriangleFan,
    /// Separate lines of two vertices each (0xA8).
    Lines,
    /// Lines that connect all vertices in order (0xB0).
    LineStrip,
    /// Single points (0xB8).
    Points,
}

impl Primitive {
    /// From a command byte, whose low three bits select the vertex format.
    pub fn of_command(command: u8) -> Option<Self> {
        match command & 0xF8 {
            0x80 | 0x88 => Some(Self::Quads),
            0x90 => Some(Self::Triangles),
            0x98 => Some(Self::TriangleStrip),
            0xA0 => Some(Self::TriangleFan),
            0xA8 => Some(Self::Lines),
            0xB0 => Some(Self::LineStrip),
            0xB8 => Some(Self::Points),
            _ => None,
        }
    }

    /// Returns the name for display, such as `triangle strip`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quads => "quads",
            Self::Triangles => "triangles",
            Self::TriangleStrip => "triangle strip",
            Self::TriangleFan => "triangle fan",
            Self::Lines => "lines",
            Self::LineStrip => "line strip",
            Self::Points => "points",
        }
    }

    /// Adds the triangles of a primitive whose vertices are `corners`, turned over: the chip's front faces are clockwise, the
    /// scene's are not. Vertices that complete no triangle are dropped.
    pub fn triangulate(self, corners: &[u32], indices: &mut Vec<u32>) {
        match (self, corners) {
            (Self::Triangles, corners) => {
                for [a, b, c] in corners.as_chunks::<3>().0 {
                    indices.extend([*a, *c, *b]);
                }
            }
            (Self::TriangleStrip, corners) => {
                for (index, triangle) in corners.windows(3).enumerate() {
                    if let [a, b, c] = triangle {
                        indices.extend(if index & 1 == 0 { [*a, *c, *b] } else { [*a, *b, *c] });
                    }
                }
            }
            (Self::TriangleFan, [first, rest @ ..]) => {
                for edge in rest.windows(2) {
                    if let [b, c] = edge {
                        indices.extend([*first, *c, *b]);
                    }
                }
            }
            (Self::Quads, corners) => {
                for [a, b, c, d] in corners.as_chunks::<4>().0 {
                    indices.extend([*a, *c, *b, *a, *d, *c]);
                }
            }
            (Self::Lines | Self::LineStrip | Self::Points | Self::TriangleFan, _) => {}
        }
    }

    /// Adds the lines of a primitive whose vertices are `corners`.
    pub fn lines(self, corners: &[u32], lines: &mut Vec<[u32; 2]>) {
        match self {
            Self::Lines => lines.extend(corners.as_chunks::<2>().0),
            Self::LineStrip => lines.extend(corners.windows(2).filter_map(|l| <[u32; 2]>::try_from(l).ok())),
            _ => {}
        }
    }
}

/// One number of a vertex in a display list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// Attribute that the number belongs to.
    pub attribute: Attribute,
    /// Which of the three indices of normal, binormal and tangent; 0 for everything else.
    pub part: u8,
    /// Two bytes instead of one.
    pub wide: bool,
}

impl Column {
    /// Bytes.
    pub fn size(self) -> usize {
        if self.wide { 2 } else { 1 }
    }
}

/// The columns of a vertex with these attributes, in the order given. `None` for an attribute whose value stands in the vertex
/// itself and is no matrix index (models do not have it). `nbt_indices` is how many indices normal, binormal and tangent
/// together have: 1 or 3.
pub fn columns(attributes: &[(Attribute, Held)], nbt_indices: u8) -> Option<Vec<Column>> {
    let mut columns = Vec::with_capacity(attributes.len());
    for (attribute, held) in attributes {
        if *held == Held::Direct && !attribute.is_matrix_index() {
            return None;
        }
        let is_nbt = matches!(*attribute, Attribute::NBT | Attribute::NORMAL);
        let parts = if is_nbt { nbt_indices.max(1) } else { 1 };
        columns.extend((0..parts).map(|part| Column { attribute: *attribute, part, wide: *held == Held::Index16 }));
    }
    Some(columns)
}

/// The part of the chip whose registers a command sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Blending and texture units, one register at a time.
    Bp,
    /// The command processor, one register at a time.
    Cp,
    /// The transform unit, a run of its memory.
    Xf,
}

impl Unit {
    /// From a command byte.
    pub fn of_command(command: u8) -> Option<Self> {
        match command {
            0x61 => Some(Self::Bp),
            0x08 => Some(Self::Cp),
            0x10 => Some(Self::Xf),
            _ => None,
        }
    }

    /// The command's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bp => "BP register",
            Self::Cp => "CP register",
            Self::Xf => "XF memory",
        }
    }

    /// Bytes of a command that begins with `bytes`.
    fn size(self, bytes: &[u8]) -> usize {
        match self {
            Self::Bp => 5,
            Self::Cp => 6,
            Self::Xf => {
                let more = bytes.get(1..3).and_then(|b| b.try_into().ok()).map_or(0, u16::from_be_bytes);
                usize::from(more).saturating_mul(4).saturating_add(9)
            }
        }
    }
}

/// A command of a display list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Bytes that do nothing.
    Nothing {
        /// Offset of the first byte, from the list's start.
        offset: usize,
        /// Number of bytes.
        size: usize,
    },
    /// Sets registers of the chip.
    Load {
        /// Offset of the command byte, from the list's start.
        offset: usize,
        /// Bytes of the whole command.
        size: usize,
        /// Part of the chip whose registers are set.
        unit: Unit,
    },
    /// Draws a primitive.
    Draw {
        /// Of the command byte, from the list's start.
        offset: usize,
        /// Kind of the primitive.
        primitive: Primitive,
        /// Number of vertices.
        count: u16,
        /// `count` vertices.
        vertices: &'a [u8],
    },
}

/// A display list cannot be read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadList {
    /// A command byte is neither a primitive, a register load nor 0.
    #[error("unknown command {command:#04X} at offset {offset} of the display list")]
    Unknown {
        /// Command byte.
        command: u8,
        /// Offset of the command byte, from the list's start.
        offset: usize,
    },
    /// The vertices of a command extend past the end of the list.
    #[error(
        "the vertex data of the command at offset {offset} ({}) extends past the end of the display list",
        counted(.count, "vertex")
    )]
    Short {
        /// Number of vertices that the command states; 65535 if the count itself is cut off.
        count: u16,
        /// Offset of the command byte, from the list's start.
        offset: usize,
    },
    /// The registers of a load command extend past the end of the list.
    #[error("the registers of the command at offset {offset} extend past the end of the display list")]
    ShortLoad {
        /// Offset of the command byte, from the list's start.
        offset: usize,
    },
}

/// The commands of a display list, one after the other; ends after the first that cannot be read.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    bytes: &'a [u8],
    position: usize,
    vertex_size: usize,
}

impl<'a> Commands<'a> {
    /// `vertex_size` is the sum of the vertex's columns, in bytes.
    pub fn new(bytes: &'a [u8], vertex_size: usize) -> Self {
        Self { bytes, position: 0, vertex_size }
    }
}

impl<'a> Iterator for Commands<'a> {
    type Item = Result<Command<'a>, BadList>;

    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.position;
        let rest = self.bytes.get(offset..).filter(|rest| !rest.is_empty())?;
        let idle = rest.iter().take_while(|b| **b == 0).count();
        if idle > 0 {
            self.position = offset.saturating_add(idle);
            return Some(Ok(Command::Nothing { offset, size: idle }));
        }
        // Whatever comes of it, a bad command is the last.
        self.position = self.bytes.len();
        let command = rest.first().copied().unwrap_or(0);
        let Some(primitive) = Primitive::of_command(command) else {
            let Some(unit) = Unit::of_command(command) else {
                return Some(Err(BadList::Unknown { command, offset }));
            };
            let size = unit.size(rest);
            if size > rest.len() {
                return Some(Err(BadList::ShortLoad { offset }));
            }
            self.position = offset.saturating_add(size);
            return Some(Ok(Command::Load { offset, size, unit }));
        };
        let count = rest.get(1..3).and_then(|b| b.try_into().ok()).map_or(u16::MAX, u16::from_be_bytes);
        let end = usize::from(count).saturating_mul(self.vertex_size).saturating_add(3);
        let Some(vertices) = rest.get(3..end) else {
            return Some(Err(BadList::Short { count, offset }));
        };
        self.position = offset.saturating_add(end);
        Some(Ok(Command::Draw { offset, primitive, count, vertices }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangles(primitive: Primitive, corners: &[u32]) -> Vec<u32> {
        let mut indices = Vec::new();
        primitive.triangulate(corners, &mut indices);
        indices
    }

    #[test]
    fn primitives_become_triangles_that_face_the_other_way() {
        assert_eq!(triangles(Primitive::Triangles, &[0, 1, 2, 3, 4, 5, 6]), [0, 2, 1, 3, 5, 4]);
        assert_eq!(triangles(Primitive::TriangleStrip, &[0, 1, 2, 3, 4]), [0, 2, 1, 1, 2, 3, 2, 4, 3]);
        assert_eq!(triangles(Primitive::TriangleFan, &[0, 1, 2, 3]), [0, 2, 1, 0, 3, 2]);
        assert_eq!(triangles(Primitive::Quads, &[0, 1, 2, 3, 9]), [0, 2, 1, 0, 3, 2]);
        assert!(
            triangles(Primitive::Points, &[0, 1, 2]).is_empty() && triangles(Primitive::TriangleFan, &[]).is_empty()
        );
    }

    #[test]
    fn lines_stay_lines() {
        let mut lines = Vec::new();
        Primitive::LineStrip.lines(&[0, 1, 2], &mut lines);
        Primitive::Lines.lines(&[5, 6, 7], &mut lines);
        Primitive::Triangles.lines(&[5, 6, 7], &mut lines);
        assert_eq!(lines, [[0, 1], [1, 2], [5, 6]]);
    }

    #[test]
    fn a_list_is_read_to_its_end_or_to_its_fault() {
        let bytes = [0x98, 0, 3, 1, 2, 3, 0, 0, 0xB9, 0, 1, 7, 0];
        let list: Vec<_> = Commands::new(&bytes, 1).map(Result::unwrap).collect();
        assert_eq!(list.len(), 4);
        assert_eq!(
            list[0],
            Command::Draw { offset: 0, primitive: Primitive::TriangleStrip, count: 3, vertices: &[1, 2, 3] }
        );
        assert_eq!(list[1], Command::Nothing { offset: 6, size: 2 });
        assert!(matches!(list[2], Command::Draw { offset: 8, primitive: Primitive::Points, .. }));
        let ends = |bytes: &[u8], size| Commands::new(bytes, size).last().unwrap().unwrap_err();
        assert_eq!(ends(&[0, 0x41, 2], 1), BadList::Unknown { command: 0x41, offset: 1 });
        assert_eq!(ends(&[0x90, 0, 3, 1, 2, 3], 2), BadList::Short { count: 3, offset: 0 });
        assert!(matches!(ends(&[0x90, 0], 2), BadList::Short { .. }));
        assert!(matches!(ends(&[0x90, 0xFF, 0xFF], usize::MAX), BadList::Short { .. }));
    }

    #[test]
    fn registers_are_passed_over() {
        let bytes =
            [0x61, 1, 2, 3, 4, 0x08, 1, 2, 3, 4, 5, 0x10, 0, 1, 0x10, 0x18, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0xB8, 0, 0];
        let list: Vec<_> = Commands::new(&bytes, 1).map(Result::unwrap).collect();
        assert_eq!(list[0], Command::Load { offset: 0, size: 5, unit: Unit::Bp });
        assert_eq!(list[1], Command::Load { offset: 5, size: 6, unit: Unit::Cp });
        assert_eq!(list[2], Command::Load { offset: 11, size: 13, unit: Unit::Xf });
        assert_eq!((list[3], list.len()), (Command::Nothing { offset: 24, size: 1 }, 5));
        for cut in [1, 4, 8, 13, 20] {
            assert!(matches!(Commands::new(&bytes[..cut], 1).last(), Some(Err(BadList::ShortLoad { .. }))), "{cut}");
        }
    }

    #[test]
    fn columns_follow_the_attributes() {
        let list = [
            (Attribute::POSITION_MATRIX, Held::Direct),
            (Attribute::POSITION, Held::Index16),
            (Attribute::NBT, Held::Index8),
        ];
        let columns = columns(&list, 3).unwrap();
        assert_eq!(
            columns.iter().map(|c| (c.attribute.0, c.part, c.size())).collect::<Vec<_>>(),
            [(0, 0, 1), (9, 0, 2), (25, 0, 1), (25, 1, 1), (25, 2, 1)]
        );
        assert!(super::columns(&[(Attribute::POSITION, Held::Direct)], 1).is_none());
    }
}
