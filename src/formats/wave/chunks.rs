//! The chunks of a RIFF file.

use crate::bytes::Reader;

/// A chunk as far as it is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    pub id: [u8; 4],
    /// Bytes that its header claims.
    pub size: u32,
    pub body: &'a [u8],
}

impl Chunk<'_> {
    pub fn name(&self) -> String {
        let letter = |b: &u8| if b.is_ascii_graphic() { char::from(*b) } else { ' ' };
        self.id.iter().map(letter).collect::<String>().trim().to_owned()
    }

    /// Bytes that are claimed and not there.
    pub fn missing(&self) -> Option<usize> {
        (self.size as usize).checked_sub(self.body.len()).filter(|missing| *missing > 0)
    }
}

/// The chunks of a whole RIFF/WAVE file. The size in its header is not trusted: the file's own end counts.
pub(super) fn chunks(file: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    walk(file.get(12..).unwrap_or_default())
}

/// Chunks one after the other; the last may claim more than there is.
pub(super) fn walk(bytes: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    let mut reader = Reader::little(bytes);
    std::iter::from_fn(move || {
        let (id, size) = (reader.array::<4>().ok()?, reader.u32().ok()?);
        let there = reader.left().min(size as usize);
        let body = reader.bytes(there).ok()?;
        // Chunks start at even offsets.
        let _ = reader.skip(there & 1);
        Some(Chunk { id, size, body })
    })
}
