//! What chunks are to the document.

use crate::formats::field_reader::{Fault, FieldReader};
pub use crate::formats::{
    findings::Findings,
    structure::{Part, Structure as ChunkData},
};

/// Reads a chunk into its structure.
pub type ReadChunk = fn(&mut FieldReader<'_>, &mut Findings) -> Result<Box<dyn ChunkData>, Fault>;

/// How a kind of chunk is read. The reader's range is the chunk, from its tag on; the header (tag and size) is read already.
pub struct ChunkKind {
    pub tag: &'static [u8; 4],
    pub read: ReadChunk,
}
