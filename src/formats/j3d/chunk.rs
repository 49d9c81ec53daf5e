//! What chunks are to the document, and where each kind of them joins.

use crate::formats::field_reader::{Fault, FieldReader};
pub use crate::formats::{
    findings::Findings,
    structure::{Part, Structure as ChunkData},
};

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
