//! The nodes that stand for a model's joints. glTF multiplies translation, rotation and scale of each node from parent
//! to child and knows nothing else. What a skeleton does beyond that is made of helper nodes, exactly:
//!
//! | joint | nodes, from the upper to the lower |
//! |---|---|
//! | Maya's rule (formats/j3d.md §3.6), an unevenly scaled parent | `NAME.translation`, with 1 / the parent's scale; `NAME`: rotation, scale |
//! | SoftImage's rule, uneven scales above it | the same with all scales down to the parent; `NAME`: rotation, all scales down to it |
//! | a sheared matrix, or uneven scale along axes of its own | `NAME.stretch`: translation, rotation, scale; `NAME`: a rotation |
//!
//! Even scales of a parent need no helper: the joint's own scale is divided by them. A joint has helpers only if a
//! scale above it is ever uneven, in bind pose or in a clip of the file. A plain skeleton has none: its nodes are the
//! nearest to each joint's matrix.

use crate::{
    export::ExportError,
    scene::{
        Binding, BoundTarget, Clip, Frame, HermiteKey, Joint, JointIndex, Keys, Model, Sampler, ScalingRule, Skeleton,
        Target, Transform, rotation_or_identity,
    },
};
use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3A, Quat, Vec3};
use std::ops::RangeInclusive;

/// How far a matrix may be from its scale, rotation and translation, as a share of its size, and count as made of them.
const SHEARED: f32 = 1e-5;
/// Even scales that can be undone without a helper. Smaller or larger ones would make the numbers below them imprecise.
const EVEN: RangeInclusive<f32> = 1.0 / 64.0..=64.0;
/// Scale of an axis that is flattened to nothing under SoftImage's rule, where its children undo it.
const FLAT: f32 = 1e-6;
/// Cosines between axes that count as right angles.
const RIGHT_ANGLE: f64 = 1e-6;

/// What clips do to joints that decides which nodes they need.
#[derive(Clone, Debug, Default)]
pub struct Driven {
    /// By joint.
    scaled: Vec<Scaled>,
    /// By joint: it is given matrices that may be sheared.
    sheared: Vec<bool>,
}

/// The scales that a joint has over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Scaled {
    /// Always 1.
    #[default]
    Never,
    /// The same along all axes, and large enough to be undone.
    Evenly,
    Unevenly,
}

impl Scaled {
    fn of(scale: Vec3) -> Self {
        let Vec3 { x, y, z } = scale;
        match () {
            () if scale == Vec3::ONE => Self::Never,
            () if x == y && y == z && EVEN.contains(&x) => Self::Evenly,
            () => Self::Unevenly,
        }
    }
}

impl Driven {
    /// Looks through all clips; none is loaded for skeletons that need no helpers whatever their clips do.
    pub fn of<C: ClipSource + ?Sized>(model: &Model, clips: &C) -> Result<Self, ExportError> {
        let mut driven = Self::default();
        let Some(skeleton) = &model.skeleton else { return Ok(driven) };
        let joints = skeleton.joints();
        let gathers = matches!(skeleton.scaling(), ScalingRule::SoftImage | ScalingRule::Maya);
        if !gathers && !joints.iter().any(|joint| is_shaped(joint) || joint.track.is_some()) {
            return Ok(driven);
        }
        driven.scaled.resize(joints.len(), Scaled::Never);
        driven.sheared.resize(joints.len(), false);
        for index in 0..clips.count() {
            clips.with(index, &mut |bound| {
                driven.see(bound, joints);
                Ok(())
            })?;
        }
        Ok(driven)
    }

    fn see(&mut self, bound: &BoundClip<'_>, joints: &[Joint]) {
        let channel = |index: u32| bound.clip.channels.get(index as usize);
        let mut scales = |joint: JointIndex, scaled: Scaled| {
            if let Some(known) = self.scaled.get_mut(joint.as_usize()) {
                *known = scaled.max(*known);
            }
        };
        let mut sheared: Vec<JointIndex> = Vec::new();
        for bound in bound.binding.channels() {
            let (Some(source), BoundTarget::Joint(joint)) = (channel(bound.channel), bound.target) else { continue };
            match source.target {
                Target::JointScale(_) => scales(joint, scaled(&source.sampler)),
                Target::JointMatrix(_) => sheared.push(joint),
                _ => {}
            }
        }
        for whole in bound.binding.joints() {
            let axes = [0, 1, 2].map(|axis| whole.tracks[axis].and_then(channel).map(|source| &source.sampler));
            // The axes are one scale if they have the same keys. An axis without keys is 1.
            let along = axes.map(|axis| axis.map_or(Scaled::Never, scaled));
            let most = along.into_iter().max().unwrap_or_default();
            let is_even = most == Scaled::Never || axes[0] == axes[1] && axes[1] == axes[2];
            scales(whole.joint, if is_even { most } else { Scaled::Unevenly });
        }
        for joint in bound.binding.relative() {
            let Some(found) = joints.get(joint.as_usize()) else { continue };
            let Vec3 { x, y, z } = found.bind.scale;
            if is_shaped(found) || x != y || y != z {
                sheared.push(*joint);
            }
        }
        for joint in sheared {
            if let Some(flag) = self.sheared.get_mut(joint.as_usize()) {
                *flag = true;
            }
        }
    }
}

/// Whether a joint's local matrix is not just its transform.
fn is_shaped(joint: &Joint) -> bool {
    joint.bind_matrix.is_some() || joint.scale_axes.is_some()
}

/// The scales that a sampler gives; those of one axis as if they were along all.
fn scaled(sampler: &Sampler) -> Scaled {
    let each = |key: f32| Scaled::of(Vec3::splat(key));
    let most = match &sampler.keys {
        Keys::Scalar(keys) => keys.iter().copied().map(each).max(),
        Keys::Hermite(keys) => {
            let slopes = |key: &HermiteKey| key.tangent_in != 0.0 || key.tangent_out != 0.0;
            let of_key =
                |key: &HermiteKey| each(key.value).max(if slopes(key) { Scaled::Evenly } else { Scaled::Never });
            keys.iter().map(of_key).max()
        }
        Keys::Vec3(keys) => keys.iter().copied().map(Scaled::of).max(),
        _ => Some(Scaled::Unevenly),
    };
    most.unwrap_or_default()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One node with its own translation, rotation and scale.
    Plain,
    /// One node whose scale is divided by the even scales above it.
    Divided,
    /// A helper undoes the scales above it.
    Compensated,
    /// A whole matrix, with a helper.
    Stretched,
    /// One node as near to its matrix as one can be.
    Nearest,
}

/// A node that stands for a joint, or helps one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RigNode {
    pub name: String,
    /// Into [`Rig::nodes`].
    pub parent: Option<usize>,
    /// The joint that it is, or helps.
    pub joint: JointIndex,
}

/// The nodes of a skeleton.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    /// One for each joint in the skeleton's order, which carries the joint's whole matrix; then the helpers.
    pub nodes: Vec<RigNode>,
    /// By joint.
    forms: Vec<Form>,
    /// By joint, into `nodes`.
    helpers: Vec<Option<usize>>,
    /// By joint: the joint whose movement it takes part in.
    parents: Vec<Option<usize>>,
    /// Joints, each after its parent.
    order: Vec<usize>,
    /// By joint: the axes along which its bind pose scales.
    axes: Vec<DMat3>,
    rule: ScalingRule,
    is_plain: bool,
}

/// Axes that scale went along at the last moment, by joint: those of the next one are the nearest to them.
#[derive(Clone, Debug)]
pub struct Axes(Vec<DMat3>);

impl Rig {
    /// `plain`: without helpers.
    pub fn of(skeleton: &Skeleton, driven: &Driven, plain: bool) -> Self {
        let joints = skeleton.joints();
        let rule = skeleton.scaling();
        let parents: Vec<Option<usize>> =
            joints.iter().map(|joint| joint.moving_parent().map(|parent| parent as usize)).collect();
        let order: Vec<usize> = skeleton.order().iter().map(|joint| *joint as usize).collect();
        let of_clips = |at: usize| driven.scaled.get(at).copied().unwrap_or_default();
        let mut scaled: Vec<Scaled> =
            joints.iter().enumerate().map(|(at, joint)| Scaled::of(joint.bind.scale).max(of_clips(at))).collect();
        let mut forms = vec![Form::Plain; joints.len()];
        for at in &order {
            let (joint, parent) = (&joints[*at], parents[*at]);
            let undone = match rule {
                ScalingRule::Maya => parent.filter(|_| joint.compensates_scale).map(|parent| scaled[parent]),
                ScalingRule::SoftImage => parent.map(|parent| scaled[parent]),
                ScalingRule::Product | ScalingRule::Standard => None,
            };
            if rule == ScalingRule::SoftImage {
                // Those above it count as its own.
                scaled[*at] = scaled[*at].max(undone.unwrap_or_default());
            }
            forms[*at] = match undone {
                Some(Scaled::Unevenly) => Form::Compensated,
                Some(Scaled::Evenly) => Form::Divided,
                Some(Scaled::Never) => Form::Plain,
                None if matches!(rule, ScalingRule::Maya | ScalingRule::SoftImage) => Form::Plain,
                None => {
                    let along_axes = joint.scale_axes.is_some() && scaled[*at] == Scaled::Unevenly;
                    let bind = joint.bind_matrix.is_some_and(|matrix| parts(&matrix).is_none());
                    let sheared = along_axes || bind || driven.sheared.get(*at) == Some(&true);
                    if sheared { Form::Stretched } else { Form::Plain }
                }
            };
            let is_below = parent.is_some_and(|parent| forms[parent] == Form::Nearest);
            if plain && (is_below || matches!(forms[*at], Form::Compensated | Form::Stretched)) {
                forms[*at] = Form::Nearest;
            }
        }
        let mut rig = Self {
            helpers: vec![None; joints.len()],
            axes: joints.iter().map(|joint| axes_of(joint.scale_axes.unwrap_or_default())).collect(),
            rule,
            is_plain: forms.iter().all(|form| *form == Form::Plain) && !joints.iter().any(is_shaped),
            ..Self::default()
        };
        rig.nodes.extend((0_u32..).zip(joints).map(|(at, joint)| RigNode {
            name: joint.name.clone(),
            parent: None,
            joint: JointIndex(at),
        }));
        for ((at, joint), form) in joints.iter().enumerate().zip(&forms) {
            let suffix = match form {
                Form::Plain | Form::Divided | Form::Nearest => continue,
                Form::Compensated => "translation",
                Form::Stretched => "stretch",
            };
            rig.helpers[at] = Some(rig.nodes.len());
            let joint_index = JointIndex(at as u32);
            rig.nodes.push(RigNode { name: format!("{}.{suffix}", joint.name), parent: None, joint: joint_index });
        }
        for (at, parent) in parents.iter().enumerate() {
            if let Some(helper) = rig.helpers[at] {
                rig.nodes[helper].parent = *parent;
                rig.nodes[at].parent = Some(helper);
            } else {
                rig.nodes[at].parent = *parent;
            }
        }
        (rig.forms, rig.parents, rig.order) = (forms, parents, order);
        rig
    }

    pub fn joint_count(&self) -> usize {
        self.forms.len()
    }

    /// Whether each joint is one node with just the joint's own transform.
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether a joint is more than one node, or a node that has more than its own transform.
    pub fn is_helped(&self, joint: JointIndex) -> bool {
        self.forms.get(joint.as_usize()).is_some_and(|form| *form != Form::Plain)
    }

    /// Whether the nodes put every joint where the model has it.
    pub fn is_exact(&self) -> bool {
        !self.forms.contains(&Form::Nearest)
    }

    /// The joints' world matrices for transforms that [`Rig::pose`] gave.
    pub fn worlds(&self, pose: &[Transform]) -> Vec<Affine3A> {
        let mut worlds = vec![Affine3A::IDENTITY; self.forms.len()];
        for joint in self.order.iter().copied() {
            let of_node = |node: usize| pose.get(node).map_or(Affine3A::IDENTITY, |transform| transform.to_affine());
            let above = self.parents[joint].map_or(Affine3A::IDENTITY, |parent| worlds[parent]);
            let helper = self.helpers[joint].map_or(Affine3A::IDENTITY, of_node);
            worlds[joint] = above * helper * of_node(joint);
        }
        worlds
    }

    /// The transforms of all nodes that put the joints where these world matrices have them. A sheared joint without a helper is as
    /// near as it can be.
    pub fn placed(&self, worlds: &[Affine3A]) -> Vec<Transform> {
        let mut out = vec![Transform::IDENTITY; self.nodes.len()];
        let mut written = vec![Affine3A::IDENTITY; self.forms.len()];
        let mut axes = self.axes();
        for joint in self.order.iter().copied() {
            let above = self.parents[joint].map_or(Affine3A::IDENTITY, |parent| written[parent]);
            let local = above.inverse() * worlds.get(joint).copied().unwrap_or_default();
            let mut helping = Affine3A::IDENTITY;
            match self.helpers[joint].filter(|_| parts(&local).is_none()) {
                Some(helper) => {
                    (out[helper], out[joint]) = split(&local, &mut axes.0[joint]);
                    helping = out[helper].to_affine();
                }
                None => out[joint] = nearest(&local, &mut axes.0[joint]),
            }
            written[joint] = above * helping * out[joint].to_affine();
        }
        out
    }

    /// Axes to start from.
    pub fn axes(&self) -> Axes {
        Axes(self.axes.clone())
    }

    /// The transforms of all nodes for a pose.
    ///
    /// # Errors
    /// The joint that is sheared though nothing said that it might be.
    pub fn pose(&self, frame: &Frame, axes: &mut Axes, out: &mut Vec<Transform>) -> Result<(), JointIndex> {
        out.clear();
        out.resize(self.nodes.len(), Transform::IDENTITY);
        let local = |joint: usize| frame.locals.get(joint).copied().unwrap_or_default();
        let gathers = self.rule == ScalingRule::SoftImage;
        let takes_matrices = matches!(self.rule, ScalingRule::Product | ScalingRule::Standard);
        // By joint: its own scale, or under SoftImage's rule all scales down to it.
        let mut scales = vec![Vec3::ONE; self.forms.len()];
        let mut worlds = vec![Affine3A::IDENTITY; if self.is_exact() { 0 } else { self.forms.len() }];
        for joint in self.order.iter().copied() {
            let Transform { translation, rotation, scale } = local(joint);
            let index = JointIndex(joint as u32);
            let parent = self.parents[joint];
            let helper = self.helpers[joint];
            let above = parent.map_or(Vec3::ONE, |parent| scales[parent]);
            let scale = if gathers {
                // Scales that are undone below must not be zero.
                Vec3::from((above * scale).to_array().map(|s| if s == 0.0 { FLAT } else { s }))
            } else {
                scale
            };
            scales[joint] = scale;
            // An axis that the parent flattens to nothing cannot be undone.
            let undone = Vec3::from(above.to_array().map(|s| if s == 0.0 { 1.0 } else { s.recip() }));
            match self.forms[joint] {
                Form::Plain => {
                    let matrix = frame.matrices.get(joint).copied().flatten().filter(|_| takes_matrices);
                    out[joint] = match matrix {
                        Some(matrix) => parts(&matrix).ok_or(index)?,
                        None => local(joint),
                    };
                }
                Form::Divided => out[joint] = Transform { translation, rotation, scale: scale * undone },
                Form::Compensated => {
                    if let Some(helper) = helper {
                        out[helper] = Transform { translation, rotation: Quat::IDENTITY, scale: undone };
                    }
                    out[joint] = Transform { translation: Vec3::ZERO, rotation, scale };
                }
                Form::Nearest => {
                    let above = parent.map_or(Affine3A::IDENTITY, |parent| worlds[parent]).inverse();
                    let world = frame.world_from_joint.get(joint).copied().unwrap_or_default();
                    out[joint] = nearest(&(above * world), &mut axes.0[joint]);
                }
                Form::Stretched => {
                    let above;
                    (above, out[joint]) = split(&frame.local(index).unwrap_or_default(), &mut axes.0[joint]);
                    if let Some(helper) = helper {
                        out[helper] = above;
                    }
                }
            }
            // A plain rig has no helpers.
            if !worlds.is_empty() {
                let above = parent.map_or(Affine3A::IDENTITY, |parent| worlds[parent]);
                worlds[joint] = above * out[joint].to_affine();
            }
        }
        Ok(())
    }
}

/// A matrix as the transforms of a helper and of the node below it.
fn split(matrix: &Affine3A, axes: &mut DMat3) -> (Transform, Transform) {
    let (outer, scale, inner) = stretched(&matrix.matrix3, axes);
    let above = Transform { translation: matrix.translation.into(), rotation: outer, scale };
    (above, Transform { rotation: inner, ..Transform::IDENTITY })
}

/// The scale, rotation and translation that make a matrix, where they do; those of nothing for one that is no number.
fn parts(matrix: &Affine3A) -> Option<Transform> {
    if !matrix.is_finite() {
        return Some(Transform::IDENTITY);
    }
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let found = Transform { translation, rotation, scale };
    let size = scale.abs().max_element().max(f32::MIN_POSITIVE);
    let again = found.to_affine();
    let away = (again.matrix3 - matrix.matrix3).to_cols_array().into_iter().fold(0.0_f32, |far, d| far.max(d.abs()));
    (rotation.is_finite() && away <= SHEARED * size).then_some(found)
}

/// The transform nearest to a matrix: its translation, the rotation of its polar decomposition, and the scales along the axes that this
/// rotation leaves.
fn nearest(matrix: &Affine3A, axes: &mut DMat3) -> Transform {
    if !matrix.is_finite() {
        return Transform::IDENTITY;
    }
    if let Some(found) = parts(matrix) {
        return found;
    }
    let (outer, along, inner) = stretched(&matrix.matrix3, axes);
    let stretch = Mat3A::from_quat(inner.inverse()) * Mat3A::from_diagonal(along) * Mat3A::from_quat(inner);
    let scale = Vec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z);
    Transform { translation: matrix.translation.into(), rotation: outer * inner, scale }
}

fn axes_of(rotation: Quat) -> DMat3 {
    DMat3::from_quat(rotation_or_identity(rotation).as_dquat().normalize())
}

/// A matrix as a rotation, scales along the axes and another rotation, applied from the last to the first. `axes` are those that
/// the scales went along before and go along now: of all that give the matrix the nearest.
fn stretched(matrix: &Mat3A, axes: &mut DMat3) -> (Quat, Vec3, Quat) {
    if !matrix.is_finite() {
        return (Quat::IDENTITY, Vec3::ONE, Quat::IDENTITY);
    }
    let moved = DMat3::from_cols(matrix.x_axis.as_dvec3(), matrix.y_axis.as_dvec3(), matrix.z_axis.as_dvec3()) * *axes;
    let mut columns = [moved.x_axis, moved.y_axis, moved.z_axis];
    let mut along = [axes.x_axis, axes.y_axis, axes.z_axis];
    // Turns the axes by pairs until what becomes of them stands at right angles (one-sided Jacobi).
    for _ in 0..32 {
        let mut is_done = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (alpha, beta) = (columns[p].length_squared(), columns[q].length_squared());
            let gamma = columns[p].dot(columns[q]);
            if gamma.abs() <= RIGHT_ANGLE * (alpha * beta).sqrt() {
                continue;
            }
            is_done = false;
            let zeta = (beta - alpha) / (2.0 * gamma);
            let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cosine = (1.0 + tangent * tangent).sqrt().recip();
            let sine = cosine * tangent;
            for vectors in [&mut columns, &mut along] {
                let (a, b) = (vectors[p], vectors[q]);
                (vectors[p], vectors[q]) = (a * cosine - b * sine, a * sine + b * cosine);
            }
        }
        if is_done {
            break;
        }
    }
    *axes = DMat3::from_cols(along[0], along[1], along[2]);
    let mut scale = columns.map(DVec3::length);
    let mut outer = columns.map(|column| column.normalize_or_zero());
    // Where something is flattened, any axis at right angles to the others will do.
    for at in 0..3 {
        if outer[at] == DVec3::ZERO {
            let (next, last) = (outer[(at + 1) % 3], outer[(at + 2) % 3]);
            let across = next.cross(last).normalize_or_zero();
            outer[at] = if across != DVec3::ZERO {
                across
            } else {
                let known = if next == DVec3::ZERO { last } else { next };
                if known == DVec3::ZERO { [DVec3::X, DVec3::Y, DVec3::Z][at] } else { known.any_orthonormal_vector() }
            };
        }
    }
    if outer[0].cross(outer[1]).dot(outer[2]) < 0.0 {
        (outer[2], scale[2]) = (-outer[2], -scale[2]);
    }
    let outer = DQuat::from_mat3(&DMat3::from_cols(outer[0], outer[1], outer[2]));
    let inner = DQuat::from_mat3(&axes.transpose());
    (outer.as_quat(), DVec3::from(scale).as_vec3(), inner.as_quat())
}

/// A clip and how it plays on the model.
#[derive(Clone, Copy, Debug)]
pub struct BoundClip<'a> {
    /// The clip.
    pub clip: &'a Clip,
    /// The binding of the clip to the model.
    pub binding: &'a Binding,
}

/// Where a clip lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClipOrigin {
    /// The file's name without its folder.
    pub file: String,
    /// Its path in the file, as the command line takes it; `#0` where the file is the clip.
    pub entry: String,
}

/// Clips of a model, there one at a time: together they may be far larger than their file.
pub trait ClipSource {
    /// Returns the number of clips.
    fn count(&self) -> usize;

    /// Where a clip lies; `None` for one that lies nowhere.
    fn origin(&self, _index: usize) -> Option<ClipOrigin> {
        None
    }

    /// Hands a clip to `write` and lets go of it. Nothing happens where there is none after all.
    ///
    /// # Errors
    /// What `write` says, or that nobody wants the clips any more.
    fn with(
        &self,
        index: usize,
        write: &mut dyn FnMut(&BoundClip<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError>;
}

/// Clips that are there already.
impl ClipSource for [BoundClip<'_>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn with(
        &self,
        index: usize,
        write: &mut dyn FnMut(&BoundClip<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        self.get(index).map_or(Ok(()), write)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again((outer, scale, inner): (Quat, Vec3, Quat)) -> Mat3A {
        Mat3A::from_quat(outer) * Mat3A::from_diagonal(scale) * Mat3A::from_quat(inner)
    }

    #[test]
    fn any_matrix_is_two_rotations_and_a_scale() {
        let turn = Mat3A::from_quat(Quat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize());
        let sheared =
            Mat3A::from_cols(Vec3::X.into(), Vec3::new(0.8, 1.5, 0.0).into(), Vec3::new(0.1, -0.4, 0.6).into());
        for matrix in [
            Mat3A::IDENTITY,
            turn,
            sheared,
            turn * sheared,
            sheared * Mat3A::from_diagonal(Vec3::new(-1.0, 1.0, 1.0)),
            turn * Mat3A::from_diagonal(Vec3::new(2.0, 0.0, 0.5)),
            Mat3A::from_diagonal(Vec3::new(0.0, 3.0, 0.0)) * sheared,
            Mat3A::ZERO,
        ] {
            let found = stretched(&matrix, &mut DMat3::IDENTITY.clone());
            let far = (again(found) - matrix).to_cols_array().into_iter().fold(0.0_f32, |far, d| far.max(d.abs()));
            assert!(far < 3e-6, "{matrix}: {found:?}");
            assert!(found.0.is_normalized() && found.2.is_normalized());
        }
        assert_eq!(stretched(&Mat3A::NAN, &mut DMat3::IDENTITY.clone()).1, Vec3::ONE);
    }

    #[test]
    fn axes_stay_where_they_were_as_far_as_they_can() {
        let axes = Quat::from_rotation_z(0.4);
        let stretch =
            |scale: Vec3| Mat3A::from_quat(axes) * Mat3A::from_diagonal(scale) * Mat3A::from_quat(axes.inverse());
        let mut found = axes_of(axes);
        for scale in [Vec3::ONE, Vec3::new(1.0, 3.0, 1.0), Vec3::new(2.0, 2.0, 1.0), Vec3::new(0.5, 1.0, 1.0)] {
            let (_, along, inner) = stretched(&stretch(scale), &mut found);
            assert!(along.abs_diff_eq(scale, 1e-5) && inner.abs_diff_eq(axes.inverse(), 1e-5), "{scale}: {along}");
        }
    }
}
