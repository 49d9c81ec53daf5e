//! The sequences of meshes and animations without the rest of them, and the cache of the objects that clips are taken
//! from.

use super::{
    super::{
        header::read_header,
        kind::Kind,
        object::{Fault, ObjectReader},
        package::Package,
        tree::SequenceEntry,
    },
    animation::{Animation, read_animation, skip_array, skip_to_sequences},
    layout::{AnimSeq, Mesh, SMALLEST_SEQUENCE, read_bounds, read_mesh, read_sequence},
    lod::{LodMesh, read_lod_mesh},
};
use crate::formats::Field;
use std::{
    collections::VecDeque,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

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

/// How many are kept: as many as are read at the same time, as a rule.
const KEPT: usize = 4;

/// What has sequences.
#[derive(Debug)]
pub enum SequenceOwner {
    Mesh(Mesh),
    Lod(LodMesh),
    Animation(Animation),
}

type Read = Result<Arc<SequenceOwner>, Fault>;

/// The last that were read, by export, the newest first.
#[derive(Debug, Default)]
pub struct SequenceCache(Mutex<VecDeque<(usize, Read)>>);

impl SequenceCache {
    /// The mesh or the animation that an export is, or why it cannot be read.
    pub fn get(&self, package: &Arc<Package>, export: usize, kind: Kind) -> Read {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = lock().iter().find(|(of, _)| *of == export) {
            return known.clone();
        }
        let read = read(package, export, kind).map(Arc::new);
        let mut kept = lock();
        kept.retain(|(of, _)| *of != export);
        kept.push_front((export, read.clone()));
        kept.truncate(KEPT);
        read
    }
}

fn read(package: &Arc<Package>, export: usize, kind: Kind) -> Result<SequenceOwner, Fault> {
    let mut reader = ObjectReader::of_export(package, export);
    read_header(&mut reader, export)?;
    match kind {
        Kind::Mesh => read_mesh(&mut reader).map(SequenceOwner::Mesh),
        Kind::LodMesh => read_lod_mesh(&mut reader).map(SequenceOwner::Lod),
        Kind::Animation => read_animation(&mut reader).map(SequenceOwner::Animation),
        _ => Err(reader.fault("objects of this class have no sequences")),
    }
}
