//! A file with its chunks as they were read: what loading one thing asks of the others.

use super::file::{ChunkData, ChunkSpan, FileHeader, FileKind};
use crate::{
    bytes::Source,
    formats::{EntryId, NodeOutline},
};
use std::ops::Range;

/// The chunks of a file, and its entries.
pub struct ChunkFile {
    pub kind: &'static FileKind,
    pub source: Source,
    pub header: FileHeader,
    pub chunks: Vec<OpenChunk>,
    pub outline: NodeOutline<Node>,
}

/// A chunk and what it was read into.
pub struct OpenChunk {
    pub span: ChunkSpan,
    /// `None` for a kind that is not known, or one that cannot be read.
    pub data: Option<Box<dyn ChunkData>>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    File,
    Chunk(usize),
    Part(usize, usize),
}

impl ChunkFile {
    /// The first chunk that was read into a `T`.
    pub fn chunk<T: ChunkData>(&self) -> Option<&T> {
        self.chunks.iter().filter_map(|c| c.data.as_deref()).find_map(|data| data.as_any().downcast_ref::<T>())
    }

    /// Where the first chunk of a kind lies.
    pub fn chunk_range(&self, tag: &[u8; 4]) -> Option<Range<u64>> {
        self.chunks.iter().find(|c| c.span.tag == *tag).map(|c| c.span.range.clone())
    }

    /// The entry of the first chunk of a kind.
    pub fn chunk_entry(&self, tag: &[u8; 4]) -> Option<EntryId> {
        let chunk = self.chunks.iter().position(|c| c.span.tag == *tag)?;
        self.outline.entry_of(|node| matches!(node, Node::Chunk(index) if *index == chunk))
    }
}
