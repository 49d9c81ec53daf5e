//! JNT1: joints as they stand in bind pose (formats/j3d.md §6.5).

use super::{
    super::{chunk::Findings, codes, names},
    record_place::{RecordPlace, RecordTable},
};
use crate::{
    bytes::numbers::counted,
    formats::field_reader::{Fault, FieldReader},
};

/// Bytes of a joint.
pub const JOINT_SIZE: u64 = 0x40;

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
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Jnt1, Fault> {
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
