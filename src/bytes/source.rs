use std::{
    ops::Range,
    sync::{Arc, Weak},
};

/// A range of bytes that are shared, so that documents, entries and workers hold them without copying.
#[derive(Clone)]
pub struct Source {
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Source {
    /// Takes the bytes over as they are; what is reserved beyond them is given back where it is much.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let mut bytes = bytes.into();
        if bytes.capacity().saturating_sub(bytes.len()) > bytes.len() / 4 {
            bytes.shrink_to_fit();
        }
        let range = 0..bytes.len();
        Self { bytes: Arc::new(bytes), range }
    }

    pub fn as_slice(&self) -> &[u8] {
        self.bytes.get(self.range.clone()).unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Whether both are the same bytes at the same place in memory.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes) && self.range == other.range
    }

    /// The same bytes, without holding them.
    pub fn downgrade(&self) -> WeakSource {
        WeakSource { bytes: Arc::downgrade(&self.bytes), range: self.range.clone() }
    }

    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// A part of this source, offsets counted from its start; `None` when it does not lie inside.
    pub fn slice(&self, offset: u64, size: u64) -> Option<Self> {
        let end = offset.checked_add(size)?;
        if end > self.len() as u64 {
            return None;
        }
        let first = self.range.start.checked_add(usize::try_from(offset).ok()?)?;
        let last = self.range.start.checked_add(usize::try_from(end).ok()?)?;
        Some(Self { bytes: self.bytes.clone(), range: first..last })
    }
}

/// Bytes that others hold, and that are there as long as they do.
#[derive(Clone, Debug)]
pub struct WeakSource {
    bytes: Weak<Vec<u8>>,
    range: Range<usize>,
}

impl WeakSource {
    /// The bytes, while somebody holds them.
    pub fn upgrade(&self) -> Option<Source> {
        Some(Source { bytes: self.bytes.upgrade()?, range: self.range.clone() })
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} bytes)", self.len())
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_vector_are_not_copied() {
        let bytes = vec![7_u8; 100_000];
        let at = bytes.as_ptr();
        let source = Source::from(bytes);
        assert_eq!(source.as_slice().as_ptr(), at);
        assert_eq!(source.slice(10, 20).unwrap().as_slice().as_ptr(), at.wrapping_add(10));
    }

    #[test]
    fn what_was_reserved_in_vain_is_given_back() {
        let mut bytes = Vec::with_capacity(1000);
        bytes.extend([1, 2, 3]);
        assert!(Source::from(bytes).bytes.capacity() < 100);
    }
}
