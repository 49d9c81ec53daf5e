//! Joints in bind pose (JNT1), envelopes of several joints (EVP1), and the matrices that vertices are drawn with
//! (DRW1), formats/j3d.md §6.3–§6.5.

use super::{
    super::{codes, file::Findings, names},
    Inf1,
    inf1::Hierarchy,
    shp1::{RecordPlace, RecordTable},
};
use crate::{
    bytes::numbers::{counted, grouped},
    formats::field_reader::{Fault, FieldReader},
    scene::{DrawMatrix, DrawTerm, Joint, ScalingRule, Skeleton, Transform, exact},
};
use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use std::f32::consts::PI;

/// Bytes of an inverse bind matrix.
const MATRIX_SIZE: u64 = 48;

/// The chunk.
#[derive(Clone, Debug, Default)]
pub struct Evp1 {
    /// How many influences each envelope has; they follow each other in the other lists.
    pub counts: Vec<u8>,
    pub joints: Vec<u16>,
    pub weights: Vec<f32>,
    /// Joint from model in bind pose, by joint; as many as are there.
    pub inverse_binds: Vec<Affine3A>,
}

impl Evp1 {
    /// The influences of every envelope, in order: joint and weight.
    pub fn envelopes(&self) -> impl Iterator<Item = impl Iterator<Item = (u16, f32)> + '_> + '_ {
        let mut first = 0_usize;
        self.counts.iter().map(move |count| {
            let start = first;
            first = first.saturating_add(usize::from(*count));
            let joints = self.joints.get(start..first.min(self.joints.len())).unwrap_or_default();
            let weights = self.weights.get(start..first.min(self.weights.len())).unwrap_or_default();
            joints.iter().copied().zip(weights.iter().copied())
        })
    }
}

/// Reads the chunk; the cursor stands behind its header.
pub fn read_envelopes(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Evp1, Fault> {
    let count = r.u16("EnvelopeCount")?;
    r.pad(2)?;
    let counts_offset = r.u32("InfluenceCountsOffset")?;
    let joints_offset = r.u32("JointsOffset")?;
    let weights_offset = r.u32("WeightsOffset")?;
    let binds_offset = r.u32("InverseBindsOffset")?;
    if count == 0 {
        return Ok(Evp1::default());
    }
    r.seek_in_range(counts_offset)?;
    let counts = r.records("InfluenceCounts", "u8", u64::from(count), 1, |r, _| r.u8("Count"))?;
    let total: u64 = counts.iter().map(|c| u64::from(*c)).sum();
    r.seek_in_range(joints_offset)?;
    let joints = r.records("Joints", "u16", total, 2, |r, _| r.u16("Joint"))?;
    r.seek_in_range(weights_offset)?;
    let weights = r.records("Weights", "f32", total, 4, |r, _| r.f32("Weight"))?;
    r.seek_in_range(binds_offset)?;
    // Their number is stored nowhere: what follows them is shorter than one, or of another part of the chunk.
    let wanted = joints.iter().max().map_or(0, |last| u64::from(*last).saturating_add(1));
    let at = r.offset();
    let parts = [counts_offset, joints_offset, weights_offset];
    let next = parts.iter().filter(|o| **o > binds_offset).min();
    let room = next.map_or(r.left() as u64, |next| u64::from(next.saturating_sub(binds_offset)));
    let there = r.whole_records(room.checked_div(MATRIX_SIZE).unwrap_or(0), MATRIX_SIZE) as u64;
    if there < wanted {
        let message =
            format!("inverse bind matrices: {wanted} needed, {there} found; the missing ones are set to identity");
        findings.add(&codes::SHORT_ARRAY, Some(at), message);
    }
    let inverse_binds = r.records("InverseBinds", "f32[3][4]", there, MATRIX_SIZE, |r, _| {
        Ok(matrix(&r.floats::<12>("InverseBind", "f32[3][4]")?))
    })?;
    Ok(Evp1 { counts, joints, weights, inverse_binds })
}

/// From rows; the identity where a number is not finite.
fn matrix(rows: &[f32; 12]) -> Affine3A {
    let [a, b, c, x, d, e, f, y, g, h, i, z] = *rows;
    let matrix = Affine3A {
        matrix3: Mat3A::from_cols(Vec3A::new(a, d, g), Vec3A::new(b, e, h), Vec3A::new(c, f, i)),
        translation: Vec3A::new(x, y, z),
    };
    if matrix.is_finite() { matrix } else { Affine3A::IDENTITY }
}

/// The chunk.
#[derive(Clone, Debug, Default)]
pub struct Drw1 {
    pub matrices: Vec<MatrixSource>,
}

/// Where a draw matrix comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixSource {
    Joint(u16),
    Envelope(u16),
}

/// Reads the chunk; the cursor stands behind its header.
pub fn read_draw_matrices(r: &mut FieldReader<'_>) -> Result<Drw1, Fault> {
    let count = u64::from(r.u16("MatrixCount")?);
    r.pad(2)?;
    let kinds_offset = r.u32("KindsOffset")?;
    let indices_offset = r.u32("IndicesOffset")?;
    r.seek_in_range(kinds_offset)?;
    let kind_name = |kind| ["joint", "envelope"].get(usize::from(kind)).copied();
    let kinds = r.records("Kinds", "u8", count, 1, move |r, _| r.named_u8("Kind", kind_name))?;
    r.seek_in_range(indices_offset)?;
    let indices = r.records("Indices", "u16", count, 2, |r, _| r.u16("Index"))?;
    let source = |(kind, index)| if kind == 0 { MatrixSource::Joint(index) } else { MatrixSource::Envelope(index) };
    Ok(Drw1 { matrices: kinds.into_iter().zip(indices).map(source).collect() })
}

/// Bytes of a joint.
const JOINT_SIZE: u64 = 0x40;

/// The chunk.
#[derive(Clone, Debug, Default)]
pub struct Jnt1 {
    /// Joints as the others name them: the table's entries through the list of indices.
    pub joints: Vec<StoredJoint>,
    /// One each; empty where the file has none.
    pub names: Vec<String>,
    /// Where each joint's entry lies.
    pub places: Vec<RecordPlace>,
}

/// A joint as it is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoredJoint {
    pub kind: u16,
    /// 1: its parent's own scale does not reach it, under the Maya scaling rule. 0xFF counts as 0.
    pub scale_compensate: u8,
    pub scale: [f32; 3],
    /// 65536 a turn; X, then Y, then Z.
    pub rotation: [i16; 3],
    pub translation: [f32; 3],
    pub radius: f32,
    pub box_min: [f32; 3],
    pub box_max: [f32; 3],
}

impl Jnt1 {
    /// The joint's name, or its number where it has none.
    pub fn name(&self, joint: usize) -> String {
        self.names.get(joint).filter(|n| !n.is_empty()).cloned().unwrap_or_else(|| format!("joint {joint}"))
    }
}

/// Reads the chunk; the cursor stands behind its header.
pub fn read_joints(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Jnt1, Fault> {
    let count = u64::from(r.u16("JointCount")?);
    r.pad(2)?;
    let table_offset = r.u32("JointsOffset")?;
    let remap_offset = r.u32("RemapOffset")?;
    let names_offset = r.u32("NamesOffset")?;
    r.seek_in_range(remap_offset)?;
    let remap_at = r.offset();
    let remap = r.records("Remap", "u16", count, 2, |r, _| r.u16("Entry"))?;
    r.seek_in_range(table_offset)?;
    let table_at = r.offset();
    let wanted = remap.iter().max().map_or(0, |last| u64::from(*last).saturating_add(1));
    let there = r.whole_records(wanted, JOINT_SIZE) as u64;
    if there < wanted {
        let message = format!("the joint table needs {}, but only {there} found", counted(wanted, "entry"));
        findings.add(&codes::SHORT_ARRAY, Some(table_at), message);
    }
    let table = r.records("Joints", "Joint", there, JOINT_SIZE, |r, _| read_joint(r))?;
    let names = match names_offset {
        0 => Vec::new(),
        offset => names::read_names(r, offset, findings)?,
    };
    let unmoved = StoredJoint { scale: [1.0; 3], ..StoredJoint::default() };
    let joints = remap.iter().map(|entry| table.get(usize::from(*entry)).copied().unwrap_or(unmoved)).collect();
    let places = RecordTable { remap_at, at: table_at, end: r.range().end, size: JOINT_SIZE }.places(&remap);
    Ok(Jnt1 { joints, names, places })
}

/// One entry of the table.
pub fn read_joint(r: &mut FieldReader<'_>) -> Result<StoredJoint, Fault> {
    let kind = r.u16("Kind")?;
    let compensate = |code| match code {
        0 | 0xFF => Some("no"),
        1 => Some("yes"),
        _ => None,
    };
    let scale_compensate = r.named_u8("ScaleCompensate", compensate)?;
    r.pad(1)?;
    let scale = r.floats("Scale", "f32[3]")?;
    let rotation = r.i16s("Rotation")?;
    r.pad(2)?;
    Ok(StoredJoint {
        kind,
        scale_compensate,
        scale,
        rotation,
        translation: r.floats("Translation", "f32[3]")?,
        radius: r.f32("Radius")?,
        box_min: r.floats("BoxMin", "f32[3]")?,
        box_max: r.floats("BoxMax", "f32[3]")?,
    })
}

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
