//! Joints in bind pose, and the matrices that vertices are drawn with.

use super::{
    super::{chunk::Findings, codes},
    Drw1, Evp1, Inf1, Jnt1,
    drw1::MatrixSource,
    inf1::Hierarchy,
    jnt1::StoredJoint,
};
use crate::{
    bytes::numbers::{counted, grouped},
    scene::{DrawMatrix, DrawTerm, Joint, ScalingRule, Skeleton, Transform, exact},
};
use glam::{Affine3A, Vec3};
use std::f32::consts::PI;

/// Terms of all draw matrices of a model; they may share envelopes.
const MAX_TERMS: usize = 1 << 18;

/// The skeleton; `None` for a model without joints.
pub fn skeleton(
    jnt1: &Jnt1,
    inf1: Option<&Inf1>,
    hierarchy: &Hierarchy,
    drw1: &Drw1,
    evp1: &Evp1,
    findings: &mut Findings,
) -> Option<Skeleton> {
    if jnt1.joints.is_empty() {
        return None;
    }
    let mut parents = vec![None; jnt1.joints.len()];
    for (joint, parent) in &hierarchy.joints {
        match parents.get_mut(usize::from(*joint)) {
            Some(slot) => *slot = parent.map(u32::from),
            None => {
                let message = format!(
                    "the hierarchy refers to joint {joint}, but the file has only {}",
                    counted(jnt1.joints.len(), "joint")
                );
                findings.add(&codes::BAD_INDEX, None, message);
            }
        }
    }
    let joint = |((index, stored), parent): ((usize, &StoredJoint), Option<u32>)| Joint {
        name: jnt1.name(index),
        parent,
        bind: bind(stored),
        compensates_scale: stored.scale_compensate == 1,
        ..Joint::default()
    };
    let joints = jnt1.joints.iter().enumerate().zip(parents).map(joint).collect();
    let scaling = match inf1.map_or(0, Inf1::scaling_rule) {
        1 => ScalingRule::SoftImage,
        2 => ScalingRule::Maya,
        _ => ScalingRule::Standard,
    };
    let mut skeleton = Skeleton::new(joints, Vec::new()).with_scaling(scaling);
    skeleton.draw_matrices = draw_matrices(jnt1.joints.len(), drw1, evp1, findings);
    Some(skeleton)
}

/// Turns about X, then Y, then Z (§3.5).
fn bind(stored: &StoredJoint) -> Transform {
    let finite = |v: [f32; 3], otherwise| Some(Vec3::from_array(v)).filter(|v| v.is_finite()).unwrap_or(otherwise);
    let [x, y, z] = stored.rotation.map(|raw| f32::from(raw) * (PI / 32768.0));
    Transform {
        translation: finite(stored.translation, Vec3::ZERO),
        rotation: exact::rotation_zyx(z, y, x),
        scale: finite(stored.scale, Vec3::ONE),
    }
}

fn draw_matrices(joint_count: usize, drw1: &Drw1, evp1: &Evp1, findings: &mut Findings) -> Vec<DrawMatrix> {
    let mut bad = 0_usize;
    let mut joint_of = |joint: u16| {
        if usize::from(joint) < joint_count {
            return u32::from(joint);
        }
        bad = bad.saturating_add(1);
        0
    };
    let rigid =
        |joint| DrawMatrix { terms: vec![DrawTerm { joint, weight: 1.0, joint_from_bind: Affine3A::IDENTITY }] };
    let mut term = |(joint, weight): (u16, f32)| DrawTerm {
        joint: joint_of(joint),
        weight: if weight.is_finite() { weight } else { 0.0 },
        joint_from_bind: evp1.inverse_binds.get(usize::from(joint)).copied().unwrap_or(Affine3A::IDENTITY),
    };
    let envelopes: Vec<DrawMatrix> =
        evp1.envelopes().map(|influences| DrawMatrix { terms: influences.map(&mut term).collect() }).collect();
    let (mut missing, mut left_out) = (0_usize, 0_usize);
    let mut terms_left = MAX_TERMS;
    let mut matrices: Vec<DrawMatrix> = drw1
        .matrices
        .iter()
        .map(|source| match source {
            MatrixSource::Joint(joint) => rigid(joint_of(*joint)),
            MatrixSource::Envelope(envelope) => match envelopes.get(usize::from(*envelope)) {
                Some(matrix) => match terms_left.checked_sub(matrix.terms.len()) {
                    Some(left) => {
                        terms_left = left;
                        matrix.clone()
                    }
                    None => {
                        left_out = left_out.saturating_add(1);
                        rigid(0)
                    }
                },
                None => {
                    missing = missing.saturating_add(1);
                    rigid(0)
                }
            },
        })
        .collect();
    if bad > 0 {
        let message = format!("draw matrices that refer to missing joints: {bad}; the first joint is used");
        findings.add(&codes::BAD_INDEX, None, message);
    }
    if missing > 0 {
        let message = format!("draw matrices that refer to missing envelopes: {missing}; the first joint is used");
        findings.add(&codes::BAD_INDEX, None, message);
    }
    if left_out > 0 {
        let message = format!(
            "draw matrices whose envelopes are skipped: {left_out}; the others already reach the limit of {} influences",
            grouped(MAX_TERMS)
        );
        findings.add(&codes::BAD_INDEX, None, message);
    }
    if matrices.is_empty() {
        // Shapes are drawn with one at least.
        matrices.push(rigid(0));
    }
    matrices
}
