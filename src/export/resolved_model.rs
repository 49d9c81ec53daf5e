//! Models whose skins blend matrices first, in the terms that most formats have: every influence on a joint, and joints whose
//! matrices are the product of their transforms.

use crate::scene::{DrawTerm, Frame, Influence, Mesh, Model, Run, Skeleton, Skin, Transform, skinning::cofactor};
use glam::{Affine3A, Vec3, Vec3A};
use std::borrow::Cow;

/// How far a matrix may be from its scale, rotation and translation before that is said, as a share of its size.
const SHEARED: f32 = 1e-3;

/// The model with every influence on a joint; as it is where it has that already.
/// The second result: the bind pose has shear, which is lost.
pub fn resolved(model: &Model) -> (Cow<'_, Model>, bool) {
    let Some(skeleton) = model.skeleton.as_ref().filter(|s| needs_it(s)) else {
        return (Cow::Borrowed(model), false);
    };
    let inverse_bind = inverse_bind(skeleton);
    let mut out = model.clone();
    for mesh in &mut out.meshes {
        to_joints(mesh, skeleton, &inverse_bind);
    }
    let (locals, sheared) = plain_locals(skeleton, &Frame::bind(model));
    let mut joints = skeleton.joints().to_vec();
    for (joint, local) in joints.iter_mut().zip(locals) {
        joint.bind = local;
        joint.compensates_scale = false;
        joint.parent = joint.moving_parent();
        (joint.bind_matrix, joint.scale_axes) = (None, None);
    }
    out.skeleton = Some(Skeleton::new(joints, skeleton.sockets.clone()).with_inverse_bind(inverse_bind));
    (Cow::Owned(out), sheared)
}

fn needs_it(skeleton: &Skeleton) -> bool {
    !skeleton.draw_matrices.is_empty() || !skeleton.is_plain()
}

/// Of each joint: as the file has it for those that vertices are blended of, otherwise from the bind pose.
pub fn inverse_bind(skeleton: &Skeleton) -> Vec<Affine3A> {
    let mut inverse: Vec<Affine3A> = skeleton.joint_from_world_bind().to_vec();
    for matrix in skeleton.draw_matrices.iter().filter(|m| is_blended(m.terms.as_slice())) {
        for term in &matrix.terms {
            if let Some(slot) = inverse.get_mut(term.joint as usize) {
                *slot = term.joint_from_bind;
            }
        }
    }
    inverse
}

/// Vertices of such a matrix are stored in bind space, those of others in the space of a joint.
fn is_blended(terms: &[DrawTerm]) -> bool {
    !matches!(terms, [only] if only.joint_from_bind == Affine3A::IDENTITY)
}

fn to_joints(mesh: &mut Mesh, skeleton: &Skeleton, inverse_bind: &[Affine3A]) {
    if skeleton.draw_matrices.is_empty() {
        return;
    }
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
                && !is_blended(&matrix.terms)
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

/// Local transforms whose plain product gives the worlds of a frame, and whether shear was lost.
pub fn plain_locals(skeleton: &Skeleton, frame: &Frame) -> (Vec<Transform>, bool) {
    if skeleton.is_plain() && frame.matrices.is_empty() {
        return (frame.locals.clone(), false);
    }
    let mut locals = frame.locals.clone();
    // Worlds as glTF will have them: what one joint loses must not be made up for by its children.
    let mut worlds = frame.world_from_joint.clone();
    let mut sheared = false;
    for index in skeleton.order() {
        let index = *index as usize;
        let parent =
            skeleton.joints().get(index).and_then(|j| j.moving_parent()).and_then(|p| worlds.get(p as usize)).copied();
        let parent = parent.unwrap_or(Affine3A::IDENTITY);
        let (Some(local), Some(world)) = (locals.get_mut(index), worlds.get_mut(index)) else { continue };
        let wanted = parent.inverse() * *world;
        if wanted.is_finite() {
            let (scale, rotation, translation) = wanted.to_scale_rotation_translation();
            let found = Transform { scale, rotation, translation };
            if rotation.is_finite() && scale.is_finite() {
                sheared |= !found.to_affine().abs_diff_eq(wanted, SHEARED * scale.abs().max_element().max(1.0));
                *local = found;
            }
        }
        *world = parent * local.to_affine();
    }
    (locals, sheared)
}
