//! Triangles to shapes: vertices pooled into arrays, matrices gathered ten at a time, triangles joined to strips.

use super::{
    shapes::{Group, Primitive, PrimitiveKind, Shape, ShapeAttribute},
    vertices::{VertexArray, VertexData, attribute},
};
use std::collections::HashMap;

/// Most vertices of a strip: what its count has room for.
const LONGEST: usize = 0xFFFF;

/// Strips that hold each triangle once, with its winding: `(0, 1, 2), (1, 3, 2), (2, 3, 4) …`. From each triangle in order the
/// longest of the three ways on is taken.
fn strips(triangles: &[[usize; 3]]) -> Vec<Vec<usize>> {
    let mut by_edge: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    for (index, [a, b, c]) in triangles.iter().enumerate() {
        for edge in [(*a, *b), (*b, *c), (*c, *a)] {
            by_edge.entry(edge).or_default().push(index);
        }
    }
    let mut used = vec![false; triangles.len()];
    let mut out = Vec::new();
    for (index, [a, b, c]) in triangles.iter().enumerate() {
        if used.get(index).copied().unwrap_or(true) {
            continue;
        }
        let ways = [[*a, *b, *c], [*b, *c, *a], [*c, *a, *b]];
        let walks = ways.map(|start| walk(index, start, triangles, &by_edge, &used));
        let best = walks.into_iter().max_by_key(|(strip, _)| strip.len());
        let Some((strip, taken)) = best else { continue };
        for triangle in taken {
            if let Some(used) = used.get_mut(triangle) {
                *used = true;
            }
        }
        out.push(strip);
    }
    out
}

/// The strip from a triangle on, and the triangles that it takes.
fn walk(
    first: usize,
    start: [usize; 3],
    triangles: &[[usize; 3]],
    by_edge: &HashMap<(usize, usize), Vec<usize>>,
    used: &[bool],
) -> (Vec<usize>, Vec<usize>) {
    let [_, mut before, mut last] = start;
    let (mut strip, mut taken) = (start.to_vec(), vec![first]);
    let mut odd = true;
    while strip.len() < LONGEST {
        let edge = if odd { (last, before) } else { (before, last) };
        let free = |index: &&usize| !used.get(**index).copied().unwrap_or(true) && !taken.contains(index);
        let Some(next) = by_edge.get(&edge).and_then(|around| around.iter().find(free)).copied() else { break };
        let new = triangles.get(next).and_then(|t| t.iter().find(|v| **v != edge.0 && **v != edge.1));
        let Some(new) = new.copied() else { break };
        strip.push(new);
        taken.push(next);
        (before, last) = (last, new);
        odd = !odd;
    }
    (strip, taken)
}

/// Matrices that a group can load.
const SLOTS: usize = 10;
/// A slot that keeps what the group before had there.
const KEEP: u16 = 0xFFFF;

/// A corner of a triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshVertex {
    /// In the space of its matrix: of a joint, or of the model where joints are blended.
    pub position: [f32; 3],
    /// Normal in the same space; `None` if the shape has no normals.
    pub normal: Option<[f32; 3]>,
    /// Red, green, blue, alpha; `None` if the shape has no vertex colours.
    pub color: Option<[u8; 4]>,
    /// Sets of texture coordinates.
    pub uvs: Vec<[f32; 2]>,
    /// Place of its matrix in DRW1.
    pub matrix: u16,
}

/// Numbers that shapes share: each vector is kept once.
#[derive(Clone, Debug, Default)]
pub struct VertexPool {
    positions: Pool<3>,
    normals: Pool<3>,
    colors: Pool<4>,
    uvs: Vec<Pool<2>>,
}

#[derive(Clone, Debug, Default)]
struct Pool<const N: usize> {
    known: HashMap<Bits<N>, u16>,
    values: Vec<f32>,
    len: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bits<const N: usize>([u32; N]);

impl<const N: usize> Pool<N> {
    fn place(&mut self, value: [f32; N]) -> u16 {
        // Adding zero turns −0 into 0.
        let value = value.map(|number| number + 0.0);
        *self.known.entry(Bits(value.map(f32::to_bits))).or_insert_with(|| {
            let at = self.len;
            self.values.extend_from_slice(&value);
            self.len = at.saturating_add(1);
            at
        })
    }
}

impl VertexPool {
    /// The arrays: f32 positions and texture coordinates, normals of 16 bits, RGBA8 colours.
    pub fn arrays(&self) -> Vec<VertexArray> {
        let mut arrays = vec![VertexArray::floats(attribute::POSITION, 1, self.positions.values.clone())];
        if self.normals.len > 0 {
            arrays.push(VertexArray::shorts(attribute::NORMAL, 0, 14, self.normals.values.clone()));
        }
        if self.colors.len > 0 {
            let colors = self.colors.values.as_chunks::<4>().0.iter().map(|c| c.map(|part| part as u8));
            arrays.push(VertexArray::colors(0, colors.collect()));
        }
        for (set, uvs) in (attribute::TEXTURE..).zip(&self.uvs) {
            arrays.push(VertexArray {
                data: VertexData::Numbers(uvs.values.clone()),
                ..VertexArray::floats(set, 1, Vec::new())
            });
        }
        arrays
    }

    /// A shape of triangles, counter-clockwise seen from the front: with one matrix where all vertices have the same, else with
    /// as many groups as it takes. All vertices have the parts that the first has.
    pub fn shape(&mut self, triangles: &[[MeshVertex; 3]]) -> Shape {
        let corners = || triangles.iter().flatten();
        let first = corners().next().cloned().unwrap_or_default();
        let single = corners().all(|corner| corner.matrix == first.matrix);
        let mut attributes = Vec::new();
        if !single {
            attributes.push(ShapeAttribute::direct(attribute::MATRIX));
        }
        attributes.push(ShapeAttribute::index16(attribute::POSITION));
        if first.normal.is_some() {
            attributes.push(ShapeAttribute::index16(attribute::NORMAL));
        }
        if first.color.is_some() {
            attributes.push(ShapeAttribute::index16(attribute::COLOR));
        }
        attributes.extend((attribute::TEXTURE..).zip(&first.uvs).map(|(set, _)| ShapeAttribute::index16(set)));
        let groups = gather(triangles)
            .into_iter()
            .map(|(matrices, triangles)| {
                let turned: Vec<[Vec<u16>; 3]> = (triangles.iter())
                    // The chip's fronts are clockwise.
                    .map(|[a, b, c]| [a, c, b].map(|corner| self.numbers(corner, &matrices, single)))
                    .collect();
                Group { matrix: first.matrix, matrices, primitives: primitives(&turned) }
            })
            .collect();
        let (low, high) = corners().fold(([f32::MAX; 3], [f32::MIN; 3]), |(low, high), corner| {
            (zip(low, corner.position, f32::min), zip(high, corner.position, f32::max))
        });
        let bounds = if triangles.is_empty() { [[0.0; 3]; 2] } else { [low, high] };
        let radius = zip(low, high, |low, high| high - low).iter().fold(0.0_f32, |sum, side| side.mul_add(*side, sum));
        let matrix_type = if single { 0 } else { 3 };
        let mut shape =
            Shape { matrix_type, attributes, groups, radius: radius.sqrt() / 2.0, bounds, ..Shape::default() };
        keep_matrices(&mut shape.groups);
        shape
    }

    /// A corner's numbers in the order of the attributes.
    fn numbers(&mut self, corner: &MeshVertex, matrices: &[u16], single: bool) -> Vec<u16> {
        let mut numbers = Vec::with_capacity(5);
        if !single {
            let slot = matrices.iter().position(|matrix| *matrix == corner.matrix).unwrap_or(0);
            numbers.push(u16::try_from(slot.saturating_mul(3)).unwrap_or(0));
        }
        numbers.push(self.positions.place(corner.position));
        if let Some(normal) = corner.normal {
            numbers.push(self.normals.place(normal));
        }
        if let Some(color) = corner.color {
            numbers.push(self.colors.place(color.map(f32::from)));
        }
        for (set, uv) in corner.uvs.iter().enumerate() {
            if self.uvs.len() <= set {
                self.uvs.push(Pool::default());
            }
            if let Some(pool) = self.uvs.get_mut(set) {
                numbers.push(pool.place(*uv));
            }
        }
        numbers
    }
}

fn zip(a: [f32; 3], b: [f32; 3], of: fn(f32, f32) -> f32) -> [f32; 3] {
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    [of(ax, bx), of(ay, by), of(az, bz)]
}

/// Triangles in order, cut into groups of at most ten matrices.
fn gather(triangles: &[[MeshVertex; 3]]) -> Vec<(Vec<u16>, Vec<&[MeshVertex; 3]>)> {
    let mut groups: Vec<(Vec<u16>, Vec<&[MeshVertex; 3]>)> = Vec::new();
    for triangle in triangles {
        let mut own: Vec<u16> = triangle.iter().map(|corner| corner.matrix).collect();
        own.sort_unstable();
        own.dedup();
        let joined = groups.last_mut().filter(|(matrices, _)| {
            let new = own.iter().filter(|matrix| !matrices.contains(matrix)).count();
            matrices.len().saturating_add(new) <= SLOTS
        });
        match joined {
            Some((matrices, group)) => {
                own.retain(|matrix| !matrices.contains(matrix));
                matrices.extend(own);
                group.push(triangle);
            }
            None => groups.push((own, vec![triangle])),
        }
    }
    let mut loaded = [KEEP; SLOTS];
    for (matrices, _) in &mut groups {
        stay(matrices, &mut loaded);
    }
    groups
}

/// Puts matrices into the slots that hold them already; the others go where room is.
fn stay(matrices: &mut [u16], loaded: &mut [u16; SLOTS]) {
    let slots = loaded.get(..matrices.len()).unwrap_or_default();
    let mut others =
        matrices.iter().copied().filter(|matrix| !slots.contains(matrix)).collect::<Vec<u16>>().into_iter();
    let mut placed: Vec<u16> =
        (slots.iter()).filter_map(|slot| if matrices.contains(slot) { Some(*slot) } else { others.next() }).collect();
    placed.extend(others);
    for ((matrix, slot), placed) in matrices.iter_mut().zip(loaded).zip(placed) {
        *matrix = placed;
        *slot = placed;
    }
}

/// Slots that hold what they held in the group before say so.
fn keep_matrices(groups: &mut [Group]) {
    let mut loaded = [KEEP; SLOTS];
    for group in groups {
        for (slot, matrix) in loaded.iter_mut().zip(&mut group.matrices) {
            if *slot == *matrix {
                *matrix = KEEP;
            } else {
                *slot = *matrix;
            }
        }
    }
}

/// Strips where they are longer than two triangles, the rest as triangles.
fn primitives(triangles: &[[Vec<u16>; 3]]) -> Vec<Primitive> {
    let mut known: HashMap<&Vec<u16>, usize> = HashMap::new();
    let mut vertices: Vec<&Vec<u16>> = Vec::new();
    let indexed: Vec<[usize; 3]> = (triangles.iter())
        .map(|triangle| {
            triangle.each_ref().map(|vertex| {
                *known.entry(vertex).or_insert_with(|| {
                    vertices.push(vertex);
                    vertices.len().saturating_sub(1)
                })
            })
        })
        .collect();
    let mut out = Vec::new();
    let mut loose: Vec<Vec<u16>> = Vec::new();
    let numbers = |run: &[usize]| run.iter().filter_map(|v| vertices.get(*v)).map(|v| (*v).clone()).collect::<Vec<_>>();
    for strip in strips(&indexed) {
        if strip.len() > 4 {
            out.push(Primitive { kind: PrimitiveKind::Strip, vertices: numbers(&strip) });
        } else {
            let run = numbers(&strip);
            if let [a, b, c, rest @ ..] = run.as_slice() {
                loose.extend([a, b, c].map(Clone::clone));
                loose.extend(rest.iter().flat_map(|d| [b, d, c].map(Clone::clone)));
            }
        }
    }
    if !loose.is_empty() {
        out.push(Primitive { kind: PrimitiveKind::Triangles, vertices: loose });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles of strips, each turned so that its least vertex is first.
    fn triangles_of(strips: &[Vec<usize>]) -> Vec<[usize; 3]> {
        let mut out = Vec::new();
        for strip in strips {
            for (index, corners) in strip.windows(3).enumerate() {
                let [a, b, c] = [corners[0], corners[1], corners[2]];
                out.push(least_first(if index % 2 == 0 { [a, b, c] } else { [a, c, b] }));
            }
        }
        out.sort_unstable();
        out
    }

    fn least_first([a, b, c]: [usize; 3]) -> [usize; 3] {
        if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        }
    }

    #[test]
    fn strips_hold_every_triangle_once_and_as_it_was() {
        // A sheet of 6 × 4 squares and a triangle by itself.
        let mut triangles = vec![[100, 102, 101]];
        for y in 0..4 {
            for x in 0..6 {
                let at = y * 7 + x;
                triangles.extend([[at, at + 1, at + 8], [at, at + 8, at + 7]]);
            }
        }
        let strips = strips(&triangles);
        let mut wanted: Vec<[usize; 3]> = triangles.into_iter().map(least_first).collect();
        wanted.sort_unstable();
        assert_eq!(triangles_of(&strips), wanted);
        assert!(strips.len() <= 12, "{strips:?}");
    }
}
