//! What targets read of a file: it is opened and checked each time, its fields and what it shows as are read in some runs alone, which
//! leaves most of the time for parsing.

#![allow(dead_code, reason = "each target uses its part")]

use bonebox::{
    bytes::{Cancel, Limits, Source},
    formats::{
        self, Asset, Content, Diagnostic, Diagnostics, Document, LoadContext, LoadOptions, NO_OVERRIDES, NoFiles,
        OpenContext, OpenError, ReadError, Resolver,
    },
};
use std::sync::Arc;

/// What is read beside the outline and the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    pub fields: bool,
    pub assets: bool,
}

impl Parts {
    pub const ALL: Self = Self { fields: true, assets: true };

    /// By a byte of the input: fields in one run of four, what shows in one of thirty-two.
    pub fn of(byte: u8) -> Self {
        Self { fields: byte % 4 == 1, assets: byte % 32 == 31 }
    }

    /// By the last byte of a file.
    pub fn by_last(file: &[u8]) -> Self {
        Self::of(file.last().copied().unwrap_or(0))
    }
}

/// A file that was read.
pub struct Read {
    pub document: Box<dyn Document>,
    pub found: Vec<Diagnostic>,
    pub assets: Vec<Result<Asset, ReadError>>,
}

pub fn read(name: &str, bytes: Vec<u8>, parts: Parts) -> Result<Read, OpenError> {
    read_beside(name, bytes, Arc::new(NoFiles), parts)
}

/// As [`read`], with files beside it.
pub fn read_beside(name: &str, bytes: Vec<u8>, beside: Arc<dyn Resolver>, parts: Parts) -> Result<Read, OpenError> {
    // What is small has the same structure, and leaves time for more runs.
    let limits = Limits { decoded_bytes: 1 << 20, container_bytes: 64 << 10, image_side: 128, ..Limits::default() };
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: name,
        resolver: beside.clone(),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &NO_OVERRIDES,
    };
    let document = formats::open(Source::new(bytes), &mut cx)?;
    let mut assets = Vec::new();
    for entry in document.outline().entries() {
        document.check(entry.id, &mut diagnostics);
        if parts.fields {
            let _ = document.fields(entry.id);
        }
        if parts.assets && entry.content != Content::None {
            let options = LoadOptions::default();
            let mut cx = LoadContext {
                file: name,
                resolver: &*beside,
                diagnostics: &mut diagnostics,
                limits,
                options,
                cancel: Cancel::never(),
            };
            assets.push(document.load(entry.id, &mut cx));
        }
    }
    Ok(Read { document, found: diagnostics.finish(), assets })
}

/// A file that starts in one of some ways: as it does itself, or else as its first byte picks, so that every run gets past the door.
pub fn started(bytes: &[u8], starts: &[&[u8]]) -> Vec<u8> {
    let mut file = bytes.to_vec();
    if let (false, Some(pick)) = (starts.iter().any(|start| file.starts_with(start)), file.first().copied()) {
        let start = starts[usize::from(pick) % starts.len()];
        file.iter_mut().zip(start).for_each(|(place, byte)| *place = *byte);
    }
    file
}
