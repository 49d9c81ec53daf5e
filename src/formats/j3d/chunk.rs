//! What chunks are to the document, and where each kind of them joins.

use crate::{
    bytes::Source,
    formats::{
        Asset, Code, Content, Diagnostics, EntryId, Field, LoadContext,
        field_reader::{Fault, FieldReader},
    },
    scene::Material,
};
use std::{any::Any, ops::Range};

/// Chunk kinds by their owners; a kind that is in none of them is kept as it is.
static TABLES: &[&[ChunkKind]] =
    &[super::anim::KINDS, super::geometry::KINDS, super::mat3::KINDS, super::mdl3::KINDS, super::tex1::KINDS];

/// Reads a chunk into its structure.
pub type ReadChunk = fn(&mut FieldReader<'_>, &mut Findings) -> Result<Box<dyn ChunkData>, Fault>;

/// How a kind of chunk is read. The reader's range is the chunk, from its tag on; the header (tag and size) is read already.
pub struct ChunkKind {
    pub tag: &'static [u8; 4],
    pub read: ReadChunk,
}

pub fn kind_of(tag: &[u8; 4]) -> Option<&'static ChunkKind> {
    TABLES.iter().copied().flatten().find(|kind| kind.tag == tag)
}

/// What a chunk was read into.
pub trait ChunkData: Any + Send + Sync {
    /// For [`super::J3dDocument::chunk`].
    fn as_any(&self) -> &dyn Any;

    /// What of it stands in the tree below the chunk: joints, materials, textures, tracks.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// The fields of one of its parts: all of them mirrored ([`Field::mirrored`]), since the chunk's own fields have their bytes.
    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let _ = (source, part);
        Vec::new()
    }

    /// The surface of a part that is a material.
    fn surface(&self, part: usize) -> Option<Material> {
        let _ = part;
        None
    }

    /// What a part shows as: an error in words where that cannot be made.
    fn load_part(
        &self,
        source: &Source,
        part: usize,
        cx: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let _ = (source, part, cx, findings);
        Err("this entry shows as nothing".to_owned())
    }
}

/// Something of a chunk with an entry of its own.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    /// `Joint`, `Material`, `Texture`.
    pub class: &'static str,
    pub range: Range<u64>,
    pub content: Content,
}

/// What was found while reading, before it is known which entry it is about.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
}

#[derive(Debug)]
struct Finding {
    code: &'static Code,
    offset: Option<u64>,
    message: String,
}

/// Findings that are kept of one chunk; a hostile one could make millions.
const MOST_FINDINGS: usize = 1000;

impl Findings {
    /// `offset`: bytes from the start of the file.
    pub fn add(&mut self, code: &'static Code, offset: Option<u64>, message: impl Into<String>) {
        if self.list.len() < MOST_FINDINGS {
            self.list.push(Finding { code, offset, message: message.into() });
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Codes in the order they were found, for tests.
    #[cfg(test)]
    pub fn codes(&self) -> Vec<&'static str> {
        self.list.iter().map(|f| f.code.id).collect()
    }

    /// Hands everything over as findings about `entry`.
    pub fn report(self, entry: Option<EntryId>, diagnostics: &mut Diagnostics) {
        for finding in self.list {
            diagnostics.report(finding.code, entry, finding.offset, finding.message);
        }
    }
}
