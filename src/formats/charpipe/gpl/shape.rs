//! A display object as triangles and lines: vertices numbered once, one surface for each state that lists are drawn in
//! (formats/charpipe.md §4).

use super::{
    super::{codes, draw_state::DrawState},
    draws::{Draw, Draws, Gpl},
    object::DisplayObject,
};
use crate::{
    bytes::numbers::counted,
    formats::{
        Code,
        gx::{
            dedup::Dedup,
            display_list::{Column, Command, Commands},
            vertex::Attribute,
        },
        read_budget::ReadBudget,
    },
    scene::{Mesh, Surface},
};
use glam::{Vec2, Vec3};
use std::collections::HashMap;

/// Numbers of 16 bits in one word of a key.
const LANES: usize = 4;
/// Words of a key: a bone, and an index for each attribute.
const WORDS: usize = 4;
/// An attribute that a vertex does not have. No index is as great: arrays have 65535 elements at most.
const NONE: u16 = 0xFFFF;
/// Places of the numbers in a key.
const BONE: usize = 0;
const POSITION: usize = 1;
const NORMAL: usize = 2;
const COLOR: usize = 3;
const TEX_COORD: usize = 5;

type Key = [u64; WORDS];

/// States that surfaces are drawn in, each once: the number of a state is that of its material.
#[derive(Debug, Default)]
pub struct States {
    list: Vec<DrawState>,
    numbers: HashMap<DrawState, u32>,
}

/// States that a model may have; the games' have a few dozen.
pub(super) const MAX_STATES: usize = 1024;

impl States {
    /// The number of a state; past the limit that of the last.
    pub fn number(&mut self, state: DrawState) -> u32 {
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        if self.list.len() >= MAX_STATES {
            return (self.list.len() as u32).saturating_sub(1);
        }
        let number = self.list.len() as u32;
        self.list.push(state);
        self.numbers.insert(state, number);
        number
    }

    /// Returns the states in the order of their numbers.
    pub fn list(&self) -> &[DrawState] {
        &self.list
    }
}

/// Positions and normals that take the place of an object's own: what a skin makes of them.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    /// Positions, in the order of the object's position array.
    pub points: &'a [Vec3],
    /// Normals, in the order of the object's position array.
    pub normals: &'a [Vec3],
}

/// Something that is wrong with a shape.
#[derive(Clone, Debug)]
pub struct ShapeFault {
    /// Diagnostic code of the fault.
    pub code: &'static Code,
    /// Bytes from the start of the file.
    pub at: u64,
    /// One sentence without a period.
    pub message: String,
}

/// A display object as triangles.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Without a skin. Points are the positions of the file in their order; where `bones` says which bone moves each, every pair
    /// of a bone and a position is a point.
    pub mesh: Mesh,
    /// Bones by their places in the bone array, one a point; empty for an object that no matrices are loaded for.
    pub bones: Vec<Option<u16>>,
    /// The palette's number of each vertex's normal; none for an object without normals.
    pub normal_numbers: Vec<u32>,
    /// What is wrong with it.
    pub faults: Vec<ShapeFault>,
}

/// Makes the shape of a display object.
///
/// # Errors
/// In words, when nothing of it may or can be read.
pub fn shape(
    gpl: &Gpl,
    index: usize,
    moved: Option<Moved<'_>>,
    states: &mut States,
    budget: &mut ReadBudget,
) -> Result<Shape, String> {
    let object = gpl.objects.get(index).and_then(Option::as_ref).ok_or("the mesh is missing")?;
    let positions = match moved {
        Some(moved) => moved.points.to_vec(),
        None => {
            if !budget.take(object.arrays_size()) {
                return Err("too many meshes share its arrays".to_owned());
            }
            object.positions.map(|array| array.vectors(&gpl.source)).unwrap_or_default()
        }
    };
    let mut builder = Builder::default();
    for draw in Draws::new(gpl, object) {
        let size = draw.list.end.saturating_sub(draw.list.start);
        // A list counts as something however short it is.
        if !budget.take(size.max(16)) {
            let message = "lists skipped: too many meshes share the same lists";
            builder.fault(&codes::TOO_MUCH, draw.list.start, message);
            break;
        }
        match draw.columns() {
            Ok(columns) => builder.list(gpl, &draw, &columns, states),
            Err(why) => builder.fault(&codes::BAD_LIST, draw.list.start, format!("primitive list skipped: {why}")),
        }
    }
    let normals = moved.map(|moved| moved.normals.to_vec()).filter(|normals| !normals.is_empty());
    Ok(builder.finish(gpl, object, positions, normals))
}

/// Faults of one object that are told.
const MAX_FAULTS: usize = 8;

/// Triangles and lines of one material.
struct Primitives {
    material: u32,
    indices: Vec<u32>,
    lines: Vec<[u32; 2]>,
}

/// Gathers the vertices, triangles and lines of an object.
#[derive(Default)]
struct Builder {
    vertices: Dedup<WORDS>,
    /// Each material's primitives, in the order in which they come first.
    surfaces: Vec<Primitives>,
    has_bones: bool,
    bad_matrices: usize,
    faults: Vec<ShapeFault>,
}

impl Builder {
    fn fault(&mut self, code: &'static Code, at: u64, message: impl Into<String>) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(ShapeFault { code, at, message: message.into() });
        }
    }

    /// The place of a column's number in keys; `None` for the one that selects a matrix.
    fn lane(column: &Column) -> Option<usize> {
        let attribute = column.attribute;
        if attribute == Attribute::POSITION {
            Some(POSITION)
        } else if attribute == Attribute::NORMAL {
            Some(NORMAL)
        } else if let Some(color) = attribute.color() {
            Some(COLOR.saturating_add(color))
        } else {
            attribute.tex_coord().map(|set| TEX_COORD.saturating_add(set))
        }
    }

    fn list(&mut self, gpl: &Gpl, draw: &Draw, columns: &[Column], states: &mut States) {
        let size = draw.list.end.saturating_sub(draw.list.start);
        let Some(bytes) = gpl.source.slice(draw.list.start, size) else { return };
        let lanes: Vec<(Option<usize>, bool)> = columns.iter().map(|c| (Self::lane(c), c.wide)).collect();
        let vertex_size = columns.iter().map(|column| column.size()).sum();
        let selects = lanes.iter().any(|(lane, _)| lane.is_none());
        let mut base: Key = [u64::MAX; WORDS];
        // Without a selector vertices take the first matrix, where one is loaded.
        if let (false, [Some(bone), ..]) = (selects, draw.slots) {
            put(&mut base, BONE, bone);
            self.has_bones = true;
        }
        self.has_bones |= selects;
        let material = states.number(draw.state);
        let at = self.surfaces.iter().position(|own| own.material == material).unwrap_or_else(|| {
            self.surfaces.push(Primitives { material, indices: Vec::new(), lines: Vec::new() });
            self.surfaces.len().saturating_sub(1)
        });
        let mut corners = Vec::new();
        for command in Commands::new(bytes.as_slice(), vertex_size) {
            match command {
                Ok(Command::Nothing { .. } | Command::Load { .. }) => {}
                Ok(Command::Draw { primitive, vertices, .. }) => {
                    corners.clear();
                    for vertex in vertices.chunks_exact(vertex_size.max(1)) {
                        let key = self.key(base, vertex, &lanes, draw);
                        corners.push(self.vertices.number(key));
                    }
                    if let Some(own) = self.surfaces.get_mut(at) {
                        primitive.lines(&corners, &mut own.lines);
                        primitive.triangulate(&corners, &mut own.indices);
                    }
                }
                Err(bad) => self.fault(&codes::BAD_LIST, draw.list.start, bad.to_string()),
            }
        }
    }

    fn key(&mut self, base: Key, vertex: &[u8], lanes: &[(Option<usize>, bool)], draw: &Draw) -> Key {
        let mut key = base;
        let mut rest = vertex;
        for (lane, wide) in lanes {
            let (value, after) = match rest {
                [high, low, after @ ..] if *wide => (u16::from_be_bytes([*high, *low]), after),
                [byte, after @ ..] => (u16::from(*byte), after),
                [] => (0, rest),
            };
            rest = after;
            match lane {
                Some(lane) => put(&mut key, *lane, value),
                None => match draw.slots.get(usize::from(value / 3)).copied().flatten() {
                    Some(bone) => put(&mut key, BONE, bone),
                    None => self.bad_matrices = self.bad_matrices.saturating_add(1),
                },
            }
        }
        key
    }

    fn finish(
        mut self,
        gpl: &Gpl,
        object: &DisplayObject,
        positions: Vec<Vec3>,
        moved_normals: Option<Vec<Vec3>>,
    ) -> Shape {
        let source = &gpl.source;
        let mut mesh = Mesh::default();
        for Primitives { material, indices, lines } in std::mem::take(&mut self.surfaces) {
            mesh.add_lines(&lines, material);
            if indices.is_empty() {
                continue;
            }
            let first_index = u32::try_from(mesh.indices.len()).unwrap_or(u32::MAX);
            let index_count = u32::try_from(indices.len()).unwrap_or(u32::MAX);
            if mesh.indices.is_empty() {
                mesh.indices = indices;
            } else {
                mesh.indices.extend(indices);
            }
            mesh.surfaces.push(Surface { first_index, index_count, material });
        }
        mesh.indices.shrink_to_fit();
        let vertices = std::mem::take(&mut self.vertices);
        let keys = vertices.keys();
        let mut columns = Columns { keys, bad: vec![false; keys.len()] };
        mesh.vertex_sources = keys.iter().map(|key| u32::from(get(key, POSITION))).collect();
        columns.check(POSITION, positions.len());
        if columns.any(COLOR) {
            let colors = object.colors.map(|array| array.colors(source)).unwrap_or_default();
            mesh.colors = columns.take(COLOR, &colors, [0xFF; 4]);
        }
        let second = COLOR.saturating_add(1);
        if columns.any(second) {
            let colors = object.colors.map(|array| array.colors(source)).unwrap_or_default();
            mesh.second_colors = columns.take(second, &colors, [0xFF; 4]);
        }
        for set in 0..8 {
            let lane = TEX_COORD.saturating_add(set);
            if columns.any(lane) {
                let array = object.tex_coords.get(set).copied().flatten();
                let pairs = array.map(|array| array.pairs(source)).unwrap_or_default();
                mesh.uv_sets.resize(set, Vec::new());
                mesh.uv_sets.push(columns.take(lane, &pairs, Vec2::ZERO));
            }
        }
        let has_normals = columns.any(NORMAL);
        let stored = object.normals.filter(|array| array.at != 0 && has_normals);
        if let Some(array) = stored {
            let normals = moved_normals.unwrap_or_else(|| array.vectors(source));
            let unit = |normal: Vec3| normal.normalize_or(Vec3::Y);
            mesh.normals = columns.take(NORMAL, &normals, Vec3::Y).into_iter().map(unit).collect();
        }
        let bad = columns.bad.iter().filter(|bad| **bad).count();
        if bad > 0 {
            let message = format!("{} with out-of-range indices", counted(bad, "vertex"));
            self.fault(&codes::BAD_INDEX, object.at, message);
        }
        if self.bad_matrices > 0 {
            let message = format!("{} with matrices that were never loaded", counted(self.bad_matrices, "vertex"));
            self.fault(&codes::BAD_INDEX, object.at, message);
        }
        let bones = points(keys, positions, self.has_bones, &mut mesh);
        // The SDK's own table of normals is no part of the file.
        if stored.is_none() && object.ambient_bits.is_some() {
            mesh.normals = computed_normals(keys, &mesh);
        }
        let number = |key: &Key| u32::from(get(key, NORMAL));
        let normal_numbers = if has_normals { keys.iter().map(number).collect() } else { Vec::new() };
        Shape { mesh, bones, normal_numbers, faults: self.faults }
    }
}

/// Points are the positions, or each pair of a bone and a position.
fn points(keys: &[Key], positions: Vec<Vec3>, has_bones: bool, mesh: &mut Mesh) -> Vec<Option<u16>> {
    if !has_bones {
        // Where a position is not there, the first stands for it.
        let known = |position: &u32| if (*position as usize) < positions.len() { *position } else { 0 };
        mesh.vertex_points = mesh.vertex_sources.iter().map(known).collect();
        mesh.points = positions;
        if mesh.points.is_empty() && !keys.is_empty() {
            mesh.points.push(Vec3::ZERO);
        }
        return Vec::new();
    }
    let mut pairs = Dedup::<1>::new();
    let number = |key: &Key| pairs.number([u64::from(get(key, BONE)) << 16 | u64::from(get(key, POSITION))]);
    mesh.vertex_points = keys.iter().map(number).collect();
    let position = |[pair]: &[u64; 1]| positions.get((*pair & 0xFFFF) as usize).copied().unwrap_or_default();
    mesh.points = pairs.keys().iter().map(position).collect();
    let bone = |[pair]: &[u64; 1]| Some((*pair >> 16) as u16).filter(|bone| *bone != NONE);
    pairs.keys().iter().map(bone).collect()
}

/// Normals by the triangles around: one for each pair of a point and a number of a normal, so that edges stay hard.
fn computed_normals(keys: &[Key], mesh: &Mesh) -> Vec<Vec3> {
    let mut corners = Dedup::<1>::new();
    let number = |(key, point): (&Key, &u32)| corners.number([u64::from(*point) << 16 | u64::from(get(key, NORMAL))]);
    let corner_of: Vec<u32> = keys.iter().zip(&mesh.vertex_points).map(number).collect();
    let mut sums = vec![Vec3::ZERO; corners.keys().len()];
    for triangle in mesh.indices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|vertex| mesh.position(vertex as usize));
        let normal = (b - a).cross(c - a);
        for vertex in triangle {
            let corner = corner_of.get(*vertex as usize).copied().unwrap_or(0);
            if let Some(sum) = sums.get_mut(corner as usize) {
                *sum += normal;
            }
        }
    }
    let normal = |corner: &u32| sums.get(*corner as usize).copied().unwrap_or_default().normalize_or(Vec3::Y);
    corner_of.iter().map(normal).collect()
}

/// Sets a number of 16 bits of a key.
fn put(key: &mut Key, lane: usize, value: u16) {
    let shift = (lane % LANES).wrapping_mul(16);
    if let Some(word) = key.get_mut(lane / LANES) {
        *word = *word & !(0xFFFF_u64 << shift) | u64::from(value) << shift;
    }
}

fn get(key: &Key, lane: usize) -> u16 {
    key.get(lane / LANES).map_or(0, |word| (word >> (lane % LANES).wrapping_mul(16)) as u16)
}

/// The vertices, column by column.
struct Columns<'a> {
    keys: &'a [Key],
    /// Vertices with an index past the end.
    bad: Vec<bool>,
}

impl Columns<'_> {
    /// Whether any vertex has this attribute.
    fn any(&self, lane: usize) -> bool {
        self.keys.iter().any(|key| get(key, lane) != NONE)
    }

    /// The elements that a column selects; `missing` for vertices without, and for those that are not there.
    fn take<T: Copy>(&mut self, lane: usize, array: &[T], missing: T) -> Vec<T> {
        let element = |(key, bad): (&Key, &mut bool)| {
            let index = get(key, lane);
            let found = array.get(usize::from(index));
            *bad |= found.is_none() && index != NONE;
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
