//! EVP1: vertices that several joints move, as mixtures of matrices (formats/j3d.md §6.3).

use super::super::{chunk::Findings, codes};
use crate::formats::field_reader::{Fault, FieldReader};
use glam::{Affine3A, Mat3A, Vec3A};

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
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Evp1, Fault> {
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
