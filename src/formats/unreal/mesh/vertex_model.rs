//! Mesh and LodMesh as models, their sequences as clips (§8.4).

use super::{
    super::header::Object,
    animation,
    layout::{AnimSeq, Mesh},
    lod::{LodMesh, levels},
    materials::{FindSkin, Materials, Slot},
    space::{self, smooth_normals, vertex_frames, whole_frames},
};
use crate::{
    formats::LoadContext,
    scene::{self, Channel, Clip, KeyRule, LoopMode, MeshLevel, Model, Surface},
};
use glam::{Affine3A, Vec2, Vec3};
use std::collections::HashMap;

/// A corner as it is drawn: its point, its texture coordinates, and what the file calls it.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    pub point: u32,
    pub uv: [f32; 2],
    pub source: u32,
}

/// A triangle of vertices, in the file's order, with its material.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    pub vertices: [u32; 3],
    pub material: u32,
    /// The file's own number.
    pub source: u32,
}

/// What a mesh is built from.
struct Parts {
    corners: Vec<Corner>,
    triangles: Vec<Triangle>,
    levels: Vec<(u32, Vec<Triangle>)>,
}

pub fn of_mesh(object: &Object<'_>, mesh: &Mesh, find: &mut FindSkin<'_>, cx: &mut LoadContext<'_>) -> Model {
    let mut model = Model::empty(object.name());
    let parts = parts_of(mesh, Materials::new(object.package, &mesh.textures, &mut model, find, cx));
    build(model, mesh, mesh.frame_verts, parts, cx)
}

/// A mesh that lies in no package. `model` has its name and the images of `slots`.
pub fn of_files(mut model: Model, mesh: &Mesh, slots: Vec<Slot>, cx: &LoadContext<'_>) -> Model {
    let parts = parts_of(mesh, Materials::of_slots(slots, &mut model));
    build(model, mesh, mesh.frame_verts, parts, cx)
}

fn parts_of(mesh: &Mesh, mut materials: Materials<'_>) -> Parts {
    let stride = usize::try_from(mesh.frame_verts).unwrap_or(0);
    let mut parts = Parts { corners: Vec::new(), triangles: Vec::new(), levels: Vec::new() };
    let mut known: HashMap<(u16, [u8; 2]), u32> = HashMap::new();
    for (source, tri) in mesh.tris.iter().enumerate() {
        if tri.vertices.iter().any(|v| usize::from(*v) >= stride) {
            continue;
        }
        let mut vertices = [0; 3];
        for (slot, (vertex, uv)) in vertices.iter_mut().zip(tri.vertices.iter().zip(tri.uvs)) {
            *slot = *known.entry((*vertex, uv)).or_insert_with(|| {
                let index = parts.corners.len() as u32;
                let uv = uv.map(|byte| f32::from(byte) / 255.0);
                parts.corners.push(Corner { point: u32::from(*vertex), uv, source: index });
                index
            });
        }
        let material = materials.index(tri.poly_flags, tri.texture);
        parts.triangles.push(Triangle { vertices, material, source: source as u32 });
    }
    materials.note_empty_slots();
    parts
}

pub fn of_lod_mesh(object: &Object<'_>, lod: &LodMesh, find: &mut FindSkin<'_>, cx: &mut LoadContext<'_>) -> Model {
    let mesh = &lod.mesh;
    let mut model = Model::empty(object.name());
    let mut materials = Materials::new(object.package, &mesh.textures, &mut model, find, cx);
    let stride = usize::try_from(lod.stride()).unwrap_or(0);
    let special = usize::try_from(lod.special_verts).unwrap_or(0);
    let point_of = |number: usize| lod.frame_vertex(number).filter(|point| *point < stride);
    let corner = |wedge: usize| -> Option<Corner> {
        let found = lod.wedges.get(wedge)?;
        let point = point_of(usize::from(found.vertex).checked_add(special)?)? as u32;
        Some(Corner { point, uv: found.uv, source: wedge as u32 })
    };
    // Every wedge is a vertex, so that levels can share them; one that leads nowhere is used by no triangle.
    let nowhere = Corner { point: u32::MAX, uv: [0.0; 2], source: u32::MAX };
    let mut parts = Parts {
        corners: (0..lod.wedges.len()).map(|wedge| corner(wedge).unwrap_or(nowhere)).collect(),
        triangles: Vec::new(),
        levels: Vec::new(),
    };
    let mut material_of = |index: u16| {
        let found = lod.materials.get(usize::from(index)).copied().unwrap_or_default();
        materials.index(found.poly_flags, found.texture)
    };
    let of_faces: Vec<u32> = lod.faces.iter().map(|face| material_of(face.material)).collect();
    let triangle = |index: usize, wedges: [usize; 3]| -> Option<Triangle> {
        let good = wedges.iter().all(|w| parts.corners.get(*w).is_some_and(|c| c.point != u32::MAX));
        let material = *of_faces.get(index)?;
        good.then(|| Triangle { vertices: wedges.map(|w| w as u32), material, source: index as u32 })
    };
    let whole = lod.faces.iter().enumerate();
    let mut triangles: Vec<Triangle> =
        whole.filter_map(|(index, face)| triangle(index, face.wedges.map(usize::from))).collect();
    let vertex_of = |wedge: usize| lod.wedges.get(wedge).map(|w| usize::from(w.vertex));
    let coarse: Vec<(u32, Vec<Triangle>)> = levels(lod, lod.wedges.len(), vertex_of)
        .into_iter()
        .map(|level| (level.vertex_count, level.faces.into_iter().filter_map(|(f, w)| triangle(f, w)).collect()))
        .collect();
    // The attachment triangles are of the frame's first vertices, and are seen only where hidden surfaces are.
    if !lod.special_faces.is_empty() && special > 0 {
        let material = materials.hidden("Attachment triangle");
        for (index, face) in lod.special_faces.iter().enumerate() {
            let points = face.wedges.map(|v| point_of(usize::from(v)).filter(|_| usize::from(v) < special));
            let [Some(a), Some(b), Some(c)] = points else { continue };
            let first = parts.corners.len() as u32;
            parts.corners.extend([a, b, c].map(|p| Corner { point: p as u32, uv: [0.0; 2], source: u32::MAX }));
            let vertices = [0, 1, 2].map(|i: u32| first.saturating_add(i));
            triangles.push(Triangle { vertices, material, source: index as u32 });
        }
    }
    materials.note_empty_slots();
    parts.triangles = triangles;
    parts.levels = coarse;
    build(model, mesh, lod.stride(), parts, cx)
}

/// Puts a model together: points and frames from the mesh, everything else from the parts.
fn build(mut model: Model, mesh: &Mesh, stride: i32, parts: Parts, cx: &LoadContext<'_>) -> Model {
    let placed = space::scene_from_mesh(mesh.scale, mesh.origin, mesh.rot_origin);
    model.file_from_scene = placed.inverse();
    let count = whole_frames(mesh.verts.len(), stride, mesh.anim_frames);
    let stride = usize::try_from(stride).unwrap_or(0);
    // Frames beyond what a document may decode to are left out.
    let affordable = cx.limits.decoded_bytes.checked_div((stride as u64).saturating_mul(48)).unwrap_or(0);
    let count = count.min(usize::try_from(affordable).unwrap_or(usize::MAX));
    let winding = Winding::after(&placed);
    let mut out = scene::Mesh { name: model.name.clone(), ..scene::Mesh::default() };
    let place = |vert: &[i16; 3]| placed.transform_point3(Vec3::from(vert.map(f32::from)));
    out.points = mesh.verts.iter().take(stride).map(place).collect();
    add_triangles(&mut out, &parts.corners, &parts.triangles, winding);
    out.levels = parts
        .levels
        .iter()
        .map(|(point_count, triangles)| {
            let (indices, surfaces, _) = grouped(triangles, winding);
            MeshLevel { point_count: *point_count, indices, surfaces }
        })
        .collect();
    let corners = point_triangles(&out);
    out.point_normals = smooth_normals(&out.points, &corners);
    out.normals = normals_of_vertices(&out);
    if count > 0 && out.points.len() == stride {
        out.vertex_frames = vertex_frames(&mesh.verts, stride, count, &placed, &corners);
    }
    if !out.points.is_empty() {
        model.meshes.push(out);
    }
    model
}

/// How triangles come from the file, seen from outside in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winding {
    Clockwise,
    CounterClockwise,
}

impl Winding {
    /// The swap of axes turns triangles over; a scale may do it once more.
    fn after(placed: &Affine3A) -> Self {
        if placed.matrix3.determinant() < 0.0 { Self::Clockwise } else { Self::CounterClockwise }
    }
}

/// The vertices and the triangles of a mesh.
pub fn add_triangles(out: &mut scene::Mesh, corners: &[Corner], triangles: &[Triangle], winding: Winding) {
    out.vertex_points = corners.iter().map(|c| c.point).collect();
    out.vertex_sources = corners.iter().map(|c| c.source).collect();
    out.uv_sets = vec![corners.iter().map(|c| Vec2::from(c.uv)).collect()];
    (out.indices, out.surfaces, out.triangle_sources) = grouped(triangles, winding);
}

/// Triangles by material, counter-clockwise: indices, the runs of one material, and the file's numbers.
fn grouped(triangles: &[Triangle], winding: Winding) -> (Vec<u32>, Vec<Surface>, Vec<u32>) {
    let mut sorted: Vec<&Triangle> = triangles.iter().collect();
    // Stable: triangles of one material stay in the file's order.
    sorted.sort_by_key(|t| t.material);
    let mut indices = Vec::with_capacity(sorted.len().saturating_mul(3));
    let mut surfaces = Vec::new();
    for run in sorted.chunk_by(|a, b| a.material == b.material) {
        let first_index = indices.len() as u32;
        for triangle in run {
            let [a, b, c] = triangle.vertices;
            indices.extend(match winding {
                Winding::Clockwise => [a, c, b],
                Winding::CounterClockwise => [a, b, c],
            });
        }
        let material = run.first().map_or(0, |t| t.material);
        surfaces.push(Surface {
            first_index,
            index_count: (indices.len() as u32).saturating_sub(first_index),
            material,
        });
    }
    (indices, surfaces, sorted.iter().map(|t| t.source).collect())
}

/// The points of a mesh's triangles.
pub fn point_triangles(mesh: &scene::Mesh) -> Vec<[u32; 3]> {
    let point = |vertex: &u32| mesh.vertex_points.get(*vertex as usize).copied().unwrap_or(u32::MAX);
    let triangles = mesh.indices.as_chunks::<3>().0;
    triangles.iter().map(|[a, b, c]| [point(a), point(b), point(c)]).collect()
}

pub fn normals_of_vertices(mesh: &scene::Mesh) -> Vec<Vec3> {
    let normal = |point: &u32| mesh.point_normals.get(*point as usize).copied().unwrap_or(Vec3::Y);
    mesh.vertex_points.iter().map(normal).collect()
}

/// A sequence as a clip of the mesh's frames; `None` when there is none of this number.
pub fn clip(name: &str, mesh: &Mesh, stride: i32, number: usize) -> Option<Clip> {
    let sequence = mesh.sequences.get(number)?;
    let there = whole_frames(mesh.verts.len(), stride, mesh.anim_frames) as u32;
    Some(clip_of(name, sequence, there, &space::scene_from_mesh(mesh.scale, mesh.origin, mesh.rot_origin)))
}

/// A sequence as a clip of the mesh of this name, which has `there` frames and is placed in the scene like this.
pub fn clip_of(name: &str, sequence: &AnimSeq, there: u32, placed: &Affine3A) -> Clip {
    let first = u32::try_from(sequence.start_frame).unwrap_or(0);
    let count = u32::try_from(sequence.frames).unwrap_or(0);
    // Frames that the mesh does not have cannot be shown: what is left of the sequence plays.
    let count = count.min(there.saturating_sub(first));
    Clip {
        name: sequence.name.to_string(),
        group: if sequence.group.eq_ignore_ascii_case("None") { String::new() } else { sequence.group.to_string() },
        frame_count: count,
        rate_hz: animation::rate_hz(sequence),
        default_loop: LoopMode::Loop,
        blends_across_seam: true,
        joints: [].into(),
        key_rule: KeyRule::Plain,
        channels: if count > 0 { vec![Channel::vertex_frames(name, first, count)] } else { Vec::new() },
        markers: animation::markers(sequence),
        file_from_scene: placed.inverse(),
        ..Clip::default()
    }
}
