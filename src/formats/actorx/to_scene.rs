//! A mesh file as a scene model.

use super::{
    Psk, bind, codes,
    container::{ChunkKind, Findings, Place},
    material::{self, Textures},
    normals::{self, Triangle},
    space,
};
use crate::{
    bytes::numbers::{counted, grouped},
    formats::LoadContext,
    scene::{Material, MaterialIndex, MaterialKind, Mesh, MissingTexture, Model, Morph, MorphDelta, Skeleton, Surface},
};
use glam::{Vec2, Vec3};
use std::collections::HashMap;

/// How many other points at one position a morph's delta is also given to.
const MAX_TWINS: usize = 16;

/// Builds the model. `parents` are the repaired ones ([`super::hierarchy`]).
pub fn model(psk: &Psk, parents: &[Option<u32>], cx: &mut LoadContext<'_>, findings: &mut Findings) -> Model {
    let mut model = Model::empty(cx.stem());
    model.file_from_scene = space::file_from_scene();
    let sockets = bind::sockets(psk, findings);
    if !psk.bones.is_empty() || !sockets.is_empty() {
        model.skeleton = Some(bind::skeleton(&psk.bones, parents, sockets, cx.options.root_conjugate, findings));
    }
    let mut mesh = Mesh { name: model.name.clone(), points: points(psk, findings), ..Mesh::default() };
    if !psk.bones.is_empty() && !psk.points.is_empty() {
        mesh.skin = Some(bind::skin(psk, findings));
    }
    if cx.cancelled() {
        return model;
    }
    let mut triangles = triangles(psk, findings);
    // Stable: triangles of one surface stay in the file's order.
    triangles.sort_by_key(|t| t.face.material);
    surfaces(psk, &triangles, &mut mesh, &mut model, cx, findings);
    let corners = corner_normals(psk, &triangles, &mut mesh, findings);
    vertices(&triangles, &corners, &mut mesh);
    attributes(psk, &mut mesh, cx.options.swap_red_blue, findings);
    mesh.morphs = morphs(psk, cx.options.repair_morphs, findings);
    if !mesh.points.is_empty() {
        model.meshes.push(mesh);
    }
    model
}

/// A skeleton without a mesh: the stick figure of an animation file.
pub fn stick_figure(name: &str, skeleton: Skeleton) -> Model {
    let mut model = Model::empty(name);
    model.file_from_scene = space::file_from_scene();
    model.skeleton = Some(skeleton);
    model
}

fn points(psk: &Psk, findings: &mut Findings) -> Vec<Vec3> {
    let mut bad = 0_usize;
    let points = psk.points.iter().map(|p| {
        let point = space::point(*p);
        if point.is_finite() {
            return point;
        }
        bad = bad.saturating_add(1);
        Vec3::ZERO
    });
    let points = points.collect();
    if bad > 0 {
        let message = format!(
            "{} of {} points are not finite; the points are placed at the origin",
            grouped(bad),
            grouped(psk.points.len())
        );
        findings.add(&codes::NOT_FINITE, Place::Of(ChunkKind::Points), None, message);
    }
    points
}

/// Faces whose wedges and points exist.
fn triangles(psk: &Psk, findings: &mut Findings) -> Vec<Triangle> {
    let mut first_bad = None;
    let point_of = |wedge: u32| {
        let wedge = psk.wedges.get(wedge as usize)?;
        ((wedge.point as usize) < psk.points.len()).then_some(wedge.point)
    };
    let triangles: Vec<Triangle> = psk
        .faces
        .iter()
        .enumerate()
        .filter_map(|(index, face)| {
            let [a, b, c] = face.wedges.map(point_of);
            match (a, b, c) {
                (Some(a), Some(b), Some(c)) => Some(Triangle { face: *face, points: [a, b, c] }),
                _ => {
                    first_bad.get_or_insert(index);
                    None
                }
            }
        })
        .collect();
    if let Some(first) = first_bad {
        let count = psk.faces.len().saturating_sub(triangles.len());
        let message = format!(
            "{} of {} triangles skipped because of missing wedges or points (first: triangle {first})",
            grouped(count),
            grouped(psk.faces.len())
        );
        findings.add(&codes::BAD_FACE, Place::Of(ChunkKind::NarrowFaces), None, message);
    }
    triangles
}

/// Materials with their textures, and the runs of triangles that use them.
fn surfaces(
    psk: &Psk,
    triangles: &[Triangle],
    mesh: &mut Mesh,
    model: &mut Model,
    cx: &mut LoadContext<'_>,
    findings: &mut Findings,
) {
    let mut textures = Textures::new(cx);
    for (index, matt) in psk.materials.iter().enumerate() {
        let mut basic = material::basic(matt.poly_flags);
        basic.image = textures.find(index, matt);
        if basic.image.is_none() && material::is_named(matt) {
            model.missing_textures.push(MissingTexture {
                material: MaterialIndex(index as u32),
                object: matt.name.clone(),
                package: None,
                near: textures.near(&matt.name),
            });
        }
        textures.describe(matt, &mut basic);
        model.materials.push(Material { name: matt.name.clone(), kind: MaterialKind::Basic(basic) });
    }
    model.images = textures.images;
    model.missing = textures.missing;
    let mut first_index = 0_u32;
    for run in triangles.chunk_by(|a, b| a.face.material == b.face.material) {
        let number = run.first().map_or(0, |t| t.face.material);
        let mut material = usize::from(number);
        if material >= psk.materials.len() {
            material = model.materials.len();
            model.materials.push(material::placeholder(format!("missing material {number}")));
            let count = counted(psk.materials.len(), "material");
            let users = counted(run.len(), "triangle");
            let message = format!("material {number} is used by {users}, but the mesh has only {count}");
            findings.add(&codes::MISSING_MATERIAL, Place::Of(ChunkKind::NarrowFaces), None, message);
        }
        let index_count = (run.len() as u32).saturating_mul(3);
        mesh.surfaces.push(Surface { first_index, index_count, material: material as u32 });
        first_index = first_index.saturating_add(index_count);
    }
}

/// Normals of every triangle's corners, in the file's corner order; fills the mesh's point normals too.
fn corner_normals(psk: &Psk, triangles: &[Triangle], mesh: &mut Mesh, findings: &mut Findings) -> Vec<[Vec3; 3]> {
    let per_point = psk.normals.len() == psk.points.len();
    let per_wedge = !per_point && psk.normals.len() == psk.wedges.len();
    if !psk.normals.is_empty() && !per_point && !per_wedge {
        let message =
            format!("VTXNORMS has {} for {}", counted(psk.normals.len(), "record"), counted(psk.points.len(), "point"));
        findings.add(&codes::COUNT_MISMATCH, Place::Of(ChunkKind::Normals), None, message);
    }
    if psk.normals.is_empty() || !(per_point || per_wedge) {
        let corners = normals::corner_normals(triangles, &mesh.points);
        mesh.point_normals = normals::mean_of_corners(triangles, &corners, mesh.points.len());
        return corners;
    }
    let stored: Vec<Option<Vec3>> = psk.normals.iter().map(|n| space::point(*n).try_normalize()).collect();
    let bad = stored.iter().filter(|n| n.is_none()).count();
    if bad > 0 {
        let message = format!(
            "{} of {} normals are zero or not finite; the normals are computed",
            grouped(bad),
            grouped(stored.len())
        );
        findings.add(&codes::BAD_NORMALS, Place::Of(ChunkKind::Normals), None, message);
    }
    let worked_out = if bad > 0 { normals::corner_normals(triangles, &mesh.points) } else { Vec::new() };
    let corners: Vec<[Vec3; 3]> = triangles
        .iter()
        .enumerate()
        .map(|(index, triangle)| {
            let sources = if per_point { triangle.points } else { triangle.face.wedges };
            let own = sources.map(|source| stored.get(source as usize).copied().flatten());
            let instead = worked_out.get(index).copied().unwrap_or([Vec3::Y; 3]);
            let mut pairs = own.into_iter().zip(instead).map(|(own, instead)| own.unwrap_or(instead));
            std::array::from_fn(|_| pairs.next().unwrap_or(Vec3::Y))
        })
        .collect();
    mesh.point_normals = normals::mean_of_corners(triangles, &corners, mesh.points.len());
    if per_point {
        for (normal, stored) in mesh.point_normals.iter_mut().zip(&stored) {
            *normal = stored.unwrap_or(*normal);
        }
    }
    corners
}

/// One vertex for each wedge and normal that occur; triangles turned counter-clockwise.
fn vertices(triangles: &[Triangle], corners: &[[Vec3; 3]], mesh: &mut Mesh) {
    let wedge_count = triangles.iter().flat_map(|t| t.face.wedges).max().map_or(0, |w| (w as usize).saturating_add(1));
    let mut first_of_wedge = vec![u32::MAX; wedge_count];
    // Wedges that a hard edge splits.
    let mut others: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
    mesh.indices.reserve(triangles.len().saturating_mul(3));
    for (triangle, normals) in triangles.iter().zip(corners) {
        let mut corners = triangle.face.wedges.into_iter().zip(triangle.points).zip(normals);
        let vertices: [u32; 3] = std::array::from_fn(|_| {
            let Some(((wedge, point), normal)) = corners.next() else { return 0 };
            let next = mesh.vertex_points.len() as u32;
            let vertex = match first_of_wedge.get_mut(wedge as usize) {
                Some(first) if *first == u32::MAX => {
                    *first = next;
                    next
                }
                Some(first) if mesh.normals.get(*first as usize) == Some(normal) => *first,
                _ => *others.entry((wedge, normal.to_array().map(f32::to_bits))).or_insert(next),
            };
            if vertex == next {
                mesh.vertex_points.push(point);
                mesh.vertex_sources.push(wedge);
                mesh.normals.push(*normal);
            }
            vertex
        });
        let [a, b, c] = vertices;
        mesh.indices.extend([a, c, b]);
    }
}

/// Texture coordinates and colours, spread from wedges to vertices.
fn attributes(psk: &Psk, mesh: &mut Mesh, swap_red_blue: bool, findings: &mut Findings) {
    let mut bad = 0_usize;
    let mut spread = |uv_of: &dyn Fn(usize) -> [f32; 2]| -> Vec<Vec2> {
        let uvs = mesh.vertex_sources.iter().map(|wedge| {
            let uv = Vec2::from(uv_of(*wedge as usize));
            if uv.is_finite() {
                return uv;
            }
            bad = bad.saturating_add(1);
            Vec2::ZERO
        });
        uvs.collect()
    };
    let mut sets = vec![spread(&|wedge| psk.wedges.get(wedge).map(|w| w.uv).unwrap_or_default())];
    for (number, set) in psk.extra_uvs.iter().enumerate() {
        if set.len() == psk.wedges.len() {
            sets.push(spread(&|wedge| set.get(wedge).copied().unwrap_or_default()));
        } else {
            let message = format!(
                "extra UV set {number} has {} for {}",
                counted(set.len(), "record"),
                counted(psk.wedges.len(), "wedge")
            );
            findings.add(&codes::COUNT_MISMATCH, Place::File, None, message);
        }
    }
    mesh.uv_sets = sets;
    if bad > 0 {
        let message = format!("the mesh has {}; 0 is used", counted(bad, "non-finite texture coordinate"));
        findings.add(&codes::NOT_FINITE, Place::Of(ChunkKind::Wedges), None, message);
    }
    if psk.colors.len() == psk.wedges.len() {
        let colors = mesh.vertex_sources.iter().map(|wedge| {
            let [r, g, b, a] = psk.colors.get(*wedge as usize).copied().unwrap_or([255; 4]);
            if swap_red_blue { [b, g, r, a] } else { [r, g, b, a] }
        });
        mesh.colors = colors.collect();
    } else if !psk.colors.is_empty() {
        let message = format!(
            "VERTEXCOLOR has {} for {}",
            counted(psk.colors.len(), "record"),
            counted(psk.wedges.len(), "wedge")
        );
        findings.add(&codes::COUNT_MISMATCH, Place::Of(ChunkKind::Colors), None, message);
    }
}

/// Morphs, from Unreal space.
fn morphs(psk: &Psk, repair: bool, findings: &mut Findings) -> Vec<Morph> {
    let twins = if repair { twins(psk) } else { HashMap::new() };
    let (mut bad_points, mut not_finite) = (0_usize, 0_usize);
    let mut morphs = Vec::with_capacity(psk.morphs.len());
    for info in &psk.morphs {
        let mut deltas = Vec::with_capacity(info.data.len());
        for data in &info.data {
            let Some(point) = usize::try_from(data.point).ok().filter(|p| *p < psk.points.len()) else {
                bad_points = bad_points.saturating_add(1);
                continue;
            };
            let position = space::point(space::mirrored(data.position));
            let normal = space::point(space::mirrored(data.normal));
            if !position.is_finite() || !normal.is_finite() {
                not_finite = not_finite.saturating_add(1);
                continue;
            }
            deltas.push(MorphDelta { point: point as u32, position, normal });
        }
        give_to_twins(psk, &twins, &mut deltas);
        morphs.push(Morph { name: info.name.clone(), deltas });
    }
    if bad_points > 0 {
        let message = format!("{} skipped because of missing points", counted(bad_points, "morph record"));
        findings.add(&codes::BAD_MORPH_POINT, Place::Of(ChunkKind::MorphData), None, message);
    }
    if not_finite > 0 {
        let message = format!("{} skipped because of non-finite numbers", counted(not_finite, "morph record"));
        findings.add(&codes::NOT_FINITE, Place::Of(ChunkKind::MorphData), None, message);
    }
    morphs
}

/// Points by the bits of their position; only the first few of each.
fn twins(psk: &Psk) -> HashMap<[u32; 3], Vec<u32>> {
    let mut twins: HashMap<[u32; 3], Vec<u32>> = HashMap::new();
    for (index, point) in psk.points.iter().enumerate() {
        let list = twins.entry(point.map(f32::to_bits)).or_default();
        if list.len() <= MAX_TWINS {
            list.push(index as u32);
        }
    }
    twins
}

/// CUE4Parse writes a delta for the first of several points at one place only.
fn give_to_twins(psk: &Psk, twins: &HashMap<[u32; 3], Vec<u32>>, deltas: &mut Vec<MorphDelta>) {
    if twins.is_empty() {
        return;
    }
    let mut moved: std::collections::HashSet<u32> = deltas.iter().map(|d| d.point).collect();
    for index in 0..deltas.len() {
        let Some(delta) = deltas.get(index).copied() else { continue };
        let position = psk.points.get(delta.point as usize).map(|p| p.map(f32::to_bits));
        for point in position.and_then(|p| twins.get(&p)).into_iter().flatten() {
            if moved.insert(*point) {
                deltas.push(MorphDelta { point: *point, ..delta });
            }
        }
    }
}
