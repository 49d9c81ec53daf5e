use super::{
    buffers::{Bounds, Builder, Place},
    frames::FrameTargets,
    skin::{self, WrittenSkin},
    written_materials::WrittenMaterials,
};
use crate::{
    export::ExportError,
    scene::{Mesh, Morph, Surface},
};
use glam::{Vec2, Vec3};
use gltf_json::{
    self as json, Index,
    buffer::Target,
    mesh::{MorphTarget, Primitive, Semantic},
    validation::Checked::Valid,
};
use std::collections::BTreeMap;

type Attributes = BTreeMap<json::validation::Checked<Semantic>, Index<json::Accessor>>;

const VERTEX_DATA: Place = Place::Own(Some(Target::ArrayBuffer));

/// Writes a mesh: one primitive a surface, all over the same vertices. `None` when there is nothing to draw.
pub fn write(
    builder: &mut Builder,
    mesh: &Mesh,
    materials: &WrittenMaterials,
    skin: Option<&WrittenSkin>,
    frames: &FrameTargets,
) -> Result<Option<Index<json::Mesh>>, ExportError> {
    let vertices = mesh.vertex_points.len();
    let positions = positions(mesh);
    let surfaces = drawable_surfaces(mesh, &positions);
    if surfaces.is_empty() {
        return Ok(None);
    }
    let mut shared = Attributes::new();
    // Vertices that are not finite are in no triangle that is kept: they lie where the first good one does.
    let stand_in = positions.iter().flatten().next().copied().unwrap_or_default();
    let solid: Vec<[f32; 3]> = positions.iter().map(|p| p.unwrap_or(stand_in).to_array()).collect();
    shared.insert(Valid(Semantic::Positions), builder.floats(&solid, VERTEX_DATA, Bounds::Yes)?);
    let has_normals = mesh.normals.len() == vertices;
    if has_normals {
        let normals: Vec<[f32; 3]> = mesh.normals.iter().map(|n| unit(*n).to_array()).collect();
        shared.insert(Valid(Semantic::Normals), builder.floats(&normals, VERTEX_DATA, Bounds::No)?);
    }
    write_uv_sets(builder, mesh, materials, &surfaces, &mut shared)?;
    if let (Some(source), Some(written)) = (&mesh.skin, skin) {
        let influences = skin::write_influences(builder, mesh, source, written)?;
        for (set, (joints, weights)) in (0_u32..).zip(influences.joints.iter().zip(&influences.weights)) {
            shared.insert(Valid(Semantic::Joints(set)), *joints);
            shared.insert(Valid(Semantic::Weights(set)), *weights);
        }
    }
    let colors = write_colors(builder, mesh, materials, &surfaces)?;
    let mut targets = write_morphs(builder, mesh, has_normals)?;
    write_frames(builder, mesh, frames, &solid, has_normals, &mut targets)?;

    let mut primitives = Vec::with_capacity(surfaces.len());
    for (surface, indices) in &surfaces {
        let material = materials.get(surface.material).map(|m| m.index);
        let mut attributes = shared.clone();
        if let Some(color) = colors.for_surface(materials, surface) {
            attributes.insert(Valid(Semantic::Colors(0)), color);
        }
        primitives.push(Primitive {
            attributes,
            extensions: None,
            extras: None,
            indices: Some(builder.indices(indices, vertices)?),
            material,
            mode: Valid(json::mesh::Mode::Triangles),
            targets: (!targets.is_empty()).then(|| targets.clone()),
        });
    }
    let mut names: Vec<String> = mesh.morphs.iter().map(|m| m.name.clone()).collect();
    names.extend(frames.frames.iter().map(|frame| format!("frame {frame}")));
    let extras = if names.is_empty() {
        None
    } else {
        let text = serde_json::json!({ "targetNames": names }).to_string();
        json::extras::RawValue::from_string(text).ok()
    };
    let written = json::Mesh {
        extensions: None,
        extras,
        name: Some(mesh.name.clone()),
        primitives,
        weights: (!names.is_empty()).then(|| vec![0.0; names.len()]),
    };
    Ok(Some(Index::push(&mut builder.root.meshes, written)))
}

/// Positions of the vertices; `None` for one that is not finite or names no point.
fn positions(mesh: &Mesh) -> Vec<Option<Vec3>> {
    let point = |p: &u32| mesh.points.get(*p as usize).copied().filter(|p| p.is_finite());
    mesh.vertex_points.iter().map(point).collect()
}

/// Triangles of each surface, without those that name a vertex that cannot be drawn; surfaces without triangles are left out.
fn drawable_surfaces(mesh: &Mesh, positions: &[Option<Vec3>]) -> Vec<(Surface, Vec<u32>)> {
    let good = |index: &u32| positions.get(*index as usize).is_some_and(Option::is_some);
    let all = Surface { first_index: 0, index_count: mesh.indices.len() as u32, material: u32::MAX };
    let surfaces = if mesh.surfaces.is_empty() { std::slice::from_ref(&all) } else { mesh.surfaces.as_slice() };
    surfaces
        .iter()
        .filter_map(|surface| {
            let first = surface.first_index as usize;
            let end = first.checked_add(surface.index_count as usize)?.min(mesh.indices.len());
            let mut kept = Vec::with_capacity(end.saturating_sub(first));
            for triangle in mesh.indices.get(first..end)?.chunks_exact(3) {
                if triangle.iter().all(good) {
                    kept.extend_from_slice(triangle);
                }
            }
            (!kept.is_empty()).then_some((*surface, kept))
        })
        .collect()
}

fn unit(normal: Vec3) -> Vec3 {
    let normal = if normal.is_finite() { normal } else { Vec3::ZERO };
    normal.normalize_or(Vec3::Y)
}

fn finite(vector: Vec3) -> Vec3 {
    if vector.is_finite() { vector } else { Vec3::ZERO }
}

/// Every set, as it is: V = 0 is the top row in the scene and in glTF. A textured surface needs a first one.
fn write_uv_sets(
    builder: &mut Builder,
    mesh: &Mesh,
    materials: &WrittenMaterials,
    surfaces: &[(Surface, Vec<u32>)],
    attributes: &mut Attributes,
) -> Result<(), ExportError> {
    let vertices = mesh.vertex_points.len();
    let whole: Vec<&Vec<Vec2>> = mesh.uv_sets.iter().filter(|set| set.len() == vertices).collect();
    for (set, uvs) in (0_u32..).zip(&whole) {
        let uvs: Vec<[f32; 2]> = uvs.iter().map(|uv| if uv.is_finite() { uv.to_array() } else { [0.0; 2] }).collect();
        attributes.insert(Valid(Semantic::TexCoords(set)), builder.floats(&uvs, VERTEX_DATA, Bounds::No)?);
    }
    if whole.is_empty() && surfaces.iter().any(|(s, _)| materials.get(s.material).is_some_and(|m| m.uv_sets() > 0)) {
        let accessor = builder.floats(&vec![[0.0; 2]; vertices], VERTEX_DATA, Bounds::No)?;
        attributes.insert(Valid(Semantic::TexCoords(0)), accessor);
    }
    Ok(())
}

/// Vertex colours as accessors.
struct Colors {
    as_they_are: Option<Index<json::Accessor>>,
    opaque: Option<Index<json::Accessor>>,
}

impl Colors {
    fn for_surface(&self, materials: &WrittenMaterials, surface: &Surface) -> Option<Index<json::Accessor>> {
        if uses_alpha(materials, surface) { self.opaque } else { self.as_they_are }
    }
}

fn uses_alpha(materials: &WrittenMaterials, surface: &Surface) -> bool {
    materials.get(surface.material).is_some_and(|m| m.uses_alpha)
}

/// Colours keep their bytes: glTF multiplies them as linear factors, and the files that have them hold linear data. Their alpha
/// is free data that glTF would blend with: surfaces that use alpha get the colours with full alpha.
fn write_colors(
    builder: &mut Builder,
    mesh: &Mesh,
    materials: &WrittenMaterials,
    surfaces: &[(Surface, Vec<u32>)],
) -> Result<Colors, ExportError> {
    let mut colors = Colors { as_they_are: None, opaque: None };
    if mesh.colors.len() != mesh.vertex_points.len() {
        return Ok(colors);
    }
    if surfaces.iter().any(|(s, _)| !uses_alpha(materials, s)) {
        colors.as_they_are = Some(builder.bytes4(&mesh.colors, true)?);
    }
    if surfaces.iter().any(|(s, _)| uses_alpha(materials, s)) {
        let opaque: Vec<[u8; 4]> = mesh.colors.iter().map(|[r, g, b, _]| [*r, *g, *b, 255]).collect();
        colors.opaque = Some(builder.bytes4(&opaque, true)?);
    }
    Ok(colors)
}

fn write_morphs(builder: &mut Builder, mesh: &Mesh, has_normals: bool) -> Result<Vec<MorphTarget>, ExportError> {
    if mesh.morphs.is_empty() {
        return Ok(Vec::new());
    }
    let vertices_of = VerticesOfPoints::new(mesh);
    let mut targets = Vec::with_capacity(mesh.morphs.len());
    for morph in &mesh.morphs {
        let (positions, normals) = vertex_deltas(mesh, morph, &vertices_of);
        let count = mesh.vertex_points.len();
        targets.push(MorphTarget {
            positions: Some(builder.sparse(count, &positions, Bounds::Yes)?),
            normals: if has_normals { Some(builder.sparse(count, &normals, Bounds::No)?) } else { None },
            tangents: None,
        });
    }
    Ok(targets)
}

/// A target for each frame: what lies between it and the mesh at rest.
fn write_frames(
    builder: &mut Builder,
    mesh: &Mesh,
    frames: &FrameTargets,
    rest: &[[f32; 3]],
    has_normals: bool,
    targets: &mut Vec<MorphTarget>,
) -> Result<(), ExportError> {
    let Some(source) = &mesh.vertex_frames else { return Ok(()) };
    let count = mesh.vertex_points.len();
    for frame in &frames.frames {
        let (places, turned) = (source.positions(*frame), source.normals(*frame));
        let differ = |of: &[Vec3], at: &dyn Fn(usize) -> Vec3| -> Deltas {
            let vertices = mesh.vertex_points.iter().enumerate();
            let delta = |(vertex, point): (usize, &u32)| {
                let delta = finite(*of.get(*point as usize)? - at(vertex));
                (delta != Vec3::ZERO).then_some((vertex as u32, delta.to_array()))
            };
            vertices.filter_map(delta).collect()
        };
        let at_rest = |vertex: usize| rest.get(vertex).map_or(Vec3::ZERO, |p| Vec3::from(*p));
        let normal = |vertex: usize| mesh.normals.get(vertex).map_or(Vec3::Y, |n| unit(*n));
        let positions = differ(places, &at_rest);
        let normals = has_normals.then(|| differ(turned, &normal));
        targets.push(MorphTarget {
            positions: Some(builder.sparse(count, &positions, Bounds::Yes)?),
            normals: normals.map(|normals| builder.sparse(count, &normals, Bounds::No)).transpose()?,
            tangents: None,
        });
    }
    Ok(())
}

type Deltas = Vec<(u32, [f32; 3])>;

/// A morph's deltas by vertex, ascending; several deltas of one point add up.
fn vertex_deltas(mesh: &Mesh, morph: &Morph, vertices_of: &VerticesOfPoints) -> (Deltas, Deltas) {
    let mut by_point: BTreeMap<u32, (Vec3, Vec3)> = BTreeMap::new();
    for delta in morph.deltas.iter().filter(|d| (d.point as usize) < mesh.points.len()) {
        let (position, normal) = by_point.entry(delta.point).or_default();
        *position += finite(delta.position);
        *normal += finite(delta.normal);
    }
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for (point, (position, normal)) in by_point {
        for vertex in vertices_of.get(point) {
            if position != Vec3::ZERO {
                positions.push((*vertex, finite(position).to_array()));
            }
            if normal != Vec3::ZERO {
                normals.push((*vertex, finite(normal).to_array()));
            }
        }
    }
    positions.sort_by_key(|(vertex, _)| *vertex);
    normals.sort_by_key(|(vertex, _)| *vertex);
    (positions, normals)
}

/// Which vertices show a point.
struct VerticesOfPoints {
    starts: Vec<u32>,
    vertices: Vec<u32>,
}

impl VerticesOfPoints {
    fn new(mesh: &Mesh) -> Self {
        let mut starts = vec![0_u32; mesh.points.len() + 1];
        for point in &mesh.vertex_points {
            if let Some(count) = starts.get_mut(*point as usize + 1) {
                *count += 1;
            }
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut vertices = vec![0; starts.last().copied().unwrap_or(0) as usize];
        for (vertex, point) in (0_u32..).zip(&mesh.vertex_points) {
            if (*point as usize) < mesh.points.len() {
                let slot = &mut next[*point as usize];
                vertices[*slot as usize] = vertex;
                *slot += 1;
            }
        }
        Self { starts, vertices }
    }

    fn get(&self, point: u32) -> &[u32] {
        let range = self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize;
        &self.vertices[range]
    }
}
