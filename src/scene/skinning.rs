//! Skinning on the CPU: the reference for the GPU, and the way out where storage buffers are missing.

use super::{Frame, FramePair, Mesh, Model, Skin, VertexFrames};
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// Points and the normals of vertices at a frame's vertex frames and morph weights, not skinned.
pub fn morphed(model: &Model, mesh: &Mesh, frame: &Frame) -> (Vec<Vec3>, Vec<Vec3>) {
    let (mut points, mut normals) = (mesh.points.clone(), mesh.normals.clone());
    if let Some((frames, pair)) = playing_frames(mesh, frame) {
        points = frames.blended_positions(pair);
        points.resize(mesh.points.len(), Vec3::ZERO);
        let of_points = frames.blended_normals(pair);
        let of_vertex = |point: &u32| of_points.get(*point as usize).copied().unwrap_or(Vec3::Y);
        normals = mesh.vertex_points.iter().map(of_vertex).collect();
    }
    if mesh.morphs.is_empty() {
        return (points, normals);
    }
    let offsets = morph_offsets(model, mesh, &frame.morph_weights);
    for (point, (position, _)) in points.iter_mut().zip(&offsets) {
        *point += *position;
    }
    for (normal, point) in normals.iter_mut().zip(&mesh.vertex_points) {
        if let Some((_, delta)) = offsets.get(*point as usize) {
            *normal = (*normal + *delta).normalize_or(*normal);
        }
    }
    (points, normals)
}

/// The frames of a mesh, while a clip of them plays.
fn playing_frames<'a>(mesh: &'a Mesh, frame: &Frame) -> Option<(&'a VertexFrames, FramePair)> {
    mesh.vertex_frames.as_ref().zip(frame.vertex_frames)
}

/// What all morphs together add to each point: position and normal.
pub fn morph_offsets(model: &Model, mesh: &Mesh, weights: &[f32]) -> Vec<(Vec3, Vec3)> {
    let mut offsets = vec![(Vec3::ZERO, Vec3::ZERO); mesh.points.len()];
    let names = model.morph_names();
    for morph in &mesh.morphs {
        let weight = names.iter().position(|n| *n == morph.name).and_then(|i| weights.get(i)).copied().unwrap_or(0.0);
        if weight == 0.0 {
            continue;
        }
        for delta in &morph.deltas {
            if let Some((position, normal)) = offsets.get_mut(delta.point as usize) {
                *position += delta.position * weight;
                *normal += delta.normal * weight;
            }
        }
    }
    offsets
}

/// Posed points, one for each of [`Mesh::points`], in scene space.
pub fn skinned_points(model: &Model, mesh: &Mesh, frame: &Frame) -> Vec<Vec3> {
    let (points, _) = morphed(model, mesh, frame);
    let Some(skin) = &mesh.skin else { return points };
    if skin.has_sources() {
        let offsets = morph_offsets(model, mesh, &frame.morph_weights);
        let moved =
            |(index, point)| gathered(skin, frame, index, &offsets).map_or(point, |(position, _)| position.into());
        return points.into_iter().enumerate().map(moved).collect();
    }
    points
        .iter()
        .enumerate()
        .map(|(index, point)| {
            let mut sum = Vec3A::ZERO;
            let mut any = false;
            for influence in skin.influences_of(index) {
                if let Some(matrix) = frame.world_from_bind.get(influence.joint as usize) {
                    sum += matrix.transform_point3a(Vec3A::from(*point)) * influence.weight;
                    any = true;
                }
            }
            if any { sum.into() } else { *point }
        })
        .collect()
}

/// Posed unit normals, one for each vertex, in scene space.
pub fn skinned_normals(model: &Model, mesh: &Mesh, frame: &Frame) -> Vec<Vec3> {
    let (_, normals) = morphed(model, mesh, frame);
    if let Some(skin) = mesh.skin.as_ref().filter(|skin| skin.has_sources()) {
        let offsets = morph_offsets(model, mesh, &frame.morph_weights);
        let of = |(normal, point): (&Vec3, &u32)| {
            let moved = gathered(skin, frame, *point as usize, &offsets);
            moved.map_or(*normal, |(_, turned)| Vec3::from(turned).normalize_or(*normal))
        };
        return normals.iter().zip(&mesh.vertex_points).map(of).collect();
    }
    normals
        .iter()
        .zip(&mesh.vertex_points)
        .map(|(normal, point)| skinned_normal(mesh, frame, *point as usize, *normal))
        .collect()
}

/// Posed unit normals, one for each point; empty when the mesh has none.
pub fn skinned_point_normals(model: &Model, mesh: &Mesh, frame: &Frame) -> Vec<Vec3> {
    let offsets = morph_offsets(model, mesh, &frame.morph_weights);
    let blended = playing_frames(mesh, frame).map(|(frames, pair)| frames.blended_normals(pair));
    let normals = blended.as_ref().filter(|n| !n.is_empty()).unwrap_or(&mesh.point_normals);
    normals
        .iter()
        .enumerate()
        .map(|(point, normal)| {
            let delta = offsets.get(point).map(|o| o.1).unwrap_or_default();
            skinned_normal(mesh, frame, point, (*normal + delta).normalize_or(*normal))
        })
        .collect()
}

/// The sources of a point, each with its joint's matrix: their weighted sum, and that of their normals, which are turned by the
/// matrices themselves and not of unit length. `None` where no joint moves it.
fn gathered(skin: &Skin, frame: &Frame, point: usize, offsets: &[(Vec3, Vec3)]) -> Option<(Vec3A, Vec3A)> {
    let (position_offset, normal_offset) = offsets.get(point).copied().unwrap_or_default();
    let mut sum: Option<(Vec3A, Vec3A)> = None;
    for (influence, source) in skin.influences_of(point).iter().zip(skin.sources_of(point)) {
        if let Some(matrix) = frame.world_from_bind.get(influence.joint as usize) {
            let (position, normal) = sum.get_or_insert_default();
            *position += matrix.transform_point3a((source.position + position_offset).into()) * influence.weight;
            *normal += matrix.transform_vector3a((source.normal + normal_offset).into()) * influence.weight;
        }
    }
    sum
}

fn skinned_normal(mesh: &Mesh, frame: &Frame, point: usize, normal: Vec3) -> Vec3 {
    let Some(skin) = &mesh.skin else { return normal };
    let mut blended = Mat3A::ZERO;
    let mut any = false;
    for influence in skin.influences_of(point) {
        if let Some(matrix) = frame.world_from_bind.get(influence.joint as usize) {
            blended += matrix.matrix3 * influence.weight;
            any = true;
        }
    }
    if any { (cofactor(&blended) * Vec3A::from(normal)).normalize_or(normal.into()).into() } else { normal }
}

/// The inverse transpose up to a positive factor: defined for singular matrices too.
pub fn cofactor(m: &Mat3A) -> Mat3A {
    let cofactor = Mat3A::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    if m.x_axis.dot(cofactor.x_axis) < 0.0 { cofactor * -1.0 } else { cofactor }
}

/// An affine matrix as the 12 numbers of its rows.
pub fn rows(matrix: &Affine3A) -> [f32; 12] {
    let (x, y, z, t) = (matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis, matrix.translation);
    [x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z]
}
