//! Meshes and animations that clips are taken from, kept while their clips are asked for one after the other.

use super::{
    super::{
        header::read_header,
        kind::Kind,
        object::{Fault, ObjectReader},
        package::Package,
    },
    animation::{Animation, read_animation},
    layout::{Mesh, read_mesh},
    lod::{LodMesh, read_lod_mesh},
};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

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
