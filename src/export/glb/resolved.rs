//! Models whose skins blend matrices first, and clips that drive joints axis by axis, in the terms that glTF has: joints with
//! weights, and whole transforms sampled at a steady rate.

use super::BoundClip;
use crate::scene::{
    Binding, BindingOptions, BoundTarget, Channel, Clip, ClipEnd, ClipJoint, Frame, Influence, Interpolation,
    JointIndex, KeyTimes, Keys, Layer, Mesh, Model, Run, Sampler, Skeleton, Skin, Target, TargetKind, Transform, Unit,
    evaluate, skinning::cofactor,
};
use glam::{Affine3A, Vec3, Vec3A};
use std::borrow::Cow;

/// How far a matrix may be from its scale, rotation and translation before that is said, as a share of its size.
const SHEARED: f32 = 1e-3;
/// Keys of one track.
const MAX_KEYS: usize = 1 << 16;
/// Keys of all joints together.
const MAX_JOINT_KEYS: usize = 1 << 23;

/// The model with every influence on a joint; as it is where it has that already.
pub fn resolved<'a>(model: &'a Model, notes: &mut Vec<String>) -> Cow<'a, Model> {
    let Some(skeleton) = model.skeleton.as_ref().filter(|s| needs_it(s)) else { return Cow::Borrowed(model) };
    let inverse_bind = inverse_bind(skeleton);
    let mut out = model.clone();
    for mesh in &mut out.meshes {
        to_joints(mesh, skeleton, &inverse_bind);
    }
    let (locals, sheared) = plain_locals(skeleton, &Frame::bind(model));
    if sheared {
        notes.push(
            "scales of its joints shear what hangs on them, which glTF cannot hold: it is off there a little"
                .to_owned(),
        );
    }
    let mut joints = skeleton.joints().to_vec();
    for (joint, local) in joints.iter_mut().zip(locals) {
        joint.bind = local;
        joint.compensates_scale = false;
        joint.parent = joint.moving_parent();
        (joint.bind_matrix, joint.scale_axes) = (None, None);
    }
    out.skeleton = Some(Skeleton::new(joints, skeleton.sockets.clone()).with_inverse_bind(inverse_bind));
    Cow::Owned(out)
}

fn needs_it(skeleton: &Skeleton) -> bool {
    !skeleton.draw_matrices.is_empty() || !skeleton.is_plain()
}

/// Of each joint: as the file has it for those that vertices are blended of, otherwise from the bind pose.
fn inverse_bind(skeleton: &Skeleton) -> Vec<Affine3A> {
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
fn is_blended(terms: &[crate::scene::DrawTerm]) -> bool {
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
fn plain_locals(skeleton: &Skeleton, frame: &Frame) -> (Vec<Transform>, bool) {
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

/// At how many moments a clip is sampled.
struct Steps {
    own_rate: f32,
    /// That the clip takes.
    frames: f32,
    /// Moments at most, those of its own keys among them.
    most: usize,
    /// Steps of the steady rate.
    keys: usize,
}

fn steps(clip: &Clip, skeleton: &Skeleton, rate_hz: Option<f32>) -> Steps {
    let own_rate = clip.usable_rate();
    let rate_hz = rate_hz.filter(|r| r.is_finite() && *r > 0.0).unwrap_or(own_rate);
    let frames = match clip.end {
        ClipEnd::Duration => clip.frame_count as f32,
        ClipEnd::Length(frames) => frames.max(0.0),
        ClipEnd::LastFrame => clip.last_frame(),
    };
    let most = (MAX_JOINT_KEYS / skeleton.joints().len().max(1)).clamp(1, MAX_KEYS);
    let keys = ((frames / own_rate * rate_hz).round() as usize).min(most - 1);
    Steps { own_rate, frames, most, keys }
}

fn needs_sampling(skeleton: &Skeleton, bound: &BoundClip<'_>) -> bool {
    let by_axis = !bound.binding.joints().is_empty();
    let plain = || bound.clip.channels.iter().all(|c| is_plain(&c.sampler));
    bound.clip.kind() == TargetKind::Joints && (by_axis || !skeleton.is_plain() || !plain())
}

/// Bytes that the samples of a clip take at most; `None` for a clip that needs none.
pub fn sampled_bytes(model: &Model, bound: &BoundClip<'_>, rate_hz: Option<f32>) -> Option<usize> {
    let skeleton = model.skeleton.as_ref().filter(|skeleton| needs_sampling(skeleton, bound))?;
    let steps = steps(bound.clip, skeleton, rate_hz);
    let own = match bound.binding.joints().is_empty() {
        true => bound.clip.channels.iter().map(|c| c.sampler.keys.len().saturating_mul(2)).sum(),
        false => 0_usize,
    };
    let keys = steps.keys.saturating_add(1).saturating_add(own).min(steps.most.saturating_mul(2));
    let joints = if skeleton.is_plain() {
        let bound_joints = bound.binding.joints().len().max(bound.binding.channels().len());
        bound_joints.min(skeleton.joints().len())
    } else {
        skeleton.joints().len()
    };
    // A translation, a rotation and a scale of each, and the time once.
    Some(keys.saturating_mul(joints.saturating_mul(40).saturating_add(4)))
}

/// The clip with whole transforms of joints at a steady rate (that of the clip without one); `None` for a clip that has them
/// already.
pub fn sampled(model: &Model, bound: &BoundClip<'_>, rate_hz: Option<f32>) -> Option<(Clip, Binding)> {
    let (clip, skeleton) = (bound.clip, model.skeleton.as_ref()?);
    let by_axis = !bound.binding.joints().is_empty();
    if !needs_sampling(skeleton, bound) {
        return None;
    }
    let Steps { own_rate, frames, most, keys } = steps(clip, skeleton, rate_hz);
    let step = if keys > 0 { frames / keys as f32 } else { 0.0 };
    let steady = (0..=keys).map(|key| key as f32 * step).collect();
    let times: std::sync::Arc<[f32]> = if by_axis { steady } else { with_own_keys(clip, steady, frames, most) }.into();
    let count = skeleton.joints().len();
    let mut tracks = vec![(Vec::new(), Vec::new(), Vec::new()); count];
    let mut frame = Frame::default();
    let mut has_matrices = false;
    for time in times.iter() {
        let layer = Layer { clip, binding: bound.binding, frame: *time, looping: false };
        evaluate(model, &[layer], &[], &mut frame);
        has_matrices |= !frame.matrices.is_empty();
        let (locals, _) = plain_locals(skeleton, &frame);
        for ((translations, rotations, scales), local) in tracks.iter_mut().zip(locals) {
            translations.push(local.translation);
            rotations.push(local.rotation);
            scales.push(local.scale);
        }
    }
    let moved: std::collections::HashSet<BoundTarget> = bound.binding.channels().iter().map(|c| c.target).collect();
    let driven = |joint: JointIndex| {
        !skeleton.is_plain()
            || has_matrices
            || bound.binding.joints().iter().any(|b| b.joint == joint)
            || !by_axis && moved.contains(&BoundTarget::Joint(joint))
    };
    let mut channels = Vec::new();
    for (joint, (translations, rotations, scales)) in (0_u32..).zip(tracks) {
        let sampler = |keys| Sampler {
            times: KeyTimes::At(times.clone()),
            keys,
            interpolation: Interpolation::Linear,
            cycle: None,
        };
        let channel = |target, keys| Channel { target, sampler: sampler(keys), unit: Unit::Plain, muted: false };
        if driven(JointIndex(joint)) {
            let joint = ClipJoint(joint);
            channels.push(channel(Target::JointTranslation(joint), Keys::Vec3(translations)));
            channels.push(channel(Target::JointRotation(joint), Keys::Rotation(rotations)));
            channels.push(channel(Target::JointScale(joint), Keys::Vec3(scales)));
        }
    }
    let names: Vec<String> = skeleton.joints().iter().map(|j| j.name.clone()).collect();
    let clip = Clip {
        name: clip.name.clone(),
        frame_count: keys as u32 + 1,
        rate_hz: own_rate,
        joints: names.into(),
        channels,
        ..Clip::default()
    };
    let binding = Binding::new(&clip, model, BindingOptions::default());
    Some((clip, binding))
}

/// Whether glTF can have the keys as they are.
fn is_plain(sampler: &Sampler) -> bool {
    sampler.cycle.is_none()
        && matches!(sampler.interpolation, Interpolation::Step | Interpolation::Linear)
        && matches!(sampler.keys, Keys::Vec3(_) | Keys::Rotation(_) | Keys::Scalar(_) | Keys::Frames(_))
}

/// Adds a clip's own keys to times up to `end`; where values jump, a time right before.
fn with_own_keys(clip: &Clip, mut times: Vec<f32>, end: f32, most: usize) -> Vec<f32> {
    for Channel { sampler, .. } in &clip.channels {
        let KeyTimes::At(own) = &sampler.times else { continue };
        for time in own.iter().filter(|t| (0.0..=end).contains(*t)).take(most.saturating_sub(times.len())) {
            times.push(*time);
            if sampler.interpolation == Interpolation::Step && *time > 0.0 {
                times.push(time.next_down());
            }
        }
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}
