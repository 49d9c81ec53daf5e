//! SHP1: shapes, their matrices and display lists (formats/j3d.md §6.6).

use super::{
    file::{Chunk, count16, count32},
    vertices::attribute,
};

/// What a display list draws; the chip's opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrimitiveKind {
    /// Separate quads of four vertices each.
    Quads,
    /// Quads once more, under another number.
    Quads2,
    /// Separate triangles of three vertices each.
    Triangles,
    /// Triangles that each share two vertices with the previous one.
    Strip,
    /// Triangles that all share the first vertex.
    Fan,
    /// Separate lines of two vertices each.
    Lines,
    /// Lines that connect all vertices in order.
    LineStrip,
    /// Single points.
    Points,
}

impl PrimitiveKind {
    /// Every kind, by its opcode.
    pub const ALL: [Self; 8] = [
        Self::Quads,
        Self::Quads2,
        Self::Triangles,
        Self::Strip,
        Self::Fan,
        Self::Lines,
        Self::LineStrip,
        Self::Points,
    ];

    fn opcode(self) -> u8 {
        match self {
            Self::Quads => 0x80,
            Self::Quads2 => 0x88,
            Self::Triangles => 0x90,
            Self::Strip => 0x98,
            Self::Fan => 0xA0,
            Self::Lines => 0xA8,
            Self::LineStrip => 0xB0,
            Self::Points => 0xB8,
        }
    }
}

/// How a vertex names an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexKind {
    /// One byte in the list itself: matrices alone.
    Direct,
    /// Index into the attribute's array, in one byte.
    Index8,
    /// Index into the attribute's array, in two bytes.
    Index16,
}

/// An attribute of a shape's vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeAttribute {
    /// [`attribute`].
    pub attribute: u32,
    /// Storage of the attribute in a vertex.
    pub index: IndexKind,
    /// Numbers that each vertex has for it: 3 for normals with binormals and tangents by three indices, else 1.
    pub numbers: usize,
}

impl ShapeAttribute {
    /// One direct byte.
    pub fn direct(attribute: u32) -> Self {
        Self { attribute, index: IndexKind::Direct, numbers: 1 }
    }

    /// One index of 8 bits.
    pub fn index8(attribute: u32) -> Self {
        Self { attribute, index: IndexKind::Index8, numbers: 1 }
    }

    /// One index of 16 bits.
    pub fn index16(attribute: u32) -> Self {
        Self { attribute, index: IndexKind::Index16, numbers: 1 }
    }

    /// Where the chip has it in a vertex.
    fn place(&self) -> u32 {
        if self.attribute == attribute::NBT { attribute::NORMAL } else { self.attribute }
    }
}

/// A run of vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Kind of the primitive.
    pub kind: PrimitiveKind,
    /// Numbers in the order of [`Shape::attributes`].
    pub vertices: Vec<Vec<u16>>,
}

/// Vertices that share a set of matrices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The draw matrix of a shape with one matrix at once (types 0 to 2).
    pub matrix: u16,
    /// The draw matrices of a shape with many (type 3), at most ten; 0xFFFF keeps what the group before had there.
    pub matrices: Vec<u16>,
    /// Primitives of the display list, in order.
    pub primitives: Vec<Primitive>,
}

/// A shape: what is drawn with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// 0 one matrix, 1 billboard, 2 billboard that stands upright, 3 many matrices.
    pub matrix_type: u8,
    /// Attributes of each vertex; without [`Shape::as_declared`] they are written in the chip's order.
    pub attributes: Vec<ShapeAttribute>,
    /// Groups, each with a display list of its own.
    pub groups: Vec<Group>,
    /// Vertices have their numbers in the order of the attributes, not in the chip's: as some tools have it.
    pub as_declared: bool,
    /// Bounding radius.
    pub radius: f32,
    /// Lower and upper corner of the bounding box.
    pub bounds: [[f32; 3]; 2],
}

impl Shape {
    fn list(&self) -> Vec<u32> {
        let pairs = self.attributes.iter().flat_map(|a| {
            let kind = match a.index {
                IndexKind::Direct => 1,
                IndexKind::Index8 => 2,
                IndexKind::Index16 => 3,
            };
            [a.attribute, kind]
        });
        pairs.chain([0xFF, 0]).collect()
    }

    fn display_list(&self, group: &Group) -> Vec<u8> {
        let mut out = Vec::new();
        for primitive in &group.primitives {
            out.push(primitive.kind.opcode());
            out.extend_from_slice(&count16(primitive.vertices.len()).to_be_bytes());
            for vertex in &primitive.vertices {
                self.vertex(vertex, &mut out);
            }
        }
        out.resize(out.len().checked_next_multiple_of(32).unwrap_or(out.len()), 0);
        out
    }

    fn vertex(&self, numbers: &[u16], out: &mut Vec<u8>) {
        let mut parts = Vec::with_capacity(self.attributes.len());
        let mut rest = numbers;
        for attribute in &self.attributes {
            let (own, others) = rest.split_at_checked(attribute.numbers).unwrap_or((rest, &[]));
            parts.push((attribute, own));
            rest = others;
        }
        if !self.as_declared {
            parts.sort_by_key(|(attribute, _)| attribute.place());
        }
        for (attribute, own) in parts {
            for number in own {
                let [high, low] = number.to_be_bytes();
                match attribute.index {
                    IndexKind::Index16 => out.extend_from_slice(&[high, low]),
                    IndexKind::Direct | IndexKind::Index8 => out.push(low),
                }
            }
        }
    }
}

pub(super) fn shp1(shapes: &[Shape]) -> Vec<u8> {
    let mut lists: Vec<Vec<u32>> = Vec::new();
    let mut list_offsets = Vec::new();
    for shape in shapes {
        let list = shape.list();
        let known = lists.iter().position(|l| *l == list).unwrap_or_else(|| {
            lists.push(list);
            lists.len().saturating_sub(1)
        });
        list_offsets.push(lists.iter().take(known).map(|l| l.len().saturating_mul(4)).sum::<usize>());
    }
    let mut out = Chunk::new(b"SHP1");
    out.u16(count16(shapes.len()));
    out.u16(0xFFFF);
    let [table, remap, _names, attributes, matrices, lists_at, groups_at, draws_at] = out.slots();
    out.fill(table);
    let mut first = 0_usize;
    for (shape, offset) in shapes.iter().zip(list_offsets) {
        out.u8(shape.matrix_type);
        out.u8(0xFF);
        out.u16(count16(shape.groups.len()));
        out.u16(count16(offset));
        out.u16(count16(first));
        out.u16(count16(first));
        out.u16(0xFFFF);
        out.f32s(&[shape.radius]);
        shape.bounds.iter().for_each(|corner| out.f32s(corner));
        first = first.saturating_add(shape.groups.len());
    }
    out.fill(remap);
    (0..shapes.len()).for_each(|shape| out.u16(count16(shape)));
    out.align(32);
    out.fill(attributes);
    lists.iter().flatten().for_each(|word| out.u32(*word));
    out.fill(matrices);
    let mut group_rows: Vec<(u16, u16, u32)> = Vec::new();
    let mut written = 0_usize;
    for shape in shapes {
        for group in &shape.groups {
            let own =
                if shape.matrix_type == 3 { group.matrices.as_slice() } else { std::slice::from_ref(&group.matrix) };
            let used = own.first().copied().unwrap_or(0);
            group_rows.push((
                if shape.matrix_type == 3 { used } else { group.matrix },
                count16(own.len()),
                count32(written),
            ));
            out.u16s(own);
            written = written.saturating_add(own.len());
        }
    }
    out.align(32);
    out.fill(lists_at);
    let start = out.offset();
    let mut draws = Vec::new();
    for shape in shapes {
        for group in &shape.groups {
            let list = shape.display_list(group);
            draws.push((count32(list.len()), count32(out.offset().saturating_sub(start))));
            out.bytes(&list);
        }
    }
    out.fill(groups_at);
    for (matrix, count, first) in group_rows {
        out.u16s(&[matrix, count]);
        out.u32(first);
    }
    out.fill(draws_at);
    for (size, offset) in draws {
        out.u32(size);
        out.u32(offset);
    }
    out.finish()
}
