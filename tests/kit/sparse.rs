//! A large file of which little is more than zeros.

use bonebox::bytes::{ReadAt, Source};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// The start of a file, and zeros up to its size, with what was read of it.
#[derive(Clone)]
pub struct Sparse {
    start: Arc<Vec<u8>>,
    size: u64,
    read: Arc<AtomicU64>,
}

impl Sparse {
    pub fn new(start: Vec<u8>, size: u64) -> Self {
        Self { start: Arc::new(start), size, read: Arc::default() }
    }

    pub fn source(&self) -> Source {
        Source::stored(self.clone())
    }

    /// Bytes that were read of it.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

impl ReadAt for Sparse {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        let there = self.start.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
        let count = there.len().min(buffer.len());
        buffer[..count].copy_from_slice(&there[..count]);
        buffer[count..].fill(0);
        Ok(())
    }
}
