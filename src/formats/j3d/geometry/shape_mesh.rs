//! A shape as a mesh: points in the spaces of their draw matrices, vertices numbered once, triangles turned over
//! (formats/j3d.md §6.6, §6.7).

use super::{
    Shp1, Vtx1,
    layout::{ArrayLengths, VertexLayout},
    shp1::{MatrixGroup, StoredShape},
};
use crate::{
    bytes::Source,
    formats::gx::{
        dedup::Dedup,
        display_list::{Command, Commands},
        vertex::Attribute,
    },
    scene::{Billboard, Influence, Mesh, Run, Skin},
};
use glam::{Vec2, Vec3};

/// Matrices that are loaded at a time.
const SLOTS: usize = 10;
/// A slot keeps what it has.
const KEEP: u16 = 0xFFFF;
/// Numbers of 16 bits in one word of a key.
const LANES: usize = 4;

/// What shapes are made of.
pub struct Parts<'a> {
    pub source: &'a Source,
    pub shp1: &'a Shp1,
    pub vtx1: &'a Vtx1,
    pub arrays: ArrayLengths,
    /// Draw matrices of the model; 0 for one without joints.
    pub matrix_count: usize,
}

/// What was wrong with a shape that is drawn all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Vertices with an index past the end of its array.
    pub bad_indices: usize,
    /// Matrices that are not there or were never loaded.
    pub bad_matrices: usize,
    pub is_declared_order: bool,
}

/// The mesh of a shape, without name and surface.
///
/// # Errors
/// One sentence, with the offset it is about, for a shape that cannot be read.
pub fn mesh(parts: &Parts<'_>, shape: &StoredShape) -> Result<(Mesh, Faults), (u64, String)> {
    let shp1 = parts.shp1;
    let outside = |what: &str| (shp1.range.start, format!("its {what} are missing"));
    let attributes = shp1.attribute_lists.get(&shape.attribute_list).ok_or_else(|| outside("attributes"))?;
    let count = usize::from(shape.group_count);
    let part = |first: u16| usize::from(first)..usize::from(first).saturating_add(count);
    let groups = shp1.matrix_groups.get(part(shape.first_matrix_group)).ok_or_else(|| outside("matrix groups"))?;
    let draws = shp1.draws.get(part(shape.first_draw)).ok_or_else(|| outside("display lists"))?;
    let lists: Option<Vec<(u64, &[u8])>> = draws.iter().map(|draw| shp1.list(parts.source, *draw)).collect();
    let lists = lists.ok_or_else(|| outside("display lists"))?;
    let bytes = lists.iter().map(|(_, bytes)| *bytes);
    let layout = VertexLayout::of(attributes, &parts.arrays, bytes).map_err(|why| (shp1.range.start, why))?;
    let numbers = layout.columns.len().saturating_add(1);
    let (mut mesh, mut faults) = match numbers.div_ceil(LANES) {
        0 | 1 => Builder::<1>::new(parts, shape, &layout).mesh(groups, &lists)?,
        2 => Builder::<2>::new(parts, shape, &layout).mesh(groups, &lists)?,
        3 => Builder::<3>::new(parts, shape, &layout).mesh(groups, &lists)?,
        4..=6 => Builder::<6>::new(parts, shape, &layout).mesh(groups, &lists)?,
        _ => return Err((shp1.range.start, "its vertices have too many attributes".to_owned())),
    };
    faults.is_declared_order = layout.is_declared_order;
    mesh.billboard = match shape.matrix_type {
        1 => Billboard::Full,
        2 => Billboard::UprightY,
        _ => Billboard::None,
    };
    Ok((mesh, faults))
}

/// Gathers the vertices of a shape. A key's first number is the draw matrix, the others are the vertex's columns.
struct Builder<'a, const W: usize> {
    parts: &'a Parts<'a>,
    shape: &'a StoredShape,
    layout: &'a VertexLayout,
    /// Column of the matrix selector.
    selector: Option<usize>,
    vertices: Dedup<W>,
    indices: Vec<u32>,
    lines: Vec<[u32; 2]>,
    slots: [u16; SLOTS],
    faults: Faults,
}

impl<'a, const W: usize> Builder<'a, W> {
    fn new(parts: &'a Parts<'a>, shape: &'a StoredShape, layout: &'a VertexLayout) -> Self {
        let is_selector = |a: Attribute| a == Attribute::POSITION_MATRIX && shape.matrix_type == 3;
        Self {
            parts,
            shape,
            layout,
            selector: layout.columns.iter().position(|c| is_selector(c.attribute)),
            vertices: Dedup::new(),
            indices: Vec::new(),
            lines: Vec::new(),
            slots: [KEEP; SLOTS],
            faults: Faults::default(),
        }
    }

    fn mesh(mut self, groups: &[MatrixGroup], lists: &[(u64, &[u8])]) -> Result<(Mesh, Faults), (u64, String)> {
        let mut corners = Vec::new();
        for (group, (at, bytes)) in groups.iter().zip(lists) {
            let matrices = self.matrices(group);
            for command in Commands::new(bytes, self.layout.vertex_size) {
                match command.map_err(|bad| (*at, bad.to_string()))? {
                    Command::Nothing { .. } | Command::Load { .. } => {}
                    Command::Draw { primitive, vertices, .. } => {
                        corners.clear();
                        self.corners(vertices, &matrices, &mut corners);
                        primitive.lines(&corners, &mut self.lines);
                        primitive.triangulate(&corners, &mut self.indices);
                    }
                }
            }
        }
        Ok(self.finish())
    }

    /// The draw matrices that a group's vertices select from.
    fn matrices(&mut self, group: &MatrixGroup) -> [u16; SLOTS] {
        if self.shape.matrix_type == 3 {
            for (index, slot) in (0..u32::from(group.count)).zip(&mut self.slots) {
                let at = group.first.saturating_add(index) as usize;
                match self.parts.shp1.matrix_table.get(at) {
                    Some(&KEEP) => {}
                    Some(matrix) => *slot = *matrix,
                    None => self.faults.bad_matrices = self.faults.bad_matrices.saturating_add(1),
                }
            }
        } else {
            self.slots = [group.use_matrix; SLOTS];
        }
        let mut slots = self.slots;
        let loaded = if self.shape.matrix_type == 3 { usize::from(group.count) } else { 1 };
        for (index, slot) in slots.iter_mut().enumerate() {
            if usize::from(*slot) >= self.parts.matrix_count {
                // What was never loaded and is not asked for here is as it should be.
                let counts = index < loaded && self.parts.matrix_count > 0;
                self.faults.bad_matrices = self.faults.bad_matrices.saturating_add(usize::from(counts));
                *slot = 0;
            }
        }
        slots
    }

    /// Numbers the vertices of a primitive.
    fn corners(&mut self, vertices: &[u8], matrices: &[u16; SLOTS], corners: &mut Vec<u32>) {
        for vertex in vertices.chunks_exact(self.layout.vertex_size.max(1)) {
            let mut key = [0_u64; W];
            let mut matrix = matrices.first().copied().unwrap_or(0);
            let mut rest = vertex;
            for (column, lane) in self.layout.columns.iter().zip(1_usize..) {
                let (value, after) = match rest {
                    [high, low, after @ ..] if column.wide => (u16::from_be_bytes([*high, *low]), after),
                    [byte, after @ ..] => (u16::from(*byte), after),
                    [] => (0, rest),
                };
                rest = after;
                if self.selector == lane.checked_sub(1) {
                    match matrices.get(usize::from(value / 3)) {
                        Some(selected) => matrix = *selected,
                        None => self.faults.bad_matrices = self.faults.bad_matrices.saturating_add(1),
                    }
                } else {
                    put(&mut key, lane, value);
                }
            }
            put(&mut key, 0, matrix);
            corners.push(self.vertices.number(key));
        }
    }

    fn finish(self) -> (Mesh, Faults) {
        let vtx1 = self.parts.vtx1;
        let keys = self.vertices.keys();
        let mut mesh = Mesh { indices: self.indices, lines: self.lines, ..Mesh::default() };
        let mut faults = self.faults;
        let mut columns = Columns { keys, bad: vec![false; keys.len()] };
        let mut matrix_slots: Option<Vec<[u8; 8]>> = None;
        for (column, lane) in self.layout.columns.iter().zip(1_usize..) {
            let attribute = column.attribute;
            if attribute == Attribute::POSITION {
                mesh.vertex_sources = keys.iter().map(|key| u32::from(get(key, lane))).collect();
                columns.check(lane, vtx1.positions.len());
            } else if let Attribute::NORMAL | Attribute::NBT = attribute {
                let array = if attribute == Attribute::NBT { &vtx1.nbt } else { &vtx1.normals };
                let tangents = || if mesh.tangents.is_empty() { vec![[Vec3::ZERO; 2]; keys.len()] } else { Vec::new() };
                match column.part {
                    0 => {
                        mesh.normals = columns.take(lane, &array.normals, Vec3::ZERO);
                        if !array.tangents.is_empty() {
                            mesh.tangents = columns.take(lane, &array.tangents, [Vec3::ZERO; 2]);
                        }
                    }
                    // Each of three indices has its own element to take its third of.
                    part => {
                        if mesh.tangents.is_empty() {
                            mesh.tangents = tangents();
                        }
                        let values = columns.take(lane, &array.tangents, [Vec3::ZERO; 2]);
                        let third = usize::from(part.saturating_sub(1)).min(1);
                        for (own, values) in mesh.tangents.iter_mut().zip(values) {
                            if let (Some(own), Some(value)) = (own.get_mut(third), values.get(third)) {
                                *own = *value;
                            }
                        }
                    }
                }
            } else if let Some(index) = attribute.color() {
                let array = vtx1.colors.get(index).map(Vec::as_slice).unwrap_or_default();
                let colors = columns.take(lane, array, [0xFF; 4]);
                if index == 0 { mesh.colors = colors } else { mesh.second_colors = colors }
            } else if let Some(index) = attribute.tex_coord() {
                let array = vtx1.tex_coords.get(index).map(Vec::as_slice).unwrap_or_default();
                if mesh.uv_sets.len() <= index {
                    mesh.uv_sets.resize(index.saturating_add(1), Vec::new());
                }
                let pairs = columns.take(lane, array, Vec2::ZERO);
                if let Some(set) = mesh.uv_sets.get_mut(index) {
                    *set = pairs;
                }
            } else if let Some(index) = attribute.texture_matrix() {
                let slots = matrix_slots.get_or_insert_with(|| vec![[0xFF; 8]; keys.len()]);
                for (slots, key) in slots.iter_mut().zip(keys) {
                    let slot = (get(key, lane) / 3).checked_sub(10).filter(|slot| *slot < 10);
                    if let (Some(own), Some(slot)) = (slots.get_mut(index), slot) {
                        *own = slot as u8;
                    }
                }
            }
        }
        faults.bad_indices = columns.bad.iter().filter(|bad| **bad).count();
        mesh.texture_matrix_slots = matrix_slots.unwrap_or_default();
        points(vtx1, keys, self.parts.matrix_count > 0, &mut mesh);
        (mesh, faults)
    }
}

/// Puts a number of 16 bits into a key.
fn put<const W: usize>(key: &mut [u64; W], lane: usize, value: u16) {
    if let Some(word) = key.get_mut(lane / LANES) {
        *word |= u64::from(value) << (lane % LANES).wrapping_mul(16);
    }
}

fn get<const W: usize>(key: &[u64; W], lane: usize) -> u16 {
    key.get(lane / LANES).map_or(0, |word| (word >> (lane % LANES).wrapping_mul(16)) as u16)
}

/// The vertices, column by column.
struct Columns<'a, const W: usize> {
    keys: &'a [[u64; W]],
    /// Vertices with an index past the end.
    bad: Vec<bool>,
}

impl<const W: usize> Columns<'_, W> {
    /// The elements that a column selects; `missing` for those that are not there.
    fn take<T: Copy>(&mut self, lane: usize, array: &[T], missing: T) -> Vec<T> {
        let element = |(key, bad): (&[u64; W], &mut bool)| {
            let found = array.get(usize::from(get(key, lane)));
            *bad |= found.is_none();
            found.copied().unwrap_or(missing)
        };
        self.keys.iter().zip(&mut self.bad).map(element).collect()
    }

    fn check(&mut self, lane: usize, length: usize) {
        for (key, bad) in self.keys.iter().zip(&mut self.bad) {
            *bad |= usize::from(get(key, lane)) >= length;
        }
    }
}

/// Points are positions with the draw matrix that moves them.
fn points<const W: usize>(vtx1: &Vtx1, keys: &[[u64; W]], has_matrices: bool, mesh: &mut Mesh) {
    let mut points = Dedup::<1>::new();
    mesh.vertex_sources.resize(keys.len(), u32::from(u16::MAX));
    let number =
        |(key, position): (&[u64; W], &u32)| points.number([u64::from(get(key, 0)) << 32 | u64::from(*position)]);
    mesh.vertex_points = keys.iter().zip(&mesh.vertex_sources).map(number).collect();
    let position = |[key]: &[u64; 1]| vtx1.positions.get((*key & 0xFFFF_FFFF) as usize).copied().unwrap_or_default();
    mesh.points = points.keys().iter().map(position).collect();
    if has_matrices {
        let influence = |[key]: &[u64; 1]| Influence { joint: (*key >> 32) as u32, weight: 1.0 };
        let runs = (0..points.keys().len() as u32).map(|first| Run { first, count: 1 });
        mesh.skin = Some(Skin {
            runs: runs.collect(),
            influences: points.keys().iter().map(influence).collect(),
            ..Skin::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{
        gx::vertex::Held,
        j3d::geometry::{shp1::Draw, vtx1::Normals},
    };
    use std::collections::HashMap;

    const SHAPE: StoredShape = StoredShape {
        matrix_type: 3,
        group_count: 0,
        attribute_list: 0,
        first_matrix_group: 0,
        first_draw: 0,
        radius: 0.0,
        box_min: [0.0; 3],
        box_max: [0.0; 3],
    };

    /// A shape of these groups: the matrices that each loads, and its display list.
    fn made(
        matrix_type: u8,
        attributes: &[(Attribute, Held)],
        vtx1: &Vtx1,
        groups: &[(&[u16], &[u8])],
    ) -> Result<(Mesh, Faults), (u64, String)> {
        let mut shp1 = Shp1 { attribute_lists: HashMap::from([(0, attributes.into())]), ..Shp1::default() };
        let mut lists = Vec::new();
        for (matrices, list) in groups {
            let first = shp1.matrix_table.len() as u32;
            let use_matrix = matrices.first().copied().unwrap_or(KEEP);
            shp1.matrix_groups.push(MatrixGroup { use_matrix, count: matrices.len() as u16, first });
            shp1.matrix_table.extend(*matrices);
            shp1.draws.push(Draw { size: list.len() as u32, offset: lists.len() as u32 });
            lists.extend(*list);
        }
        shp1.range = 0..lists.len() as u64;
        let source = Source::from(lists);
        let parts = Parts { source: &source, shp1: &shp1, vtx1, arrays: ArrayLengths::of(vtx1), matrix_count: 8 };
        mesh(&parts, &StoredShape { matrix_type, group_count: groups.len() as u16, ..SHAPE })
    }

    fn vtx1() -> Vtx1 {
        let vector = |i: u8| Vec3::new(f32::from(i), 0.0, 0.0);
        Vtx1 { positions: (0..4).map(vector).collect(), nbt_indices: 1, ..Vtx1::default() }
    }

    fn joints(mesh: &Mesh) -> Vec<u32> {
        let skin = mesh.skin.as_ref().unwrap();
        mesh.vertex_points.iter().map(|p| skin.influences_of(*p as usize)[0].joint).collect()
    }

    const WITH_MATRIX: [(Attribute, Held); 2] =
        [(Attribute::POSITION_MATRIX, Held::Direct), (Attribute::POSITION, Held::Index8)];

    #[test]
    fn slots_are_kept_from_the_group_before() {
        let list = [0x90, 0, 3, 0, 0, 3, 1, 6, 2];
        let groups: [(&[u16], &[u8]); 2] = [(&[5, 6, 7], &list), (&[KEEP, 2, KEEP], &list)];
        let (mesh, faults) = made(3, &WITH_MATRIX, &vtx1(), &groups).unwrap();
        assert_eq!(faults, Faults::default());
        assert_eq!(mesh.indices, [0, 2, 1, 0, 2, 3]);
        assert_eq!(joints(&mesh), [5, 6, 7, 2]);
        assert_eq!((mesh.points.len(), mesh.vertex_sources.as_slice()), (4, [0, 1, 2, 1].as_slice()));
    }

    #[test]
    fn slots_that_hold_nothing_take_the_first_matrix() {
        let list = [0x90, 0, 3, 0, 0, 3, 1, 33, 2];
        let (mesh, faults) = made(3, &WITH_MATRIX, &vtx1(), &[(&[KEEP, 99], &list)]).unwrap();
        assert_eq!((joints(&mesh), faults.bad_matrices), (vec![0, 0, 0], 3));
    }

    #[test]
    fn shapes_with_one_matrix_ignore_selectors() {
        let list = [0x90, 0, 3, 0, 0, 3, 1, 6, 2];
        let (mesh, faults) = made(2, &WITH_MATRIX, &vtx1(), &[(&[4], &list)]).unwrap();
        assert_eq!((joints(&mesh), faults, mesh.billboard), (vec![4; 3], Faults::default(), Billboard::UprightY));
    }

    #[test]
    fn indices_past_the_end_read_zero_and_are_counted() {
        let attributes = [(Attribute::POSITION, Held::Index16), (Attribute(14), Held::Index8)];
        let vtx1 = Vtx1 { tex_coords: std::array::from_fn(|_| vec![Vec2::ONE]), ..vtx1() };
        let list = [0x90, 0, 3, 0, 1, 0, 0, 2, 9, 1, 0, 0];
        let (mesh, faults) = made(0, &attributes, &vtx1, &[(&[0], &list)]).unwrap();
        assert_eq!(faults.bad_indices, 2);
        assert_eq!((mesh.points[1], mesh.points[2]), (Vec3::X * 2.0, Vec3::ZERO));
        assert!(mesh.uv_sets[0].is_empty());
        assert_eq!(mesh.uv_sets[1], [Vec2::ONE, Vec2::ZERO, Vec2::ONE]);
    }

    #[test]
    fn texture_matrices_normals_with_three_indices_and_lines_are_kept() {
        let attributes =
            [(Attribute(2), Held::Direct), (Attribute::POSITION, Held::Index8), (Attribute::NBT, Held::Index8)];
        let nbt =
            Normals { normals: vec![Vec3::X, Vec3::Y], tangents: vec![[Vec3::Z, Vec3::X], [Vec3::Y, Vec3::NEG_X]] };
        let vtx1 = Vtx1 { nbt, nbt_indices: 3, ..vtx1() };
        let list = [0xA8, 0, 2, 36, 0, 1, 0, 1, 60, 1, 0, 1, 0];
        let (mesh, faults) = made(0, &attributes, &vtx1, &[(&[0], &list)]).unwrap();
        assert_eq!(faults, Faults::default());
        assert_eq!((mesh.lines.as_slice(), mesh.indices.len()), ([[0, 1]].as_slice(), 0));
        assert_eq!(mesh.normals, [Vec3::Y, Vec3::X]);
        assert_eq!(mesh.tangents, [[Vec3::Z, Vec3::NEG_X], [Vec3::Y, Vec3::X]]);
        assert_eq!((mesh.texture_matrix_slots[0][1], mesh.texture_matrix_slots[1][1]), (2, 0xFF));
    }

    #[test]
    fn values_in_the_vertex_itself_are_refused() {
        let direct = [(Attribute::POSITION, Held::Direct)];
        let (_, why) = made(0, &direct, &vtx1(), &[(&[0], &[0x90, 0, 0])]).unwrap_err();
        assert!(why.contains("direct values"), "{why}");
    }
}
