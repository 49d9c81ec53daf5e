//! Models whose skins blend matrices first, in the terms that other formats have: joints with weights.

use crate::scene::{Influence, Mesh, Model, Run, Skeleton, Skin, skinning::cofactor};
use glam::{Affine3A, Vec3, Vec3A};
use std::borrow::Cow;

/// The model with every influence on a joint; as it is where it has that already.
pub fn resolved(model: &Model) -> Cow<'_, Model> {
    let blends = |skeleton: &&Skeleton| !skeleton.draw_matrices.is_empty();
    let Some(skeleton) = model.skeleton.as_ref().filter(blends) else { return Cow::Borrowed(model) };
    let inverse_bind = inverse_bind(skeleton);
    let mut out = model.clone();
    for mesh in &mut out.meshes {
        to_joints(mesh, skeleton, &inverse_bind);
    }
    let joints = skeleton.joints().to_vec();
    let resolved = Skeleton::new(joints, skeleton.sockets.clone()).with_scaling(skeleton.scaling());
    out.skeleton = Some(resolved.with_inverse_bind(inverse_bind));
    Cow::Owned(out)
}

/// Of each joint: as the file has it for those that vertices are blended of, otherwise from the rest pose.
pub fn inverse_bind(skeleton: &Skeleton) -> Vec<Affine3A> {
    let at_rest = skeleton.joint_from_world_bind();
    skeleton.stored_inverse_binds().iter().zip(at_rest).map(|(stored, rest)| stored.unwrap_or(*rest)).collect()
}

fn to_joints(mesh: &mut Mesh, skeleton: &Skeleton, inverse_bind: &[Affine3A]) {
    let Some(skin) = &mesh.skin else { return };
    let mut resolved = Skin::default();
    let mut bind_from_stored = vec![Affine3A::IDENTITY; mesh.points.len()];
    for (point, stored) in bind_from_stored.iter_mut().enumerate() {
        let first = resolved.influences.len() as u32;
        for influence in skin.influences_of(point) {
            let Some(matrix) = skeleton.draw_matrices.get(influence.joint as usize) else { continue };
            let terms = matrix.terms.iter();
            resolved
                .influences
                .extend(terms.map(|t| Influence { joint: t.joint, weight: t.weight * influence.weight }));
            if let [only] = matrix.terms.as_slice()
                && !matrix.is_blended()
                && let Some(inverse) = inverse_bind.get(only.joint as usize)
            {
                *stored = inverse.inverse();
            }
        }
        resolved.runs.push(Run { first, count: resolved.influences.len() as u32 - first });
    }
    for (point, stored) in mesh.points.iter_mut().zip(&bind_from_stored) {
        *point = stored.transform_point3(*point);
    }
    let turned = |normal: Vec3, stored: &Affine3A| -> Vec3 {
        (cofactor(&stored.matrix3) * Vec3A::from(normal)).normalize_or(normal.into()).into()
    };
    for (normal, stored) in mesh.point_normals.iter_mut().zip(&bind_from_stored) {
        *normal = turned(*normal, stored);
    }
    for (normal, point) in mesh.normals.iter_mut().zip(&mesh.vertex_points) {
        if let Some(stored) = bind_from_stored.get(*point as usize) {
            *normal = turned(*normal, stored);
        }
    }
    mesh.skin = Some(resolved);
}
