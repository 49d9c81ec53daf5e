//! The sequences of meshes and animations without the rest of them, and what clips take from them.

use super::{
    super::{
        header::read_header,
        kind::Kind,
        object::{Fault, ObjectReader},
        package::Package,
        tree::SequenceEntry,
    },
    animation::{skip_array, skip_to_sequences},
    layout::{AnimSeq, SMALLEST_SEQUENCE, read_bounds, read_sequence},
};
use crate::formats::Field;
use std::{ops::Range, sync::Arc};

/// The sequences of a mesh or an animation, found by passing over what stands in front of them. A skeletal mesh has its
/// sequences in an Animation; what is in the mesh itself plays nothing.
pub fn sequences(package: &Arc<Package>, export: usize, kind: Kind) -> Vec<SequenceEntry> {
    let entry = |s: AnimSeq| SequenceEntry { name: s.name, offset: s.offset, size: s.size };
    found(package, export, kind).into_iter().map(entry).collect()
}

/// As many sequences as can be read.
fn found(package: &Arc<Package>, export: usize, kind: Kind) -> Vec<AnimSeq> {
    let mut reader = ObjectReader::of_export(package, export);
    let mut list = Vec::new();
    // Damage is reported when the object itself is read.
    let _ = read_into(&mut reader, export, kind, &mut list);
    list
}

fn read_into(r: &mut ObjectReader<'_>, export: usize, kind: Kind, list: &mut Vec<AnimSeq>) -> Result<(), Fault> {
    read_header(r, export)?;
    match kind {
        Kind::Mesh | Kind::LodMesh => {
            read_bounds(r)?;
            skip_verts(r)?;
            r.skip_offset()?;
            skip_array(r, 20)?;
        }
        Kind::Animation => skip_to_sequences(r)?,
        _ => return Ok(()),
    }
    let count = r.count("")?;
    r.raw().check_count(count, SMALLEST_SEQUENCE)?;
    for _ in 0..count {
        list.push(read_sequence(r)?);
    }
    Ok(())
}

/// Vertices of 4 or of 8 bytes (§8.2).
fn skip_verts(r: &mut ObjectReader<'_>) -> Result<(), Fault> {
    let end = r.skip_offset()?;
    let count = r.count("")?;
    let size = end.and_then(|end| u64::from(end).checked_sub(r.offset()));
    let each = if count > 0 && size == count.checked_mul(8) { 8 } else { 4 };
    let count = r.raw().check_count(count, each)?;
    Ok(r.raw().skip(count.saturating_mul(each as usize))?)
}

/// The fields of the sequence in `range`, shown again outside the object that owns their bytes.
pub fn sequence_fields(package: &Arc<Package>, range: Range<u64>) -> Vec<Field> {
    let mut reader = ObjectReader::new(package, range).recording();
    // It was read once without a fault.
    let _ = read_sequence(&mut reader);
    reader.into_fields().into_iter().map(Field::mirrored).collect()
}
