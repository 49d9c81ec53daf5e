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
    if mesh.morphs.is_empty() {
        return offsets;
    }
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

/// Posed normals, one for each point; empty when the mesh has none. They are of unit length, but left as they come out where the
/// skin has sources.
pub fn skinned_point_normals(model: &Model, mesh: &Mesh, frame: &Frame) -> Vec<Vec3> {
    let offsets = morph_offsets(model, mesh, &frame.morph_weights);
    if let Some(skin) = mesh.skin.as_ref().filter(|skin| skin.has_sources()) {
        let of = |(point, normal): (usize, &Vec3)| {
            gathered(skin, frame, point, &offsets).map_or(*normal, |(_, turned)| turned.into())
        };
        return mesh.point_normals.iter().enumerate().map(of).collect();
    }
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
#[inline]
pub fn rows(matrix: &Affine3A) -> [f32; 12] {
    let (x, y, z, t) = (matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis, matrix.translation);
    [x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Influence, InfluenceSource, Joint, Morph, MorphDelta, Run, Skeleton};

    fn source(position: Vec3, normal: Vec3) -> InfluenceSource {
        InfluenceSource { position, normal }
    }

    /// A point of two influences with a source each, and one that nothing moves.
    fn model() -> Model {
        let mesh = Mesh {
            points: vec![Vec3::X, Vec3::Y],
            point_normals: vec![Vec3::Z, Vec3::Z * 3.0],
            vertex_points: vec![0, 1],
            normals: vec![Vec3::Z; 2],
            skin: Some(Skin {
                runs: vec![Run { first: 0, count: 2 }, Run::default()],
                influences: vec![Influence { joint: 0, weight: 0.25 }, Influence { joint: 1, weight: 0.75 }],
                sources: vec![source(Vec3::X * 4.0, Vec3::Z), source(Vec3::Y * 4.0, Vec3::X)],
            }),
            morphs: vec![Morph {
                name: "up".to_owned(),
                deltas: vec![MorphDelta { point: 0, position: Vec3::Z, normal: Vec3::Y }],
            }],
            ..Mesh::default()
        };
        let skeleton = Skeleton::new(vec![Joint::default(); 2], vec![]);
        Model { meshes: vec![mesh], skeleton: Some(skeleton), ..Model::empty("sources") }
    }

    #[test]
    fn each_influence_moves_its_own_source() {
        let model = model();
        let mut frame = Frame::bind(&model);
        frame.world_from_bind[1] = Affine3A::from_scale_rotation_translation(
            Vec3::splat(2.0),
            glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
            Vec3::Z * 8.0,
        );
        let mesh = &model.meshes[0];
        let points = skinned_points(&model, mesh, &frame);
        // A quarter of (4, 0, 0), and three of (−8, 0, 8).
        assert!(points[0].abs_diff_eq(Vec3::new(-5.0, 0.0, 6.0), 1e-5), "{points:?}");
        assert_eq!(points[1], Vec3::Y);
        // By the matrix itself, so scaled with it: a quarter of Z, three of 2 Y.
        let normals = skinned_point_normals(&model, mesh, &frame);
        assert!(normals[0].abs_diff_eq(Vec3::new(0.0, 1.5, 0.25), 1e-5) && normals[1] == Vec3::Z * 3.0, "{normals:?}");
        let shaded = skinned_normals(&model, mesh, &frame);
        assert!(shaded[0].abs_diff_eq(Vec3::new(0.0, 6.0, 1.0).normalize_or_zero(), 1e-5) && shaded[1] == Vec3::Z);
    }

    #[test]
    fn morphs_are_added_to_every_source() {
        let model = model();
        let mut frame = Frame::bind(&model);
        frame.morph_weights = vec![2.0];
        frame.world_from_bind[0] = Affine3A::from_scale(Vec3::splat(4.0));
        let points = skinned_points(&model, &model.meshes[0], &frame);
        // A quarter of 4 × (4, 0, 2), three of (0, 4, 2).
        assert!(points[0].abs_diff_eq(Vec3::new(4.0, 3.0, 3.5), 1e-5), "{points:?}");
        let normals = skinned_point_normals(&model, &model.meshes[0], &frame);
        // A quarter of 4 × (0, 2, 1), three of (1, 2, 0).
        assert!(normals[0].abs_diff_eq(Vec3::new(0.75, 3.5, 1.0), 1e-5), "{normals:?}");
    }
}
