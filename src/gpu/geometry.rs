//! The arrays of a model's meshes on the device, without triangles that cannot be drawn or that belong to hidden parts.

use super::{
    ViewSettings,
    billboards::{self, Turned, has_draw_matrices},
    layouts::{Vertex, folded},
};
use crate::scene::{Aabb, Frame, HiddenParts, Influence, MaterialIndex, Mesh, MeshIndex, Model, Skin, skinning};
use glam::{Affine3A, Vec3};
use std::collections::HashSet;

/// All triangles of a model of which some are left out.
pub(super) struct WholeModel {
    pub indices: Vec<u32>,
    pub surfaces: Vec<SurfaceRange>,
    /// What is left out now.
    pub left_out: HiddenParts,
}

/// The triangles and lines that are drawn, and the range of each surface among them: as many surfaces, some of them empty.
pub(super) fn drawn(
    model: &Model,
    hidden: &HiddenParts,
    indices: &[u32],
    surfaces: &[SurfaceRange],
) -> (Vec<u32>, Vec<SurfaceRange>) {
    let mut first_vertices = Vec::with_capacity(model.meshes.len());
    let mut vertices = 0_u32;
    for mesh in &model.meshes {
        first_vertices.push(vertices);
        vertices += mesh.vertex_count() as u32;
    }
    let mut out = Vec::new();
    let ranges = surfaces.iter().map(|surface| {
        let first_index = out.len() as u32;
        let range = surface.first_index as usize..(surface.first_index + surface.index_count) as usize;
        let is_whole = !hidden.has_surface(MeshIndex(surface.mesh), MaterialIndex(surface.material));
        let corners = indices.get(range).filter(|_| is_whole).unwrap_or_default();
        let mesh = model.meshes.get(surface.mesh as usize).zip(first_vertices.get(surface.mesh as usize));
        match mesh.filter(|_| hidden.is_by_joint()) {
            Some((mesh, first)) if surface.is_lines => {
                for ends in corners.as_chunks::<2>().0 {
                    if !hidden.has_line(model, mesh, ends.map(|end| end - first)) {
                        out.extend(ends);
                    }
                }
            }
            Some((mesh, first)) => {
                for corners in corners.chunks_exact(3) {
                    let own = [corners[0] - first, corners[1] - first, corners[2] - first];
                    if !hidden.has_triangle(model, mesh, own) {
                        out.extend(corners);
                    }
                }
            }
            None => out.extend(corners),
        }
        SurfaceRange { first_index, index_count: out.len() as u32 - first_index, ..*surface }
    });
    let ranges = ranges.collect();
    (out, ranges)
}

/// An influence as the vertex stage reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct InfluenceData {
    pub joint: u32,
    pub weight: f32,
}

/// A point in a frame as the vertex stage reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct FramePoint {
    pub position: [f32; 3],
    /// As in [`Vertex`].
    pub normal: [i16; 2],
}

/// Set in the number of a vertex' influences where each has a source; mirrors `shaders/skin.wgsl`.
const SOURCED: u32 = 1 << 31;

impl FramePoint {
    /// No frame moves it; `folded` gives no such normal.
    pub const STILL: Self = Self { position: [0.0; 3], normal: [i16::MIN; 2] };
}

/// Triangles or lines of one material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SurfaceRange {
    pub first_index: u32,
    pub index_count: u32,
    /// Two indices a line, in place of three a triangle.
    pub is_lines: bool,
    /// Into the model's materials; may be out of range.
    pub material: u32,
    /// Into the model's meshes.
    pub mesh: u32,
    /// Middle in bind pose.
    pub center: Vec3,
}

/// All meshes of a model, one after the other.
#[derive(Debug, Default)]
pub(super) struct Geometry {
    pub vertices: Vec<Vertex>,
    /// As many as the mesh with the most has, at least one; meshes with fewer repeat their first.
    pub uv_sets: Vec<Vec<[f32; 2]>>,
    /// Zone of each vertex and nothing; empty when no mesh has zones.
    pub zones: Vec<[f32; 2]>,
    /// Which kinds of lists write each vertex, and nothing; empty when no mesh has lists.
    pub list_uses: Vec<[f32; 2]>,
    pub indices: Vec<u32>,
    pub influences: Vec<InfluenceData>,
    /// Two an influence: position and normal of its source, zeros for influences that move the vertices themselves. Empty when
    /// no mesh has sources.
    pub sources: Vec<[f32; 4]>,
    pub surfaces: Vec<SurfaceRange>,

    /// Matrices that turn towards the camera, behind those of the frame.
    pub turned: Turned,
    pub point_count: u32,
    pub spheres: Spheres,
}

impl Geometry {
    pub fn new(model: &Model) -> Self {
        let mut out = Self::default();
        let sets = model.meshes.iter().map(|m| m.uv_sets.len()).max().unwrap_or(0).max(1);
        out.uv_sets.resize(sets, Vec::new());
        out.turned = Turned::new(model);
        let has_sources = model.meshes.iter().any(|m| m.skin.as_ref().is_some_and(Skin::has_sources));
        let bind = has_draw_matrices(model).then(|| Frame::bind(model));
        for (index, mesh) in model.meshes.iter().enumerate() {
            // Points that lie in the spaces of their matrices say nothing of where they are.
            let places = bind.as_ref().map(|frame| skinning::skinned_points(model, mesh, frame));
            out.add(mesh, index as u32, places.as_deref().unwrap_or(&mesh.points), bind.as_ref());
            if has_sources {
                out.add_sources(mesh);
            }
        }
        if model.meshes.iter().any(|m| !m.vertex_zones.is_empty()) {
            let zones = |mesh: &Mesh| {
                let of = |index: usize| [mesh.vertex_zones.get(index).copied().map_or(0.0, f32::from), 0.0];
                (0..mesh.vertex_count()).map(of).collect::<Vec<_>>()
            };
            out.zones = model.meshes.iter().flat_map(zones).collect();
        }
        if model.meshes.iter().any(|m| m.fixed_skin.is_some()) {
            for mesh in &model.meshes {
                let uses = mesh.list_uses();
                let of = |point: &u32| uses.get(*point as usize).copied().unwrap_or_default();
                out.list_uses.extend(mesh.vertex_points.iter().map(|point| [f32::from(of(point) as u8), 0.0]));
            }
        }
        out.spheres = Spheres::new(model);
        out
    }

    /// What the influences of the mesh that was just added move.
    fn add_sources(&mut self, mesh: &Mesh) {
        let record = |v: Vec3| v.extend(0.0).to_array().map(finite);
        let sources = mesh.skin.iter().filter(|skin| skin.has_sources()).flat_map(|skin| &skin.sources);
        self.sources.extend(sources.flat_map(|source| [record(source.position), record(source.normal)]));
        self.sources.resize(self.influences.len() * 2, [0.0; 4]);
    }

    /// `places`: the mesh's points in the model's space.
    fn add(&mut self, mesh: &Mesh, mesh_index: u32, places: &[Vec3], bind: Option<&Frame>) {
        let (vertex_first, point_first) = (self.vertices.len() as u32, self.point_count);
        let influence_first = self.influences.len() as u32;
        self.point_count += mesh.points.len() as u32;
        if let Some(skin) = &mesh.skin {
            let influence = |i: &Influence| InfluenceData {
                joint: self.turned.matrix_of(mesh.billboard, i.joint),
                weight: finite(i.weight),
            };
            self.influences.extend(skin.influences.iter().map(influence));
        }
        let computed = (mesh.normals.len() != mesh.vertex_count()).then(|| smooth_normals(mesh, places, bind));
        let normals = computed.as_deref().unwrap_or(&mesh.normals);
        for (index, point) in mesh.vertex_points.iter().enumerate() {
            let position = mesh.position(index);
            let run = mesh.skin.as_ref().and_then(|skin| {
                let run = skin.runs.get(*point as usize)?;
                let sourced = if skin.has_sources() { SOURCED } else { 0 };
                // A run that leaves the list counts as none, as in scene::Skin::influences_of.
                let any = !skin.influences_of(*point as usize).is_empty();
                any.then_some([influence_first + run.first, run.count | sourced])
            });
            self.vertices.push(Vertex {
                position: if position.is_finite() { position.to_array() } else { [0.0; 3] },
                normal: folded(normals.get(index).copied().unwrap_or(Vec3::Y)),
                color: mesh.colors.get(index).copied().unwrap_or([255; 4]),
                run: run.unwrap_or([0, 0]),
                // What names no point is moved by nothing.
                point: if (*point as usize) < mesh.points.len() { point_first + *point } else { u32::MAX },
            });
        }
        let empty = Vec::new();
        for (set, uvs) in self.uv_sets.iter_mut().enumerate() {
            let own = mesh.uv_sets.get(set).filter(|set| !set.is_empty());
            let source = own.or(mesh.uv_sets.first()).unwrap_or(&empty);
            let of = |index: usize| source.get(index).map_or([0.0; 2], |uv| uv.to_array().map(finite));
            uvs.extend((0..mesh.vertex_count()).map(of));
        }
        if mesh.surfaces.is_empty() {
            let owner = Owner { mesh, mesh_index, places, vertex_first };
            self.add_surface(&owner, &mesh.indices, u32::MAX, false);
        }
        for surface in &mesh.surfaces {
            let first = surface.first_index as usize;
            let range = first..first.saturating_add(surface.index_count as usize);
            let indices = mesh.indices.get(range).unwrap_or_default();
            let owner = Owner { mesh, mesh_index, places, vertex_first };
            self.add_surface(&owner, indices, surface.material, false);
        }
        for surface in &mesh.line_surfaces {
            let owner = Owner { mesh, mesh_index, places, vertex_first };
            self.add_surface(&owner, mesh.lines_of(surface).as_flattened(), surface.material, true);
        }
    }

    /// Leaves out triangles and lines that name vertices which do not exist or lie nowhere.
    fn add_surface(&mut self, owner: &Owner<'_>, indices: &[u32], material: u32, is_lines: bool) {
        let Owner { mesh, mesh_index, places, vertex_first } = *owner;
        let place = |v: &u32| {
            let point = mesh.vertex_points.get(*v as usize).and_then(|point| places.get(*point as usize));
            point.copied().unwrap_or_default()
        };
        let first_index = self.indices.len() as u32;
        let mut bounds: Option<Aabb> = None;
        for primitive in indices.chunks_exact(if is_lines { 2 } else { 3 }) {
            let drawable = |v: &u32| (*v as usize) < mesh.vertex_count() && mesh.position(*v as usize).is_finite();
            if !primitive.iter().all(drawable) {
                continue;
            }
            self.indices.extend(primitive.iter().map(|v| vertex_first + v));
            let corner = Aabb::of(primitive.iter().map(place));
            bounds = bounds.zip(corner).map(|(a, b)| a.union(b)).or(bounds).or(corner);
        }
        let index_count = self.indices.len() as u32 - first_index;
        if index_count > 0 {
            let center = bounds.map_or(Vec3::ZERO, |b| b.center());
            let mesh = mesh_index;
            self.surfaces.push(SurfaceRange { first_index, index_count, is_lines, material, mesh, center });
        }
    }

    /// Frame by frame all points of the model; empty when it has no frames. A mesh with fewer frames holds its last.
    pub fn frames(model: &Model) -> Vec<FramePoint> {
        let mut out = Vec::new();
        for frame in 0..model.vertex_frame_count() {
            for mesh in &model.meshes {
                let Some(frames) = &mesh.vertex_frames else {
                    out.extend(std::iter::repeat_n(FramePoint::STILL, mesh.points.len()));
                    continue;
                };
                let (positions, normals) = (frames.positions(frame), frames.normals(frame));
                out.extend((0..mesh.points.len()).map(|point| {
                    let position = positions.get(point).copied().filter(|p| p.is_finite()).unwrap_or_default();
                    let normal = folded(normals.get(point).copied().unwrap_or(Vec3::Y));
                    FramePoint { position: position.to_array(), normal }
                }));
            }
        }
        out
    }

    /// Every edge of each surface once, as pairs of vertices; and where each surface's edges lie.
    pub fn edges(indices: &[u32], surfaces: &[SurfaceRange], points: &[u32]) -> (Vec<u32>, Vec<std::ops::Range<u32>>) {
        let mut out = Vec::new();
        let mut ranges = Vec::new();
        let mut seen: HashSet<(u32, u32)> = HashSet::new();
        for surface in surfaces {
            let first = out.len() as u32;
            seen.clear();
            let range = surface.first_index as usize..(surface.first_index + surface.index_count) as usize;
            let (corners, sides): (usize, &[(usize, usize)]) =
                if surface.is_lines { (2, &[(0, 1)]) } else { (3, &[(0, 1), (1, 2), (2, 0)]) };
            for primitive in indices[range].chunks_exact(corners) {
                for (a, b) in sides {
                    let (a, b) = (primitive[*a], primitive[*b]);
                    let (p, q) = (points[a as usize], points[b as usize]);
                    if p != q && seen.insert((p.min(q), p.max(q))) {
                        out.extend([a, b]);
                    }
                }
            }
            ranges.push(first..out.len() as u32);
        }
        (out, ranges)
    }
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

/// A mesh whose surfaces are added.
#[derive(Clone, Copy)]
struct Owner<'a> {
    mesh: &'a Mesh,
    mesh_index: u32,
    /// Its points in the model's space.
    places: &'a [Vec3],
    vertex_first: u32,
}

/// Normals from the triangles, for meshes that come without. `bind`: they are turned back to where that frame's matrices move
/// them from.
fn smooth_normals(mesh: &Mesh, places: &[Vec3], bind: Option<&Frame>) -> Vec<Vec3> {
    let place = |vertex: u32| {
        let point = mesh.vertex_points.get(vertex as usize).and_then(|point| places.get(*point as usize));
        point.copied().unwrap_or_default()
    };
    let mut sums = vec![Vec3::ZERO; mesh.points.len()];
    for triangle in mesh.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| place(triangle[i]));
        let across = (b - a).cross(c - a);
        for vertex in triangle {
            let point = mesh.vertex_points.get(*vertex as usize).copied().unwrap_or(u32::MAX);
            if let Some(sum) = sums.get_mut(point as usize).filter(|_| across.is_finite()) {
                *sum += across;
            }
        }
    }
    let back = |point: u32, normal: Vec3| {
        let influence = mesh.skin.as_ref().and_then(|skin| skin.influences_of(point as usize).first());
        let matrix = bind.zip(influence).and_then(|(frame, i)| frame.world_from_bind.get(i.joint as usize));
        // Normals are moved by the inverse transpose.
        matrix.map_or(normal, |matrix| (matrix.matrix3.transpose() * normal).normalize_or(normal))
    };
    let of = |point: &u32| {
        let normal = sums.get(*point as usize).copied().unwrap_or(Vec3::Y).normalize_or(Vec3::Y);
        back(*point, normal)
    };
    mesh.vertex_points.iter().map(of).collect()
}

/// Vertices skinned by the CPU, in world space, the selected joint's weight in `run`.
pub(super) fn posed(
    model: &Model,
    bind: &[Vertex],
    frame: &Frame,
    world_from_model: Affine3A,
    view: &ViewSettings,
) -> Vec<Vertex> {
    let mut out = bind.to_vec();
    let turn = skinning::cofactor(&world_from_model.matrix3);
    let mut rest = out.as_mut_slice();
    for mesh in &model.meshes {
        let turned = billboards::turned_frame(mesh.billboard, frame, world_from_model, view);
        let points = skinning::skinned_points(model, mesh, &turned);
        let normals = skinning::skinned_normals(model, mesh, &turned);
        let (vertices, after) = rest.split_at_mut(mesh.vertex_count().min(rest.len()));
        rest = after;
        for (index, (vertex, point)) in vertices.iter_mut().zip(&mesh.vertex_points).enumerate() {
            let point = *point as usize;
            let place = world_from_model.transform_point3(points.get(point).copied().unwrap_or_default());
            vertex.position = if place.is_finite() { place.to_array() } else { [0.0; 3] };
            if let Some(normal) = normals.get(index) {
                vertex.normal = folded((turn * *normal).normalize_or(*normal));
            }
            let influences = mesh.skin.as_ref().map(|s| s.influences_of(point)).unwrap_or_default();
            let weight = influences.iter().map(|i| i.weight * billboards::share(model, i.joint, view)).sum::<f32>();
            vertex.run = [weight.to_bits(), 0];
        }
    }
    out
}

/// What of a model each joint carries, as spheres in bind pose: a posed model's extent without its vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Spheres {
    /// Joint, middle and radius.
    joints: Vec<(u32, Vec3, f32)>,
    /// What no joint moves.
    still: Option<Aabb>,
}

impl Spheres {
    fn new(model: &Model) -> Self {
        let matrices = model.skeleton.as_ref().map_or(0, |s| s.draw_matrices.len());
        let mut boxes: Vec<Option<Aabb>> = vec![None; model.joint_count().max(matrices)];
        let mut still = None;
        let grow = |bounds: &mut Option<Aabb>, point: Vec3| {
            *bounds = Aabb::of(bounds.iter().flat_map(|b| [b.min, b.max]).chain([point]));
        };
        for mesh in &model.meshes {
            for (index, point) in mesh.counted_points() {
                let influences = mesh.skin.as_ref().map(|s| s.influences_of(index)).unwrap_or_default();
                let strongest = influences.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
                let slot = strongest.and_then(|i| boxes.get_mut(i.joint as usize));
                grow(slot.unwrap_or(&mut still), point);
            }
            for position in mesh.vertex_frames.iter().flat_map(|f| f.all_positions()) {
                grow(&mut still, *position);
            }
        }
        let sphere =
            |(joint, bounds): (usize, Option<Aabb>)| bounds.map(|b| (joint as u32, b.center(), b.diagonal() * 0.5));
        Self { joints: boxes.into_iter().enumerate().filter_map(sphere).collect(), still }
    }

    /// The box of a posed copy.
    pub fn bounds(&self, frame: &Frame, world_from_model: Affine3A) -> Option<Aabb> {
        let mut bounds: Option<Aabb> = None;
        let mut add = |center: Vec3, radius: f32| {
            if center.is_finite() && radius.is_finite() {
                let ball = Aabb { min: center - radius, max: center + radius };
                bounds = Some(bounds.map_or(ball, |b| b.union(ball)));
            }
        };
        let size =
            |m: &Affine3A| m.matrix3.x_axis.length().max(m.matrix3.y_axis.length()).max(m.matrix3.z_axis.length());
        for (joint, center, radius) in &self.joints {
            let skin = frame.world_from_bind.get(*joint as usize).copied().unwrap_or(Affine3A::IDENTITY);
            let matrix = world_from_model * skin;
            add(matrix.transform_point3(*center), radius * size(&matrix));
        }
        if let Some(still) = self.still {
            let (radius, scale) = (still.diagonal() * 0.5, size(&world_from_model));
            add(world_from_model.transform_point3(still.center()), radius * scale);
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Surface;

    fn square() -> Mesh {
        Mesh {
            points: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
            vertex_points: vec![0, 1, 2, 3],
            indices: vec![0, 1, 2, 0, 2, 3],
            surfaces: vec![Surface { first_index: 0, index_count: 6, material: 0 }],
            ..Mesh::default()
        }
    }

    fn model(mesh: Mesh) -> Model {
        Model { meshes: vec![mesh], ..Model::empty("test") }
    }

    #[test]
    fn each_edge_comes_once() {
        let geometry = Geometry::new(&model(square()));
        let points: Vec<u32> = geometry.vertices.iter().map(|v| v.point).collect();
        let (edges, ranges) = Geometry::edges(&geometry.indices, &geometry.surfaces, &points);
        assert_eq!(edges, [0, 1, 1, 2, 2, 0, 2, 3, 3, 0]);
        assert_eq!((ranges.len(), ranges[0].clone()), (1, 0..10));
    }

    #[test]
    fn triangles_that_lie_nowhere_are_left_out() {
        let mut broken = square();
        broken.points[3].y = f32::NAN;
        assert_eq!(Geometry::new(&model(broken)).indices, [0, 1, 2]);
        let mut broken = square();
        broken.indices[4] = 77;
        assert_eq!(Geometry::new(&model(broken)).indices, [0, 1, 2]);
        let mut broken = square();
        broken.surfaces[0].index_count = u32::MAX;
        assert!(Geometry::new(&model(broken)).surfaces.is_empty());
        let mut broken = square();
        broken.vertex_points[1] = u32::MAX;
        assert_eq!(Geometry::new(&model(broken)).vertices[1].position, [0.0; 3]);
    }

    #[test]
    fn missing_normals_come_from_the_triangles() {
        let geometry = Geometry::new(&model(square()));
        assert!(geometry.vertices.iter().all(|v| v.normal == folded(Vec3::Z)));
    }
}
