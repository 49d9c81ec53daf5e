//! Parts of a source by their range.

use crate::bytes::Source;
use std::ops::Range;

/// Bytes that fill up whatever they hold, when they are this few.
const MAX_FILLED: u64 = 32;

/// The bytes of a range; none where it goes past the end.
pub fn bytes_of(source: &Source, range: Range<u64>) -> &[u8] {
    let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    range.and_then(|(start, end)| source.as_slice().get(start..end)).unwrap_or_default()
}

/// Whether bytes only fill up: few of them, or all zero.
pub fn is_padding(source: &Source, range: Range<u64>) -> bool {
    range.end.saturating_sub(range.start) < MAX_FILLED || bytes_of(source, range).iter().all(|b| *b == 0)
}
