//! Frames of vertices as morph targets: one for each frame that clips show and that is not the mesh as it rests.

use super::{
    base_color::{VertexColorSet, VertexColors},
    buffers::{Bounds, Builder, Place},
    node_extension::name_of,
    skin::{self, WrittenSkin},
    srgb,
    variant_mappings::{WrittenMaterial, WrittenMaterials},
};
use crate::{
    export::ExportError,
    scene::{Mesh, MeshLevel, Morph, Surface},
};
use glam::{Vec2, Vec3};
use gltf_json::{
    self as json, Index,
    buffer::Target,
    mesh::{Mode, MorphTarget, Primitive, Semantic},
    validation::Checked::Valid,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Attributes = BTreeMap<json::validation::Checked<Semantic>, Index<json::Accessor>>;

const VERTEX_DATA: Place = Place::Own(Some(Target::ArrayBuffer));

/// Writes a mesh: one primitive a surface of triangles or lines, all over the same vertices. `None` when there is nothing to draw.
pub fn write(
    builder: &mut Builder,
    mesh: &Mesh,
    materials: &WrittenMaterials,
    skin: Option<&WrittenSkin>,
    frames: &FrameTargets,
) -> Result<Option<Index<json::Mesh>>, ExportError> {
    Ok(write_levels(builder, mesh, &[], materials, skin, frames)?.into_iter().next().flatten())
}

/// As [`write`], then some coarser levels of the mesh, over its vertices too.
pub fn write_levels(
    builder: &mut Builder,
    mesh: &Mesh,
    levels: &[MeshLevel],
    materials: &WrittenMaterials,
    skin: Option<&WrittenSkin>,
    frames: &FrameTargets,
) -> Result<Vec<Option<Index<json::Mesh>>>, ExportError> {
    let vertices = mesh.vertex_points.len();
    let positions = positions(mesh);
    let own = (mesh.indices.as_slice(), mesh.surfaces.as_slice());
    let coarser = levels.iter().map(|level| (level.indices.as_slice(), level.surfaces.as_slice()));
    let drawn = std::iter::once(own).chain(coarser);
    let lines = drawable_lines(mesh, &positions);
    let with_lines = |mut drawn: Vec<Drawable>| {
        drawn.extend(lines.iter().cloned());
        drawn
    };
    let drawn: Vec<_> =
        drawn.map(|(indices, surfaces)| with_lines(drawable_surfaces(indices, surfaces, &positions))).collect();
    if drawn.iter().all(Vec::is_empty) {
        return Ok(vec![None; drawn.len()]);
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
    write_uv_sets(builder, mesh, materials, drawn.iter().flatten().map(|drawable| drawable.material), &mut shared)?;
    if let (Some(source), Some(written)) = (&mesh.skin, skin) {
        let influences = skin::write_influences(builder, mesh, source, written)?;
        for (set, (joints, weights)) in (0_u32..).zip(influences.joints.iter().zip(&influences.weights)) {
            shared.insert(Valid(Semantic::Joints(set)), *joints);
            shared.insert(Valid(Semantic::Weights(set)), *weights);
        }
    }
    let mut colors = Colors::default();
    let mut targets = write_morphs(builder, mesh, has_normals)?;
    write_frames(builder, mesh, frames, &solid, has_normals, &mut targets)?;

    let mut names: Vec<String> = mesh.morphs.iter().map(|m| m.name.clone()).collect();
    names.extend(frames.frames.iter().map(|frame| format!("frame {frame}")));
    let extras = if names.is_empty() {
        None
    } else {
        let text = serde_json::json!({ "targetNames": names }).to_string();
        json::extras::RawValue::from_string(text).ok()
    };
    let mut meshes = Vec::with_capacity(drawn.len());
    for (level, surfaces) in drawn.iter().enumerate() {
        let mut primitives = Vec::with_capacity(surfaces.len());
        for Drawable { material, mode, indices } in surfaces {
            let material = materials.get(*material);
            let mut attributes = shared.clone();
            if let Some(color) = colors.of_surface(builder, mesh, material)? {
                attributes.insert(Valid(Semantic::Colors(0)), color);
            }
            let is_turned = *mode == Mode::Triangles && material.is_some_and(|material| material.inside_out);
            let turned = is_turned.then(|| turned(indices));
            primitives.push(Primitive {
                attributes,
                extensions: None,
                extras: None,
                indices: Some(builder.indices(turned.as_ref().unwrap_or(indices), vertices)?),
                material: material.map(|material| material.index),
                mode: Valid(*mode),
                targets: (!targets.is_empty()).then(|| targets.clone()),
            });
        }
        let written = json::Mesh {
            extensions: None,
            extras: extras.clone(),
            name: Some(if level == 0 { mesh.name.clone() } else { name_of(&mesh.name, level) }),
            primitives,
            weights: (!names.is_empty()).then(|| vec![0.0; names.len()]),
        };
        let index = (!surfaces.is_empty()).then(|| Index::push(&mut builder.root.meshes, written));
        for (at, surface) in surfaces.iter().enumerate() {
            index.into_iter().for_each(|mesh| builder.variants.add(mesh, at, materials, surface.material));
        }
        meshes.push(index);
    }
    Ok(meshes)
}

/// Positions of the vertices; `None` for one that is not finite or names no point.
fn positions(mesh: &Mesh) -> Vec<Option<Vec3>> {
    let point = |p: &u32| mesh.points.get(*p as usize).copied().filter(|p| p.is_finite());
    mesh.vertex_points.iter().map(point).collect()
}

/// The triangles or lines of a surface.
#[derive(Clone, Debug)]
struct Drawable {
    material: u32,
    mode: Mode,
    indices: Vec<u32>,
}

/// Lines of each line surface, without those that name a vertex that cannot be drawn; surfaces without lines are left out.
fn drawable_lines(mesh: &Mesh, positions: &[Option<Vec3>]) -> Vec<Drawable> {
    let good = |index: &u32| positions.get(*index as usize).is_some_and(Option::is_some);
    let lines = mesh.line_surfaces.iter().map(|surface| Drawable {
        material: surface.material,
        mode: Mode::Lines,
        indices: mesh.lines_of(surface).iter().filter(|ends| ends.iter().all(good)).copied().flatten().collect(),
    });
    lines.filter(|lines| !lines.indices.is_empty()).collect()
}

/// Triangles of each surface, without those that name a vertex that cannot be drawn; surfaces without triangles are left out.
fn drawable_surfaces(indices: &[u32], surfaces: &[Surface], positions: &[Option<Vec3>]) -> Vec<Drawable> {
    let good = |index: &u32| positions.get(*index as usize).is_some_and(Option::is_some);
    let all = Surface { first_index: 0, index_count: indices.len() as u32, material: u32::MAX };
    let surfaces = if surfaces.is_empty() { std::slice::from_ref(&all) } else { surfaces };
    surfaces
        .iter()
        .filter_map(|surface| {
            let first = surface.first_index as usize;
            let end = first.checked_add(surface.index_count as usize)?.min(indices.len());
            let mut kept = Vec::with_capacity(end.saturating_sub(first));
            for triangle in indices.get(first..end)?.chunks_exact(3) {
                if triangle.iter().all(good) {
                    kept.extend_from_slice(triangle);
                }
            }
            let (material, mode) = (surface.material, Mode::Triangles);
            (!kept.is_empty()).then_some(Drawable { material, mode, indices: kept })
        })
        .collect()
}

/// The same triangles seen from the other side.
fn turned(indices: &[u32]) -> Vec<u32> {
    indices.as_chunks::<3>().0.iter().flat_map(|[a, b, c]| [*a, *c, *b]).collect()
}

fn unit(normal: Vec3) -> Vec3 {
    let normal = if normal.is_finite() { normal } else { Vec3::ZERO };
    normal.normalize_or(Vec3::Y)
}

fn finite(vector: Vec3) -> Vec3 {
    if vector.is_finite() { vector } else { Vec3::ZERO }
}

/// Every set, as it is: V = 0 is the top row in the scene and in glTF. Sets that the mesh leaves out before another, or that a
/// material reads and the mesh does not have, are zero: what the surface reads there.
fn write_uv_sets(
    builder: &mut Builder,
    mesh: &Mesh,
    materials: &WrittenMaterials,
    drawn: impl Iterator<Item = u32>,
    attributes: &mut Attributes,
) -> Result<(), ExportError> {
    let vertices = mesh.vertex_points.len();
    let is_whole = |set: &Vec<Vec2>| set.len() == vertices;
    let own = mesh.uv_sets.iter().rposition(is_whole).map_or(0, |last| last as u32 + 1);
    let read = drawn.map(|material| materials.uv_sets(material));
    let mut zero = None;
    for set in 0..own.max(read.max().unwrap_or(0)) {
        let accessor = match (mesh.uv_sets.get(set as usize).filter(|set| is_whole(set)), zero) {
            (None, Some(zero)) => zero,
            (None, None) => *zero.insert(builder.floats(&vec![[0.0; 2]; vertices], VERTEX_DATA, Bounds::No)?),
            (Some(uvs), _) => {
                let usable = |uv: &Vec2| if uv.is_finite() { uv.to_array() } else { [0.0; 2] };
                let uvs: Vec<[f32; 2]> = uvs.iter().map(usable).collect();
                builder.floats(&uvs, VERTEX_DATA, Bounds::No)?
            }
        };
        attributes.insert(Valid(Semantic::TexCoords(set)), accessor);
    }
    Ok(())
}

/// Vertex colours as accessors, by what materials make of them.
#[derive(Default)]
struct Colors {
    written: BTreeMap<(VertexColors, Option<usize>), Index<json::Accessor>>,
}

impl Colors {
    /// Those of a surface; `None` where its mesh has none, or its material does not look at them. The scene has colours in gamma
    /// space, glTF multiplies with linear ones: 16 bits keep the steps of dark colours.
    fn of_surface(
        &mut self,
        builder: &mut Builder,
        mesh: &Mesh,
        material: Option<&WrittenMaterial>,
    ) -> Result<Option<Index<json::Accessor>>, ExportError> {
        let key = WrittenMaterial::vertex_colors_of(material);
        let front = material.and_then(|material| Some((material.index.value(), material.front.as_ref()?)));
        let place = (key, front.map(|(material, _)| material));
        if let Some(known) = self.written.get(&place) {
            return Ok(Some(*known));
        }
        if let Some((_, front)) = front {
            // Chosen by the colours between vertices, so that these need no note.
            let factors = front.factors(mesh);
            let shorts = |factor: &[f32; 4]| factor.map(|value| (value * f32::from(u16::MAX)).round() as u16);
            let accessor = builder.colors(&factors.iter().map(shorts).collect::<Vec<_>>())?;
            self.written.insert(place, accessor);
            return Ok(Some(accessor));
        }
        let count = mesh.vertex_points.len();
        let set = |set: VertexColorSet| color_set(mesh, set);
        let (color, alpha) = (key.color.and_then(set), key.alpha.and_then(set));
        if color.is_none() && alpha.is_none() {
            return Ok(None);
        }
        if let Some(colors) = color {
            builder.lightening = builder.lightening.max(lightening(mesh, colors, key.full));
        }
        let linear = srgb::linear_shorts(key.full);
        let value = |vertex: usize| -> [u16; 4] {
            let of = |set: Option<&Vec<[u8; 4]>>| set.and_then(|set| set.get(vertex)).copied();
            let [r, g, b] = of(color).map_or([u16::MAX; 3], |[r, g, b, _]| [r, g, b].map(|c| linear[usize::from(c)]));
            [r, g, b, of(alpha).map_or(u16::MAX, |[_, _, _, a]| u16::from(a) * 257)]
        };
        let values: Vec<[u16; 4]> = (0..count).map(value).collect();
        let accessor = builder.colors(&values)?;
        self.written.insert(place, accessor);
        Ok(Some(accessor))
    }
}

/// The colours of a set, if every vertex has one.
pub fn color_set(mesh: &Mesh, set: VertexColorSet) -> Option<&Vec<[u8; 4]>> {
    let is_whole = |colors: &&Vec<[u8; 4]>| colors.len() == mesh.vertex_points.len();
    let second = (set == VertexColorSet::Second).then_some(&mesh.second_colors).filter(is_whole);
    second.or(Some(&mesh.colors).filter(is_whole))
}

/// The most by which clients show a colour between the corners of a triangle lighter than it is.
fn lightening(mesh: &Mesh, colors: &[[u8; 4]], full: u8) -> f32 {
    let mut pairs: BTreeSet<[u8; 2]> = BTreeSet::new();
    for corners in mesh.indices.as_chunks::<3>().0 {
        let [a, b, c] = corners.map(|corner| colors.get(corner as usize).copied().unwrap_or([255; 4]));
        for (from, to) in [(a, b), (b, c), (c, a)] {
            pairs.extend((0..3).map(|part| [from[part].min(to[part]), from[part].max(to[part])]));
        }
    }
    pairs.into_iter().map(|[low, high]| srgb::lightening(low, high, full)).fold(0.0, f32::max)
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

/// Which frames of a mesh are targets, and which target shows a frame.
#[derive(Clone, Debug, Default)]
pub struct FrameTargets {
    /// Frames, in the order of their targets, which come after those of morphs.
    pub frames: Vec<u32>,
    /// By frame; `None` for one in which every point is where it rests.
    target_of: HashMap<u32, Option<u32>>,
}

impl FrameTargets {
    /// The frames of a mesh that are played. Equal frames share a target.
    pub fn of(mesh: &Mesh, played: &BTreeSet<u32>) -> Self {
        let mut out = Self::default();
        let Some(frames) = &mesh.vertex_frames else { return out };
        let bits = |frame: u32| -> Vec<u32> {
            frames.positions(frame).iter().flat_map(|p| p.to_array()).map(f32::to_bits).collect()
        };
        let rest: Vec<u32> = mesh.points.iter().flat_map(|p| p.to_array()).map(f32::to_bits).collect();
        let mut known: HashMap<Vec<u32>, Option<u32>> = HashMap::from([(rest, None)]);
        for frame in played.range(..frames.frame_count()).copied() {
            let target = *known.entry(bits(frame)).or_insert_with(|| {
                out.frames.push(frame);
                Some(out.frames.len() as u32 - 1)
            });
            out.target_of.insert(frame, target);
        }
        out
    }

    /// The target that shows a frame.
    pub fn target(&self, frame: u32) -> Option<u32> {
        self.target_of.get(&frame).copied().flatten()
    }
}
